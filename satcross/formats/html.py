"""HTML: one self-contained page on which a crossword can be played, or from which it is printed.

The grid and the clues are plain HTML, visible without JavaScript. ``play.js`` makes the page
playable, ``play.css`` styles it, and ``play.html`` is its Jinja template. The page also contains
the crossword as JSON, from which satcross reads the page back and the script takes the solution;
anyone who views the page source can see that solution. A Content-Security-Policy allows no other
script.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.crossword import Crossword
from satcross.formats.common import ImportedCrossword
from satcross.formats.drawing.layout import clue_text, directions, drawn_blocks, numbers
from satcross.formats.drawing.lettering import clean, reads_leftwards
from satcross.formats.drawing.shapes import byline
from satcross.formats.drawing.sheet import Sheet, bank, name_line
from satcross.formats.files import Text
from satcross.formats.json import crossword_from_data, crossword_to_data, parse_json
from satcross.formats.languages import ENGLISH, phrase, solving_phrases, translated
from satcross.formats.markup import with_italics
from satcross.grid import BLOCKED, Cell, Slot
from satcross.support.letters import spell
from satcross.support.texts import texts

if TYPE_CHECKING:
    from jinja2 import Template

DATA_BEGINS = '<script type="application/json" id="sheet">'
DATA_ENDS = "</script>"


def write_crossword(
    crossword: Crossword, path: Path, style: str, *, sheet: Sheet | None = None
) -> None:
    """Write the page; ``writers`` documents the parameters. ``style`` is ignored."""
    path.write_bytes(crossword_page(crossword, sheet).encode("utf-8"))


def crossword_page(
    crossword: Crossword,
    sheet: Sheet | None = None,
    *,
    codes: Mapping[Cell, str] | None = None,
    words: Mapping[str, Sequence[str]] | None = None,
    backdrop: str = "",
    clue_cells: Mapping[Cell, Sequence[str]] | None = None,
) -> str:
    """Return the HTML of the page of a crossword.

    Without a ``sheet``, the page that is printed from it has no answer key, either. ``codes`` has
    the number of each cell in a codeword (equal numbers take equal letters), or nothing in another
    puzzle without clues. ``words`` are listed under headings; the page strikes out what stands in
    the grid. ``backdrop`` is the drawing of a grid that has its clues in cells, as SVG, and
    ``clue_cells`` has the slots that the clues of each such cell are for, from top to bottom.
    """
    script, rules = map(_read_file, ("play.js", "play.css"))
    grid, has_clues = crossword.grid, codes is None and not backdrop
    digits = max((len(slot.name) - 1 for slot in grid.slots), default=1)
    sizes = f"--rows: {grid.height}; --columns: {grid.width}; --digits: {digits};"
    style = f":root {{ {sizes} }}\n{rules}"
    fields = json.loads(spell(json.dumps(crossword_to_data(crossword), ensure_ascii=False)))
    data = json.dumps(fields, separators=(",", ":"))
    for sign in "<>&":  # which end or begin something within a script element
        data = data.replace(sign, f"\\u{ord(sign):04x}")

    def text(slot: Slot) -> str:
        clue = clue_text(crossword, slot, marked=True)
        return clue if codes is None else clue.strip("()")

    page = _template().render(
        policy=f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        language=texts().language or ENGLISH,
        translated=translated,
        phrases=solving_phrases(),
        leftwards=reads_leftwards(crossword),
        title=clean(crossword.title) or phrase("crossword"),
        byline=byline(crossword),
        notes=list(filter(None, map(clean, crossword.notes.splitlines()))),
        copyright=clean(crossword.copyright),
        key=hashlib.sha256(data.encode()).hexdigest()[:16],
        grid=grid,
        rows=_rows(
            crossword,
            numbers(crossword) if has_clues else codes or {},
            codes or {},
            clue_cells or {},
        ),
        has_clues=has_clues,
        has_codes=bool(codes),
        backdrop=backdrop,
        clue_lists=[
            (direction, phrase(direction), [(slot.name, text(slot)) for slot in slots])
            for direction, slots in directions(crossword)
        ],
        words={"": bank(crossword)} if sheet and sheet.word_bank else words or {},
        name_line=name_line() if sheet and sheet.name_line else "",
        answers=crossword.solution if sheet and sheet.answer_key else (),
        solution=phrase("solution"),
        large=sheet is not None and sheet.large,
        style=style,
        script=script,
        data_begins=DATA_BEGINS,
        data=data,
        data_ends=DATA_ENDS,
    )
    return with_italics(page)


@cache
def _template() -> Template:
    from jinja2 import Environment

    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(_read_file("play.html"))


def _read_file(name: str) -> str:
    return (files("satcross.formats") / name).read_text(encoding="utf-8")


def parse_crossword(source: Text) -> ImportedCrossword:
    """Read the crossword of a page that ``write_crossword`` wrote.

    Raises InputError for any other file.
    """
    _, found, rest = source.text.partition(DATA_BEGINS)
    text, ended, _ = rest.partition(DATA_ENDS)
    if not (found and ended):
        raise source.error("is not a crossword page", "give a page that satcross wrote")
    notes = list(source.notes)
    try:
        crossword = crossword_from_data(parse_json(text, source.name), source.name, notes)
    except ValueError as error:
        problem = f"the data of the page is not a crossword: {error}"
        raise source.error(problem, "give a page that satcross wrote") from None
    return ImportedCrossword(crossword, tuple(notes))


def _rows(
    crossword: Crossword,
    names: Mapping[Cell, str],
    codes: Mapping[Cell, str],
    clue_cells: Mapping[Cell, Sequence[str]],
) -> list[list[dict[str, object]]]:
    """Return what the template needs to draw each cell, with its name, in rows."""
    grid = crossword.grid
    black = drawn_blocks(crossword)
    positions_by_direction = [
        (way, {cell: (slot.name, n) for slot in slots for n, cell in enumerate(slot.cells, 1)})
        for way, slots in directions(crossword)
    ]

    def describe(row: int, column: int) -> dict[str, object]:
        cell = (row, column)
        if grid.rows[row][column] == BLOCKED:
            return {"open": False, "black": cell in black, "leads": clue_cells.get(cell)}
        prefilled = grid.given(cell)
        present = {
            "circled": cell in grid.circled,
            "shaded": cell in grid.shaded,
            "given": prefilled is not None,
            "bar-right": (cell, (row, column + 1)) in grid.bars,
            "bar-below": (cell, (row + 1, column)) in grid.bars,
        }
        classes = [name for name, is_present in present.items() if is_present]
        here = ((way, places.get(cell)) for way, places in positions_by_direction)
        slots = {direction: place for direction, place in here if place}
        label = [
            f"{name[:-1]} {phrase(direction).lower()} {translated('letter {}').format(n)}"
            for direction, (name, n) in slots.items()
        ]
        return {
            "open": True,
            "row": row,
            "column": column,
            "number": names.get(cell),
            "code": codes.get(cell),
            "prefilled": clean(prefilled or ""),
            "classes": classes,
            "slots": {direction: name for direction, (name, _) in slots.items()},
            "label": ", ".join(
                [*label, translated("row {} column {}").format(row + 1, column + 1)]
                + ([translated("number {}").format(codes[cell])] if cell in codes else [])
                + [translated(name.replace("-", " ")) for name in classes]
            ),
        }

    return [[describe(row, column) for column in range(grid.width)] for row in range(grid.height)]


def digest(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows a script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
