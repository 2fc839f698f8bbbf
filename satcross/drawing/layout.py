"""Layout of a crossword on paper: the numbered grid, and the newspaper page with its clues.

What is laid out here is drawn by ``svg``, ``pdf`` and ``png``; lengths are in points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from satcross.crossword import Crossword
from satcross.drawing.shapes import (
    BLACK,
    GREY,
    WHITE,
    Box,
    Drawing,
    Item,
    Ring,
    Stroke,
    Text,
    clean,
    text_width,
    wrap,
)
from satcross.grid import ACROSS, BLOCKED, Cell, Slot

A4 = (595.28, 841.89)
LETTER = (612.0, 792.0)
PAPERS = {"a4": A4, "letter": LETTER}
"""Name -> width and height of a page."""

CELL = 30.0
"""The size of a cell in pictures of the grid alone."""

_MARGIN = 42.5  # 15 mm
_GAP = 14.0  # between columns, and between grid and clues
_LARGEST_CELL = 34.0
_GOOD_CELL = 24.0  # larger ones are no easier to write in
_SMALLEST_CELL = 16.5  # 6 mm
_SIZES = (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5)  # of the clues
_SIZE_OF_SEVERAL_PAGES = 9.5
_COLUMNS = ((3, 1), (2, 1), (3, 2), (4, 2), (4, 3), (5, 3), (5, 4), (2, 2), (3, 3), (4, 4))
"""Ways to divide a page: so many columns of clues, the grid above the last so many of them."""

_SMALLEST_NUMBER = 5.0
_SOLUTION_CELL = 26.0
_LEADING = 1.22  # from line to line, in ems
_BETWEEN = 0.28  # between clues, in ems
_SPLIT_FROM = 7
"""Clues of so many lines may be torn between columns."""
_TITLE_LINES, _TITLE_SIZE, _BYLINE_SIZE, _SMALL_SIZE = 3, 20.0, 10.0, 7.0


# The grid


def numbers(crossword: Crossword) -> dict[Cell, str]:
    """The number each cell bears where a slot begins."""
    return {slot.cells[0]: slot.name[:-1] for slot in reversed(crossword.grid.slots)}


def blocks_are_drawn(crossword: Crossword) -> bool:
    """Whether blocked cells are black.

    Where most cells are blocked, as when a few words have been interlocked, they are left out, but
    for the ``holes``.
    """
    cells = [cell for row in crossword.grid.rows for cell in row]
    return 2 * cells.count(BLOCKED) <= len(cells)


def holes(crossword: Crossword) -> set[Cell]:
    """Blocked cells with an open one on each side: left out, they would look open themselves."""
    rows = crossword.grid.rows
    return {
        (row, column)
        for row in range(1, len(rows) - 1)
        for column in range(1, len(rows[row]) - 1)
        if rows[row][column] == BLOCKED
        and BLOCKED not in (rows[row - 1][column], rows[row + 1][column])
        and BLOCKED not in (rows[row][column - 1], rows[row][column + 1])
    }


def grid_items(
    crossword: Crossword, left: float, top: float, cell: float, *, solution: bool
) -> Iterator[Item]:
    """Draw the numbered grid: with the letters of the solution, or only those that are given."""
    line = max(0.25, cell / 45)
    names = numbers(crossword)
    black = blocks_are_drawn(crossword)
    closed_in = holes(crossword)
    for row, cells in enumerate(crossword.grid.rows):
        for column, content in enumerate(cells):
            x, y = left + column * cell, top + row * cell
            if content == BLOCKED:
                if black or (row, column) in closed_in:
                    yield Box(x, y, cell, cell, BLACK, BLACK, line)
                continue
            at = (row, column)
            yield Box(x, y, cell, cell, WHITE, BLACK, line)
            if at in crossword.circled:
                yield Ring(x + cell / 2, y + cell / 2, cell * 0.47, line)
            if at in names:
                size = max(cell * 0.29, min(_SMALLEST_NUMBER, cell * 0.36))
                yield Text(x + cell * 0.06, y + size * 1.1, names[at], size)
            letter = crossword.solution[row][column] if solution else crossword.grid.given(at)
            if letter:
                size = _letter_size(letter, cell * 0.62, cell * 0.9)
                yield Text(x + cell / 2, y + cell * 0.87, clean(letter), size, "middle")


def _letter_size(letter: str, size: float, width: float) -> float:
    wide = text_width(clean(letter), size)
    return size if wide <= width else size * width / wide


def grid_drawing(crossword: Crossword, *, solution: bool) -> Drawing:
    """The numbered grid alone."""
    edge = 1.0
    items = grid_items(crossword, edge, edge, CELL, solution=solution)
    return Drawing(
        crossword.grid.width * CELL + 2 * edge,
        crossword.grid.height * CELL + 2 * edge,
        tuple(items),
    )


def fill_drawing(crossword: Crossword) -> Drawing:
    """The fill as CS50 draws it: large letters, no numbers, black lines as wide as the blocks."""
    cell, line = CELL, CELL / 50
    width, height = crossword.grid.width * cell, crossword.grid.height * cell
    items: list[Item] = [Box(0, 0, width, height, BLACK)]
    for row, cells in enumerate(crossword.grid.rows):
        for column, content in enumerate(cells):
            if content == BLOCKED:
                continue
            x, y = column * cell, row * cell
            items.append(Box(x + line, y + line, cell - 2 * line, cell - 2 * line, WHITE))
            letter = crossword.solution[row][column]
            if letter:
                size = _letter_size(letter, cell * 0.8, cell * 0.92)
                items.append(Text(x + cell / 2, y + cell * 0.82, clean(letter), size, "middle"))
    return Drawing(width, height, tuple(items))


# The newspaper's page


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a column: what is drawn left of it (a number), and the space above it."""

    text: str
    number: str = ""
    bold: bool = False
    above: float = 0.0


