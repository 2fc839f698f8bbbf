"""Make the public suite, and write into it and into the documentation what runs have established.

    python data/bench/make_public.py make
        # writes public-1.toml; labels of puzzles that have not changed are kept
    python data/bench/make_public.py label RUNS.jsonl...
        # writes expected answers and hardness into public-1.toml, and docs/public-suite.md; keeps
        # what is there about puzzles without runs in these files

The puzzles of a released version never change: each has the digest of its grid, words and rules,
which every reading checks. New puzzles go into public-2.toml. Patterns are drawn from the puzzle's
name by the functions of ``make_graded.py``; the lists are free and fixed (scowl70, the UK Advanced
Cryptics Dictionary 18, the Collaborative Word List from score 50), and samples of them follow
docs/comparing.md.

classic       Newspaper patterns from 5x5 to 23x23, like the patterns of the literature since
              Ginsberg (1990), each with every list.
wide open     15x15 patterns with 64 to 70 slots, with every list.
half-*        Open rectangles and lattices with samples near the size at which half have a fill:
              15 % above the first-moment estimate (docs/sweep.md), and 10 % more and less.
too few       The same with 60 % of the estimate, where a fill is unlikely.
barred        Open squares with bars that leave slots of three letters or more.
rebus         11x11 newspaper patterns with cells that hold two given letters.

A puzzle is *expected* to be filled if a verified fill is known. It is expected to be unfillable if
a run of a program had a checked proof, or if backends of two kinds agree. *Hardness*, for the
contenders in the runs: ``easy`` if all answer within their limits, ``medium`` if some do,
``open`` if none does, and ``unlabelled`` with runs of fewer than two contenders.
"""

from __future__ import annotations

import csv
import random
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from make_graded import (
    HERE,
    KINDS,
    Rows,
    american,
    chance_of,
    lattice,
    open_rectangle,
    run_command,
    to_toml,
    write,
)

from satcross.compare.records import FILLED, UNFILLABLE, Record, read_records
from satcross.compare.suite import read_puzzles, read_suite
from satcross.compare.sweep import FirstMoment
from satcross.formats.decorated_text import decorated_text
from satcross.formats.files import read_text
from satcross.formats.words import parse_words
from satcross.grid import OPEN, Bar, Cell, Grid
from satcross.vocabulary import Vocabulary

SUITE = HERE / "public-1.toml"
TABLE = HERE.parent.parent / "docs" / "public-suite.md"
ROWS = HERE / "public-1.csv"
TITLE = "satcross public suite, version 1"
LISTS = {
    "scowl70": "lists/scowl70.txt.gz",
    "ukacd18": "../sources/UKACD18plus.txt.gz",
    "cwl50": "../sources/cwl50.dict.gz",
}
CLASSIC_SAMPLE = 5000
"""Largest number of words of each length in classic, barred and rebus puzzles."""
HALF = 1.15
"""Size at which half of the samples have a fill, divided by the estimate: 1.07 to 1.21 measured."""

Entry = dict[str, object]


def entries() -> Iterator[Entry]:
    """Yield the puzzles without their digests."""
    yield from classic()
    yield from wide_open()
    yield from near_the_estimate()
    yield from barred()
    yield from rebus()


def classic() -> Iterator[Entry]:
    shapes = {
        5: (range(10, 11), 4, 5, 4),
        9: (range(24, 32), 14, 9, 4),
        13: (range(58, 67), 32, 9, 6),
        15: (range(74, 85), 40, 11, 8),
        19: (range(122, 147), 72, 13, 6),
        21: (range(146, 187), 90, 13, 6),
        23: (range(170, 217), 106, 13, 6),
    }
    seen: set[str] = set()
    for size, (slots, blocks, longest, number) in shapes.items():
        for index in range(1, number + 1):
            name = f"classic-{size}-{index}"
            chance = chance_of(name)
            text = plain(american(size, slots, blocks, chance, longest))
            while text in seen:
                text = plain(american(size, slots, blocks, chance, longest))
            seen.add(text)
            yield from with_lists(name, "classic", text, CLASSIC_SAMPLE)


def wide_open() -> Iterator[Entry]:
    for index in range(1, 9):
        name = f"wide-15-{index}"
        rows = american(15, range(64, 71), 32, chance_of(name), 13)
        yield from with_lists(name, "wide open", plain(rows), 4 * CLASSIC_SAMPLE)


