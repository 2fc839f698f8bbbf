"""Layouts: right by independent checking, smallest by brute force."""

from __future__ import annotations

from itertools import product

import pytest
from construct import plain
from hypothesis import given, settings
from hypothesis import strategies as st

from satcross.construct.layout import local_search
from satcross.construct.layout.layout import check_layout
from satcross.construct.layout.packing import NoLayout, Packing
from satcross.construct.layout.smallest import LayoutResult, lay_out
from satcross.deadline import Deadline
from satcross.errors import InputError
from satcross.formats.clued_words import parse_clued_words
from satcross.formats.files import Text

SCHOOL = """
    OXYGEN CARBON LEAF ROOT STEM LIGHT WATER CELL PLANT ENERGY SUGAR GREEN STARCH FLOWER SEED
"""


def check(words: list[str], laying: LayoutResult) -> None:
    layout = laying.layout
    assert layout is not None
    assert sorted(plain.words(layout.rows)) == sorted(words)
    assert plain.in_one_piece(layout.rows)
    assert (len(layout.rows), len(layout.rows[0])) == (layout.height, layout.width)
    assert any(x != "#" for x in layout.rows[0])
    assert any(x != "#" for x in layout.rows[-1])
    assert any(row[0] != "#" for row in layout.rows)
    assert any(row[-1] != "#" for row in layout.rows)
    assert sorted(layout.fill().values()) == sorted(words)


@settings(max_examples=40)
@given(st.lists(st.text("ABCD", min_size=2, max_size=4), min_size=1, max_size=4, unique=True))
def test_smallest_by_brute_force(words: list[str]) -> None:
    area = plain.smallest_area(words)
    laying = lay_out(words)
    assert laying.impossible == (area is None)
    if area is not None:
        check(words, laying)
        assert laying.smallest
        assert laying.layout is not None
        assert laying.layout.area == laying.bound == area


@pytest.mark.parametrize(
    "words",
    [
        ["CAT", "TOE", "EAR", "ARC", "ACT"],
        ["TEA", "EAT", "ATE", "ETA", "TAE"],
        ["SOLO", "LOT", "TEE", "SEE", "OLE"],
    ],
)
def test_smallest_of_five(words: list[str]) -> None:
    laying = lay_out(words)
    assert laying.smallest
    assert laying.bound == plain.smallest_area(words)


def test_more_words_than_can_be_proved() -> None:
    words = SCHOOL.split()
    laying = lay_out(words, time_limit=3)
    check(words, laying)
    assert not laying.smallest
    assert laying.layout is not None
    assert sum(map(len, words)) / 2 <= laying.bound < laying.layout.area
    assert laying.reason == "time limit"


def test_words_that_share_no_letter_are_named() -> None:
    laying = lay_out(["CAT", "TEA", "DUG", "MUD"])
    assert laying.impossible
    assert "DUG, MUD" in laying.reason or "CAT, TEA" in laying.reason
    assert "no letter of ZOO is" in lay_out(["CAT", "TEA", "ZOO", "EAR"]).reason


def test_words_that_share_letters_but_do_not_interlock() -> None:
    laying = lay_out(["AB", "AC", "AD"])
    assert laying.impossible
    assert "share letters" in laying.reason


def test_the_check_finds_what_is_wrong() -> None:
    words = ["CAT", "TEA"]
    assert check_layout(words, ["CAT", "##E", "##A"]) == []
    assert check_layout(words, ["CAT", "##E", "##B"]) != []
    assert check_layout(words, ["CAT#", "####", "#TEA"]) == ["it is not in one piece"]
    assert check_layout(words, ["CATE", "##E#", "##A#"]) != []
    assert check_layout([*words, "AT"], ["CAT", "##E", "##A"]) == ["AT stands 0 times, not 1"]


def test_clued_words() -> None:
    text = (
        "cat\tIt purrs; or not\nice cream;Cold\nmake-up\tFace\nrock 'n' roll\tDance\ndog;50\ncat\n"
    )
    read = parse_clued_words(Text("w", text))
    assert read.clues == {
        "CAT": "It purrs; or not",
        "ICECREAM": "Cold (3,5)",
        "MAKEUP": "Face (4-2)",
        "ROCKNROLL": "Dance (4,1,4)",
        "DOG": "",
    }
    assert len(read.notes) == 1


@pytest.mark.parametrize("text", ["", "\n", "cat\nx\n", "cat\nR2D2\n", "\tclue\n"])
def test_clued_words_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match="w:"):
        parse_clued_words(Text("w", text))


def test_too_many_words_for_a_proof_still_have_a_layout() -> None:
    words = ["".join(three) for three in product("ABCDEFGH", "AEIOU", "KLMNPRST")]
    laying = lay_out(words, time_limit=4)
    assert laying.layout is not None
    assert not laying.smallest
    assert laying.reason


def test_at_the_time_limit_no_question_is_put() -> None:
    packing = Packing(["ABC", "CDE"], 3, 3, Deadline.after(0))
    assert packing.solve(1, Deadline.after(None), 0) is NoLayout.UNKNOWN


def test_no_word_is_laid_over_one_that_it_ends_with() -> None:
    board = local_search.Board()
    start = local_search._START
    board.put("BX", start, local_search._ROW)
    board.put("AA", start + 2, 1)
    assert (start, 1) not in {(first, step) for first, step, _ in board.options("BCAA")}
