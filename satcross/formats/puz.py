"""Across Lite's .puz files, by the library puzpy."""

from __future__ import annotations

from satcross.errors import InputError
from satcross.formats.files import read_data

_BLOCKED = ".:"  # the second is for diagramless puzzles
_NO_LETTER = "-"


def read_solution(path: str) -> list[str]:
    """The rows of the solution, ``#`` for blocked and ``_`` for a cell without a letter.

    A puzzle without a solution gives what its solver has filled in. Raises InputError for anything
    that is no .puz file, for a scrambled solution, and for cells of several letters.
    """
    import puz

    file = read_data(path)
    try:
        puzzle = puz.load(file.data)
    except (puz.PuzzleFormatError, ValueError, IndexError, LookupError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"not a whole .puz file ({reason})", file=file.name) from None
    if puzzle.is_solution_locked():
        raise InputError(
            "the solution is scrambled", "unlock it with its key first", file=file.name
        )
    if puzzle.has_rebus():
        raise InputError("has cells of several letters", "write one letter a cell", file=file.name)
    cells = puzzle.solution
    if not any(map(str.isalpha, cells)):
        cells = puzzle.fill
    text = "".join(
        "#" if cell in _BLOCKED else "_" if cell == _NO_LETTER else cell for cell in cells
    )
    return [text[start : start + puzzle.width] for start in range(0, len(text), puzzle.width)]
