"""Programs as contenders: SAT solvers, and any program that prints an answer.

Both are a command line with placeholders, run without a shell.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import re
import shlex
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from satcross.compare.certify import DRAT, Checker, Format, checked, ready_tables
from satcross.compare.contenders import (
    Demand,
    Description,
    RunAnswer,
    RunDirectory,
    allowed_words,
    hash_files,
    run_worker,
)
from satcross.compare.limits import ExitInfo
from satcross.compare.read_answers import find_all, read_program, read_solver, read_text
from satcross.compare.records import UNFILLABLE, UNKNOWN, UNSUPPORTED, run_briefly
from satcross.errors import InputError
from satcross.formats.json import puzzle_hash, puzzle_to_data
from satcross.grid import FULL_BLOCK, OPEN
from satcross.puzzle import Puzzle

MAX_KEPT = 8
"""Number of formulas that a process keeps: those of a few puzzles, whose runs follow each other."""
WRITING = "while writing the formula"
FULL = "full"
"""The encoding of formulas, unless another one is chosen."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class StoredFormula:
    """A formula: its file, the map to decode models, and figures; the files go when it does.

    ``ended`` has the time and memory that the writing took, ``seconds`` the times of its stages.
    """

    path: Path
    words: Path
    ended: ExitInfo
    seconds: Mapping[str, float]
    stats: Mapping[str, int | float | str]


@dataclass(slots=True)
class _Place:
    """Where the formula of a puzzle is kept; who writes it has the lock, for which others wait."""

    lock: Lock = field(default_factory=Lock)
    formula: StoredFormula | None = None


@lru_cache(MAX_KEPT)
def place_of(puzzle: str, form: str, goal: str, encoding: str, reduce: bool) -> _Place:
    """Return the place of the formula of a puzzle, by its hash, in a format, with a goal."""
    return _Place()


def write_formula(
    puzzle: Puzzle,
    run_directory: RunDirectory,
    form: str,
    encoding: str,
    *,
    reduce: bool,
) -> StoredFormula | RunAnswer:
    """Return the formula of a puzzle, written now or earlier, or the answer if writing failed."""
    goal = run_directory.run.goal
    place = place_of(puzzle_hash(puzzle), form, goal, encoding, reduce)
    with place.lock:
        if place.formula is None:
            wanted = {"goal": goal, "encoding": encoding, "reduce": reduce}
            ended, data, failure = run_worker(form, puzzle, wanted, run_directory)
            if failure is not None:
                return replace(failure, detail=f"{WRITING}: {failure.detail}".rstrip(": "))
            place.formula = _keep(run_directory.folder, form, ended, data)
        return place.formula


def _keep(
    written: Path, form: str, ended: ExitInfo, data: Mapping[str, Mapping[str, float]]
) -> StoredFormula:
    """Move what ``worker`` has written into a folder that is removed with the formula."""
    folder = Path(tempfile.mkdtemp(prefix="satcross-run-")).resolve()
    names = (f"answer.{form}", "answer.map")
    path, words = (Path(shutil.move(written / name, folder / name)) for name in names)
    formula = StoredFormula(path, words, ended, data["seconds"], data["stats"])
    weakref.finalize(formula, shutil.rmtree, folder, ignore_errors=True)
    return formula


