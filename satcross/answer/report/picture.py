"""Draw an answered crossword: proposed and official grid side by side, clues and answers.

The less sure a letter is, the darker its cell is shaded, unless the cell says right or wrong; the
percentage of an unsure letter stands in its cell.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from satcross.answer.report.text import clue_rows, percent, shown_accuracy
from satcross.answer.session import Accuracy, Session
from satcross.crossword import Crossword
from satcross.formats.drawing.cells import WHITE, Colour, blend
from satcross.formats.drawing.layout import grid_items
from satcross.formats.drawing.shapes import BLACK, GREY, Box, Drawing, Item, TextLine, wrap
from satcross.grid import Cell

_MARGIN, _GAP = 20.0, 30.0
_MAX_CELL, _MAX_BOARD = 30.0, 300.0
"""Points to which cells and boards are reduced."""
_COLUMN = 240.0
"""Minimum width of a column of clues."""
_TITLE, _HEAD, _TEXT = 14.0, 11.0, 8.0
_LINE = 11.0
_GREEN, _RED = "#1a7f37", "#b42318"
_RIGHT, _WRONG = "#cfeccf", "#f6c9c9"
_SHADE: Colour = (0xF2, 0xC1, 0x4E)
"""Colour of the ground of a letter that is as likely wrong as right."""
_SURE = 0.95
"""Sureness from which a cell is not shaded: one such letter in thirty is wrong."""


def write_picture(
    session: Session, official: Crossword, accuracy: Accuracy | None, path: Path, ending: str
) -> None:
    """Write the picture of ``draw`` to a file: ``.png``, ``.pdf``, or a page ``.html`` with it."""
    drawing, title = draw(session, official, accuracy), _title(session) or "Answer"
    if ending == ".pdf":
        from satcross.formats.drawing.pdf import write_pages

        write_pages([drawing], path, title, session.crossword.author)
    elif ending == ".html":
        path.write_text(_page(session, drawing, title), "utf-8")
    else:
        from satcross.formats.drawing import png

        png.draw(drawing).save(path, format="PNG")


def _page(session: Session, drawing: Drawing, title: str) -> str:
    """Return a page with the picture and, for readers of text, a table of the answers."""
    from satcross.formats.drawing.svg import drawing_svg

    rows = "".join(
        f"<tr><th>{row.slot}<td>{html.escape(row.clue)}<td>{row.answer}<td>{row.sure}</tr>\n"
        for row in clue_rows(session, None)
    )
    about = "The proposed grid; its answers are in the table below."
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}'
        "</title>\n<style>body{font:16px sans-serif;margin:2em}svg{max-width:100%;height:auto}"
        "td,th{padding:2px 12px 2px 0;text-align:left}</style>\n"
        f"{drawing_svg(drawing, title, about)}"
        "<table><tr><th>slot<th>clue<th>answer<th>sure</tr>\n"
        f"{rows}</table></html>\n"
    )


def draw(session: Session, official: Crossword, accuracy: Accuracy | None) -> Drawing:
    """Draw the proposed grid with title, date, clues and answers.

    When the official solution is known, it stands beside the proposed grid, whose right letters
    are then green and wrong letters red.
    """
    grid, title = session.crossword.grid, _title(session)
    cell = min(_MAX_CELL, _MAX_BOARD / grid.width)
    column = max(_COLUMN, grid.width * cell)
    top = _MARGIN + _TITLE + (2 * _LINE if title else 0)
    items: list[Item] = [TextLine(_MARGIN, _MARGIN + _TITLE, title, _TITLE)]
    unsure = _colours(session)
    colours = dict(unsure)
    names, grids = ["Proposed"], [session.shown_letters]
    if accuracy is not None:
        shown = shown_accuracy(session, accuracy)
        colours |= {spot: _RIGHT if same else _WRONG for spot, same in shown.cells.items()}
        names = ["Proposed: {} of {} letters right".format(*shown.letters), "Official"]
        grids.append(official.solution)
    below = top + grid.height * cell + 3 * _LINE
    lists = _clue_lists(session, accuracy, column).items()
    for number, (name, letters) in enumerate(zip(names, grids, strict=True)):
        left = _MARGIN + number * (column + _GAP)
        items.append(TextLine(left, top - _HEAD / 2, name, _HEAD, colour=GREY))
        board = replace(session.crossword, solution=letters)
        for item in grid_items(board, left, top, cell, solution=True):
            if isinstance(item, Box):
                place = round((item.y - top) / cell), round((item.x - left) / cell)
                item = replace(item, fill=item.fill if number else colours.get(place, item.fill))
            items.append(item)
    for row, at in unsure:
        x, y = _MARGIN + (at + 0.96) * cell, top + (row + 0.25) * cell
        items.append(TextLine(x, y, percent(session.letter_sure((row, at))), cell / 5, "end"))
    for number, (name, lines) in enumerate(lists):
        left = _MARGIN + number * (column + _GAP)
        items.append(TextLine(left, below, name, _HEAD))
        items += [
            TextLine(left, below + at * _LINE, text, _TEXT, colour=colour)
            for at, (text, colour) in enumerate(lines, 1)
        ]
    height = below + _LINE * (1 + max(len(lines) for _, lines in lists)) + _MARGIN
    return Drawing(2 * (_MARGIN + column) + _GAP, height, tuple(items))


def _colours(session: Session) -> dict[Cell, str]:
    """Return the grounds of the shown letters that are not sure."""
    lacks = {cell: _SURE - session.letter_sure(cell) for cell in sorted(session.shown_cells)}
    return {
        cell: "#{:02x}{:02x}{:02x}".format(*blend(WHITE, _SHADE, min(1.0, lack / (_SURE - 0.5))))
        for cell, lack in lacks.items()
        if lack > 0
    }


def _title(session: Session) -> str:
    crossword = session.crossword
    return "   ".join(" ".join(text.split()) for text in (crossword.title, crossword.date) if text)


def _clue_lists(
    session: Session, accuracy: Accuracy | None, width: float
) -> dict[str, Sequence[tuple[str, str]]]:
    """Return (line, colour) pairs: each clue, then its answer with its probability."""
    lists: dict[str, list[tuple[str, str]]] = {"Across": [], "Down": []}
    for row in clue_rows(session, accuracy):
        lines = lists["Across" if row.slot.endswith("A") else "Down"]
        clue = wrap(f"{row.slot[:-1]}. {row.clue}", _TEXT, width)
        lines += [(line, BLACK) for line in clue]
        colour = {None: GREY, True: _GREEN, False: _RED}[row.right]
        lines.append((f"    {row.answer}  {row.sure}  {row.source}".rstrip(), colour))
    return dict(lists)
