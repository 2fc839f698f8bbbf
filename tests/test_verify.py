"""The checker: a right fill passes, and every corruption of it is caught."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Vocabulary
from satcross.verify import verify

GRID = Grid.from_rows(["___", "_#_", "___"])
WORDS = Vocabulary({"CAT": 50, "CUB": 50, "BED": 50, "TOD": 20, "TAD": 50})
FILL = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}


def test_a_right_fill() -> None:
    assert verify(Puzzle(GRID, WORDS), FILL) == []


def test_every_rule_is_checked() -> None:
    def problems(change: dict[str, str], **rules: object) -> str:
        puzzle = Puzzle(GRID, WORDS, **rules)  # type: ignore[arg-type]
        return "; ".join(verify(puzzle, {**FILL, **change}))

    assert "1D and 3A disagree at row 3, column 1: B and R" in problems({"3A": "RED"})
    assert "3A: BID is not in the vocabulary" in problems({"3A": "BID"})
    assert "2D: TODS has 4 letters, not 3" in problems({"2D": "TODS"})
    assert "9A: the grid has no such slot" in problems({"9A": "CAT"})
    assert "2D: TOD scores less than 40" in problems({}, min_score=40)
    assert "3A: BED is excluded" in problems({}, excluded=frozenset({"BED"}))
    assert "2D: TOD stands where TAD is locked" in problems({}, locks={"2D": "TAD"})
    missing = dict(FILL)
    del missing["2D"]
    assert verify(Puzzle(GRID, WORDS), missing) == ["2D: no word"]


def test_repeats() -> None:
    grid = Grid.from_rows(["___", "###", "___"])
    fill = {"1A": "CAT", "2A": "CAT"}
    assert verify(Puzzle(grid, WORDS), fill) == ["1A and 2A repeat CAT"]
    assert verify(Puzzle(grid, WORDS, allow_repeats=True), fill) == []


def test_given_letters() -> None:
    grid = Grid.from_rows(["_O_"], letters=True)
    puzzle = Puzzle(grid, WORDS)
    assert verify(puzzle, {"1A": "TOD"}) == []
    assert "contradicts the letter O given at row 1, column 2" in verify(puzzle, {"1A": "CAT"})[0]


@given(small_puzzles(), st.data())
def test_a_corrupted_fill_is_caught(small: SmallPuzzle, data: st.DataObject) -> None:
    puzzle = small.puzzle
    fills = list(small.fills())
    assume(fills)
    fill = fills[0]
    assert verify(puzzle, fill) == []
    name = data.draw(st.sampled_from(sorted(fill)))
    length = len(fill[name])
    other = data.draw(st.text("ABCD", min_size=length, max_size=length))
    corrupted = {**fill, name: other}
    assert (verify(puzzle, corrupted) == []) == (corrupted in fills)
