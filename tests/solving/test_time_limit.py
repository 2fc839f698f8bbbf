"""Work stops soon after the deadline, measured in checks of the deadline, not in seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count as count_up
from itertools import product
from string import ascii_uppercase

import pytest

from satcross import Grid, Puzzle, Status, Vocabulary
from satcross.backends.base import Task
from satcross.backends.registry import get_backend, get_counting_backend
from satcross.backends.sat import formulas as sat
from satcross.backends.sat.backend import Sat
from satcross.backends.sat.enumerate import count_distinct_choices
from satcross.network.arc_consistency import arc_consistent, unpropagated
from satcross.network.to_encoder import to_instance
from satcross.run_settings import TIME_LIMIT, Deadline, RunSettings, TimeUp
from satcross.solving.proofs import Formula

FEW = 3
"""Looks after the one that says the time is up: each layer may take one before it returns."""


@dataclass(frozen=True)
class Looks(Deadline):
    """A deadline that passes after a number of checks."""

    at: float | None = 0.0
    most: int = 0
    taken: Iterator[int] = field(default_factory=lambda: count_up(1))
    log: list[int] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        self.log.append(next(self.taken))
        return self.log[-1] > self.most

    @property
    def left(self) -> float:
        return 0.0 if self.log and self.log[-1] > self.most else 60.0

    @property
    def looks(self) -> int:
        return len(self.log)


@pytest.fixture(scope="module")
def large() -> Puzzle:
    """100 lattices of 3x3 with enough words that propagation decides none of them."""
    line, gaps = "___#" * 10, "_#_#" * 10
    words = ["".join(letters) for letters in product("ABCDEFGH", repeat=3)]
    return Puzzle(Grid.from_rows([line, gaps, line, "#" * 40] * 10), Vocabulary(words))


def looks_in_all(work: Callable[[Deadline], object]) -> int:
    deadline = Looks(most=10**9)
    work(deadline)
    return deadline.looks


@pytest.mark.parametrize("work", [arc_consistent, unpropagated])
def test_compiling_a_puzzle_stops(large: Puzzle, work: Callable[..., object]) -> None:
    in_all = looks_in_all(lambda deadline: work(large, deadline))
    assert in_all >= len(large.grid.slots)
    for most in (0, in_all // 2, in_all - 1):
        deadline = Looks(most=most)
        with pytest.raises(TimeUp):
            work(large, deadline)
        assert deadline.looks == most + 1


def test_listing_candidates_stops(large: Puzzle) -> None:
    candidates = unpropagated(large)
    deadline = Looks(most=5)
    with pytest.raises(TimeUp):
        to_instance(candidates, None, deadline)
    assert deadline.looks == 6


def test_a_formula_stops(large: Puzzle) -> None:
    with pytest.raises(TimeUp):
        Formula(large, deadline=Looks(most=len(large.grid.slots)))


def test_the_clauses_of_a_formula_stop_at_its_deadline(large: Puzzle) -> None:
    formula = Formula(large)
    formula.deadline = Looks(most=5)
    with pytest.raises(TimeUp):
        for _ in formula.clauses():
            pass
    assert formula.deadline.looks <= 5 + FEW


@pytest.mark.parametrize(
    ("backend", "options"),
    [
        ("sat", {"solver": "glucose4"}),
        ("sat", {"encoding": "full"}),
        ("sat", {"encoding": "direct"}),
        ("cpsat", {}),
    ],
)
@pytest.mark.parametrize("most", [0, 1, 30, 150])
def test_writing_clauses_stops(
    large: Puzzle, backend: str, options: dict[str, str], most: int
) -> None:
    deadline = Looks(most=most)
    answer = get_backend(backend).solve(Task(arc_consistent(large), deadline, options=options))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, TIME_LIMIT)
    assert most < deadline.looks <= most + FEW


def test_a_search_on_letters_stops(large: Puzzle) -> None:
    answer = Sat().solve(Task(arc_consistent(large), Looks(most=0)))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, TIME_LIMIT)


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
@pytest.mark.parametrize("most", [0, 1, 30, 150])
def test_counting_and_listing_stop_while_clauses_are_written(
    large: Puzzle, backend: str, most: int
) -> None:
    task = Task(arc_consistent(large), Looks(most=most))
    counter = get_counting_backend(backend)
    tally = counter.count(task)
    assert (tally.count, tally.exact, tally.reason) == (0, False, TIME_LIMIT)
    listing = counter.several(task, 5)
    assert (listing.fills, listing.complete, listing.reason) == ((), False, TIME_LIMIT)
    assert isinstance(task.deadline, Looks)
    assert task.deadline.looks <= most + 2 * FEW


def test_a_limit_that_ends_arc_consistency_says_unknown(
    large: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit during arc consistency gives UNKNOWN, because nothing has been proved."""
    from satcross import best, count, several, solve

    monkeypatch.setattr(RunSettings, "deadline", lambda self: Looks(most=10))
    for outcome in (solve(large, time_limit=1), best(large, time_limit=1)):
        assert (outcome.status, outcome.reason) == (Status.UNKNOWN, TIME_LIMIT)
    counted = count(large, time_limit=1)
    assert (counted.count, counted.exact, counted.reason) == (0, False, TIME_LIMIT)
    listed = several(large, 3, diverse=True, time_limit=1)
    assert (len(listed.outcomes), listed.complete, listed.reason) == (0, False, TIME_LIMIT)


def test_no_call_is_made_that_would_end_too_late(
    large: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solver that ignores its limits is not called when its calls take longer than the rest."""
    calls: list[int] = []

    class Clock:
        @staticmethod
        def perf_counter() -> float:
            return 100.0 * len(calls)

    monkeypatch.setattr(sat, "ask", lambda *_: calls.append(1))
    monkeypatch.setattr(sat, "time", Clock)
    options = {"solver": "glucose4"}
    answer = Sat().solve(Task(arc_consistent(large), Looks(most=10**9), options=options))
    assert (answer.status, answer.reason, len(calls)) == (Status.UNKNOWN, TIME_LIMIT, 1)


def test_many_equal_sets_take_few_steps() -> None:
    words = frozenset(ascii_uppercase)
    some, others = frozenset("ABCDEFGHIJKLMNOP"), frozenset("KLMNOPQRSTUVWXYZ")
    deadline = Looks(most=200)
    assert count_distinct_choices([words] * 18, deadline) > 0
    assert count_distinct_choices([some, others] * 6, deadline) > 0


def test_counting_choices_stops() -> None:
    """Counting choices of different words stops at the deadline; here it would take 2^30 steps."""
    sets = [frozenset(ascii_uppercase) - {letter} for letter in ascii_uppercase]
    deadline = Looks(most=100)
    with pytest.raises(TimeUp):
        count_distinct_choices(sets, deadline)
    assert deadline.looks == 101


@pytest.mark.timeout(300)  # without a limit it takes hours
@pytest.mark.parametrize("backend", ["sat", "backtrack"])
def test_count_stops_while_choices_are_counted(backend: str) -> None:
    """Thirty slots that cross nowhere have different sets of words, all of which overlap."""
    letters = "ABCDEFGHIJ"
    rows = [row for one in letters for row in (f"{one}__", "###", f"_{one}_", "###", f"__{one}")]
    spaced = [line for row in rows for line in (row, "###")]
    words = Vocabulary(["".join(three) for three in product(letters, repeat=3)])
    candidates = arc_consistent(Puzzle(Grid.from_rows(spaced, letters=True), words))
    tally = get_counting_backend(backend).count(Task(candidates, Looks(most=3000)))
    assert (tally.exact, tally.reason) == (False, TIME_LIMIT)
