"""JSON: an outcome, as printed by ``solve --json``, and a crossword in the same form."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from satcross.crossword import Clue, Crossword, mark_italics
from satcross.errors import InputError
from satcross.formats import common
from satcross.formats.draft import Draft, reading
from satcross.formats.entries import enumeration
from satcross.formats.files import Text
from satcross.formats.languages import stated_language
from satcross.grid import BLOCKED, OPEN, Bar, Cell, Grid, Slot, cellwise
from satcross.outcome import FillList, FillQuality, Outcome
from satcross.puzzle import Puzzle
from satcross.rules import build_puzzle, rules_to_data
from satcross.support import __version__
from satcross.support.letters import load_packed
from satcross.support.texts import language_or
from satcross.vocabulary import Vocabulary

UNKNOWN_LETTER = "."

_TEXTS = ("title", "author", "copyright", "notes", "date", "language")
_CELLS = ("circled", "shaded", "holes")
_BY_HAND = re.compile(
    r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*+[\]}])|(?<=[{,\s])([A-Za-z_]\w*+)(?=\s*+:)', re.DOTALL
)
"""A string; a comma before a closing bracket, or a name without quotes: JSON has neither."""
_WIDTH = 96
_TAKEN = "grid given rebus bars left_out slots other_clues"
_ABOUT_RUN = (
    "status backend backends reason score bound optimal objective goals quality stats seconds seed "
    "versions heat proof method stopped right min_sure better_than_guesses log_probability "
    "official reasons structure blocks entries proved_smallest none_below left_over height width "
    "area crossings written"
)
"""Fields that say how a crossword was found."""
_KNOWN = frozenset((*_TEXTS, *_CELLS, *f"{_TAKEN} {_ABOUT_RUN}".split()))
_OF_SLOT = (
    "name row column direction length word clue also italics written enumeration source score "
    "probability letters right candidates"
)
_PROJECT = ("format", "version", "document", "history", "lists")
_SETTINGS = (
    "id drafts lists minScore excluded allowRepeats theme themeLeast preferred maxShared endings "
    "floors"
)
"""Fields of the page's document that say how it is filled."""


def outcome_to_data(
    grid: Grid, outcome: Outcome, outcomes: Sequence[Outcome] = ()
) -> dict[str, object]:
    """Return the outcome as JSON values; rows use ``#`` for blocked and ``.`` for unknown cells.

    ``outcomes`` are those of all backends; where they are several, each is summarised.
    """
    fill = outcome.fill or {}
    backends = {"backends": [_backend_to_data(item) for item in outcomes]}
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
        **({} if outcome.quality is None else {"quality": quality_to_data(outcome.quality)}),
        "stats": dict(outcome.stats),
        **run_to_data(outcome.seconds, outcome.seed),
        **(backends if len(outcomes) > 1 else {}),
    }


def _backend_to_data(outcome: Outcome) -> dict[str, object]:
    proved = {"optimal": outcome.optimal, "bound": outcome.bound}
    return {
        "backend": outcome.backend,
        "status": outcome.status.value,
        "reason": outcome.reason or None,
        "score": outcome.score,
        **({} if outcome.objective is None else proved),
        "seconds": dict(outcome.seconds),
        "stats": dict(outcome.stats),
    }


def _objective(outcome: Outcome) -> dict[str, object]:
    if outcome.objective is None:
        return {}
    goals = [{"goal": g.name, "value": g.value, "bound": g.bound} for g in outcome.goals]
    return {"objective": outcome.objective, "goals": goals}


def quality_to_data(quality: FillQuality) -> dict[str, object]:
    """Return what an editor would say about a fill as JSON values.

    Each preference has a key: pairs of words, or the number of words, whose limit is in ``limits``.
    """
    both = (quality.weak, quality.own)
    weak, own = ([{"word": word, "score": score} for word, score in pairs] for pairs in both)
    found = {
        e.name: list(map(list, e.pairs)) if e.limit is None else len(e.words)
        for e in quality.expectations
    }
    limits = {e.name: e.limit for e in quality.expectations if e.limit is not None}
    data = {"summary": str(quality), "lowest": quality.lowest, "weak": weak, "own": own}
    return {**data, **found, "limits": limits}


