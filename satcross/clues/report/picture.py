"""Draw an answered crossword: proposed and official grid side by side, clues and answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.clues.answer import Accuracy, Session
from satcross.clues.report.text import percent
from satcross.crossword import Crossword
from satcross.drawing.font import font
from satcross.grid import ACROSS, BLOCKED, DOWN, Grid

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


def write_picture(
    session: Session, official: Crossword, accuracy: Accuracy | None, path: Path
) -> None:
    """Write the picture of ``draw`` to a PNG file."""
    draw(session, official, accuracy).save(path, format="PNG")


def draw(session: Session, official: Crossword, accuracy: Accuracy | None) -> Image:
    """Draw the proposed grid with title, date, clues and answers.

    When the official solution is known, it stands beside the proposed grid, whose right letters
    are green and wrong letters red.
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
    height = below + _LINE * (2 + max(map(len, lists))) + _MARGIN
    picture = Image.new("RGB", (width + 2 * _MARGIN, height), "white")
    pen = ImageDraw.Draw(picture)
    pen.text((_MARGIN, _MARGIN - 10), _title(session), fill=_INK, font=font(_TITLE))
    letters = session.answers.letters
    _board(pen, grid, letters, accuracy, (_MARGIN, top), cell, "Proposed" + _score(accuracy))
    if accuracy is not None:
        left = _MARGIN + grid.width * cell + _GAP
        _board(pen, grid, official.solution, None, (left, top), cell, "Official")
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


def _board(
    pen: ImageDraw,
    grid: Grid,
    letters: Sequence[Sequence[str | None]],
    accuracy: Accuracy | None,
    corner: tuple[int, int],
    cell: int,
    name: str,
) -> None:
    pen.text(corner, name, fill=_GREY, font=font(_HEAD))
    left, top = corner[0], corner[1] + _LINE + 6
    numbers = {slot.cells[0]: slot.name[:-1] for slot in grid.slots}
    for row, line in enumerate(grid.rows):
        for column, content in enumerate(line):
            x, y = left + column * cell, top + row * cell
            same = None if accuracy is None else accuracy.cells.get((row, column))
            ground = "white" if same is None else _RIGHT if same else _WRONG
            colour = "black" if content == BLOCKED else ground
            pen.rectangle((x, y, x + cell, y + cell), fill=colour, outline=_EDGE)
            if content == BLOCKED:
                continue
            number = numbers.get((row, column))
            if number:
                pen.text((x + 4, y + 1), number, fill=_GREY, font=font(max(9, cell // 5)))
            letter = letters[row][column]
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
        answer = f"    {word or '(open)'}"
        if word:
            answer += f"  {percent(session.answers.posterior[slot])}  {session.source(slot)}"
        same = None if accuracy is None else accuracy.slots.get(clue.slot)
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
