"""The checker: a right fill passes, and every corruption of it is caught."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from attack.puzzles import puzzle_of, question_of, random_puzzle
from hypothesis import given
from hypothesis import strategies as st
from strategies import SmallPuzzle, fillable_puzzles

from satcross import Grid, Puzzle, Vocabulary
from satcross.verify import verify, verify_rows

GRID = Grid.from_rows(["___", "_#_", "___"])
WORDS = Vocabulary({"CAT": 50, "CUB": 50, "BED": 50, "TOD": 20, "TAD": 50})
FILL = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}


def test_every_rule_is_checked() -> None:
    def problems(change: dict[str, str], **rules: object) -> str:
        puzzle = Puzzle(GRID, WORDS, **rules)  # type: ignore[arg-type]
        return "; ".join(verify(puzzle, {**FILL, **change}))

    assert "1D and 3A disagree at r3c1: B and R" in problems({"3A": "RED"})
    assert "3A: BID is not in the vocabulary" in problems({"3A": "BID"})
    assert "2D: TODS has 4 letters, not 3" in problems({"2D": "TODS"})
    assert "9A: the grid has no such slot" in problems({"9A": "CAT"})
    assert "2D: TOD scores less than 40" in problems({}, min_score=40)
    assert "3A: BED is excluded" in problems({}, excluded=frozenset({"BED"}))
    assert "2D: TOD stands where TAD is locked" in problems({}, locks={"2D": "TAD"})
    missing = dict(FILL)
    del missing["2D"]
    assert verify(Puzzle(GRID, WORDS), missing) == ["2D: no word"]
    none = verify(Puzzle(GRID, WORDS), {})
    assert none == [f"{name}: no word" for name in ("1A", "1D", "2D", "3A")]


def test_repeats() -> None:
    grid = Grid.from_rows(["___", "###", "___"])
    fill = {"1A": "CAT", "2A": "CAT"}
    assert verify(Puzzle(grid, WORDS), fill) == ["1A and 2A repeat CAT"]
    assert verify(Puzzle(grid, WORDS, allow_repeats=True), fill) == []


def test_given_letters() -> None:
    grid = Grid.from_rows(["_O_"], letters=True)
    puzzle = Puzzle(grid, WORDS)
    assert verify(puzzle, {"1A": "TOD"}) == []
    assert "contradicts the letter O given at r1c2" in verify(puzzle, {"1A": "CAT"})[0]


@given(fillable_puzzles(), st.data())
def test_a_corrupted_fill_is_caught(small: SmallPuzzle, data: st.DataObject) -> None:
    puzzle = small.puzzle
    fills = list(small.fills())
    fill = fills[0]
    assert verify(puzzle, fill) == []
    name = data.draw(st.sampled_from(sorted(fill)))
    length = len(fill[name])
    other = data.draw(st.text("ABCD", min_size=length, max_size=length))
    corrupted = {**fill, name: other}
    assert (verify(puzzle, corrupted) == []) == (corrupted in fills)


ROWS = ("CAT", "U#O", "BED")


def test_every_fault_of_a_grid_is_listed() -> None:
    def problems(*rows: str, words: dict[str, str] | None = None) -> list[str]:
        return verify_rows(Puzzle(GRID, WORDS), rows, words)

    assert problems("CAT", "U#O") == ["the fill has 2x3 cells, the structure 3x3 (rows x columns)"]
    assert problems("CAT", "U#", "BED")[0].startswith("the fill has 3x2-3 cells")
    assert problems("CAT", "UXO", "BED") == ["r2c2: the letter X where the structure is blocked"]
    assert problems("CAT", "U O", "BED") == ["r2c2: an open cell where the structure is blocked"]
    assert problems("CAT", "U#O", "B#D") == ["r3c2: a blocked cell where the structure is open"]
    assert problems("CAT", "U# ", "BED") == ["r2c3: no letter"]
    for rows, size in (((), "0x0"), (("CAT",), "1x3"), (("CAT", "U#O", "BE"), "3x2-3")):
        assert problems(*rows) == [f"the fill has {size} cells, the structure 3x3 (rows x columns)"]
    assert problems("CXT", " #O", "BED") == [
        "r2c1: no letter",
        "1A: CXT is not in the vocabulary",
    ]
    assert problems(*ROWS, words={"1A": "CUB", "7D": "CAT"}) == [
        "1A: listed as CUB, but CAT stands in the grid",
        "7D: the grid has no such slot",
    ]
    lone = Puzzle(Grid.from_rows(["A#_", "###", "___"], letters=True), WORDS)
    assert verify_rows(lone, ["A# ", "###", "CAT"]) == []
    assert verify_rows(lone, ["B#C", "###", "CAT"]) == ["r1c1: B where the letter A is given"]


@given(fillable_puzzles(), st.data())
def test_a_corrupted_grid_is_caught(small: SmallPuzzle, data: st.DataObject) -> None:
    """After a change of one cell, a grid is right only if it shows another fill."""
    puzzle = small.puzzle
    fills = list(small.fills())

    def rows_of(fill: dict[str, str]) -> list[str]:
        letters = puzzle.grid.letters([fill[slot.name] for slot in puzzle.grid.slots])
        return [
            "".join(
                (letter or cell.replace("_", " "))[0]
                for letter, cell in zip(line, content, strict=True)
            )
            for line, content in zip(letters, puzzle.grid.rows, strict=True)
        ]

    right = [rows_of(fill) for fill in fills]
    rows = list(data.draw(st.sampled_from(right)))
    assert verify_rows(puzzle, rows) == []
    in_slots = sorted({cell for slot in puzzle.grid.slots for cell in slot.places})
    blocked = [
        (r, c) for r, row in enumerate(puzzle.grid.rows) for c, x in enumerate(row) if x == "#"
    ]
    row, column = data.draw(st.sampled_from(in_slots + blocked))
    letter = data.draw(st.sampled_from("ABCX# "))
    rows[row] = rows[row][:column] + letter + rows[row][column + 1 :]
    assert (verify_rows(puzzle, rows) == []) == (rows in right)


def test_fills_with_every_rule_are_told_from_all_others() -> None:
    """Random choices of words, right or with one of them changed, against brute force."""
    right = wrong = 0
    for seed in range(200):
        case = random_puzzle(Random(seed))
        puzzle, fills, random = puzzle_of(case), list(question_of(case).fills()), Random(seed)
        words = [*puzzle.vocabulary, *puzzle.theme, *puzzle.extra_words.values()]
        for fill in fills[:20]:
            name = random.choice(sorted(fill)) if fill else None
            near = [word for word in words if name and len(word) == len(fill[name])]
            for tried in (fill, *({**fill, name: word} for word in near if name)):
                assert (verify(puzzle, tried) == []) is (tried in fills), (seed, tried)
                right += tried in fills
                wrong += tried not in fills
    assert min(right, wrong) > 500


def test_pairs_of_words_that_are_alike() -> None:
    grid = Grid.from_rows(["____", "####", "__##"])

    def problems(first: str, second: str, **rules: object) -> list[str]:
        vocabulary = Vocabulary([first, second])
        return verify(Puzzle(grid, vocabulary, **rules), {"1A": first, "2A": second})  # type: ignore[arg-type]

    ending = {"stem_endings": ("ES", "S")}
    assert problems("BEES", "BE", **ending) == [
        "1A and 2A: BEES and BE are both BE and an ending or none"
    ]
    assert problems("ISLE", "IS", **ending) == []
    assert problems("ASES", "AS", setter_words={"ASES", "AS"}, **ending) == []
    assert problems("BABE", "BE", max_shared_substring=1) == [
        "1A and 2A: BABE and BE share BE, more than 1 letters"
    ]
    assert problems("BABE", "BE", max_shared_substring=2) == []


def test_theme_words_of_slots_left_out_are_not_missed() -> None:
    grid = replace(Grid.from_rows(["____", "_##_", "___#"]), left_out=frozenset({"1A"}))
    words = Vocabulary(["CUB", "TO", "BED"])
    fill = {"1D": "CUB", "2D": "TO", "3A": "BED"}
    for theme, told in (
        ({"LONG", "BED"}, []),
        ({"LONG", "BAD"}, ["the theme word BAD is missing"]),
        ({"LONG", "BED", "CUB"}, []),
    ):
        assert verify(Puzzle(grid, words, theme=frozenset(theme)), fill) == told
    few = Puzzle(grid, words, theme=frozenset({"LONG", "BAD", "BIT"}), min_theme_words=2)
    assert verify(few, fill) == ["theme words: 0 used, 1 required"]


def test_rebus_cells() -> None:
    grid = Grid(("_H_",), rebus=frozenset({((0, 1), "HEART")}))
    puzzle = Puzzle(grid, Vocabulary(["SHEARTS", "SHORTES", "SHS"]))
    assert verify(puzzle, {"1A": "SHEARTS"}) == []
    assert verify(puzzle, {"1A": "SHS"}) == ["1A: SHS has 3 letters, not 7"]
    assert "contradicts the letter E given" in verify(puzzle, {"1A": "SHORTES"})[0]
    assert verify_rows(puzzle, [("S", "HEART", "S")]) == verify_rows(puzzle, ["SHS"]) == []
    assert verify_rows(puzzle, [("S", "HE", "S")]) != []
    with pytest.raises(ValueError, match="the rows have the first"):
        Grid(("___",), rebus=frozenset({((0, 1), "HEART")}))
