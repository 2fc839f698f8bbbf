"""The .xd text format, version 3 (github.com/century-arcade/xd).

A file has sections for headers, grid, clues and notes, either under ``## Headings`` or separated by
two blank lines. If there is a Special header, lower-case letters are circled or shaded cells; a
Design section has circles, shades and bars, a Start section the given letters. The format as
satcross writes it can't store prefilled letters or bars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from satcross.crossword import Clue, Crossword
from satcross.errors import InputError
from satcross.formats import common
from satcross.formats.draft import Draft
from satcross.formats.files import Text
from satcross.formats.kinds import XD
from satcross.formats.markup import plain_xd, unmarked, with_italics
from satcross.formats.placing import FoundClue
from satcross.formats.signs import without_comments
from satcross.formats.sniff import sniff_text
from satcross.formats.text import is_spaced
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell

_METADATA, _GRID, _CLUES, _NOTES = "metadata", "grid", "clues", "notes"
_DESIGN, _START = "design", "start"
_SECTIONS = (_METADATA, _GRID, _CLUES, _NOTES)
_CLUE = re.compile(r"([A-Z]?)(\d+)([ADad]?)\.(.*)", re.DOTALL | re.ASCII)
_CLUE_DATA = re.compile(r"[A-Z]?\d+\s+\^\s*([\w-]+)", re.ASCII)
_HEADER = re.compile(r"\s*[A-Za-z][\w -]*:\s")
_STYLE = re.compile(r"(\S)\s*=?\s*\{([^{}]*)\}")
_SEVERAL = "the file has more than 1 crossword; the first is read"
_HOLE = "_"
_BLOCKS = f"{BLOCKED}{_HOLE}"
_EMPTY = "."
_NO_CLUE = "[XXX]"  # as the tools of the format write it
_TEXTS = ("title", "author", "copyright", "date", "language")
_SIDES = ("left", "right", "top", "bottom")
_SPECIAL, _REBUS = "special", "rebus"
_CIRCLE, _SHADED = "circle", "shaded"
_SPARE_KEYS = "123456789"
_LINE = re.compile("\r\n|\r|\n")

Line = tuple[int, str]
"""The number of a line in the file, from 1, and the line."""


def parse_crossword(source: Text) -> common.ImportedCrossword:
    """Parse an .xd crossword.

    A dot is an empty cell, or a block where that agrees better with the answers of the clues.
    Raises InputError, with the line if possible, for a text that is not an .xd crossword.
    """
    draft = Draft(source.name, list(source.notes))
    sections = _split(source, draft)
    headers = _read_headers(source, sections.pop(_METADATA))
    rebus = _read_rebus(source, headers.pop(_REBUS, (0, "")))
    grid, clues = sections.pop(_GRID), sections.pop(_CLUES)
    _read_clues(source, clues, draft)
    _read_grid(grid, rebus, draft, special=headers.pop(_SPECIAL, None))
    if not draft.rows:
        problem = "is not an .xd crossword: it has no grid"
        remedy = "write headers, grid and clues with two blank lines between them"
        raise source.error(problem, remedy)
    _read_design(sections.pop(_DESIGN, []), headers.pop(_DESIGN, (0, ""))[1], draft)
    draft.weigh_signs(lambda letter: True)
    draft.weigh_signs(lambda letter: letter.isalnum() or len(letter) > 1)
    if rebus:
        _undo_rebus(grid, draft)
    _read_start(sections.pop(_START, []), draft)
    draft.compare_size({key: headers.pop(key, (0, None))[1] for key in ("width", "height")})
    for key in _TEXTS:
        draft.texts[key] = unmarked(headers.pop(key, (0, ""))[1])
    notes = "\n".join(line for _, line in sections.pop(_NOTES)).strip("\n")
    if sniff_text(notes) is XD:
        notes = ""
        draft.notes.append(_SEVERAL)
    draft.texts["notes"] = notes
    draft.leave({key.capitalize(): value for key, (_, value) in headers.items()})
    draft.leave({f"## {key.capitalize()}": lines for key, lines in sections.items()})
    return draft.finish()


def _read_grid(
    lines: Sequence[Line], rebus: Mapping[str, str], draft: Draft, special: Line | None
) -> None:
    rows = draft.rows
    decoration = "shaded" if special and special[1].lower() == _SHADED else "circled"
    if lines and is_spaced([line for _, line in lines]):
        lines = [(number, line[::2]) for number, line in lines]

    def read(line: str) -> None:
        for column, cell in enumerate(line):
            if cell == _HOLE:
                draft.decorate("holes", (len(rows), column))
            elif cell.islower() and special:
                draft.decorate(decoration, (len(rows), column))
        draft.letters.append([_read_cell(cell, rebus) for cell in line])
        rows.append([BLOCKED if cell in _BLOCKS else OPEN for cell in line])

    draft.read_rows(lines, read)


def _undo_rebus(grid: Sequence[Line], draft: Draft) -> None:
    """Read the keys of rebus cells as they stand where the answer of a clue says so."""
    answers = {f"{clue.label}{clue.group[:1]}": clue.answer for clue in draft.clues}
    for slot in draft.structure(draft.rows).slots:
        signs = [grid[row][1][column] for row, column in slot.places]
        # The capital of a letter may be two, as of ß.
        if "".join(signs).upper() == answers.get(slot.name) and _EMPTY not in signs:
            for (row, column), sign in zip(slot.places, signs, strict=True):
                draft.letters[row][column] = common.read_letters(sign)


def _read_design(lines: Sequence[Line], header: str, draft: Draft) -> None:
    """Add circles, shades and bars: a style for each letter, and a grid of such letters."""
    text = "\n".join([header, *(line for _, line in lines)])
    before, _, after = text.rpartition("</style>")
    styles = {match[1]: match[2] for match in _STYLE.finditer(before or header)}
    rows = [line.strip() for line in after.splitlines() if line.strip()]
    if [len(row) for row in rows] != [len(row) for row in draft.rows]:
        draft.leave({"## Design": text.strip()})
        return
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            for declaration in styles.get(letter, "").split(";"):
                _decorate(declaration, (row, column), draft)


def _decorate(declaration: str, cell: Cell, draft: Draft) -> None:
    key, _, value = (part.strip().lower() for part in declaration.partition(":"))
    side = key.removeprefix("bar-")
    if side in _SIDES and value == "true":
        draft.add_bar(cell, side)
    elif key == "background" and value == _CIRCLE:
        draft.decorate("circled", cell)
    elif key in ("background", "background-light", "background-color"):
        if not common.is_white(value):
            draft.decorate("shaded", cell)
    elif key not in ("", "background-dark"):
        draft.leave({key: value}, "## Design:")


def _read_start(lines: Sequence[Line], draft: Draft) -> None:
    """Add the given letters of a Start section."""
    rows = [line.strip() for _, line in lines if line.strip()]
    if [len(row) for row in rows] != [len(row) for row in draft.rows]:
        draft.leave({"## Start": rows})
        return
    for cells, line in zip(draft.rows, rows, strict=True):
        for column, letter in enumerate(line):
            if cells[column] == OPEN and letter not in (_EMPTY, *_BLOCKS) and letter.isalnum():
                cells[column] = common.read_prefilled(letter)


def _split(source: Text, draft: Draft) -> dict[str, list[Line]]:
    """Return the lines of each section; lines of grid, headers and clues are stripped."""
    text = without_comments(source.text, lambda comment: "\n" * comment.count("\n"))
    lines = list(enumerate(_LINE.split(text), 1))
    first = next((line for _, line in lines if line.strip()), "")
    named = _heading(first) is not None
    sections = _split_at_headings(lines, draft) if named else _split_at_blanks(lines)
    for key in (_METADATA, _GRID, _CLUES):
        sections[key] = [(number, line.strip()) for number, line in sections[key] if line.strip()]
    return sections


def _split_at_headings(lines: list[Line], draft: Draft) -> dict[str, list[Line]]:
    sections: dict[str, list[Line]] = {key: [] for key in _SECTIONS}
    current: list[Line] = []
    for number, line in lines:
        if (heading := _heading(line)) is not None:
            if heading == _GRID and sections[_GRID]:
                draft.notes.append(_SEVERAL)
                break
            current = sections.setdefault(heading, [])
        elif current is sections[_GRID] and _HEADER.match(line):
            sections[_METADATA].append((number, line))
        elif line.strip() or current:
            current.append((number, line))
    return sections


def _heading(line: str) -> str | None:
    """Return the name of the section that a line begins, in lower case, or None."""
    return line[2:].strip().lower() if line[:2] == "##" and line[2:3].isspace() else None


def _split_at_blanks(lines: list[Line]) -> dict[str, list[Line]]:
    sections: dict[str, list[Line]] = {key: [] for key in _SECTIONS}
    index, blank = 0, 0
    for number, line in lines:
        last = index == len(_SECTIONS) - 1
        if not line.strip() and not last:
            blank += 1
            continue
        if blank >= 2 and sections[_SECTIONS[index]]:
            index += 1
        blank = 0
        sections[_SECTIONS[index]].append((number, line))
    return sections


def _read_headers(source: Text, lines: list[Line]) -> dict[str, tuple[int, str]]:
    """Return the line number and value of each header, by name in lower case."""
    headers: dict[str, tuple[int, str]] = {}
    for number, line in lines:
        key, colon, value = line.partition(":")
        if not colon:
            problem = f"{common.excerpt(line)} is not a header"
            remedy = "write Title: ..., and two blank lines before the grid"
            raise source.error(problem, remedy, number)
        headers.setdefault(key.strip().lower(), (number, value.strip()))
    return headers


def _read_rebus(source: Text, header: Line) -> dict[str, str]:
    """Parse a Rebus header such as ``1=HEART 2=DIAMOND`` or ``1=HE,2=SHE`` into key -> letters."""
    number, text = header
    rebus = {}
    for part in re.split(r"[\s,;]+(?=\S+\s*=)", re.sub(r"\s*=\s*", "=", text.strip(" ,;"))):
        key, equals, letters = part.partition("=")
        if len(key) > 1 and len(letters) == 1:
            key, letters = letters, key
        if part and (len(key) != 1 or not equals or not letters):
            problem = f"the Rebus header has {common.excerpt(part)}"
            raise source.error(problem, "write KEY=LETTERS, such as 1=HEART", number)
        rebus[key] = letters.strip(" ,;")
    rebus.pop("", None)
    return rebus


def _read_cell(cell: str, rebus: Mapping[str, str]) -> str | None:
    if cell in rebus:
        return common.read_letters(rebus[cell])
    return None if cell in _BLOCKS or cell == _EMPTY else common.read_letter(cell)


def _read_clues(source: Text, lines: list[Line], draft: Draft) -> None:
    for number, line in lines:
        found = _CLUE.fullmatch(line)
        if not found:
            if data := _CLUE_DATA.match(line):
                draft.leave({data[1]: True}, "clue")
                continue
            problem = f"{common.excerpt(line)} is not a clue"
            raise source.error(problem, "write it as A1. clue ~ ANSWER", number)
        group, label, after, rest = found.groups()
        clue, tilde, answer = f"{rest} ".rpartition(" ~ ")
        text = (clue if tilde else rest).strip().removesuffix(" ~")
        if not tilde:
            answer = ""
        elif text == "~":
            text = ""
        plain = "" if text == _NO_CLUE else plain_xd(text).replace("\\", "\n")
        text = unmarked(plain, italics=True)
        word = re.sub(r"[\s|]", "", answer).upper()
        draft.clues.append(FoundClue(text, label, (group or after).upper(), answer=word))


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write an .xd crossword; ``writers`` documents the parameters."""
    path.write_bytes(crossword_to_text(crossword).encode("utf-8"))


