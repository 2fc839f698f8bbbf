"""SVG pictures with a text alternative, for web pages.

The pictures are well-formed XML whatever the clues contain: ``clean`` replaces characters that XML
does not allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from zlib import crc32

from satcross.crossword import Crossword
from satcross.formats.drawing import lettering, shapes
from satcross.formats.drawing.layout import SOLVED, clue_text, directions, style_drawing
from satcross.grid import BLOCKED, Cell, Grid
from satcross.support.texts import in_language

_FONTS = "Open Sans, Noto Sans, Helvetica, Arial, sans-serif"


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write a crossword to an SVG file; ``style`` is one of ``registry.STYLES``."""
    path.write_bytes(crossword_svg(crossword, style).encode("utf-8"))


def crossword_svg(crossword: Crossword, style: str = "puzzle") -> str:
    """Return a crossword as an SVG document; ``style`` is one of ``registry.STYLES``."""
    title = lettering.clean(crossword.title) or "Crossword"
    with in_language(crossword.language):
        return drawing_svg(style_drawing(crossword, style), title, describe(crossword, style))


def notebook_svg(grid: Grid, letters: Sequence[Sequence[str | None]]) -> str:
    """Return a grid with these letters, one row for each row, as an SVG document."""
    return crossword_svg(Crossword(grid, tuple(map(tuple, letters))), "solution")


def drawing_svg(drawing: shapes.Drawing, title: str, description: str) -> str:
    """Return a drawing as an SVG document with a title and a text alternative."""
    # Ids depend on the texts, because one page may contain several pictures.
    name = f"satcross-{crc32(f'{title} {description}'.encode()):08x}"
    width, height = _number(drawing.width), _number(drawing.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" '
        f'aria-labelledby="{name}-title {name}-text" font-family="{_FONTS}">',
        f'<title id="{name}-title">{escape(title, quote=False)}</title>',
        f'<desc id="{name}-text">{escape(description, quote=False)}</desc>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    )
    return "\n".join([*head, *map(_element, drawing.items), "</svg>"]) + "\n"


def _element(item: shapes.Item) -> str:
    if isinstance(item, shapes.Box):
        edge = "" if item.edge is None else _stroke(item.edge, item.line)
        return f'<rect{_lengths(item, "x y width height")} fill="{item.fill}"{edge}/>'
    if isinstance(item, shapes.Ring):
        return (
            f'<circle cx="{_number(item.x)}" cy="{_number(item.y)}" r="{_number(item.radius)}" '
            f'fill="none"{_stroke(item.colour, item.line)}/>'
        )
    if isinstance(item, shapes.Stroke):
        return f"<line{_lengths(item, 'x1 y1 x2 y2')}{_stroke(item.colour, item.line)}/>"
    if isinstance(item, shapes.Polygon):
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in item.points)
        return f'<polygon points="{points}" fill="{item.fill}"/>'
    name, direction = str(item.anchor), ""
    if lettering.runs_left(item.text):  # "start" is then at the right
        direction = ' direction="rtl"'
        name = {"start": "end", "middle": "middle", "end": "start"}[name]
    anchor = direction if name == "start" else f'{direction} text-anchor="{name}"'
    weight = ' font-weight="bold"' if item.bold else ""
    parts = ((escape(text, quote=False), italic) for text, italic in item.parts)
    shown = (f'<tspan font-style="italic">{text}</tspan>' if i else text for text, i in parts)
    return (
        f'<text{_lengths(item, "x y")} font-size="{_number(item.size)}" '
        f'fill="{item.colour}"{anchor}{weight}>{"".join(shown)}</text>'
    )


def _lengths(item: shapes.Item, names: str) -> str:
    return "".join(f' {name}="{_number(getattr(item, name))}"' for name in names.split())


def _stroke(colour: str, line: float) -> str:
    return f' stroke="{colour}" stroke-width="{_number(line)}"'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def describe(crossword: Crossword, style: str) -> str:
    """Return the text alternative: a description of what a picture of the crossword shows."""
    return " ".join(_sentences(crossword, style))


def _sentences(crossword: Crossword, style: str) -> Iterator[str]:
    grid = crossword.grid
    yield f"A crossword of {grid.height} rows and {grid.width} columns, {len(grid.slots)} words."
    for row in range(grid.height):
        names = [_content(crossword, (row, column), style) for column in range(grid.width)]
        runs = [(name, len(list(run))) for name, run in groupby(names)]
        shown = ", ".join(name if length == 1 else f"{length} {name}" for name, length in runs)
        yield f"Row {row + 1}: {shown}."
    if style == "newspaper":
        for direction, slots in directions(crossword):
            yield f"{direction.capitalize()}:"
            for slot in slots:
                yield f"{slot.name[:-1]}. {clue_text(crossword, slot)};"


def _content(crossword: Crossword, cell: Cell, style: str) -> str:
    row, column = cell
    if crossword.grid.rows[row][column] == BLOCKED:
        return "no cell" if cell in crossword.grid.holes else "blocked"
    letter = crossword.solution[row][column] if style in SOLVED else crossword.grid.given(cell)
    name = (lettering.clean(letter) if letter else "") or "empty"
    grid = crossword.grid
    marks = [" circled"] * (cell in grid.circled) + [" shaded"] * (cell in grid.shaded)
    return name + ("" if style == "fill" else "".join(marks))
