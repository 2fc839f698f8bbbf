"""Find and read the data, and run the command line."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import puz
import pytest
from commands import PATIENCE as PATIENCE
from commands import run_command

from satcross.backends.registry import backends_that
from satcross.backends.search import portfolio
from satcross.backends.search.portfolio import Portfolio
from satcross.formats.files import read_text
from satcross.formats.structure import parse_structure
from satcross.formats.words import parse_words
from satcross.grid import Grid
from satcross.network import narrowing
from satcross.puzzle import Puzzle
from satcross.verify import verify
from satcross.vocabulary import Vocabulary

ROOT = Path(__file__).parent.parent
DATA = ROOT / "data"
COMPLETE_BACKENDS = backends_that("complete")
"""The registered backends that fill or refute every puzzle, given time: they need no limit."""
SINGLE_BACKENDS = tuple(name for name in COMPLETE_BACKENDS if name != "auto")
"""These but ``auto``, which runs the other ones."""


def load_grid(path: Path) -> Grid:
    return parse_structure(read_text(str(path))).grid


def load_words(path: Path) -> Vocabulary:
    return parse_words([read_text(str(path))]).vocabulary


def example(structure: int, words: int) -> Puzzle:
    """The puzzle of a structure and a list of ``data``, by their numbers."""
    grid = load_grid(DATA / f"structure{structure}.txt")
    return Puzzle(grid, load_words(DATA / f"words{words}.txt"))


UNFILLABLE = sorted(path.name.partition(".")[0] for path in DATA.glob("unfillable/*.structure.txt"))
"""The names of the puzzles of ``data`` that have no fill."""


def unfillable(name: str) -> Puzzle:
    """The puzzle of that name."""
    path = DATA / "unfillable" / name
    return Puzzle(load_grid(Path(f"{path}.structure.txt")), load_words(Path(f"{path}.words.txt")))


def small_puz(**fields: object) -> puz.Puzzle:
    """The .puz file of CAT and BED across, CUB and TOD down, with other values of some fields."""
    puzzle = puz.Puzzle()
    puzzle.width = puzzle.height = 3
    puzzle.solution, puzzle.fill = "CATU.OBED", "----.----"
    puzzle.clues = ["It purrs", "Young bear", "Fox", "Bunk"]
    for name, value in fields.items():
        setattr(puzzle, name, value)
    return puzzle


def assert_fill(puzzle: Puzzle, words: Sequence[str] | None) -> None:
    """Check that these words, one for each slot, are a fill."""
    assert words is not None
    names = (slot.name for slot in puzzle.grid.slots)
    assert verify(puzzle, dict(zip(names, words, strict=True))) == []


def run(
    folder: Path, *arguments: str, given: bytes | None = None, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    """Run ``satcross`` from a shell in a folder."""
    return run_command(arguments, folder, {**os.environ, "PYTHONIOENCODING": encoding}, given)


def answer(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error of ``satcross``, as text."""
    done = run(folder, *arguments)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def until(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait until the condition holds; fail with a message if it takes too long."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            pytest.fail(f"{what}: not within {seconds:g} s")
        time.sleep(0.02)


def as_child_of_tests() -> None:
    """Run in a process that a test starts, as its ``preexec_fn``.

    It hears Ctrl-C (a shell that runs the tests in the background makes them ignore it), and on
    Linux it ends when the tests do, even if these are killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


@contextmanager
def killed_at_end(process: subprocess.Popen[Any]) -> Iterator[None]:
    """End the process, whatever happens: leaving a ``with Popen`` waits for one that hangs."""
    try:
        yield
    finally:
        process.kill()


@contextmanager
def started(
    folder: Path, *arguments: str, program: Sequence[str] = ("-m", "satcross")
) -> Iterator[subprocess.Popen[bytes]]:
    """``satcross`` running in that folder; ended afterwards, whatever happens."""
    process = subprocess.Popen(
        [sys.executable, *program, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=as_child_of_tests,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def interrupt_at_work(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Press Ctrl-C once the program is surely solving; what it then writes.

    A busy machine may need any time to start it, so that its CPU time is what counts: 1.2 seconds,
    or less when it has processes of its own for half a second.
    """
    status = Path(f"/proc/{process.pid}/stat")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    racing: list[float] = []

    def works() -> bool:
        fields = status.read_text().rpartition(")")[2].split()
        if children.exists() and children.read_text().strip():
            racing.append(time.monotonic())
        used = int(fields[11]) + int(fields[12])  # hundredths of a second
        ended = process.poll() is not None
        return ended or used >= 120 or bool(racing and racing[-1] > racing[0] + 0.5)

    if status.exists():
        until(works, "a command at work")
    else:  # no Linux
        time.sleep(4)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=PATIENCE)


def take_turns_of(nodes: int, patch: pytest.MonkeyPatch) -> None:
    """Set the length of all turns of ``backtrack``, in nodes."""
    patch.setattr(portfolio, "SEARCH_TURN", nodes)
    patch.setattr(portfolio, "FIRST_NODES_PER_SLOT", 0)


def narrow_at_once(patch: pytest.MonkeyPatch) -> None:
    """``backtrack`` takes turns of one node, first where nearly all words have been left out."""
    take_turns_of(1, patch)
    patch.setattr(Portfolio, "sweeps", lambda *_: False)
    patch.setattr(narrowing, "LEFT_OUT", 0.7)
    patch.setattr(narrowing, "ROUNDS", (1, 15))
    patch.setattr(narrowing, "FIRST_SPAN", 1)
    patch.setattr(narrowing, "AHEAD", 1)


def read_puzzle(path: Path) -> Any:
    """Return the codeword, fill-in or arrowword of a .json."""
    from satcross.make.puzzles.files import parse_puzzle

    return parse_puzzle(json.loads(path.read_text("utf-8")), path.name)
