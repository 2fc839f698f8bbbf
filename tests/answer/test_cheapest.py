"""The answer of least cost: by CP-SAT, with words removed by bounds, by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rules.model import LETTERS
from strategies import grids_with_slots

from encoders import Spelling, WeightedInstance
from satcross.answer.choosing import belief_propagation
from satcross.answer.choosing.belief_propagation import Beliefs, propagate
from satcross.answer.choosing.lagrangian_bound import Bound
from satcross.answer.choosing.methods import answer, cheapest_by_cpsat
from satcross.answer.choosing.problem import Problem
from satcross.answer.choosing.tables import LetterTables, cheapest_reading, spell_out
from satcross.grid import Grid

SolverChoice = tuple[Grid, WeightedInstance]


@st.composite
def questions(draw: st.DrawFn, *, rows: int = 3) -> SolverChoice:
    """Few cells, few letters; every slot can be spelled, at costs in the range of its words."""
    grid = draw(grids_with_slots(most=3, rows=rows))
    words, spellings = [], []
    costs = st.integers(0, 40)
    for slot in grid.slots:
        word = st.text(LETTERS, min_size=slot.length, max_size=slot.length)
        words.append(draw(st.dictionaries(word, costs, max_size=6)))
        letters = tuple({letter: draw(st.integers(0, 9)) for letter in LETTERS} for _ in slot.cells)
        spellings.append(Spelling(draw(costs), letters))
    slots = tuple(slot.cells for slot in grid.slots)
    return grid, WeightedInstance(slots, tuple(words), tuple(spellings), draw(st.booleans()))


def evaluation_totals(problem: WeightedInstance) -> Iterator[int]:
    """Yield the cost of every answer: all letters in all cells, all readings of each slot."""
    cells = sorted({cell for slot in problem.slots for cell in slot})
    for letters in product(LETTERS, repeat=len(cells)):
        current_letters = dict(zip(cells, letters, strict=True))
        choice = ["".join(current_letters[cell] for cell in slot) for slot in problem.slots]
        for taken in product([True, False], repeat=len(choice)):
            used = [word for word, take in zip(choice, taken, strict=True) if take]
            if not problem.allow_repeats and len(set(used)) < len(used):
                continue
            total = 0
            for slot, (word, take) in enumerate(zip(choice, taken, strict=True)):
                spelling = problem.spellings[slot]
                assert spelling is not None
                cost = problem.words[slot].get(word) if take else spelling.cost(word)
                if cost is None:
                    break
                total += cost
            else:
                yield total


small = questions(rows=2)
NOTHING = dict.fromkeys(LETTERS, 0)
# A word that may not repeat is spelt where that costs least.
REPEATED = (
    Grid.from_rows(["__", "##", "__"]),
    WeightedInstance(
        (((0, 0), (0, 1)), ((2, 0), (2, 1))),
        ({"AB": 1}, {"AB": 0}),
        (Spelling(5, (NOTHING, NOTHING)), Spelling(9, (NOTHING, NOTHING))),
    ),
)


@given(small)
@example(REPEATED)
@settings(max_examples=40)
def test_cpsat_and_brute_force_agree(question: SolverChoice) -> None:
    grid, problem = question
    best = min(evaluation_totals(problem))
    found = cheapest_by_cpsat(problem)
    assert (found.cost, found.optimal) == (best, True)
    posed = Problem(grid, ((),) * len(grid.slots), problem)
    answers = answer(posed, "cpsat")
    assert (answers.cost, answers.bound, answers.optimal) == (best, best, True)
    assert problem.cost(answers.words, answers.by_letters) == best
    by_letters = answer(posed, "bp")
    assert by_letters.cost is None or by_letters.cost >= best


def reading(problem: WeightedInstance, words: list[str]) -> int:
    """Return the cost of words, of which any may repeat."""
    found = cheapest_reading(replace(problem, allow_repeats=True), words)
    assert found is not None
    return found[0]


@given(small, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_local_search_ends_where_no_other_word_in_a_slot_is_cheaper(
    question: SolverChoice, chance: Random
) -> None:
    _, problem = question
    letters = {cell: chance.choice(LETTERS) for slot in problem.slots for cell in slot}
    start = spell_out(letters, problem.slots)
    words = belief_propagation.improved(LetterTables.of(problem), start)
    cost = reading(problem, words)
    assert cost <= reading(problem, start)
    letters = {
        cell: letter
        for slot, word in zip(problem.slots, words, strict=True)
        for cell, letter in zip(slot, word, strict=True)
    }
    assert words == spell_out(letters, problem.slots)
    for slot in problem.slots:
        for other in product(LETTERS, repeat=len(slot)):
            changed = letters | dict(zip(slot, other, strict=True))
            assert reading(problem, spell_out(changed, problem.slots)) >= cost


@given(small)
@settings(max_examples=20)
def test_of_beliefs_that_do_not_settle_the_cheapest_start_counts(question: SolverChoice) -> None:
    _, problem = question
    starts = []

    def unsettled(*arguments: Any, **options: Any) -> Beliefs:
        starts.append(replace(propagate(*arguments, **options), converged=False))
        return starts[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(belief_propagation, "propagate", unsettled)
        _, words = belief_propagation.settle(problem)
    cost = reading(problem, words)
    tables = LetterTables.of(problem)
    for beliefs in (starts[1], starts[2], starts[4]):
        letters = {cell: beliefs.best(cell) for cell in beliefs.letters}
        likeliest = spell_out(letters, problem.slots)
        assert cost <= reading(problem, belief_propagation.improved(tables, likeliest))


@given(questions())
@settings(max_examples=40)
def test_bounds_change_nothing_where_brute_force_takes_too_long(question: SolverChoice) -> None:
    grid, problem = question
    posed = Problem(grid, ((),) * len(grid.slots), problem)
    assert cheapest_by_cpsat(problem).cost == answer(posed, "cpsat").cost


# Costs of 1, rounded down for only one letter, once made the bound too low.
ROUNDED = (
    Grid.from_rows(["___", "_#_", "_##"]),
    WeightedInstance(
        (((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0)), ((0, 2), (1, 2))),
        ({"AAA": 1}, {}, {}),
        (
            Spelling(2, (NOTHING, NOTHING, NOTHING)),
            Spelling(0, (NOTHING, NOTHING, NOTHING)),
            Spelling(0, (NOTHING, NOTHING)),
        ),
        False,
    ),
)


@given(small, st.integers(1, 9))
@example(ROUNDED, 2)
@settings(max_examples=40)
def test_the_bound_is_below_and_keeps_the_best(question: SolverChoice, sweeps: int) -> None:
    _, problem = question
    best = min(evaluation_totals(problem))
    bound = Bound.of(LetterTables.of(problem))
    before = bound.value
    value = bound.improve(sweeps)
    assert before <= value <= best
    bound.narrow(best - value)
    narrowed = WeightedInstance(
        problem.slots,
        tuple(
            {word: costs[word] for word in table.words}
            for table, costs in zip(bound.tables.slots, problem.words, strict=True)
        ),
        tuple(
            spelling if table.can_be_spelled else None
            for table, spelling in zip(bound.tables.slots, problem.spellings, strict=True)
        ),
        problem.allow_repeats,
    )
    assert cheapest_by_cpsat(narrowed).cost == best


def test_a_question_without_an_answer_has_none() -> None:
    slots = (((0, 0), (0, 1)), ((0, 0), (1, 0)))
    problem = WeightedInstance(slots, ({"AB": 1}, {"BA": 1}), (None, None))
    assert problem.letters() == {(0, 0): [], (0, 1): ["B"], (1, 0): ["A"]}
    solved = cheapest_by_cpsat(problem)
    assert (solved.found, solved.optimal) == (None, True)


@pytest.mark.parametrize(
    ("words", "spelling"),
    [({"ABC": 1}, None), ({"AB": -1}, None), ({}, Spelling(0, ({"A": 1},)))],
)
def test_what_does_not_fit_is_refused(words: dict[str, int], spelling: Spelling | None) -> None:
    with pytest.raises(ValueError, match=r"fit|below 0"):
        WeightedInstance((((0, 0), (0, 1)),), (words,), (spelling,))
