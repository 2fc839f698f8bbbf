"""Read an existing fill, in any format, for ``satcross check`` and ``solve --keep``."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import MAX_TEXT_BYTES, Text, decode_text, read_data
from satcross.formats.json import parse_crossword, parse_json, read_solution
from satcross.formats.kinds import DECORATED, JSON, TEXTS
from satcross.formats.readers import import_data, recognise
from satcross.formats.sniff import unpack
from satcross.formats.text import printed_cells, printed_lines
from satcross.grid import BLOCKED, OPEN, Grid, cell_name, cellwise
from satcross.verify import MISSING


@dataclass(frozen=True, slots=True)
class UncheckedFill:
    """A filled grid read from a file, not yet checked against a puzzle.

    ``rows`` are rows as ``verify_rows`` takes them. ``words`` maps slot names to the words that the
    file lists for them; it may be empty. ``crossword`` is the published crossword with the fill, if
    the file holds one.
    """

    rows: tuple[Sequence[str], ...]
    words: Mapping[str, str] = field(default_factory=dict)
    crossword: Crossword | None = None


def read_fills(path: str) -> list[UncheckedFill]:
    """Read the fills of a file: one, or several in the JSON of ``satcross solve``.

    The content says which format it is in. Raises InputError when the file can't be read or holds
    no fill.
    """
    file, _ = unpack(read_data(path, MAX_TEXT_BYTES))
    kind = recognise(file)
    if kind.module == JSON.module:
        return _from_json(decode_text(file))
    if kind in TEXTS and kind is not DECORATED:
        source = decode_text(file)
        if not source.text.strip():
            raise source.error("the fill is empty", "write one line per row")
        return [_from_cells(printed_cells(printed_lines(source), source.name))]
    imported = import_data(file)
    if imported.solution_problem:
        raise file.error(imported.solution_problem, "give the whole solution")
    return [_from_crossword(imported.crossword)]


def with_rebus(grid: Grid, rows: Sequence[Sequence[str]]) -> Grid:
    """Return the grid with the cells of a fill that have several letters, where it is open there.

    The structure of a published crossword lacks them, and its words would not fit. A fill of
    another shape changes nothing.
    """
    if [len(row) for row in rows] != [len(row) for row in grid.rows]:
        return grid
    cells = (((r, c), text) for r, row in enumerate(rows) for c, text in enumerate(row))
    several = {cell: letters for cell, letters in cells if len(letters) > 1}
    rebus = {(r, c): text for (r, c), text in several.items() if grid.rows[r][c] == OPEN}
    firsts = grid.with_cells({cell: text[0] for cell, text in rebus.items()})
    return replace(firsts, rebus=grid.rebus | rebus.items()) if rebus else grid


def read_letters(path: str, grid: Grid) -> list[list[str | None]]:
    """Read the letters of a fill of the grid; None for a blocked cell or a missing letter.

    Raises InputError when the file holds several fills, or one of another grid.
    """
    fills = read_fills(path)
    if len(fills) > 1:
        raise InputError(f"holds {len(fills)} fills", "give a file with one", file=path)
    rows = fills[0].rows
    _check_shape(path, rows, grid)
    return [[None if letter in (MISSING, BLOCKED) else letter for letter in row] for row in rows]


def _check_shape(path: str, rows: Sequence[Sequence[str]], grid: Grid) -> None:
    structure, remedy = grid.structure, "give a fill of this grid"
    if [len(row) for row in rows] != [len(row) for row in structure]:
        raise InputError("the fill and the structure differ in size", remedy, file=path)
    for number, (row, cells) in enumerate(zip(rows, structure, strict=True)):
        for column, (letter, is_open) in enumerate(zip(row, cells, strict=True)):
            if (letter != BLOCKED) != is_open and (is_open or letter != MISSING):
                item, other = ("open", "blocked") if is_open else ("blocked", "open")
                place = cell_name((number, column))
                problem = f"{place} is {item} in the structure and {other} in the fill"
                raise InputError(problem, remedy, file=path)


def _from_json(source: Text) -> list[UncheckedFill]:
    """Return the fills in the output of ``satcross solve --json``, with or without ``--count``."""
    data = parse_json(source.text, source.name)
    fields = data if isinstance(data, dict) else {}
    entries: list[Any] = fields["fills"] if isinstance(fields.get("fills"), list) else [data]
    if fields.get("status") in ("unfillable", "unknown"):
        raise source.error(f"holds no fill: the status is {fields['status']}")
    if not entries:
        raise source.error("holds no fill")
    fills = [_from_data(entry, source) for entry in entries]
    slots = entries[0].get("slots") or ()
    if len(fills) == 1 and any(slot.get("clue") for slot in slots):
        fills = [replace(fills[0], crossword=parse_crossword(source).crossword)]
    return fills


def _from_data(entry: Any, source: Text) -> UncheckedFill:
    try:
        cells = read_solution(entry, source.name)
        slots = entry.get("slots", [])
        words = {slot["name"]: slot["word"].upper() for slot in slots if slot["word"] is not None}
    except (AttributeError, LookupError, TypeError):
        problem = "is not a fill in JSON"
    except ValueError as error:
        problem = str(error)
    else:
        normal = {name: unicodedata.normalize("NFC", word) for name, word in words.items()}
        return replace(_from_cells(cells), words=normal)
    raise source.error(problem, "give the output of solve --json")


def _from_cells(cells: Sequence[Sequence[str | None]]) -> UncheckedFill:
    return UncheckedFill(tuple([cell or MISSING for cell in row] for row in cells))


def _from_crossword(crossword: Crossword) -> UncheckedFill:
    """Return the solution of a crossword, or the player's letters if there is no solution."""
    filled = any(letter for row in crossword.solution for letter in row)
    letters = crossword.solution if filled else Crossword.of(crossword.grid).solution
    pair = crossword.grid.rows, letters
    cells = cellwise(lambda cell, x: BLOCKED if cell == BLOCKED else x, *pair)
    return replace(_from_cells(cells), crossword=crossword)
