"""Make the public suite's version 2: few puzzles, as hard as they are telling, with their runs.

    python data/bench/make_public2.py grade public-2-runs.jsonl --minutes 60
        # runs what is missing, stage by stage; repeat to go on
    python data/bench/make_public2.py settle public-2-runs.jsonl
        # writes public-2.toml, public-2.jsonl and docs/public-suite-2.md

Candidates are grids of all kinds with samples of word lists whose size is a share of the first-
moment estimate, from too few words to more than enough (docs/sweep.md). The stages:

1. ``FAST``, the two programs that are fastest nearly everywhere, run for a few seconds. A candidate
   that takes less than a second is dropped after one run.
2. The same two run with rising limits on some of those without an answer, by turns from all
   families.
3. "Unfillable" is proved, and the proof is checked.
4. The fastest program runs with two more seeds, which give the interval of the hardness.
5. ``OTHERS``, programs of other authors, run for a few seconds.

``settle`` takes the candidates whose fastest program takes a second or more, at most ``PER_STEP``
per third of a decade, by turns from all families, and at most ``OPEN`` that are open: without an
answer within the last limit. What had no answer within a shorter one is left out. A puzzle is
*settled* by a verified fill, by a checked proof, or by programs of two authors that call it
unfillable. Its *hardness* is the CPU seconds of the fastest run. Each run has the CPU seconds of a
calibration loop that ran just before it, since machines differ. Each line of public-2.jsonl has the
hash, family, result and features of a puzzle, as in GBD (M. Iser and C. Sinz, "A problem meta-data
library for research in SAT", 2018); its runs are in the other file.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from make_graded import HERE, american, chance_of, lattice, open_rectangle, to_toml, write
from make_public import HALF, LISTS, Entry, draw_bars, entry, vocabulary

from satcross.compare.backend_contenders import BackendContender
from satcross.compare.contenders import Instance, Run
from satcross.compare.limits import RunLimits
from satcross.compare.records import FILLED, UNFILLABLE, Record, RecordFile, read_records
from satcross.compare.runs import execute
from satcross.compare.suite import Suite, SuitePuzzle, read_puzzles
from satcross.compare.sweep import FirstMoment
from satcross.formats.decorated_text import decorated_text
from satcross.grid import OPEN as OPEN_CELL
from satcross.grid import Grid

SUITE, LINES = HERE / "public-2.toml", HERE / "public-2.jsonl"
PAGE = HERE.parent.parent / "docs" / "public-suite-2.md"
FAST = (BackendContender("backtrack"), BackendContender("letters"))
OTHERS = (BackendContender("cpsat"), BackendContender("sat", "cadical195", "full"))
AUTHORS = {"cpsat": "OR-Tools", "sat/cadical195/full": "CaDiCaL"}
"""The authors of programs; all others are satcross."""
STAGES = ((4, 1000), (20, 16), (100, 4), (300, 3))
"""CPU seconds of the two fast programs, and the largest number of puzzles with this limit."""
OTHERS_LIMIT, PROOF_LIMITS, CHECK_LIMIT, MEMORY = 10, (60, 300), 1200, 4000
SEEDS = (1, 2)
PER_STEP, OPEN = 28, 12
SHARES = (
    *(0.85, 1.2, 1.0, 0.7, 1.45, 0.95, 1.1, 0.6, 1.7, 0.8, 0.9, 1.3, 0.65, 0.75, 0.5, 2.0),
    *(0.88, 0.92, 0.98, 1.05, 1.15, 1.25),
)
"""Sizes of samples, divided by the estimated one."""

UNANSWERED = 10**6
"""Above all steps of puzzles with an answer; those with longer limits come first."""

Item = TypeVar("Item")
Line = dict[str, Any]
"""The line of a puzzle in public-2.jsonl."""


def grids() -> Iterator[tuple[str, str, Grid, str]]:
    """Yield the family, the name and the cells of each grid, and the shares that suit it."""
    for sides, shares in (
        ((5, 7), "0.7 0.75 0.8 0.85 0.88 0.9 0.92 0.95 0.98 1.0 1.05 1.1 1.2"),
        ((6, 6), "0.6 0.65 0.7 0.75 0.85 1.0 1.05 1.1 1.15 1.2 1.25 1.3"),
        ((5, 6), "0.85 1.2"),
        ((4, 8), "0.85 1.2"),
    ):
        name = f"open-{sides[0]}x{sides[1]}"
        yield "open", name, Grid.from_rows(open_rectangle(*sides)), shares
    rows, hard = lattice(9, 0, chance_of("lattice")), "0.7 0.85 1.0 1.2"
    shares = f"{hard} 0.8 0.88 0.9 0.92 0.95 0.98 1.1 1.45"
    yield "lattice", "lattice-9x9", Grid.from_rows(rows), shares
    yield "small", *newspaper(9, range(24, 32), 10), f"0.5 0.6 {hard} 1.3 1.45 1.7"
    yield "small", *newspaper(11, range(40, 52), 16), f"0.6 0.65 {hard} 1.45 1.7"
    yield "wide", *newspaper(15, range(64, 73), 32), f"0.6 {hard} 1.45"
    shares = f"0.6 0.65 0.75 0.8 {hard} 1.1 1.25 1.3 1.45"
    yield "newspaper", *newspaper(15, range(72, 79), 36), shares
    yield "newspaper", *newspaper(21, range(128, 147), 72), hard
    yield "wide", *newspaper(13, range(50, 62), 24), f"{hard} 1.45"
    near = "0.85 0.88 0.9 0.92 0.95 0.98 1.0 1.2"
    for size, bars, shares in (
        (8, 16, "0.85 1.2"),
        (10, 30, near),
        (11, 40, near),
        (13, 56, "0.85 1.2"),
        (9, 24, f"{near} 1.45"),
        (12, 48, near),
    ):
        bar_set = draw_bars(size, bars, chance_of(f"public-2 {size} bars"))
        yield "barred", f"barred-{size}", Grid((OPEN_CELL * size,) * size, bars=bar_set), shares
    for sides in ((5, 8), (6, 7)):
        shares = "1.1 1.15 1.2 1.25 1.3" + (
            " 0.8 0.85 0.9 0.95 1.0 1.05" if sides == (5, 8) else ""
        )
        name = f"open-{sides[0]}x{sides[1]}"
        yield "open", name, Grid.from_rows(open_rectangle(*sides)), shares
    for index in (2, 3):
        shares = "0.7 1.0 1.2 1.45"
        yield "newspaper", *newspaper(15, range(72, 79), 36, f" {index}"), shares


def newspaper(size: int, slots: range, blocks: int, index: str = "") -> tuple[str, Grid]:
    rows = american(size, slots, blocks, chance_of(f"public-2 {size} {slots.start}{index}"), 13)
    return f"american-{size}-{slots.start}{index.replace(' ', '-')}", Grid.from_rows(rows)


def candidates() -> Iterator[Entry]:
    """Yield the candidates; each grid gets another list with each share."""
    words = {name: vocabulary(path) for name, path in LISTS.items()}
    shapes = list(grids())

    @cache
    def estimate(place: int, name: str) -> float | None:
        return FirstMoment.of(shapes[place][2], words[name]).threshold()

    for turn, share in enumerate(SHARES):
        for place, (family, shape, grid, shares) in enumerate(shapes):
            if str(share) not in shares.split():
                continue
            name = list(LISTS)[(turn + place) % len(LISTS)]
            if (size := estimate(place, name)) is not None:
                text = decorated_text(grid, [[None] * grid.width] * grid.height, block="#")
                sample = (LISTS[name], round(HALF * share * size), 20 + turn)
                yield entry(f"{shape}-{share}-{name}", family, text, *sample)


def read(tables: Sequence[Entry]) -> list[Instance]:
    given: list[dict[str, Any]] = [dict(table) for table in tables]
    for table in given:
        table["words"] = tuple(table["words"])
    entries = tuple(SuitePuzzle(**table, line=number) for number, table in enumerate(given))
    return read_puzzles(Suite(str(SUITE), entries), entries)


def by_turns(families: Iterable[Sequence[Item]]) -> list[Item]:
    """Return the items of all families, one of each in turn."""
    return [item for turn in zip_longest(*families) for item in turn if item is not None]


def loop_seconds() -> float:
    """Return the CPU seconds of a fixed loop, by which those of machines can be compared."""
    begin, total = time.process_time(), 0
    for number in range(2_000_000):
        total += number & 7
    return round(time.process_time() - begin, 4)


class Known:
    """The records so far, by puzzle."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.keys: set[object] = set()
        self.runs: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        self.keys.add(record.key)
        self.runs[record.puzzle].append(record)

    def fastest(self, instance: Instance) -> Record | None:
        """Return the fastest run with the first seed that has an answer."""
        runs = (run for run in self.runs[instance.hash] if run.answered and not run.certified)
        return min((run for run in runs if run.seed == 0), key=lambda run: run.cpu, default=None)

    def is_easy(self, instance: Instance) -> bool:
        fastest = self.fastest(instance)
        return fastest is not None and fastest.cpu < 1

    def is_proved(self, instance: Instance) -> bool:
        return any(run.certified and run.verified for run in self.runs[instance.hash])

    def longest(self, instance: Instance) -> float:
        """Return the largest limit that both fast programs have had."""
        names = [contender.name for contender in FAST]
        limits = [
            [run.limits["cpu"] or 0 for run in self.runs[instance.hash] if run.contender == name]
            for name in names
        ]
        return min(max(own, default=0) for own in limits)


