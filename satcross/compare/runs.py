"""Execute runs, each of one contender on one puzzle in separate processes, and verify fills."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from satcross.compare.contenders import Contender, RunAnswer, RunDirectory
from satcross.compare.limits import CPU_LIMIT, MEMORY_LIMIT, ExitInfo, RunLimits, StopSignal
from satcross.compare.records import FILLED, NO_PROOF, UNFILLABLE, UNKNOWN, WRONG, Record, load
from satcross.formats.json import grid_rows, puzzle_hash
from satcross.network.arc_consistency import arc_consistent, unpropagated
from satcross.puzzle import Puzzle
from satcross.run_settings import TIME_LIMIT, Deadline, TimeUp
from satcross.verify import verify

_COUNT_SECONDS = 10.0
"""Maximum number of seconds for counting the candidates of a puzzle."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of a word list: at most ``words`` words of each length, drawn with a seed."""

    words: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A puzzle with the names of its structure and word list; ``hash`` identifies the puzzle.

    ``name``, ``family``, ``expected``, a status or None, and ``sample`` come from a suite.
    """

    puzzle: Puzzle
    structure: str
    words: str
    name: str = ""
    family: str = ""
    expected: str | None = None
    sample: Sample | None = None
    hash: str = field(init=False)
    size: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        grid, words = self.puzzle.grid, self.puzzle.vocabulary
        lengths = {slot.length for slot in grid.slots}
        size = {
            "slots": len(grid.slots),
            "cells": len({cell for slot in grid.slots for cell in slot.cells}),
            "words": sum(len(words.group(length).words) for length in lengths),
        }
        if self.sample is not None:
            size |= {"sample": self.sample.words, "sample_seed": self.sample.seed}
        object.__setattr__(self, "hash", puzzle_hash(self.puzzle))
        object.__setattr__(self, "size", size)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A run to execute: puzzle, contender and settings, which can be pickled.

    ``solver_alone`` says that limits and measurements are of an external solver alone, without
    writing its formula. ``call`` is the command line of the comparison.
    ``certify`` says that "unfillable" counts only with a proof, checked in ``check_seconds``.
    ``goal`` is that of ``Record``.
    """

    instance: Instance
    contender: Contender
    limits: RunLimits = field(default_factory=RunLimits)
    seed: int = 0
    workers: int = 1
    repeat: int = 0
    solver_alone: bool = False
    call: str = ""
    certify: bool = False
    check_seconds: float | None = None
    goal: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """The ``key`` that the record of this run will have, known before the run."""
        return _record(self, RunAnswer(UNKNOWN, ExitInfo(None)), {}, None).key


def execute(run: Run, stop: StopSignal | None = None) -> Record:
    """Execute a run, verify its fill, if any, and return the record.

    An answer after a limit has passed does not count. Failures of the contender are recorded, not
    raised. Raises InputError if the contender's program no longer exists, and UnavailableError or
    OSError if no process can be started.
    """
    busy = load()
    begun = datetime.now(UTC).isoformat(timespec="milliseconds")
    with tempfile.TemporaryDirectory(prefix="satcross-run-", ignore_cleanup_errors=True) as name:
        run_directory = RunDirectory(Path(name).resolve(), run, run.limits, stop)
        answer = run.contender.attempt(run.instance.puzzle, run_directory)
    answer = _apply_limits(answer, run)
    if run.certify and answer.status == UNFILLABLE and not answer.proved:
        answer = replace(answer, status=UNKNOWN, reason=NO_PROOF)
    seconds = dict(answer.seconds)
    verified = answer.proved
    if answer.fill is not None:
        started = time.perf_counter()
        problems = verify(run.instance.puzzle, answer.fill)
        seconds["verify"] = time.perf_counter() - started
        verified = not problems
        if problems:
            detail = problems[0] + (f" (and {len(problems) - 1} more)" if problems[1:] else "")
            answer = replace(answer, status=WRONG, reason="wrong fill", detail=detail)
    record = _record(run, answer, seconds, verified)
    if run.goal and answer.fill is not None and answer.status == FILLED:
        score = sum(map(run.instance.puzzle.worth, answer.fill.values()))
        trace = answer.trace or ((round(answer.ended.wall, 6), score),)
        bound = score if answer.claim and answer.bound is None else answer.bound
        record = replace(record, score=score, bound=bound, trace=trace)
    size = {**_candidate_counts(run.instance), **record.size}
    return replace(record, started=begun, load=busy, size=size)


