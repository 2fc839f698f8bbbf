"""Layout of a crossword on paper: the numbered grid, and the newspaper page with clues.

The modules ``svg``, ``pdf`` and ``png`` write the drawings made here; lengths are in points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from satcross.crossword import Clue, Crossword
from satcross.formats.drawing.lettering import clean, reads_leftwards
from satcross.formats.drawing.shapes import (
    BLACK,
    GREY,
    LIGHT,
    WHITE,
    Box,
    Drawing,
    Item,
    Ring,
    Stroke,
    TextLine,
    byline,
    mirrored,
    text_width,
    wrap,
)
from satcross.formats.languages import phrase
from satcross.grid import ACROSS, BLOCKED, Cell, Grid, Slot, is_layout
from satcross.support.letters import upper
from satcross.support.texts import texts as text_settings

A4 = (595.28, 841.89)
LETTER = (612.0, 792.0)
PAPERS = {"a4": A4, "letter": LETTER}
"""Name -> width and height of a page, in points."""

CELL = 30.0
"""Width and height of a cell in a picture of a grid without clues."""

MARGIN = 42.5  # 15 mm
GAP = 14.0  # between columns, and between grid and clues
_MAX_CELL = 34.0
_COMFORTABLE_CELL = 24.0  # larger cells are not easier to write in
_MIN_CELL = 16.5  # 6 mm
_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)  # of clue text, from the largest
MULTIPAGE_SIZE = 9.5
_COLUMNS = ((3, 1), (2, 1), (3, 2), (4, 2), (4, 3), (5, 3), (5, 4), (2, 2), (3, 3), (4, 4))
"""Ways to divide a page: the number of clue columns, and over how many of them the grid spans."""

_MIN_NUMBER_SIZE = 5.0
_SOLUTION_CELL = 26.0
_LEADING = 1.22  # distance of baselines, in ems
_CLUE_GAP = 0.28  # between clues, in ems
_MIN_SPLIT_LINES = 7
"""Minimum number of lines of a clue that may be split between columns."""
_TITLE_LINES, _TITLE_SIZE, _BYLINE_SIZE, _SMALL_SIZE = 3, 20.0, 10.0, 7.0


class Least(NamedTuple):
    """The smallest cell and the smallest text of clues, in points, that a page may have."""

    cell: float
    size: float


_LEAST = Least(_MIN_CELL, _SIZES[-1])


# The grid


def numbers(crossword: Crossword) -> dict[Cell, str]:
    """Return the number of each cell in which a slot begins."""
    return {slot.cells[0]: slot.name[:-1] for slot in reversed(crossword.grid.slots)}


def drawn_blocks(crossword: Crossword) -> set[Cell]:
    """Return the blocked cells that are drawn, in black: all but the holes of the grid.

    Of a layout without holes, only those with four open neighbours are drawn, which would look
    open otherwise.
    """
    grid = crossword.grid
    cells = [(r, c) for r in range(grid.height) for c in range(grid.width)]
    blocked = {cell for cell in cells if grid.rows[cell[0]][cell[1]] == BLOCKED}
    if grid.holes or not is_layout(grid):
        return blocked - grid.holes
    opened = set(cells) - blocked
    near = ((1, 0), (-1, 0), (0, 1), (0, -1))
    return {(r, c) for r, c in blocked if all((r + y, c + x) in opened for y, x in near)}


def grid_items(
    crossword: Crossword,
    left: float,
    top: float,
    cell: float,
    *,
    solution: bool,
    labels: Mapping[Cell, str] | None = None,
) -> Iterator[Item]:
    """Yield the shapes of the numbered grid, with the solution or only the prefilled letters.

    ``left`` and ``top`` are the corner of the grid, ``cell`` is the size of a cell. ``labels`` are
    what stands in the corners of cells, by default the numbers of slots.
    """
    line = max(0.25, cell / 45)
    names = numbers(crossword) if labels is None else labels
    black = drawn_blocks(crossword)
    for row, cells in enumerate(crossword.grid.rows):
        for column, content in enumerate(cells):
            x, y = left + column * cell, top + row * cell
            if content == BLOCKED:
                if (row, column) in black:
                    yield Box(x, y, cell, cell, BLACK, BLACK, line)
                continue
            position = (row, column)
            fill = LIGHT if position in crossword.grid.shaded else WHITE
            yield Box(x, y, cell, cell, fill, BLACK, line)
            if position in crossword.grid.circled:
                yield Ring(x + cell / 2, y + cell / 2, cell * 0.47, line)
            if position in names:
                size = max(cell * 0.29, min(_MIN_NUMBER_SIZE, cell * 0.36))
                yield TextLine(x + cell * 0.06, y + size * 1.1, names[position], size)
            letter = crossword.solution[row][column] if solution else crossword.grid.given(position)
            if letter:
                size = _letter_size(letter, cell * 0.62, cell * 0.9)
                base = y + cell * (0.87 if names else 0.73)  # below a number, or in the middle
                yield TextLine(x + cell / 2, base, clean(letter), size, "middle")
    yield from _bars(crossword.grid, left, top, cell)


def _bars(grid: Grid, left: float, top: float, cell: float) -> Iterator[Item]:
    line = cell / 10
    for (row, _), (below, right) in sorted(grid.bars):
        x, y = left + right * cell, top + below * cell
        if below == row:
            yield Stroke(x, y - line / 2, x, y + cell + line / 2, line)
        else:
            yield Stroke(x - line / 2, y, x + cell + line / 2, y, line)


def _letter_size(letter: str, size: float, width: float) -> float:
    letter_width = text_width(clean(letter), size)
    return size if letter_width <= width else size * width / letter_width


def grid_drawing(crossword: Crossword, *, solution: bool) -> Drawing:
    """Return a drawing of the numbered grid without clues."""
    edge = 1.0
    items = grid_items(crossword, edge, edge, CELL, solution=solution)
    width, height = (n * CELL + 2 * edge for n in (crossword.grid.width, crossword.grid.height))
    return Drawing(width, height, tuple(items))


def fill_drawing(crossword: Crossword) -> Drawing:
    """Return a drawing of the fill in the style of CS50: large letters, no numbers, black lines."""
    cell, line = CELL, CELL / 50
    width, height = crossword.grid.width * cell, crossword.grid.height * cell
    items: list[Item] = [Box(0, 0, width, height, BLACK)]
    for row, cells in enumerate(crossword.grid.rows):
        for column, content in enumerate(cells):
            x, y = column * cell, row * cell
            if content == BLOCKED:
                if (row, column) in crossword.grid.holes:
                    items.append(Box(x, y, cell, cell, WHITE))
                continue
            items.append(Box(x + line, y + line, cell - 2 * line, cell - 2 * line, WHITE))
            letter = crossword.solution[row][column]
            if letter:
                size = _letter_size(letter, cell * 0.8, cell * 0.92)
                items.append(TextLine(x + cell / 2, y + cell * 0.82, clean(letter), size, "middle"))
    items += _bars(crossword.grid, 0, 0, cell)
    return Drawing(width, height, tuple(items))


# The newspaper page


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """A line of clue text, the clue number at its left, and the space above it."""

    text: str
    number: str = ""
    bold: bool = False
    above: float = 0.0
    struck: bool = False


Chunk = tuple[ColumnLine, ...]
"""Lines that stay in one column."""


@dataclass(frozen=True, slots=True)
class _ColumnStyle:
    """Measures of clue columns: text size, column width, and indent for the clue numbers."""

    size: float
    width: float
    indent: float

    @property
    def leading(self) -> float:
        return self.size * _LEADING

    def height(self, line: ColumnLine, *, first: bool) -> float:
        return self.leading + (0.0 if first else line.above)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The layout of a page: cell size, position and text of each column, and the remaining text."""

    style: _ColumnStyle
    cell: float
    lefts: tuple[float, ...]
    tops: tuple[float, ...]
    bottom: float
    columns: tuple[tuple[ColumnLine, ...], ...]
    rest: tuple[Chunk, ...] = ()


