"""The race of the backend ``auto``."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from typing import ClassVar

import pytest

from satcross import Grid, InternalError, Puzzle, Status, Vocabulary, solve
from satcross.backends import auto, registry
from satcross.backends import racers as racers_module
from satcross.backends.base import Answer, Capabilities, Task
from satcross.backends.search.cell_sweep import CellSweep

PUZZLE = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED", "TOD"]))


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks")


class Base:
    name: ClassVar[str] = "test"
    capabilities: ClassVar[Capabilities] = Capabilities()


class Sleeper(Base):
    def solve(self, task: Task) -> Answer:
        time.sleep(600)
        raise AssertionError


class Dier(Base):
    def solve(self, task: Task) -> Answer:
        os._exit(9)


class Raiser(Base):
    def solve(self, task: Task) -> Answer:
        raise RuntimeError("broken on purpose")


class Quitter(Base):
    def solve(self, task: Task) -> Answer:
        time.sleep(task.deadline.left)
        return Answer(Status.UNKNOWN, None, "time limit")


@pytest.fixture(autouse=True)
def race_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_TURNS", "FIRST_SWEPT_TURNS", "FIRST_NODES", "FIRST_NODES_PER_SLOT"):
        monkeypatch.setattr(auto, name, 0)
    # Only forked racers know the backends of this file.
    monkeypatch.setattr(racers_module, "may_fork", lambda: True)
    for backend in (Sleeper, Dier, Raiser, Quitter):
        name = backend.__name__.lower()
        monkeypatch.setitem(registry.BACKENDS, name, f"{__name__}:{backend.__name__}")


@pytest.fixture
def racers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def choose(*names: str) -> None:
        monkeypatch.setattr(auto, "RACERS", names)
        monkeypatch.setattr(auto, "SWEPT_RACERS", names)

    return choose


def test_the_first_answer_wins_and_the_rest_are_stopped(racers: Callable[..., None]) -> None:
    before = {*multiprocessing.active_children()}  # such as a cluster of other tests
    racers("sleeper", "backtrack")
    outcome = solve(PUZZLE, "auto", workers=2)
    assert outcome.status is Status.FILLED
    assert outcome.stats["winner"] == "backtrack"
    assert before.issuperset(multiprocessing.active_children())


def test_a_dead_racer_is_no_answer(racers: Callable[..., None]) -> None:
    racers("dier", "sat")
    assert solve(PUZZLE, "auto", workers=2).stats["winner"] == "sat"
    racers("dier")
    outcome = solve(PUZZLE, "auto", workers=2)
    assert outcome.status is Status.UNKNOWN
    assert "dier died with exit code 9" in outcome.reason


def test_nobody_starts_after_the_deadline(
    racers: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CellSweep, "suits", lambda *_: False)
    racers("quitter", "raiser")
    outcome = solve(PUZZLE, "auto", workers=2, time_limit=0.2)
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "time limit")


def test_a_failing_racer_is_our_fault(racers: Callable[..., None]) -> None:
    racers("raiser")
    with pytest.raises(InternalError, match="raiser failed") as error:
        solve(PUZZLE, "auto", workers=2)
    assert "broken on purpose" in error.value.report


def test_a_deaf_racer_is_stopped_at_the_deadline(racers: Callable[..., None]) -> None:
    before = {*multiprocessing.active_children()}
    racers("sleeper")
    outcome = solve(PUZZLE, "auto", workers=2, time_limit=0.2)
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "time limit")
    assert before.issuperset(multiprocessing.active_children())
