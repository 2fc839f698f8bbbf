"""Across Lite's .puz files, read and written with puzpy, which handles the checksums.

Clues carry no numbers; they are in the order of ``Grid.slots``. A cell is one byte: letters that
need more are written as rebus cells of one letter. Prefilled letters of the grid are written as
the player's letters.
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    MAX_SIDE,
    ImportedCrossword,
    check_size,
    make_crossword,
    make_grid,
    read_letters,
    read_limited,
    read_prefilled,
)
from satcross.grid import BLOCKED, OPEN

_BLOCKED = ".:"  # the second is for diagramless puzzles
_BLOCK = "."
_NO_LETTER = "-"
_STAND_IN = "X"  # in the byte of a cell whose letter does not fit one byte
_SPECIAL = ".:- "  # bytes that never stand for a letter
_TABLE_SEPARATOR = ";"  # between the entries of the rebus table
_MAX_REBUS = 255
_LATIN_1 = "ISO-8859-1"
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}


def import_crossword(path: str) -> ImportedCrossword:
    """Read a .puz file; the player's letters become prefilled letters of the grid.

    A scrambled solution is left out, and ``solution_problem`` says so. Raises InputError for a
    file that is not a complete .puz file.
    """
    import puz

    file = read_limited(path)
    if puz.ACROSSDOWN not in file.data:
        raise InputError("is not a .puz file", "give a file that Across Lite opens", file=file.name)
    try:
        puzzle = puz.load(file.data)
        return _from_puzzle(puzzle, file.name)
    except (puz.PuzzleFormatError, ValueError, IndexError, LookupError, struct.error) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"is a damaged .puz file ({reason})", "get a fresh copy of it", file=file.name
        ) from None


def _from_puzzle(puzzle: Any, name: str) -> ImportedCrossword:
    import puz

    width, height = puzzle.width, puzzle.height
    check_size(name, height, width)
    if not len(puzzle.solution) == len(puzzle.fill) == width * height:
        raise ValueError("the header states another grid size")
    notes: list[str] = []
    rows: list[str] = []
    solution: list[str | None] = []
    readable = (
        puzzle.solution_state != puz.SolutionState.NotProvided and not puzzle.is_solution_locked()
    )
    rebus = _rebus_letters(puzzle)
    for index, (letter, filled) in enumerate(zip(puzzle.solution, puzzle.fill, strict=True)):
        if letter in _BLOCKED:
            rows.append(BLOCKED)
            solution.append(None)
            continue
        solved, played = rebus.get(index, (_letter_or_none(letter), _letter_or_none(filled)))
        rows.append(OPEN if played is None else read_prefilled(played))
        solution.append(None if solved is None or not readable else read_letters(solved))
    if puzzle.puzzletype == puz.PuzzleType.Diagramless:
        notes.append("a diagramless puzzle; the blocked cells are taken from the solution")
    problem = ""
    if puzzle.is_solution_locked():
        problem = "the solution is scrambled"
    marked = puzzle.markup().get_markup_squares(puz.GridMarkup.Circled)
    cells = [divmod(index, width) for index in marked if index < width * height]
    lines = [rows[start : start + width] for start in range(0, len(rows), width)] if width else []
    grid = make_grid(name, lines, {"circled": cells})
    clues = {}
    if len(puzzle.clues) == len(grid.slots):
        texts = [_decoded(clue, puzzle.encoding) for clue in puzzle.clues]
        clues = {slot.name: clue for slot, clue in zip(grid.slots, texts, strict=True)}
    elif any(puzzle.clues):
        notes.append(
            f"{len(puzzle.clues)} clues for {len(grid.slots)} slots; the clues are ignored"
        )
    crossword = make_crossword(
        grid,
        [solution[start : start + width] for start in range(0, len(rows), width)] if width else [],
        clues=clues,
        texts={
            key: _decoded(getattr(puzzle, key), puzzle.encoding)
            for key in ("title", "author", "copyright", "notes")
        },
    )
    return ImportedCrossword(crossword, tuple(notes), problem)


def _decoded(text: str, encoding: str) -> str:
    """Return the text with bytes 0x80 to 0x9F of Latin-1 read as Windows-1252 quotes and dashes."""
    return text.translate(_WINDOWS) if encoding == _LATIN_1 else text


def _letter_or_none(letter: str) -> str | None:
    return None if letter in (_NO_LETTER, " ") else letter


def _rebus_letters(puzzle: Any) -> dict[int, tuple[str | None, str | None]]:
    """Return the solution and the player's letter of each rebus cell, by cell index."""
    if not puzzle.has_rebus():
        return {}
    rebus = puzzle.rebus()
    if len(rebus.table) != puzzle.width * puzzle.height:
        raise ValueError("the rebus table and the grid differ in size")
    found = {}
    for index in rebus.get_rebus_squares():
        played = rebus.get_rebus_fill(index) or _letter_or_none(puzzle.fill[index])
        solved = rebus.get_rebus_solution(index) or None
        found[index] = solved, played if played and len(played) == 1 else None
    return found


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write a .puz file: version 1.3 if every character is in Latin-1, else 2.0, in UTF-8.

    Raises InputError for a grid that is too large and for letters that .puz can't store.
    """
    path.write_bytes(_to_puzzle(crossword).tobytes())


def _to_puzzle(crossword: Crossword) -> Any:
    import puz

    grid = crossword.grid
    if grid.bars:
        raise InputError(".puz can't store bars", "write .ipuz instead")
    grid = replace(grid, left_out=frozenset())
    if max(grid.height, grid.width) > MAX_SIDE:
        raise InputError(
            f"a grid of {grid.height} rows and {grid.width} columns is too large for .puz",
            f"the limit is {MAX_SIDE} of each; write .json or .html instead",
        )
    clues = [_text(crossword.clues.get(slot.name, "")) for slot in grid.slots]
    about = [
        _text(text)
        for text in (crossword.title, crossword.author, crossword.copyright, crossword.notes)
    ]
    prefilled = [None if cell in (BLOCKED, OPEN) else cell for row in grid.rows for cell in row]
    solution = [letter for row in crossword.solution for letter in row]
    try:
        "".join([*clues, *about, *filter(None, prefilled), *filter(None, solution)]).encode(
            "latin-1"
        )
        puzzle = puz.Puzzle("1.3")
    except UnicodeEncodeError:
        puzzle = puz.Puzzle("2.0")
    blocked = [cell == BLOCKED for row in grid.rows for cell in row]
    puzzle.width, puzzle.height = grid.width, grid.height
    puzzle.title, puzzle.author, puzzle.copyright, puzzle.notes = about
    puzzle.clues = clues
    puzzle.solution = _cells(blocked, solution, puzzle.encoding)
    puzzle.fill = _cells(blocked, prefilled, puzzle.encoding)
    if not any(solution):
        puzzle.solution_state = puz.SolutionState.NotProvided
    _add_rebus(puzzle, solution, prefilled)
    circled = [row * grid.width + column for row, column in sorted(grid.circled)]
    if circled:
        puzzle.markup().set_markup_squares(circled, puz.GridMarkup.Circled)
    return puzzle


def _cells(blocked: Sequence[bool], letters: Sequence[str | None], encoding: str) -> str:
    return "".join(
        _BLOCK if block else _NO_LETTER if letter is None else _byte(letter, encoding)
        for block, letter in zip(blocked, letters, strict=True)
    )


def _byte(letter: str, encoding: str) -> str:
    """Return the letter, or its base letter or X if the letter does not fit one byte."""
    if _has_byte(letter, encoding):
        return letter
    base = unicodedata.normalize("NFD", letter)[0]
    return base if _has_byte(base, "ascii") else _STAND_IN


def _has_byte(letter: str, encoding: str) -> bool:
    if letter in _SPECIAL:
        return False
    try:
        return len(letter.encode(encoding)) == 1
    except UnicodeEncodeError:
        return False


def _add_rebus(
    puzzle: Any, solution: Sequence[str | None], prefilled: Sequence[str | None]
) -> None:
    """Add a rebus entry for each cell with a letter that does not fit one byte."""
    for index, (solved, played) in enumerate(zip(solution, prefilled, strict=True)):
        if all(letter is None or _has_byte(letter, puzzle.encoding) for letter in (solved, played)):
            continue
        if solved is not None and _TABLE_SEPARATOR in solved:
            raise InputError(f".puz can't store the letter {solved!r}", "write .ipuz instead")
        puzzle.rebus().add_rebus_squares(index, solved or "")
        if played is not None:
            puzzle.rebus().set_rebus_fill(index, played)
    if "rebus" in puzzle.helpers and len(puzzle.rebus().solutions) >= _MAX_REBUS:
        raise InputError(
            f".puz can store at most {_MAX_REBUS - 1} letters that do not fit one byte",
            "write .ipuz instead",
        )


def _text(text: str) -> str:
    return text.replace("\0", "")  # a null byte ends a string in .puz
