"""``should_stop`` ends every kind of work, from any thread and under asyncio."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from helpers import COMPLETE_BACKENDS, PATIENCE, example

from satcross import (
    Grid,
    Puzzle,
    Status,
    Vocabulary,
    best,
    count,
    explain,
    lay_out,
    make_grid,
    several,
    solve,
)
from satcross.backends.registry import BACKENDS
from satcross.run_settings import STOPPED


@pytest.fixture(scope="module")
def hard() -> Puzzle:
    """An open 7x7 of 6,000 words, which takes every backend minutes."""
    words = Vocabulary.read().group(7).words[:6000]
    return Puzzle(Grid.from_rows(["_" * 7] * 7), Vocabulary(words))


class AfterSome:
    """Says stop from the fifth time on that it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked > 4


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_backend_stops(backend: str, hard: Puzzle) -> None:
    outcome = solve(hard, backend, should_stop=AfterSome(), quality="any")
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, STOPPED)


WORK: dict[str, Callable[..., Any]] = {
    "solve": lambda puzzle, **settings: solve(puzzle, **settings).reason,
    "count": lambda puzzle, **settings: count(puzzle, **settings).reason,
    "several": lambda puzzle, **settings: several(puzzle, 10**6, **settings).reason,
    "best": lambda puzzle, **settings: best(puzzle, "total", **settings).reason,
    "explain": lambda puzzle, **settings: explain(puzzle, **settings).stopped,
}


@pytest.mark.parametrize("name", WORK)
def test_another_thread_stops_it(name: str, hard: Puzzle) -> None:
    stop, reasons = threading.Event(), []

    def work() -> None:
        reasons.append(WORK[name](hard, should_stop=stop.is_set, workers=1))

    thread = threading.Thread(target=work)
    thread.start()
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert reasons == [STOPPED]


def test_a_cancelled_task_ends_its_search(hard: Puzzle) -> None:
    ended = threading.Event()

    def search(stop: threading.Event) -> None:
        solve(hard, should_stop=stop.is_set, workers=1)
        ended.set()

    async def asked() -> None:
        stop = threading.Event()
        try:
            await asyncio.to_thread(search, stop)
        finally:
            stop.set()

    async def cancel() -> None:
        task = asyncio.create_task(asked())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert ended.wait(PATIENCE)


def test_grids_and_layouts_stop() -> None:
    assert make_grid(15, should_stop=lambda: True).grids == ()
    words = [f"{first}{second}AREAS" for first in "BCDFGH" for second in "KLMNP"]
    laid_out = lay_out(words, should_stop=AfterSome())
    assert not laid_out.smallest


def test_what_is_no_function_is_refused(hard: Puzzle) -> None:
    with pytest.raises(TypeError, match="should_stop must be a function"):
        solve(hard, should_stop=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", COMPLETE_BACKENDS)
def test_threads_on_one_puzzle_answer_as_alone(backend: str) -> None:
    def puzzle() -> Puzzle:  # new, because what threads might disturb is made on first use
        return replace(example(2, 2), min_score=10)

    def fill(shared: Puzzle, seed: int) -> object:
        return solve(shared, backend, seed=seed, workers=1).fill

    alone = [fill(puzzle(), seed) for seed in range(2)]
    shared = puzzle()
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda seed: fill(shared, seed), range(2)))
    assert together == alone
    assert None not in alone
