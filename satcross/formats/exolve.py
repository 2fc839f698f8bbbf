"""The text format of Exolve (github.com/viresh-ratnakar/exolve), in files named .exolve.

Sections stand between the lines ``exolve-begin`` and ``exolve-end``. In the grid, decorators follow
a cell: ``|`` and ``_`` for bars at the right and below, ``@`` for a circle, ``!`` for a
prefilled letter. Colours are a section of their own, with rows counted from the bottom. The format
can't store holes, the date, or prefilled letters that are not in the solution.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    ImportedCrossword,
    check_room,
    excerpt,
    make_crossword,
    make_grid,
    note_unplaced_clues,
    plain_text,
    read_letters,
    read_limited_text,
)
from satcross.formats.files import Text
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell, Grid
from satcross.support.letters import has_packed

_SECTION = re.compile(r"\s*exolve-([a-z0-9-]+)(?::\s*(.*?))?\s*")
_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*|$)")
_CELL = re.compile(r"\s*(&.|[^\s&])((?:\s*[|_+@!*~]|\s*\{[\d,]*\})*)")
_REBUS_CELL = re.compile(r"\s*((?:&.|[^\s&|_+@!*~{])+)((?:\s*[|_+@!*~]|\s*\{[\d,]*\})*)")
_CLUE = re.compile(r"(\d+)\s*\.?(?!\.)\s*(.*)", re.ASCII | re.DOTALL)
_PLACE = re.compile(r"(?:([a-z])(\d+)|c(\d+)r(\d+)|r(\d+)c(\d+))", re.ASCII)
_ENUMERATION = re.compile(r"\(\d[\d,\-'\u2019 .]*\)\*?")
_IN_CLUE = re.compile(r"~\{(?:\{[^{}]*\})?|\}~")
_HINT = re.compile(r"(?:hint|concise):", re.IGNORECASE)
_BLOCK, _NO_SOLUTION, _UNKNOWN = ".", "0", "?"
_SIGNS = "|_+@!~*.?{[&0"
_TEXTS = {"title": "title", "setter": "author", "copyright": "copyright"}
_DIRECTIONS = {"across": ACROSS, "down": DOWN}
_LINE_SECTIONS = ("grid", "preamble", "prelude", "across", "down", "nodir", "explanations")
_UNUSED = ("width", "height", "option", "id", "maker", "begin", "end", "language")
_GREY = "lightgrey"


@dataclass(slots=True)
class _Cells:
    """The rows of the grid read so far, the letters, and the decorations."""

    rows: list[list[str]] = field(default_factory=list)
    letters: list[list[str | None]] = field(default_factory=list)
    decorations: dict[str, list[object]] = field(
        default_factory=lambda: {"circled": [], "shaded": [], "bars": []}
    )


def import_crossword(path: str) -> ImportedCrossword:
    """Read an Exolve crossword; text around its first and last line is ignored.

    Raises InputError, with the line if possible, for a file that is not an Exolve crossword.
    """
    source = read_limited_text(path)
    values, lines = _sections(source)
    found = _Cells()
    has_rebus = "rebus-cells" in " ".join(values.get("option", ())).split()
    for number, line in lines.get("grid", ()):
        check_room(source, number, found.rows, len(line) // 8)
        try:
            # Blanks divide cells of several letters, such as conjuncts of Devanagari.
            is_divided = has_packed(line) and [str(len(line.split()))] == values.get("width")
            _read_row(line, _REBUS_CELL if has_rebus or is_divided else _CELL, found)
        except ValueError as error:
            raise InputError(
                str(error), "write the grid as Exolve does", file=source.name, line=number
            ) from None
    if not found.rows:
        raise InputError(
            "is not an Exolve crossword: it has no exolve-grid",
            "write the sections between exolve-begin and exolve-end",
            file=source.name,
        )
    _check_sizes(source, values, found)
    _read_colours(values, found)
    grid = make_grid(source.name, found.rows, found.decorations)
    notes = list(source.notes)
    clues = _read_clues(lines, grid, notes)
    texts = {name: plain_text(values.get(key, [""])[0]) for key, name in _TEXTS.items()}
    preamble = [line for key in ("preamble", "prelude") for _, line in lines.get(key, ())]
    paragraphs = plain_text(" ".join(preamble)).split("\n")
    texts["notes"] = "\n".join(map(str.strip, paragraphs))
    known = {*_TEXTS, *_DIRECTIONS, *_UNUSED, "grid", "preamble", "prelude", "colour", "color"}
    if ignored := sorted({*values, *lines} - known):
        notes.append(f"ignored: {', '.join(map(excerpt, ignored[:5]))}")
    crossword = make_crossword(grid, found.letters, clues=clues, texts=texts)
    return ImportedCrossword(crossword, tuple(notes))


def _sections(source: Text) -> tuple[dict[str, list[str]], dict[str, list[tuple[int, str]]]]:
    """Return the values of sections of one line, and the numbered lines of the others."""
    values: dict[str, list[str]] = {}
    lines: dict[str, list[tuple[int, str]]] = {}
    current: list[tuple[int, str]] = []
    begun = False
    for number, raw in enumerate(source.text.splitlines(), 1):
        line = _COMMENT.sub("", raw)
        heading = _SECTION.fullmatch(line)
        begun = begun or (heading is not None and heading[1] == "begin")
        if not begun:
            continue
        if heading is not None:
            if heading[1] == "end":
                break
            values.setdefault(heading[1], []).append(heading[2] or "")
            current = []
            if heading[1] in _LINE_SECTIONS:
                current = lines.setdefault(heading[1], [])
                del values[heading[1]]
        elif line.strip():
            current.append((number, line.strip()))
    return values, lines


def _read_row(line: str, pattern: re.Pattern[str], found: _Cells) -> None:
    row = len(found.rows)
    found.rows.append([])
    found.letters.append([])
    position = 0
    while position < len(line):
        match = pattern.match(line, position)
        if match is None:
            raise ValueError(f"{excerpt(line[position:])} is not a cell")
        position = match.end()
        content, decorators = match[1], match[2].replace("+", "|_")
        cell = (row, len(found.rows[-1]))
        letter = _letter(content)
        opened = letter if letter and len(letter) == 1 and "!" in decorators else OPEN
        found.rows[-1].append(BLOCKED if content == _BLOCK else opened)
        found.letters[-1].append(letter)
        if "@" in decorators:
            found.decorations["circled"].append(cell)
        if "|" in decorators:
            found.decorations["bars"].append((cell, (row, cell[1] + 1)))
        if "_" in decorators:
            found.decorations["bars"].append((cell, (row + 1, cell[1])))


def _letter(content: str) -> str | None:
    if content in (_BLOCK, _NO_SOLUTION, _UNKNOWN):
        return None
    letter = read_letters(re.sub("&(.)", r"\1", content))
    if letter in (BLOCKED, OPEN):
        raise ValueError(f"{letter} is not a letter")
    return letter


def _check_sizes(source: Text, values: dict[str, list[str]], found: _Cells) -> None:
    for key, actual in (("height", len(found.rows)), ("width", len(found.rows[0]))):
        stated = values.get(key, [str(actual)])[0]
        if stated != str(actual):
            raise InputError(
                f"the stated {key} is {excerpt(stated)}, but the grid's is {actual}",
                "give an Exolve crossword",
                file=source.name,
            )


def _read_colours(values: dict[str, list[str]], found: _Cells) -> None:
    """Add the cells of the colour sections; colours of whole slots are ignored."""
    for text in (*values.get("colour", ()), *values.get("color", ())):
        for place in text.split():
            if match := _PLACE.fullmatch(place):
                letter, up, column, row, other_row, other_column = match.groups()
                number = int(up or row or other_row)
                across = ord(letter) - ord("a") if letter else int(column or other_column) - 1
                cell = (len(found.rows) - number, across)
                if 0 <= cell[0] < len(found.rows) and across < len(found.rows[cell[0]]):
                    found.decorations["shaded"].append(cell)


def _read_clues(
    lines: dict[str, list[tuple[int, str]]], grid: Grid, notes: list[str]
) -> dict[str, str]:
    names = {slot.name for slot in grid.slots}
    clues: dict[str, str] = {}
    unplaced = [text for _, text in lines.get("nodir", ())]
    for section, direction in _DIRECTIONS.items():
        for _, line in lines.get(section, ()):
            match = _CLUE.fullmatch(line)
            name = f"{match[1]}{direction[0].upper()}" if match else ""
            if match and name in names and name not in clues:
                clues[name] = _clue_text(match[2])
            elif not _HINT.match(line):
                unplaced.append(f"{line} {direction}")
    notes += note_unplaced_clues(unplaced)
    return clues


def _clue_text(text: str) -> str:
    """Return a clue without its annotation, which stands after ``[]`` or the enumeration."""
    clue, ended, _ = text.partition("[]")
    if not ended and (found := list(_ENUMERATION.finditer(text))):
        clue = text[: found[-1].end()].removesuffix("*")
    return plain_text(_IN_CLUE.sub("", clue)).strip()


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write an Exolve crossword; ``writers`` documents the parameters."""
    path.write_bytes(crossword_to_text(crossword).encode("utf-8"))


