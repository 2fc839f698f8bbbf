"""Contenders of a comparison: backends, external SAT solvers and students' generate.py.

A contender takes a puzzle and a ``RunDirectory``, in which it runs programs, and returns a
``RunAnswer``. Contenders consist of plain values, so that they can be pickled for other machines.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Protocol

from satcross.backends.registry import DEFAULT_SOLVER, ENCODINGS, PARALLEL
from satcross.compare.formulas import FormulaStore, NewFormula, StoredFormula
from satcross.compare.limits import (
    CPU_LIMIT,
    TIME_LIMIT,
    ExitInfo,
    RunFiles,
    RunLimits,
    StopSignal,
    run_limited,
)
from satcross.compare.provenance import commit_of, own_commit
from satcross.compare.records import CRASHED, FILLED, NOT_AVAILABLE, UNFILLABLE, UNKNOWN, WRONG
from satcross.errors import InputError
from satcross.formats.puzzle_json import puzzle_hash, puzzle_to_data
from satcross.formats.text import parse_printed
from satcross.puzzle import Puzzle
from satcross.rules import RULES
from satcross.run_settings import TIME_LIMIT as BACKEND_TIME_LIMIT

CRASH = "crash"
UNREADABLE = "unreadable answer"
GAVE_UP = "gave up"
UNSUPPORTED = "not asked"
"""The puzzle has a rule that the contender does not support."""
NO_MODEL = "no model"
WRONG_PROOF = "wrong proof"
NO_PROOF = "no checked proof"

CNF, WCNF, MODEL, PROOF, WORKERS = "{cnf}", "{wcnf}", "{model}", "{proof}", "{workers}"

_PACKAGE = re.compile(r"\{package:(\w+)\}")
_NAMED_COMMAND = re.compile(r"([\w.+-]+)=(.*)", re.DOTALL)

_VERSION_FILES = "satcross/**/*version*.py"
_VERSION = re.compile(r'__version__ = "([^"]+)"')

_YEAR = 365 * 86400.0

_GRACE_SECONDS = 1.0
"""Seconds beyond the time limit in which a backend may stop by itself and write its answer."""

_MAX_ANSWER = 256 * 2**20
"""Maximum number of characters read from the output of a student's program."""
_WORKER = Path(__file__).with_name("worker.py").resolve()


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """The unverified answer of a contender; the fields have the meaning they have in ``Record``.

    ``fill`` maps slot names to words. ``ended`` says how the contender's program ended. ``proved``
    says whether a proof was checked and found right or wrong; None for no such check.
    """

    status: str
    ended: ExitInfo
    reason: str = ""
    detail: str = ""
    fill: Mapping[str, str] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    stats: Mapping[str, int | float | str] = field(default_factory=dict)
    proved: bool | None = None


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """The temporary folder of a run, with the limits of the run and a signal to end it early.

    ``formulas`` is the folder in which formulas are cached for other runs; without one, each run
    writes its own. ``solver_alone`` says that limits and measurements are of the external solver
    alone, without writing its formula. ``certify`` says that programs are to write proofs, without
    which "unfillable" is not believed.
    """

    folder: Path
    limits: RunLimits
    seed: int = 0
    workers: int = 1
    stop: StopSignal | None = None
    formulas: Path | None = None
    solver_alone: bool = False
    certify: bool = False

    @property
    def stdout(self) -> Path:
        return self.folder / "stdout"

    def run(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        grace: float = 0.0,
    ) -> ExitInfo:
        """Run a program and end it ``grace`` seconds after the time limit at the latest."""
        limits = self.limits
        if limits.wall is not None:
            limits = replace(limits, wall=limits.wall + grace)
        return run_limited(
            command,
            limits,
            RunFiles(folder or self.folder, self.stdout, self.folder / "stderr", self.folder),
            environment=environment,
            stop=self.stop,
        )

    def describe_failure(self, ended: ExitInfo) -> str:
        """Return one line about a failed program: how it ended and its last line on stderr."""
        if ended.failure:
            return ended.failure
        how = ""
        if ended.exit_code is not None:
            how = (
                f"exit code {ended.exit_code}"
                if ended.exit_code >= 0
                else f"ended by {_signal_name(-ended.exit_code)}"
            )
        with (self.folder / "stderr").open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - 4096))
            lines = file.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ": ".join(filter(None, [how, last[:200]]))