def newspaper_drawing(crossword: Crossword) -> Drawing:
    """Return one page with the empty grid and the clues, as long as the clues require."""
    width, height = A4
    head, top = head_items(crossword, width)
    plan = _best_plan(crossword, _Area(width, top, height - MARGIN))
    if plan is None:
        frame, chunks = _multipage_frame(crossword, _Area(width, top, height), _LEAST)
        length = sum(frame.style.height(line, first=False) for chunk in chunks for line in chunk)
        plan = _balanced(frame, chunks, max(frame.tops) + length + GAP)
    items = [*head, *_plan_items(crossword, plan, top)]
    end = max(plan.bottom, top + plan.cell * crossword.grid.height)
    foot = list(foot_items(crossword, width, end + GAP + _SMALL_SIZE))
    return Drawing(width, end + MARGIN + (GAP if foot else 0), (*items, *foot))


def newspaper_pages(
    crossword: Crossword, paper: tuple[float, float], foot: float = 0.0, smallest: Least = _LEAST
) -> list[Drawing]:
    """Return the empty grid with the clues on one page, or on several if one is too small.

    ``paper`` is the width and height of a page, of which ``foot`` is kept free at the bottom where
    one page can do with less. Cells and text are no smaller than ``smallest`` where the paper
    allows.
    """
    width, height = paper
    head, top = head_items(crossword, width)
    bottom = height - MARGIN - (GAP if crossword.copyright else 0)
    area = _Area(width, top, bottom)
    plan = _best_plan(crossword, area._replace(bottom=bottom - foot), smallest) if foot else None
    plan = plan or _best_plan(crossword, area, smallest)
    plan = plan or _filled(*_multipage_frame(crossword, area, smallest))
    rights = foot_items(crossword, width, height - MARGIN)
    pages = [[*head, *_plan_items(crossword, plan, top), *rights]]
    rest, style = plan.rest, plan.style
    while rest:
        plan = _text_page(rest, style, plan.lefts, bottom)
        rest = plan.rest
        pages.append([*_text_head(crossword, width), *_columns_items(plan)])
    if len(pages) > 1:
        for number, page in enumerate(pages, 1):
            text = f"{number} / {len(pages)}"
            page.append(TextLine(width / 2, height - MARGIN / 2, text, 8, "middle", colour=GREY))
    return [directed(crossword, Drawing(width, height, tuple(page))) for page in pages]


