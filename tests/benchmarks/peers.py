"""Run the backends of satcross and other programs on the same puzzles; write Markdown tables.

    python tests/benchmarks/peers.py --words /usr/share/dict/american-english --runs 3
    python tests/benchmarks/peers.py --from peers.jsonl --into docs/lab-notebook.md

Each of the other programs is included if it is installed; otherwise a message says how to install
it:

- Qxw in batch mode (Debian: qxw);
- ``Crossword.fill`` of blacksquare (PyPI: blacksquare), in the Python of ``--peers-python``;
- ACE, which comes with pycsp3 (PyPI: pycsp3, in the same Python; needs java), on an XCSP3 model:
  one variable per letter, a table of words per slot, all slots of equal length different;
- Gecode's FlatZinc interpreter (Debian: flatzinc), on a model with one variable per slot, linked to
  the letters by element constraints, with dom/wdeg;
- Gecode's own crossword example in C++, with restarts and nogoods, compiled from
  ``--gecode-source`` (Debian: libgecode-dev, and Gecode's source of the same version);
- ingrid_core (a Rust crate), if it is on the ``PATH``;
- crossword-composer (P. Butler), compiled with rustc from ``--composer-source``, its source.

Each run is a process of its own. Its CPU seconds include starting the program and reading the words
and the grid, but not writing the files that other programs read. The programs take
turns, round by round, so that a busy period affects all of them. Every fill is verified with the
same list. Before the first round, each program runs once on a small grid, which is not counted.
All programs have default settings and get nothing but the puzzle and, where they accept one, a seed
that differs from round to round.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median

import gecode_example as crossword_example
from measure import Measured, measure, own_memory

from satcross.grid import Cell, Grid, Slot
from satcross.puzzle import Puzzle
from satcross.support import __version__
from satcross.verify import verify
from satcross.vocabulary import Vocabulary

GRIDS = Path(__file__).parents[2] / "data" / "grids"
DEFAULT_GRIDS = (
    "15x15-80",
    "15x15-78",
    "21x21-140",
    "15x15-72",
    "21x21-138",
    "open-6x6",
    "15x15-70",
    "15x15-66",
)
WARM_UP = "9x9-a"
BACKENDS = ("auto", "backtrack", "sat", "cpsat")
OTHERS = {
    "Qxw": "Debian package qxw",
    "blacksquare": "pip install blacksquare, see --peers-python",
    "ACE": "pip install pycsp3, see --peers-python; needs java",
    "Gecode": "Debian package flatzinc",
    "Gecode example": "see --gecode-source; needs g++ and Debian package libgecode-dev",
    "ingrid_core": "cargo install ingrid_core",
    "crossword-composer": "see --composer-source; needs rustc",
}
"""Other programs, and how to install them."""
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"

Letters = dict[Cell, str]


@dataclass(frozen=True, slots=True)
class Task:
    """A puzzle with its files in ``folder``, as the programs get it."""

    name: str
    grid: Grid
    words: dict[int, list[str]]
    grid_file: Path
    words_file: Path
    folder: Path

    @property
    def cells(self) -> list[Cell]:
        return sorted({cell for slot in self.grid.slots for cell in slot.cells})

    @property
    def by_length(self) -> dict[int, list[Slot]]:
        groups: defaultdict[int, list[Slot]] = defaultdict(list)
        for slot in self.grid.slots:
            groups[slot.length].append(slot)
        return groups


@dataclass(frozen=True, slots=True)
class Program:
    """A program: ``prepare`` writes its input, ``command`` runs it, ``read`` finds the fill.

    ``command`` takes the task, the seed and the limit; ``read`` returns None if there is no fill.
    """

    name: str
    version: str
    prepare: Callable[[Task], None]
    command: Callable[[Task, int, float], list[str]]
    read: Callable[[Task, str], Letters | None]


@dataclass(frozen=True, slots=True)
class Run:
    """A run; ``outcome`` is filled, unfillable, unknown (``late``: stopped), or an error."""

    puzzle: str
    program: str
    round: int
    outcome: str
    cpu: float
    wall: float
    memory: float
    memory_floor: float


# The programs


def satcross(backend: str) -> Program:
    def command(task: Task, seed: int, limit: float) -> list[str]:
        run = [sys.executable, "-m", "satcross", "solve", str(task.grid_file), str(task.words_file)]
        return [*run, "--json", f"--backend={backend}", f"--seed={seed}", f"--time-limit={limit:g}"]

    def read(task: Task, output: str) -> Letters | None:
        answer = json.loads(output)
        if answer["status"] == "unfillable":
            raise ValueError("unfillable")
        if answer["status"] == "unknown":
            return None
        return rows_to_letters(task, answer["grid"])

    return Program(backend, __version__, nothing, command, read)


def qxw() -> Program | None:
    path = shutil.which("qxw") or shutil.which("/usr/games/qxw")
    if not path:
        return None

    def prepare(task: Task) -> None:
        number = {cell: index for index, cell in enumerate(task.cells)}
        entries = [
            " ".join(f"{number[cell]:04}" for cell in slot.cells) for slot in task.grid.slots
        ]
        # Random weights; otherwise a run that fails once would fail with every seed.
        text = "\n".join([".RANDOM 1", *entries, ""])
        (task.folder / "deck.qxd").write_text(text, encoding="ascii")

    def command(task: Task, seed: int, limit: float) -> list[str]:
        return [path, "-b", "-d", str(task.words_file), str(task.folder / "deck.qxd")]

    def read(task: Task, output: str) -> Letters | None:
        words = {int(number): word for number, word in re.findall(r"^W(\d+) (\S+)$", output, re.M)}
        if len(words) < len(task.grid.slots):
            return None
        return slots_to_letters(task, [words[index] for index in range(len(task.grid.slots))])

    usage = subprocess.run([path, "-?"], capture_output=True, text=True, check=False)
    found = re.search(r"release (\w+)", usage.stdout + usage.stderr)
    return Program("Qxw", found[1] if found else "?", prepare, command, read)


BLACKSQUARE = """
import sys
from blacksquare import Crossword, WordList
rows = open(sys.argv[1]).read().split()
grid = [["" if cell == "_" else "#" for cell in row] for row in rows]
crossword = Crossword(grid=grid, symmetry=None)
words = WordList(open(sys.argv[2]).read().split())
filled = crossword.fill(words, timeout=float(sys.argv[3]), show_progress=False)
if filled is not None:
    size = range(len(rows)), range(len(rows[0]))
    print("\\n".join("".join(filled[r, c].str for c in size[1]) for r in size[0]))
