"""Connected components of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satcross.grid import BLOCKED, Cell


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells that share a side with the cell, inside the grid or not."""
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def connected_parts(rows: Sequence[str]) -> list[frozenset[Cell]]:
    """Return the connected components of a pattern's open cells."""
    return parts_of(
        (row, column)
        for row, line in enumerate(rows)
        for column, content in enumerate(line)
        if content != BLOCKED
    )


def parts_of(cells: Iterable[Cell]) -> list[frozenset[Cell]]:
    """Return the connected components of the cells; cells that share a side are connected."""
    remaining = set(cells)
    parts = []
    while remaining:
        pending = [min(remaining)]
        part = set(pending)
        while pending:
            for near in neighbours(pending.pop()):
                if near in remaining and near not in part:
                    part.add(near)
                    pending.append(near)
        remaining -= part
        parts.append(frozenset(part))
    return parts
