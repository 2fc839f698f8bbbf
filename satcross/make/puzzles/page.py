"""Printed pages of puzzles: the grid, what is given below it, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from string import ascii_uppercase

from satcross.formats.drawing import layout
from satcross.formats.drawing.layout import GAP, MARGIN, ColumnLine
from satcross.formats.drawing.lettering import clean
from satcross.formats.drawing.shapes import (
    BLACK,
    LIGHT,
    WHITE,
    Box,
    Drawing,
    Item,
    Stroke,
    TextLine,
    text_width,
    wrap,
)
from satcross.formats.languages import phrase
from satcross.make.puzzles.arrow_drawing import arrow_page
from satcross.make.puzzles.arrowword import Arrowword
from satcross.make.puzzles.codeword import Codeword
from satcross.make.puzzles.fill_in import FillIn
from satcross.make.puzzles.printed import Printed

_MAX_CELL, _SOLUTION_CELL = 30.0, 26.0
_MIN_CELL = 14.0
_TEXT_SIZE = 10.0
_LIST_SIZES = (11.0, 10.0, 9.0, 8.0, 7.0)
_LEADING = 1.3
_KEY_COLUMNS = 13
_KEY_BOX = 34.0


_Block = tuple[list[Item], float]
"""Something below the grid: its shapes, and where it ends."""


def picture(puzzle: Printed, paper: tuple[float, float], *, solution: bool) -> Drawing:
    """Return a page without the blank below it; of an arrowword, the grid alone."""
    if isinstance(puzzle, Arrowword):
        return arrow_page(puzzle, paper, solution=solution, alone=True)
    page = printed_page(puzzle, paper, solution=solution)
    ends = [item.y + item.height for item in page.items if isinstance(item, Box)]
    ends += [item.y for item in page.items if isinstance(item, TextLine)]
    return replace(page, height=max(ends) + MARGIN)


def printed_page(puzzle: Printed, paper: tuple[float, float], *, solution: bool) -> Drawing:
    """Return the page to solve, or the solution; it is as long as what is below the grid needs."""
    if isinstance(puzzle, Arrowword):
        return arrow_page(puzzle, paper, solution=solution)
    width, height = paper
    crossword = puzzle.titled
    shown = crossword if solution else puzzle.shown
    items, top = layout.head_items(crossword, width, phrase("solution") if solution else "")
    if not solution:
        for line in wrap(puzzle.rule, _TEXT_SIZE, width - 2 * MARGIN):
            top += _TEXT_SIZE * _LEADING
            items.append(TextLine(MARGIN, top - 4, line, _TEXT_SIZE))
        top += GAP
    bottom = height - MARGIN - 3 * GAP
    rows, columns = shown.grid.height, shown.grid.width
    widest = (width - 2 * MARGIN) / columns
    largest = min(widest, _SOLUTION_CELL if solution else _MAX_CELL)
    for draw in _below(puzzle, solution=solution):
        cell = min(largest, (bottom - draw(width, top)[1]) / rows)
        if cell >= _MIN_CELL:
            break
    cell = max(cell, min(_MIN_CELL, widest))
    left = (width - cell * columns) / 2
    items += layout.grid_items(shown, left, top, cell, solution=solution, labels=puzzle.labels)
    more, end = draw(width, top + cell * rows + 2 * GAP)
    height = max(height, end + GAP + MARGIN)
    items += [*more, *layout.foot_items(crossword, width, height - MARGIN)]
    return layout.directed(crossword, Drawing(width, height, tuple(items)))


def _below(puzzle: Printed, *, solution: bool) -> list[Callable[[float, float], _Block]]:
    """Return what draws what stands below the grid, in smaller and smaller type.

    It takes the width of the page and where the block begins.
    """
    if isinstance(puzzle, Codeword):
        return [partial(_key, puzzle, puzzle.numbers if solution else puzzle.given)]
    if solution:
        return [lambda width, top: ([], top)]
    return [partial(_word_list, puzzle, size) for size in _LIST_SIZES]


def _key(puzzle: Codeword, shown: Collection[str], width: float, top: float) -> _Block:
    """A box for each number, with the letters that are ``shown``, and the letters to cross off."""
    box = min(_KEY_BOX, (width - 2 * MARGIN) / _KEY_COLUMNS)
    left = (width - box * min(_KEY_COLUMNS, len(puzzle.numbers))) / 2
    items: list[Item] = []
    for number, letter in sorted((n, own) for own, n in puzzle.numbers.items()):
        row, column = divmod(number - 1, _KEY_COLUMNS)
        x, y = left + column * box, top + row * (box + 4)
        fill = LIGHT if letter in puzzle.given else WHITE
        items.append(Box(x, y, box, box, fill, BLACK, 0.7))
        items.append(TextLine(x + 2, y + 9, str(number), 8))
        if letter in shown:
            items.append(TextLine(x + box / 2, y + box * 0.86, clean(letter), box * 0.55, "middle"))
    y = top + (len(puzzle.numbers) - 1) // _KEY_COLUMNS * (box + 4) + box + 20
    if len(shown) == len(puzzle.numbers):
        return items, y
    is_latin = any(letter in ascii_uppercase for letter in puzzle.numbers)
    alphabet = sorted({*puzzle.numbers, *(ascii_uppercase if is_latin else "")})
    step = min(20.0, (width - 2 * MARGIN) / len(alphabet))
    x = (width - step * (len(alphabet) - 1)) / 2
    for letter in alphabet:
        items.append(TextLine(x, y, clean(letter), 12, "middle"))
        if letter in puzzle.given:
            items.append(Stroke(x - 5, y - 4, x + 5, y - 4, 0.9))
        x += step
    return items, y + 6


def _word_list(puzzle: Printed, size: float, width: float, top: float) -> _Block:
    """Return the words by length in columns; words that are printed already are struck out."""
    struck = puzzle.placed_words if isinstance(puzzle, FillIn) else ()
    chunks: list[layout.Chunk] = []
    for heading, words in puzzle.words.items():
        first, *others = (ColumnLine(clean(word), struck=word in struck) for word in words)
        title = ColumnLine(clean(heading), bold=True, above=size)
        chunks += [(title, first), *((line,) for line in others)]
    widest = max(text_width(line.text, size, bold=line.bold) for chunk in chunks for line in chunk)
    room = width - 2 * MARGIN
    columns = max(1, int((room + 2 * GAP) / (widest + 2 * GAP)))
    return layout.column_items(
        chunks, size, top, tuple(MARGIN + n * room / columns for n in range(columns))
    )