_Chunk = tuple[_Line, ...]
"""Lines that stay together."""


@dataclass(frozen=True, slots=True)
class _Style:
    """The measures of clue columns: size of the text, widths of a column and of its numbers."""

    size: float
    width: float
    indent: float

    @property
    def leading(self) -> float:
        return self.size * _LEADING

    def height(self, line: _Line, *, first: bool) -> float:
        return self.leading + (0.0 if first else line.above)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A way to set a page: where grid and columns stand, and the text of each column."""

    style: _Style
    cell: float
    lefts: tuple[float, ...]
    tops: tuple[float, ...]
    bottom: float
    columns: tuple[tuple[_Line, ...], ...]
    rest: tuple[_Chunk, ...] = ()


def newspaper_drawing(crossword: Crossword) -> Drawing:
    """Grid and clues as a newspaper prints them, on one page as long as it takes."""
    width, height = A4
    head, top = _head(crossword, width)
    plan = _best_plan(crossword, width, top, height - _MARGIN) or _long_plan(crossword, width, top)
    items = [*head, *_plan_items(crossword, plan, top)]
    end = max(plan.bottom, top + plan.cell * crossword.grid.height)
    foot = list(_foot(crossword, width, end + _GAP + _SMALL_SIZE))
    return Drawing(width, end + _MARGIN + (_GAP if foot else 0), (*items, *foot))


def newspaper_pages(crossword: Crossword, paper: tuple[float, float]) -> list[Drawing]:
    """The empty grid with its clues, on one page when that can be read, else on several."""
    width, height = paper
    head, top = _head(crossword, width)
    bottom = height - _MARGIN - (_GAP if crossword.copyright else 0)
    plan = _best_plan(crossword, width, top, bottom)
    plan = plan or _first_of_several(crossword, width, top, bottom)
    foot = _foot(crossword, width, height - _MARGIN)
    pages = [[*head, *_plan_items(crossword, plan, top), *foot]]
    rest, style = plan.rest, plan.style
    while rest:
        plan = _text_page(rest, style, plan.lefts, bottom)
        rest = plan.rest
        pages.append([*_text_head(crossword, width), *_columns_items(plan)])
    if len(pages) > 1:
        for number, page in enumerate(pages, 1):
            text = f"{number} / {len(pages)}"
            page.append(Text(width / 2, height - _MARGIN / 2, text, 8, "middle", colour=GREY))
    return [Drawing(width, height, tuple(page)) for page in pages]


def grid_page(crossword: Crossword, paper: tuple[float, float], *, solution: bool) -> Drawing:
    """A page with the numbered grid alone, under its title."""
    width, height = paper
    head, top = _head(crossword, width, "Solution" if solution else "")
    cell = min(
        _SOLUTION_CELL if solution else _LARGEST_CELL,
        (width - 2 * _MARGIN) / max(1, crossword.grid.width),
        (height - _MARGIN - _GAP - top) / max(1, crossword.grid.height),
    )
    left = (width - cell * crossword.grid.width) / 2
    items = grid_items(crossword, left, top, cell, solution=solution)
    return Drawing(width, height, (*head, *items, *_foot(crossword, width, height - _MARGIN)))


def _head(crossword: Crossword, width: float, kind: str = "") -> tuple[list[Item], float]:
    """Title and author between two rules; and where the page goes on below."""
    title = clean(crossword.title) or "Crossword"
    if kind:
        title = f"{title}: {kind.lower()}" if crossword.title else kind
    left, right = _MARGIN, width - _MARGIN
    items: list[Item] = [Stroke(left, _MARGIN, right, _MARGIN, 1.5)]
    y = _MARGIN + 4
    for line in _at_most(_TITLE_LINES, wrap(title, _TITLE_SIZE, right - left, bold=True)):
        y += _TITLE_SIZE * 1.15
        items.append(Text(left, y, line, _TITLE_SIZE, bold=True))
    byline = " · ".join(filter(None, (clean(crossword.author), clean(crossword.date))))
    y += 4
    for line in _at_most(2, wrap(byline, _BYLINE_SIZE, right - left)):
        y += _BYLINE_SIZE * 1.4
        items.append(Text(left, y, line, _BYLINE_SIZE))
    y += 8
    items.append(Stroke(left, y, right, y, 0.5))
    return items, y + 12


def _text_head(crossword: Crossword, width: float) -> Iterator[Item]:
    """The head of a page that has only more clues."""
    title = clean(crossword.title) or "Crossword"
    line = _at_most(1, wrap(title, _BYLINE_SIZE, width - 2 * _MARGIN, bold=True))
    yield Text(_MARGIN, _MARGIN + _BYLINE_SIZE, line[0], _BYLINE_SIZE, bold=True)
    yield Stroke(_MARGIN, _MARGIN + 16, width - _MARGIN, _MARGIN + 16, 0.5)


def _foot(crossword: Crossword, width: float, y: float) -> Iterator[Item]:
    lines = _at_most(1, wrap(crossword.copyright, _SMALL_SIZE, width - 2 * _MARGIN))
    for line in lines:
        yield Text(_MARGIN, y, line, _SMALL_SIZE, colour=GREY)


def _at_most(number: int, lines: list[str]) -> list[str]:
    return lines if len(lines) <= number else [*lines[: number - 1], lines[number - 1] + " ..."]


def _best_plan(crossword: Crossword, width: float, top: float, bottom: float) -> _Plan | None:
    """The plan that is best to read and to write in, of those that need one page; or None."""
    best, best_score = None, 0.0
    for count, spanned in _COLUMNS:
        for size in _SIZES:
            plan = _plan(crossword, width, top, bottom, count, spanned, size)
            if plan is None or plan.cell < _SMALLEST_CELL:
                continue
            score = _score(plan)
            if score > best_score:
                best, best_score = plan, score
            break  # smaller text in the same columns is no better
    return best


def _score(plan: _Plan) -> float:
    ems = (plan.style.width - plan.style.indent) / plan.style.size
    return (
        1.5 * min(plan.cell, _GOOD_CELL) / _GOOD_CELL
        + 1.5 * plan.style.size / _SIZES[0]
        - 0.03 * max(0.0, 13 - ems)  # narrow columns tear clues into pieces
        - 0.03 * max(0.0, ems - 26)  # and wide ones are empty at the right
    )


def _plan(
    crossword: Crossword,
    width: float,
    top: float,
    bottom: float,
    count: int,
    spanned: int,
    size: float,
) -> _Plan | None:
    """The page set in that way with its columns equally long, or None when it is too small."""
    frame = _frame(crossword, width, top, bottom, count, spanned, size)
    chunks = _chunks(crossword, frame.style)
    if _flow(chunks, frame.style, frame.tops, bottom)[1]:
        return None
    return _balanced(frame, chunks, bottom)


def _frame(
    crossword: Crossword,
    width: float,
    top: float,
    bottom: float,
    count: int,
    spanned: int,
    size: float,
) -> _Plan:
    """Grid and columns, still without text."""
    grid = crossword.grid
    column = (width - 2 * _MARGIN - (count - 1) * _GAP) / count
    span = spanned * column + (spanned - 1) * _GAP
    cell = min(_LARGEST_CELL, span / max(1, grid.width), (bottom - top) * 0.8 / max(1, grid.height))
    under = top + cell * grid.height + _GAP
    tops = tuple(top if place < count - spanned else under for place in range(count))
    lefts = tuple(_MARGIN + place * (column + _GAP) for place in range(count))
    digits = max((len(slot.name) - 1 for slot in grid.slots), default=1)
    indent = text_width("0" * digits, size, bold=True) + 0.45 * size
    return _Plan(_Style(size, column, indent), cell, lefts, tops, bottom, ())


def _balanced(frame: _Plan, chunks: Sequence[_Chunk], bottom: float) -> _Plan:
    """All the text in columns that end as high as they can.

    When there is room beside the grid nothing is set below it.
    """
    low, high = min(frame.tops), bottom
    beside = tuple(high if top > low else top for top in frame.tops)
    end = min(bottom, max(frame.tops) + _GAP)
    if len(set(frame.tops)) > 1 and not _flow(chunks, frame.style, beside, end)[1]:
        frame, high = replace(frame, tops=beside), end
    while high - low > 1:
        middle = (low + high) / 2
        if _flow(chunks, frame.style, frame.tops, middle)[1]:
            low = middle
        else:
            high = middle
    columns, _ = _flow(chunks, frame.style, frame.tops, high)
    return _Plan(frame.style, frame.cell, frame.lefts, frame.tops, high, columns)


def _long_plan(crossword: Crossword, width: float, top: float) -> _Plan:
    """The page that is as long as it takes."""
    count, spanned = _columns_of_several(crossword)
    frame = _frame(crossword, width, top, A4[1], count, spanned, _SIZE_OF_SEVERAL_PAGES)
    chunks = _chunks(crossword, frame.style)
    lines = [line for chunk in chunks for line in chunk]
    length = sum(frame.style.height(line, first=False) for line in lines)
    return _balanced(frame, chunks, max(frame.tops) + length + _GAP)


def _first_of_several(crossword: Crossword, width: float, top: float, bottom: float) -> _Plan:
    count, spanned = _columns_of_several(crossword)
    frame = _frame(crossword, width, top, bottom, count, spanned, _SIZE_OF_SEVERAL_PAGES)
    chunks = _chunks(crossword, frame.style)
    columns, rest = _flow(chunks, frame.style, frame.tops, bottom)
    return _Plan(frame.style, frame.cell, frame.lefts, frame.tops, bottom, columns, rest)


def _columns_of_several(crossword: Crossword) -> tuple[int, int]:
    """A small grid shares the first page's width with a column, a large one has it all."""
    return (
        (3, 2) if crossword.grid.width <= 17 else (4, 3) if crossword.grid.width <= 23 else (3, 3)
    )


