"""Run the checks of a generate.py, each on a copy in a temporary folder and in its own process."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from satcross.errors import InputError
from satcross.formats.files import missing_file
from satcross.support.wording import signal_name

from .checks import INFERENCE_HINT, REVISE_HINT
from .data import DATA
from .subject import CHECKS, FILES, Check
from .worker import OPTIONAL_SHARE

MAX_FILES = 5000
"""A folder with more Python files is not a course project but, say, a home folder."""

PROGRAM = "generate.py"

HASH_SEEDS = ("0", "1", "2")
"""Values of PYTHONHASHSEED under which each check runs, until one fails.

They are fixed, so that every grading of a program gives the same result.
"""

_LOOK_SECONDS = 0.25
"""Seconds between two looks at how long a program has waited for a processor."""

SKIPPED_FOLDERS = {"__pycache__", "node_modules", "site-packages", "venv", "env"}

_MAX_LATE = 2
"""Optional checks and remarks that may take too long; then no further optional check is run."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check.

    ``message`` says what was called, expected and seen, ``hint`` where to look; with ``passed``,
    they are a remark on what the course's grader does not notice, or empty. ``seconds`` is wall-
    clock time without waiting for a busy processor, and includes starting Python. ``category`` is
    "required" for the behaviors that the course's grader asks for, and else "optional"; ``points``
    is the number of its checks that this one stands for, and ``course`` their names, in brackets if
    it never runs them.
    """

    name: str
    passed: bool
    message: str
    hint: str
    seconds: float
    description: str = ""
    category: str = ""
    points: int = 0
    course: str = ""

    @property
    def required(self) -> bool:
        """Whether the course's grader asks for the behavior."""
        return self.category == REQUIRED

    @property
    def was_run(self) -> bool:
        return self.message not in (NOT_RUN, TOO_LATE)


REQUIRED, OPTIONAL = "required", "optional"

NOT_RUN = "not run, because generate.py cannot be imported"
"""The message of the checks that follow a failed import."""
TOO_LATE = f"not run, because {_MAX_LATE} took too long"
"""The message of the optional checks that are left out."""


def run_checks(
    path: str | Path, *, time_limit: float = 60.0, names: Collection[str] | None = None
) -> Iterator[CheckResult]:
    """Run the checks on the generate.py at ``path`` (a file, or a folder with that file).

    ``time_limit`` is the time for one check in seconds, without waiting for a busy processor. A
    check in which the program hangs, crashes or exits has failed; if generate.py cannot be
    imported, all others fail without being run. ``names`` selects checks. Raises InputError if
    there is no such file.
    """
    if time_limit <= 0:
        raise InputError("the time limit must be positive")
    source = find_program(path)
    with tempfile.TemporaryDirectory(prefix="satcross-grade-", ignore_cleanup_errors=True) as name:
        pristine = Path(name).resolve() / "pristine"
        copy_program(source, pristine)
        pristine.with_name("checks.json").write_text(json.dumps(DATA), encoding="utf-8")
        trial = _Trial(pristine)
        skipped, late = "", 0
        for check in CHECKS.values():
            if names is not None and check.name not in names:
                continue
            if skipped == NOT_RUN or (skipped and not check.required):
                yield _result(check, {"passed": False, "message": skipped, "hint": ""}, 0.0)
                continue
            short = time_limit / OPTIONAL_SHARE
            result = _run(check, trial, time_limit if check.required else short)
            beyond = not check.required or result.passed
            late += bool(result.message) and beyond and result.seconds >= 0.9 * short
            if not result.passed and check.name == "import":
                skipped = NOT_RUN
            elif late >= _MAX_LATE:
                skipped = TOO_LATE
            yield result


def _result(check: Check, verdict: dict[str, Any], seconds: float) -> CheckResult:
    return CheckResult(
        check.name,
        **verdict,
        seconds=seconds,
        description=check.description,
        category=REQUIRED if check.required else OPTIONAL,
        points=check.points,
        course=check.course,
    )


def check_names(*, optional: bool = True) -> list[str]:
    """Return the names of the checks, perhaps of the required ones alone."""
    return [check.name for check in CHECKS.values() if optional or check.required]


