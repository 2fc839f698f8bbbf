"""Draw an answered crossword: proposed and official grid side by side, clues and answers.

The less sure a letter is, the darker its cell is shaded, unless the cell says right or wrong; the
percentage of an unsure letter stands in its cell.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.answer.report.text import ClueRow, clue_rows, percent, shown_accuracy
from satcross.answer.session import Accuracy, Session
from satcross.crossword import Crossword
from satcross.formats.drawing.cells import WHITE, Colour, blend, draw_cells
from satcross.formats.drawing.font import font
from satcross.grid import Cell

if TYPE_CHECKING:
    from PIL.Image import Image

_MARGIN, _GAP = 40, 60
_MAX_BOARD = 900
"""Width in pixels to which the picture of a large grid is reduced."""
_TITLE, _HEAD, _TEXT = 30, 22, 18
_LINE = 26
_COLUMN = 520
"""Minimum width of a column of clues, in pixels."""
_INK, _GREY, _GREEN, _RED = "#111111", "#666666", "#1a7f37", "#b42318"
_RIGHT: Colour = (0xCF, 0xEC, 0xCF)
_WRONG: Colour = (0xF6, 0xC9, 0xC9)
_SHADE: Colour = (0xF2, 0xC1, 0x4E)
"""Colour of the ground of a letter that is as likely wrong as right."""
_SURE = 0.95
"""Sureness from which a cell is not shaded: one such letter in thirty is wrong."""
_DOTS_PER_INCH = 144


def write_picture(
    session: Session,
    official: Crossword,
    accuracy: Accuracy | None,
    path: Path,
    ending: str = ".png",
) -> None:
    """Write the picture of ``draw`` to a file: ``.png``, ``.pdf``, or a page ``.html`` with it."""
    picture = draw(session, official, accuracy)
    if ending == ".pdf":
        picture.save(path, format="PDF", resolution=_DOTS_PER_INCH)
    elif ending == ".html":
        path.write_text(_page(session, picture), "utf-8")
    else:
        picture.save(path, format="PNG")


def _page(session: Session, picture: Image) -> str:
    """Return a page with the picture and, for readers of text, a table of the answers."""
    content = io.BytesIO()
    picture.save(content, format="PNG")
    data = base64.b64encode(content.getvalue()).decode("ascii")
    title = html.escape(_title(session) or "Answer")
    rows = "".join(
        f"<tr><th>{row.slot}<td>{html.escape(row.clue)}<td>{row.answer}<td>{row.sure}</tr>\n"
        for row in clue_rows(session, None)
    )
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>\n'
        "<style>body{font:16px sans-serif;margin:2em}img{max-width:100%}"
        "td,th{padding:2px 12px 2px 0;text-align:left}</style>\n"
        f'<img alt="{title}: the proposed grid; its answers are in the table below" '
        f'src="data:image/png;base64,{data}">\n'
        "<table><tr><th>slot<th>clue<th>answer<th>sure</tr>\n"
        f"{rows}</table></html>\n"
    )


def draw(session: Session, official: Crossword, accuracy: Accuracy | None) -> Image:
    """Draw the proposed grid with title, date, clues and answers.

    When the official solution is known, it stands beside the proposed grid, whose right letters
    are then green and wrong letters red.
    """
    from PIL import Image, ImageDraw

    shown = None if accuracy is None else shown_accuracy(session, accuracy)
    boards = [_board(session, session.shown_letters, shown)]
    names = ["Proposed"]
    if shown is not None:
        names[0] += ": {} of {} letters right".format(*shown.letters)
        names.append("Official")
        boards.append(_board(session, official.solution, None))
    board = boards[0]
    width = max(len(boards) * (board.width + _GAP) - _GAP, 2 * _COLUMN + _GAP)
    column = (width - _GAP) // 2
    lists = _clue_lists(session, accuracy, column)
    top = _MARGIN + (_LINE * 2 if _title(session) else 0)
    below = top + board.height + 3 * _LINE
    height = below + _LINE * (2 + max(map(len, lists.values()))) + _MARGIN
    picture = Image.new("RGB", (width + 2 * _MARGIN, height), "white")
    pen = ImageDraw.Draw(picture)
    pen.text((_MARGIN, _MARGIN - 10), _title(session), fill=_INK, font=font(_TITLE))
    for number, (name, part) in enumerate(zip(names, boards, strict=True)):
        left = _MARGIN + number * (board.width + _GAP)
        pen.text((left, top), name, fill=_GREY, font=font(_HEAD))
        picture.paste(part, (left, top + _LINE + 6))
    for number, (name, lines) in enumerate(lists.items()):
        left = _MARGIN + number * (column + _GAP)
        pen.text((left, below), name, fill=_INK, font=font(_HEAD))
        for at, (text, colour) in enumerate(lines, 1):
            pen.text((left, below + 6 + at * _LINE), text, fill=colour, font=font(_TEXT))
    return picture


def _board(
    session: Session, letters: Sequence[Sequence[str | None]], shown: Accuracy | None
) -> Image:
    """Draw a grid with numbers and, for the proposed letters, how sure they are."""
    grid = session.crossword.grid
    contents = {
        (row, column): letter
        for row, line in enumerate(letters)
        for column, letter in enumerate(line)
        if letter
    }
    notes: dict[Cell, list[str]] = {slot.cells[0]: [slot.name[:-1]] for slot in grid.slots}
    colours: dict[Cell, Colour] = {}
    for cell in contents if letters is session.shown_letters else ():
        sure = session.letter_sure(cell)
        if sure < _SURE:
            colours[cell] = blend(WHITE, _SHADE, min(1.0, (_SURE - sure) / (_SURE - 0.5)))
            notes[cell] = [*notes.get(cell, []), percent(sure)]
    if shown is not None:
        colours |= {cell: _RIGHT if same else _WRONG for cell, same in shown.cells.items()}
    picture = draw_cells(grid, colours, contents, notes)
    if picture.width <= _MAX_BOARD:
        return picture
    return picture.resize((_MAX_BOARD, picture.height * _MAX_BOARD // picture.width))


def _title(session: Session) -> str:
    crossword = session.crossword
    return "   ".join(" ".join(text.split()) for text in (crossword.title, crossword.date) if text)


def _clue_lists(
    session: Session, accuracy: Accuracy | None, width: int
) -> Mapping[str, list[tuple[str, str]]]:
    """Return (line, colour) pairs: each clue, then its answer with its probability."""
    lists: dict[str, list[tuple[str, str]]] = {"Across": [], "Down": []}
    for row in clue_rows(session, accuracy):
        lines = lists["Across" if row.slot.endswith("A") else "Down"]
        lines += [(line, _INK) for line in _wrapped(f"{row.slot[:-1]}. {row.clue}", width)]
        colours = {None: _GREY, True: _GREEN, False: _RED}
        lines.append((_answer(row), colours[row.right]))
    return lists


def _answer(row: ClueRow) -> str:
    return f"    {row.answer}  {row.sure}  {row.source}".rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    """Wrap text to lines of at most ``width`` pixels; a longer word gets a line of its own."""
    face = font(_TEXT)
    first, *rest = text.split()
    lines = [first]
    for word in rest:
        if face.getlength(f"{lines[-1]} {word}") > width:
            lines.append(f"    {word}")
        else:
            lines[-1] += f" {word}"
    return lines
