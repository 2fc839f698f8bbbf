"""Make the public suite's version 2: few puzzles, as hard as they are telling, with their runs.

    python data/bench/make_public2.py grade public-2-runs.jsonl --minutes 60
        # runs what is missing on the candidates, in rounds of rising limits; repeat to go on
    python data/bench/make_public2.py settle public-2-runs.jsonl
        # writes public-2.toml and public-2.jsonl

Candidates are drawn like the puzzles of ``make_public.py``, from other seeds. A round gives each
program its limit on the candidates that fewer than two programs of different authors have answered
so far; the last one, for candidates that are still open, is for the best two programs alone. From
those whose fastest program takes a second or more, ``settle`` takes at most ``PER_STEP`` per third
of a decade, by turns from all families, and at most ``OPEN`` that nobody has answered.

A puzzle is *settled* by a verified fill, by a checked proof, or by programs of two authors that
call it unfillable. Its *hardness* is the CPU seconds of the fastest run, with those of the fastest
runs of the other seeds as an interval, divided by those of a calibration loop that ran just before:
machines differ. Each line of public-2.jsonl has the hash, the family, the result and the features
of a puzzle, as in GBD (Iser and Sinz, "A problem meta-data library for research in SAT", 2018), and
its runs.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product, zip_longest
from pathlib import Path
from typing import Any

from make_graded import HERE, american, chance_of, lattice, open_rectangle, to_toml, write
from make_public import HALF, LISTS, Entry, draw_bars, entry, plain, vocabulary

from satcross.compare.backend_contenders import BackendContender
from satcross.compare.limits import RunLimits
from satcross.compare.records import FILLED, UNFILLABLE, Record, RecordFile, read_records
from satcross.compare.runs import Instance, Run, execute
from satcross.compare.suite import Suite, SuitePuzzle, read_puzzles
from satcross.compare.sweep import FirstMoment
from satcross.formats.decorated_text import decorated_text
from satcross.grid import OPEN as OPEN_CELL
from satcross.grid import Grid

SUITE, LINES = HERE / "public-2.toml", HERE / "public-2.jsonl"
PROGRAMS = {
    "letters": (BackendContender("letters"), "satcross"),
    "backtrack": (BackendContender("backtrack"), "satcross"),
    "cadical195": (BackendContender("sat", "cadical195", "full"), "CaDiCaL"),
    "cpsat": (BackendContender("cpsat"), "OR-Tools"),
}
"""The programs, in the order in which they run, with their authors."""
ROUNDS = (10, 60, 300)
"""CPU seconds of each program, round by round."""
OPEN_LIMIT, SEEDS = 1800, (0, 1, 2)
MEMORY = 4000
PER_STEP, OPEN = 8, 12


Known = dict[object, Record]
"""The records so far by their keys."""


def candidates() -> Iterator[Entry]:
    """Yield the candidates, each family from small to large."""
    for family in zip_longest(near(), wide(), classic(), barred()):
        yield from (table for table in family if table is not None)


def near() -> Iterator[Entry]:
    shapes = [(f"open-{h}x{w}", open_rectangle(h, w)) for h, w in ((4, 6), (5, 5), (5, 6), (6, 6))]
    shapes += [(f"lattice-{n}x{n}", lattice(n, 0, chance_of("lattice"))) for n in (9, 11, 13, 15)]
    words = {name: vocabulary(path) for name, path in LISTS.items()}
    for (shape, rows), (seed, (name, path)) in product(shapes, enumerate(LISTS.items(), 10)):
        estimate = FirstMoment.of(Grid.from_rows(rows), words[name]).threshold()
        if estimate is not None:
            for share in (0.6, 0.8, 0.95, 1.05):
                size = round(HALF * share * estimate)
                about = (f"{shape}-{share}-{name}", f"half-{shape.partition('-')[0]}")
                yield entry(*about, plain(rows), path, size, seed)


def wide() -> Iterator[Entry]:
    for index in range(1, 9):
        rows = american(15, range(64, 73), 32, chance_of(f"public-2 wide {index}"), 13)
        for name, path in LISTS.items():
            yield entry(f"wide-15-{index}-{name}", "wide open", plain(rows), path, 20000, 10)


def classic() -> Iterator[Entry]:
    for size, slots, blocks in ((15, range(72, 79), 36), (21, range(128, 147), 72)):
        for index in range(1, 5):
            rows = american(size, slots, blocks, chance_of(f"public-2 {size} {index}"), 13)
            for name, path in LISTS.items():
                yield entry(
                    f"classic-{size}-{index}-{name}", "classic", plain(rows), path, 5000, 10
                )


def barred() -> Iterator[Entry]:
    for (size, bars), (name, path) in product(((11, 40), (12, 48), (13, 56)), LISTS.items()):
        label = f"barred-{size}-{name}"
        grid = Grid((OPEN_CELL * size,) * size, bars=draw_bars(size, bars, chance_of(label)))
        text = decorated_text(grid, [[None] * size] * size, block="#")
        yield entry(label, "barred", text, path, 5000, 10)


def read(tables: Sequence[Entry]) -> list[Instance]:
    given: list[dict[str, Any]] = [dict(table) for table in tables]
    for table in given:
        table["words"] = tuple(table["words"])
    entries = tuple(SuitePuzzle(**table, line=number) for number, table in enumerate(given))
    return read_puzzles(Suite(str(SUITE), "", entries), entries)


def loop_seconds() -> float:
    """Return the CPU seconds of a fixed loop, by which those of machines can be compared."""
    begin, total = time.process_time(), 0
    for number in range(2_000_000):
        total += number & 7
    return round(time.process_time() - begin, 4)


def grade(path: str, minutes: float, number: int | None) -> None:
    """Run what is missing, until the minutes are over; ``number`` takes the first candidates."""
    deadline = time.monotonic() + 60 * minutes
    instances = read(list(islice(candidates(), number)))
    with RecordFile(path) as file:
        known: Known = {record.key: record for record in read_records(path)}
        for run in missing(instances, known):
            if time.monotonic() > deadline:
                print("the time is over; repeat the command to go on")
                return
            loop = loop_seconds()
            record = execute(run)
            known[record.key] = replace(record, stats={**record.stats, "loop_seconds": loop})
            file.add(known[record.key])
            print(f"{run.instance.name}: {record.contender}, {record.status}, {record.cpu:.1f} s")


def missing(instances: list[Instance], known: Known) -> Iterator[Run]:
    """Yield the runs to execute; ``known`` has what is known by the time of the next one."""
    for limit in ROUNDS:
        for instance in instances:
            for contender, _ in PROGRAMS.values():
                run = Run(instance, contender, RunLimits(20 * limit, limit, MEMORY))
                if len(authors(instance, known)) < 2 and run.key not in known:
                    yield run
    for instance in instances:
        runs = runs_on(instance, known)
        if runs and not any(record.answered for record in runs):
            for name in ("letters", "cpsat"):
                limits = RunLimits(20 * OPEN_LIMIT, OPEN_LIMIT, MEMORY)
                yield from unknown([Run(instance, PROGRAMS[name][0], limits)], known)
        elif runs:
            record = min((run for run in runs if run.answered), key=lambda run: run.cpu)
            contender = next(c for c, _ in PROGRAMS.values() if c.name == record.contender)
            limits = RunLimits(20 * ROUNDS[-1], ROUNDS[-1], MEMORY)
            if record.cpu >= 1:
                runs_of_seeds = [Run(instance, contender, limits, seed) for seed in SEEDS[1:]]
                yield from unknown(runs_of_seeds, known)


def unknown(runs: Sequence[Run], known: Known) -> Iterator[Run]:
    return (run for run in runs if run.key not in known)


def runs_on(instance: Instance, known: Known) -> list[Record]:
    return [record for record in known.values() if record.puzzle == instance.hash]


def authors(instance: Instance, known: Known) -> set[str]:
    """Return the authors whose programs have answered a puzzle."""
    by = {contender.name: author for contender, author in PROGRAMS.values()}
    return {by[record.contender] for record in runs_on(instance, known) if record.answered}


def settle(path: str) -> None:
    """Choose from the candidates that have runs; write the suite and its lines."""
    known: Known = {record.key: record for record in read_records(path)}
    tables = list(candidates())
    steps: dict[int | None, dict[str, list[tuple[Entry, dict[str, object]]]]] = {}
    for table, instance in zip(tables, read(tables), strict=True):
        runs = runs_on(instance, known)
        if runs:
            line = describe(instance, runs, authors(instance, known))
            cpu = min((run.cpu for run in runs if run.answered), default=None)
            step = None if cpu is None else math.floor(3 * math.log10(max(cpu, 0.1)))
            if step is None or step >= 0:
                family = steps.setdefault(step, defaultdict(list))
                family[instance.family].append((table | {"digest": instance.hash}, line))
    chosen = []
    for step, families in steps.items():
        turns = [pair for pairs in zip_longest(*families.values()) for pair in pairs if pair]
        chosen += turns[: OPEN if step is None else PER_STEP]
    write_suite(chosen)
    print(f"{len(chosen)} of {len(tables)} candidates, {LINES.stat().st_size} bytes of runs")


def describe(instance: Instance, runs: list[Record], by: set[str]) -> dict[str, object]:
    """Return the line of a puzzle."""
    fills = [run for run in runs if run.status == FILLED and run.verified]
    denials = [run for run in runs if run.status == UNFILLABLE]
    if fills and denials:
        raise SystemExit(
            f"{instance.name}: {fills[0].contender} fills it, {denials[0].contender} not"
        )
    settled = bool(fills) or any(run.verified for run in denials) or len(by) > 1
    answered = sorted((run for run in runs if run.answered), key=lambda run: run.cpu)
    fastest = [run for run in answered if run.contender == answered[0].contender]
    times = sorted({run.seed: run.cpu for run in reversed(fastest)}.values())
    grid, size = instance.puzzle.grid, instance.size
    cells = sum(row.count(OPEN_CELL) for row in grid.rows)
    result = ("sat" if fills else "unsat") if answered and settled else "unknown"
    return {
        "hash": instance.hash,
        "name": instance.name,
        "family": instance.family,
        "result": result,
        "cpu": answered[0].cpu if answered else None,
        "interval": [times[0], times[-1]] if len(times) > 1 else None,
        "loops": answered[0].cpu / float(answered[0].stats["loop_seconds"]) if answered else None,
        "features": {
            "height": grid.height,
            "width": grid.width,
            "cells": cells,
            "slots": len(grid.slots),
            "crossings": len(grid.crossings),
            **{name: value for run in runs[:1] for name, value in run.size.items()},
            **size,
        },
        "runs": [
            {
                "contender": run.contender,
                "versions": dict(run.versions),
                "seed": run.seed,
                "status": run.status,
                "reason": run.reason,
                "limit": run.limits["cpu"],
                "cpu": run.cpu,
                "memory": run.memory,
                "loop": run.stats["loop_seconds"],
                "machine": run.host,
                "started": run.started,
            }
            for run in runs
        ],
    }


def write_suite(chosen: Sequence[tuple[Entry, dict[str, object]]]) -> None:
    lines = ["# Written by make_public2.py.", "suite = 1"]
    lines.append(f"title = {to_toml('satcross public suite, version 2')}")
    for table, line in chosen:
        found: Entry = dict(table)
        if line["result"] != "unknown":
            found["expected"] = FILLED if line["result"] == "sat" else UNFILLABLE
        found["hardness"] = "open" if line["cpu"] is None else f"{line['cpu']:.3g} s"
        lines += ["", "[[puzzle]]"]
        for name, value in found.items():
            text = f'"""\n{value}"""' if name == "structure" else to_toml(value)
            lines.append(f"{name} = {text}")
    write(SUITE, lines)
    LINES.write_text("".join(json.dumps(line) + "\n" for _, line in chosen), encoding="utf-8")
    tomllib.loads(SUITE.read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command", choices=("grade", "settle"))
    parser.add_argument("runs", type=Path)
    parser.add_argument("--minutes", type=float, default=240.0)
    parser.add_argument("--first", type=int, help="only so many candidates")
    given = parser.parse_args()
    if given.command == "grade":
        grade(str(given.runs), given.minutes, given.first)
    else:
        settle(str(given.runs))


if __name__ == "__main__":
    main()