def _text_page(
    chunks: Sequence[_Chunk], style: _Style, lefts: tuple[float, ...], bottom: float
) -> _Plan:
    top = _MARGIN + 16 + 12
    frame = _Plan(style, 0.0, lefts, (top,) * len(lefts), bottom, ())
    columns, rest = _flow(chunks, style, frame.tops, bottom)
    if not rest:
        return _balanced(frame, chunks, bottom)
    return _Plan(style, 0.0, lefts, frame.tops, bottom, columns, rest)


def _flow(
    chunks: Sequence[_Chunk], style: _Style, tops: Sequence[float], bottom: float
) -> tuple[tuple[tuple[_Line, ...], ...], tuple[_Chunk, ...]]:
    """Pour text into columns down to ``bottom``; the columns, and what no column had room for.

    A column that is too short for any line stays empty, unless all are: then each takes a chunk,
    so that pages come to an end.
    """
    columns: list[tuple[_Line, ...]] = []
    place = 0
    infeasible = all(bottom - top < style.leading for top in tops)
    for top in tops:
        taken: list[_Line] = []
        y = top
        while place < len(chunks):
            chunk = chunks[place]
            height = sum(
                style.height(line, first=not taken and not n) for n, line in enumerate(chunk)
            )
            if y + height > bottom and not (infeasible and not taken):
                break
            y += height
            taken += chunk
            place += 1
        columns.append(tuple(taken))
    return tuple(columns), tuple(chunks[place:])