def grid_rows(grid: Grid, fill: Mapping[str, str] | None) -> list[str]:
    """Return rows with the letters of a fill, ``#`` for blocked and ``.`` for unknown cells."""
    return _rows(grid, grid.letters([(fill or {}).get(slot.name) for slot in grid.slots]))


def _rows(grid: Grid, letters: Sequence[Sequence[str | None]]) -> list[str]:
    pair = grid.structure, letters
    rows = cellwise(lambda is_open, x: (x or UNKNOWN_LETTER)[0] if is_open else "#", *pair)
    return list(map("".join, rows))


def slot_to_data(slot: Slot) -> dict[str, object]:
    """Return the name and place of a slot as JSON values."""
    keys = ("name", "row", "column", "direction", "length")
    return {key: getattr(slot, key) for key in keys}


def fill_list_to_data(grid: Grid, fill_list: FillList, load_seconds: float) -> dict[str, object]:
    """Return several fills as JSON values; ``load_seconds`` is the time for reading the puzzle."""
    fills = [outcome_to_data(grid, outcome) for outcome in fill_list.outcomes]
    status = "filled" if fills else "unfillable" if fill_list.complete else "unknown"
    solving = dict(fill_list.outcomes[0].seconds) if fills else {}
    return {
        "status": status,
        "fills": [
            {key: fill[key] for key in ("grid", "slots", "score", "quality") if key in fill}
            for fill in fills
        ],
        "complete": fill_list.complete,
        "most_shared": fill_list.max_shared_words,
        "reason": fill_list.reason or None,
        "seconds": rounded({"load": load_seconds, **solving}),
        "versions": versions(),
    }


def run_to_data(seconds: float | Mapping[str, float], seed: int) -> dict[str, object]:
    """Return the entries on a run: its wall-clock seconds, perhaps by stage, seed and versions."""
    return {"seconds": rounded(seconds), "seed": seed, "versions": versions()}


def rounded(seconds: float | Mapping[str, float]) -> object:
    """Return seconds, perhaps by stage, to the microsecond."""
    if isinstance(seconds, Mapping):
        return {stage: round(value, 6) for stage, value in seconds.items()}
    return round(seconds, 6)


@cache
def versions() -> Mapping[str, str]:
    """Return the versions of satcross, Python and the installed solver libraries."""
    # Imported here: it takes a fifth of the time to start a worker process of the server.
    from importlib.metadata import PackageNotFoundError, version

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
    texts = (dump_rows(value, depth=depth + 1) for value in values)
    lines = [f"{inner}{entry}{value}" for entry, value in zip(entries, texts, strict=True)]
    body = ",\n".join(lines)
    return f"{opening}\n{body}\n{outer}{closing}" + ("" if depth else "\n")


def parse_json(text: str, name: str) -> object:
    """Return the value of a JSON text. Raises InputError, with the line, for invalid JSON.

    Commas before a closing bracket and names without quotes, as people write them, are understood.
    """
    try:
        try:
            return load_packed(text)
        except json.JSONDecodeError:
            return load_packed(_BY_HAND.sub(lambda m: m[1] or (f'"{m[2]}"' if m[2] else ""), text))
    except json.JSONDecodeError as error:
        problem = f"not valid JSON at character {error.colno}"
        remedy = "check the brackets, commas and quotes there"
        raise InputError(problem, remedy, file=name, line=error.lineno) from None
    except RecursionError:
        raise InputError("not valid JSON (nested too deeply)", file=name) from None
    except ValueError:
        raise InputError("not valid JSON (a number with thousands of digits)", file=name) from None


