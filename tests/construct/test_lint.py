"""What is noticed about a structure."""

from __future__ import annotations

from itertools import product

import pytest

from satcross.construct.lint import facts_of, lint
from satcross.construct.pattern.styles import Style, usual
from satcross.grid import Grid
from satcross.vocabulary import Vocabulary

WORDS = Vocabulary(
    ["".join(letters) for letters in product("ABCDE", repeat=3)]
    + [
        f"{a}{b}{c}{d}{e}"
        for a in "ABC"
        for b in "ABC"
        for c in "ABC"
        for d in "ABC"
        for e in "ABC"
    ]
)


def kinds(
    rows: list[str], style: Style = Style.AMERICAN, words: Vocabulary = WORDS
) -> dict[str, str]:
    grid = Grid.from_rows(rows, letters=True)
    return {notice.kind: notice.text for notice in lint(grid, words, style)}


def test_nothing_to_say() -> None:
    assert kinds(["#___#", "_____", "_____", "_____", "#___#"]) == {}


@pytest.mark.parametrize(
    ("rows", "kind", "text"),
    [
        (["____#", "_____", "_____", "_____", "#___#"], "symmetry", "diagonal"),
        (["_____", "_____", "_____", "_____", "####_"], "symmetry", "half a turn"),
        (["__#__", "__#__", "#####", "__#__", "__#__"], "regions", "4 regions"),
        (["__#__", "_____", "_____", "_____", "__#__"], "short", "4 two-letter words: 1A, 3A"),
        (["#_###", "___##", "#_#_#", "##___", "###_#"], "unchecked", "8 cells in one word only"),
        (["#####", "#_#_#", "#____", "#_###", "###_#"], "alone", "1 cell in no word: row 5"),
        (["___##", "___##", "_____", "##___", "##___"], "mass", "2 squares of 2x2 blocks"),
        (["___##", "___##", "_____", "##___", "##___"], "blocks", "8 blocks; usual in an American"),
        (["___#_", "_#___", "___#_", "_#___", "___#_"], "words", "words; usual in an American 5x5"),
        (["_____", "_#_#_", "_____", "_#_#_", "_____"], "unchecked", "12 cells in one word"),
        (["#XYZ#", "_____", "_____", "_____", "#___#"], "letters", "given letters of 1D, 2D, 3D"),
    ],
)
def test_noticed(rows: list[str], kind: str, text: str) -> None:
    assert text in kinds(rows)[kind]


def test_british() -> None:
    lattice = ["_____", "_#_#_", "_____", "_#_#_", "_____"]
    assert set(kinds(lattice, Style.BRITISH)) == {"words"}
    assert (
        "two unchecked"
        in kinds(["____#", "_##__", "_____", "__##_", "#____"], Style.BRITISH)["consecutive"]
    )
    loose = kinds(["_____", "_####", "_####", "_####", "_####"], Style.BRITISH)
    assert "less than half" in loose["unchecked"]
    assert "three or more unchecked" in loose["consecutive"]


def test_coverage() -> None:
    grid = ["___", "___", "___"]
    few = Vocabulary(["CAT", "DOG"])
    assert kinds(grid, words=few)["coverage"].startswith("2 words of 3 letters, fewer than for 1A")
    assert kinds(grid, words=Vocabulary(["HOUSE"]))["coverage"].startswith("no word of 3 letters")
    some = Vocabulary([f"A{a}{b}" for a in "ABC" for b in "ABC"])
    assert kinds(grid, words=some)["coverage"] == "only 9 words of 3 letters for 6 slots"


def test_facts() -> None:
    facts = facts_of(Grid.from_rows(["#___#", "_____", "_____", "_____", "#___#"]))
    assert (facts.words, facts.blocks, facts.checked, facts.open_cells) == (10, 4, 21, 21)
    assert facts.lengths == {3: 4, 5: 6}
    assert facts.longest == ("4A", "4D", "1D", "2D", "6A", "7A") or len(facts.longest) == 6
    assert set(facts.symmetries) >= {"half turn", "quarter turn", "diagonal"}


def test_usual_limits() -> None:
    assert usual(Style.AMERICAN, 15, 15).most_words == 78
    assert usual(Style.AMERICAN, 21, 21).most_words == 140
    assert 28 <= usual(Style.BRITISH, 15, 15).most_words <= 36
