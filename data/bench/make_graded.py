"""Make the benchmark suite: patterns, word lists, and the expected answer of each puzzle.

    python data/bench/make_graded.py make
        # writes grids/, lists/ and suite.toml, keeping the expected answers of unchanged puzzles
    python data/bench/make_graded.py settle RUNS.jsonl...
        # writes into suite.toml what the runs have established

How the puzzles are made (everything random comes from SEED and the puzzle's name):

newspaper     Patterns by American rules: the same after half a turn, connected, every slot of 3
              letters or more, every cell in two slots. Pairs of blocked cells are added at random
              as long as the rules hold; patterns are drawn until the number of slots is right.
wide open     The same with fewer slots than newspapers allow.
lattices      Every second row and column is open; pairs of cells on them are blocked at random.
open          Rectangles without a blocked cell.
tight locks   Newspaper patterns with words locked: in some of them words of one fill, most of it,
              in others random words in long slots that lie apart.
corners       Newspaper patterns with random words locked in the upper left corner, such that arc
              consistency leaves every slot a candidate and yet the search proves that the corner
              can't be filled.
one fill      The list is the words of one fill, in some puzzles hidden among others, such that
              there is exactly one fill. That is checked twice, by a SAT solver and by CP-SAT, with
              a clause that forbids the known fill.
growing       One pattern with larger and larger samples of the default list, each holding the
              smaller ones: from unfillable, over what is hard to decide, to easy.

Lists are the default list above some score, or a sample of it; only the "one fill" puzzles
have files of their own. Making calls the search for fills and for corners; another version of it
may find others.

What settles a puzzle: "filled" a fill that satcross.verify has accepted; "unfillable" proofs by two
backends of different kinds (search, SAT, CP-SAT) without a fill by any. What is not settled has no
expected answer; that is how a puzzle that nobody could answer stays in.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from encoders import CpSatEncoding, Instance, encode
from satcross.compare.records import FILLED, UNFILLABLE, Record, read_records
from satcross.compare.suite import read_puzzles, read_suite
from satcross.formats.files import read_text
from satcross.formats.words import parse_words
from satcross.grid import ACROSS, BLOCKED, OPEN, Grid, Slot
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.solving.solve import solve
from satcross.vocabulary import Vocabulary

HERE = Path(__file__).resolve().parent
SUITE = HERE / "suite.toml"
SEED = 2024
KINDS = ("backtrack", "sat", "cpsat")
WORDS = "lists/scowl70.txt.gz"  # a fixed list, so that answers stay comparable
TITLE = "satcross benchmark: crosswords of graded difficulty"

Rows = list[str]


@dataclass(frozen=True, slots=True)
class Item:
    """A puzzle to be, as it goes into the suite."""

    name: str
    family: str
    structure: str
    rules: dict[str, object] = field(default_factory=dict)
    expected: str = ""
    how: str = ""


# --- patterns


def open_rectangle(height: int, width: int) -> Rows:
    return [OPEN * width] * height


def american(
    size: int, slots: range, blocked: int, chance: random.Random, longest: int = 15
) -> Rows:
    """Draw a pattern with the given number of slots and about the given number of blocks."""
    while True:
        rows = _american(size, blocked, chance)
        its = Grid.from_rows(rows).slots
        if len(its) in slots and max(slot.length for slot in its) <= longest and is_connected(rows):
            return rows


def _american(size: int, blocked: int, chance: random.Random) -> Rows:
    grid = [[True] * size for _ in range(size)]
    cells = [(row, column) for row in range(size) for column in range(size)]
    chance.shuffle(cells)
    left = blocked
    for row, column in cells:
        pair = {(row, column), (size - 1 - row, size - 1 - column)}
        if left < len(pair) or not grid[row][column]:
            continue
        for r, c in pair:
            grid[r][c] = False
        if all(_runs_are_long(grid, r, c) for r, c in pair):
            left -= len(pair)
        else:
            for r, c in pair:
                grid[r][c] = True
    return to_rows(grid)


def _runs_are_long(grid: list[list[bool]], row: int, column: int) -> bool:
    """Whether no run of open cells in this row or column has one or two cells."""
    for line in (grid[row], [its[column] for its in grid]):
        text = "".join(OPEN if one else BLOCKED for one in line)
        if any(0 < len(run) < 3 for run in text.split(BLOCKED)):
            return False
    return True


def lattice(size: int, blocked: int, chance: random.Random) -> Rows:
    """Draw a lattice with at least the given number of blocks on its lines; no slot is too long."""
    while True:
        rows = _lattice(size, blocked, chance)
        if rows is not None:
            return rows


def _lattice(size: int, blocked: int, chance: random.Random) -> Rows | None:
    """The same, or None where blocking has led to a dead end."""
    grid = [[row % 2 == 0 or column % 2 == 0 for column in range(size)] for row in range(size)]
    cells = [(row, column) for row in range(size) for column in range(size)]
    chance.shuffle(cells)
    left = blocked
    for row, column in cells:
        pair = {(row, column), (size - 1 - row, size - 1 - column)}
        if left <= 0 and longest_of(grid) <= 15:
            return to_rows(grid)
        if not grid[row][column]:
            continue
        for r, c in pair:
            grid[r][c] = False
        rows = to_rows(grid)
        if is_connected(rows) and all(s.length > 2 for s in Grid.from_rows(rows).slots):
            left -= len(pair)
        else:
            for r, c in pair:
                grid[r][c] = True
    return None


def longest_of(grid: list[list[bool]]) -> int:
    return max(slot.length for slot in Grid.from_rows(to_rows(grid)).slots)


def to_rows(grid: Iterable[Iterable[bool]]) -> Rows:
    return ["".join(OPEN if is_open else BLOCKED for is_open in row) for row in grid]


def is_connected(rows: Rows) -> bool:
    """Whether all open cells hang together and each lies in a slot."""
    cells = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == OPEN}
    reached, border = set(), [min(cells)]
    while border:
        row, column = cell = border.pop()
        if cell in cells and cell not in reached:
            reached.add(cell)
            border += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return reached == cells


# --- puzzles


class Maker:
    """Makes the items and writes the files they need."""

    def __init__(self) -> None:
        self.words = parse_words([read_text(str(HERE / WORDS))]).vocabulary

    def items(self) -> Iterator[Item]:
        yield from self.newspaper()
        yield from self.wide_open()
        yield from self.lattices()
        yield from self.open_rectangles()
        yield from self.tight_locks()
        yield from self.corners()
        yield from self.one_fill()
        yield from self.growing()

    def newspaper(self) -> Iterator[Item]:
        # The fewer common words, the harder.
        for number, least in enumerate((40, 40, 60, 60, 80, 80, 95, 95), 1):
            name = f"newspaper-15-{number}"
            tight = number % 2 == 0
            shape = (range(76, 83), 40, 11) if tight else (range(80, 87), 42, 10)
            rows = american(15, shape[0], shape[1], chance_of(name), shape[2])
            yield item(name, "newspaper", rows, min_score=least)
        for number, least in enumerate((40, 40, 60, 95), 1):
            name = f"newspaper-21-{number}"
            rows = american(21, range(150, 187), 92, chance_of(name), 10)
            yield item(name, "newspaper", rows, min_score=least)

    def wide_open(self) -> Iterator[Item]:
        plan = [
            *((11, range(38, 45), 16, least) for least in (80, 60)),
            *((13, range(50, 57), 24, least) for least in (80, 60, 40)),
            *((15, range(64, 71), 32, least) for least in (60, 40, 1)),
        ]
        for number, (size, slots, blocked, least) in enumerate(plan, 1):
            name = f"wide-{size}-{number}"
            rows = american(size, slots, blocked, chance_of(name), longest=size - 2)
            yield item(name, "wide open", rows, min_score=least)

    def lattices(self) -> Iterator[Item]:
        plan = [(13, 12, 400), (13, 12, 600), (13, 16, 300), (15, 14, 700), (15, 18, 500)]
        for number, (size, blocked, sample) in enumerate(plan, 1):
            name = f"lattice-{size}-{number}"
            rows = lattice(size, blocked, chance_of(name))
            yield item(name, "lattices", rows, min_score=40, sample=sample)
        for number, (size, blocked, least) in enumerate([(15, 14, 80), (21, 30, 60), (25, 40, 40)]):
            name = f"lattice-{size}-{len(plan) + number + 1}"
            rows = lattice(size, blocked, chance_of(name))
            yield item(name, "lattices", rows, min_score=least)

    def open_rectangles(self) -> Iterator[Item]:
        plan: list[tuple[int, int, dict[str, object]]] = [
            (4, 4, {"sample": 300}),
            (4, 5, {"min_score": 80, "sample": 1000}),
            (4, 6, {"min_score": 80}),
            (4, 7, {"min_score": 60}),
            (5, 5, {"sample": 700}),
            (5, 5, {"sample": 1200}),
            (5, 5, {"min_score": 80}),
            (5, 6, {"min_score": 60}),
            (5, 7, {"min_score": 40}),
            (6, 6, {"min_score": 95}),
            (6, 6, {"min_score": 60}),
        ]
        for number, (height, width, rules) in enumerate(plan, 1):
            name = f"open-{height}x{width}-{number}"
            structure = f"open-{height}x{width}"
            yield item(name, "open", open_rectangle(height, width), structure, **rules)

    def tight_locks(self) -> Iterator[Item]:
        for number, share in enumerate((0.3, 0.5, 0.7, 0.8), 1):
            # The words of one fill, and of a small list, so that little else fits.
            name = f"locks-fill-{number}"
            chance = chance_of(name)
            draw = partial(american, 15, range(80, 87), 42, chance, 10)
            rows, fill = self.filled(draw, chance)
            names = sorted(fill)
            chance.shuffle(names)
            locks = {one: fill[one] for one in names[: round(share * len(names))]}
            yield item(name, "tight locks", rows, min_score=80, locks=locks)
        for number, (count, least) in enumerate([(2, 40), (2, 60), (3, 40), (3, 60), (3, 80)], 1):
            name = f"locks-theme-{number}"
            chance = chance_of(name)
            rows = american(15, range(80, 87), 42, chance, 10)
            grid = Grid.from_rows(rows)
            across = [slot for slot in grid.slots if slot.direction == ACROSS]
            longest: list[Slot] = []
            for slot in sorted(across, key=lambda slot: (-slot.length, slot.name)):
                if len(longest) < count and all(abs(slot.row - s.row) > 3 for s in longest):
                    longest.append(slot)
            words = self.at_least(60)
            locks = {slot.name: chance.choice(words.group(slot.length).words) for slot in longest}
            yield item(name, "tight locks", rows, min_score=least, locks=locks)

    def corners(self) -> Iterator[Item]:
        for number, least in enumerate((95, 95, 80, 80, 80, 60, 60, 60), 1):
            name = f"corner-{number}"
            chance = chance_of(name)
            draw = partial(american, 15, range(80, 87), 42, chance, 10)
            rows, _ = self.filled(draw, chance)
            locks = self.spoil(Grid.from_rows(rows), least, chance)
            yield item(name, "unfillable corners", rows, min_score=least, locks=locks)

    def spoil(self, grid: Grid, least: int, chance: random.Random) -> dict[str, str]:
        """Locks in the upper left corner that only a search refutes."""
        words = self.at_least(least)
        corner = [slot for slot in grid.slots if max(map(max, slot.cells)) < 7]
        if len(corner) < 3:
            corner = [slot for slot in grid.slots if min(map(max, slot.cells)) < 4]
        while True:
            locks: dict[str, str] = {}
            letters: dict[tuple[int, int], str] = {}
            for slot in chance.sample(corner, min(len(corner), chance.choice((2, 3)))):
                fitting = [
                    word
                    for word in words.group(slot.length).words
                    if word not in locks.values()
                    and all(letters.get(c, x) == x for c, x in zip(slot.cells, word, strict=True))
                ]
                if fitting:
                    locks[slot.name] = chance.choice(fitting)
                    letters |= dict(zip(slot.cells, locks[slot.name], strict=True))
            puzzle = Puzzle(grid, words, locks)
            if arc_consistent(puzzle).wiped_out:
                continue
            if solve(puzzle, "backtrack", time_limit=5).status is Status.UNFILLABLE:
                return locks

    def one_fill(self) -> Iterator[Item]:
        plan = [
            ("american", 9, 30, 0),
            ("american", 15, 83, 0),
            ("american", 13, 66, 0),
            ("lattice", 15, 14, 0),
            ("lattice", 21, 30, 0),
            ("american", 11, 46, 10),
            ("american", 15, 83, 20),
            ("american", 15, 83, 40),
            ("lattice", 17, 18, 1),
        ]
        for number, (style, size, amount, others) in enumerate(plan, 1):
            name = f"one-fill-{size}-{number}"
            chance = chance_of(name)
            blocked, longest = {9: (13, 9), 11: (20, 9), 15: (42, 10), 13: (34, 8)}.get(
                size, (0, 0)
            )
            if style == "lattice":
                draw = partial(lattice, size, amount, chance)
            else:
                slots = range(amount - amount // 15, amount + amount // 15)
                draw = partial(american, size, slots, blocked, chance, longest)
            while True:
                rows, fill = self.filled(draw, chance)
                grid = Grid.from_rows(rows)
                words = self.among_others(fill, others, chance)
                if is_only_fill(Puzzle(grid, Vocabulary(words)), fill):
                    break
            path = f"lists/{name}.txt"
            write(HERE / path, sorted(words))
            yield item(name, "one fill", rows, words=[path])

    def among_others(self, fill: dict[str, str], others: int, chance: random.Random) -> list[str]:
        """Return the words of the fill and a number of other words of each length."""
        words = set(fill.values())
        vocabulary = self.at_least(80)
        for length in sorted({len(word) for word in words}):
            its = [word for word in vocabulary.group(length).words if word not in words]
            words.update(chance.sample(its, min(others, len(its))))
        return sorted(words)

    def growing(self) -> Iterator[Item]:
        plan = [
            (american(9, range(26, 31), 13, chance_of("growing-9")), 9),
            (american(13, range(58, 67), 32, chance_of("growing-13"), 9), 13),
            (lattice(15, 14, chance_of("growing-lattice")), 0),
        ]
        samples = {
            9: (100, 300, 600, 1000, 2000, 4000),
            13: (200, 500, 1000, 2000, 4000, 8000),
            0: (100, 200, 250, 300, 400, 800),
        }
        for rows, kind in plan:
            label = f"growing-{kind or 'lattice'}"
            for sample in samples[kind]:
                yield item(
                    f"{label}-{sample}", "growing lists", rows, label, min_score=40, sample=sample
                )

    def at_least(self, score: int) -> Vocabulary:
        words = self.words
        return Vocabulary({word: words.score(word) for word in words if words.score(word) >= score})

    def filled(
        self, draw: Callable[[], Rows], chance: random.Random
    ) -> tuple[Rows, dict[str, str]]:
        """The first pattern drawn that everyday words fill, and their fill."""
        words = self.at_least(80)
        while True:
            rows = draw()
            seed = chance.randrange(1000)
            outcome = solve(
                Puzzle(Grid.from_rows(rows), words), "backtrack", seed=seed, time_limit=5
            )
            if outcome.fill is not None:
                return rows, dict(outcome.fill)


def chance_of(name: str) -> random.Random:
    return random.Random(f"{SEED} {name}")


def item(name: str, family: str, rows: Rows, structure: str = "", **rules: object) -> Item:
    """An item, its structure written."""
    path = f"grids/{structure or name}.txt"
    write(HERE / path, rows)
    print(name, file=sys.stderr, flush=True)
    return Item(name, family, path, {"words": [WORDS], **rules})


def write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# --- exactly one fill


def is_only_fill(puzzle: Puzzle, fill: dict[str, str]) -> bool:
    """Whether a SAT solver and CP-SAT both find no other fill; they must not disagree."""
    candidates = arc_consistent(puzzle)
    slots = puzzle.grid.slots
    instance = Instance(
        tuple(slot.cells for slot in slots),
        tuple(tuple(candidates.words(number)) for number in range(len(slots))),
    )
    known = [fill[slot.name] for slot in slots]
    answers = {_has_other_by_sat(instance, known), _has_other_by_cpsat(instance)}
    if len(answers) > 1:
        raise SystemExit("a SAT solver and CP-SAT disagree on whether there is another fill")
    return answers == {False}


def _has_other_by_sat(instance: Instance, known: Sequence[str]) -> bool:
    from pysat.solvers import Solver

    clauses, encoding = encode(instance)
    clauses.append([-encoding.words[slot][word] for slot, word in enumerate(known)])
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        return bool(solver.solve())


def _has_other_by_cpsat(instance: Instance) -> bool:
    """Enumerates: there the known fill is one among others, or the only one."""
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        count = 0

        def on_solution_callback(self) -> None:
            self.count += 1
            if self.count > 1:
                self.stop_search()

    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.num_workers = 1  # with more, some solutions are not reported
    solver.parameters.enumerate_all_solutions = True
    solver.solve(CpSatEncoding(instance).model, counter)
    return counter.count > 1


# --- the suite


def make() -> None:
    """Write all files; expected answers of unchanged puzzles are kept."""
    known = {}
    if SUITE.exists():
        for entry in tomllib.loads(SUITE.read_text(encoding="utf-8"))["puzzle"]:
            known[entry["name"]] = entry
    items = []
    for one in Maker().items():
        before = known.get(one.name, {})
        if {**one.rules, "structure": one.structure} == {
            name: value
            for name, value in before.items()
            if name not in ("name", "family", "expected", "how")
        }:
            one = replace(one, expected=before.get("expected", ""), how=before.get("how", ""))
        items.append(one)
    write_suite(items)


def settle(paths: Sequence[str]) -> None:
    """Write into the suite what the runs in these files have established."""
    suite = read_suite(str(SUITE))
    questions = read_puzzles(suite, suite.entries)
    runs: dict[str, list[Record]] = {}
    for path in paths:
        for record in read_records(path):
            runs.setdefault(record.puzzle, []).append(record)
    data = tomllib.loads(SUITE.read_text(encoding="utf-8"))["puzzle"]
    items = []
    for entry, question in zip(data, questions, strict=True):
        its = runs.get(question.hash, [])
        fills = sorted({one.contender for one in its if one.status == FILLED})
        # auto is one of the others, whichever was first.
        proofs = sorted(
            {one.backend for one in its if one.status == UNFILLABLE and one.backend in KINDS}
        )
        if fills and proofs:
            raise SystemExit(f"{question.name}: filled by {fills}, unfillable by {proofs}")
        expected, how = entry.pop("expected", ""), entry.pop("how", "")
        if fills:
            expected, how = FILLED, f"verified fills by {', '.join(fills)}"
        elif len(proofs) > 1:
            expected, how = UNFILLABLE, f"proofs by {', '.join(proofs)}"
        name, family, structure = (entry.pop(key) for key in ("name", "family", "structure"))
        items.append(Item(name, family, structure, entry, expected, how))
        if not expected:
            print(f"{name}: not settled", file=sys.stderr)
    write_suite(items)


def write_suite(items: Sequence[Item]) -> None:
    lines = [
        "# Written by make_graded.py, which says how; docs/comparing.md describes the format.",
        "suite = 1",
        f"title = {to_toml(TITLE)}",
    ]
    for one in items:
        values = {"name": one.name, "family": one.family, "structure": one.structure, **one.rules}
        if one.expected:
            values |= {"expected": one.expected, "how": one.how}
        lines += ["", "[[puzzle]]"]
        lines += [f"{name} = {to_toml(value)}" for name, value in values.items()]
    write(SUITE, lines)


def to_toml(value: object) -> str:
    if isinstance(value, dict):
        pairs = ", ".join(f"{name} = {to_toml(its)}" for name, its in sorted(value.items()))
        return f"{{ {pairs} }}"
    # Texts, numbers and lists of texts are written as in JSON.
    return json.dumps(value, ensure_ascii=False)


def run_command(
    about: str, make: Callable[[], None], name: str, establish: Callable[[Sequence[str]], None]
) -> None:
    """Run ``make`` or, with files of runs, the command ``name``; ``about`` is shown as help."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    commands = parser.add_subparsers(required=True, dest="command")
    commands.add_parser("make", help="write what the suite consists of")
    commands.add_parser(name, help="write what runs have established").add_argument(
        "runs", nargs="+"
    )
    options = parser.parse_args()
    if options.command == "make":
        make()
    else:
        establish(options.runs)


if __name__ == "__main__":
    run_command(__doc__ or "", make, "settle", settle)