def crossword_to_data(crossword: Crossword) -> dict[str, object]:
    """Return the crossword as JSON values, in the form of ``outcome_to_data``.

    ``given`` has the prefilled letters, in rows like ``grid``; ``circled``, ``shaded`` and
    ``holes`` have pairs of row and column, from 0; ``bars`` is as in ``bars_to_data``; ``rebus``
    has the cells with several letters, of which ``grid`` has the first; ``left_out`` names the
    runs of cells that are not slots. Empty fields are omitted. A language that the user has named
    is the crossword's.
    """
    grid = crossword.grid
    texts = {key: getattr(crossword, key) for key in _TEXTS}
    texts["language"] = language_or(crossword.language)
    data: dict[str, object] = {key: text for key, text in texts.items() if text}
    data["grid"] = _rows(grid, crossword.solution)
    given = [[grid.given((r, c)) for c in range(grid.width)] for r in range(grid.height)]
    if any(map(any, given)):
        data["given"] = _rows(grid, given)
    for key in _CELLS:
        if getattr(grid, key):
            data[key] = [list(cell) for cell in sorted(getattr(grid, key))]
    if crossword.rebus:
        data["rebus"] = rebus_to_data(crossword.rebus)
    if grid.bars:
        data["bars"] = bars_to_data(grid)
    if grid.left_out:
        data["left_out"] = sorted(grid.left_out)
    words = crossword.words
    data["slots"] = [
        {
            **slot_to_data(slot),
            "word": words.get(slot.name),
            "clue": crossword.clues.get(slot.name),
            **_details(crossword.clues.get(slot.name, "")),
        }
        for slot in crossword.spelled_grid.slots
    ]
    if crossword.other_clues:
        data["other_clues"] = [
            {"label": clue.label, "group": clue.group, "clue": str(clue), **_details(clue)}
            for clue in crossword.other_clues
        ]
    return data


def _details(text: str) -> dict[str, object]:
    clue = Clue.of(text)
    found = {"also": list(clue.also), "italics": list(map(list, clue.italics))}
    return {key: value for key, value in found.items() if value}


def add_crossword(data: dict[str, object], crossword: Crossword) -> dict[str, object]:
    """Return the JSON values of an outcome with those of the crossword added."""
    added = crossword_to_data(crossword)
    if not crossword.clues:
        added["slots"] = data["slots"]
    return {**data, **added}


def add_written(data: Mapping[str, Any], written: Mapping[str, str]) -> dict[str, object]:
    """Return the JSON values of an outcome or of several fills with how the words are written.

    ``written`` maps words to their entries in lists. The slot of such a word gets ``written``, "ice
    cream", and ``enumeration``, "3,5".
    """
    if "fills" in data:
        return {**data, "fills": [add_written(fill, written) for fill in data["fills"]]}
    slots = [
        {**slot, "written": entry, "enumeration": enumeration(entry)}
        if (entry := written.get(slot["word"]))
        else slot
        for slot in data["slots"]
    ]
    return {**data, "slots": slots}


