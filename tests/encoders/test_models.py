"""OPB by brute force: a choice of words satisfies the equations exactly if it is a fill."""

from __future__ import annotations

import re
from io import StringIO
from itertools import islice, product

import pytest
from hypothesis import given
from strategies import SmallPuzzle, small_puzzles

from encoders import AtLeast, ConflictGroup, Instance
from encoders.instance import crossings
from encoders.models import word_numbers, write_minizinc, write_opb, write_xcsp3
from satcross.network.arc_consistency import unpropagated
from satcross.network.to_encoder import to_instance


def is_fill(instance: Instance, words: tuple[str, ...]) -> bool:
    agree = all(words[a][i] == words[b][j] for a, i, b, j in crossings(instance.slots))
    return agree and (instance.allow_repeats or len(set(words)) == len(words))


def holds(line: str, true: set[str]) -> bool:
    *terms, relation, bound, end = line.split()
    assert end == ";"
    numbers, names = map(int, terms[::2]), terms[1::2]
    value = sum(number for number, name in zip(numbers, names, strict=True) if name in true)
    return value == int(bound) if relation == "=" else value >= int(bound)


@given(small_puzzles())
def test_opb_has_the_fills(small: SmallPuzzle) -> None:
    if not small.plain or not small.puzzle.grid.slots:
        return
    instance = to_instance(unpropagated(small.puzzle))
    stream = StringIO()
    write_opb(stream, instance)
    header, *lines = stream.getvalue().splitlines()
    variables = sum(map(len, instance.candidates))
    assert header == f"* #variable= {variables} #constraint= {len(lines)}"
    number = iter(range(1, variables + 1))
    names = [{word: f"x{next(number)}" for word in words} for words in instance.candidates]
    for words in islice(product(*instance.candidates), 300):
        true = {its[word] for its, word in zip(names, words, strict=True)}
        assert all(holds(line, true) for line in lines) == is_fill(instance, words)


def test_words_have_numbers_of_their_own() -> None:
    square = Instance((((0, 0), (0, 1)), ((0, 0), (1, 0))), (("AB", "CD"), ("CE", "AB")))
    assert word_numbers(square) == [{1: "AB", 2: "CD"}, {3: "CE", 1: "AB"}]
    xcsp3, minizinc = StringIO(), StringIO()
    write_xcsp3(xcsp3, square)
    assert "(1,2,1)(3,4,2)" in xcsp3.getvalue()
    assert len(re.findall("<allDifferent>", xcsp3.getvalue())) == 1
    write_minizinc(minizinc, square)
    assert "constraint alldifferent([w0, w1]);" in minizinc.getvalue()


@pytest.mark.parametrize("write", [write_minizinc, write_opb, write_xcsp3])
def test_rules_that_are_not_stated_are_refused(write: object) -> None:
    assert callable(write)
    slots, words = (((0, 0), (0, 1)),), (("AB", "CD"),)
    group = ConflictGroup("like", ("AB", "CD"))
    for instance in (
        Instance(slots, words, conflict_groups=(group,)),
        Instance(slots, words, at_least=AtLeast(("AB",), 1)),
    ):
        with pytest.raises(ValueError, match="rules about words"):
            write(StringIO(), instance)