"""


def blacksquare(python: str) -> Program | None:
    version = version_there(python, "blacksquare")
    if not version:
        return None

    def command(task: Task, seed: int, limit: float) -> list[str]:
        files = [str(task.grid_file), str(task.words_file)]
        return [python, "-c", BLACKSQUARE, *files, f"{limit:g}"]

    def read(task: Task, output: str) -> Letters | None:
        return rows_to_letters(task, output.split()) if output else None

    return Program("blacksquare", version, nothing, command, read)


def ace(python: str) -> Program | None:
    java = shutil.which("java")
    version = version_there(python, "pycsp3")
    if not java or not version:
        return None
    code = "import importlib.util as u; print(u.find_spec('pycsp3').submodule_search_locations[0])"
    where = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    jar = max((Path(where.stdout.strip()) / "solvers" / "ace").glob("ACE-*.jar"))

    def prepare(task: Task) -> None:
        number = {cell: index for index, cell in enumerate(task.cells)}
        with (task.folder / "model.xml").open("w", encoding="ascii") as file:
            file.write('<instance format="XCSP3" type="CSP">\n<variables>\n')
            file.write(f'<array id="x" size="[{len(number)}]">0..25</array>\n')
            file.write("</variables>\n<constraints>\n")
            for length, slots in task.by_length.items():
                scopes = [" ".join(f"x[{number[cell]}]" for cell in slot.cells) for slot in slots]
                places = " ".join(f"%{position}" for position in range(length))
                file.write(f"<group><extension><list>{places}</list><supports>")
                for word in sorted(task.words[length]):
                    file.write("(" + ",".join(map(str, code_of(word))) + ")")
                file.write("</supports></extension>\n")
                file.writelines(f"<args>{scope}</args>\n" for scope in scopes)
                file.write("</group>\n")
                if len(slots) > 1:
                    lists = "".join(f"<list>{scope}</list>" for scope in scopes)
                    file.write(f"<allDifferent>{lists}</allDifferent>\n")
            file.write("</constraints>\n</instance>\n")

    def command(task: Task, seed: int, limit: float) -> list[str]:
        run = [java, "-jar", str(jar), str(task.folder / "model.xml"), "-npc", "-s=1"]
        return [*run, f"-seed={seed}", f"-t={limit:g}s"]

    def read(task: Task, output: str) -> Letters | None:
        if "s UNSATISFIABLE" in output:
            raise ValueError("unfillable")
        found = re.search(r"<values>(.*?)</values>", output)
        if not found:
            return None
        values: list[str] = []
        for value in found[1].split():  # 3x5 stands for 3 3 3 3 3
            number, _, times = value.partition("x")
            values += [number] * int(times or 1)
        return codes_to_letters(task, values)

    return Program("ACE", jar.stem.removeprefix("ACE-"), prepare, command, read)


def gecode() -> Program | None:
    path = shutil.which("fzn-gecode")
    if not path:
        return None

    def prepare(task: Task) -> None:
        number = {cell: index for index, cell in enumerate(task.cells)}
        with (task.folder / "model.fzn").open("w", encoding="ascii") as file:
            for length in task.by_length:
                codes = [code_of(word) for word in task.words[length]]
                for position, column in enumerate(zip(*codes, strict=True)):
                    values = ",".join(map(str, column))
                    name = f"t{length}_{position}"
                    file.write(f"array [1..{len(column)}] of int: {name} = [{values}];\n")
            file.writelines(f"var 0..25: c{index};\n" for index in number.values())
            for slot in task.grid.slots:
                file.write(f"var 1..{len(task.words[slot.length])}: w{slot.name};\n")
            cells = ",".join(f"c{index}" for index in number.values())
            size = len(number)
            file.write(f"array [1..{size}] of var int: cells :: ")
            file.write(f"output_array([1..{size}]) = [{cells}];\n")
            for slot in task.grid.slots:
                for position, cell in enumerate(slot.cells):
                    table = f"t{slot.length}_{position}"
                    terms = f"w{slot.name},{table},c{number[cell]}"
                    file.write(f"constraint array_int_element({terms}) :: domain;\n")
            for slots in task.by_length.values():
                names = ",".join(f"w{slot.name}" for slot in slots)
                if len(slots) > 1:
                    file.write(f"constraint all_different_int([{names}]);\n")
            names = ",".join(f"w{slot.name}" for slot in task.grid.slots)
            search = f"int_search([{names}],dom_w_deg,indomain_random,complete)"
            file.write(f"solve :: {search} satisfy;\n")

    def command(task: Task, seed: int, limit: float) -> list[str]:
        return [path, "-r", str(seed + 1), str(task.folder / "model.fzn")]

    def read(task: Task, output: str) -> Letters | None:
        if "=====UNSATISFIABLE=====" in output:
            raise ValueError("unfillable")
        found = re.search(r"cells = array1d\(1\.\.\d+, \[(.*?)\]\)", output)
        return codes_to_letters(task, found[1].split(",")) if found else None

    usage = subprocess.run([path, "--help"], capture_output=True, text=True, check=False)
    version = re.search(r"Version: (\S+)", usage.stdout + usage.stderr)
    return Program("Gecode", version[1] if version else "?", prepare, command, read)


def gecode_example(source: Path | None, folder: Path) -> Program | None:
    if source is None:
        return None
    path = folder / "gecode-crossword"
    try:
        crossword_example.build(source, path)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"Gecode's example can't be compiled: {error}", file=sys.stderr)
        return None

    def prepare(task: Task) -> None:
        numbers = crossword_example.grid_numbers(task.grid)
        (task.folder / "numbers").write_text(numbers, encoding="ascii")
        words = (word.lower() for words in task.words.values() for word in words)
        (task.folder / "lower").write_text("\n".join(words) + "\n", encoding="ascii")

    def command(task: Task, seed: int, limit: float) -> list[str]:
        run = ["env", f"CROSSWORD_GRID={task.folder / 'numbers'}", str(path)]
        how = ["-branching", "words-afc", "-restart", "luby", "-restart-scale", "100"]
        return [*run, *how, "-nogoods", "true", "-file", str(task.folder / "lower"), "0"]

    def read(task: Task, output: str) -> Letters | None:
        rows = re.findall(r"^\t([a-z*?]+)$", output, re.M)
        if len(rows) < task.grid.height or any("?" in row for row in rows):
            return None
        return rows_to_letters(task, [row.upper() for row in rows])

    return Program("Gecode example", source.name, prepare, command, read)


def ingrid_core() -> Program | None:
    path = shutil.which("ingrid_core")
    if not path:
        return None

    def prepare(task: Task) -> None:
        rows = ("".join(".#"[cell == "#"] for cell in row) for row in task.grid.rows)
        (task.folder / "dots").write_text("\n".join(rows) + "\n", encoding="ascii")
        words = (f"{word};50" for words in task.words.values() for word in words)
        (task.folder / "scored").write_text("\n".join(words) + "\n", encoding="ascii")

    def command(task: Task, seed: int, limit: float) -> list[str]:
        return [path, str(task.folder / "dots"), "--wordlist", str(task.folder / "scored")]

    def read(task: Task, output: str) -> Letters | None:
        rows = output.upper().split()
        return rows_to_letters(task, rows) if len(rows) == task.grid.height else None

    usage = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return Program("ingrid_core", usage.stdout.split()[-1], prepare, command, read)


COMPOSER = """
mod dictionary; mod grid; mod index; mod solver;
fn main() {
    let files: Vec<String> = std::env::args().collect();
    let words = dictionary::Dictionary::from_file(files[1].clone()).unwrap();
    let slots = std::fs::read_to_string(&files[2]).unwrap();
    let cells = |line: &str| line.split(' ').map(|cell| cell.parse().unwrap()).collect();
    let found = solver::solve(&grid::Grid::new(slots.lines().map(cells).collect()), &words);
    println!("{}", found.map_or(String::new(), |letters| letters.iter().collect()));
}
"""


def composer(source: Path | None, folder: Path) -> Program | None:
    if source is None:
        return None
    path = folder / "composer"
    shutil.copytree(source / "src", folder / "composer-source")
    own = folder / "composer-source" / "alone.rs"
    own.write_text(COMPOSER, encoding="ascii")
    build = ["rustc", "--edition", "2018", "-C", "opt-level=3", str(own), "-o", str(path)]
    try:
        subprocess.run(build, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"crossword-composer can't be compiled: {error}", file=sys.stderr)
        return None

    def prepare(task: Task) -> None:
        number = {cell: index for index, cell in enumerate(task.cells)}
        lines = (" ".join(str(number[cell]) for cell in slot.cells) for slot in task.grid.slots)
        (task.folder / "cells").write_text("\n".join(lines) + "\n", encoding="ascii")

    def command(task: Task, seed: int, limit: float) -> list[str]:
        # It tries words in the list's order; in alphabetical order it fills little.
        words, shuffled = task.words_file.read_text(encoding="ascii").split(), task.folder / "mixed"
        Random(seed).shuffle(words)
        shuffled.write_text("\n".join(words) + "\n", encoding="ascii")
        return [str(path), str(shuffled), str(task.folder / "cells")]

    def read(task: Task, output: str) -> Letters | None:
        letters = dict(zip(task.cells, output.strip().upper(), strict=False))
        return letters if len(letters) == len(task.cells) else None

    return Program("crossword-composer", source.name, prepare, command, read)


def nothing(task: Task) -> None:
    """Write nothing, for a program that reads the grid and the list itself."""


def version_there(python: str, package: str) -> str:
    """Return the package's version in that Python, or "" if it is missing."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return found.stdout.strip()


