"""Clause learning on letters, in compiled code, against brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from helpers import DATA, load_grid

from satcross import Grid, Puzzle, Status, Vocabulary, engine, solve
from satcross.backends.base import Task
from satcross.backends.letter_tables import DEFAULTS
from satcross.backends.letters import LetterSearch
from satcross.network.arc_consistency import arc_consistent
from satcross.run_settings import Deadline, TimeUp


def begin(puzzle: Puzzle, deadline: Deadline) -> LetterSearch:
    candidates = arc_consistent(puzzle)
    search = LetterSearch.begin(Task(candidates, deadline), candidates, DEFAULTS)
    assert search is not None
    return search


@pytest.mark.parametrize(("words", "filled"), [("CAT COT OAT", True), ("CAT COT", False)])
def test_slots_that_differ_only_in_uncrossed_cells(words: str, filled: bool) -> None:
    """Three words that must be different, of which no crossing says which is where."""
    rows = ["___", "#_#", "#_#", "###", "___", "###", "___"]
    longer = "AXE OXE AXX OXX"
    grid = Grid.from_rows(rows)
    puzzle = Puzzle(grid, Vocabulary([*words.split(), *(w for w in longer.split() if filled)]))
    if arc_consistent(puzzle).infeasible:
        assert not filled
        return
    status = begin(puzzle, Deadline()).run(float("inf"))
    assert status is (Status.FILLED if filled else Status.UNFILLABLE)


def test_it_stops_within_a_call(default_vocabulary: Vocabulary) -> None:
    class Late(Deadline):
        looks = 0

        def check(self) -> None:
            Late.looks += 1
            if Late.looks > 5:
                raise TimeUp

    puzzle = Puzzle(load_grid(DATA / "grids" / "open-6x6.txt"), default_vocabulary)
    search = begin(puzzle, Late())
    with pytest.raises(TimeUp):
        search.run(float("inf"))
    assert Late.looks == 6


def too_many_for_a_first_batch(letters: str = "ABCDEF") -> Puzzle:
    words = Vocabulary(map("".join, product(letters, repeat=4)))
    return Puzzle(Grid.from_rows(["____"] * 4), words, allow_repeats=True)


def test_sat_is_pysat_and_letters_is_not() -> None:
    puzzle = too_many_for_a_first_batch()
    for backend, solver, encoding in (
        ("sat", "cadical195", "lazy"),
        ("letters", "satcross", "letters"),
    ):
        outcome = solve(puzzle, backend, workers=1)
        assert outcome.status is Status.FILLED
        assert (outcome.stats["solver"], outcome.stats["encoding"]) == (solver, encoding)


def test_sat_answers_what_letters_does_not_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = too_many_for_a_first_batch()
    preferring = replace(puzzle, preferred=frozenset(["ABCD"]))
    assert solve(preferring, "letters", workers=1).stats["solver"] == "glucose4"
    monkeypatch.setattr(engine, "available", lambda: False)
    assert solve(puzzle, "letters", workers=1).stats["solver"] == "glucose4"
