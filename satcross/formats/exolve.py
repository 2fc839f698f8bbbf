"""The text format of Exolve (github.com/viresh-ratnakar/exolve), in files named .exolve.

Sections stand between the lines ``exolve-begin`` and ``exolve-end``, often in a page of HTML. In
the grid, decorators follow a cell: ``|`` and ``_`` for bars at the right and below, ``@`` for a
circle, ``!`` for a prefilled letter. Colours are a section of their own, with rows counted from the
bottom. The format can't store holes, the date, or prefilled letters that are not in the solution.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from satcross.crossword import Clue, Crossword
from satcross.formats.common import MAX_SIDE, ImportedCrossword, bar_at, excerpt, read_letters
from satcross.formats.draft import Draft
from satcross.formats.files import Text
from satcross.formats.markup import plain_text, with_italics
from satcross.formats.placing import FoundClue
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell
from satcross.support.letters import has_packed

_SECTION = re.compile(r"\s*exolve-([a-z0-9-]+)(?::\s*(.*?))?\s*")
_BEGIN = re.compile(r".{0,200}\bexolve-begin\s*")
_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*|$)")
_DECORATORS = r"((?:\s*[|_+@!*~]|\s*\{[^{}]*\}|\[\w*\])*)"
_CELL = re.compile(r"\s*(&.|[^\s&])" + _DECORATORS)
_REBUS_CELL = re.compile(r"\s*((?:&.|[^\s&|_+@!*~{])+)" + _DECORATORS)
_WAYS = r"(?:across|down|ac|dn|a|d)\b"
_WAY = rf"(?:-?{_WAYS}|\s+(?:across|down|ac|dn)(?=\s*[.,&/]))?(?!\w)"
_NEXT_WAY = rf"(?:-?{_WAYS}|\s+{_WAYS}(?=\s*[.,&/\d]|\s+(?-i:[A-Z])))?(?!\w)"
"""A direction behind the number of a slot: apart from the number, ``A`` begins the clue."""
_CLUE = re.compile(
    rf"(\d+{_WAY}(?:\s*[,&/]\s*\d+{_NEXT_WAY})*|\[[^\]]*\])\s*[.)]?(?!\.)\s*(.*)",
    re.ASCII | re.DOTALL | re.IGNORECASE,
)
_STARTS = re.compile(r"(?:#(?:[a-z]\d+|c\d+r\d+|r\d+c\d+)\s+)+", re.ASCII)
_NUMBER = re.compile(r"\[(\w+)\]")
_GROUP = re.compile(r"-{3}\s*(.*?):?\s*")
_PLACE = re.compile(r"(?:([a-z])(\d+)|c(\d+)r(\d+)|r(\d+)c(\d+))", re.ASCII)
_ENUMERATION = re.compile(
    r"\((?:\d[\d,\-'\u2019 .]*|[^()]*\s(?:wo?r?ds?|le?t?te?r?s?)\W*|\s*\?\s*)\)\*?", re.IGNORECASE
)
"""The length of an answer in parentheses, in numbers or words, which ends a clue."""
_IN_CLUE = re.compile(r"~\{(?:\{[^{}]*\})?|\}~")
_HINT = re.compile(r"(?:hint|concise):", re.IGNORECASE)
_BLOCK, _NO_SOLUTION, _UNKNOWN = ".", "0", "?"
_SIGNS = "|_+@!~*.?{[&0"
_TEXTS = {"title": "title", "setter": "author", "copyright": "copyright", "language": "language"}
_MAX_LINE = 8 * MAX_SIDE
"""Characters of a row: a letter, and some decorators."""
_DIRECTIONS = {"across": ACROSS, "down": DOWN}
_NO_DIRECTION = "nodir"
_LINE_SECTIONS = ("grid", "preamble", "prelude", "across", "down", _NO_DIRECTION, "explanations")
_TECHNICAL = ("option", "id", "maker", "begin", "end", "relabel", "force-hyphen-right")
_GREY = "lightgrey"


def parse_crossword(source: Text) -> ImportedCrossword:
    """Parse an Exolve crossword; text around its first and last line is ignored.

    Raises InputError, with the line if possible, for a text that is not an Exolve crossword.
    """
    draft = Draft(source.name, list(source.notes))
    values, lines = _sections(source, draft)
    unnumbered: set[Cell] = set()
    has_rebus = "rebus-cells" in " ".join(values.get("option", ())).split()

    def read(line: str) -> None:
        # Blanks divide cells of several letters, such as conjuncts of Devanagari.
        is_divided = has_packed(line) and [str(len(line.split()))] == values.get("width")
        _read_row(line, _REBUS_CELL if has_rebus or is_divided else _CELL, draft, unnumbered)

    draft.read_rows(lines.pop("grid", []), read, "write the grid as Exolve does", _MAX_LINE)
    if not draft.rows:
        problem = "is not an Exolve crossword: it has no exolve-grid"
        raise source.error(problem, "write the sections between exolve-begin and exolve-end")
    draft.compare_size({key: values.pop(key, [None])[0] for key in ("width", "height")})
    # Colours of whole slots are ignored.
    coloured = " ".join((*values.pop("colour", ()), *values.pop("color", ()))).split()
    for cell in filter(None, (_place(place, draft) for place in coloured)):
        draft.decorate("shaded", cell)
    if unnumbered:
        starts = dict.fromkeys(slot.cells[0] for slot in draft.structure(draft.rows).slots)
        cells = (cell for cell in sorted(starts) if cell not in unnumbered)
        draft.labels = {str(number): cell for number, cell in enumerate(cells, 1)} | draft.labels
    _read_clues(lines, draft)
    for key, name in _TEXTS.items():
        draft.texts[name] = plain_text(values.pop(key, [""])[0])
    preamble = [line for key in ("preamble", "prelude") for _, line in lines.pop(key, ())]
    preamble += [text for key in ("preamble", "prelude") for text in values.pop(key, ()) if text]
    paragraphs = plain_text(" ".join(preamble)).split("\n")
    draft.texts["notes"] = "\n".join(map(str.strip, paragraphs))
    for key in _TECHNICAL:
        values.pop(key, None)
    draft.leave(dict.fromkeys([*values, *lines], True))
    return draft.finish()


def _sections(
    source: Text, draft: Draft
) -> tuple[dict[str, list[str]], dict[str, list[tuple[int, str]]]]:
    """Return the values of sections of one line, and the numbered lines of the others.

    Notes further crosswords in the file.
    """
    values: dict[str, list[str]] = {}
    lines: dict[str, list[tuple[int, str]]] = {}
    current: list[tuple[int, str]] = []
    begun, ended, many = False, False, 0
    for number, raw in enumerate(source.text.splitlines(), 1):
        line = "exolve-begin" if _BEGIN.fullmatch(raw) else _COMMENT.sub("", raw)
        heading = _SECTION.fullmatch(line)
        name = heading[1] if heading else ""
        begun, many = begun or name == "begin", many + (name == "begin")
        ended = ended or name == "end" or (name == "begin" and many > 1)
        if not begun or ended:
            continue
        if heading is not None:
            value = heading[2] or ""
            current = []
            if name in _LINE_SECTIONS:
                current = lines.setdefault(name, [])
                if value:
                    current.append((number, value))
            else:
                values.setdefault(name, []).append(value)
        elif line.strip():
            current.append((number, line.strip()))
    if many > 1:
        draft.notes.append(f"the file has {many} crosswords; the first is read, not the second")
    return values, lines


def _read_row(line: str, pattern: re.Pattern[str], draft: Draft, unnumbered: set[Cell]) -> None:
    row = len(draft.rows)
    draft.rows.append([])
    draft.letters.append([])
    position = 0
    while position < len(line):
        match = pattern.match(line, position)
        if match is None:
            raise ValueError(f"{excerpt(line[position:])} is not a cell")
        position = match.end()
        content, decorators = match[1], match[2].replace("+", "|_")
        cell = (row, len(draft.rows[-1]))
        letter = _letter(content)
        opened = letter if letter and len(letter) == 1 and "!" in decorators else OPEN
        draft.rows[-1].append(BLOCKED if content == _BLOCK else opened)
        draft.letters[-1].append(letter)
        if number := _NUMBER.search(decorators):
            draft.labels.setdefault(number[1], cell)
        decorators = re.sub(r"\{[^{}]*\}", "", decorators)
        if "~" in decorators:
            unnumbered.add(cell)
        if "@" in decorators:
            draft.decorate("circled", cell)
        if "|" in decorators:
            draft.add_bar(cell, "right")
        if "_" in decorators:
            draft.add_bar(cell, "bottom")


def _letter(content: str) -> str | None:
    if content in (_BLOCK, _NO_SOLUTION, _UNKNOWN):
        return None
    letter = read_letters(re.sub("&(.)", r"\1", content))
    if letter in (BLOCKED, OPEN):
        raise ValueError(f"{letter} is not a letter")
    return letter


def _place(text: str, draft: Draft) -> Cell | None:
    """Return the cell that a colour or clue names, or None."""
    if (match := _PLACE.fullmatch(text)) is None:
        return None
    letter, up, column, row, other_row, other_column = match.groups()
    number = int(up or row or other_row)
    across = ord(letter) - ord("a") if letter else int(column or other_column) - 1
    cell = (len(draft.rows) - number, across)
    inside = 0 <= cell[0] < len(draft.rows) and 0 <= across < len(draft.rows[cell[0]])
    return cell if inside else None


def _read_clues(lines: dict[str, list[tuple[int, str]]], draft: Draft) -> None:
    for section in (*_DIRECTIONS, _NO_DIRECTION):
        group = section
        for _, raw in lines.pop(section, ()):
            if heading := _GROUP.fullmatch(raw):
                group = heading[1]
                continue
            if _HINT.match(raw):
                draft.leave({"hint": True}, "clue")
                continue
            starts = _STARTS.match(raw)
            line = (raw[starts.end() :] if starts else raw).lstrip("* ")
            match = _CLUE.fullmatch(line)
            if match is None:
                draft.clues.append(FoundClue(_clue_text(line, draft), "", group))
                continue
            label, *also = re.split(r"\s*[,&/]\s*", match[1].strip(" []"))
            places = [_place(text[1:], draft) for text in (starts[0].split() if starts else ())]
            cells = tuple(cell for cell in places if cell) if len(places) > 1 else ()
            text, further = _clue_text(match[2], draft), tuple(also) if match[1][0] != "[" else ()
            draft.clues.append(FoundClue(text, label, group, cells, also=further))


def _clue_text(text: str, draft: Draft) -> str:
    """Return a clue without its annotation, which stands after ``[]`` or the enumeration."""
    clue, ended, annotation = text.partition("[]")
    if not ended and (found := list(_ENUMERATION.finditer(text))):
        before = (match.end() for match in found if text[match.end() :].lstrip()[:1] == "[")
        end = next(before, found[-1].end())
        clue, annotation = text[:end].removesuffix("*"), text[end:]
    draft.leave({"annotation": annotation.strip()}, "clue")
    return plain_text(_IN_CLUE.sub("", clue), italics=True).strip()


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write an Exolve crossword; ``writers`` documents the parameters."""
    path.write_bytes(crossword_to_text(crossword).encode("utf-8"))


