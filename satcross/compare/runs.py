"""Runs: one contender on one puzzle, in a process of its own, verified and written down."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

from satcross.compare.contenders import Contender, RunAnswer, RunDirectory
from satcross.compare.limits import CPU_LIMIT, MEMORY_LIMIT, TIME_LIMIT, ExitInfo, Limits, Stop
from satcross.compare.records import FILLED, UNKNOWN, WRONG, Record
from satcross.formats.json import grid_rows
from satcross.formats.puzzle_json import puzzle_hash
from satcross.puzzle import Puzzle
from satcross.verify import verify


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A puzzle, and what its structure and its list are called. ``hash`` identifies it.

    A suite gives it a ``name`` and a ``family``, and says which status is ``expected``.
    """

    puzzle: Puzzle
    structure: str
    words: str
    name: str = ""
    family: str = ""
    expected: str | None = None
    hash: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", puzzle_hash(self.puzzle))


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What is to be run. Plain values: it can be sent to another process or machine."""

    question: Instance
    contender: Contender
    limits: Limits = field(default_factory=Limits)
    seed: int = 0
    workers: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        """The ``key`` of this run's record: whether it has been done can be asked beforehand."""
        return _record(self, RunAnswer(UNKNOWN, ExitInfo(None)), {}, None).key


def execute(run: Run, stop: Stop | None = None) -> Record:
    """Run it, verify what it claims, and return the record; nothing is left running.

    An answer that came after a limit had passed does not count. Raises only what is no fault of
    the contender's: InputError when its program has gone, UnavailableError, OSError.
    """
    with tempfile.TemporaryDirectory(prefix="satcross-run-", ignore_cleanup_errors=True) as name:
        ground = RunDirectory(Path(name).resolve(), run.limits, run.seed, run.workers, stop)
        claim = run.contender.attempt(run.question.puzzle, ground)
    claim = _within(claim, run.limits)
    seconds = dict(claim.seconds)
    verified: bool | None = None
    if claim.fill is not None:
        started = time.perf_counter()
        problems = verify(run.question.puzzle, claim.fill)
        seconds["verify"] = time.perf_counter() - started
        verified = not problems
        if problems:
            detail = problems[0] + (f" (and {len(problems) - 1} more)" if problems[1:] else "")
            claim = replace(claim, status=WRONG, reason="wrong fill", detail=detail)
    return _record(run, claim, seconds, verified)


def _within(claim: RunAnswer, limits: Limits) -> RunAnswer:
    """The claim, or none if the run has used more than it may."""
    ended = claim.ended
    used = (
        (TIME_LIMIT, ended.wall, limits.wall),
        (CPU_LIMIT, ended.cpu, limits.cpu),
        (MEMORY_LIMIT, ended.memory, limits.memory),
    )
    for reason, value, limit in used:
        if claim.status != UNKNOWN and limit is not None and value > limit:
            return replace(claim, status=UNKNOWN, reason=reason, fill=None)
    return claim


def _record(run: Run, claim: RunAnswer, seconds: dict[str, float], verified: bool | None) -> Record:
    question, ended = run.question, claim.ended
    who = run.contender.description
    stats = {name: value for name, value in claim.stats.items() if name not in _NAMED}
    return Record(
        puzzle=question.hash,
        structure=question.structure,
        words=question.words,
        contender=run.contender.name,
        kind=run.contender.kind,
        status=claim.status,
        reason=claim.reason,
        detail=claim.detail,
        verified=verified,
        backend=who.backend,
        solver=who.solver,
        encoding=who.encoding,
        command=who.command,
        program=who.program,
        seed=run.seed,
        workers=run.workers,
        limits={
            "wall": run.limits.wall,
            "cpu": run.limits.cpu,
            "memory": run.limits.memory,
        },
        seconds={stage: round(value, 6) for stage, value in seconds.items()},
        wall=round(ended.wall, 6),
        cpu=round(ended.cpu, 6),
        memory=round(ended.memory, 1),
        variables=_count(claim, "variables"),
        clauses=_count(claim, "clauses"),
        conflicts=_count(claim, "conflicts"),
        stats=stats,
        fill=(
            tuple(grid_rows(question.puzzle.grid, claim.fill)) if claim.status == FILLED else None
        ),
        name=question.name,
        family=question.family,
        expected=question.expected,
    )


_NAMED = {"variables", "clauses", "conflicts", "solver", "encoding"}
"""Counters that have a place of their own in a record."""


def _count(claim: RunAnswer, name: str) -> int | None:
    value = claim.stats.get(name)
    return value if isinstance(value, int) else None


def execute_all(
    runs: Sequence[Run],
    *,
    jobs: int = 1,
    started: Callable[[int], None] = lambda number: None,
) -> Generator[tuple[int, Record], None, None]:
    """Execute the runs, ``jobs`` at a time, in order; yield number and record as each ends.

    ``started`` is called, in other threads, when a run begins. When the iterator is closed, or
    interrupted, the runs in progress are ended and give no record.
    """
    stop = Stop()
    with ThreadPoolExecutor(jobs, thread_name_prefix="run") as pool:

        def one(number: int) -> Record:
            started(number)
            return execute(runs[number], stop)

        waiting = iter(range(len(runs)))
        running: dict[Future[Record], int] = {}
        try:
            while True:
                while len(running) < jobs and (number := next(waiting, None)) is not None:
                    running[pool.submit(one, number)] = number
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=running.__getitem__):
                    yield running.pop(future), future.result()
        finally:
            stop.stop()