def crossword_to_text(crossword: Crossword) -> str:
    """Return the .xd text of a crossword, with two blank lines between sections."""
    grid = crossword.grid
    if grid.bars:
        raise InputError(".xd can't store bars", "write .ipuz instead")
    # A lower-case letter decorates a cell, in one way for the whole file; others can't be.
    special = _CIRCLE if grid.circled or not grid.shaded else _SHADED
    decorated = grid.circled or grid.shaded
    marked = frozenset((r, c) for r, c in decorated if crossword.solution[r][c] is not None)
    rebus: dict[str, str] = {}
    cells = [[(r, c) for c in range(grid.width)] for r in range(grid.height)]
    rows = ["".join(_write_cell(crossword, cell, marked, rebus) for cell in row) for row in cells]
    headers = {key.capitalize(): getattr(crossword, key) for key in _TEXTS}
    if marked:
        headers["Special"] = special
    headers["Rebus"] = " ".join(f"{key}={letter}" for key, letter in rebus.items())
    sections = [
        [f"{key}: {_one_line(text)}" for key, text in headers.items() if text] or ["Title:"],
        rows,
        [*_write_clues(crossword, ACROSS), "", *_write_clues(crossword, DOWN)],
    ]
    if crossword.other_clues:
        numbered = (clue for clue in crossword.other_clues if clue.label.isdigit())
        others = (f"{c.group[:1].upper()}{c.label}. {_one_line(c.marked)}" for c in numbered)
        sections[-1] += ["", *others]
    text = "\n\n\n".join("\n".join(section).strip("\n") for section in sections)
    text = with_italics(text, "{/", "/}")
    return f"{text}\n\n\n{crossword.notes}\n" if crossword.notes else f"{text}\n"