def crossword_to_text(crossword: Crossword) -> str:
    """Return the Exolve text of a crossword."""
    return "\n".join(["exolve-begin", *_lines(crossword), "exolve-end"]) + "\n"


def _lines(crossword: Crossword) -> Iterator[str]:
    grid = crossword.grid
    yield f"  exolve-width: {grid.width}"
    yield f"  exolve-height: {grid.height}"
    for key, name in _TEXTS.items():
        if text := _one_line(getattr(crossword, name)):
            yield f"  exolve-{key}: {text}"
    if crossword.notes.strip():
        yield "  exolve-preamble:"
        lines = "<br/>\n".join(map(_one_line, crossword.notes.splitlines())).split("\n")
        yield from (f"    {line}" for line in lines)
    letters = {letter for row in crossword.solution for cell in row for letter in cell or ""}
    yield from _options(crossword, letters)
    if shaded := [f"c{c + 1}r{grid.height - r}" for r, c in sorted(grid.shaded)]:
        yield f"  exolve-colour: {_GREY} {' '.join(shaded)}"
    yield "  exolve-grid:"
    unknown = _UNKNOWN if letters else _NO_SOLUTION
    for row in range(grid.height):
        cells = [_cell(crossword, (row, column), unknown) for column in range(grid.width)]
        yield "    " + " ".join(cells).rstrip()
    for section, direction in _DIRECTIONS.items():
        yield f"  exolve-{section}:"
        for slot in grid.slots:
            clue = crossword.clues.get(slot.name, "")
            if slot.direction == direction and clue:
                yield f"    {slot.name[:-1]} {_one_line(clue)}{_end(clue)}"


