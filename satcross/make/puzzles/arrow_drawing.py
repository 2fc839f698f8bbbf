"""An arrowword on paper: clues fitted into their cells, arrows, the picture's frame, the key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from satcross.errors import UnavailableError
from satcross.formats.drawing.layout import MARGIN, directed, foot_items, grid_items, head_items
from satcross.formats.drawing.lettering import clean
from satcross.formats.drawing.shapes import (
    BLACK,
    WHITE,
    Box,
    Drawing,
    Item,
    Polygon,
    Stroke,
    TextLine,
    text_width,
)
from satcross.formats.languages import ENGLISH, phrase
from satcross.grid import DOWN
from satcross.make.puzzles.arrowword import ARROWS, MIN_TEXT_SIZE, Arrowword, PlacedClue
from satcross.support.letters import upper
from satcross.support.texts import texts

if TYPE_CHECKING:
    from pyphen import Pyphen

_MAX_SIZE = 6.75
_STEP = 0.25
_WORTH_A_HYPHEN = 0.88
"""Share of the largest size down to which smaller text is better than a broken word."""
_SHORT_REST = 3
"""Minimum number of letters behind a hyphen."""
_MAX_CELL = 40.0
_HEAD = 90.0
"""Height of the title, the names below it and the foot, in points."""
_PAD = 1.3
"""Distance of clue text from the lines around it, in points."""
_LEADING = 1.04
_TINT, _KEY_TINT = "#e9e9e9", "#c8c8c8"
_THIN, _THICK = 0.5, 1.0

_KEY_CELL, _PICTURE_CELL = 17.0, 27.0
"""Sizes of a cell of the answer key, on its page and in a picture."""


def cell_size(height: int, width: int, paper: tuple[float, float]) -> float:
    """Return the width of a cell of a grid on a page, below the title."""
    page_width, page_height = paper
    free_width, free_height = page_width - 2 * MARGIN, page_height - 2 * MARGIN - _HEAD
    return min(_MAX_CELL, free_width / width, free_height / height)


@dataclass(frozen=True, slots=True)
class ClueFitter:
    """Breaks clues into lines that fit into a cell of a size, in text of ``min_size`` or more."""

    cell: float
    min_size: float = MIN_TEXT_SIZE
    capitals: bool = False

    def choose(self, texts: Sequence[str]) -> str | None:
        """Return the shortest clue that fits into half a cell, so that any two may share one."""
        shown = [upper(text) if self.capitals else text for text in texts]
        for text in sorted(shown, key=lambda text: text_width(text, 1)):
            lines = self.lines(text, self.min_size)
            if lines and _height(len(lines), self.min_size) <= self.cell / 2:
                return text
        return None

    def set(self, texts: Sequence[str]) -> tuple[float, list[list[str]]]:
        """Return the largest size at which all clues of a cell fit, and their lines."""
        largest = max(_MAX_SIZE, self.min_size)
        sizes = [largest - _STEP * step for step in range(int((largest - self.min_size) / _STEP))]
        whole = [(size, False) for size in sizes if size >= _WORTH_A_HYPHEN * largest]
        for size, hyphens in [*whole, *((size, True) for size in (*sizes, self.min_size))]:
            broken = [self.lines(text, size, hyphens=hyphens) for text in texts]
            found = [lines for lines in broken if lines is not None]
            height = sum(_height(len(lines), size) for lines in found)
            if len(found) == len(texts) and height <= self.cell:
                return size, found
        raise ValueError(f"these clues do not fit into a cell: {texts}")

    def lines(self, text: str, size: float, *, hyphens: bool = True) -> list[str] | None:
        """Return a clue in lines no wider than a cell; None where a word is too wide."""
        width = self.cell - 2 * _PAD
        lines, line = [], ""
        for word in clean(text).split(" "):
            rest = word
            while rest:
                joined = f"{line} {rest}".strip()
                if text_width(joined, size) <= width:
                    line, rest = joined, ""
                    continue
                room = width - (text_width(f"{line} ", size) if line else 0.0)
                piece, rest = _break(rest, size, room) if hyphens else ("", rest)
                if not (piece or line):
                    return None
                lines.append(f"{line} {piece}".strip())
                line = ""
        return [*lines, line] if line else lines


def _height(lines: int, size: float) -> float:
    return lines * size * _LEADING + 2 * _PAD


def _break(word: str, size: float, room: float) -> tuple[str, str]:
    """Return the longest first part of a word that fits, with its hyphen, and the rest.

    A rest of four letters or more is preferred.
    """
    places = _breaks(word, texts().language or ENGLISH)
    for at in sorted(places, key=lambda at: (len(word) - at > _SHORT_REST, at), reverse=True):
        head = word[:at] if word[at - 1] in "-/" else f"{word[:at]}-"
        if text_width(head, size) <= room:
            return head, word[at:]
    return "", word


@cache
def _breaks(word: str, language: str) -> tuple[int, ...]:
    """Return where a word may be broken: behind its hyphens and strokes, and between syllables."""
    own = {at for at in range(2, len(word) - 1) if word[at - 1] in "-/"}
    pattern = _patterns(language)
    found = pattern.positions(word) if pattern else []
    # Patterns give "Gesichts-fa-r-be": of two places with one letter between, the second is right.
    return (*own, *(at for at in found if at + 1 not in found and at <= len(word) - _SHORT_REST))


@cache
def _patterns(language: str) -> Pyphen | None:
    """Return the hyphenation of a language; None for one that pyphen does not know."""
    try:
        import pyphen
    except ImportError:
        raise UnavailableError(
            "clues in cells need hyphenation, which is missing: pip install pyphen"
        ) from None
    known = pyphen.language_fallback(language)
    return pyphen.Pyphen(lang=known) if known else None


def arrow_page(
    puzzle: Arrowword, paper: tuple[float, float], *, solution: bool, alone: bool = False
) -> Drawing:
    """Return a page with the texts of the crossword and the grid, or with the grid ``alone``.

    The grid is empty with its clues, or the answer key.
    """
    (width, height), crossword, grid = paper, puzzle.titled, puzzle.crossword.grid
    fitter = ClueFitter(cell_size(grid.height, grid.width, paper), puzzle.text_size)
    cell = fitter.cell
    if solution:
        cell = _PICTURE_CELL if alone else min(_KEY_CELL, cell)
    if alone:
        width, height = (n * cell + 2 * _THICK for n in (grid.width, grid.height))
        shown = _items(puzzle, _THICK, _THICK, cell, None if solution else fitter)
        return directed(crossword, Drawing(width, height, tuple(shown)))
    head, top = head_items(crossword, width, phrase("solution") if solution else "")
    left = (width - cell * grid.width) / 2
    shown = _items(puzzle, left, top, cell, None if solution else fitter)
    foot = foot_items(crossword, width, height - MARGIN)
    return directed(crossword, Drawing(width, height, (*head, *shown, *foot)))


def _items(
    puzzle: Arrowword, left: float, top: float, cell: float, fitter: ClueFitter | None
) -> Iterator[Item]:
    """Yield the shapes of the empty grid with its clues, or without ``fitter`` of the answer key.

    The grid and the picture have thick edges.
    """
    grid, is_key = puzzle.crossword.grid, fitter is None
    width, height = grid.width * cell, grid.height * cell
    yield Box(left - _THICK, top - _THICK, width + 2 * _THICK, height + 2 * _THICK, BLACK)
    yield from grid_items(puzzle.crossword, left, top, cell, solution=is_key, labels={})
    for own in puzzle.clue_cells:
        x, y = left + own.column * cell, top + own.row * cell
        yield Box(x, y, cell, cell, _KEY_TINT if is_key else _TINT, BLACK, _THIN)
        if fitter:
            yield from _clue_cell(own.clues, x, y, fitter)
    if grid.holes:
        (row, column), (bottom, right) = min(grid.holes), max(grid.holes)
        width, height = (right + 1 - column) * cell, (bottom + 1 - row) * cell
        yield Box(left + column * cell, top + row * cell, width, height, WHITE, BLACK, _THICK)


def _clue_cell(
    clues: Sequence[PlacedClue], x: float, y: float, fitter: ClueFitter
) -> Iterator[Item]:
    """Yield the clues of a cell whose corner is (x, y), the line between two, and the arrows."""
    cell = fitter.cell
    size, texts = fitter.set([clue.clue for clue in clues])
    free = cell - sum(_height(len(lines), size) for lines in texts)
    begins = y
    for clue, lines in zip(clues, texts, strict=True):
        share = _height(len(lines), size) + free / len(texts)
        if begins > y:
            yield Stroke(x, begins, x + cell, begins, _THIN)
        base = begins + (share - len(lines) * size * _LEADING) / 2 + size * 0.8
        for number, line in enumerate(lines):
            height = base + number * size * _LEADING
            yield TextLine(x + cell / 2, height, line, size, "middle")
        yield from _arrow(clue, (x, y), begins + share / 2, cell)
        begins += share


def _arrow(
    clue: PlacedClue, corner: tuple[float, float], middle: float, cell: float
) -> Iterator[Item]:
    """Yield the arrow of a clue, in the cell of the first letter, at the edge of the clue cell.

    ``corner`` is that of the clue cell, ``middle`` the height of the clue's own middle. A straight
    arrow is a head alone; a bent one enters the cell and turns.
    """
    form, head, line = ARROWS[clue.arrow], cell * 0.11, cell * 0.022
    down = form.direction == DOWN
    is_corner, is_straight = form.down and form.right, bool(form.down) == down
    x = corner[0] + cell * (max(0, form.right) if form.right else 0.5 if is_straight else 0.2)
    y = corner[1] + cell * max(0, form.down) if form.down else middle
    if is_straight and not is_corner:
        yield _head(x, y, head, down=down)
        return
    step, half = head if is_corner else cell * 0.16, line / 2
    turn_x, turn_y = x + form.right * step, y + form.down * step
    yield Stroke(x, y, turn_x, turn_y, line)
    x, y = (turn_x, turn_y + head) if down else (turn_x + head, turn_y)
    yield Stroke(turn_x - half * (not down), turn_y - half * down, x, y, line)
    yield _head(x, y, head, down=down)


def _head(x: float, y: float, size: float, *, down: bool) -> Item:
    """Return the triangle of an arrow; (x, y) is the middle of its base."""
    half = size * 0.72
    if down:
        return Polygon(((x - half, y), (x + half, y), (x, y + size)))
    return Polygon(((x, y - half), (x, y + half), (x + size, y)))