def crossword_to_text(crossword: Crossword) -> str:
    return with_italics("\n".join(["exolve-begin", *_lines(crossword), "exolve-end"])) + "\n"


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
    if crossword.rebus:
        yield "  exolve-option: rebus-cells"
    if odd := sorted(letter for letter in letters if not "A" <= letter <= "Z"):
        yield f"  exolve-option: allow-chars:{''.join(odd)}"
    if shaded := [f"c{c + 1}r{grid.height - r}" for r, c in sorted(grid.shaded)]:
        yield f"  exolve-colour: {_GREY} {' '.join(shaded)}"
    yield "  exolve-grid:"
    unknown = _UNKNOWN if letters else _NO_SOLUTION
    for row in range(grid.height):
        cells = [_cell(crossword, (row, column), unknown) for column in range(grid.width)]
        yield "    " + " ".join(cells).rstrip()
    yield from _clue_lines(crossword)


def _clue_lines(crossword: Crossword) -> Iterator[str]:
    for section, direction in _DIRECTIONS.items():
        yield f"  exolve-{section}:"
        for slot in crossword.grid.slots:
            clue = Clue.of(crossword.clues.get(slot.name, ""))
            if slot.direction == direction and (clue or clue.also):
                label = ",".join([slot.name[:-1], *map(str.lower, clue.also)])
                yield f"    {label} {_one_line(clue.marked)}{_end(clue)}"
    if crossword.other_clues:
        yield f"  exolve-{_NO_DIRECTION}:"
        for clue in crossword.other_clues:
            yield f"    [{clue.label or '-'}] {_one_line(clue.marked)}{_end(clue)}"


def _cell(crossword: Crossword, cell: Cell, unknown: str) -> str:
    grid, (row, column) = crossword.grid, cell
    if grid.rows[row][column] == BLOCKED:
        return _BLOCK + "  "
    letter = crossword.solution[row][column]
    escaped = (f"&{item}" if item in _SIGNS else item for item in letter or "")
    text = unknown if letter is None else "".join(escaped)
    present = {
        "@": cell in grid.circled,
        "!": letter is not None and grid.given(cell) == letter,
        "|": bar_at(cell, "right") in grid.bars,
        "_": bar_at(cell, "bottom") in grid.bars,
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
    return escaped.replace("exolve-", "exolve&#45;")