def proofs_of(path: str) -> str:
    """Return the path of the certified runs, which would be another contender in a report."""
    return str(Path(path).with_suffix(".proofs.jsonl"))


def recorded(path: str) -> Iterator[Record]:
    for each in (path, proofs_of(path)):
        yield from read_records(each) if Path(each).exists() else ()


def grade(path: str, minutes: float, stages: Sequence[str]) -> None:
    """Run what is missing, until the minutes are over."""
    deadline = time.monotonic() + 60 * minutes
    instances = read(list(candidates()))
    with RecordFile(path) as file, RecordFile(proofs_of(path)) as proofs:
        known = Known(recorded(path))
        for stage in stages:
            for run in STEPS[stage](instances, known):
                if run.key in known.keys:
                    continue
                if time.monotonic() > deadline:
                    print("the time is over; repeat the command to go on")
                    return
                loop = loop_seconds()
                record = execute(run)
                record = replace(record, stats={**record.stats, "loop_seconds": loop})
                known.add(record)
                (proofs if run.certify else file).add(record)
                print(
                    f"{run.instance.name}: {record.contender}, {record.status}, "
                    f"{record.cpu:.1f} of {run.limits.cpu:g} s",
                    flush=True,
                )


def race(limit: int, number: int, instances: list[Instance], known: Known) -> Iterator[Run]:
    """Yield the runs of the two fast programs within a limit, on so many puzzles without answer."""
    families = defaultdict(list)
    before = max([0, *(other for other, _ in STAGES if other < limit)])
    for instance in instances:
        answer = known.fastest(instance)
        if answer.limits["cpu"] == limit if answer else known.longest(instance) >= before:
            families[instance.family].append(instance)
    for instance in by_turns(families.values())[:number]:
        for contender in FAST:
            if not known.is_easy(instance):
                yield Run(instance, contender, RunLimits(20 * limit, limit, MEMORY))


