"""Printed pages of a crossword: puzzle, solution, or an editor's submission form, as PDF."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from satcross.crossword import Crossword
from satcross.formats.drawing import layout
from satcross.formats.drawing.pdf import write_pages
from satcross.formats.drawing.shapes import Drawing, Item, Stroke, TextLine, wrap
from satcross.web.files import crossword_from_data
from satcross.web.protocol import Written
from satcross.web.schema import Sheet

_LARGE = 1.4
"""Enlargement of large print."""
_MARGIN = 42.5
_SIZE, _LEADING = 11.0, 14.0
_NAME_LINE = f"Name {'_' * 34}   Date {'_' * 16}"

_Page = tuple[float, float]
"""Width and height in points."""


def print_pages(sheet: Sheet) -> Written:
    """Return the PDF of a sheet. Raises InputError for an invalid crossword."""
    crossword = crossword_from_data(sheet.crossword)
    enlarged = _LARGE if sheet.large else 1.0
    width, height = layout.PAPERS[sheet.paper]
    drawings = _drawings(sheet, crossword, (width / enlarged, height / enlarged))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pages.pdf")
        scaled = [_scaled(drawing, enlarged) for drawing in drawings]
        write_pages(scaled, path, crossword.title, crossword.author)
        return Written(path.read_bytes(), [])


def _drawings(sheet: Sheet, crossword: Crossword, page: _Page) -> list[Drawing]:
    if sheet.show == "solution":
        return [layout.grid_page(crossword, page, solution=True)]
    if sheet.show == "submission":
        first = layout.grid_page(crossword, page, solution=True)
        address = enumerate(reversed(sheet.address.strip().splitlines()))
        lines = [TextLine(_MARGIN, page[1] - 60 - i * _LEADING, text, _SIZE) for i, text in address]
        return [_with(first, *lines), *_clues_with_answers(crossword, page)]
    drawings = layout.newspaper_pages(crossword, page) if any(crossword.clues.values()) else []
    drawings = drawings or [layout.grid_page(crossword, page, solution=False)]
    if sheet.name_line:
        drawings[0] = _with(drawings[0], TextLine(_MARGIN, 28, _NAME_LINE, _SIZE))
    words = sorted(_answers(crossword).values())
    if sheet.word_bank and words:
        drawings[-1:] = _with_bank(drawings[-1], words)
    if sheet.answer_key:
        drawings.append(layout.grid_page(crossword, page, solution=True))
    return drawings


def _with(drawing: Drawing, *items: Item) -> Drawing:
    return replace(drawing, items=(*drawing.items, *items))


def _answers(crossword: Crossword) -> dict[str, str]:
    """Return the whole answers by slot."""
    found = {
        slot.name: [crossword.solution[row][column] for row, column in slot.cells]
        for slot in crossword.grid.slots
    }
    return {name: "".join(filter(None, word)) for name, word in found.items() if all(word)}


def _with_bank(drawing: Drawing, words: list[str]) -> list[Drawing]:
    """Return the page with the words at its foot, or with another page for them."""
    lines = wrap(" · ".join(words), _SIZE, drawing.width - 2 * _MARGIN)
    top = drawing.height - _MARGIN - len(lines) * _LEADING - 12
    lowest = max(_bottom(item) for item in drawing.items if not _is_footer(item, drawing))
    is_free = lowest < top - 8
    top = top if is_free else _MARGIN
    items: list[Item] = [Stroke(_MARGIN, top, drawing.width - _MARGIN, top, 0.5)]
    for number, line in enumerate(lines, 1):
        items.append(TextLine(_MARGIN, top + 2 + number * _LEADING, line, _SIZE))
    blank = replace(drawing, items=())
    return [_with(drawing, *items)] if is_free else [drawing, _with(blank, *items)]


def _bottom(item: Item) -> float:
    tall = max(getattr(item, "height", 0.0), getattr(item, "radius", 0.0))
    return max(getattr(item, name, 0.0) for name in ("y", "y1", "y2")) + tall


def _is_footer(item: Item, drawing: Drawing) -> bool:
    return isinstance(item, TextLine) and item.y >= drawing.height - _MARGIN


def _clues_with_answers(crossword: Crossword, page: _Page) -> Iterator[Drawing]:
    """Yield pages of clues with their answers, double spaced."""
    width, height = page
    answers, lines = _answers(crossword), []
    for name, slots in layout.directions(crossword):
        lines.append((name.upper(), "", ""))
        for slot in slots:
            clue = layout.clue_text(crossword, slot)
            parts = wrap(clue, _SIZE, width - 2 * _MARGIN - 190)
            lines.append((slot.name[:-1], parts[0], answers.get(slot.name, "")))
            lines += [("", part, "") for part in parts[1:]]
    per_page = int((height - 2 * _MARGIN) // (2 * _LEADING))
    for start in range(0, len(lines), per_page):
        items: list[Item] = []
        for place, (number, clue, answer) in enumerate(lines[start : start + per_page], 1):
            y = _MARGIN + place * 2 * _LEADING
            items.append(TextLine(_MARGIN, y, number, _SIZE, bold=not clue))
            items.append(TextLine(_MARGIN + 32, y, clue, _SIZE))
            items.append(TextLine(width - _MARGIN, y, answer, _SIZE, "end"))
        yield Drawing(width, height, tuple(item for item in items if getattr(item, "text", "")))


def _scaled(drawing: Drawing, by: float) -> Drawing:
    if by == 1.0:
        return drawing
    lengths = ("x", "y", "x1", "y1", "x2", "y2", "width", "height", "line", "radius", "size")
    items = []
    for item in drawing.items:
        changed = {name: getattr(item, name) * by for name in lengths if hasattr(item, name)}
        items.append(replace(item, **changed))
    return Drawing(drawing.width * by, drawing.height * by, tuple(items))