def is_puzzle(path: str) -> bool:
    """Whether a file is the .json of ``satcross puzzle``."""
    try:
        data = json.loads(Path(path).read_bytes()) if path.lower().endswith(".json") else None
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and isinstance(data.get("puzzle"), dict)


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write the crossword as JSON; ``writers`` documents the parameters."""
    path.write_text(dump_rows(crossword_to_data(crossword)), encoding="utf-8")


def parse_crossword(source: Text) -> common.ImportedCrossword:
    """Parse JSON of ``write_crossword`` or ``solve --json``, or a project file of the page.

    Of several fills, the first is read; unknown fields are noted. Raises InputError for any other
    content.
    """
    data = parse_json(source.text, source.name)
    with reading(source, "give the output of solve --json", "not a crossword in JSON: ") as draft:
        return _from_json(data, draft)


def _from_json(data: object, draft: Draft) -> common.ImportedCrossword:
    if isinstance(data, dict) and isinstance(data.get("fills"), list) and data["fills"]:
        if len(data["fills"]) > 1:
            draft.notes.append(f"the file has {len(data['fills'])} fills; the first is used")
        data = data["fills"][0]
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    if str(data.get("format")).startswith("satcross "):
        data = _from_project(data, draft)
    crossword = crossword_from_data(data, draft.name, draft.notes)
    draft.leave({key: value for key, value in data.items() if key not in _KNOWN})
    known = _OF_SLOT.split()
    for slot in data.get("slots", ()):
        draft.leave({key: value for key, value in slot.items() if key not in known}, "slot")
    draft.note_unused()
    return common.ImportedCrossword(crossword, tuple(draft.notes))


def _from_project(project: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    """Return the document of a project file in the form of ``crossword_to_data``."""
    draft.leave({key: value for key, value in project.items() if key not in _PROJECT})
    document = dict(project["document"])
    cells = document.pop("cells")
    pencil = document.pop("pencil", None) or [[""] * len(row) for row in cells]
    letters = cellwise(lambda cell, x: cell if cell not in ("", OPEN) else x, cells, pencil)
    sides: dict[str, list[list[int]]] = {}
    for row, column, side in document.pop("bars", ()):
        sides.setdefault(side, []).append([row, column])
    rows = ["".join(BLOCKED if cell == BLOCKED else OPEN for cell in row) for row in cells]
    clues, words = document.pop("clues", None) or {}, document.pop("words", None) or {}
    slots = []
    for slot in Grid(tuple(rows), bars=frozenset(bars_from_data(sides))).slots:
        key = f"{slot.row},{slot.column},{slot.direction}"
        word = words.get(key, {}).get("word", "")
        if len(word) == slot.length:
            for (row, column), letter in zip(slot.cells, word, strict=True):
                letters[row][column] = letters[row][column] or letter
        word = "".join(letters[row][column] for row, column in slot.cells)
        # The page keeps a clue by its word, by word and slot, or by the slot without a word.
        names = (slot.name, slot.name.lower(), key, f"{word}@{key}", f"@{key}", word)
        clue = next((clues[name] for name in names if name in clues), None)
        slots.append({"name": slot.name, "clue": clue})
    taken = [slot["clue"] for slot in slots]
    draft.leave({f"clue {name}": text for name, text in clues.items() if text not in taken})
    data: dict[str, object] = {
        **{key: document.pop(key, None) for key in _TEXTS},
        **{key: document.pop(key, []) for key in _CELLS},
    }
    draft.leave({key: value for key, value in document.items() if key not in _SETTINGS.split()})
    places = (((r, c), x) for r, row in enumerate(letters) for c, x in enumerate(row))
    return {
        **data,
        "grid": ["".join(letter[:1] or UNKNOWN_LETTER for letter in row) for row in letters],
        "given": ["".join(cell[:1] if len(cell) == 1 else "." for cell in row) for row in cells],
        "rebus": rebus_to_data(item for item in places if len(item[1]) > 1),
        "bars": sides,
        "slots": slots,
    }


def crossword_from_data(data: object, name: str, notes: list[str]) -> Crossword:
    """Return the crossword of JSON values as ``crossword_to_data`` makes them.

    ``name`` names the file in errors; remarks about the values are appended to ``notes``. Raises
    ValueError or InputError for any other values.
    """
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    solution = read_solution(data, name)
    given = _read_rows(data, "given", name) or [
        [BLOCKED if cell == BLOCKED else None for cell in row] for row in solution
    ]
    if [[cell == BLOCKED for cell in row] for row in given] != [
        [cell == BLOCKED for cell in row] for row in solution
    ]:
        raise ValueError("given and grid differ in their blocked cells")
    rows = [[OPEN if cell is None else cell for cell in row] for row in given]
    texts = {key: data.get(key) or "" for key in _TEXTS}
    if isinstance(texts["notes"], list):  # remarks of ``answer --json``
        texts["notes"] = ""
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("title, author, copyright, date, notes or language is not text")
    if texts["date"] and (found := common.read_date(texts["date"])[0]) != texts["date"]:
        change = f"is rewritten as {found}" if found else "is ignored"
        notes.append(f"the date {common.excerpt(texts['date'])} {change}")
        texts["date"] = found
    texts["language"] = stated_language(texts["language"], notes)
    left_out = data.get("left_out", [])
    if not isinstance(left_out, list) or not all(isinstance(each, str) for each in left_out):
        raise ValueError("left_out is not a list of slot names")
    decorations = {"left_out": left_out, "bars": bars_from_data(data.get("bars", {}))}
    decorations |= {key: _read_cells(data, key, rows) for key in _CELLS}
    grid = common.make_grid(name, rows, decorations)
    clues, others = _read_clues(data, grid, notes), _read_other_clues(data)
    return common.make_crossword(grid, solution, clues=clues, texts=texts, other_clues=others)


def read_solution(data: Mapping[str, object], name: str) -> list[list[str | None]]:
    """Return the rows of ``grid`` with the cells of ``rebus``; raises ValueError for others."""
    solution = _read_rows(data, "grid", name)
    if not solution:
        raise ValueError("it has no grid")
    for entry in _as_list(data.get("rebus", []), "rebus"):
        *pair, letters = entry if isinstance(entry, list) and len(entry) == 3 else [None]
        row, column = _read_pair(pair, "rebus")
        inside = 0 <= row < len(solution) and 0 <= column < len(solution[row])
        if not inside or not isinstance(letters, str) or solution[row][column] in (None, BLOCKED):
            raise ValueError("rebus is not a list of rows, columns and letters of the solution")
        solution[row][column] = common.read_letters(letters)
    return solution


def _read_rows(data: Mapping[str, object], key: str, name: str) -> list[list[str | None]]:
    """Return rows with ``#`` for blocked and None for no letter; no rows if the key is absent."""
    rows = data.get(key)
    if rows is None:
        return []
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise ValueError(f"{key} is not a list of rows")
    rows = [unicodedata.normalize("NFC", row) for row in rows]
    common.check_size(name, len(rows), max(map(len, rows), default=0))
    return [list(map(common.read_cell, row)) for row in rows]