def prove(instances: list[Instance], known: Known) -> Iterator[Run]:
    denied = [
        (answer.cpu, instance)
        for instance in instances
        if (answer := known.fastest(instance)) and answer.status == UNFILLABLE and answer.cpu >= 1
    ]
    for limit in PROOF_LIMITS:
        for _, instance in sorted(denied, key=lambda pair: pair[0]):
            if not known.is_proved(instance):
                limits = RunLimits(20 * limit, limit, MEMORY)
                yield Run(instance, FAST[0], limits, certify=True, check_seconds=CHECK_LIMIT)


def reseed(instances: list[Instance], known: Known) -> Iterator[Run]:
    for instance in instances:
        answer = known.fastest(instance)
        if answer and answer.cpu >= 1:
            contender = next(each for each in (*FAST, *OTHERS) if each.name == answer.contender)
            limit = next(limit for limit, _ in STAGES if limit >= 4 * answer.cpu or limit == 300)
            for seed in SEEDS:
                yield Run(instance, contender, RunLimits(20 * limit, limit, MEMORY), seed)


def others(instances: list[Instance], known: Known) -> Iterator[Run]:
    for instance in instances:
        if known.runs[instance.hash] and not known.is_easy(instance):
            for contender in OTHERS:
                limits = RunLimits(20 * OTHERS_LIMIT, OTHERS_LIMIT, MEMORY)
                yield Run(instance, contender, limits)