def _lines(texts: Iterable[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def structure_text(puzzle: Puzzle, *, open_cell: str = OPEN, block: str = FULL_BLOCK) -> str:
    """Return the structure as text, like CS50's."""
    return _lines(row.replace("#", block).replace(OPEN, open_cell) for row in puzzle.grid.rows)


def words_text(puzzle: Puzzle) -> str:
    """Return the words that the puzzle allows, one a line."""
    return _lines(allowed_words(puzzle))


def _scored(puzzle: Puzzle) -> str:
    return _lines(f"{word};{puzzle.vocabulary.score(word)}" for word in allowed_words(puzzle))


def _deck(puzzle: Puzzle) -> str:
    """Return a deck of Qxw: on each line, the numbers of the cells of a slot."""
    width, slots = puzzle.grid.width, puzzle.grid.slots
    return _lines(" ".join(f"{r * width + c:04}" for r, c in slot.cells) for slot in slots)


CNF, WCNF, WORDS, SCORED = "{cnf}", "{wcnf}", "{words}", "{scored}"
MODEL, PROOF, WORKERS = "{model}", "{proof}", "{workers}"
_PLACEHOLDERS: dict[str, tuple[str | Callable[[Puzzle], str], Demand]] = {
    CNF: ("cnf", Demand.ABOUT_WORDS),
    WCNF: ("wcnf", Demand.ABOUT_WORDS),
    "{opb}": ("opb", Demand.ABOUT_SLOTS),
    "{mzn}": ("mzn", Demand.ABOUT_SLOTS),
    "{fzn}": ("fzn", Demand.ABOUT_SLOTS),
    "{xcsp}": ("xml", Demand.ABOUT_SLOTS),
    "{structure}": (structure_text, Demand.NOTHING),
    "{dots}": (partial(structure_text, open_cell=".", block="#"), Demand.NOTHING),
    "{qxd}": (_deck, Demand.BARS),
    "{json}": (lambda puzzle: json.dumps(puzzle_to_data(puzzle)), Demand.ABOUT_WORDS),
    WORDS: (words_text, Demand.ABOUT_WORDS),
    SCORED: (_scored, Demand.ABOUT_WORDS),
}
"""What a program may get: a formula, by its extension, or else the text of a file, and what this
can state."""
_WITH_GOALS = {name for name, (form, _) in _PLACEHOLDERS.items() if isinstance(form, str)} - {CNF}
"""The formulas that can state a goal, the highest total score; a CNF has only right fills."""

_RUN_PLACEHOLDERS = (MODEL, PROOF, "{seed}", "{time}", WORKERS, "{memory}")
_PACKAGE = re.compile(r"\{package:(\w+)\}")
_NAMED_COMMAND = re.compile(r"([\w.+-]+)=(.*)", re.DOTALL)
_YEAR = 365 * 86400.0


def split_name(text: str) -> tuple[str, str]:
    """Return NAME and COMMAND of "NAME=COMMAND"; NAME is "" if the text is a plain command."""
    found = _NAMED_COMMAND.fullmatch(text)
    return (found[1], found[2]) if found else ("", text)


def _split_command(command: str) -> tuple[list[str], str]:
    """Return the parts of a command and the path of its program. Raises InputError without one."""
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


def _check_placeholders(command: str) -> None:
    """Raise InputError for a misspelled placeholder; other words in braces are the program's."""
    known = [*_PLACEHOLDERS, *_RUN_PLACEHOLDERS]
    for found in re.findall(r"\{\w+\}", command):
        close = [] if found in known else get_close_matches(found, known, 1, 0.75)
        if close:
            raise InputError(f"the command has {found}", f"did you mean {close[0]}?")


def _package_folder(found: re.Match[str]) -> str:
    """Return the folder of the Python package that ``{package:NAME}`` names."""
    spec = importlib.util.find_spec(found[1])
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise InputError(f"there is no Python package {found[1]!r}", f"pip install {found[1]}")
    return shlex.quote(folders[0])


def _run_values(run_directory: RunDirectory) -> dict[str, str]:
    """Return seed, seconds, processors and MiB of a run, by placeholder.

    Without a limit these are a year and a TiB, because programs rarely accept "none".
    """
    limits = run_directory.limits
    known = (limit for limit in (limits.wall, limits.cpu) if limit is not None)
    seconds = min(known, default=_YEAR)
    return {
        "{seed}": str(run_directory.run.seed),
        "{time}": str(max(1, int(seconds))),
        WORKERS: str(run_directory.run.workers),
        "{memory}": str(limits.memory or 2**20),
    }


class CommandTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A ``[[contender]]`` table, or what is known of a program besides its command line.

    ``version`` is a command that prints its version. ``statistics`` has names and regular
    expressions of counters in its output: the last match counts, its first group is the value. By a
    line that matches ``unfillable`` it says that there is no fill. ``proof`` are arguments to add
    when a proof is wanted, in the format ``proof_format``, which one of ``checkers`` may check.
    """

    name: Annotated[str, Meta(pattern=r"^[\w.+-]+$")]
    command: str
    version: str = ""
    statistics: dict[str, str] = {}
    unfillable: str = ""
    proof: str = ""
    proof_format: Format = DRAT
    checkers: tuple[Checker, ...] = ()

    def __post_init__(self) -> None:
        for pattern in (self.unfillable, *self.statistics.values()):
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression ({error})") from None
            if pattern != self.unfillable and groups != 1:
                raise ValueError(f"{pattern!r} has {groups} groups, not one around the number")

    def read(self, output: Path) -> dict[str, int | float | str]:
        """Return the counters that a program has printed."""
        if not self.statistics or not output.exists():
            return {}
        text = read_text(output)
        found = {name: find_all(pattern, text) for name, pattern in self.statistics.items()}
        return {name: _number(values[-1]) for name, values in found.items() if values}


_BARE = CommandTable("", "")
"""Of a program that is given by its command line alone."""


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
    done = run_briefly(command)
    lines = [] if done is None else (done.stdout + done.stderr).splitlines()
    return next((line.strip()[:100] for line in lines if re.search(r"\d", line)), "")


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A contender that is run by a command line, without a shell; "NAME=" before it names it.

    By default the time of writing its formula counts, as the backends also spend time on their
    clauses; with ``RunDirectory.solver_alone`` it does not. Raises InputError for a command line
    that can't be used.
    """

    kind: ClassVar[str]
    needs: ClassVar[Sequence[str]]
    """Placeholders of which the command has one."""
    remedy: ClassVar[str]
    """What to do about a command without any."""
    command: str
    number: int = 1
    """Distinguishes contenders of the same name, from 1."""
    table: CommandTable = _BARE
    encoding: str | None = None
    """How its CNF or WCNF is written; None for a program of any kind."""
    label: str = field(init=False)
    program: str = field(init=False)
    """Hash of the program and of the files named in the command line."""

    def __post_init__(self) -> None:
        label, command = split_name(self.command)
        command = _PACKAGE.sub(_package_folder, command)
        _check_placeholders(command)
        if not any(placeholder in command for placeholder in self.needs):
            lacks = "puzzle" if len(self.needs) > 2 else self.needs[0]
            raise InputError(f"the command {command!r} has no {lacks}", self.remedy)
        parts, found = _split_command(command)
        files = [Path(part) for part in (found, *parts[1:])]
        object.__setattr__(self, "command", command)
        object.__setattr__(self, "label", label or Path(parts[0]).name)
        object.__setattr__(self, "program", hash_files(path for path in files if path.is_file()))

    @property
    def name(self) -> str:
        encoding = "" if self.encoding in (None, FULL) else f"/{self.encoding}"
        return self.label + encoding + (f"#{self.number}" if self.number > 1 else "")

    @property
    def description(self) -> Description:
        version = version_of(self.table.version) if self.table.version else ""
        identity = {"command": self.command, "program": self.program}
        return Description(encoding=self.encoding, version=version, **identity)

    def processors(self, workers: int) -> int:
        return workers if WORKERS in self.command else 1

    def attempt(self, puzzle: Puzzle, run_directory: RunDirectory) -> RunAnswer:
        used = {name: what for name, what in _PLACEHOLDERS.items() if name in self.command}
        why = ""
        if Demand.of(puzzle) > min(states for _, states in used.values()):
            why = "the format of the program can't state the rules of this puzzle"
        elif run_directory.run.goal and not used.keys() & _WITH_GOALS:
            why = f"only {', '.join(sorted(_WITH_GOALS))} can state a goal"
        if why:
            return RunAnswer(UNKNOWN, ExitInfo(None), UNSUPPORTED, why)
        values, formula = {}, None
        for name, (form, _) in used.items():
            if isinstance(form, str):
                # A proof is about the puzzle, not about what our arc consistency leaves of it.
                reduce = not (run_directory.run.certify or PROOF in self.command)
                encoding = self.encoding or FULL
                written = write_formula(puzzle, run_directory, form, encoding, reduce=reduce)
                if isinstance(written, RunAnswer):
                    return written
                formula, path = written, written.path
            else:
                path = run_directory.folder / f"{name.strip('{}')}.txt"
                path.write_text(form(puzzle), encoding="utf-8")
            values[name] = str(path)
        return self._run(puzzle, run_directory, values, formula)

    def _run(
        self,
        puzzle: Puzzle,
        run_directory: RunDirectory,
        values: dict[str, str],
        formula: StoredFormula | None,
    ) -> RunAnswer:
        charged = formula is not None and not run_directory.run.solver_alone
        written = formula.ended if formula is not None and charged else ExitInfo(None)
        seconds = {} if formula is None else dict(formula.seconds)
        stats = {} if formula is None else formula.stats
        remaining = run_directory.limits.minus(written)
        if isinstance(remaining, str):
            return RunAnswer(UNKNOWN, written, remaining, WRITING, None, seconds, stats)
        inner = replace(run_directory, limits=remaining)
        command = self.command
        if run_directory.run.certify and PROOF not in command:
            command = f"{command} {self.table.proof}"
        values |= {name: str(inner.folder / name.strip("{}")) for name in (MODEL, PROOF)}
        values |= _run_values(inner)
        parts = shlex.split(command)
        for name, value in values.items():
            parts = [part.replace(name, value) for part in parts]
        # Relative paths in the command are relative to the current folder, as in a shell.
        ended = inner.execute(parts, folder=Path.cwd())
        words = None if formula is None else formula.words
        read = read_program if self.encoding is None else read_solver
        answer = read(puzzle, inner, ended, words, self.table.unfillable)
        seconds["solve"] = ended.wall
        stats = {**stats, **answer.stats, **self.table.read(run_directory.stdout)}
        answer = replace(answer, ended=ended.after(written), seconds=seconds, stats=stats)
        if formula is None or answer.status != UNFILLABLE or PROOF not in command:
            return answer
        evidence = (formula.path, inner.folder / "proof", self.table.proof_format)
        checkers = (*self.table.checkers, *ready_tables("checker", Checker))
        return checked(answer, evidence, run_directory, checkers)


@dataclass(frozen=True, slots=True)
class ExternalSolver(CommandLine):
    """An external SAT solver that follows the conventions of the SAT competitions.

    ``{cnf}`` stands for the DIMACS file, ``{wcnf}`` for a MaxSAT formula whose cheapest model has
    the highest total score, ``{model}`` for a file that gets the model if it is not printed
    (MiniSat), and ``{proof}`` for a proof, DRAT in text form unless the table says otherwise:
    "unsatisfiable" then counts only if the proof is right. For the others see ``_run_values``.
    """

    kind = "external"
    needs = (CNF, WCNF)
    remedy = f"put {CNF} where the solver expects the file: 'kissat {CNF}'"
    encoding: str | None = FULL

    def encoded(self, encoding: str) -> ExternalSolver:
        """Return the solver with formulas of another encoding."""
        return replace(self, command=f"{self.label}={self.command}", encoding=encoding)


@dataclass(frozen=True, slots=True)
class Program(CommandLine):
    """A program of any kind, which gets the puzzle in a format of its choice.

    ``{opb}``, ``{mzn}``, ``{fzn}`` and ``{xcsp}`` are formulas, ``{json}`` is JSON; ``{structure}``
    and ``{words}`` are text files like CS50's, ``{dots}`` and ``{scored}`` such files with ``.``
    for open cells and with scores, and ``{qxd}`` is a deck of Qxw. The answer is read from standard
    output: a printed grid, JSON like that of ``satcross solve --json``, the lines of an OPB solver,
    the instantiation of an XCSP3 solver, the words of Qxw, or UNSATISFIABLE or "No solution." on a
    line.
    """

    kind = "program"
    needs = tuple(name for name in _PLACEHOLDERS if name not in (CNF, WCNF, WORDS, SCORED))
    remedy = f"put in one of {', '.join(needs)}; give SAT solvers with --external"