def _read_clues(data: dict[str, object], grid: Grid, notes: list[str]) -> dict[str, str]:
    entries = data.get("slots", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError("slots is not a list of objects")
    names = {slot.name for slot in grid.slots}
    clues = {}
    unplaced = []
    for entry in entries:
        name, clue = entry.get("name"), entry.get("clue")
        if clue is None:
            continue
        if not isinstance(name, str) or not isinstance(clue, str):
            raise ValueError("a slot has a name or a clue that is not text")
        if name not in names:
            unplaced.append(name)
        also = entry.get("also") or ()
        clues[name] = Clue(_read_text(clue, entry), also=[name for name in also if name in names])
    if unplaced:
        many = "1 clue is" if len(unplaced) == 1 else f"{len(unplaced)} clues are"
        notes.append(f"{many} for no slot of the grid ({common.excerpt(unplaced[0])})")
    return {name: clue for name, clue in clues.items() if name in names}


def _read_text(clue: str, entry: Mapping[str, object]) -> str:
    """Return a clue with marks of italics; spans that are not within it raise ValueError."""
    spans = [_read_pair(pair, "italics") for pair in _as_list(entry.get("italics", []), "italics")]
    if not all(0 <= start < end <= len(clue) for start, end in spans):
        raise ValueError("italics names a part that the clue has not")
    return common.clean(mark_italics(clue, spans))


def _read_other_clues(data: dict[str, object]) -> list[Clue]:
    found = []
    for entry in _as_list(data.get("other_clues", []), "other_clues"):
        keys = ("clue", "label", "group")
        texts = [entry.get(key, "") for key in keys] if isinstance(entry, dict) else [None]
        if not isinstance(entry, dict) or not all(isinstance(text, str) for text in texts):
            raise ValueError("other_clues is not a list of objects with texts")
        clue, label, group = map(str, texts)
        found.append(Clue(_read_text(clue, entry), label=label, group=group))
    return found


def _read_cells(data: dict[str, object], key: str, rows: list[list[str]]) -> list[Cell]:
    cells = [_read_pair(pair, key) for pair in _as_list(data.get(key, []), key)]
    if not all(0 <= row < len(rows) and 0 <= column < len(rows[row]) for row, column in cells):
        raise ValueError(f"{key} names a cell outside the grid")
    return cells


def _as_list(value: object, key: str) -> list[object]:
    return value if isinstance(value, list) else [None]  # which is no pair


def _read_pair(pair: object, key: str) -> Cell:
    row, column = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
    if type(row) is not int or type(column) is not int:
        raise ValueError(f"{key} is not a list of pairs of row and column")
    return row, column


_BAR_SIDES = {"right": "right", "below": "bottom"}
"""What the side of a cell that a bar is on is called in JSON, and by ``bar_at``."""


def rebus_to_data(rebus: Iterable[tuple[Cell, str]]) -> list[list[int | str]]:
    """Return the cells with several letters as [row, column, letters]."""
    return [[row, column, letters] for (row, column), letters in sorted(rebus)]


def bars_to_data(grid: Grid) -> dict[str, list[list[int]]]:
    """Return the cells with a bar at the right, and those with one below, as [row, column]."""
    sides = {
        name: [list(bar[0]) for bar in sorted(grid.bars) if bar == common.bar_at(bar[0], side)]
        for name, side in _BAR_SIDES.items()
    }
    return {side: cells for side, cells in sides.items() if cells}


def bars_from_data(data: object) -> list[Bar]:
    """Return the bars of JSON values as ``bars_to_data`` makes them; raises ValueError for others.

    A bar at the edge of the grid has no effect.
    """
    if not isinstance(data, dict) or not data.keys() <= _BAR_SIDES.keys():
        raise ValueError("bars has other keys than right and below")
    return [
        common.bar_at(_read_pair(pair, "bars"), _BAR_SIDES[name])
        for name, pairs in data.items()
        for pair in _as_list(pairs, "bars")
    ]


def puzzle_to_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return the puzzle as JSON values; words of other lengths than the slots' are omitted."""
    lengths = {slot.length for slot in puzzle.grid.slots}
    left_out = sorted(puzzle.grid.left_out)
    return {
        "rows": list(puzzle.grid.rows),
        **({"left_out": left_out} if left_out else {}),
        **({"rebus": rebus_to_data(puzzle.grid.rebus)} if puzzle.grid.rebus else {}),
        **({"bars": bars_to_data(puzzle.grid)} if puzzle.grid.bars else {}),
        "words": {
            word: puzzle.vocabulary.score(word)
            for word in puzzle.vocabulary
            if len(word) in lengths
        },
        **rules_to_data(puzzle),
    }


def puzzle_from_data(data: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle that ``puzzle_to_data`` turned into ``data``."""
    bars = frozenset(bars_from_data(data.get("bars", {})))
    left_out = frozenset(data.get("left_out", ()))
    rebus = frozenset(((row, column), letters) for row, column, letters in data.get("rebus", ()))
    grid = Grid(tuple(data["rows"]), left_out, bars, rebus=rebus)
    return build_puzzle(grid, Vocabulary(data["words"]), data)


def puzzle_hash(puzzle: Puzzle) -> str:
    """Return a hash that is equal for puzzles with equal grids, words, scores and rules.

    The hash is the first 16 hexadecimal digits of the SHA-256 of ``puzzle_to_data`` in canonical
    JSON. It ignores the order of the words, and words of other lengths than the slots'.
    """
    data = puzzle_to_data(puzzle)
    text = json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