@dataclass(frozen=True, slots=True)
class Description:
    """The fields of ``Record`` that identify a contender."""

    backend: str | None = None
    solver: str | None = None
    encoding: str | None = None
    command: str | None = None
    program: str | None = None
    against: str = ""
    version: str = ""


class Contender(Protocol):
    """A program that answers puzzles; ``name`` is unique within a comparison."""

    kind: ClassVar[str]

    def processors(self, workers: int) -> int:
        """The number of processors that the contender may use, at most ``workers``."""
        ...

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> Description: ...

    def attempt(self, puzzle: Puzzle, run_directory: RunDirectory) -> RunAnswer: ...


@dataclass(frozen=True, slots=True)
class Installation:
    """Another installation of satcross, run for comparison.

    ``path`` is a folder that holds the packages ``satcross`` and ``encoders`` (a checkout), or a
    Python interpreter in whose environment they are installed. ``name`` is "" for the name of the
    folder. Raises InputError if there is no satcross.
    """

    path: str
    name: str = ""
    worker: str = field(init=False)
    program: str = field(init=False)
    """Hash of the Python files of the two packages."""

    def __post_init__(self) -> None:
        path = Path(self.path)
        home = path if path.is_dir() else _home_of(path)
        worker = home / "satcross" / "compare" / _WORKER.name
        if not worker.is_file():
            raise InputError(
                "there is no satcross with a comparison here",
                "give the folder of a checkout, or the Python of its environment",
                file=self.path,
            )
        files = [one for name in ("satcross", "encoders") for one in (home / name).rglob("*.py")]
        object.__setattr__(self, "worker", str(worker.resolve()))
        object.__setattr__(self, "program", _hash(sorted(files), home))
        object.__setattr__(self, "name", self.name or home.resolve().name)

    @property
    def version(self) -> str:
        """The version of the installation, with the commit if it is a checkout."""
        home = Path(self.worker).parents[2]
        texts = (one.read_text(encoding="utf-8") for one in sorted(home.glob(_VERSION_FILES)))
        found = next((one for one in map(_VERSION.search, texts) if one), None)
        return " ".join(filter(None, [found[1] if found else "", commit_of(home)]))

    @property
    def python(self) -> str:
        """The Python interpreter that runs the installation."""
        return sys.executable if Path(self.path).is_dir() else self.path

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables under which Python imports the installation's packages."""
        return {**os.environ, "PYTHONPATH": str(Path(self.worker).parents[2])}


