"""Run one check on the generate.py of a folder: python worker.py NAME FOLDER ANSWER DIARY.

ANSWER receives the verdict as JSON. DIARY receives, a JSON line each, what is being called and
what was noticed, for the case that the process does not live to give an answer.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import site
import sys
from pathlib import Path
from types import ModuleType

MEMORY = 4 * 2**30
"""Bytes of address space for the program on trial, where the platform can limit it."""


def main(name: str, folder: Path, answer: Path, diary: Path) -> None:
    """Judge, write the answer, and leave without waiting for anything the program left behind."""
    try:
        try:
            verdict = _judge(name, folder, diary)
        except BaseException as error:
            message = f"the grader itself failed: {type(error).__name__}: {error}"
            verdict = {"passed": False, "message": message, "hint": ""}
        answer.write_text(json.dumps(verdict), encoding="utf-8")
    finally:
        os._exit(0)


def _judge(name: str, folder: Path, diary: Path) -> dict[str, bool | str]:
    here = Path(__file__).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != here]
    sys.argv = ["generate.py"]
    site.setquit()  # -S leaves out exit() and quit() too
    _limit_memory()
    # The program on trial may have a package called satcross: ours goes under another name.
    package = ModuleType("_satcross_grading")
    package.__path__ = [str(here)]
    sys.modules[package.__name__] = package
    importlib.import_module("_satcross_grading.checks")  # enters the checks
    subjects = importlib.import_module("_satcross_grading.subject")
    # Only now that we have all our modules may the program's own come first.
    _forget_modules_hidden_by(folder)
    sys.path.insert(0, str(folder))

    with diary.open("w", encoding="utf-8") as lines:

        def write(kind: str, text: str) -> None:
            lines.write(json.dumps([kind, text]) + "\n")
            lines.flush()

        subject = subjects.Subject(folder, write)
        try:
            subject.load()
            subjects.CHECKS[name].run(subject)
        except subjects.CheckFailedError as failure:
            return {"passed": False, "message": failure.message, "hint": failure.hint}
        except BaseException as error:
            # Not where we call the program: it answered with something that can't be looked at.
            message = f"what it returned cannot be compared: {subjects.describe(error, folder)}"
            return {"passed": False, "message": message, "hint": ""}
    return {"passed": True, "message": "", "hint": ""}


def _forget_modules_hidden_by(folder: Path) -> None:
    """Let a copy.py of the program be found, as it is under ``python generate.py``.

    We hold the standard library's module already and go on using it. Modules frozen into Python
    are there from the start in every program, so theirs is never looked for.
    """
    for file in folder.iterdir():
        name = file.stem if file.suffix == ".py" else file.name
        spec = getattr(sys.modules.get(name), "__spec__", None)
        if spec is not None and spec.origin not in ("built-in", "frozen") and name != "encodings":
            del sys.modules[name]


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:5]))