def _chunks(crossword: Crossword, style: _Style) -> list[_Chunk]:
    """Notes and clues as chunks of lines; a heading stays with what follows it."""
    chunks: list[_Chunk] = []
    for paragraph in crossword.notes.splitlines():
        chunks += _torn([_Line(line) for line in wrap(paragraph, style.size, style.width)])
    heading = style.size * 1.1
    for name, slots in directions(crossword):
        if not slots:
            continue
        lead: tuple[_Line, ...] = (_Line(name.upper(), bold=True, above=heading),)
        for slot in slots:
            lines = _clue_lines(crossword, slot, style)
            torn = _torn(lines)
            chunks += [lead + torn[0], *torn[1:]]
            lead = ()
    return chunks


def directions(crossword: Crossword) -> tuple[tuple[str, list[Slot]], tuple[str, list[Slot]]]:
    """The slots as clues are listed, under ``across`` and ``down``."""
    across = [slot for slot in crossword.grid.slots if slot.direction == ACROSS]
    down = [slot for slot in crossword.grid.slots if slot.direction != ACROSS]
    return ("across", across), ("down", down)


def clue_text(crossword: Crossword, slot: Slot) -> str:
    """The clue of a slot, cleaned; where there is none, how many letters are wanted."""
    return clean(crossword.clues.get(slot.name, "")) or f"({slot.length} letters)"


