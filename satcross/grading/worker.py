"""Run one check on the generate.py of a folder: python worker.py NAME FOLDER ANSWER DIARY.

ANSWER receives the verdict as JSON. DIARY receives, a JSON line each, what is being called and
what was noticed, for the case that the process does not live to give an answer.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from pathlib import Path
from types import ModuleType

MEMORY = 4 * 2**30
"""Bytes of address space for the program on trial, where the platform can limit it."""


def main(name: str, folder: Path, answer: Path, diary: Path) -> None:
    """Judge, write the answer, and leave without waiting for anything the program left behind."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [str(folder), *(p for p in sys.path if Path(p).resolve() != here)]
    sys.argv = ["generate.py"]
    _limit_memory()
    # The program on trial may have a package called satcross: ours goes under another name.
    package = ModuleType("_satcross_grading")
    package.__path__ = [str(here)]
    sys.modules[package.__name__] = package
    checks = importlib.import_module("_satcross_grading.checks")

    with diary.open("w", encoding="utf-8") as lines:

        def write(kind: str, text: str) -> None:
            lines.write(json.dumps([kind, text]) + "\n")
            lines.flush()

        subject = checks.Subject(folder, write)
        verdict = {"passed": True, "message": "", "hint": ""}
        try:
            subject.load()
            checks.CHECKS[name].run(subject)
        except checks.CheckFailedError as failure:
            verdict = {"passed": False, "message": failure.message, "hint": failure.hint}
        except BaseException as error:
            # Not where we call the program: it answered with something that can't be looked at.
            message = f"what it returned cannot be compared: {checks.describe(error, folder)}"
            verdict = {"passed": False, "message": message, "hint": ""}
        answer.write_text(json.dumps(verdict), encoding="utf-8")
    os._exit(0)


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:5]))