def near_the_estimate() -> Iterator[Entry]:
    shapes = [
        (f"open-{h}x{w}", open_rectangle(h, w))
        for h, w in ((4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (6, 6))
    ]
    shapes += [
        (f"lattice-{size}x{size}", lattice(size, 0, chance_of("lattice")))
        for size in (7, 9, 11, 13)
    ]
    vocabularies = {name: vocabulary(path) for name, path in LISTS.items()}
    for shape, rows in shapes:
        for seed, (name, path) in enumerate(LISTS.items()):
            estimate = FirstMoment.of(Grid.from_rows(rows), vocabularies[name]).threshold()
            if estimate is None:
                continue
            for label, factor in (("low", 0.9), ("half", 1.0), ("high", 1.1)):
                size = round(HALF * factor * estimate)
                yield entry(
                    f"{shape}-{label}-{name}",
                    f"half-{shape.partition('-')[0]}",
                    plain(rows),
                    path,
                    size,
                    seed,
                )
            yield entry(
                f"{shape}-few-{name}", "too few", plain(rows), path, round(0.6 * estimate), seed
            )


def barred() -> Iterator[Entry]:
    for size, bars in ((7, 16), (8, 22), (9, 30), (10, 38), (11, 46), (12, 56)):
        for index in (1, 2):
            name = f"barred-{size}-{index}"
            grid = Grid((OPEN * size,) * size, bars=draw_bars(size, bars, chance_of(name)))
            text = decorated_text(grid, [[None] * size] * size, block="#")
            yield from with_lists(name, "barred", text, CLASSIC_SAMPLE)


def rebus() -> Iterator[Entry]:
    for index in range(1, 7):
        name = f"rebus-11-{index}"
        chance = chance_of(name)
        rows = american(11, range(44, 53), 24, chance, 9)
        letters: list[list[str | None]] = [[None] * 11 for _ in rows]
        cells = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == OPEN]
        for (row, column), text in zip(chance.sample(cells, 3), ("ER", "IN", "ST"), strict=True):
            letters[row][column] = text
        text = decorated_text(Grid.from_rows(rows), letters, block="#")
        yield from with_lists(name, "rebus", text, CLASSIC_SAMPLE)


def draw_bars(size: int, number: int, chance: random.Random) -> frozenset[Bar]:
    """Draw bars, the same after half a turn, such that no slot has two letters."""
    places: list[Bar] = [((r, c), (r, c + 1)) for r in range(size) for c in range(size - 1)]
    places += [((r, c), (r + 1, c)) for r in range(size - 1) for c in range(size)]
    while True:
        chance.shuffle(places)
        bars: set[Bar] = set()
        for bar in places:
            pair = {bar, turned(bar, size)}
            if len(bars) < number and is_legal(bars | pair, size):
                bars |= pair
        if len(bars) >= number:
            return frozenset(bars)


def turned(bar: Bar, size: int) -> Bar:
    def turn(cell: Cell) -> Cell:
        return size - 1 - cell[0], size - 1 - cell[1]

    return turn(bar[1]), turn(bar[0])


def is_legal(bars: set[Bar], size: int) -> bool:
    """Whether each slot has three letters or more, and each cell is in one."""
    slots = Grid((OPEN * size,) * size, bars=frozenset(bars)).slots
    covered = {cell for slot in slots for cell in slot.cells}
    return len(covered) == size * size and min(slot.length for slot in slots) > 2


def plain(rows: Rows) -> str:
    return "".join(f"{row}\n" for row in rows)


def with_lists(name: str, family: str, text: str, sample: int) -> Iterator[Entry]:
    for label, path in LISTS.items():
        yield entry(f"{name}-{label}", family, text, path, sample, 0)


def entry(name: str, family: str, text: str, path: str, sample: int, seed: int) -> Entry:
    """Return the table of a puzzle; every sample has a seed, also where it is the default."""
    return {
        "name": name,
        "family": family,
        "structure": text,
        "words": [path],
        "sample": sample,
        "sample_seed": seed,
    }


def vocabulary(path: str) -> Vocabulary:
    return parse_words([read_text(str(HERE / path))]).vocabulary


# --- labels


def label(paths: Sequence[str]) -> None:
    """Write what the runs in these files have established."""
    tables = tomllib.loads(SUITE.read_text(encoding="utf-8"))["puzzle"]
    runs: dict[str, dict[str, Record]] = defaultdict(dict)
    for path in paths:
        for record in read_records(path):
            runs[record.puzzle][record.contender] = record
    for table in tables:
        if not runs[table["digest"]]:
            continue
        found = labels(table["name"], runs[table["digest"]])
        if str(table.get("how", "")).startswith("checked proof"):  # nothing is better known
            found.pop("how", None)
        table |= {"hardness": "unlabelled"} | found
    write_suite(tables)
    TABLE.write_text(best_known(tables, runs), encoding="utf-8")


