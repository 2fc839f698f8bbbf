"""The encoding as an array is that of ``encode``, byte for byte."""

from __future__ import annotations

from io import BytesIO, StringIO
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SmallPuzzle, small_puzzles

from encoders import (
    Instance,
    arrays,
    count_clauses,
    encode,
    encode_to_array,
    write_array,
    write_dimacs,
)
from satcross.network.arc_consistency import unpropagated
from satcross.network.to_encoder import to_instance


def check(instance: Instance) -> None:
    clauses, encoding = encode(instance)
    expected, written = StringIO(), BytesIO()
    write_dimacs(expected, clauses, encoding.variables.count)
    array, variables, firsts = encode_to_array(instance)
    write_array(written, array, variables)
    assert written.getvalue().decode() == expected.getvalue()
    assert count_clauses(array) == len(clauses)
    for words, first, candidates in zip(encoding.words, firsts, instance.candidates, strict=True):
        assert list(words) == list(candidates)
        assert not words or min(words.values()) == first


@given(small_puzzles())
def test_small_puzzles(small: SmallPuzzle) -> None:
    check(to_instance(unpropagated(small.puzzle)))


@pytest.mark.parametrize("slots", [0, 1, 3, 5, 6, 9])
def test_words_that_few_or_many_slots_may_take(slots: int) -> None:
    """Pairs of literals for up to five slots, a counter for more, in the order of the words."""
    random = Random(slots)
    words = [f"{a}{b}" for a in "ABCÑ" for b in "XYZ"]
    down = ((slots, 0), (slots, 1))
    cells = tuple(tuple((row, column) for column in range(2)) for row in range(slots))
    column = tuple((row, 0) for row in range(slots))
    candidates = [tuple(random.sample(words, 9)) for _ in range(slots)]
    crossing = tuple("".join(random.choices("ABCÑ", k=slots)) for _ in range(5))
    across = (*cells, down)
    check(Instance(across, (*candidates, tuple(words))))
    if slots > 1:
        check(Instance((*across, column), (*candidates, tuple(words), tuple({*crossing}))))
    check(Instance(across, (*candidates, ()), allow_repeats=True))


@given(st.lists(st.integers(-(10**6), 10**6), max_size=30))
def test_numbers_as_text(literals: list[int]) -> None:
    stream = BytesIO()
    write_array(stream, np.array(literals, np.int32), 10**6)
    body = stream.getvalue().decode().partition("\n")[2]
    assert body == "".join(f"{one} " if one else "0\n" for one in literals)


def test_a_weighted_formula_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every clause is hard, also where a piece of the array ends within a clause."""
    clauses = np.array([1, 2, 0, -1, 0, -2, 3, 0], np.int32)
    for chunk in (1, 2, 3, 100):
        monkeypatch.setattr(arrays, "_CHUNK", chunk)
        stream = BytesIO()
        arrays.write_weighted_array(stream, clauses, {3: 7})
        assert stream.getvalue() == b"h 1 2 0\nh -1 0\nh -2 3 0\n7 -3 0\n"