def printed_cell(crossword: Crossword, paper: tuple[float, float], foot: float = 0.0) -> float:
    """Return the size of a cell of the newspaper page; next to 0 if one page is too small."""
    width, height = paper
    _, top = head_items(crossword, width)
    plan = _best_plan(crossword, _Area(width, top, height - MARGIN - foot))
    return plan.cell if plan else 1 / (crossword.grid.height * crossword.grid.width)


def grid_page(crossword: Crossword, paper: tuple[float, float], *, solution: bool) -> Drawing:
    """Return a page with the title and the numbered grid, but without clues."""
    width, height = paper
    head, top = head_items(crossword, width, phrase("solution") if solution else "")
    cell = min(
        _SOLUTION_CELL if solution else _MAX_CELL,
        (width - 2 * MARGIN) / max(1, crossword.grid.width),
        (height - MARGIN - GAP - top) / max(1, crossword.grid.height),
    )
    left = (width - cell * crossword.grid.width) / 2
    items = grid_items(crossword, left, top, cell, solution=solution)
    foot = foot_items(crossword, width, height - MARGIN)
    return directed(crossword, Drawing(width, height, (*head, *items, *foot)))


def head_items(crossword: Crossword, width: float, kind: str = "") -> tuple[list[Item], float]:
    """Return title and author between two rules, and the y coordinate below them."""
    title = clean(crossword.title) or phrase("crossword")
    if kind:
        kept = kind if text_settings().language == "de" else kind.lower()  # German nouns
        title = f"{title}: {kept}" if crossword.title else kind
    left, right = MARGIN, width - MARGIN
    items: list[Item] = [Stroke(left, MARGIN, right, MARGIN, 1.5)]
    y = MARGIN + 4
    for line in _truncate(_TITLE_LINES, wrap(title, _TITLE_SIZE, right - left, bold=True)):
        y += _TITLE_SIZE * 1.15
        items.append(TextLine(left, y, line, _TITLE_SIZE, bold=True))
    y += 4
    for line in _truncate(2, wrap(byline(crossword), _BYLINE_SIZE, right - left)):
        y += _BYLINE_SIZE * 1.4
        items.append(TextLine(left, y, line, _BYLINE_SIZE))
    y += 8
    items.append(Stroke(left, y, right, y, 0.5))
    return items, y + 12


