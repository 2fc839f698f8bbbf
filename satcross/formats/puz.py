"""Across Lite's .puz files, by the library puzpy, which knows the checksums.

Clues have no numbers there: they stand in the order of ``Grid.slots``. A cell is one byte, so that
letters beyond it are written as rebus cells of one letter. Letters that the grid gives are written
as what the player has filled in.
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    LONGEST_SIDE,
    Published,
    check_size,
    make_crossword,
    read_given,
    read_letter,
    read_limited,
)
from satcross.grid import BLOCKED, OPEN, Grid

_BLOCKED = ".:"  # the second is for diagramless puzzles
_BLOCK = "."
_NO_LETTER = "-"
_STAND_IN = "X"  # in the byte of a cell whose letter has none
_SPECIAL = ".:- "  # bytes that are no letters
_NOT_IN_TABLE = ";"  # it separates the letters of rebus cells
_MOST_REBUS = 255
_LATIN_1 = "ISO-8859-1"
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}


def read_published(path: str) -> Published:
    """Read a .puz file. What its player has filled in are letters the grid gives.

    A scrambled solution and cells of several letters are left out, and noted. Raises InputError
    for anything that is no whole .puz file.
    """
    import puz

    file = read_limited(path)
    if puz.ACROSSDOWN not in file.data:
        raise InputError("not a .puz file", "give one that Across Lite opens", file=file.name)
    try:
        puzzle = puz.load(file.data)
        return _from_puzzle(puzzle, file.name)
    except (puz.PuzzleFormatError, ValueError, IndexError, LookupError, struct.error) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"not a whole .puz file ({reason})", "get a fresh copy of it", file=file.name
        ) from None


def _from_puzzle(puzzle: Any, name: str) -> Published:
    import puz

    width, height = puzzle.width, puzzle.height
    check_size(name, height, width)
    if not len(puzzle.solution) == len(puzzle.fill) == width * height:
        raise ValueError("a grid of another size than its header says")
    notes: list[str] = []
    rows: list[str] = []
    solution: list[str | None] = []
    own = puzzle.solution_state != puz.SolutionState.NotProvided and not puzzle.is_solution_locked()
    rebus = _rebus_letters(puzzle)
    several = 0
    for index, (letter, filled) in enumerate(zip(puzzle.solution, puzzle.fill, strict=True)):
        if letter in _BLOCKED:
            rows.append(BLOCKED)
            solution.append(None)
            continue
        right, players = rebus.get(index, (_known(letter), _known(filled)))
        if right is not None and len(right) > 1:
            several += 1
            right = None
        rows.append(OPEN if players is None else read_given(players))
        solution.append(None if right is None or not own else read_letter(right))
    if puzzle.puzzletype == puz.PuzzleType.Diagramless:
        notes.append("a diagramless puzzle; its blocked cells are those of the solution")
    lacking = ""
    if puzzle.is_solution_locked():
        lacking = "the solution is scrambled"
    elif several:
        lacking = f"the solution has {several} cell{'s' * (several > 1)} of several letters"
    marked = puzzle.markup().get_markup_squares(puz.GridMarkup.Circled)
    cells = [divmod(index, width) for index in marked if index < width * height]
    lines = [rows[start : start + width] for start in range(0, len(rows), width)] if width else []
    grid = Grid(tuple(map("".join, lines)))
    clues = {}
    if len(puzzle.clues) == len(grid.slots):
        texts = [_decoded(clue, puzzle.encoding) for clue in puzzle.clues]
        clues = {slot.name: clue for slot, clue in zip(grid.slots, texts, strict=True)}
    elif any(puzzle.clues):
        notes.append(
            f"{len(puzzle.clues)} clues for {len(grid.slots)} slots; the clues are left out"
        )
    crossword = make_crossword(
        name,
        lines,
        [solution[start : start + width] for start in range(0, len(rows), width)] if width else [],
        clues=clues,
        circled=cells,
        texts={
            key: _decoded(getattr(puzzle, key), puzzle.encoding)
            for key in ("title", "author", "copyright", "notes")
        },
    )
    return Published(crossword, tuple(notes), lacking)


def _decoded(text: str, encoding: str) -> str:
    """Text with the quotes and dashes that Windows programs put where Latin-1 has no character."""
    return text.translate(_WINDOWS) if encoding == _LATIN_1 else text


def _known(letter: str) -> str | None:
    return None if letter in (_NO_LETTER, " ") else letter


def _rebus_letters(puzzle: Any) -> dict[int, tuple[str | None, str | None]]:
    """Cell -> what is right there and what the player has filled in, for rebus cells."""
    if not puzzle.has_rebus():
        return {}
    rebus = puzzle.rebus()
    if len(rebus.table) != puzzle.width * puzzle.height:
        raise ValueError("a table of rebus cells of another size than the grid")
    found = {}
    for index in rebus.get_rebus_squares():
        players = rebus.get_rebus_fill(index) or _known(puzzle.fill[index])
        right = rebus.get_rebus_solution(index) or None
        found[index] = right, players if players and len(players) == 1 else None
    return found


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write a .puz file: version 1.3 where Latin-1 has every character, else 2.0, in UTF-8.

    Raises InputError for a grid too large, and for letters the format has no place for.
    """
    path.write_bytes(_to_puzzle(crossword).tobytes())