def _home_of(python: Path) -> Path:
    """Return the folder from which a Python interpreter imports satcross."""
    code = "import satcross, pathlib; print(pathlib.Path(satcross.__file__).resolve().parents[1])"
    try:
        # Isolated: the packages of this environment must not be found.
        done = subprocess.run(
            [str(python), "-I", "-c", code], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(
            f"is neither a folder nor a Python interpreter ({error})",
            "give the folder of another satcross, or the Python of its environment",
            file=str(python),
        ) from None
    if done.returncode:
        raise InputError("this Python has no satcross", "install satcross in it", file=str(python))
    return Path(done.stdout.strip())


@dataclass(frozen=True, slots=True)
class BackendContender:
    """A backend of satcross, with the options ``solver`` and ``encoding`` of the backend sat.

    ``narrowing`` is the option of the backend backtrack. ``installation`` is another satcross whose
    backend is run; None stands for this one.
    """

    kind: ClassVar[str] = "backend"
    backend: str
    solver: str | None = None
    encoding: str | None = None
    narrowing: str | None = None
    installation: Installation | None = None

    @property
    def name(self) -> str:
        name = "/".join(filter(None, [self.backend, self.solver, self.encoding, self.narrowing]))
        return name if self.installation is None else f"{name}@{self.installation.name}"

    @property
    def description(self) -> Description:
        description = Description(self.backend)
        if self.backend == "sat":
            description = Description(
                self.backend, self.solver or DEFAULT_SOLVER, self.encoding or ENCODINGS[0]
            )
        if self.installation is None:
            return replace(description, version=own_commit())
        other = self.installation
        return replace(
            description, program=other.program, against=other.name, version=other.version
        )

    def processors(self, workers: int) -> int:
        return workers if self.backend in PARALLEL else 1

    def attempt(self, puzzle: Puzzle, run_directory: RunDirectory) -> RunAnswer:
        options = {
            "solver": self.solver,
            "encoding": self.encoding,
            "narrowing": self.narrowing,
        }
        request = {
            "backend": self.backend,
            "options": {name: value for name, value in options.items() if value},
            "seed": run_directory.seed,
            "workers": run_directory.workers,
            "time_limit": run_directory.limits.wall,
        }
        ended, answer, failure = _run_worker(
            "solve", puzzle, request, run_directory, self.installation
        )
        if failure is not None:
            return failure
        reason = answer["reason"] if answer["status"] == UNKNOWN else ""
        if BACKEND_TIME_LIMIT in reason:
            reason = TIME_LIMIT
        return RunAnswer(
            answer["status"],
            ended,
            reason,
            answer["reason"] if answer["reason"] != reason else "",
            answer["fill"],
            answer["seconds"],
            answer["stats"],
        )


def _run_worker(
    task: str,
    puzzle: Puzzle,
    request: dict[str, Any],
    run_directory: RunDirectory,
    other: Installation | None = None,
) -> tuple[ExitInfo, dict[str, Any], RunAnswer | None]:
    """Run ``worker`` on a task; return how it ended, its data, and an answer if it failed."""
    question, answer = run_directory.folder / "question.json", run_directory.folder / "answer.json"
    question.write_text(json.dumps({"puzzle": puzzle_to_data(puzzle), **request}), encoding="utf-8")
    python = sys.executable if other is None else other.python
    worker = str(_WORKER) if other is None else other.worker
    command = [python, "-P", worker, task, str(question), str(answer)]
    environment = None if other is None else other.environment
    ended = run_directory.run(command, grace=_GRACE_SECONDS, environment=environment)
    failure = _failure(ended, run_directory, success=(0,))
    if failure is not None:
        return ended, {}, replace(failure, **_known(answer))
    try:
        data = json.loads(answer.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ended, {}, RunAnswer(CRASHED, ended, UNREADABLE)
    if data["error"]:
        return ended, {}, RunAnswer(UNKNOWN, ended, NOT_AVAILABLE, data["error"])
    return ended, data, None


def _known(answer: Path) -> dict[str, Any]:
    """Return the stages and counters that ``worker`` had recorded when it was ended."""
    try:
        data = json.loads(answer.with_suffix(".known").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {"seconds": data["seconds"], "stats": data["stats"]}


def _failure(
    ended: ExitInfo, run_directory: RunDirectory, success: Sequence[int]
) -> RunAnswer | None:
    """Return the answer for a program that was ended or failed; None for a success exit code."""
    if ended.reason:
        return RunAnswer(UNKNOWN, ended, ended.reason)
    if ended.exit_code not in success:
        return RunAnswer(CRASHED, ended, CRASH, run_directory.describe_failure(ended))
    return None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _hash(files: Iterable[Path], folder: Path | None = None) -> str:
    """Return a 16-digit hexadecimal hash of files and, if ``folder`` is given, of their names."""
    digest = hashlib.sha256()
    for path in files:
        name = "" if folder is None else path.relative_to(folder).as_posix()
        try:
            inner = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            inner = "unreadable"  # a program may be executable but unreadable
        digest.update(f"{name}:{inner}\n".encode())
    return digest.hexdigest()[:16]


def split_name(text: str) -> tuple[str, str]:
    """Return NAME and COMMAND of "NAME=COMMAND"; NAME is "" if the text is a plain command."""
    found = _NAMED_COMMAND.fullmatch(text)
    return (found[1], found[2]) if found else ("", text)


def split_command(command: str) -> tuple[list[str], str]:
    """Return the parts of a command line and the path of its program.

    Raises InputError if the quotes do not match or the program does not exist.
    """
    try:
        parts = shlex.split(command)
    except ValueError as error:
        raise InputError(f"bad command {command!r} ({error})", "check the quotes") from None
    found = shutil.which(parts[0]) if parts and "{" not in parts[0] else None
    if found is None:
        raise InputError(
            f"there is no program {parts[0] if parts else ''!r}",
            "install it, or give the path of the program",
        )
    return parts, found


def _package_folder(found: re.Match[str]) -> str:
    """Return the folder of the Python package that ``{package:NAME}`` names."""
    spec = importlib.util.find_spec(found[1])
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise InputError(f"there is no Python package {found[1]!r}", f"pip install {found[1]}")
    return shlex.quote(folders[0])


def program_hash(parts: Sequence[str], program: str) -> str:
    """Return a hash of a program and of the files named in its command line."""
    files = [Path(one) for one in (program, *parts[1:])]
    return _hash(one for one in files if one.is_file())


def run_values(run_directory: RunDirectory) -> dict[str, str]:
    """Return the values of the placeholders about a run: seed, seconds, processors, MiB.

    ``{time}`` and ``{memory}`` are whole numbers; without a limit they are a year and
    a TiB, because programs rarely accept "none".
    """
    limits = run_directory.limits
    seconds = min((one for one in (limits.wall, limits.cpu) if one is not None), default=_YEAR)
    return {
        "{seed}": str(run_directory.seed),
        "{time}": str(max(1, int(seconds))),
        "{workers}": str(run_directory.workers),
        "{memory}": str(limits.memory or 2**20),
    }


def fill_in(parts: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return the parts of a command with the placeholders replaced."""
    filled = []
    for part in parts:
        for placeholder, value in values.items():
            part = part.replace(placeholder, value)
        filled.append(part)
    return filled


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """What is known of a program besides its command line.

    ``version`` is a command that prints its version. ``statistics`` has a name and a regular
    expression for each counter to find in its output; the last match counts, its first group is the
    value. ``unfillable`` is a regular expression for a line by which it says that there is no fill.
    ``proof`` are arguments to add when a proof is wanted (``RunDirectory.certify``).
    """

    version: str = ""
    statistics: tuple[tuple[str, str], ...] = ()
    unfillable: str = ""
    proof: str = ""

    def read(self, output: Path) -> dict[str, int | float | str]:
        """Return the counters that a program has printed."""
        if not self.statistics or not output.exists():
            return {}
        with output.open(encoding="utf-8", errors="replace") as file:
            text = file.read(_MAX_ANSWER)
        found = {name: re.findall(pattern, text, re.M) for name, pattern in self.statistics}
        return {name: _number(values[-1]) for name, values in found.items() if values}


def _number(text: str) -> int | float | str:
    """Return a counter as a number if it is one; thousands may be separated by commas."""
    plain = text.replace(",", "")
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(plain)
    return text


@lru_cache(maxsize=64)
def version_of(command: str) -> str:
    """Return the first line with a digit that a command prints, or "" if there is none."""
    try:
        done = subprocess.run(
            shlex.split(command), capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    lines = (done.stdout + done.stderr).splitlines()
    return next((line.strip()[:100] for line in lines if re.search(r"\d", line)), "")


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A contender that is run by a command line, without a shell; "NAME=" before it names it.

    Raises InputError when the command line can't be used.
    """

    command: str
    number: int = 1
    """Distinguishes contenders of the same name, from 1."""
    settings: CommandSettings = CommandSettings()
    label: str = field(init=False)
    program: str = field(init=False)
    """Hash of the program and of the files named in the command line."""

    def __post_init__(self) -> None:
        label, command = split_name(self.command)
        command = _PACKAGE.sub(_package_folder, command)
        self._check(command)
        parts, found = split_command(command)
        object.__setattr__(self, "command", command)
        object.__setattr__(self, "label", label or Path(parts[0]).name)
        object.__setattr__(self, "program", program_hash(parts, found))

    @property
    def name(self) -> str:
        return self.label if self.number == 1 else f"{self.label}#{self.number}"

    def processors(self, workers: int) -> int:
        return workers if WORKERS in self.command else 1

    def _identity(self) -> Description:
        version = version_of(self.settings.version) if self.settings.version else ""
        return Description(command=self.command, program=self.program, version=version)

    @staticmethod
    def _check(command: str) -> None:
        """Raise InputError if the command lacks a placeholder that such a contender needs."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ExternalSolver(CommandLine):
    """An external SAT solver that follows the conventions of the SAT competitions.

    ``command`` is a command line, run without a shell, with "NAME=" before it to name the
    contender. In it, ``{cnf}`` stands for the DIMACS file, ``{wcnf}`` for a MaxSAT formula in which
    the cheapest model has the highest total score, and ``{model}`` for a file in which the
    solver writes the model, if it does not print the model (MiniSat); for the placeholders of the
    run see ``run_values``. ``{proof}`` stands for a file in which the solver writes a DRAT proof in
    text form: "unsatisfiable" then counts only if the proof is right. Raises InputError when the
    command line can't be used.

    The CNF is written once for each puzzle and kept (``formulas``). By default the time of writing
    it counts in limits and measurements, as the backends also spend time on their clauses; it does
    not if ``RunDirectory.solver_alone`` is set.
    """

    kind: ClassVar[str] = "external"

    @staticmethod
    def _check(command: str) -> None:
        if CNF not in command and WCNF not in command:
            raise InputError(
                f"the command {command!r} has no {CNF}",
                f"put {CNF} where the solver expects the file: 'kissat {CNF}'",
            )

    @property
    def description(self) -> Description:
        return replace(self._identity(), encoding="full")

    def attempt(self, puzzle: Puzzle, run_directory: RunDirectory) -> RunAnswer:
        weighted = WCNF in self.command
        formula = write_formula(puzzle, run_directory, "wcnf" if weighted else "cnf")
        if isinstance(formula, RunAnswer):
            return formula
        written = ExitInfo(None) if run_directory.solver_alone else formula.ended
        remaining = remaining_limits(run_directory.limits, written)
        if isinstance(remaining, str):
            return RunAnswer(
                UNKNOWN, written, remaining, WRITING, None, formula.seconds, formula.stats
            )
        model = run_directory.folder / "model"
        inner = replace(run_directory, limits=remaining)
        proof = run_directory.folder / "proof"
        values = {
            **run_values(inner),
            (WCNF if weighted else CNF): str(formula.path),
            MODEL: str(model),
            PROOF: str(proof),
        }
        command = self.command
        if run_directory.certify and PROOF not in command:
            command = f"{command} {self.settings.proof}"
        # Relative paths in the command are relative to the current folder, as in a shell.
        ended = inner.run(fill_in(shlex.split(command), values), folder=Path.cwd())
        answer = _failure(ended, run_directory, success=(0, 10, 20, 30))
        if answer is None:
            outputs = [run_directory.stdout, model] if model.exists() else [run_directory.stdout]
            answer = read_solver(outputs, ended, formula.words, puzzle)
        both = replace(
            ended,
            wall=written.wall + ended.wall,
            cpu=written.cpu + ended.cpu,
            memory=max(written.memory, ended.memory),
        )
        seconds = {**formula.seconds, "solve": ended.wall}
        stats = {**formula.stats, **self.settings.read(run_directory.stdout)}
        answer = replace(answer, ended=both, seconds=seconds, stats=stats)
        if answer.status == UNFILLABLE and PROOF in command:
            return _with_checked_proof(answer, puzzle, formula.path, proof, run_directory)
        return answer


def _with_checked_proof(
    answer: RunAnswer, puzzle: Puzzle, formula: Path, proof: Path, run_directory: RunDirectory
) -> RunAnswer:
    """Return the answer "unfillable" if its proof is right, and another one if it is not.

    The proof is checked within the limits of the run, whose time does not include the check.
    """
    request = {
        "formula": str(formula),
        "proof": str(proof),
        "time_limit": run_directory.limits.wall,
    }
    ended, checked, failure = _run_worker("check-proof", puzzle, request, run_directory)
    seconds = {**answer.seconds, "check": ended.wall}
    if failure is not None:
        detail = f"while checking the proof: {failure.reason} {failure.detail}".strip()
        return replace(answer, status=UNKNOWN, reason=NO_PROOF, detail=detail, seconds=seconds)
    proved, why = checked["valid"], checked["reason"]
    if proved is None:
        return replace(answer, status=UNKNOWN, reason=NO_PROOF, detail=why, seconds=seconds)
    if not proved:
        return replace(
            answer, status=WRONG, reason=WRONG_PROOF, detail=why, seconds=seconds, proved=False
        )
    return replace(answer, detail=f"{answer.detail}, with a proof", seconds=seconds, proved=True)


WRITING = "while writing the formula"


def write_formula(
    puzzle: Puzzle, run_directory: RunDirectory, form: str = "cnf"
) -> StoredFormula | RunAnswer:
    """Return the formula of a puzzle, written now or earlier, or the answer if writing failed.

    ``form`` is the extension of the file.
    """
    answers: list[RunAnswer] = []

    def write() -> NewFormula | None:
        ended, written, failure = _run_worker(form, puzzle, {}, run_directory)
        if failure is not None:
            detail = f"{WRITING}: {failure.detail}".rstrip(": ")
            answers.append(replace(failure, detail=detail))
            return None
        return NewFormula(
            run_directory.folder / f"answer.{form}",
            run_directory.folder / "answer.map",
            ended,
            written["seconds"],
            written["stats"],
        )

    formula = FormulaStore(run_directory.formulas).get(puzzle_hash(puzzle), form, write)
    return answers[0] if formula is None else formula


def remaining_limits(limits: RunLimits, ended: ExitInfo) -> RunLimits | str:
    """Return what remains of the limits, or the name of a limit that is used up."""
    wall = None if limits.wall is None else limits.wall - ended.wall
    cpu = None if limits.cpu is None else limits.cpu - ended.cpu
    if wall is not None and wall <= 0:
        return TIME_LIMIT
    if cpu is not None and cpu <= 0:
        return CPU_LIMIT
    return replace(limits, wall=wall, cpu=cpu)


_SOLUTIONS = {
    "SATISFIABLE": FILLED,
    "OPTIMUM FOUND": FILLED,
    "SAT": FILLED,
    "UNSATISFIABLE": UNFILLABLE,
    "UNSAT": UNFILLABLE,
    "UNKNOWN": UNKNOWN,
    "INDETERMINATE": UNKNOWN,
    "INDET": UNKNOWN,
}
_MAX_DIGITS = 10
"""Maximum number of digits of a variable."""
_EXIT_CODES = {10: FILLED, 20: UNFILLABLE}


def read_solver(outputs: Sequence[Path], ended: ExitInfo, words: Path, puzzle: Puzzle) -> RunAnswer:
    """Parse the output of a SAT solver; ``s`` line, ``v`` lines and exit code must agree.

    A model file has the same lines without the letters ``s`` and ``v``. ``words`` is the file that
    ``worker`` writes to decode models.
    """
    read = _SolverOutput()
    for output in outputs:
        with output.open(encoding="utf-8", errors="replace") as file:
            for line in map(str.strip, file):
                try:
                    read.add(line, in_model=output is not outputs[0])
                except ValueError:
                    return RunAnswer(CRASHED, ended, UNREADABLE, f"a model with {line[:60]!r}")
    if contradiction := read.contradiction(ended.exit_code):
        return RunAnswer(CRASHED, ended, UNREADABLE, contradiction)
    if read.statuses == {UNFILLABLE}:
        return RunAnswer(UNFILLABLE, ended, detail="the solver says UNSATISFIABLE")
    if read.statuses != {FILLED}:
        return RunAnswer(UNKNOWN, ended, GAVE_UP)
    if not read.has_model:
        return RunAnswer(
            UNKNOWN, ended, NO_MODEL, "the solver says SATISFIABLE but prints no v lines"
        )
    return RunAnswer(FILLED, ended, fill=_decode(read.literals, words, puzzle))


@dataclass(slots=True)
class _SolverOutput:
    """The lines that a solver has printed: its statuses, the literals of its model, and others."""

    statuses: set[str] = field(default_factory=set)
    literals: set[int] = field(default_factory=set)
    has_model: bool = False
    has_others: bool = False

    def add(self, line: str, *, in_model: bool) -> None:
        """Add a line of the output or of the model file; raises ValueError for a bad model."""
        text = line.removeprefix("s ").strip()
        if text in _SOLUTIONS:
            self.statuses.add(_SOLUTIONS[text])
        elif line == "v" or line.startswith("v ") or in_model:
            self.literals.update(_literals(line.removeprefix("v")))
            self.has_model = True
        elif line and line != "c" and not line.startswith(("c ", "o ")):
            self.has_others = True

    def contradiction(self, exit_code: int | None) -> str:
        """Return how the lines and the exit code contradict each other; "" if they do not."""
        expected = _EXIT_CODES.get(exit_code) if exit_code is not None else None
        said = " and ".join(sorted(self.statuses))
        if expected and not said:
            return f"exit code {exit_code}, no s line"
        if expected and self.statuses != {expected}:
            return f"exit code {exit_code}, but says {said}"
        if len(self.statuses) > 1:
            return f"says {said}"
        return "" if said or not self.has_others else "no s line"


def _literals(text: str) -> Iterable[int]:
    """Return the literals of a ``v`` line: numbers, or (MaxSAT) a digit for each variable.

    The digits stand together. A number with more digits than there can be variables does not occur.
    """
    bits = text.strip()
    if len(bits) > _MAX_DIGITS and not bits.strip("01"):
        return (number if bit == "1" else -number for number, bit in enumerate(bits, 1))
    return map(int, text.split())


def _decode(literals: set[int], words: Path, puzzle: Puzzle) -> dict[str, str]:
    """Return the fill of a model; slots without a word are left out."""
    fill = {}
    slots = json.loads(words.read_text(encoding="utf-8"))
    for slot, (first, candidates) in zip(puzzle.grid.slots, slots, strict=False):
        chosen = next((word for k, word in enumerate(candidates, first) if k in literals), None)
        if chosen is not None:
            fill[slot.name] = chosen
    return fill


@dataclass(frozen=True, slots=True)
class StudentProgram:
    """A student's generate.py, run in a copy as ``python generate.py STRUCTURE WORDS``.

    ``path`` is the file or its folder; raises InputError if it does not exist. The words are
    written in upper case and without scores. As in ``satcross grade``, the program runs with the
    course's crossword.py and without installed packages.
    """

    kind: ClassVar[str] = "student"
    path: str
    number: int = 1
    program: str = field(init=False)
    """Hash of the Python files that are run."""

    def __post_init__(self) -> None:
        from satcross.cs50.grading.runner import copy_program, find_program

        with tempfile.TemporaryDirectory(prefix="satcross-run-") as name:
            trial = Path(name) / "trial"
            copy_program(find_program(self.path), trial)
            (trial / "crossword.py").unlink()  # not part of the student's work
            files = sorted(one for one in trial.rglob("*.py") if one.is_file())
            object.__setattr__(self, "program", _hash(files, trial))

    @property
    def name(self) -> str:
        from satcross.cs50.grading.runner import find_program

        program = find_program(self.path).absolute()
        name = f"{program.parent.name}/{program.name}"
        return name if self.number == 1 else f"{name}#{self.number}"

    @property
    def description(self) -> Description:
        command = f"python {self.path} STRUCTURE WORDS"
        return Description(command=command, program=self.program)

    def processors(self, workers: int) -> int:
        return 1

    def attempt(self, puzzle: Puzzle, run_directory: RunDirectory) -> RunAnswer:
        from satcross.cs50.grading.runner import copy_program, environment, find_program

        if states_more_than_words(puzzle):
            detail = "the course's program supports only a structure and a word list"
            return RunAnswer(UNKNOWN, ExitInfo(None), UNSUPPORTED, detail)
        trial = run_directory.folder / "trial"
        copy_program(find_program(self.path), trial)
        structure, words = (
            run_directory.folder / "structure.txt",
            run_directory.folder / "words.txt",
        )
        rows = (row.replace("#", "█") for row in puzzle.grid.rows)
        structure.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        words.write_text("".join(f"{word}\n" for word in allowed_words(puzzle)), encoding="utf-8")
        ended = run_directory.run(
            [sys.executable, "-S", "generate.py", str(structure), str(words)],
            folder=trial,
            environment={**environment(), "PYTHONUTF8": "1"},
        )
        failure = _failure(ended, run_directory, success=(0,))
        if failure is not None:
            return failure
        with run_directory.stdout.open(encoding="utf-8", errors="replace") as file:
            text = file.read(_MAX_ANSWER)
        seconds = {"solve": ended.wall}
        if any(line.strip() == "No solution." for line in text.splitlines()):
            detail = "the program prints No solution."
            return RunAnswer(UNFILLABLE, ended, detail=detail, seconds=seconds)
        fill = parse_printed(puzzle.grid, text)
        if fill is None:
            detail = "the program prints neither a grid nor No solution."
            return RunAnswer(CRASHED, ended, UNREADABLE, detail)
        return RunAnswer(FILLED, ended, fill=fill, seconds=seconds)


def states_more_than_words(puzzle: Puzzle) -> bool:
    """Return whether the puzzle has more to it than a structure and a list of words."""
    return bool(puzzle.grid.bars) or states_more_than_slots(puzzle)


def states_more_than_slots(puzzle: Puzzle) -> bool:
    """Return whether the puzzle has more to it than the cells of each slot and a list of words."""
    about_slots = puzzle.allow_repeats or puzzle.fixed_letters or puzzle.slot_min_scores
    return bool(about_slots) or has_rules_about_words(puzzle)


def has_rules_about_words(puzzle: Puzzle) -> bool:
    """Return whether the puzzle has a theme, or a rule about pairs of words."""
    return bool(puzzle.theme) or any(rule.marker(puzzle) is not None for rule in RULES)


def allowed_words(puzzle: Puzzle) -> list[str]:
    """Return the words that exclusions and minimum scores allow."""
    words = []
    for length in puzzle.vocabulary.lengths:
        min_score = puzzle.min_score_of(length)
        for word, score in puzzle.vocabulary.group(length).score_of.items():
            if word not in puzzle.excluded and (min_score is None or score >= min_score):
                words.append(word)
    return words
