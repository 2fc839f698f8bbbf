"""Layouts are valid by an independent check, and smallest by brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from make import plain

from satcross import engine
from satcross.errors import InputError
from satcross.formats.clues import parse_clued_words
from satcross.formats.files import Text
from satcross.make import Goal, Layout, LayoutResult, check_layout, lay_out
from satcross.make.layout import local_search, pair_bound, smallest
from satcross.make.layout.packing import NoLayout, Packing
from satcross.run_settings import Deadline

SCHOOL = """
    OXYGEN CARBON LEAF ROOT STEM LIGHT WATER CELL PLANT ENERGY SUGAR GREEN STARCH FLOWER SEED
"""


def check(words: list[str], result: LayoutResult) -> None:
    layout = result.layout
    assert layout is not None
    assert sorted(plain.words(layout.rows)) == sorted(words)
    assert plain.in_one_piece(layout.rows)
    assert (len(layout.rows), len(layout.rows[0])) == (layout.height, layout.width)
    sides = ([row[side] for row in layout.rows] for side in (0, -1))
    assert all(set(edge) != {"#"} for edge in (layout.rows[0], layout.rows[-1], *sides))
    assert sorted(layout.crossword(dict.fromkeys(words, "")).words.values()) == sorted(words)


@settings(max_examples=30)
@given(st.lists(st.text("ABCD", min_size=2, max_size=4), min_size=1, max_size=4, unique=True))
@example(["CAT", "TOE", "EAR", "ARC", "ACT"])
@example(["TEA", "EAT", "ATE", "ETA", "TAE"])
@example(["SOLO", "LOT", "TEE", "SEE", "OLE"])
def test_smallest_by_brute_force(words: list[str]) -> None:
    sizes = plain.layout_sizes(words)
    for square, shape in ((True, "fits a smaller square"), (False, "has a smaller area")):
        cells = [max(size) ** 2 if square else prod(size) for size in sizes]
        result = lay_out(words, goal=Goal(square=square))
        assert result.impossible == (not cells)
        if cells:
            check(words, result)
            assert result.smallest
            assert result.layout is not None
            assert result.layout.cells(square=square) == result.bound == min(cells)
            assert f"proved: no layout {shape}" in str(result)


@pytest.mark.parametrize(
    ("box", "all_fit"), [((3, 5), True), ((3, 4), False), ((5, 3), True), ((9, 9), True)]
)
def test_words_in_a_box(box: tuple[int, int], all_fit: bool) -> None:
    words = ["CAT", "TOE", "EAR"]  # the smallest layouts have 3x5 or 5x3 cells
    result = lay_out(words, goal=Goal(box))
    assert result.layout is not None
    check([word for word in words if word not in result.left_over], replace(result, left_over=()))
    assert result.layout.height <= box[0]
    assert result.layout.width <= box[1]
    assert (not result.left_over, result.impossible) == (all_fit, not all_fit)


@settings(max_examples=30)
@given(st.lists(st.text("AB", min_size=2, max_size=4), min_size=2, max_size=6, unique=True))
def test_full_squares_are_at_most_so_many(words: list[str]) -> None:
    """In any layout that is found, however small; the alphabet makes many squares."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_bound, "_WORK", 0.1)
        limit = pair_bound.max_full_squares(words, Deadline())

    def compare(layout: Layout) -> None:
        rows = layout.rows
        corners = product(range(layout.height - 1), range(layout.width - 1))
        assert limit >= sum(
            "#" not in rows[r][c : c + 2] + rows[r + 1][c : c + 2] for r, c in corners
        )

    local_search.search_layouts(words, 0, Deadline(), rounds=1, on_layout=compare, goal=Goal())


def test_a_word_longer_than_the_box_is_left_over() -> None:
    result = lay_out(["ABCDE", "EF", "GEH"], goal=Goal((3, 4)))
    assert result.left_over == ("ABCDE",)
    assert result.impossible
    with pytest.raises(InputError, match="every word is too long for 3x4; use a larger box"):
        lay_out(["ABCDE"], goal=Goal((3, 4)))


def test_more_words_than_can_be_proved() -> None:
    words = SCHOOL.split()
    result = lay_out(words, time_limit=1)
    check(words, result)
    assert not result.smallest
    assert result.layout is not None
    assert sum(map(len, words)) / 2 <= result.bound < result.layout.area
    assert result.reason == "time limit"


def test_words_that_share_no_letter_are_named() -> None:
    result = lay_out(["CAT", "TEA", "DUG", "MUD"])
    assert result.impossible
    assert result.reason in (
        "DUG, MUD share no letter with any other word",
        "CAT, TEA share no letter with any other word",
    )
    alone = lay_out(["CAT", "TEA", "ZOO", "EAR"])
    assert alone.reason == "ZOO shares no letter with any other word"


def test_words_that_share_letters_but_do_not_interlock() -> None:
    result = lay_out(["AB", "AC", "AD"])
    assert result.impossible
    assert "share letters" in result.reason


def test_check_layout_finds_errors() -> None:
    words = ["CAT", "TEA"]
    assert check_layout(words, ["CAT", "##E", "##A"]) == []
    assert check_layout(words, ["CAT", "##E", "##B"]) != []
    assert check_layout(words, ["CAT#", "####", "#TEA"]) == ["the layout is not connected"]
    assert check_layout(words, ["CATE", "##E#", "##A#"]) != []
    assert check_layout([*words, "AT"], ["CAT", "##E", "##A"]) == ["AT appears 0 times, not 1"]


@pytest.mark.parametrize("text", ["", "\n", "cat\nx\n", "\tclue\n"])
def test_malformed_clued_words(text: str) -> None:
    with pytest.raises(InputError, match="w:"):
        parse_clued_words(Text("w", text))


@pytest.mark.parametrize("compiled", [True, False])
def test_too_many_words_for_a_proof_still_have_a_layout(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled:
        monkeypatch.setattr(engine, "available", lambda: False)
    monkeypatch.setattr(local_search, "_MANY_ROUNDS", 2)
    monkeypatch.setattr(smallest, "_MAX_PLACEMENTS", 100)
    words = SCHOOL.split()
    result = lay_out(words)
    check(words, result)
    assert (result.smallest, result.reason) == (False, "too many words for CP-SAT")
    assert result.layout is not None
    assert result.layout.area < 2 * sum(map(len, words))
    boxed = lay_out(words, goal=Goal((6, 7)))
    assert boxed.layout is not None
    assert boxed.layout.height <= 6
    assert boxed.layout.width <= 7
    assert len(boxed.left_over) <= 10


def test_an_unfinished_model_answers_unknown() -> None:
    packing = Packing(["ABC", "CDE"], 3, 3, Deadline.after(0))
    assert packing.solve(1, Deadline.after(None), 0) is NoLayout.UNKNOWN