def code_of(word: str) -> list[int]:
    return [ord(letter) - ord("A") for letter in word]


def codes_to_letters(task: Task, codes: Iterable[str]) -> Letters:
    letters = (chr(int(code) + ord("A")) for code in codes)
    return dict(zip(task.cells, letters, strict=True))


def rows_to_letters(task: Task, rows: list[str]) -> Letters:
    return {(row, column): rows[row][column] for row, column in task.cells}


def slots_to_letters(task: Task, words: list[str]) -> Letters:
    letters: Letters = {}
    for slot, word in zip(task.grid.slots, words, strict=True):
        for cell, letter in zip(slot.cells, word, strict=True):
            if letters.setdefault(cell, letter) != letter:
                raise ValueError(f"two letters in the cell {cell}")
    return letters


# Running


def main() -> int:
    options = read_options()
    if options.source:
        runs = [Run(**json.loads(line)) for line in options.source.read_text().splitlines()[1:]]
        about = json.loads(options.source.read_text().splitlines()[0])
    else:
        about, runs = run_all(options)
    write(tables(about, runs), options.into)
    wrong = [run for run in runs if run.outcome.startswith("wrong")]
    for run in wrong:
        print(f"{run.puzzle}, {run.program}: {run.outcome}", file=sys.stderr)
    return 1 if any(run.program in BACKENDS for run in wrong) else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "grids",
        nargs="*",
        default=DEFAULT_GRIDS,
        help="names in data/grids, or files with a grid each",
    )
    parser.add_argument(
        "--words",
        type=Path,
        default=Path("/usr/share/dict/american-english"),
        help="a list; its words of two or more letters A-Z are taken",
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=60, help="CPU seconds per process")
    parser.add_argument(
        "--give-up",
        type=int,
        default=0,
        metavar="N",
        help="after N runs without an answer leave out the other runs of a program on that puzzle",
    )
    parser.add_argument("--programs", help="only these, comma-separated, for instance auto,Qxw")
    parser.add_argument(
        "--peers-python",
        default=sys.executable,
        metavar="PYTHON",
        help="the Python that has blacksquare and pycsp3",
    )
    parser.add_argument(
        "--gecode-source",
        type=Path,
        metavar="FOLDER",
        help="Gecode's source, whose examples/crossword.cpp is compiled",
    )
    parser.add_argument(
        "--composer-source", type=Path, metavar="FOLDER", help="the source of crossword-composer"
    )
    parser.add_argument("--out", type=Path, help="append a JSON line a run to this file")
    parser.add_argument("--from", dest="source", type=Path, help="make tables of such a file")
    parser.add_argument(
        "--into",
        type=Path,
        metavar="FILE.md",
        help=f"put the tables between {BEGIN} and {END} of this file",
    )
    options = parser.parse_args()
    if not options.source and not options.words.exists():
        parser.error(f"no list {options.words}: give one with --words (Debian: wamerican)")
    for name in options.grids:
        if not file_of(name).exists():
            parser.error(f"no file {name}, and no grid {name}.txt in {GRIDS}")
    if not shutil.which(options.peers_python):
        parser.error(f"no Python {options.peers_python}: see --peers-python")
    names = (*BACKENDS, *OTHERS)
    for name in options.programs.split(",") if options.programs else ():
        if name not in names:
            parser.error(f"no program {name}: choose from {', '.join(names)}")
    return options


