"""Run one check on the generate.py of a folder.

    python -S worker.py NAME FOLDER DATA ANSWER DIARY SECONDS

DATA has the content of ``checks.toml`` as JSON. ANSWER receives the verdict as JSON. DIARY receives
calls and notes, one JSON line each, which the runner reads if the process ends without a verdict.
SECONDS limits the processor time, so that an endless program does not outlive a grader that was
killed.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import site
import sys
import time
from pathlib import Path
from types import ModuleType

OPTIONAL_SHARE = 5
"""What the course's grader does not look at gets the time limit of a check, divided by this."""
MEMORY = 4 * 2**30
"""Maximum address space of the graded program in bytes, where the platform can limit it."""


def main(name: str, folder: Path, data: Path, answer: Path, diary: Path, seconds: int) -> None:
    """Write the verdict and exit at once, without waiting for the program's threads."""
    limit("RLIMIT_CPU", seconds)
    try:
        try:
            verdict = _judge(name, folder, data, diary, seconds)
        except BaseException as error:
            message = f"the grader itself failed: {type(error).__name__}: {error}"
            verdict = {"passed": False, "message": message, "hint": ""}
        answer.write_text(json.dumps(verdict), encoding="utf-8")
    finally:
        os._exit(0)


def _judge(name: str, folder: Path, data: Path, diary: Path, seconds: int) -> dict[str, bool | str]:
    here = Path(__file__).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != here]
    sys.argv = ["generate.py"]
    site.setquit()  # -S leaves out exit() and quit() too
    limit("RLIMIT_AS", MEMORY)
    # The graded program may have a package called satcross, so this one gets another name.
    package = ModuleType("_satcross_grading")
    package.__path__ = [str(here)]
    sys.modules[package.__name__] = package
    parsed = ModuleType("_satcross_grading.data")
    vars(parsed)["DATA"] = json.loads(data.read_text(encoding="utf-8"))
    sys.modules[parsed.__name__] = parsed
    importlib.import_module("_satcross_grading.checks")  # enters the checks
    if name.startswith("command"):
        importlib.import_module("_satcross_grading.command")
    subjects = importlib.import_module("_satcross_grading.subject")
    # The program's folder comes first only now, when all modules of the grader are loaded.
    _forget_modules_hidden_by(folder)
    sys.path.insert(0, str(folder))

    with diary.open("w", encoding="utf-8") as lines:

        def write(kind: str, text: str) -> None:
            lines.write(json.dumps([kind, text]) + "\n")
            lines.flush()
            if kind == "decided":
                limit("RLIMIT_CPU", math.ceil(time.process_time() + seconds / OPTIONAL_SHARE))

        subject = subjects.Subject(folder, write)
        try:
            subject.load()
            subjects.CHECKS[name].run(subject)
        except subjects.CheckFailedError as failure:
            return {"passed": failure.beyond, "message": failure.message, "hint": failure.hint}
        except BaseException as error:
            # The error came from comparing the result, not from a call of the program.
            message = f"what it returned cannot be compared: {subjects.describe(error, folder)}"
            return {"passed": False, "message": message, "hint": ""}
    return {"passed": True, "message": "", "hint": ""}


def _forget_modules_hidden_by(folder: Path) -> None:
    """Let the program import its own copy.py, say, as ``python generate.py`` does.

    The grader has already imported the standard library's module and keeps using it. Modules that
    are frozen into Python are loaded in every program, so the program's own are never imported.
    """
    for file in folder.iterdir():
        name = file.stem if file.suffix == ".py" else file.name
        spec = getattr(sys.modules.get(name), "__spec__", None)
        if spec is not None and spec.origin not in ("built-in", "frozen") and name != "encodings":
            del sys.modules[name]


def limit(name: str, value: int) -> None:
    """Set a limit of the module ``resource``, where the platform has it."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, hard))


if __name__ == "__main__":
    wanted, *paths, longest = sys.argv[1:]
    where, given, written, noted = map(Path, paths)
    main(wanted, where, given, written, noted, int(longest))
