"""The best fills of satcross beside those of other programs, at equal CPU time and list.

    python tests/benchmarks/best_peers.py 15x15-78 15x15-72 --seconds 20

Runs on Linux. ``solve --best`` gets the CPU seconds and is then interrupted. ingrid_core (on the
``PATH``, or ``--ingrid-core FILE``) and blacksquare (in the Python of ``--peers-python``) take a
lowest score but do not look for better fills by themselves. So they are asked with the lowest
scores 75, 70, ..., 30, each for an eighth of the seconds, until one is answered; blacksquare, whose
fills are random, then goes on at that score until the time is up, and the best of its fills counts:
the one with the highest of the floors 60, 55, 50, 45, 40 and 30, then the fewest words below 50,
then the highest mean. ingrid_core always finds the same fill. All use the default list, and every
fill is verified.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from measure import measure

from satcross.formats.readers import read_structure
from satcross.puzzle import Puzzle
from satcross.solving.good_words import FLOORS
from satcross.solving.quality import judge
from satcross.verify import verify
from satcross.vocabulary import Vocabulary

GRIDS = Path(__file__).parents[2] / "data" / "grids"
LOWEST = tuple(range(75, 25, -5))
SHARE = 1 / 8
POLL = 0.05
Fill = dict[str, str]

BLACKSQUARE = """
import sys
from blacksquare import Crossword, WordList
grid, words, lowest, seconds = sys.argv[1:]
scores = dict(line.split(";") for line in open(words).read().split())
scores = {word: int(score) for word, score in scores.items() if int(score) >= int(lowest)}
rows = [["" if cell == "_" else "#" for cell in row] for row in open(grid).read().split()]
crossword = Crossword(grid=rows, symmetry=None)
filled = crossword.fill(
    WordList(scores), timeout=float(seconds), temperature=0.3, show_progress=False
)
if filled is not None:
    for r in range(len(rows)):
        print("".join(filled[r, c].str for c in range(len(rows[0]))))
"""


def main() -> None:
    """Print a table of the fills."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["15x15-78", "15x15-72"])
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds of each program")
    parser.add_argument("--ingrid-core", default=shutil.which("ingrid_core"), metavar="FILE")
    parser.add_argument("--peers-python", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--programs", default="satcross,ingrid_core,blacksquare")
    given = parser.parse_args()
    vocabulary = Vocabulary.read()
    print("| grid | program | CPU s | floor | below 50 | below 60 | mean | similar pairs |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder, "words")
        scored = (f"{word};{vocabulary.score(word)}\n" for word in vocabulary)
        words.write_text("".join(scored), encoding="ascii")
        for name in given.names:
            path = GRIDS / f"{name}.txt"
            puzzle = Puzzle(read_structure(str(path), letters=False).grid, vocabulary)
            contest = Contest(puzzle, path, words, given.seconds)
            for program in given.programs.split(","):
                if program == "satcross":
                    fills, cpu = ours(contest)
                elif program == "ingrid_core":
                    fills, cpu = ingrid(contest, given.ingrid_core)
                else:
                    fills, cpu = blacksquare(contest, given.peers_python)
                print(f"| `{name}` | {program} | {cpu:.0f} | {row(puzzle, fills)} |", flush=True)


@dataclass(frozen=True)
class Contest:
    """A puzzle, the files of its grid and words, and the CPU seconds of each program."""

    puzzle: Puzzle
    grid: Path
    words: Path
    seconds: float


def row(puzzle: Puzzle, fills: list[Fill]) -> str:
    """Return the figures of the best of some fills."""
    for fill in fills:
        assert not verify(puzzle, fill), verify(puzzle, fill)
    if not fills:
        return "none | | | |"
    floor, weak, mean, solid, pairs = max(_values(puzzle, fill) for fill in fills)
    return f"{floor} | {-weak} | {-solid} | {mean:.1f} | {-pairs}"


def _values(puzzle: Puzzle, fill: Fill) -> tuple[int, int, float, int, int]:
    scores = list(map(puzzle.vocabulary.score, fill.values()))
    floor = max((one for one in FLOORS if one <= min(scores)), default=0)
    pairs = sum(len(one.pairs) for one in judge(puzzle, fill).expectations)
    weak, below = sum(one < 50 for one in scores), sum(one < 60 for one in scores)
    return floor, -weak, fmean(scores), -below, -pairs


def ours(contest: Contest) -> tuple[list[Fill], float]:
    """Run ``solve --best`` for some CPU seconds; return its fill and the seconds it took."""
    command = [sys.executable, "-m", "satcross", "solve", str(contest.grid)]
    with subprocess.Popen(
        [*command, "--best", "--workers", "1", "--json", "--quiet", "--no-edits"],
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        while process.poll() is None and _cpu(process.pid) < contest.seconds:
            time.sleep(POLL)
        cpu = _cpu(process.pid)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=600)
    data = json.loads(output)
    return [{slot["name"]: slot["word"] for slot in data["slots"]}], cpu


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ingrid(contest: Contest, program: str) -> tuple[list[Fill], float]:
    """Run ingrid_core with ever lower scores until it finds a fill."""
    puzzle, words, seconds = contest.puzzle, contest.words, contest.seconds
    dots = words.with_name("dots")
    dots.write_text("\n".join("".join(".#"[c == "#"] for c in row) for row in puzzle.grid.rows))
    spent = 0.0
    for lowest in LOWEST:
        limit = min(seconds * SHARE, seconds - spent)
        if limit < 1:
            break
        command = [program, str(dots), "--wordlist", str(words), "--min-score", str(lowest)]
        done = measure(command, limit, 40 * limit)
        spent += done.cpu
        for fill in _read(puzzle, done.output):
            return [fill], spent
    return [], spent


def blacksquare(contest: Contest, python: str) -> tuple[list[Fill], float]:
    """Run blacksquare with ever lower scores until it finds a fill, then again at that score."""
    seconds, spent, place = contest.seconds, 0.0, 0
    fills: list[Fill] = []
    while spent < seconds and place < len(LOWEST):
        limit = min(seconds * SHARE, seconds - spent)
        files = [str(contest.grid), str(contest.words)]
        command = [python, "-c", BLACKSQUARE, *files, str(LOWEST[place]), f"{40 * limit:g}"]
        done = measure(command, limit, 40 * limit)
        spent += done.cpu
        found = list(_read(contest.puzzle, done.output))
        fills += found
        place += not fills
    return fills, spent


def _read(puzzle: Puzzle, output: str) -> Iterator[Fill]:
    rows = output.upper().split()
    if len(rows) == puzzle.grid.height:
        yield {slot.name: "".join(rows[r][c] for r, c in slot.cells) for slot in puzzle.grid.slots}


if __name__ == "__main__":
    main()
