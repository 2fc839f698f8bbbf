"""Run the graded generate.py as a command, and say what it did otherwise than it should."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import IO

from .subject import ENDLESS, PAGE, CheckFailedError, Subject, expect, show
from .worker import limit


def run_command(subject: Subject, *puzzle: Sequence[str], expected: str, status: int = 0) -> None:
    """Run generate.py as a command: ``expected`` on stdout, or on stderr if ``status`` is not 0.

    ``puzzle`` is empty, or the rows of a structure and the words.
    """
    shown, again = "python generate.py", "Run this command yourself"
    arguments: tuple[str, ...] = ()
    if puzzle:
        rows, words = puzzle
        arguments = subject.files(rows, words)
        shown += " STRUCTURE WORDS"
        again = (
            f"Write {' / '.join(rows)} into a file STRUCTURE, one row per line, and "
            f"{', '.join(words)} into a file WORDS, one word per line, and run this command"
        )
    subject.diary("call", shown)
    # Files can be limited in size, and need not be read until every process has closed them.
    limited = None if os.name == "nt" else partial(limit, "RLIMIT_FSIZE", 2 * PAGE)
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(
            [sys.executable, "-S", "-u", "generate.py", *arguments],
            cwd=subject.folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            preexec_fn=limited,
        )
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            _wait(subject, process, stderr if status else stdout, expected)
        printed, said = _read(stdout), _read(stderr)
    subject.diary("call", "")

    if max(len(printed), len(said)) > PAGE:
        raise CheckFailedError(f"{shown} prints without end", ENDLESS)
    last = said.strip().splitlines()[-1:] or printed.strip().splitlines()[-1:]
    if "Traceback (most recent call last)" in said:
        raise CheckFailedError(
            f"{shown} raised {last[0]}{_place(said, subject.folder)}",
            f"{again}, with `python -S` if a module is missing here.",
        )
    if process.returncode != status:
        raise CheckFailedError(
            f"{shown}: expected exit status {status}, got {process.returncode}"
            + (f" ({last[0]})" if last else ", and no word about the cause"),
            f"{again}.",
        )
    got, other = (said, printed) if status else (printed, said)
    hint = "main() and print came with the course. Remove print calls of your own."
    if not got and other:
        where = ("stderr", "stdout") if status else ("stdout", "stderr")
        raise CheckFailedError(
            f"{shown}: expected {show(expected)} on {where[0]}, got nothing there and "
            f"{show(other)} on {where[1]}",
            hint,
        )
    expect(f"{shown}: what it writes", got, expected, hint)


def _place(traceback: str, folder: Path) -> str:
    """Return the last place of the program in a printed traceback, as ``describe`` words it."""
    places = re.findall(r'^  File "(.+)", line (\d+), in (\S+)$', traceback, re.MULTILINE)
    for file, line, function in reversed(places):
        if folder in Path(file).parents:
            return f" ({Path(file).relative_to(folder)}, line {line}, in {function})"
    return ""


def _wait(
    subject: Subject, process: subprocess.Popen[bytes], output: IO[bytes], expected: str
) -> None:
    """Wait for the end; note it if the process has printed everything but does not end."""
    noted = False
    while process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
        if not noted and process.poll() is None and _read(output) == expected:
            subject.diary("note", "It has printed everything it should, but it does not end.")
            subject.diary(
                "hint", "Is a thread that it has started still running, or a loop in main()?"
            )
            noted = True


def _read(file: IO[bytes]) -> str:
    """Return the text of a file, at most a little more than a page."""
    size = os.fstat(file.fileno()).st_size
    # Both processes share the position at which the other one writes, so it must not move.
    if hasattr(os, "pread"):
        content = os.pread(file.fileno(), min(size, PAGE + 1), 0)
    else:
        file.seek(0)
        content = file.read(PAGE + 1)
        file.seek(size)
    return content.decode("utf-8", "replace").replace("\r\n", "\n")
