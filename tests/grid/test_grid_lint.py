"""Warnings and statistics of ``satcross.grid.lint``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from satcross.grid import Bar, Grid
from satcross.grid.lint import grid_statistics, lint
from satcross.grid.styles import Style, usual_limits
from satcross.vocabulary import Vocabulary

TRIPLES = list(map("".join, product("ABCDE", repeat=3)))
WORDS = Vocabulary([*TRIPLES, *map("".join, product("ABC", repeat=5))])


A, B = Style.AMERICAN, Style.BRITISH
LATTICE = "_____ _#_#_ _____ _#_#_ _____"
LOOSE = "_____ _#### _#### _#### _####"
STAIRS = "___## ___## _____ ##___ ##___"
WALL = " ".join([*["_" * 11] * 4, "___######__", *["_" * 11] * 4])


def texts_by_kind(rows: str, style: Style = A, words: Vocabulary = WORDS) -> dict[str, str]:
    grid = Grid.from_rows(rows.split(), letters=True)
    return {notice.kind: notice.text for notice in lint(grid, words, style)}


def test_grids_with_few_warnings_or_none() -> None:
    assert texts_by_kind("#___# _____ _____ _____ #___#") == {}
    assert set(texts_by_kind(LATTICE, B)) == {"words"}
    assert "wall" not in texts_by_kind(f"{'___######__ ' * 3}{'_' * 11}")


@pytest.mark.parametrize(
    ("rows", "style", "kind", "text"),
    [
        ("____# _____ _____ _____ #___#", A, "symmetry", "diagonal"),
        ("_____ _____ _____ _____ ####_", A, "symmetry", "not rotationally symmetric"),
        ("__#__ __#__ ##### __#__ __#__", A, "regions", "4 separate parts"),
        ("__#__ _____ _____ _____ __#__", A, "short", "4 two-letter words: 1A, 3A"),
        ("__", A, "short", "1 two-letter word: 1A"),
        ("#_### ___## #_#_# ##___ ###_#", A, "unchecked", "8 cells in only one word"),
        ("##### #_#_# #____ #_### ###_#", A, "alone", "1 cell in no word: r5c4"),
        (STAIRS, A, "mass", "2 squares of 2x2 blocks"),
        (STAIRS, A, "blocks", "8 blocks; an American 5x5 usually has at most"),
        ("___#_ _#___ ___#_ _#___ ___#_", A, "words", "8 words; an American 5x5 usually has at le"),
        (LATTICE, A, "unchecked", "12 cells in only one word"),
        ("#XYZ# _____ _____ _____ #___#", A, "letters", "given letters of 1D, 2D, 3D"),
        (WALL, A, "wall", "6 blocks or more side by side: row 5"),
        ("____# _##__ _____ __##_ #____", B, "consecutive", "two unchecked"),
        (LOOSE, B, "unchecked", "less than half"),
        (LOOSE, B, "consecutive", "three or more unchecked"),
        (
            "_#_#_ _____ _#_#_ _____ _#_#_",
            B,
            "unchecked",
            "more letters unchecked than checked: 1D, 2D, 3D",
        ),
        ("_#_#_ _____ _#_#_", B, "unchecked", "three letters, of which one is checked: 1D, 2D, 3D"),
    ],
)
def test_warnings(rows: str, style: Style, kind: str, text: str) -> None:
    assert text in texts_by_kind(rows, style)[kind]


def test_barred() -> None:
    def kinds(*bars: Bar) -> dict[str, str]:
        grid = Grid(("______",) * 4, bars=frozenset(bars))
        found = {warning.kind: warning.text for warning in lint(grid, WORDS)}
        return {kind: text for kind, text in found.items() if kind not in ("symmetry", "coverage")}

    first, second = ((((row, 0), (row, 1)), ((row, 1), (row, 2))) for row in (0, 1))
    assert kinds(*first) == {}
    found = kinds(*first, *second)
    assert found.keys() == {"unchecked", "consecutive"}
    assert "Ximenes" in found["unchecked"]
    assert found["unchecked"].endswith(": 1D, 2D")
    found = kinds(((0, 0), (0, 1)), ((0, 0), (1, 0)))
    assert found["regions"] == "2 separate parts, of 23, 1 cells"


def test_holes_are_not_blocks() -> None:
    rows = ("##___##", "##___##", "_______", "_______", "_______", "##___##", "##___##")
    ends = (0, 1, 5, 6)
    shaped = Grid(rows, holes=frozenset((row, column) for row in ends for column in ends))
    assert {"mass", "blocks"} <= {warning.kind for warning in lint(Grid(rows), WORDS)}
    assert {warning.kind for warning in lint(shaped, WORDS)} <= {"coverage"}
    assert (grid_statistics(shaped).blocks, grid_statistics(shaped).open_cells) == (0, 33)


def test_coverage() -> None:
    def coverage(words: Sequence[str]) -> str:
        return texts_by_kind("___ ___ ___", words=Vocabulary(words)).get("coverage", "")

    assert coverage(["CAT", "DOG"]).startswith("2 words of 3 letters, fewer than for 1A")
    assert coverage(["HOUSE"]).startswith("no word of 3 letters")
    some = [f"A{a}{b}" for a in "ABC" for b in "ABC"]
    assert coverage(some) == "only 9 words of 3 letters for 6 slots"
    assert coverage(TRIPLES[:120]) == ""
    assert coverage(TRIPLES[1:120])


def test_facts() -> None:
    facts = grid_statistics(Grid.from_rows(["#___#", "_____", "_____", "_____", "#___#"]))
    assert (facts.words, facts.blocks, facts.checked, facts.open_cells) == (10, 4, 21, 21)
    assert facts.lengths == {3: 4, 5: 6}
    assert len(facts.longest) == 6
    assert set(facts.symmetries) >= {"half turn", "quarter turn", "diagonal"}


def test_usual_limits() -> None:
    assert usual_limits(Style.AMERICAN, 15, 15).max_words == 78
    assert usual_limits(Style.AMERICAN, 21, 21).max_words == 140
    assert 38 <= usual_limits(Style.AMERICAN, 15, 15).max_blocks <= 42
    assert 28 <= usual_limits(Style.BRITISH, 15, 15).max_words <= 36
    assert [usual_limits(style, 1, 1).min_words for style in Style] == [2, 2, 2]
