"""JSON: an outcome, as printed by ``solve --json``, and a crossword in the same form."""

from __future__ import annotations

import json
import platform
import unicodedata
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    ImportedCrossword,
    check_size,
    excerpt,
    iso_date,
    make_crossword,
    note_unplaced_clues,
    read_letter,
    read_limited_text,
)
from satcross.grid import BLOCKED, OPEN, Cell, Grid, Slot
from satcross.outcome import Outcome
from satcross.support.version import __version__

if TYPE_CHECKING:
    from satcross.outcome import FillList

UNKNOWN_LETTER = "."

_BLOCKS = "#\N{FULL BLOCK}"
_NO_LETTER = " _.?"
_TEXTS = ("title", "author", "copyright", "notes", "date")
_WIDTH = 96


def outcome_to_data(
    grid: Grid, outcome: Outcome, outcomes: Sequence[Outcome] = ()
) -> dict[str, object]:
    """Return the outcome as JSON values; rows use ``#`` for blocked and ``.`` for unknown cells.

    ``outcomes`` are those of all backends; where they are several, each is summarised.
    """
    fill = outcome.fill or {}
    backends = {"backends": [_backend_to_data(one) for one in outcomes]}
    return {
        "status": outcome.status.value,
        "backend": outcome.backend,
        "grid": grid_rows(grid, fill),
        "slots": [{**slot_to_data(slot), "word": fill.get(slot.name)} for slot in grid.slots],
        "reason": outcome.reason or None,
        "score": outcome.score,
        "optimal": outcome.optimal,
        "bound": outcome.bound,
        **_objective(outcome),
        **_quality(outcome),
        "stats": dict(outcome.stats),
        **run_to_data(outcome.seconds, outcome.seed),
        **(backends if len(outcomes) > 1 else {}),
    }


def _backend_to_data(one: Outcome) -> dict[str, object]:
    return {
        "backend": one.backend,
        "status": one.status.value,
        "reason": one.reason or None,
        "score": one.score,
        **({} if one.objective is None else {"optimal": one.optimal, "bound": one.bound}),
        "seconds": dict(one.seconds),
        "stats": dict(one.stats),
    }


def _objective(outcome: Outcome) -> dict[str, object]:
    if outcome.objective is None:
        return {}
    goals = [
        {"goal": goal.name, "value": goal.value, "bound": goal.bound} for goal in outcome.goals
    ]
    return {"objective": outcome.objective, "goals": goals}


def _quality(outcome: Outcome) -> dict[str, object]:
    quality = outcome.quality
    if quality is None:
        return {}
    weak = [{"word": word, "score": score} for word, score in quality.weak]
    pairs = {"same_stem": quality.same_stem, "shared": quality.shared}
    data: dict[str, object] = {"lowest": quality.lowest, "weak": weak}
    data |= {name: [list(pair) for pair in found] for name, found in pairs.items()}
    return {"quality": {"summary": str(quality), **data, "plurals": quality.plurals}}


def grid_rows(grid: Grid, fill: Mapping[str, str] | None) -> list[str]:
    """Return rows with the letters of a fill, ``#`` for blocked and ``.`` for unknown cells."""
    return _rows(grid, grid.letters([(fill or {}).get(slot.name) for slot in grid.slots]))


def _rows(grid: Grid, letters: Sequence[Sequence[str | None]]) -> list[str]:
    return [
        "".join(
            (letter or UNKNOWN_LETTER) if is_open else "#"
            for is_open, letter in zip(row, row_letters, strict=True)
        )
        for row, row_letters in zip(grid.structure, letters, strict=True)
    ]


def slot_to_data(slot: Slot) -> dict[str, object]:
    """Return the name and place of a slot as JSON values."""
    return {
        "name": slot.name,
        "row": slot.row,
        "column": slot.column,
        "direction": slot.direction,
        "length": slot.length,
    }


def fill_list_to_data(grid: Grid, fill_list: FillList, load_seconds: float) -> dict[str, object]:
    """Return several fills as JSON values; ``load_seconds`` is the time for reading the puzzle."""
    fills = [outcome_to_data(grid, outcome) for outcome in fill_list.outcomes]
    status = "filled" if fills else "unfillable" if fill_list.complete else "unknown"
    solving = dict(fill_list.outcomes[0].seconds) if fills else {}
    return {
        "status": status,
        "fills": [{key: fill[key] for key in ("grid", "slots", "score")} for fill in fills],
        "complete": fill_list.complete,
        "most_shared": fill_list.max_shared_words,
        "reason": fill_list.reason or None,
        "seconds": {
            stage: round(value, 6) for stage, value in {"load": load_seconds, **solving}.items()
        },
        "versions": versions(),
    }


