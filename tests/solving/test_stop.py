"""``should_stop`` ends every kind of work, from any thread and under asyncio."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from helpers import PATIENCE

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


def test_grids_and_layouts_stop() -> None:
    assert make_grid(15, should_stop=lambda: True).grids == ()
    words = [f"{first}{second}AREAS" for first in "BCD" for second in "KL"]
    laid_out = lay_out(words, should_stop=AfterSome())
    assert not laid_out.smallest


def test_what_is_no_function_is_refused(hard: Puzzle) -> None:
    with pytest.raises(TypeError, match="should_stop must be a function"):
        solve(hard, should_stop=True)  # type: ignore[arg-type]
