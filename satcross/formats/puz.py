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

from satcross.crossword import Clue, Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    MAX_SIDE,
    ImportedCrossword,
    check_size,
    clean,
    read_letters,
    read_prefilled,
)
from satcross.formats.draft import DIAGRAMLESS, Draft
from satcross.formats.files import Data
from satcross.formats.markup import unmarked
from satcross.formats.placing import FoundClue
from satcross.grid import BLOCKED, OPEN, Grid, cell_name
from satcross.support.texts import texts

_HIDDEN = ":"  # a block of a diagramless puzzle; in others, a cell that is not shown
_BLOCK = "."
_NO_LETTER = "-"
_STAND_IN = "X"  # in the byte of a cell whose letter does not fit one byte
_SPECIAL = ".:- "  # bytes that never stand for a letter
_TABLE_SEPARATOR = ";"  # between the entries of the rebus table
_MAX_REBUS = 255
_HEADER_BYTES = 52
_VERSION_OFFSET = 22  # from the magic bytes
_COUNT_OFFSET = 44  # of the number of clues, likewise
_TEXTS_BESIDE_CLUES = 4  # title, author, copyright and notes
_LATIN_1 = "ISO-8859-1"
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
_EXTENSIONS = {b"LTIM": "the player's time"}
"""Extension -> what a note calls it; those that are read are left out."""
_READ = (b"GRBS", b"RTBL", b"RUSR", b"GEXT")
_COMMON = frozenset("EARIOTNSL")
"""The letters that answers have most often; among keys that fit, they tell the right one."""


def parse_crossword(file: Data) -> ImportedCrossword:
    """Read a .puz file; the player's letters become prefilled letters of the grid.

    A wrong checksum is noted. A scrambled solution is unscrambled with the key of the texts'
    settings, or with the key of all that fits; where none does, it is left out, and
    ``solution_problem`` says so. Raises InputError for a file that is not a complete .puz file.
    """
    import puz

    if puz.ACROSSDOWN not in file.data:
        raise file.error("is not a .puz file", "give a file that Across Lite opens")
    puzzle, draft = puz.Puzzle(), Draft(file.name)
    try:
        try:
            puzzle.load(_with_count(_with_version(file.data), draft))
        except puz.PuzzleFormatError as error:
            if "checksum" not in str(error.message) or _is_cut(puzzle, file.data):
                raise
            draft.notes.append("a checksum is wrong: the file was changed by hand or damaged")
        _unscramble(puzzle, texts().key, draft)
        return _from_puzzle(puzzle, draft)
    except puz.PuzzleFormatError:
        reason = "it ends too soon"
    except (ValueError, IndexError, LookupError, struct.error) as error:
        reason = " ".join(str(error).split())
        if isinstance(error, UnicodeError):
            named = getattr(error, "encoding", "")
            reason = f"a text is not in {named.upper()}" if named else reason
    raise file.error(f"is a damaged .puz file ({reason})", "get a fresh copy of it")


def _with_version(data: bytes) -> bytes:
    """Return the bytes of a .puz file; a version that is missing becomes the usual one."""
    import puz

    start = data.find(puz.ACROSSDOWN) + _VERSION_OFFSET
    if data[start : start + 3].strip(b"\0"):
        return data
    return data[:start] + b"1.3" + data[start + 3 :]


def _with_count(data: bytes, draft: Draft) -> bytes:
    """Return the bytes of a .puz file with the number of clues that grid and texts agree on.

    A number that the texts of the file allow is left as it is.
    """
    import puz

    start = data.find(puz.ACROSSDOWN) + _COUNT_OFFSET
    width, height, count = struct.unpack_from("<BBH", data, start - 2)
    begin = start + _HEADER_BYTES - _COUNT_OFFSET - 2
    solution = data[begin : begin + width * height].decode("latin-1")
    complete = data.count(b"\0", begin + 2 * width * height) - _TEXTS_BESIDE_CLUES
    if count <= complete or len(solution) < width * height:
        return data
    blocked = {index for index, letter in enumerate(solution) if letter in _BLOCK + _HIDDEN}
    slots = _slot_count(blocked, width, height)
    if slots > complete:
        return data
    draft.notes.append(f"the file states {count} clues; the {slots} of the grid are read")
    return data[:start] + struct.pack("<H", slots) + data[start + 2 :]