def run_to_data(seconds: float | Mapping[str, float], seed: int) -> dict[str, object]:
    """Return the entries on a run: its wall-clock seconds, perhaps by stage, seed and versions."""
    rounded = (
        {stage: round(value, 6) for stage, value in seconds.items()}
        if isinstance(seconds, Mapping)
        else round(seconds, 6)
    )
    return {"seconds": rounded, "seed": seed, "versions": versions()}


def versions() -> dict[str, str]:
    """Return the versions of satcross, Python and the installed solver libraries."""
    found = {"satcross": __version__, "python": platform.python_version()}
    for name in ("python-sat", "ortools"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def dump(data: object, *, ascii_only: bool = False) -> str:
    """Return indented JSON that ends in a newline."""
    return json.dumps(data, ensure_ascii=ascii_only, indent=2) + "\n"


def dump_rows(data: object, *, depth: int = 0) -> str:
    """Return JSON with short values, and each row of a grid, on one line.

    ``depth`` is the nesting depth of ``data``; only the text at depth 0 ends in a newline.
    """
    text = json.dumps(data, ensure_ascii=False)
    is_row = depth > 1 and isinstance(data, list) and not any(isinstance(e, list) for e in data)
    if not isinstance(data, list | dict) or not data or is_row or (depth and len(text) <= _WIDTH):
        return text if depth else text + "\n"
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(data, dict):
        entries = [f"{json.dumps(key, ensure_ascii=False)}: " for key in data]
        values = list(data.values())
        opening, closing = "{}"
    else:
        entries, values = [""] * len(data), data
        opening, closing = "[]"
    lines = [
        f"{inner}{entry}{dump_rows(value, depth=depth + 1)}"
        for entry, value in zip(entries, values, strict=True)
    ]
    body = ",\n".join(lines)
    return f"{opening}\n{body}\n{outer}{closing}" + ("" if depth else "\n")


def parse_json(text: str, name: str) -> object:
    """Return the value of a JSON text. Raises InputError, with the line, for invalid JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON ({error.msg})", file=name, line=error.lineno) from None
    except RecursionError:
        raise InputError("not valid JSON (nested too deeply)", file=name) from None
    except ValueError:
        raise InputError("not valid JSON (a number with thousands of digits)", file=name) from None


def crossword_to_data(crossword: Crossword) -> dict[str, object]:
    """Return the crossword as JSON values, in the form of ``outcome_to_data``.

    ``given`` has the prefilled letters, in rows like ``grid``; ``circled`` has pairs of row and
    column, from 0; ``left_out`` names the runs of cells that are not slots. Empty fields are
    omitted.
    """
    grid = crossword.grid
    data: dict[str, object] = {
        key: getattr(crossword, key) for key in _TEXTS if getattr(crossword, key)
    }
    data["grid"] = _rows(grid, crossword.solution)
    given = [
        [grid.given((row, column)) for column in range(grid.width)] for row in range(grid.height)
    ]
    if any(map(any, given)):
        data["given"] = _rows(grid, given)
    if crossword.circled:
        data["circled"] = [list(cell) for cell in sorted(crossword.circled)]
    if grid.left_out:
        data["left_out"] = sorted(grid.left_out)
    words = crossword.words
    data["slots"] = [
        {
            **slot_to_data(slot),
            "word": words.get(slot.name),
            "clue": crossword.clues.get(slot.name),
        }
        for slot in grid.slots
    ]
    return data


def add_crossword(data: dict[str, object], crossword: Crossword) -> dict[str, object]:
    """Return the JSON values of an outcome with those of the crossword added."""
    added = crossword_to_data(crossword)
    if not crossword.clues:
        added["slots"] = data["slots"]
    return {**data, **added}


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write the crossword as JSON; ``writers`` documents the parameters."""
    path.write_text(dump_rows(crossword_to_data(crossword)), encoding="utf-8")


def import_crossword(path: str) -> ImportedCrossword:
    """Read JSON from ``write_crossword`` or ``solve --json``; of several fills, the first.

    Raises InputError for any other content.
    """
    source = read_limited_text(path)
    data = parse_json(source.text, source.name)
    notes = list(source.notes)
    if isinstance(data, dict) and isinstance(data.get("fills"), list) and data["fills"]:
        if len(data["fills"]) > 1:
            notes.append(f"the file has {len(data['fills'])} fills; the first is used")
        data = data["fills"][0]
    try:
        return ImportedCrossword(crossword_from_data(data, source.name, notes), tuple(notes))
    except ValueError as error:
        raise InputError(
            f"not a crossword in JSON: {error}",
            "give the output of solve --json",
            file=source.name,
        ) from None


def crossword_from_data(data: object, name: str, notes: list[str]) -> Crossword:
    """Return the crossword of JSON values as ``crossword_to_data`` makes them.

    ``name`` names the file in errors; remarks about the values are appended to ``notes``. Raises
    ValueError or InputError for any other values.
    """
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    solution = _read_rows(data, "grid", name)
    if not solution:
        raise ValueError("it has no grid")
    given = _read_rows(data, "given", name) or [
        [BLOCKED if cell == BLOCKED else None for cell in row] for row in solution
    ]
    if [[cell == BLOCKED for cell in row] for row in given] != [
        [cell == BLOCKED for cell in row] for row in solution
    ]:
        raise ValueError("given and grid differ in their blocked cells")
    rows = [[OPEN if cell is None else cell for cell in row] for row in given]
    texts = {key: data.get(key) or "" for key in _TEXTS}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("title, author, copyright, date or notes is not text")
    if texts["date"] and (found := iso_date(texts["date"])) != texts["date"]:
        change = f"is rewritten as {found}" if found else "is ignored"
        notes.append(f"the date {excerpt(texts['date'])} {change}")
        texts["date"] = found or ""
    left_out = data.get("left_out", [])
    if not isinstance(left_out, list) or not all(isinstance(each, str) for each in left_out):
        raise ValueError("left_out is not a list of slot names")
    return make_crossword(
        name,
        rows,
        [[None if cell == BLOCKED else cell for cell in row] for row in solution],
        clues=_read_clues(data, rows, left_out, notes),
        circled=_read_circled(data, rows),
        left_out=left_out,
        texts=texts,
    )


def _read_rows(data: dict[str, object], key: str, name: str) -> list[list[str | None]]:
    """Return rows with ``#`` for blocked and None for no letter; no rows if the key is absent."""
    rows = data.get(key)
    if rows is None:
        return []
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise ValueError(f"{key} is not a list of rows")
    rows = [unicodedata.normalize("NFC", row) for row in rows]
    check_size(name, len(rows), max(map(len, rows), default=0))
    return [[_read_cell(cell) for cell in row] for row in rows]


def _read_cell(cell: str) -> str | None:
    if cell in _BLOCKS:
        return BLOCKED
    return None if cell in _NO_LETTER else read_letter(cell)


def _read_clues(
    data: dict[str, object], rows: list[list[str]], left_out: Sequence[str], notes: list[str]
) -> dict[str, str]:
    entries = data.get("slots", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError("slots is not a list of objects")
    if len(set(map(len, rows))) > 1:
        return {}  # make_crossword reports rows of unequal length
    grid = Grid(tuple(map("".join, rows)), frozenset(left_out))
    names = {slot.name for slot in grid.slots}
    clues = {}
    unplaced = []
    for entry in entries:
        name, clue = entry.get("name"), entry.get("clue")
        if clue is None:
            continue
        if not isinstance(name, str) or not isinstance(clue, str):
            raise ValueError("a slot has a name or a clue that is not text")
        if name in names:
            clues[name] = clue
        else:
            unplaced.append(name)
    notes += note_unplaced_clues(unplaced)
    return clues


def _read_circled(data: dict[str, object], rows: list[list[str]]) -> list[Cell]:
    circled = data.get("circled", [])
    cells = []
    for pair in circled if isinstance(circled, list) else [None]:
        row, column = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
        if type(row) is not int or type(column) is not int:
            raise ValueError("circled is not a list of pairs of row and column")
        if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
            raise ValueError("circled names a cell outside the grid")
        cells.append((row, column))
    return cells