def _options(crossword: Crossword, letters: set[str]) -> Iterator[str]:
    if crossword.rebus:
        yield "  exolve-option: rebus-cells"
    if odd := sorted(letter for letter in letters if not "A" <= letter <= "Z"):
        yield f"  exolve-option: allow-chars:{''.join(odd)}"


def _cell(crossword: Crossword, cell: Cell, unknown: str) -> str:
    grid, (row, column) = crossword.grid, cell
    if grid.rows[row][column] == BLOCKED:
        return _BLOCK + "  "
    letter = crossword.solution[row][column]
    escaped = (f"&{one}" if one in _SIGNS else one for one in letter or "")
    text = unknown if letter is None else "".join(escaped)
    present = {
        "@": cell in grid.circled,
        "!": letter is not None and grid.given(cell) == letter,
        "|": (cell, (row, column + 1)) in grid.bars,
        "_": (cell, (row + 1, column)) in grid.bars,
    }
    return (text + "".join(sign for sign, is_present in present.items() if is_present)).ljust(3)


def _end(clue: str) -> str:
    """Return the sign of the clue's end if it may be taken for an annotation."""
    found = list(_ENUMERATION.finditer(clue))
    return " []" if found and found[-1].end() < len(clue.rstrip()) else ""


def _one_line(text: str) -> str:
    """Return the text as HTML on one line; "#" would begin a comment, and "[]" end a clue."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    escaped = html.escape("\n".join(lines), quote=False).replace("\n", "<br/>")
    for sign in "#[~":
        escaped = escaped.replace(sign, f"&#{ord(sign)};")
    return escaped