def find_programs(options: argparse.Namespace, folder: Path) -> list[Program]:
    python = options.peers_python
    programs = [satcross(backend) for backend in BACKENDS]
    wanted = options.programs.split(",") if options.programs else [*BACKENDS, *OTHERS]
    found = (
        qxw(),
        blacksquare(python),
        ace(python),
        gecode(),
        gecode_example(options.gecode_source, folder),
        ingrid_core(),
        composer(options.composer_source, folder),
    )
    others = zip(OTHERS.items(), found, strict=True)
    for (name, how), program in others:
        if program:
            programs.append(program)
        elif name in wanted:
            print(f"{name} is not installed: {how}", file=sys.stderr)
    return [program for program in programs if program.name in wanted]


def run_all(options: argparse.Namespace) -> tuple[dict[str, object], list[Run]]:
    with tempfile.TemporaryDirectory() as folder:
        return run_in(options, Path(folder))


def run_in(options: argparse.Namespace, folder: Path) -> tuple[dict[str, object], list[Run]]:
    programs = find_programs(options, folder)
    words = clean(options.words.read_text(encoding="utf-8"))
    about: dict[str, object] = {
        "list": f"{options.words.name}, {len(words):,} words",
        "limit": options.time_limit,
        "runs": options.runs,
        "versions": {program.name: program.version for program in programs},
    }
    if options.out:
        options.out.write_text(json.dumps(about) + "\n", encoding="utf-8")
    vocabulary = Vocabulary(words)
    runs: list[Run] = []
    words_file = folder / "words.txt"
    words_file.write_text("\n".join([*words, ""]), encoding="ascii")
    warm_up = make_task(WARM_UP, words, words_file)
    for program in programs:
        program.prepare(warm_up)
        run_once(program, warm_up, vocabulary, 0, 5)
    for grid in options.grids:
        task = make_task(grid, words, words_file)
        for program in programs:
            program.prepare(task)
        failed: defaultdict[str, int] = defaultdict(int)
        for number in range(options.runs):
            for program in programs:
                if options.give_up and failed[program.name] >= options.give_up:
                    continue
                run = run_once(program, task, vocabulary, number, options.time_limit)
                failed[program.name] += run.outcome != "filled"
                runs.append(run)
                print(
                    f"{run.puzzle:12} {run.program:12} {run.outcome:12} "
                    f"{run.cpu:8.2f} {run.wall:8.2f} {run.memory:8.0f}",
                    file=sys.stderr,
                )
                if options.out:
                    with options.out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(run)) + "\n")
    return about, runs