def _text_head(crossword: Crossword, width: float) -> Iterator[Item]:
    """Yield the head of a page that continues the clues."""
    title = clean(crossword.title) or phrase("crossword")
    line = _truncate(1, wrap(title, _BYLINE_SIZE, width - 2 * MARGIN, bold=True))
    yield TextLine(MARGIN, MARGIN + _BYLINE_SIZE, line[0], _BYLINE_SIZE, bold=True)
    yield Stroke(MARGIN, MARGIN + 16, width - MARGIN, MARGIN + 16, 0.5)


def foot_items(crossword: Crossword, width: float, y: float) -> Iterator[Item]:
    for line in _truncate(1, wrap(crossword.copyright, _SMALL_SIZE, width - 2 * MARGIN)):
        yield TextLine(MARGIN, y, line, _SMALL_SIZE, colour=GREY)


def _truncate(number: int, lines: list[str]) -> list[str]:
    return lines if len(lines) <= number else [*lines[: number - 1], lines[number - 1] + " ..."]


def _best_plan(crossword: Crossword, area: _Area, smallest: Least = _LEAST) -> _Plan | None:
    """Return the most readable layout on one page, or None if one page is too small."""
    best, best_score = None, 0.0
    for count, spanned in _COLUMNS:
        for size in (size for size in _SIZES if size >= smallest.size):
            frame = _frame(crossword, area, count, spanned, size)
            chunks = _chunks(crossword, frame.style)
            if frame.cell < smallest.cell or _flow(chunks, frame.style, frame.tops, area.bottom)[1]:
                continue
            plan = _balanced(frame, chunks, area.bottom)
            score = _score(plan)
            if score > best_score:
                best, best_score = plan, score
            break  # smaller text in the same columns would score less
    return best


def _score(plan: _Plan) -> float:
    ems = (plan.style.width - plan.style.indent) / plan.style.size
    return (
        1.5 * min(plan.cell, _COMFORTABLE_CELL) / _COMFORTABLE_CELL
        + 1.5 * plan.style.size / _SIZES[0]
        - 0.03 * max(0.0, 13 - ems)  # narrow columns break clues into many lines
        - 0.03 * max(0.0, ems - 26)  # wide columns are mostly empty
    )


class _Area(NamedTuple):
    """The part of a page for grid and clues: the page's width, and y from top to bottom."""

    width: float
    top: float
    bottom: float


def _frame(crossword: Crossword, area: _Area, count: int, spanned: int, size: float) -> _Plan:
    """Return a layout with grid and columns, but without text."""
    grid = crossword.grid
    width, top, bottom = area
    column = (width - 2 * MARGIN - (count - 1) * GAP) / count
    span = spanned * column + (spanned - 1) * GAP
    cell = min(_MAX_CELL, span / max(1, grid.width), (bottom - top) * 0.8 / max(1, grid.height))
    under = top + cell * grid.height + GAP
    tops = tuple(top if column_index < count - spanned else under for column_index in range(count))
    lefts = tuple(MARGIN + index * (column + GAP) for index in range(count))
    digits = max((len(slot.name) - 1 for slot in grid.slots), default=1)
    indent = text_width("0" * digits, size, bold=True) + 0.45 * size
    return _Plan(_ColumnStyle(size, column, indent), cell, lefts, tops, bottom, ())


def _balanced(frame: _Plan, chunks: Sequence[Chunk], bottom: float) -> _Plan:
    """Return the layout with all text, in columns that end at the least possible depth.

    The columns below the grid stay empty if the others have room for all text.
    """
    low, high = min(frame.tops), bottom
    beside = tuple(high if top > low else top for top in frame.tops)
    end = min(bottom, max(frame.tops) + GAP)
    if len(set(frame.tops)) > 1 and not _flow(chunks, frame.style, beside, end)[1]:
        frame, high = replace(frame, tops=beside), end
    while high - low > 1:
        middle = (low + high) / 2
        if _flow(chunks, frame.style, frame.tops, middle)[1]:
            low = middle
        else:
            high = middle
    return _filled(replace(frame, bottom=high), chunks)


