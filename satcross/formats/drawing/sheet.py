"""Printed pages of a crossword: the puzzle, its solution, or an editor's submission form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from satcross.crossword import Clue, Crossword
from satcross.formats.drawing import layout
from satcross.formats.drawing.layout import MARGIN
from satcross.formats.drawing.lettering import clean
from satcross.formats.drawing.shapes import Drawing, Item, Stroke, TextLine, wrap
from satcross.formats.languages import phrase, sort_key
from satcross.support.wording import counted

_LARGE = 1.4
"""Enlargement of large print."""
_SIZE, _LEADING, _BANK_GAP = 11.0, 14.0, 24.0

_Page = tuple[float, float]
"""Width and height in points."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a printed puzzle has beside grid and clues, and whether the print is large.

    ``name_line`` is a line for name and date, ``word_bank`` the words of the puzzle, ``answer_key``
    a page with the solution. With the author's address, lines of text, the sheet is instead an
    editor's submission form.
    """

    large: bool = False
    name_line: bool = False
    word_bank: bool = False
    answer_key: bool = False
    address: str | None = None


def puzzle_pages(crossword: Crossword, style: str, paper: _Page, sheet: Sheet) -> list[Drawing]:
    """Return the pages of a crossword in a style of ``registry.STYLES``, or a submission form."""
    page = _page(paper, sheet)
    if sheet.address is not None:
        return _submission_pages(crossword, page, sheet.address, sheet)
    if style not in ("newspaper", "puzzle"):
        return _enlarged([layout.grid_page(crossword, page, solution=True)], sheet)
    words = bank(crossword) if sheet.word_bank else []
    if style == "newspaper":
        room = (crossword, page, _bank_height(words, page[0]))
        smallest = [_usual(crossword, paper, page)] if sheet.large else []
        drawings = layout.newspaper_pages(*room, *smallest)
    else:
        drawings = [layout.grid_page(crossword, page, solution=False)]
    drawings[0] = with_name_line(drawings[0], sheet)
    if words:
        drawings[-1:] = _with_bank(drawings[-1], words)
    has_letters = any(letter for row in crossword.solution for letter in row)
    if sheet.answer_key and has_letters:
        drawings.append(layout.grid_page(crossword, page, solution=True))
    return _enlarged(drawings, sheet)


def _submission_pages(
    crossword: Crossword, page: _Page, address: str, sheet: Sheet
) -> list[Drawing]:
    """Return a page with the grid and the author's address, then the clues with their answers.

    The first page says how many words there are, the others whose they are and which of them it is.
    """
    first = layout.grid_page(crossword, page, solution=True)
    lines = [*address.strip().splitlines(), _size_line(crossword)]
    items = [
        TextLine(MARGIN, page[1] - 60 - i * _LEADING, text, _SIZE)
        for i, text in enumerate(reversed(lines))
    ]
    pages = list(_clues_with_answers(crossword, page))
    names = filter(None, (clean(crossword.author), clean(crossword.title)))
    head = wrap(" · ".join(names), _SIZE, page[0] - 2 * MARGIN - 60)[:1]
    for at, drawing in enumerate(pages, 2):
        number = TextLine(page[0] - MARGIN, 30, f"{at}/{len(pages) + 1}", _SIZE, "end")
        pages[at - 2] = _with(drawing, number, *(TextLine(MARGIN, 30, t, _SIZE) for t in head))
    return _enlarged([_with(first, *items), *pages], sheet)


def _size_line(crossword: Crossword) -> str:
    """Return the size of a grid, and its number of words, in the language in use."""
    words, word = len(crossword.grid.slots), phrase("word")[0]
    count = counted(words, word) if word == "word" else f"{word}: {words}"
    return f"{crossword.grid.height}x{crossword.grid.width}, {count}"


def with_name_line(drawing: Drawing, sheet: Sheet) -> Drawing:
    """Return a page with the line for name and date, if the sheet has one."""
    line = TextLine(MARGIN, 28, name_line(), _SIZE)
    return _with(drawing, line) if sheet.name_line else drawing


def name_line() -> str:
    """Return the line for name and date, in the language in use."""
    return f"{phrase('name')} {'_' * 34}   {phrase('day')} {'_' * 16}"


def bank(crossword: Crossword) -> list[str]:
    """Return the words of a word bank, spelled as the enumerations of their clues say."""
    clues = crossword.clues
    words = (
        _spelled(word, Clue.of(clues.get(name, "")).enumeration)
        for name, word in crossword.words.items()
    )
    return sorted(words, key=sort_key)


def _spelled(word: str, enumeration: str) -> str:
    """Return a word with the blanks, hyphens and apostrophes of an enumeration: 6,7 or 1-5."""
    number, *rest = re.split(r"(\D+)", enumeration)
    if not rest or sum(map(int, (number, *rest[1::2]))) != len(word):
        return word
    found, at = word[: int(number)], int(number)
    for sign, length in zip(rest[::2], map(int, rest[1::2]), strict=True):
        sign = sign.strip() if sign.strip() in ("-", "'", "\u2019") else " "
        found, at = f"{found}{sign}{word[at : at + length]}", at + length
    return found


def _page(paper: _Page, sheet: Sheet) -> _Page:
    enlarged = _LARGE if sheet.large else 1.0
    return paper[0] / enlarged, paper[1] / enlarged


def _usual(crossword: Crossword, paper: _Page, page: _Page) -> layout.Least:
    """Return the least sizes on a page that is enlarged to the size of the paper.

    A cell is no smaller than on the paper, so that it becomes larger, or the grid as wide as the
    page.
    """
    widest = (page[0] - 2 * MARGIN) / max(1, crossword.grid.width)
    return layout.Least(min(layout.printed_cell(crossword, paper), widest), layout.MULTIPAGE_SIZE)


def _enlarged(drawings: list[Drawing], sheet: Sheet) -> list[Drawing]:
    return [_scaled(drawing, _LARGE) for drawing in drawings] if sheet.large else drawings


def _with(drawing: Drawing, *items: Item) -> Drawing:
    return replace(drawing, items=(*drawing.items, *items))


def printed_cell(crossword: Crossword, paper: _Page, sheet: Sheet) -> float:
    """Return the size of a cell on the first page of a newspaper's style, in points."""
    page, words = _page(paper, sheet), bank(crossword) if sheet.word_bank else []
    return layout.printed_cell(crossword, page, _bank_height(words, page[0]))