def find_class(path: str | Path) -> list[Path]:
    """Return the folders directly inside a folder, that of a class; some have a generate.py.

    Returns [] for a program or its folder.
    """
    folder = Path(path)
    if not folder.is_dir() or (folder / PROGRAM).is_file():
        return []
    inside = sorted(inner for inner in folder.iterdir() if inner.is_dir() and inner.name[0] != ".")
    return inside if any((inner / PROGRAM).is_file() for inner in inside) else []


def find_program(path: str | Path) -> Path:
    """Return the path of generate.py at ``path``, a file or its folder. Raises InputError."""
    path = Path(path)
    if path.is_dir():
        if not (path / PROGRAM).is_file():
            raise InputError("this folder has no generate.py", "name the program", file=str(path))
        path = path / PROGRAM
    if path.is_file() and path.suffix != ".py":
        raise InputError("not a Python file", "give the path of a generate.py", file=str(path))
    if not path.is_file():
        raise missing_file(str(path))
    return path


def copy_program(source: Path, pristine: Path) -> None:
    """Copy the Python files from the folder of ``source``, with satcross's crossword.py.

    A folder called ``crossword`` is not copied: it would be imported in place of crossword.py.
    Raises InputError when the program can't be read, or lies among thousands of files.
    """
    folder = source.absolute().parent
    for number, file in enumerate(_python_files(folder)):
        if number >= MAX_FILES:
            raise InputError(
                f"more than {MAX_FILES} Python files are around it",
                "put it into a folder of its own",
                file=str(source),
            )
        target = pristine / file.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):
            shutil.copyfile(file, target)
    pristine.mkdir(exist_ok=True)
    try:
        shutil.copyfile(source, pristine / PROGRAM)
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", file=str(source)) from error
    (pristine / "crossword.py").write_text(_crossword_module(), encoding="utf-8")


def _python_files(folder: Path) -> Iterator[Path]:
    for name, folders, files in os.walk(folder):
        folders[:] = sorted(
            inner
            for inner in folders
            if not inner.startswith(".")
            and inner not in SKIPPED_FOLDERS
            and not (inner == "crossword" and Path(name) == folder)
            and not Path(name, inner, "pyvenv.cfg").exists()
        )
        yield from (Path(name, file) for file in sorted(files) if file.endswith(".py"))


def _crossword_module() -> str:
    """Return the text of crossword.py: satcross's classes without the student's creator.

    ``from crossword import *`` imports the two classes and no name that they import; otherwise a
    program that lacks an import would pass.
    """
    text = Path(__file__).parent.with_name("crossword.py").read_text(encoding="utf-8")
    module = ast.parse(text)
    kinds, classes = (ast.Import, ast.ImportFrom), ("Variable", "Crossword")
    module.body = [
        n for n in module.body if isinstance(n, kinds) or getattr(n, "name", "") in classes
    ]
    return ast.unparse(module) + '\n\n__all__ = ["Crossword", "Variable"]\n'


class _Trial:
    """A copy of the program's files, made again where the program may have changed it."""

    def __init__(self, pristine: Path) -> None:
        self._pristine = pristine
        self.folder = pristine.with_name("trial")
        self._files: dict[str, tuple[int, int, int]] | None = None

    def renew(self) -> None:
        """Copy the files unless they are as they were; compiled files may be there as well."""
        if self._files is not None and self._look() == self._files:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self._pristine, self.folder)
        self._files = self._look()

    def _look(self) -> dict[str, tuple[int, int, int]]:
        given = [self.folder / name for name in FILES]
        for path in given:
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # it is there, or has files of the program's
            given[0].parent.rmdir()
        seen = {}
        for name, folders, files in os.walk(self.folder):
            folders[:] = [inner for inner in folders if inner != "__pycache__"]
            for file in [*files, *folders]:
                inside = os.path.join(name, file)  # noqa: PTH118 (thousands of times)
                found = os.lstat(inside)
                is_file = stat.S_ISREG(found.st_mode)
                changed = (found.st_size, found.st_mtime_ns) if is_file else (0, 0)
                seen[inside] = (found.st_ino, *changed)
        return seen


