"""The race of the backend ``auto``, in threads.

Each program here races immediately, as if a first search had not been enough.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator

import pytest
from compare.wrong_backends import backend
from helpers import PATIENCE, ROOT, SINGLE_BACKENDS

from satcross import Grid, InternalError, Outcome, Puzzle, Status, Vocabulary, engine, solve
from satcross.backends import auto, registry
from satcross.backends.base import Answer, Task
from satcross.backends.search.portfolio import Portfolio
from satcross.errors import UnavailableError

PUZZLE = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED", "TOD"]))
NONE = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["ABA", "ACA", "ADA"]))

pytestmark = pytest.mark.skipif(not engine.available(), reason="nothing races without the engine")

SCRIPT = """
from satcross import Grid, Puzzle, Vocabulary, solve
from satcross.backends import auto
auto.FIRST_TURNS = auto.FIRST_SWEPT_TURNS = auto.FIRST_NODES = auto.FIRST_NODES_PER_SLOT = 0
puzzle = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED", "TOD"]))
print(solve(puzzle, workers=2, time_limit=500).status)
"""


ENDED = threading.Event()


def wait(task: Task) -> Answer:
    while not task.deadline.passed:
        ENDED.wait(0.01)
    ENDED.set()
    return Answer(Status.UNKNOWN, None, "time limit")


def lack(task: Task) -> Answer:
    raise UnavailableError("no such library")


Waiter, Absent = backend("waiter", wait), backend("absent", lack)


@pytest.fixture(autouse=True)
def race_at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("FIRST_TURNS", "FIRST_SWEPT_TURNS", "FIRST_NODES", "FIRST_NODES_PER_SLOT"):
        monkeypatch.setattr(auto, name, 0)
    for name in ("waiter", "absent"):
        monkeypatch.setitem(registry.BACKENDS, name, f"{__name__}:{name.title()}")
    monkeypatch.setitem(registry.BACKENDS, "crasher", "compare.wrong_backends:Crasher")
    ENDED.clear()
    solve(PUZZLE, "sat")  # its thread stays, and waits for the next call
    before = threading.active_count()
    yield
    assert threading.active_count() == before


@pytest.fixture
def racers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def choose(*names: str) -> None:
        monkeypatch.setattr(auto, "RACERS", names)
        monkeypatch.setattr(auto, "SWEPT_RACERS", names)

    return choose


def test_the_first_answer_wins_and_the_rest_are_stopped(racers: Callable[..., None]) -> None:
    racers("waiter", "backtrack")
    outcome = solve(PUZZLE, "auto", workers=2)
    assert outcome.status is Status.FILLED
    assert outcome.stats["winner"] == "backtrack"
    assert ENDED.is_set()
    assert solve(NONE, "auto", workers=2).status is Status.UNFILLABLE


@pytest.mark.parametrize("name", SINGLE_BACKENDS)
def test_every_backend_may_race(name: str, racers: Callable[..., None]) -> None:
    racers(name)
    outcome = solve(PUZZLE, "auto", workers=2, time_limit=PATIENCE)
    assert (outcome.status, outcome.stats["winner"]) == (Status.FILLED, name)


def test_a_racer_that_is_not_there_is_no_answer(racers: Callable[..., None]) -> None:
    racers("absent", "sat")
    assert solve(PUZZLE, "auto", workers=2).stats["winner"] == "sat"
    racers("absent")
    outcome = solve(PUZZLE, "auto", workers=2)
    assert outcome.status is Status.UNKNOWN
    assert "no such library" in outcome.reason


def test_nobody_starts_after_the_deadline(
    racers: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Portfolio, "sweeps", lambda *_: False)
    racers("waiter", "crasher")
    outcome = solve(PUZZLE, "auto", workers=2, time_limit=0.2)
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "time limit")


def test_a_failing_racer_is_our_fault(racers: Callable[..., None]) -> None:
    racers("crasher")
    with pytest.raises(InternalError, match="crasher failed") as error:
        solve(PUZZLE, "auto", workers=2)
    assert "one of these days" in error.value.report


def test_a_race_is_stopped_from_outside(racers: Callable[..., None]) -> None:
    racers("waiter", "waiter")
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    outcome = solve(PUZZLE, "auto", workers=2, should_stop=stop.is_set)
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "stopped")


def test_from_a_thread() -> None:
    found: list[Outcome] = []
    thread = threading.Thread(
        target=lambda: found.append(solve(PUZZLE, workers=2, time_limit=PATIENCE)), daemon=True
    )
    thread.start()
    thread.join(PATIENCE)
    assert [outcome.status for outcome in found] == [Status.FILLED]


def test_from_a_notebook_kernel() -> None:
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("ipykernel")
    before = {*threading.enumerate()}
    kernel, client = manager.start_new_kernel(env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        shown: list[str] = []
        client.execute_interactive(
            SCRIPT,
            timeout=PATIENCE,
            output_hook=lambda message: shown.append(str(message["content"])),
        )
        assert any("filled" in line for line in shown), shown
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
    for thread in {*threading.enumerate()} - before:
        thread.join(PATIENCE)