def _bank_lines(words: list[str], width: float) -> list[str]:
    lines = wrap(" · ".join(words), _SIZE, width - 2 * MARGIN - _SIZE) if words else []
    after = [line.startswith("·") for line in lines[1:]] + [False]
    return [line.lstrip("· ") + " ·" * dotted for line, dotted in zip(lines, after, strict=True)]


def _bank_height(words: list[str], width: float) -> float:
    return len(_bank_lines(words, width)) * _LEADING + _BANK_GAP if words else 0.0


def _with_bank(drawing: Drawing, words: list[str]) -> list[Drawing]:
    """Return the page with the words at its foot, or with another page for them."""
    lines = _bank_lines(words, drawing.width)
    top = drawing.height - MARGIN - len(lines) * _LEADING - 12
    footer = drawing.height - MARGIN
    above = (i for i in drawing.items if not (isinstance(i, TextLine) and i.y >= footer))
    is_free = max(map(_bottom, above)) < top - 8
    top = top if is_free else MARGIN
    items: list[Item] = [Stroke(MARGIN, top, drawing.width - MARGIN, top, 0.5)]
    for number, line in enumerate(lines, 1):
        items.append(TextLine(MARGIN, top + 2 + number * _LEADING, line, _SIZE))
    blank = replace(drawing, items=())
    return [_with(drawing, *items)] if is_free else [drawing, _with(blank, *items)]


def _bottom(item: Item) -> float:
    tall = max(getattr(item, "height", 0.0), getattr(item, "radius", 0.0))
    return max(getattr(item, name, 0.0) for name in ("y", "y1", "y2")) + tall


def _clues_with_answers(crossword: Crossword, page: _Page) -> Iterator[Drawing]:
    """Yield pages of clues with their answers, double spaced."""
    width, height = page
    answers, lines = crossword.words, []
    for name, slots in layout.directions(crossword):
        lines.append((name.upper(), "", ""))
        for slot in slots:
            clue = layout.clue_text(crossword, slot, marked=True)
            parts = wrap(clue, _SIZE, width - 2 * MARGIN - 190)
            lines.append((slot.name[:-1], parts[0], answers.get(slot.name, "")))
            lines += [("", part, "") for part in parts[1:]]
    per_page = int((height - 2 * MARGIN) // (2 * _LEADING))
    for start in range(0, len(lines), per_page):
        items: list[Item] = []
        for place, (number, clue, answer) in enumerate(lines[start : start + per_page], 1):
            y = MARGIN + place * 2 * _LEADING
            items.append(TextLine(MARGIN, y, number, _SIZE, bold=not clue))
            items.append(TextLine(MARGIN + 32, y, clue, _SIZE))
            items.append(TextLine(width - MARGIN, y, answer, _SIZE, "end"))
        yield Drawing(width, height, tuple(item for item in items if getattr(item, "text", "")))


def _scaled(drawing: Drawing, by: float) -> Drawing:
    lengths = ("x", "y", "x1", "y1", "x2", "y2", "width", "height", "line", "radius", "size")
    items = []
    for item in drawing.items:
        changed = {name: getattr(item, name) * by for name in lengths if hasattr(item, name)}
        items.append(replace(item, **changed))
    return Drawing(drawing.width * by, drawing.height * by, tuple(items))