def _filled(frame: _Plan, chunks: Sequence[Chunk]) -> _Plan:
    columns, rest = _flow(chunks, frame.style, frame.tops, frame.bottom)
    return replace(frame, columns=columns, rest=rest)


def _multipage_frame(
    crossword: Crossword, area: _Area, smallest: Least
) -> tuple[_Plan, list[Chunk]]:
    """Return layout and text of the first of several pages, which the grid's width divides."""
    width = crossword.grid.width
    count, spanned = (3, 2) if width <= 17 else (4, 3) if width <= 23 else (3, 3)
    frame = _frame(crossword, area, count, spanned, MULTIPAGE_SIZE)
    if frame.cell < smallest.cell:
        frame = _frame(crossword, area, count, count, MULTIPAGE_SIZE)
    return frame, _chunks(crossword, frame.style)


def _text_page(
    chunks: Sequence[Chunk], style: _ColumnStyle, lefts: tuple[float, ...], bottom: float
) -> _Plan:
    top = MARGIN + 16 + 12
    frame = _Plan(style, 0.0, lefts, (top,) * len(lefts), bottom, ())
    plan = _filled(frame, chunks)
    return plan if plan.rest else _balanced(frame, chunks, bottom)


def _flow(
    chunks: Sequence[Chunk], style: _ColumnStyle, tops: Sequence[float], bottom: float
) -> tuple[tuple[tuple[ColumnLine, ...], ...], tuple[Chunk, ...]]:
    """Fill columns with text down to ``bottom``; return the columns and the remaining text.

    A column too short for a line stays empty. If all columns are too short, each gets one chunk
    nevertheless, so that the number of pages is finite.
    """
    columns: list[tuple[ColumnLine, ...]] = []
    index = 0
    too_short = all(bottom - top < style.leading for top in tops)
    for top in tops:
        lines: list[ColumnLine] = []
        y = top
        while index < len(chunks):
            chunk = chunks[index]
            heights = (style.height(line, first=not (lines or n)) for n, line in enumerate(chunk))
            height = sum(heights)
            if y + height > bottom and not (too_short and not lines):
                break
            y += height
            lines += chunk
            index += 1
        columns.append(tuple(lines))
    return tuple(columns), tuple(chunks[index:])


def _chunks(crossword: Crossword, style: _ColumnStyle) -> list[Chunk]:
    """Return notes and clues as chunks of lines; a heading is in the chunk of its first clue."""
    chunks: list[Chunk] = []
    for paragraph in crossword.notes.splitlines():
        chunks += _split([ColumnLine(line) for line in wrap(paragraph, style.size, style.width)])
    heading = style.size * 1.1
    for name, slots in directions(crossword):
        if not slots:
            continue
        title = upper(phrase(name))
        lead: tuple[ColumnLine, ...] = (ColumnLine(title, bold=True, above=heading),)
        for slot in slots:
            first, *more = _split(_clue_lines(crossword, slot, style))
            chunks += [lead + first, *more]
            lead = ()
    return chunks


def directed(crossword: Crossword, drawing: Drawing) -> Drawing:
    """Return a drawing in the direction in which the crossword is read."""
    return mirrored(drawing) if reads_leftwards(crossword) else drawing


def directions(crossword: Crossword) -> tuple[tuple[str, list[Slot]], tuple[str, list[Slot]]]:
    """Return the slots by direction, in the order in which clues are listed."""
    across = [slot for slot in crossword.grid.slots if slot.direction == ACROSS]
    down = [slot for slot in crossword.grid.slots if slot.direction != ACROSS]
    return ("across", across), ("down", down)