def _to_puzzle(crossword: Crossword) -> Any:
    import puz

    grid = Grid(crossword.grid.rows)  # the format knows no slots that are left out
    if max(grid.height, grid.width) > LONGEST_SIDE:
        raise InputError(
            f"a grid of {grid.height} rows and {grid.width} columns is too large for .puz",
            f"{LONGEST_SIDE} of each is the most; write .ipuz or .xd instead",
        )
    clues = [_text(crossword.clues.get(slot.name, "")) for slot in grid.slots]
    about = [
        _text(text)
        for text in (crossword.title, crossword.author, crossword.copyright, crossword.notes)
    ]
    given = [None if cell in (BLOCKED, OPEN) else cell for row in grid.rows for cell in row]
    known = [letter for row in crossword.solution for letter in row]
    try:
        "".join([*clues, *about, *filter(None, given), *filter(None, known)]).encode("latin-1")
        puzzle = puz.Puzzle("1.3")
    except UnicodeEncodeError:
        puzzle = puz.Puzzle("2.0")
    blocked = [cell == BLOCKED for row in grid.rows for cell in row]
    puzzle.width, puzzle.height = grid.width, grid.height
    puzzle.title, puzzle.author, puzzle.copyright, puzzle.notes = about
    puzzle.clues = clues
    puzzle.solution = _cells(blocked, known, puzzle.encoding)
    puzzle.fill = _cells(blocked, given, puzzle.encoding)
    if not any(known):
        puzzle.solution_state = puz.SolutionState.NotProvided
    _add_rebus(puzzle, known, given)
    circled = [row * grid.width + column for row, column in sorted(crossword.circled)]
    if circled:
        puzzle.markup().set_markup_squares(circled, puz.GridMarkup.Circled)
    return puzzle


def _cells(blocked: Sequence[bool], letters: Sequence[str | None], encoding: str) -> str:
    return "".join(
        _BLOCK if block else _NO_LETTER if letter is None else _byte(letter, encoding)
        for block, letter in zip(blocked, letters, strict=True)
    )


def _byte(letter: str, encoding: str) -> str:
    """The letter, or what stands in for it in a cell's byte: its base letter, or an X."""
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


def _add_rebus(puzzle: Any, known: Sequence[str | None], given: Sequence[str | None]) -> None:
    """Make rebus cells of those with a letter that has no byte."""
    for index, (right, players) in enumerate(zip(known, given, strict=True)):
        if all(letter is None or _has_byte(letter, puzzle.encoding) for letter in (right, players)):
            continue
        if right is not None and right in _NOT_IN_TABLE:
            raise InputError(f".puz has no place for the letter {right}", "write .ipuz instead")
        puzzle.rebus().add_rebus_squares(index, right or "")
        if players is not None:
            puzzle.rebus().set_rebus_fill(index, players)
    if "rebus" in puzzle.helpers and len(puzzle.rebus().solutions) >= _MOST_REBUS:
        raise InputError(
            f".puz has place for {_MOST_REBUS - 1} letters beyond the usual ones",
            "write .ipuz instead",
        )


def _text(text: str) -> str:
    return text.replace("\0", "")  # it would end the string