STEPS: dict[str, Callable[[list[Instance], Known], Iterator[Run]]] = {
    **{f"{limit}s": partial(race, limit, number) for limit, number in STAGES},
    "prove": prove,
    "seeds": reseed,
    "others": others,
}
"""The stages by name, in the order in which they run."""


def settle(path: str) -> None:
    """Choose from the candidates that have runs; write the suite, its lines and the page."""
    known = Known(recorded(path))
    tables = list(candidates())
    steps: dict[int, dict[str, list[tuple[Entry, Line]]]] = {}
    for table, instance in zip(tables, read(tables), strict=True):
        answer, limit = known.fastest(instance), known.longest(instance)
        if limit and not known.is_easy(instance):
            if answer is None and limit < STAGES[-1][0]:
                continue
            step = UNANSWERED if answer is None else step_of(answer.cpu)
            family = steps.setdefault(step, defaultdict(list))
            found = (table | {"digest": instance.hash}, describe(instance, known))
            family[instance.family].append(found)
    chosen = []
    for step, families in sorted(steps.items()):
        chosen += by_turns(families.values())[: OPEN if step == UNANSWERED else PER_STEP]
    write_suite(chosen)
    lines = [line for _, line in chosen]
    LINES.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    PAGE.write_text(page(lines, [known.runs[line["hash"]] for line in lines]), encoding="utf-8")
    print(f"{len(chosen)} of {len(tables)} candidates")


def step_of(seconds: float) -> int:
    """Return the third of a decade in which a time lies; 0 is from 1 s to 2.2 s."""
    return math.floor(3 * math.log10(seconds))


def page(lines: Sequence[Line], runs: Sequence[Sequence[Record]]) -> str:
    """Return the page of the documentation about the suite."""
    all_runs = [run for own in runs for run in own]
    programs = Counter(run.contender for run in all_runs)
    loops = median(float(run.stats["loop_seconds"]) for run in all_runs)
    steps = sorted({step_of(line["cpu"]) for line in lines if line["cpu"]})
    limits = sorted({line["limit"] for line in lines if not line["cpu"]})
    columns = [f"{10 ** (step / 3):.2g} to {10 ** ((step + 1) / 3):.2g} s" for step in steps]
    columns += [f"> {limit:g} s" for limit in limits]
    families = Counter(line["family"] for line in lines)
    text = [
        "# The public suite, version 2",
        "",
        "Written by `python data/bench/make_public2.py settle RUNS.jsonl`; do not edit.",
        "",
        f"{len(lines)} puzzles: " + ", ".join(f"{n} {name}" for name, n in families.items()) + ". "
        "Columns: CPU seconds of the fastest program, or the limit of `backtrack` and `letters` "
        "without an answer.",
        "",
        "| |" + " | ".join([*columns, "all"]) + " |",
        "|" + "---|" * (len(columns) + 2),
    ]
    for name, result in (("filled", "sat"), ("unfillable", "unsat"), ("not settled", "unknown")):
        own = [line for line in lines if line["result"] == result]
        times = Counter(step_of(line["cpu"]) for line in own if line["cpu"])
        late = Counter(line["limit"] for line in own if not line["cpu"])
        numbers = (*(times[step] for step in steps), *(late[limit] for limit in limits), len(own))
        text.append(f"| {name} | {' | '.join(map(str, numbers))} |")
    text += [
        "",
        "Runs: "
        + ", ".join(f"{name} {number}" for name, number in programs.most_common())
        + f". The calibration loop took {loops:.3f} s (median). `data/bench/public-2.jsonl` has "
        "the hash, family, features and hardness of each puzzle, `public-2-runs.jsonl` the runs.",
        "",
    ]
    return "\n".join(text)


