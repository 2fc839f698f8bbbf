"""CaDiCaL with tables explained lazily, by itself, against brute force."""

from __future__ import annotations

import pytest
from helpers import DATA, load_grid
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from satcross import Grid, Puzzle, Status, Vocabulary, solve
from satcross.backends.base import Task
from satcross.backends.sat.tables import TableSearch
from satcross.deadline import Deadline, TimeUp
from satcross.network.arc_consistency import arc_consistent
from satcross.verify import verify

words = st.lists(st.text("ABC", min_size=3, max_size=4), min_size=4, max_size=60, unique=True)


@settings(max_examples=150, deadline=None)
@given(words, st.sampled_from([(3, 3), (3, 4), (4, 3), (4, 4)]), st.booleans())
def test_the_same_answers_as_by_trying_everything(
    words: list[str], size: tuple[int, int], repeats: bool
) -> None:
    rows, columns = size
    puzzle = Puzzle(
        Grid.from_rows(["_" * columns] * rows), Vocabulary(words), allow_repeats=repeats
    )
    candidates = arc_consistent(puzzle)
    assume(not candidates.infeasible)
    assert TableSearch.suits(candidates)
    with TableSearch(Task(candidates)) as search:
        status = search.run(float("inf"))
    truth = solve(puzzle, "backtrack", workers=1).status
    event(str(truth))
    assert status is truth
    if search.words is not None:
        names = [slot.name for slot in puzzle.grid.slots]
        assert verify(puzzle, dict(zip(names, search.words, strict=True))) == []


def test_it_stops_within_a_call(default_vocabulary: Vocabulary) -> None:
    class Late(Deadline):
        looks = 0

        def check(self) -> None:
            Late.looks += 1
            if Late.looks > 100:
                raise TimeUp

    candidates = arc_consistent(
        Puzzle(load_grid(DATA / "grids" / "open-6x6.txt"), default_vocabulary)
    )
    with TableSearch(Task(candidates, Late())) as search, pytest.raises(TimeUp):
        search.run(float("inf"))
    assert Late.looks == 101


def test_the_backend_uses_it_for_open_grids() -> None:
    letters = "ABCDE"
    every = [a + b + c for a in letters for b in letters for c in letters]
    outcome = solve(
        Puzzle(Grid.from_rows(["___"] * 3), Vocabulary(every)),
        "sat",
        workers=1,
        options={"tables": "on"},
    )
    assert outcome.status is Status.FILLED
    assert outcome.stats["encoding"] == "tables"
