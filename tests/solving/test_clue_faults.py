"""What an editor would object to in clues."""

from __future__ import annotations

import pytest

from satcross import Crossword, Grid
from satcross.crossword import Clue
from satcross.solving.clue_faults import clue_faults

GRID = Grid(("___", "_#_", "___"))
FILL = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}
GOOD = {"1A": "It purrs", "1D": "Young bear", "2D": "Fox", "3A": "Bunk"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"1A": "See 2-Down", "3A": "With 1A, so"}, []),
        ({"1A": "See 9-Across"}, ["1A refers to 9A, which the grid lacks"]),
        ({"1A": "With 2- and 7-Down, pets"}, ["1A refers to 7D, which the grid lacks"]),
        ({"1A": "See 12"}, ["1A refers to 12, which the grid lacks"]),
        ({"1A": "As 1 Across"}, ["1A refers to itself"]),
        ({"1A": "It purrs (3)", "3A": "Bunk (1-2)"}, []),
        ({"1A": "It purrs (5)"}, ["1A says (5), but the answer has 3 letters"]),
        ({"1A": Clue("Both (3,3)", also=["3A"]), "3A": "See 1"}, []),
        (
            {"1A": Clue("Both (3)", also=["3A"]), "3A": ""},
            ["1A says (3), but the answer has 6 letters"],
        ),
        ({"1A": "A c\u00e1t, in short"}, ["1A contains its answer, CAT"]),
        ({"1A": "The C.A.T. scan"}, ["1A contains its answer, CAT"]),
        ({"1A": "Catty remark"}, []),
        ({"2D": "it  PURRS"}, ["2D has the same clue as 1A"]),
        ({"2D": ""}, ["2D has no clue"]),
        (dict.fromkeys(GOOD, ""), []),
    ],
)
def test_faults(changes: dict[str, str], said: list[str]) -> None:
    crossword = Crossword.of(GRID, FILL, GOOD | changes)
    assert [f"{fault.slot} {fault.text}" for fault in clue_faults(crossword)] == said
