"""Execute runs, each of one contender on one puzzle in separate processes, and verify fills."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue

from satcross.compare.contenders import Instance, Run, RunAnswer, RunDirectory
from satcross.compare.limits import CPU_LIMIT, MEMORY_LIMIT, StopSignal
from satcross.compare.records import FILLED, NO_PROOF, UNFILLABLE, UNKNOWN, WRONG, Record, load
from satcross.network.arc_consistency import arc_consistent, unpropagated
from satcross.run_settings import TIME_LIMIT, Deadline, TimeUp
from satcross.verify import verify

_COUNT_SECONDS = 10.0
"""Maximum number of seconds for counting the candidates of a puzzle."""
_LOOK_SECONDS = 0.2
"""Longest wait for the end of a run. A signal that comes just as a wait begins does not end it."""


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
    record = run.record(answer, seconds, verified)
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
                done, _ = wait(running, _LOOK_SECONDS, FIRST_COMPLETED)
                for future in sorted(done, key=running.__getitem__):
                    yield running.pop(future), future.result()
        finally:
            stop.stop()