def _write_cell(
    crossword: Crossword, cell: Cell, marked: frozenset[Cell], rebus: dict[str, str]
) -> str:
    """Return the character of a cell; letters with another meaning get a key in ``rebus``."""
    row, column = cell
    if crossword.grid.rows[row][column] == BLOCKED:
        return _HOLE if cell in crossword.grid.holes else BLOCKED
    letter = crossword.solution[row][column]
    if letter is None:
        return _EMPTY
    if cell not in marked:
        if letter not in ("#", "_", ".") and len(letter) == 1 and not (letter.islower() and marked):
            return letter
        return _key(letter, _SPARE_KEYS, crossword, rebus)
    lower = letter.lower()
    if len(letter) == 1 and lower != letter and len(lower) == 1 and lower.upper() == letter:
        return lower
    return _key(letter, "abcdefghijklmnopqrstuvwxyz", crossword, rebus)


def _key(letter: str, keys: str, crossword: Crossword, rebus: dict[str, str]) -> str:
    used = {known for row in crossword.solution for known in row if known}
    unavailable = used | {known.lower() for known in used} | set(rebus)
    found = next((key for key in keys if rebus.get(key) == letter), "")
    found = found or next((key for key in keys if key not in unavailable), "")
    if not found:
        raise InputError(f".xd can't store the letter {letter!r}", "write .ipuz instead")
    rebus[found] = letter
    return found


def _write_clues(crossword: Crossword, direction: str) -> Iterator[str]:
    for slot in crossword.grid.slots:
        if slot.direction == direction:
            clue = _one_line(Clue.of(crossword.clues.get(slot.name, "")).marked, "\\")
            answer = "".join(crossword.solution[r][c] or _EMPTY for r, c in slot.places)
            yield f"{direction[0].upper()}{slot.name[:-1]}. {clue} ~ {answer}"


def _one_line(text: str, separator: str = " ") -> str:
    return separator.join(_LINE.split(text)).strip()