def labels(name: str, runs: Mapping[str, Record]) -> Entry:
    """Return the expected answer, how it is known, and the hardness by these runs."""
    fills = [key for key, one in sorted(runs.items()) if one.status == FILLED and one.verified]
    without = {key: one for key, one in runs.items() if one.status == UNFILLABLE}
    if fills and without:
        raise SystemExit(f"{name}: filled by {fills}, unfillable by {sorted(without)}")
    found: Entry = {}
    proved = [key for key, one in sorted(without.items()) if one.verified]
    kinds = [one for one in KINDS if one in {its.backend for its in without.values()}]
    if fills:
        found = {"expected": FILLED, "how": f"verified fills by {', '.join(fills)}"}
    elif proved:
        found = {"expected": UNFILLABLE, "how": f"checked proof by {', '.join(proved)}"}
    elif len(kinds) > 1:
        found = {"expected": UNFILLABLE, "how": f"proofs by {', '.join(kinds)}"}
    if len(runs) > 1:
        answered = len(fills) + len(without)
        found["hardness"] = "easy" if answered == len(runs) else "medium" if answered else "open"
    return found


def best_known(tables: Sequence[Entry], runs: Mapping[str, Mapping[str, Record]]) -> str:
    """Return the page on the best-known answers, and write their table.

    A puzzle without runs keeps the row that it has now.
    """
    before = TABLE.read_text(encoding="utf-8")
    with ROWS.open(encoding="utf-8", newline="") as file:
        header, *known = csv.reader(file)
    rows = {row[0]: row for row in known}
    earlier = re.search(
        r"^Runs of (.*); limits in CPU seconds: ([^;]*?)\. CPU", before, re.MULTILINE
    )
    earlier_names, earlier_limits = (
        (one.split(", ") for one in earlier.groups()) if earlier else ((), ())
    )
    contenders = sorted({one for its in runs.values() for one in its}.union(earlier_names))
    limits = set(map(float, earlier_limits)) | {
        float(limit)
        for its in runs.values()
        for one in its.values()
        if (limit := one.limits.get("cpu") or one.limits.get("wall")) is not None
    }
    lines = [
        "# The public suite: best-known answers",
        "",
        "Written by `python data/bench/make_public.py label RUNS.jsonl`; do not edit. "
        "[comparing.md](comparing.md#the-public-suite) describes the suite.",
        "",
        f"Runs of {', '.join(contenders)}; limits in CPU seconds: "
        f"{', '.join(f'{one:g}' for one in sorted(limits))}. CPU seconds are those of the fastest "
        "contender with an answer, and cover the whole run. Not every contender ran every puzzle; "
        "`public-1.csv` names those that answered.",
        "",
        "| family | puzzles | filled | unfillable | not settled "
        "| easy | medium | open | unlabelled |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    families: dict[object, Counter[object]] = defaultdict(Counter)
    for table in tables:
        for family in (table["family"], "**all**"):
            families[family].update(
                ("puzzles", table.get("expected", "not settled"), table["hardness"])
            )
    families["**all**"] = families.pop("**all**")
    columns = ("puzzles", FILLED, UNFILLABLE, "not settled", "easy", "medium", "open", "unlabelled")
    for name, counts in families.items():
        lines.append(f"| {name} | " + " | ".join(str(counts[one]) for one in columns) + " |")
    written = [header]
    for table in tables:
        if not runs[str(table["digest"])] and table["name"] in rows:
            written.append(rows[table["name"]])
            continue
        times = [
            record.cpu
            for record in runs[str(table["digest"])].values()
            if record.cpu is not None and record.status == table.get("expected")
        ]
        best = f"{min(times):.2f}" if times else ""
        answer, how = table.get("expected", ""), table.get("how", "")
        row = (table["name"], answer, how, best, table["hardness"])
        written.append(list(map(str, row)))
    with ROWS.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(written)
    lines += [
        "",
        "[data/bench/public-1.csv](../data/bench/public-1.csv) has the row of each puzzle.",
    ]
    return "\n".join(lines) + "\n"


# --- the file


def make() -> None:
    """Write the suite; labels of puzzles with the same digest are kept."""
    before = {}
    if SUITE.exists():
        known = tomllib.loads(SUITE.read_text(encoding="utf-8"))["puzzle"]
        before = {one["digest"]: one for one in known}
    tables = list(entries())
    write_suite(tables)
    suite = read_suite(str(SUITE))
    for table, one in zip(tables, read_puzzles(suite, suite.entries), strict=True):
        table["digest"] = one.hash
        old = before.get(one.hash, {})
        table |= {key: old[key] for key in ("expected", "how", "hardness") if key in old}
    write_suite(tables)
    print(f"{len(tables)} puzzles, {SUITE.stat().st_size} bytes", file=sys.stderr)


def write_suite(tables: Sequence[Entry]) -> None:
    lines = [
        "# Written by make_public.py, which says how; docs/comparing.md describes the format.",
        "suite = 1",
        f"title = {to_toml(TITLE)}",
    ]
    for table in tables:
        lines += ["", "[[puzzle]]"]
        for name, value in table.items():
            text = f'"""\n{value}"""' if name == "structure" else to_toml(value)
            lines.append(f"{name} = {text}")
    write(SUITE, lines)


if __name__ == "__main__":
    run_command(__doc__ or "", make, "label", label)