def _run(check: Check, trial: _Trial, time_limit: float) -> CheckResult:
    """Run one check under every hash seed, within ``time_limit`` for all runs together."""
    seconds, found = 0.0, None
    for seed in HASH_SEEDS if check.in_guises else HASH_SEEDS[:1]:
        verdict, seconds = _run_once(check, trial, time_limit, seconds, seed)
        if found is None or not verdict["passed"] or not found["message"]:
            found = verdict
        if not found["passed"] or (found["message"] and seconds >= time_limit / OPTIONAL_SHARE):
            break
    assert found is not None
    return _result(check, found, seconds)


def _run_once(
    check: Check, trial: _Trial, time_limit: float, spent: float, seed: str
) -> tuple[dict[str, Any], float]:
    """Run a check once; return its verdict, and the seconds spent on the check so far."""
    trial.renew()
    place = trial.folder.with_name(f"check-{check.name}")
    place.mkdir()
    answer, diary = place / "answer.json", place / "diary.jsonl"
    worker = Path(__file__).with_name("worker.py").resolve()
    begin = time.perf_counter()
    data = trial.folder.with_name("checks.json")
    files = [str(path) for path in (trial.folder, data, answer, diary)]
    process = subprocess.Popen(
        # -S leaves out installed packages, which the course's grader lacks as well.
        [sys.executable, "-S", str(worker), check.name, *files, str(int(time_limit) + 1)],
        cwd=trial.folder,
        env=environment(seed),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        status, waited = _wait(process, time_limit - spent)
    finally:
        _end(process)
    # Processes that wait at the same time have waited longer than the clock says.
    seconds = spent + max(0.0, time.perf_counter() - begin - waited)
    try:
        verdict = json.loads(answer.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        verdict = _without_answer(check, diary, status, time_limit)
    shutil.rmtree(place, ignore_errors=True)
    return verdict, seconds


def environment(hash_seed: str = HASH_SEEDS[0]) -> dict[str, str]:
    """Return the environment, without variables that change where Python finds modules."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    return {**kept, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"}


def _wait(process: subprocess.Popen[bytes], limit: float) -> tuple[int | None, float]:
    """Return the exit code of a process, None if it has not ended after ``limit`` seconds.

    Time in which it waits for a processor does not count where the system tells it (Linux), so that
    other programs on the machine do not make a check fail. This time is returned, too.
    """
    begin = time.monotonic()
    while True:
        waited = _seconds_in_queue(process.pid)
        left = limit + waited - (time.monotonic() - begin)
        try:
            return process.wait(max(0.0, min(left, _LOOK_SECONDS))), waited
        except subprocess.TimeoutExpired:
            if left <= 0:
                return None, waited


def _seconds_in_queue(pid: int | str) -> float:
    """Return how long a process and its children have waited for a processor; 0 if unknown."""
    try:
        waited = int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, IndexError, ValueError):
        return 0.0
    return waited + sum(map(_seconds_in_queue, children))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its process group, which includes the processes it has started.

    A process that a graded program starts in a new session is not found.
    """
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _without_answer(
    check: Check, diary: Path, status: int | None, time_limit: float
) -> dict[str, bool | str]:
    """Return the result of a check whose process gave no verdict: it was killed, or exited."""
    written: dict[str, list[str]] = defaultdict(list)
    with contextlib.suppress(OSError, ValueError):
        for line in diary.read_text(encoding="utf-8").splitlines():
            kind, text = json.loads(line)
            written[kind].append(text)
    notes, decided = written["note"], bool(written["decided"])
    busy = "".join(written["call"][-1:]) or "starting Python"
    if status is None or (status < 0 and signal_name(-status) == "SIGXCPU"):
        limit = time_limit / OPTIONAL_SHARE if decided else time_limit
        message = f"{busy}: no answer after {limit:g} s"
        hint = "Is there a loop, or a queue, that never gets shorter?"
        if written["hint"]:
            hint = written["hint"][-1]
        elif check.group == "hard":
            hint = INFERENCE_HINT if notes else f"{INFERENCE_HINT} {REVISE_HINT}"
    elif status < 0:
        name = signal_name(-status)
        message = f"{busy}: the process was ended by signal {name}"
        hint = DATA["signals"].get(name, "")
    else:
        message = f"{busy}: the process ended itself, with exit status {status}"
        hint = "A method must return, not leave the program."
    return {"passed": decided, "message": ". ".join([message, *notes]), "hint": hint}