@lru_cache(maxsize=64)
def _candidate_counts(instance: Instance) -> dict[str, int]:
    """Return the numbers of candidates before and after arc consistency; {} if it takes long."""
    try:
        candidates = arc_consistent(instance.puzzle, Deadline.after(_COUNT_SECONDS))
        before = len(unpropagated(instance.puzzle, Deadline.after(_COUNT_SECONDS)))
    except TimeUp:
        return {}
    after = 0 if candidates.infeasible else len(candidates)
    return {"candidates": before, "consistent": after}


def _apply_limits(answer: RunAnswer, run: Run) -> RunAnswer:
    """Return the answer, or status unknown if the run exceeded a limit.

    A run with a goal keeps the fill that it had found, without the claim that it is the best.
    """
    ended, limits = answer.ended, run.limits
    names = {TIME_LIMIT: "wall", CPU_LIMIT: "cpu", MEMORY_LIMIT: "memory"}
    used = ((reason, getattr(ended, key), getattr(limits, key)) for reason, key in names.items())
    for reason, value, limit in used:
        if answer.status != UNKNOWN and limit is not None and value > limit:
            if run.goal and answer.fill is not None:
                return replace(answer, claim=False)
            return replace(answer, status=UNKNOWN, reason=reason, fill=None)
    return answer


def _record(
    run: Run, answer: RunAnswer, seconds: dict[str, float], verified: bool | None
) -> Record:
    instance, ended, description = run.instance, answer.ended, asdict(run.contender.description)
    version = description.pop("version")
    stats = answer.stats
    counts: dict[str, Any] = {name: stats[name] for name in _COUNTS if name in stats}
    sizes = {name: int(stats[name]) for name in _SIZES if name in stats}
    limits = asdict(run.limits)
    cores = limits.pop("cores")
    copied: dict[str, Any] = {
        name: getattr(source, name)
        for source, names in zip((instance, run, answer), _COPIED, strict=True)
        for name in names.split()
    }
    return Record(
        puzzle=instance.hash,
        contender=run.contender.name,
        kind=run.contender.kind,
        verified=verified,
        **copied,
        **description,
        **counts,
        limits=limits,
        seconds={stage: round(value, 6) for stage, value in seconds.items()},
        wall=round(ended.wall, 6),
        cpu=round(ended.cpu, 6),
        memory=round(ended.memory, 1),
        stats={name: value for name, value in stats.items() if name not in _RECORD_FIELDS},
        fill=(
            tuple(grid_rows(instance.puzzle.grid, answer.fill)) if answer.status == FILLED else None
        ),
        processors=run.contender.processors(run.workers),
        certified=run.certify,
        program_version=version,
        cores=cores,
        size={**instance.size, **sizes},
    )


_COPIED = (
    "structure words name family expected",
    "seed workers repeat solver_alone call goal",
    "status reason detail bound claim trace",
)
"""The fields that a record has from the puzzle, the run and the answer."""
_SIZES = ("candidates", "consistent")
_COUNTS = ("variables", "clauses", "conflicts")
_RECORD_FIELDS = {*_COUNTS, *_SIZES, "solver", "encoding"}
"""Counters that have their own field in a record."""


def execute_all(
    runs: Sequence[Run],
    *,
    jobs: int = 1,
    started: Callable[[int], None] = lambda number: None,
    cores: Sequence[tuple[int, ...]] = (),
) -> Generator[tuple[int, Record], None, None]:
    """Execute runs in order, ``jobs`` at a time; yield the number and record of each as it ends.

    ``cores`` has the processors of each of the ``jobs`` runs at a time; without it they may use
    all. ``started`` is called from other threads with the number of a run when it begins. When the
    iterator is closed or interrupted, the runs in progress are ended and yield no record.
    """
    stop = StopSignal()
    free: SimpleQueue[tuple[int, ...]] = SimpleQueue()
    for own in cores or [()] * jobs:
        free.put(own)
    with ThreadPoolExecutor(jobs, thread_name_prefix="run") as pool:

        def execute_numbered(number: int) -> Record:
            own = free.get()
            try:
                started(number)
                run = runs[number]
                return execute(replace(run, limits=replace(run.limits, cores=own)), stop)
            finally:
                free.put(own)

        waiting = iter(range(len(runs)))
        running: dict[Future[Record], int] = {}
        try:
            while True:
                while len(running) < jobs and (number := next(waiting, None)) is not None:
                    running[pool.submit(execute_numbered, number)] = number
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=running.__getitem__):
                    yield running.pop(future), future.result()
        finally:
            stop.stop()
