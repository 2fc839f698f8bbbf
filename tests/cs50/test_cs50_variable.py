"""Variable: a value with four fields, two texts and a list of cells."""

from __future__ import annotations

import pytest

from satcross.cs50 import Variable


def test_fields_texts_and_constants() -> None:
    var = Variable(0, 1, "across", 3)
    assert (var.i, var.j, var.direction, var.length) == (0, 1, "across", 3)
    assert (Variable.ACROSS, Variable.DOWN) == ("across", "down")
    assert type(Variable.ACROSS) is str
    assert str(var) == "(0, 1) across : 3"
    assert repr(var) == "Variable(0, 1, 'across', 3)"
    assert eval(repr(var)) == var


def test_cells_are_tuples_in_reading_order() -> None:
    assert Variable(1, 2, "down", 3).cells == [(1, 2), (2, 2), (3, 2)]
    assert Variable(1, 2, "across", 3).cells == [(1, 2), (1, 3), (1, 4)]


def test_equal_by_value() -> None:
    var = Variable(0, 1, "across", 3)
    assert var == Variable(0, 1, "across", 3)
    assert var in {Variable(0, 1, "across", 3): None}
    for other in [(1, 1, "across", 3), (0, 0, "across", 3), (0, 1, "down", 3), (0, 1, "across", 4)]:
        assert var != Variable(*other)


def test_hash_is_that_of_the_four_fields() -> None:
    assert hash(Variable(0, 1, "across", 3)) == hash((0, 1, "across", 3))


@pytest.mark.parametrize("other", [None, "across", 3])
def test_comparing_with_something_else_raises(other: object) -> None:
    with pytest.raises(AttributeError):
        assert Variable(0, 1, "across", 3) == other


def test_anything_with_the_four_attributes_may_be_equal() -> None:
    class Lookalike:
        i, j, direction, length = 0, 1, "across", 3

    assert Variable(0, 1, "across", 3) == Lookalike()


def test_no_order() -> None:
    with pytest.raises(TypeError):
        sorted([Variable(0, 1, "across", 3), Variable(1, 1, "across", 3)])  # type: ignore[type-var]