def clean(text: str) -> list[str]:
    """Return the words of two or more letters A-Z in upper case, sorted, each once."""
    words = {line.partition(";")[0].strip().upper() for line in text.splitlines()}
    return sorted(word for word in words if re.fullmatch("[A-Z]{2,}", word))


def make_task(name: str, words: list[str], words_file: Path) -> Task:
    file = file_of(name)
    folder = words_file.parent / file.stem
    folder.mkdir(exist_ok=True)
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    for word in words:
        by_length[len(word)].append(word)
    grid = Grid.from_rows(file.read_text(encoding="ascii").split())
    return Task(file.stem, grid, by_length, file, words_file, folder)


def file_of(name: str) -> Path:
    path = Path(name)
    return path if path.suffix else GRIDS / f"{name}.txt"


def run_once(
    program: Program, task: Task, vocabulary: Vocabulary, number: int, limit: float
) -> Run:
    floor = own_memory()
    # Wall-clock time may be longer, because other programs may use the same processors.
    clock = 20 * limit
    compiled = task.words_file.parent / "bytecode"
    done = measure(program.command(task, number, clock), limit, clock + 5, compiled)
    outcome = judge(program, task, vocabulary, done)
    return Run(
        task.name, program.name, number, outcome, done.cpu, done.wall, done.memory, round(floor, 1)
    )


