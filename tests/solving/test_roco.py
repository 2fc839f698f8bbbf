"""The judge of the Romanian Crosswords Competition's grids, and the filling of their gaps."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "tests/benchmarks/roco.py"))
GRIDS = re.findall(r"(?:^[A-Z#]{13}\n){13}", (ROOT / "docs/roco.md").read_text("utf-8"), re.M)


def lists(rows: list[str]) -> tuple[set[str], set[str]]:
    """The words of a grid: those of eight letters or more as thematic ones, and the others."""
    lines = [*rows, *map("".join, zip(*rows, strict=True))]
    words = {word for line in lines for word in line.split("#") if len(word) > 2}
    return {word for word in words if len(word) > 7}, {word for word in words if len(word) < 8}


@pytest.mark.parametrize("grid", GRIDS)
def test_a_grid_of_the_page_keeps_the_rules(grid: str) -> None:
    rows = grid.split()
    thematic, regular = lists(rows)
    assert SCRIPT["complaints"](rows, thematic, regular) == (sum(map(len, thematic)), [])


def test_each_broken_rule_is_named() -> None:
    rows = GRIDS[0].split()
    thematic, regular = lists(rows)
    word = min(regular)
    for old, new, complaint in (
        ("KOHN#KECHRIDA", "#OHN#KECHRIDA", "too many blocks"),
        ("KOHN#KECHRIDA", "KOHN##ECHRIDA", "two blocks share an edge"),
        ("KOHN#KECHRIDA", "KOHNAKECHRIDA", "KOHNAKECHRIDA is in no list"),
        ("UGBO#ALISSON#", "UGBO#ALISSOn#", "a cell has no letter"),
        ("OD#MANE#PL#KP", "PL#MANE#PL#KP", "PL stands twice"),
    ):
        broken = [new if row == old else row for row in rows]
        assert complaint in SCRIPT["complaints"](broken, thematic, regular)[1]
    assert f"{word} is in no list" in SCRIPT["complaints"](rows, thematic, regular - {word})[1]
    wall = [row[:6] + "#" + row[7:] for row in rows]
    assert "the white cells are not connected" in SCRIPT["complaints"](wall, thematic, regular)[1]
    gap = [*wall[:6], rows[6][:6] + "I" + rows[6][7:], *wall[7:]]
    assert "a semi-closure at r7c7" in SCRIPT["complaints"](gap, thematic, regular)[1]


def test_gaps_are_filled_beside_the_words_that_stand() -> None:
    rows = GRIDS[0].split()
    thematic, regular = lists(rows)
    gaps = [row if len(row.split("#")) < 3 else re.sub("[^#]", "_", row) for row in rows]
    found = SCRIPT["filled"](gaps, SCRIPT["weighted"](thematic, regular), 60.0)
    value, wrong = SCRIPT["complaints"](found, thematic, regular)
    assert (value, wrong) == (sum(map(len, thematic)), [])
