"""Small SVG pictures of grids for notebooks, drawn from plain rows so that data types can use them.

``satcross.formats.drawing`` draws the pictures that are published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

_CELL = 30
_NUMBER = 9
_LETTER = 17
_FONT = "Open Sans, Helvetica, Arial, sans-serif"

Cell = tuple[int, int]
Rows = Sequence[Sequence[str | None]]
"""Rows of equal width: ``#`` for a blocked cell, a letter, or None for an empty cell."""


def grid_svg(
    rows: Rows, numbers: Mapping[Cell, str], bars: Iterable[tuple[Cell, Cell]] = ()
) -> str:
    """Return an SVG picture of a grid, with its rows in words as the text alternative.

    ``numbers`` maps cells (row, column), counted from 0, to the numbers they carry. ``bars`` are
    pairs of neighbouring cells, the left or upper one first.
    """
    from html import escape

    width, height = len(rows[0]) * _CELL if rows else 0, len(rows) * _CELL
    description = " ".join(
        f"Row {number}: {', '.join(map(_content, row))}." for number, row in enumerate(rows, 1)
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2}" height="{height + 2}" '
        f'viewBox="-1 -1 {width + 2} {height + 2}" role="img" font-family="{_FONT}">',
        f"<title>Crossword</title><desc>{escape(description)}</desc>",
        f'<rect x="-1" y="-1" width="{width + 2}" height="{height + 2}" fill="#000000"/>',
    ]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if cell == "#":
                continue
            x, y = column * _CELL, row * _CELL
            lines.append(
                f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{_CELL - 1}" height="{_CELL - 1}" '
                'fill="#ffffff"/>'
            )
            if cell is not None:
                lines.append(
                    f'<text x="{x + _CELL / 2}" y="{y + _CELL - 7}" font-size="{_LETTER}" '
                    f'text-anchor="middle" fill="#000000">{escape(cell)}</text>'
                )
    for (row, column), number in numbers.items():
        lines.append(
            f'<text x="{column * _CELL + 2}" y="{row * _CELL + _NUMBER}" '
            f'font-size="{_NUMBER}" fill="#000000">{number}</text>'
        )
    for (row, _), (below, right) in sorted(bars):
        way = f"v{_CELL}" if below == row else f"h{_CELL}"
        lines.append(
            f'<path d="M{right * _CELL} {below * _CELL}{way}" stroke="#000000" stroke-width="3"/>'
        )
    return "\n".join([*lines, "</svg>"]) + "\n"


def _content(cell: str | None) -> str:
    return "empty" if cell is None else "blocked" if cell == "#" else cell


def clues_html(picture: str, lists: Iterable[tuple[str, Sequence[tuple[str, str]]]]) -> str:
    """Return HTML: the picture, then each list of clues, (heading, pairs of number and clue)."""
    from html import escape

    parts = ["<div>", picture]
    for heading, clues in lists:
        items = "".join(f'<li value="{number}">{escape(clue)}</li>' for number, clue in clues)
        parts.append(f"<h4>{escape(heading)}</h4><ol>{items}</ol>")
    return "\n".join([*parts, "</div>"])