def judge(program: Program, task: Task, vocabulary: Vocabulary, done: Measured) -> str:
    if done.late:
        return "unknown"
    try:
        letters = program.read(task, done.output)
    except ValueError as error:
        return str(error) if str(error) == "unfillable" else f"failed: {done.errors[-200:]!r}"
    if letters is None:
        # Exit code 30 is satcross's, 4 is Qxw's for "not found".
        return "unknown" if done.code in (0, 4, 30) else f"failed: {done.errors[-200:]!r}"
    fill = {slot.name: "".join(letters[cell] for cell in slot.cells) for slot in task.grid.slots}
    problems = verify(Puzzle(task.grid, vocabulary), fill)
    return f"wrong: {problems[0]}" if problems else "filled"


# Tables


def tables(about: dict[str, object], runs: list[Run]) -> str:
    by_cell: defaultdict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in runs:
        by_cell[run.puzzle, run.program].append(run)
    puzzles = list(dict.fromkeys(run.puzzle for run in runs))
    programs = list(dict.fromkeys(run.program for run in runs))
    peers = [program for program in programs if program not in BACKENDS]
    ours = [program for program in programs if program in BACKENDS]
    versions = about["versions"]
    assert isinstance(versions, dict)
    named = ", ".join(f"{name} {versions[name]}" for name in peers if name in versions)
    parts = [
        f"List: {about['list']}. Limit: {about['limit']:g} CPU seconds per process; "
        f"at most {about['runs']} runs. "
        f"{named or 'No other program'}.",
        "CPU seconds, median (min-max); k/n means that only k of n runs ended with a fill:",
        table(puzzles, programs, lambda puzzle, name: cpu_cell(by_cell[puzzle, name])),
        "CPU time of satcross divided by that of the best peer in the same round, "
        "median (min-max); the best peer is the one with the smallest median; k/n as above, "
        "for both programs:",
        ratios(puzzles, ours, peers, by_cell),
        "Wall-clock seconds and MiB of the largest process, medians:",
        table(puzzles, programs, lambda puzzle, name: wall_cell(by_cell[puzzle, name])),
    ]
    return "\n\n".join(parts) + "\n"


