"""Run the backends of satcross and other programs on the same puzzles; write Markdown tables.

    python tests/benchmarks/peers.py --words /usr/share/dict/american-english --runs 3
    python tests/benchmarks/peers.py --programs auto,sat,cpsat 9x9-a 15x15-78

The list is the default list unless ``--words`` names another one. All are contenders of ``satcross
compare``, which limits each run and verifies each fill. Each of the other programs is included if
it is installed; otherwise a message says how to install it:

- Qxw, ingrid_core, ACE and Gecode's FlatZinc interpreter, as ``satcross compare`` has them by name;
- ``Crossword.fill`` of blacksquare (PyPI: blacksquare, in the Python of ``--peers-python``);
- Gecode's own crossword example in C++, with restarts and nogoods, compiled from
  ``--gecode-source`` (Debian: libgecode-dev, and Gecode's source of the same version);
- crossword-composer (P. Butler), compiled with rustc from ``--composer-source``, its source.

The CPU seconds of a run include starting the program and reading the words and the grid, but not
writing the files that other programs read. The programs take turns, round by round, so that a busy
period affects all of them. Before the first round, each program runs once on a small grid, which is
not counted. All programs have default settings and get nothing but the puzzle and, where they
accept one, a seed that differs from round to round. Runs that ``--out`` has are not repeated.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from satcross.compare.command_lines import CommandTable, Program
from satcross.compare.contender_files import find_contenders
from satcross.compare.contenders import Contender, Instance, Run
from satcross.compare.limits import RunLimits
from satcross.compare.records import CRASHED, WRONG, Record, RecordFile, read_records
from satcross.compare.runs import execute
from satcross.errors import InputError
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

GRIDS = Path(__file__).parents[2] / "data" / "grids"
DEFAULT_GRIDS = (
    *("15x15-80", "15x15-78", "21x21-140", "15x15-72"),
    *("21x21-138", "open-6x6", "15x15-70", "15x15-66"),
)
WARM_UP = "9x9-a"
BACKENDS = ("auto", "backtrack", "letters", "sat", "cpsat")
OTHERS = {
    "qxw": "Debian package qxw",
    "blacksquare": "pip install blacksquare, see --peers-python",
    "ace": "pip install pycsp3; needs java",
    "fzn-gecode": "Debian package flatzinc",
    "gecode-example": "see --gecode-source; needs g++ and Debian package libgecode-dev",
    "ingrid_core": "cargo install ingrid_core",
    "crossword-composer": "see --composer-source; needs rustc",
}
"""Other programs, and how to install them."""

# The programs

BLACKSQUARE = """
import sys
from blacksquare import Crossword, WordList
rows = open(sys.argv[1]).read().split()
grid = [["" if cell == "_" else "#" for cell in row] for row in rows]
crossword = Crossword(grid=grid, symmetry=None)
words = WordList(open(sys.argv[2]).read().split())
filled = crossword.fill(words, timeout=float(sys.argv[3]), show_progress=False)
for r in range(len(rows)) if filled is not None else ():
    print("".join(filled[r, c].str if grid[r][c] == "" else "█" for c in range(len(rows[0]))))
"""

COMPOSER = """
mod dictionary; mod grid; mod index; mod solver;
fn main() {
    let files: Vec<String> = std::env::args().collect();
    let words = dictionary::Dictionary::from_file(files[1].clone()).unwrap();
    let slots = std::fs::read_to_string(&files[2]).unwrap();
    let rows = std::fs::read_to_string(&files[3]).unwrap();
    let cells = |line: &str| line.split(' ').map(|cell| cell.parse().unwrap()).collect();
    if let Some(found) = solver::solve(&grid::Grid::new(slots.lines().map(cells).collect()), &words)
    {
        let mut letters = found.iter();
        let fill = |cell| if cell == '_' { *letters.next().unwrap() } else { cell };
        print!("{}", rows.chars().map(fill).collect::<String>());
    }
}
"""

GECODE_GRIDS = "namespace {\n\n  /*\n   * The Grid data has been provided by Peter Van Beek"
"""Where the grids of Gecode's example begin, instead of which it gets one of a file."""
GECODE_READER = """
#include <cstdlib>
#include <fstream>
#include <vector>

namespace {
  const int* read_grid(void) {
    static std::vector<int> numbers;
    std::ifstream file(std::getenv("CROSSWORD_GRID"));
    for (int number; file >> number;)
      numbers.push_back(number);
    return numbers.data();
  }
  const int* grids[] = { read_grid() };
  const unsigned int n_grids = 1;
}
"""
GECODE_LIBRARIES = ("driver", "gist", "minimodel", "search", "int", "kernel", "support")