def clue_text(crossword: Crossword, slot: Slot, *, marked: bool = False) -> str:
    """Return the cleaned clue of a slot, or the number of letters if there is no clue.

    The slots that the answer continues in stand before the clue, and refer to it. Italics are
    marked for a page where that is asked for.
    """
    clue = Clue.of(crossword.clues.get(slot.name, ""))
    text = clean(clue.marked if marked else clue)
    if clue.also:
        return f"({', '.join([slot.name, *clue.also])}) {text}"
    first = (name for name, other in crossword.clues.items() if slot.name in Clue.of(other).also)
    sees = (phrase("see").format(name) for name in first)
    return text or next(sees, phrase("letters").format(slot.length))


def _clue_lines(crossword: Crossword, slot: Slot, style: _ColumnStyle) -> list[ColumnLine]:
    text = clue_text(crossword, slot, marked=True)
    lines = wrap(text, style.size, style.width - style.indent)
    first = ColumnLine(lines[0], slot.name[:-1], above=style.size * _CLUE_GAP)
    return [first, *(ColumnLine(line, " ") for line in lines[1:])]


def _split(lines: list[ColumnLine]) -> list[Chunk]:
    """Return one chunk of lines if short, else chunks that keep two lines together at each end."""
    if len(lines) < _MIN_SPLIT_LINES:
        return [tuple(lines)] if lines else []
    cuts = [0, *range(2, len(lines) - 1), len(lines)]
    return [tuple(lines[start:stop]) for start, stop in pairwise(cuts)]


def _plan_items(crossword: Crossword, plan: _Plan, top: float) -> Iterator[Item]:
    """Yield the shapes of the grid, at the right below the head, and of the columns."""
    under = [left for left, begin in zip(plan.lefts, plan.tops, strict=True) if begin > top]
    left = under[0] if under else plan.lefts[-1]
    span = plan.lefts[-1] + plan.style.width - left
    grid_left = left + span - plan.cell * crossword.grid.width
    if len(under) == len(plan.lefts):  # no column is beside the grid
        grid_left = left + (span - plan.cell * crossword.grid.width) / 2
    yield from grid_items(crossword, grid_left, top, plan.cell, solution=False)
    yield from _columns_items(plan)


def _columns_items(plan: _Plan) -> Iterator[Item]:
    style = plan.style
    used = [bool(column) for column in plan.columns]
    columns = zip(plan.lefts, plan.tops, plan.columns, strict=True)
    for index, (left, top, column) in enumerate(columns):
        y = top
        for number, line in enumerate(column):
            y += style.height(line, first=number == 0)
            base = y - 0.3 * style.size
            if line.number.strip():
                right = left + style.indent - 0.45 * style.size
                yield TextLine(right, base, line.number, style.size, "end", bold=True)
            x = left + style.indent if line.number else left
            colour = GREY if line.struck else BLACK
            yield TextLine(x, base, line.text, style.size, bold=line.bold, colour=colour)
            if line.struck:
                middle, end = base - style.size * 0.35, x + text_width(line.text, style.size)
                yield Stroke(x, middle, end, middle, 0.7, GREY)
        if index and used[index] and used[index - 1]:
            x = left - GAP / 2
            yield Stroke(x, max(top, plan.tops[index - 1]), x, plan.bottom, 0.3, GREY)


def column_items(
    chunks: Sequence[Chunk], size: float, top: float, lefts: tuple[float, ...]
) -> tuple[list[Item], float]:
    """Return text in columns that end at the least possible depth, and where that is."""
    style = _ColumnStyle(size, 0.0, 0.0)
    length = sum(style.height(line, first=False) for chunk in chunks for line in chunk)
    frame = _Plan(style, 0.0, lefts, (top,) * len(lefts), top + length, ())
    plan = _balanced(frame, chunks, frame.bottom)
    return list(_columns_items(plan)), plan.bottom


SOLVED = ("fill", "solution")
"""The styles that show the solution."""

_STYLE_DRAWINGS = {
    "fill": fill_drawing,
    "puzzle": lambda crossword: grid_drawing(crossword, solution=False),
    "solution": lambda crossword: grid_drawing(crossword, solution=True),
    "newspaper": newspaper_drawing,
}


def style_drawing(crossword: Crossword, style: str) -> Drawing:
    """Return a crossword as one picture in a style of ``registry.STYLES``."""
    return directed(crossword, _STYLE_DRAWINGS[style](crossword))
