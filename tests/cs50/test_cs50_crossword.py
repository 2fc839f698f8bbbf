"""Crossword: reading the two files, variables, overlaps, neighbors."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from satcross.cs50 import Crossword, CrosswordCreator, Variable

Read = Callable[..., Crossword]


def rows(crossword: Crossword) -> list[str]:
    return ["".join("_" if is_open else "#" for is_open in row) for row in crossword.structure]


# The structure file


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__\n__\n", ["__", "__"]),
        ("__\n__", ["__", "__"]),
        ("__\r\n__\r\n", ["__", "__"]),
        ("__\r__", ["__", "__"]),
        ("___\n_\n__\n", ["___", "_##", "__#"]),
        ("__\n\n__\n", ["__", "##", "__"]),
        ("__\n\n", ["__", "##"]),
        ("_#_.X x\t_\n", ["_#_#####_"]),
        (" __\n", ["#__"]),
        ("\ufeff__\n", ["#__"]),
        ("\n", [""]),
        ("AB\n", ["##"]),
    ],
)
def test_structure(read: Read, text: str, expected: list[str]) -> None:
    crossword = read(text)
    assert rows(crossword) == expected
    assert (crossword.height, crossword.width) == (len(expected), len(expected[0]))
    assert all(type(cell) is bool for row in crossword.structure for cell in row)


@pytest.mark.parametrize("mark", list("\f\v\x1c\x1d\x1e\x85\u2028\u2029"))
def test_every_line_break_python_knows_cuts_the_structure(read: Read, mark: str) -> None:
    assert rows(read(f"__{mark}___\n")) == ["__#", "___"]


def test_empty_structure_raises_value_error(read: Read) -> None:
    with pytest.raises(ValueError, match="empty"):
        read("")


# The words file


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cat\nDog\nCAT\n", {"CAT", "DOG"}),
        ("ab \n ab\n", {"AB ", " AB"}),
        ("cat\n\ndog\n", {"CAT", "", "DOG"}),
        ("cat\n\n", {"CAT", ""}),
        ("", set()),
        ("\n", {""}),
        ("straße\n", {"STRASSE"}),
        ("\ufeffcat\ndog\n", {"\ufeffCAT", "DOG"}),
        ("n't\ne-mail\ncat\r\ndog\rant\n", {"N'T", "E-MAIL", "CAT", "DOG", "ANT"}),
        ("cat\fdog\x85ant\u2028bee", {"CAT", "DOG", "ANT", "BEE"}),
    ],
)
def test_words(read: Read, text: str, expected: set[str]) -> None:
    words = read("__\n", text).words
    assert type(words) is set
    assert words == expected


def test_an_apostrophe_counts_as_a_letter(read: Read) -> None:
    assert CrosswordCreator(read("___\n", "n't\n")).solve() == {Variable(0, 0, "across", 3): "N'T"}


# Variables, overlaps, neighbors

TEXT = "___#_\n_#___\n___#_\n#_#__\n"
"""
    A B C # D      across: 0,0:3  1,2:3  2,0:3  3,3:2
    E # F G H      down:   0,0:3  0,2:3  0,4:4  2,1:2
    I J K # L      G and the cell under K belong to one or no variable.
    # M # N O
"""


PLACES = [(0, 0, "across", 3), (1, 2, "across", 3), (2, 0, "across", 3), (3, 3, "across", 2)]
PLACES += [(0, 0, "down", 3), (0, 2, "down", 3), (0, 4, "down", 4), (2, 1, "down", 2)]


def test_variables(read: Read) -> None:
    crossword = read(TEXT)
    assert type(crossword.variables) is set
    assert crossword.variables == {Variable(*place) for place in PLACES}


def test_a_lone_cell_is_in_no_variable(read: Read) -> None:
    assert read("_#_\n###\n_##\n").variables == set()


def test_overlaps_hold_all_ordered_pairs(read: Read) -> None:
    crossword = read(TEXT)
    variables = crossword.variables
    assert type(crossword.overlaps) is dict
    assert set(crossword.overlaps) == {(x, y) for x in variables for y in variables if x != y}
    for (x, y), overlap in crossword.overlaps.items():
        shared = set(x.cells) & set(y.cells)
        if overlap is None:
            assert not shared
        else:
            assert shared == {x.cells[overlap[0]]} == {y.cells[overlap[1]]}
            assert crossword.overlaps[y, x] == overlap[::-1]
            assert type(overlap) is tuple


def test_neighbors(read: Read) -> None:
    crossword, var = read(TEXT), Variable(2, 0, "across", 3)
    neighbors = crossword.neighbors(var)
    assert type(neighbors) is set
    assert neighbors == {Variable(*PLACES[number]) for number in (4, 5, 7)}
    neighbors.clear()
    assert len(crossword.neighbors(var)) == 3


def test_neighbors_of_a_stranger(read: Read) -> None:
    with pytest.raises(KeyError):
        read(TEXT).neighbors(Variable(9, 9, "down", 3))


def test_public_attributes(read: Read) -> None:
    names = {"height", "width", "structure", "words", "variables", "overlaps"}
    assert set(vars(read(TEXT))) == names


# A variable: a value with four fields, two texts and a list of cells


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
