"""Draw an answered crossword: proposed and official grid side by side, clues and answers.

The less sure a letter is, the darker its cell is shaded; cells below the session's ``min_sure`` are
blank.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.answer.report.text import percent, shown_accuracy
from satcross.answer.session import Accuracy, Session
from satcross.crossword import Crossword
from satcross.formats.drawing.font import font
from satcross.grid import ACROSS, BLOCKED, DOWN, Cell, Grid

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_MARGIN = 40
_GAP = 60
_CELL = 72
"""Side of a cell in pixels; smaller for grids wider than ``_USUAL_WIDTH``."""
_USUAL_WIDTH = 9
_TITLE, _HEAD, _TEXT = 30, 22, 18
_LINE = 26
_COLUMN = 520
"""Minimum width of a column of clues, in pixels."""

_INK = "#111111"
_GREY = "#666666"
_RIGHT = "#cfeccf"
_WRONG = "#f6c9c9"
_EDGE = "#444444"


_SURE = 0.95
"""Sureness from which a cell is not shaded: one such letter in thirty is wrong."""
_SHADE = (0xF2, 0xC1, 0x4E)
"""Colour of the ground of a letter that is as likely wrong as right."""
_DOTS_PER_INCH = 144
_LEGEND = "shaded: less than 95% sure, the darker the less"
_LEGEND_OF_MARKS = "green right, red wrong; with a bar, or blank: less than 95% sure"


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
        f"<tr><th>{clue.slot}<td>{html.escape(clue.text or '(no clue)')}"
        f"<td>{session.shown_word(slot) or '-'}<td>{percent(session.word_sure(slot))}</tr>\n"
        for slot, clue in enumerate(session.clues)
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

    grid = session.crossword.grid
    cell = _CELL if grid.width <= _USUAL_WIDTH else max(24, _CELL * _USUAL_WIDTH // grid.width)
    boards = 1 if accuracy is None else 2
    width = max(boards * grid.width * cell + (boards - 1) * _GAP, 2 * _COLUMN + _GAP)
    column = (width - _GAP) // 2
    lists = [_clue_lines(session, accuracy, direction, column) for direction in (ACROSS, DOWN)]
    top = _MARGIN + (_LINE * 2 if _title(session) else 0)
    below = top + _LINE + grid.height * cell + _LINE
    height = below + _LINE * (3 + max(map(len, lists))) + _MARGIN
    picture = Image.new("RGB", (width + 2 * _MARGIN, height), "white")
    pen = ImageDraw.Draw(picture)
    pen.text((_MARGIN, _MARGIN - 10), _title(session), fill=_INK, font=font(_TITLE))
    proposed = _proposed(session, None if accuracy is None else shown_accuracy(session, accuracy))
    _draw_board(pen, grid, proposed, (_MARGIN, top), cell)
    if accuracy is not None:
        left = _MARGIN + grid.width * cell + _GAP
        _draw_board(pen, grid, _Board(official.solution, {}, {}, "Official"), (left, top), cell)
    if proposed.grounds or proposed.bars:
        text = _LEGEND if accuracy is None else _LEGEND_OF_MARKS
        pen.text((_MARGIN, below - _LINE + 12), text, fill=_GREY, font=font(_TEXT))
        below += _LINE
    for number, (name, lines) in enumerate(zip(("Across", "Down"), lists, strict=True)):
        left = _MARGIN + number * (column + _GAP)
        pen.text((left, below), name, fill=_INK, font=font(_HEAD))
        for at, (text, colour) in enumerate(lines, 1):
            pen.text((left, below + 6 + at * _LINE), text, fill=colour, font=font(_TEXT))
    return picture


def _title(session: Session) -> str:
    crossword = session.crossword
    return "   ".join(" ".join(text.split()) for text in (crossword.title, crossword.date) if text)


def _score(accuracy: Accuracy | None) -> str:
    if accuracy is None:
        return ""
    right, of = accuracy.letters
    return f": {right} of {of} letters right"


@dataclass(frozen=True, slots=True)
class _Board:
    """A grid with its letters, and colours of cells: of the ground and of a bar at the foot."""

    letters: Sequence[Sequence[str | None]]
    grounds: Mapping[Cell, str]
    bars: Mapping[Cell, str]
    name: str


def _proposed(session: Session, shown: Accuracy | None) -> _Board:
    """Shade the cells by sureness: their ground, or a bar where the ground says right or wrong."""
    letters = session.shown_letters()
    shades = {
        (row, column): _shade(session.letter_sure((row, column)))
        for row, line in enumerate(session.answers.letters)
        for column, letter in enumerate(line)
        if letter and session.letter_sure((row, column)) < _SURE
    }
    name = "Proposed" + _score(shown)
    if shown is None:
        return _Board(letters, shades, {}, name)
    marks = {cell: _RIGHT if same else _WRONG for cell, same in shown.cells.items()}
    return _Board(letters, {**shades, **marks}, shades, name)


def _shade(sure: float) -> str:
    share = min(1.0, (_SURE - sure) / (_SURE - 0.5))
    return "#" + "".join(f"{round(255 + (full - 255) * share):02x}" for full in _SHADE)


def _draw_board(
    pen: ImageDraw, grid: Grid, board: _Board, corner: tuple[int, int], cell: int
) -> None:
    pen.text(corner, board.name, fill=_GREY, font=font(_HEAD))
    left, top = corner[0], corner[1] + _LINE + 6
    numbers = {slot.cells[0]: slot.name[:-1] for slot in grid.slots}
    for row, line in enumerate(grid.rows):
        for column, content in enumerate(line):
            here = (row, column)
            x, y = left + column * cell, top + row * cell
            colour = "black" if content == BLOCKED else board.grounds.get(here, "white")
            pen.rectangle((x, y, x + cell, y + cell), fill=colour, outline=_EDGE)
            if content == BLOCKED:
                continue
            if bar := board.bars.get(here):
                pen.rectangle((x + 1, y + cell - cell // 8, x + cell - 1, y + cell - 1), fill=bar)
            number = numbers.get(here)
            if number:
                pen.text((x + 4, y + 1), number, fill=_GREY, font=font(max(9, cell // 5)))
            letter = board.letters[row][column]
            if letter:
                middle = (x + cell / 2, y + cell * 0.56)
                pen.text(middle, letter, fill=_INK, font=font(cell * 5 // 9), anchor="mm")


def _clue_lines(
    session: Session, accuracy: Accuracy | None, direction: str, width: int
) -> list[tuple[str, str]]:
    """Return (line, colour) pairs: each clue, then its answer with its probability."""
    found: list[tuple[str, str]] = []
    for slot, clue in enumerate(session.clues):
        if session.crossword.grid.slots[slot].direction != direction:
            continue
        text = f"{clue.slot[:-1]}. {clue.text or '(no clue)'}"
        found += [(line, _INK) for line in _wrapped(text, width)]
        word = session.answers.words[slot]
        shown = session.shown_word(slot)
        answer = f"    {shown or '(open)'}"
        if word:
            answer += f"  {percent(session.word_sure(slot))}  {session.source(slot)}"
        whole = accuracy is not None and "." not in shown
        same = accuracy.slots.get(clue.slot) if accuracy is not None and whole else None
        found.append((answer, _GREY if same is None else "#1a7f37" if same else "#b42318"))
    return found


def _wrapped(text: str, width: int) -> list[str]:
    """Wrap text to lines of at most ``width`` pixels; a longer word gets a line of its own."""
    face = font(_TEXT)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and face.getlength(longer) > width:
            lines.append(f"    {word}")
        else:
            lines[-1] = longer if lines[-1].strip() == lines[-1] else f"{lines[-1]} {word}"
    return lines