@dataclass(frozen=True, slots=True)
class Peer:
    """A program by its command line; ``prepare`` writes files of its own into ``{folder}``."""

    name: str
    command: str
    version: str = ""
    prepare: Callable[[Puzzle, int, Path], None] = lambda puzzle, seed, folder: None

    def contender(self, puzzle: Puzzle, seed: int, folder: Path) -> Contender:
        """Return the program for a puzzle."""
        if not self.command:
            return find_contenders([self.name])[0]
        self.prepare(puzzle, seed, folder)
        command = self.command.replace("{folder}", str(folder))
        table = CommandTable(self.name, command, self.version)
        return Program(f"{self.name}={command}", table=table)


def satcross(backend: str, words: Path | None, limit: float) -> Peer:
    run = f"{sys.executable} -m satcross"
    files = "{structure}" if words is None else "{structure} {words}"
    flags = f"--json --backend={backend} --seed={{seed}} --time-limit={20 * limit:g}"
    return Peer(backend, f"{run} solve {files} {flags}", f"{run} --version")


def blacksquare(python: str, folder: Path) -> Peer:
    (folder / "fill_blacksquare.py").write_text(BLACKSQUARE, encoding="utf-8")
    version = "import importlib.metadata as m; print(m.version('blacksquare'))"
    subprocess.run([python, "-c", version], check=True, capture_output=True)
    command = f"{python} {folder}/fill_blacksquare.py {{structure}} {{words}} {{time}}"
    return Peer("blacksquare", command, shlex.join([python, "-c", version]))


def gecode_example(source: Path, folder: Path) -> Peer:
    """Gecode's example, which prints blocks as asterisks; all but its grids is as it is."""
    program = folder / "gecode-example"
    own = program.with_suffix(".cpp")
    text = (source / "examples" / "crossword.cpp").read_text(encoding="utf-8")
    own.write_text(text[: text.index(GECODE_GRIDS)] + GECODE_READER, encoding="utf-8")
    libraries = [f"-lgecode{name}" for name in GECODE_LIBRARIES]
    build = ["g++", "-O2", f"-I{source}", "-I/usr/include", str(own), "-o", str(program)]
    subprocess.run([*build, *libraries], check=True, capture_output=True, text=True)

    def prepare(puzzle: Puzzle, seed: int, folder: Path) -> None:
        (folder / "numbers").write_text(grid_numbers(puzzle.grid), encoding="ascii")
        words = (f"{word.lower()}\n" for word in puzzle.vocabulary)
        (folder / "lower").write_text("".join(words), encoding="ascii")

    how = "-branching words-afc -restart luby -restart-scale 100 -nogoods true"
    run = f"CROSSWORD_GRID={{folder}}/numbers {program} {how} -file {{folder}}/lower 0"
    shell = ["sh", "-c", rf"{run} | sed 's/^\t//; y/*/#/'", "{structure}"]
    return Peer("gecode-example", shlex.join(shell), f"echo {source.name}", prepare)


