"""The clauses of the encodings, without a backend."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver
from strategies import SmallPuzzle, possible_puzzles, small_puzzles

from encoders import (
    Encoding,
    Instance,
    LazyEncoding,
    at_least_clauses,
    conflict_clauses,
    direct_size,
    encode_direct,
)
from encoders.cardinality import MAX_PAIRWISE
from satcross.network.arc_consistency import arc_consistent
from satcross.network.to_encoder import to_instance


@given(small_puzzles())
def test_direct_size(small: SmallPuzzle) -> None:
    slots = tuple(slot.cells for slot in small.puzzle.grid.slots)
    words = tuple(tuple(word for word in small.words if len(word) == len(cells)) for cells in slots)
    instance = Instance(slots, words, allow_repeats=True)
    assert direct_size(instance) == len(encode_direct(instance)[0])


@pytest.mark.parametrize("number", range(1, 9))
def test_at_most_one(number: int) -> None:
    encoding = Encoding([])
    literals = list(encoding.variables.allocate("word", 0, [str(i) for i in range(number)]))
    clauses = encoding.at_most_one(literals, "label")
    assert (encoding.variables.count == number) is (number <= MAX_PAIRWISE)
    with Solver(bootstrap_with=clauses) as solver:
        for values in product((False, True), repeat=number):
            chosen = [x if value else -x for x, value in zip(literals, values, strict=True)]
            assert solver.solve(assumptions=chosen) == (sum(values) <= 1)


@given(possible_puzzles(), st.integers(1, 3), st.randoms(use_true_random=False))
def test_words_in_batches_have_the_same_fills(
    small: SmallPuzzle, batch: int, random: Random
) -> None:
    """Theme words first, as rankings give them; then one slot after the other in any order."""
    candidates = arc_consistent(small.puzzle)
    instance = to_instance(candidates)
    theme = instance.at_least.words if instance.at_least else ()
    encoding = LazyEncoding(instance.slots, theme)
    clauses = [
        clause
        for cell, letters in instance.letters().items()
        for clause in encoding.add_letters(cell, letters)
    ]
    left = [sorted(words, key=lambda word: word not in theme) for words in instance.candidates]
    first = True
    while any(left):
        for slot in random.sample(range(len(left)), len(left)):
            size = max(batch, sum(word in theme for word in left[slot])) if first else batch
            taken, left[slot] = left[slot][:size], left[slot][size:]
            if taken:
                clauses += encoding.add_words(slot, taken, last=not left[slot])
        first = False
    assert encoding.assumptions == []
    if not instance.allow_repeats:
        for word in sorted({word for words in instance.candidates for word in words}):
            clauses += encoding.unique(word)
    for group in instance.conflict_groups:
        clauses += conflict_clauses(encoding, group, instance.allow_repeats)
    if instance.at_least:
        clauses += at_least_clauses(encoding, instance.at_least)
    expected = {*small.truth()}
    found: set[tuple[str, ...]] = set()
    with Solver(bootstrap_with=clauses) as solver:
        while solver.solve() and len(found) <= len(expected):
            fill = tuple(encoding.decode(solver.get_model()))
            found.add(fill)
            solver.add_clause([-encoding.words[slot][word] for slot, word in enumerate(fill)])
    assert found == expected


def test_words_must_fit() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        Instance((((0, 0), (0, 1)),), (("CAT",),))
