"""Trying a generate.py: a copy in a temporary folder, a process of its own for every check."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from satcross.errors import InputError

from .checks import INFERENCE_HINT, REVISE_HINT
from .subject import CHECKS, Check

MAX_FILES = 5000
"""More Python files than this are no course project, but somebody's home folder."""

HASH_SEEDS = ("0", "1", "2")
"""Values of PYTHONHASHSEED that a check runs under, one after the other until one fails.

They are fixed, so that a program is judged alike on every run.
"""

SKIPPED_FOLDERS = {"__pycache__", "node_modules", "site-packages"}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one check.

    ``message`` says what was called, expected and seen, ``hint`` where to look; both are empty
    when ``passed``. ``seconds`` is wall-clock time, with the start of a fresh Python.
    """

    name: str
    passed: bool
    message: str
    hint: str
    seconds: float
    description: str = ""


def grade(path: str | Path, *, time_limit: float = 60.0) -> list[CheckResult]:
    """Try the generate.py at ``path`` (a file, or a folder with that file) on every check.

    ``time_limit`` are the seconds for one check. Whatever the program does, an answer comes back:
    a hang, a crash or an exit is a failure of the check it happened in. Raises InputError if there
    is no such file.
    """
    return list(run_checks(path, time_limit=time_limit))


def run_checks(
    path: str | Path, *, time_limit: float = 60.0, names: Collection[str] | None = None
) -> Iterator[CheckResult]:
    """As :func:`grade`, one result after the other; with ``names`` only those checks.

    If generate.py cannot even be imported, the other checks fail without being tried.
    """
    if time_limit <= 0:
        raise InputError("the time limit must be positive")
    source = find_program(path)
    with tempfile.TemporaryDirectory(prefix="satcross-grade-", ignore_cleanup_errors=True) as name:
        pristine = Path(name).resolve() / "pristine"
        copy_program(source, pristine)
        usable = True
        for check in CHECKS.values():
            if names is not None and check.name not in names:
                continue
            if usable:
                result = _run(check, pristine, time_limit)
                usable = result.passed or check.name != "import"
            else:
                message = "not tried, because generate.py cannot be imported"
                result = CheckResult(check.name, False, message, "", 0.0, check.description)
            yield result


def find_program(path: str | Path) -> Path:
    """The generate.py at ``path``, a file or its folder. Raises InputError if there is none."""
    path = Path(path)
    if path.is_dir():
        path = path / "generate.py"
    if not path.is_file():
        raise InputError("there is no such file", "give the path of a generate.py", file=str(path))
    return path


def copy_program(source: Path, pristine: Path) -> None:
    """Copy the Python files from the folder of ``source``, and put our crossword.py beside them.

    A folder called ``crossword`` stays behind: it would be imported in place of crossword.py.
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
        shutil.copyfile(source, pristine / "generate.py")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(source)) from error
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
    """The text of a crossword.py: our classes without the creator, which is the student's part.

    ``from crossword import *`` gets the two classes and none of the names they import, or a
    program would pass here that lacks an import of its own.
    """
    text = Path(__file__).parent.with_name("crossword.py").read_text(encoding="utf-8")
    module = ast.parse(text)
    module.body = [
        node
        for node in module.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        or (isinstance(node, ast.ClassDef) and node.name in ("Variable", "Crossword"))
    ]
    return ast.unparse(module) + '\n\n__all__ = ["Crossword", "Variable"]\n'


def _run(check: Check, pristine: Path, time_limit: float) -> CheckResult:
    """One check under every hash seed; all runs together get ``time_limit``."""
    seconds = 0.0
    for seed in HASH_SEEDS if check.in_guises else HASH_SEEDS[:1]:
        result = _run_once(check, pristine, time_limit, seconds, seed)
        seconds = result.seconds
        if not result.passed:
            break
    return result


def _run_once(
    check: Check, pristine: Path, time_limit: float, spent: float, seed: str
) -> CheckResult:
    """One run on a copy of its own: what the program does to its files ends with the run."""
    place = pristine.with_name(f"check-{check.name}")
    trial, answer, diary = place / "trial", place / "answer.json", place / "diary.jsonl"
    shutil.copytree(pristine, trial)
    worker = Path(__file__).with_name("worker.py").resolve()
    begin = time.perf_counter()
    process = subprocess.Popen(
        # -S: no installed packages, which the course's grader lacks as well.
        [sys.executable, "-S", str(worker), check.name, str(trial), str(answer), str(diary)],
        cwd=trial,
        env=environment(seed),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    status: int | None = None
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = process.wait(max(time_limit - spent, 0.0))
    finally:
        _end(process)
    seconds = spent + time.perf_counter() - begin
    try:
        verdict = json.loads(answer.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        verdict = _without_answer(check, diary, status, time_limit)
    shutil.rmtree(place, ignore_errors=True)
    return CheckResult(check.name, **verdict, seconds=seconds, description=check.description)


def environment(hash_seed: str = HASH_SEEDS[0]) -> dict[str, str]:
    """Our variables, without what would change where Python looks for modules."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    return {**kept, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"}


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and those of its process group: all it started, unless they left the group.

    A program on trial that starts a session of its own on purpose is beyond reach here.
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
    """What to say when the process gave no verdict: it was stopped, or stopped itself."""
    call, notes, advice = _read_diary(diary)
    busy = call or "starting Python"
    if status is None:
        message = f"{busy}: no answer after {time_limit:g} s"
        hint = "Is there a loop, or a queue, that never gets shorter?"
        if advice:
            hint = advice
        elif check.group == "hard":
            hint = INFERENCE_HINT if notes else f"{INFERENCE_HINT} {REVISE_HINT}"
    elif status < 0:
        message = f"{busy}: the process was ended by signal {_signal_name(-status)}"
        hint = "Too deep a recursion or too much memory does that."
    else:
        message = f"{busy}: the process ended itself, with exit status {status}"
        hint = "A method must return, not leave the program."
    return {"passed": False, "message": ". ".join([message, *notes]), "hint": hint}


def _read_diary(diary: Path) -> tuple[str, list[str], str]:
    """The last call that has not come back, what was noticed, and a hint if one was noted."""
    call, notes, hint = "", [], ""
    with contextlib.suppress(OSError, ValueError):
        for line in diary.read_text(encoding="utf-8").splitlines():
            kind, text = json.loads(line)
            if kind == "call":
                call = text
            elif kind == "hint":
                hint = text
            else:
                notes.append(text)
    return call, notes, hint


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