def _clue_lines(crossword: Crossword, slot: Slot, style: _Style) -> list[_Line]:
    lines = wrap(clue_text(crossword, slot), style.size, style.width - style.indent)
    first = _Line(lines[0], slot.name[:-1], above=style.size * _BETWEEN)
    return [first, *(_Line(line, " ") for line in lines[1:])]


def _torn(lines: list[_Line]) -> list[_Chunk]:
    """The text as chunks: one when it is short, else with two lines at either end."""
    if len(lines) < _SPLIT_FROM:
        return [tuple(lines)] if lines else []
    cuts = [0, *range(2, len(lines) - 1), len(lines)]
    return [tuple(lines[start:stop]) for start, stop in pairwise(cuts)]


def _plan_items(crossword: Crossword, plan: _Plan, top: float) -> Iterator[Item]:
    """The grid at the right, under the head, and the columns around it."""
    under = [left for left, at in zip(plan.lefts, plan.tops, strict=True) if at > top]
    left = under[0] if under else plan.lefts[-1]
    span = plan.lefts[-1] + plan.style.width - left
    grid_left = left + span - plan.cell * crossword.grid.width
    if len(under) == len(plan.lefts):  # nothing stands beside it
        grid_left = left + (span - plan.cell * crossword.grid.width) / 2
    yield from grid_items(crossword, grid_left, top, plan.cell, solution=False)
    yield from _columns_items(plan)


def _columns_items(plan: _Plan) -> Iterator[Item]:
    style = plan.style
    used = [bool(column) for column in plan.columns]
    for place, (left, top, column) in enumerate(
        zip(plan.lefts, plan.tops, plan.columns, strict=True)
    ):
        y = top
        for number, line in enumerate(column):
            y += style.height(line, first=number == 0)
            base = y - 0.3 * style.size
            if line.number.strip():
                right = left + style.indent - 0.45 * style.size
                yield Text(right, base, line.number, style.size, "end", bold=True)
            x = left + style.indent if line.number else left
            yield Text(x, base, line.text, style.size, bold=line.bold)
        if place and used[place] and used[place - 1]:
            x = left - _GAP / 2
            yield Stroke(x, max(top, plan.tops[place - 1]), x, plan.bottom, 0.3, GREY)


def texts(crossword: Crossword, style: str) -> list[str]:
    """All that a drawing of the crossword in that style may have written in it."""
    letters = [letter for row in crossword.solution for letter in row if letter]
    given = [cell for row in crossword.grid.rows for cell in row]
    if style != "newspaper":
        return [*letters, *given]
    about = (
        crossword.title,
        crossword.author,
        crossword.copyright,
        crossword.notes,
        crossword.date,
    )
    return [*letters, *given, *map(clean, (*about, *crossword.clues.values()))]


SOLVED = ("fill", "solution")
"""The styles that show the solution."""

STYLE_DRAWINGS = {
    "fill": fill_drawing,
    "puzzle": lambda crossword: grid_drawing(crossword, solution=False),
    "solution": lambda crossword: grid_drawing(crossword, solution=True),
    "newspaper": newspaper_drawing,
}
"""Style -> the drawing of a crossword in it, as one picture."""
