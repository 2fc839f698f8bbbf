"""Connected components of cells."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from satcross.grid import Bar, Cell, open_cells


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells that share a side with the cell, inside the grid or not."""
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def connected_parts(
    rows: Sequence[str], bars: Container[Bar] = frozenset()
) -> list[frozenset[Cell]]:
    """Return the connected components of a pattern's open cells, which bars divide."""
    return parts_of(open_cells(rows), bars)


def is_connected(rows: Sequence[int]) -> bool:
    """Return whether the open cells of a pattern, a bitset for each row, are one part."""
    first = next((number for number, row in enumerate(rows) if row), None)
    if first is None:
        return False
    reached = [0] * len(rows)
    reached[first] = rows[first] & -rows[first]
    pending = [first]
    while pending:
        number = pending.pop()
        row, found, before = rows[number], reached[number], 0
        while found != before:
            before, found = found, (found | found << 1 | found >> 1) & row
        reached[number] = found
        for near in (number - 1, number + 1):
            if 0 <= near < len(rows) and found & rows[near] & ~reached[near]:
                reached[near] |= found & rows[near]
                pending.append(near)
    return reached == [*rows]


def parts_of(cells: Iterable[Cell], bars: Container[Bar] = frozenset()) -> list[frozenset[Cell]]:
    """Return the connected parts of the cells; a bar between two neighbours separates them."""
    remaining = set(cells)
    parts = []
    while remaining:
        pending = [min(remaining)]
        part = set(pending)
        while pending:
            cell = pending.pop()
            for near in neighbours(cell):
                joined = (cell, near) not in bars and (near, cell) not in bars
                if near in remaining and near not in part and joined:
                    part.add(near)
                    pending.append(near)
        remaining -= part
        parts.append(frozenset(part))
    return parts
