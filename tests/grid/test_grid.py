"""Grids: slots, names and crossings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from strategies import barred, grids

from satcross import Grid, InputError
from satcross.grid import ACROSS, DOWN, cell_name, read_cell
from satcross.verify import slot_cells


def test_rows() -> None:
    assert Grid.from_rows(["_", "___", ""]).rows == ("_##", "___", "###")
    with pytest.raises(ValueError, match="width"):
        Grid(("__", "_"))
    assert Grid.from_rows(["_a_ 9"]).rows == ("_#_##",)
    grid = Grid.from_rows(["_a_ 9é"], letters=True)
    assert grid.rows == ("_A_##É",)
    assert grid.given((0, 1)) == "A"
    assert grid.given((0, 0)) is None
    assert grid.given((0, 3)) is None
    assert (grid.slot_named("1a"), grid.slot_named("2A")) == (0, None)


def test_a_grid_shows_what_it_gives(tmp_path: Path) -> None:
    grid = Grid(("_C#", "_B_"), rebus=frozenset({((1, 1), "BE")}))
    assert (grid.height, grid.width) == (2, 3)
    assert str(grid) == "_C\N{FULL BLOCK}\n_BE_"
    assert [grid.content(cell) for cell in ((0, 0), (0, 1), (1, 1))] == [None, "C", "BE"]
    assert grid.structure == [[True, True, False], [True, True, True]]
    assert grid.with_given({(0, 1)}).rows == ("_C#", "___")
    assert grid.with_rows(("_C#", "_X_")).rebus == frozenset()
    assert grid.with_rows(("__#", "_B_")).rebus == grid.rebus
    assert grid._repr_svg_().startswith("<svg")
    (tmp_path / "grid.txt").write_text("_C\n__\n")
    assert Grid.read(tmp_path / "grid.txt", letters=True) == Grid(("_C", "__"))
    with pytest.raises(ValueError, match="several letters"):
        Grid(("_C",), rebus=frozenset({((0, 1), "C")}))


def test_names_of_cells() -> None:
    assert [read_cell(name) for name in ("r1c1", "R12C3", "1A", "r1")] == [
        (0, 0),
        (11, 2),
        None,
        None,
    ]
    assert [cell_name((0, 0)), cell_name((2, 4))] == ["r1c1", "r3c5"]
    [across] = Grid(("A_",), rebus=frozenset({((0, 0), "AB")})).slots
    assert [cell_name(cell) for cell in across.cells] == ["r1c1", "r1c1+1", "r1c2"]
    assert across.places == ((0, 0), (0, 1))
    for name in ("r0c1", "r1c0"):
        with pytest.raises(InputError, match=f"{name} has a row or column 0; count from 1"):
            read_cell(name)


@given(grids().flatmap(barred))
def test_slots_are_those_of_the_independent_checker(grid: Grid) -> None:
    assert {slot.name: list(slot.cells) for slot in grid.slots} == slot_cells(grid)
    names = [slot.name for slot in grid.slots]
    assert names == sorted(names, key=lambda name: (int(name[:-1]), name[-1]))
    for slot in grid.slots:
        assert ((slot.row, slot.column), slot.length) == (slot.cells[0], len(slot.cells))
        assert slot.direction == {"A": ACROSS, "D": DOWN}[slot.name[-1]]


def test_bars_are_between_open_neighbours() -> None:
    grid = Grid(("____",) * 2, bars=frozenset({((0, 1), (0, 2)), ((0, 3), (1, 3))}))
    blocked = grid.with_rows(["_#__", "____"])
    assert blocked.bars == {((0, 3), (1, 3))}
    with pytest.raises(ValueError, match="not between neighbours"):
        Grid(("___",), bars=frozenset({((0, 0), (0, 2))}))


@given(grids())
def test_crossings_are_the_shared_cells(grid: Grid) -> None:
    for crossing in grid.crossings:
        across, down = grid.slots[crossing.across], grid.slots[crossing.down]
        assert (across.direction, down.direction) == (ACROSS, DOWN)
        assert across.cells[crossing.across_position] == crossing.cell
        assert down.cells[crossing.down_position] == crossing.cell
    shared = sum(
        len(set(a.cells) & set(b.cells))
        for a in grid.slots
        for b in grid.slots
        if a.direction == ACROSS and b.direction == DOWN
    )
    assert shared == len(grid.crossings)
