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
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import fmean

from satcross.compare.command_lines import Program
from satcross.compare.contenders import Instance, Run
from satcross.compare.limits import RunLimits
from satcross.compare.runs import execute
from satcross.grid import Grid
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
for r in range(len(rows)) if filled is not None else ():
    print("".join("█" if rows[r][c] else filled[r, c].str for c in range(len(rows[0]))))
"""


def main() -> None:
    """Print a table of the fills."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["15x15-78", "15x15-72"])
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds of each program")
    parser.add_argument("--ingrid-core", default="ingrid_core", metavar="FILE")
    parser.add_argument("--peers-python", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--programs", default="satcross,ingrid_core,blacksquare")
    given = parser.parse_args()
    vocabulary = Vocabulary.read()
    print("| grid | program | CPU s | floor | below 50 | below 60 | mean | similar pairs |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "fill_blacksquare.py")
        script.write_text(BLACKSQUARE, encoding="utf-8")
        commands = {
            "ingrid_core": f"{given.ingrid_core} {{dots}} --wordlist {{scored}} --min-score LOWEST",
            "blacksquare": f"{given.peers_python} {script} {{structure}} {{scored}} LOWEST 10000",
        }
        for name in given.names:
            path = GRIDS / f"{name}.txt"
            puzzle = Puzzle(Grid.read(path), vocabulary)
            for program in given.programs.split(","):
                if program == "satcross":
                    fills, cpu = ours(path, given.seconds)
                else:
                    fills, cpu = theirs(puzzle, commands[program], given.seconds)
                print(f"| `{name}` | {program} | {cpu:.0f} | {row(puzzle, fills)} |", flush=True)


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


def ours(path: Path, seconds: float) -> tuple[list[Fill], float]:
    """Run ``solve --best`` for some CPU seconds; return its fill and the seconds it took."""
    command = [sys.executable, "-m", "satcross", "solve", str(path)]
    with subprocess.Popen(
        [*command, "--best", "--workers", "1", "--json", "--quiet", "--no-edits"],
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        while process.poll() is None and _cpu(process.pid) < seconds:
            time.sleep(POLL)
        cpu = _cpu(process.pid)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=600)
    data = json.loads(output)
    return [{slot["name"]: slot["word"] for slot in data["slots"]}], cpu


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def theirs(puzzle: Puzzle, command: str, seconds: float) -> tuple[list[Fill], float]:
    """Run a program with ever lower scores until it finds a fill, then perhaps again at that score.

    ingrid_core would find the same fill again.
    """
    spent, scores = 0.0, list(LOWEST)
    fills: list[Fill] = []
    while scores and (limit := min(seconds * SHARE, seconds - spent)) >= 1:
        contender = Program(f"peer={command.replace('LOWEST', str(scores[0]))}")
        record = execute(Run(Instance(puzzle, "", ""), contender, RunLimits(40 * limit, limit)))
        spent += record.cpu
        if record.fill is not None:
            rows = record.fill
            fills.append(
                {
                    slot.name: "".join(rows[r][c] for r, c in slot.cells)
                    for slot in puzzle.grid.slots
                }
            )
            if "{dots}" in command:
                break
        elif not fills:
            del scores[0]
    return fills, spent


if __name__ == "__main__":
    main()