def describe(instance: Instance, known: Known) -> Line:
    """Return the line of a puzzle."""
    runs = known.runs[instance.hash]
    fills = [run for run in runs if run.status == FILLED and run.verified]
    denials = [run for run in runs if run.status == UNFILLABLE]
    if fills and denials:
        raise SystemExit(
            f"{instance.name}: {fills[0].contender} fills it, {denials[0].contender} not"
        )
    by = {AUTHORS.get(run.contender, "satcross") for run in denials}
    how = "a verified fill" if fills else ""
    if denials:
        proved = any(run.verified for run in denials)
        how = "a checked proof" if proved else f"programs by {', '.join(sorted(by))}"
        how = how if proved or len(by) > 1 else ""
    fastest = known.fastest(instance)
    seeds = [
        run.cpu if run.answered else None
        for run in runs
        if fastest and run.contender == fastest.contender and run.seed and not run.certified
    ]
    times = [fastest.cpu if fastest else None, *seeds]
    solved = sorted(cpu for cpu in times if cpu is not None)
    grid = instance.puzzle.grid
    return {
        "hash": instance.hash,
        "name": instance.name,
        "family": instance.family,
        "result": "unknown" if not how else "sat" if fills else "unsat",
        "how": how,
        "fastest": fastest.contender if fastest else None,
        "cpu": fastest.cpu if fastest else None,
        "interval": [solved[0], solved[-1] if None not in times else None] if seeds else None,
        "loops": fastest and round(fastest.cpu / float(fastest.stats["loop_seconds"]), 1),
        "limit": known.longest(instance),
        "features": {
            "height": grid.height,
            "width": grid.width,
            "crossings": len(grid.crossings),
            **runs[0].size,
        },
    }


def write_suite(chosen: Sequence[tuple[Entry, Line]]) -> None:
    title = to_toml("satcross public suite, version 2")
    lines = ["# Written by make_public2.py.", "suite = 1", f"title = {title}"]
    for table, line in chosen:
        found: Entry = dict(table)
        if line["how"]:
            found |= {
                "expected": FILLED if line["result"] == "sat" else UNFILLABLE,
                "how": line["how"],
            }
        found["hardness"] = "open" if line["cpu"] is None else f"{line['cpu']:.3g} s"
        lines += ["", "[[puzzle]]"]
        for name, value in found.items():
            text = f'"""\n{value}"""' if name == "structure" else to_toml(value)
            lines.append(f"{name} = {text}")
    write(SUITE, lines)
    tomllib.loads(SUITE.read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command", choices=("grade", "settle"))
    parser.add_argument("runs", type=Path)
    parser.add_argument("--minutes", type=float, default=240.0)
    parser.add_argument("--stages", nargs="+", choices=STEPS, default=list(STEPS))
    given = parser.parse_args()
    if given.command == "grade":
        grade(str(given.runs), given.minutes, given.stages)
    else:
        settle(str(given.runs))


if __name__ == "__main__":
    main()