def _is_cut(puzzle: Any, data: bytes) -> bool:
    """Whether texts are missing at the end: each ends in a null byte."""
    begin = len(puzzle.preamble) + _HEADER_BYTES + 2 * puzzle.width * puzzle.height
    return data.count(b"\0", begin) < len(puzzle.clues) + _TEXTS_BESIDE_CLUES


def _unscramble(puzzle: Any, key: str | None, draft: Draft) -> None:
    """Unscramble the solution with a key, or with the best of the keys that fit its checksum.

    Raises InputError for a key that does not fit.
    """
    if not puzzle.is_solution_locked():
        return
    if key is not None:
        if not puzzle.unlock_solution(int(key)):
            problem = f"the key {key} does not unscramble the solution"
            raise InputError(problem, "leave --key out to try all 10,000 keys", file=draft.name)
        return
    fitting = _fitting_keys(puzzle)
    if not fitting:
        draft.problem = "the solution is scrambled, and no key fits"
        return
    puzzle.unlock_solution(fitting[0])
    several = f", the likeliest of {len(fitting)} that fit" if len(fitting) > 1 else ""
    draft.notes.append(f"the solution was scrambled with the key {fitting[0]:04}{several}")


def _fitting_keys(puzzle: Any) -> list[int]:
    """Return the keys with which the solution has its checksum, the likeliest first.

    All 10,000 are tried at once, as rows of an array; the letters are in columns of the grid, and
    each of the four steps of scrambling is undone: a shuffle, a cut and an addition of the key.
    """
    import numpy as np

    width = puzzle.width
    text = "".join(puzzle.solution[column::width] for column in range(width))
    letters = [ord(letter) - ord("A") for letter in text if letter != puzzle.blacksquare()]
    if not letters or not all(0 <= letter < 26 for letter in letters):
        return []
    keys = np.arange(10_000)
    digits = np.stack([keys // 10**power % 10 for power in (3, 2, 1, 0)], axis=1)
    size = len(letters)
    positions, middle = np.arange(size), size // 2
    unshuffled = np.concatenate([positions[1 : 2 * middle : 2], positions[: 2 * middle : 2]])
    if size % 2:
        unshuffled = np.append(unshuffled, size - 1)
    added = digits[:, positions % 4]
    cells = np.tile(np.array(letters), (10_000, 1))
    for step in (3, 2, 1, 0):
        cells = cells[:, unshuffled]
        cut = (positions[None, :] - digits[:, step, None]) % size
        cells = (np.take_along_axis(cells, cut, axis=1) - added) % 26
    checksums = np.zeros(10_000, dtype=np.int64)
    for column in range(size):
        checksums = (checksums >> 1 | (checksums & 1) << 15) + cells[:, column] + ord("A")
        checksums &= 0xFFFF
    found = np.flatnonzero(checksums == puzzle.scrambled_cksum)
    common = np.isin(cells[found], [ord(letter) - ord("A") for letter in _COMMON]).sum(axis=1)
    return [int(found[index]) for index in np.argsort(-common, kind="stable")]


def _from_puzzle(puzzle: Any, draft: Draft) -> ImportedCrossword:
    import puz

    width, height = puzzle.width, puzzle.height
    check_size(draft.name, height, width)
    if not len(puzzle.solution) == len(puzzle.fill) == width * height:
        raise ValueError("the header states another grid size")
    diagramless = puzzle.puzzletype == puz.PuzzleType.Diagramless
    is_open = not puzzle.is_solution_locked()
    readable = is_open and puzzle.solution_state != puz.SolutionState.NotProvided
    rebus = _rebus_letters(puzzle)
    draft.rows = [[BLOCKED] * width for _ in range(height)]
    draft.letters = [[None] * width for _ in range(height)]
    blocked = _blocks(puzzle, draft)
    for index, (letter, filled) in enumerate(zip(puzzle.solution, puzzle.fill, strict=True)):
        row, column = divmod(index, width)
        if letter == _HIDDEN and not diagramless:
            draft.decorate("holes", (row, column))
        if index in blocked:
            continue
        solved, played = rebus.get(index, (_letter_or_none(letter), _letter_or_none(filled)))
        draft.rows[row][column] = OPEN if played is None else read_prefilled(played)
        if solved is not None and readable:
            draft.letters[row][column] = read_letters(solved)
    if diagramless:
        draft.notes.append(DIAGRAMLESS)
    _read_decorations(puzzle, draft)
    _read_clues(puzzle, draft)
    for key in ("title", "author", "copyright", "notes"):
        draft.texts[key] = unmarked(_decoded(getattr(puzzle, key), puzzle.encoding))
    return draft.finish()


def _blocks(puzzle: Any, draft: Draft) -> set[int]:
    """Return the blocked cells of the solution, or of the player's grid if it alone fits the clues.

    The number of clues is all that a .puz file says about its slots.
    """
    signs = (_BLOCK, _HIDDEN)
    texts = (puzzle.solution, puzzle.fill)
    solved, played = ({n for n, sign in enumerate(text) if sign in signs} for text in texts)
    hidden = {index for index in solved if puzzle.solution[index] == _HIDDEN}
    size = (puzzle.width, puzzle.height)
    fits, other = (_slot_count(c, *size) == len(puzzle.clues) for c in (solved, played))
    chosen, name = (played, "player's grid") if other and not fits else (solved, "solution")
    if played and (chosen is played or played | hidden != solved):
        wrong = cell_name(divmod(min(played ^ solved), puzzle.width))
        draft.notes.append(
            f"{wrong} is blocked in only one of solution and player's grid; the {name} is followed"
        )
    return chosen


def _slot_count(blocked: set[int], width: int, height: int) -> int:
    cells = [BLOCKED if index in blocked else OPEN for index in range(width * height)]
    rows = ("".join(cells[start : start + width]) for start in range(0, len(cells), width))
    return len(Grid(tuple(rows)).slots)


def _read_decorations(puzzle: Any, draft: Draft) -> None:
    import puz

    marks = puz.GridMarkup
    for index in puzzle.markup().get_markup_squares(marks.Circled):
        if index < puzzle.width * puzzle.height:
            draft.decorate("circled", divmod(index, puzzle.width))
    further = [mark for mark in marks if mark not in (marks.Default, marks.Circled)]
    draft.leave({"marks of a player": puzzle.has_markup() and puzzle.markup().has_markup(further)})
    for code in puzzle.extensions:
        if code not in _READ:
            draft.leave({_EXTENSIONS.get(code, code.decode("ascii", "replace")): True})


def _read_clues(puzzle: Any, draft: Draft) -> None:
    """Add the clues, in the order of the slots; where their number differs, they are for none."""
    slots = draft.structure(draft.rows).slots if draft.rows else ()
    texts = [unmarked(_decoded(clue, puzzle.encoding), italics=True) for clue in puzzle.clues]
    if len(texts) == len(slots):
        for slot, text in zip(slots, texts, strict=True):
            draft.clues.append(FoundClue(text, slot.name[:-1], slot.direction))
    elif any(texts):
        draft.notes.append(f"{len(texts)} clues for {len(slots)} slots, so they are for no slot")
        draft.others += [Clue(clean(text)) for text in texts if text]


def _decoded(text: str, encoding: str) -> str:
    """Return the text with bytes 0x80 to 0x9F of Latin-1 read as Windows-1252 quotes and dashes."""
    return text.translate(_WINDOWS) if encoding == _LATIN_1 else text


def _letter_or_none(letter: str) -> str | None:
    return None if letter in (_NO_LETTER, _BLOCK, _HIDDEN, " ", "?") else letter


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
        problem = f"a grid of {grid.height} rows and {grid.width} columns is too large for .puz"
        raise InputError(problem, f"the limit is {MAX_SIDE} of each; write .json or .html instead")
    clues = [_text(crossword.clues.get(slot.name, "")) for slot in grid.slots]
    keys = ("title", "author", "copyright", "notes")
    about = [_text(getattr(crossword, key)) for key in keys]
    prefilled = [None if cell in (BLOCKED, OPEN) else cell for row in grid.rows for cell in row]
    solution = [letter for row in crossword.solution for letter in row]
    try:
        "".join(filter(None, [*clues, *about, *prefilled, *solution])).encode("latin-1")
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
        problem = f".puz can store at most {_MAX_REBUS - 1} letters that do not fit one byte"
        raise InputError(problem, "write .ipuz instead")


def _text(text: str) -> str:
    return text.replace("\0", "")  # a null byte ends a string in .puz