def table(rows: list[str], columns: list[str], cell: Callable[[str, str], str]) -> str:
    lines = ["| grid | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for row in rows:
        lines.append(f"| `{row}` | " + " | ".join(cell(row, name) for name in columns) + " |")
    return "\n".join(lines)


def charged(run: Run) -> float:
    """Return CPU seconds; infinity without an answer."""
    return run.cpu if run.outcome in ("filled", "unfillable") else float("inf")


def cpu_cell(runs: list[Run]) -> str:
    if not runs:
        return ""
    times = [charged(run) for run in runs]
    answered = sorted(time for time in times if time < float("inf"))
    share = f" {len(answered)}/{len(runs)}" if len(answered) < len(runs) else ""
    for what in ("wrong", "failed"):
        if any(run.outcome.startswith(what) for run in runs):
            return what
    if not answered:
        return f"none{share}"
    return spread(answered) + share


def spread(numbers: list[float]) -> str:
    """Return the median, with the range if there is more than one number; they are sorted."""
    span = f" ({numbers[0]:.2f}-{numbers[-1]:.2f})" if len(numbers) > 1 else ""
    return f"{median(numbers):.2f}{span}"


def wall_cell(runs: list[Run]) -> str:
    if not runs:
        return ""
    memory = median(run.memory for run in runs)
    # A figure up to the memory of the measuring process itself says nothing.
    less = "<" if memory <= max(run.memory_floor for run in runs) * 1.02 else ""
    return f"{median(run.wall for run in runs):.1f}; {less}{memory:.0f}"


def ratios(
    puzzles: list[str],
    ours: list[str],
    peers: list[str],
    by_cell: dict[tuple[str, str], list[Run]],
) -> str:
    best: dict[str, str] = {}
    for puzzle in puzzles:
        medians = {
            name: median(map(charged, runs)) for name in peers if (runs := by_cell[puzzle, name])
        }
        if medians and min(medians.values()) < float("inf"):
            best[puzzle] = min(medians, key=medians.__getitem__)

    def cell(puzzle: str, name: str) -> str:
        if name == "best peer":
            return best.get(puzzle, "none answered")
        if puzzle not in best:
            return ""
        theirs = {run.round: charged(run) for run in by_cell[puzzle, best[puzzle]]}
        pairs = [
            (charged(run), theirs.get(run.round, float("inf"))) for run in by_cell[puzzle, name]
        ]
        both = sorted(us / them for us, them in pairs if max(us, them) < float("inf"))
        share = f" {len(both)}/{len(pairs)}" if len(both) < len(pairs) else ""
        if not both:
            return f"none{share}"
        return spread(both) + share

    return table(puzzles, ["best peer", *ours], cell)


def write(text: str, into: Path | None) -> None:
    if into is None:
        print(text, end="")
        return
    before, begin, rest = into.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{into} has no lines {BEGIN} and {END} to put the tables between")
    into.write_text(f"{before}{begin}\n{text}{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