def grid_numbers(grid: Grid) -> str:
    """The grid as the example has it: size, blocked cells, then slots by length, (x, y, down)."""
    blocked = [
        (x, y) for y, row in enumerate(grid.rows) for x, cell in enumerate(row) if cell == "#"
    ]
    numbers = [grid.width, grid.height, len(blocked), *(n for cell in blocked for n in cell)]
    slots: defaultdict[int, list[int]] = defaultdict(list)
    for slot in grid.slots:
        row, column = slot.cells[0]
        slots[slot.length] += [column, row, int(slot.direction == "down")]
    for length, its in sorted(slots.items(), reverse=True):
        numbers += [length, len(its) // 3, *its]
    return " ".join(map(str, [*numbers, 0]))


def composer(source: Path, folder: Path) -> Peer:
    program, copy = folder / "crossword-composer", folder / "composer-source"
    shutil.copytree(source / "src", copy)
    (copy / "alone.rs").write_text(COMPOSER, encoding="ascii")
    build = ["rustc", "--edition", "2018", "-C", "opt-level=3", str(copy / "alone.rs")]
    subprocess.run([*build, "-o", str(program)], check=True, capture_output=True, text=True)

    def prepare(puzzle: Puzzle, seed: int, folder: Path) -> None:
        grid = puzzle.grid
        cells = [(r, c) for r in range(grid.height) for c in range(grid.width)]
        opened = [(r, c) for r, c in cells if grid.rows[r][c] != "#"]
        number = {cell: index for index, cell in enumerate(opened)}
        lines = (" ".join(str(number[cell]) for cell in slot.cells) for slot in grid.slots)
        (folder / "cells").write_text("\n".join(lines) + "\n", encoding="ascii")
        # It tries words in the list's order; in alphabetical order it fills little.
        words = sorted(puzzle.vocabulary)
        Random(seed).shuffle(words)
        (folder / "mixed").write_text("\n".join(words) + "\n", encoding="ascii")

    command = f"{program} {{folder}}/mixed {{folder}}/cells {{structure}}"
    return Peer("crossword-composer", command, f"echo {source.name}", prepare)


def find_peers(options: argparse.Namespace, folder: Path) -> Iterator[Peer]:
    """Yield the programs that are wanted and can be had; say how to install the others."""
    builders = {"blacksquare": lambda: blacksquare(options.peers_python, folder)}
    if options.gecode_source:
        builders["gecode-example"] = lambda: gecode_example(options.gecode_source, folder)
    if options.composer_source:
        builders["crossword-composer"] = lambda: composer(options.composer_source, folder)
    for name in options.programs.split(","):
        if name in BACKENDS:
            yield satcross(name, options.words, options.time_limit)
            continue
        try:
            peer = builders.get(name, lambda name=name: Peer(name, ""))()
            peer.contender(Puzzle(Grid(("__",)), Vocabulary(["AB"])), 0, folder)
        except (InputError, OSError, ValueError, subprocess.CalledProcessError) as error:
            print(f"{name} is not installed: {OTHERS[name]} ({error})", file=sys.stderr)
        else:
            yield peer


# Running


def main() -> int:
    options = read_options()
    with tempfile.TemporaryDirectory() as folder:
        runs = list(run_all(options, options.out or Path(folder, "peers.jsonl"), folder))
    print(tables(runs))
    wrong = [run for run in runs if run.status == WRONG]
    for run in wrong:
        print(f"{run.structure}, {run.contender}: {run.detail}", file=sys.stderr)
    return 1 if any(run.contender in BACKENDS for run in wrong) else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("grids", nargs="*", default=DEFAULT_GRIDS, help="names in data/grids, or files")
    add("--words", type=Path, help="another list, without scores")
    add("--runs", type=int, default=3)
    add("--time-limit", type=float, default=60, help="CPU seconds of a run")
    add("--give-up", type=int, metavar="N", help="leave out a program after N failures on a puzzle")
    add("--programs", default=",".join([*BACKENDS, *OTHERS]), help="for instance auto,qxw")
    add("--peers-python", default=sys.executable, metavar="PYTHON")
    add("--gecode-source", type=Path, metavar="FOLDER")
    add("--composer-source", type=Path, metavar="FOLDER")
    add("--out", type=Path, help="append the records of the runs to this file")
    options = parser.parse_args()
    unknown = {*options.programs.split(",")} - {*BACKENDS, *OTHERS}
    if unknown:
        parser.error(f"no program {unknown.pop()}: choose from {', '.join([*BACKENDS, *OTHERS])}")
    return options


def run_all(options: argparse.Namespace, out: Path, folder: str) -> Iterator[Record]:
    """Yield the records of all runs; those that the file ``out`` lacks are made and added to it."""
    peers = list(find_peers(options, Path(folder)))
    vocabulary, listed = Vocabulary.read(), "default list"
    if options.words is not None:
        vocabulary, listed = Vocabulary(clean(options.words.read_text("utf-8"))), options.words.name
    limits = RunLimits(20 * options.time_limit, options.time_limit)
    known = {record.key: record for record in read_records(str(out))} if out.exists() else {}
    with RecordFile(str(out)) as file:
        for warming, name in ((True, WARM_UP), *((False, name) for name in options.grids)):
            path = Path(name) if Path(name).suffix else GRIDS / f"{name}.txt"
            puzzle = Puzzle(Grid.read(path), vocabulary)
            instance = Instance(puzzle, path.stem, listed)
            failed: defaultdict[str, int] = defaultdict(int)
            for number in range(1 if warming else options.runs):
                for peer in peers:
                    if options.give_up and failed[peer.name] >= options.give_up:
                        continue
                    contender = peer.contender(puzzle, number, Path(folder))
                    run = Run(instance, contender, limits, number, 1, number, solver_alone=True)
                    record = known.get(run.key) or execute(run)
                    failed[peer.name] += record.status != "filled"
                    if warming:
                        continue
                    if run.key not in known:
                        file.add(record)
                    said = [path.stem, peer.name, record.status, record.reason, record.cpu]
                    print(*said, file=sys.stderr)
                    yield record


def clean(text: str) -> list[str]:
    """Return the words of two or more letters A-Z in upper case, sorted, each once."""
    words = {line.partition(";")[0].strip().upper() for line in text.splitlines()}
    return sorted(word for word in words if re.fullmatch("[A-Z]{2,}", word))


# Tables

Cells = Mapping[tuple[str, str], list[Record]]


def tables(runs: list[Record]) -> str:
    by_cell: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    versions: dict[str, str] = {}
    for run in runs:
        by_cell[run.structure, run.contender].append(run)
        versions[run.contender] = f"{run.contender} {run.program_version}".strip()
    puzzles = list(dict.fromkeys(run.structure for run in runs))
    peers = [name for name in versions if name not in BACKENDS]
    parts = [
        f"List: {runs[0].words}. Limit: {runs[0].limits['cpu']:g} CPU seconds; "
        f"at most {max(run.repeat for run in runs) + 1} runs. "
        f"{', '.join(versions[name] for name in peers) or 'No other program'}.",
        "CPU seconds, median (min-max); k/n means that only k of n runs ended with a fill:",
        table(puzzles, versions, lambda puzzle, name: cpu_cell(by_cell[puzzle, name])),
    ]
    if peers:
        parts.append(
            "CPU time of satcross divided by that of the best peer in the same round, "
            "median (min-max); the best peer is the one with the smallest median; k/n as above, "
            "for both programs:"
        )
        parts.append(
            ratios(puzzles, [name for name in versions if name in BACKENDS], peers, by_cell)
        )
    return "\n\n".join(parts)


def table(rows: list[str], columns: Iterable[str], cell: Callable[[str, str], str]) -> str:
    lines = ["| grid | " + " | ".join(columns) + " |", "|---" * (len([*columns]) + 1) + "|"]
    for row in rows:
        lines.append(f"| `{row}` | " + " | ".join(cell(row, name) for name in columns) + " |")
    return "\n".join(lines)


def charged(run: Record) -> float:
    """Return CPU seconds; infinity without an answer."""
    return run.cpu if run.answered else float("inf")


def cpu_cell(runs: list[Record]) -> str:
    for status, what in ((WRONG, "wrong"), (CRASHED, "failed")):
        if any(run.status == status for run in runs):
            return what
    return spread(list(map(charged, runs)))


def spread(numbers: list[float]) -> str:
    """Return the median of the finite numbers, with the range and how many they are."""
    finite = sorted(number for number in numbers if number < float("inf"))
    share = f" {len(finite)}/{len(numbers)}" if len(finite) < len(numbers) else ""
    if not finite:
        return f"none{share}" if numbers else ""
    span = f" ({finite[0]:.2f}-{finite[-1]:.2f})" if len(finite) > 1 else ""
    return f"{median(finite):.2f}{span}{share}"


def ratios(puzzles: list[str], ours: list[str], peers: list[str], by_cell: Cells) -> str:
    def cell(puzzle: str, name: str) -> str:
        medians = {
            peer: median(map(charged, runs)) for peer in peers if (runs := by_cell[puzzle, peer])
        }
        best = min(medians, key=medians.__getitem__, default="")
        if not best or medians[best] == float("inf"):
            return "none answered" if name == "best peer" else ""
        if name == "best peer":
            return best
        theirs = {run.repeat: charged(run) for run in by_cell[puzzle, best]}
        pairs = [
            (charged(run), theirs.get(run.repeat, float("inf"))) for run in by_cell[puzzle, name]
        ]
        infinite = float("inf")
        return spread([us / them if them < infinite else infinite for us, them in pairs])

    return table(puzzles, ["best peer", *ours], cell)


if __name__ == "__main__":
    sys.exit(main())
