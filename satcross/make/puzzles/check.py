"""Whether a puzzle has exactly one solution, and a second one that is close to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satcross.errors import InputError
from satcross.formats.files import read_text
from satcross.formats.json import crossword_from_data, parse_json
from satcross.make.puzzles.arrow_files import arrow_faults
from satcross.make.puzzles.arrowword import arrowword_question
from satcross.make.puzzles.codeword import Codeword, codeword_question
from satcross.make.puzzles.files import puzzle_of_json
from satcross.make.puzzles.fill_in import FillIn, fill_in_question, printed_letters
from satcross.make.puzzles.page import Printed
from satcross.make.puzzles.question import Question, confirm
from satcross.run_settings import Deadline
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a puzzle has exactly one solution, in lines of text and as JSON values.

    ``second`` has the rows of another solution if there is one, and ``differences`` is the number
    of squares in which it differs: as few as possible.
    """

    unique: bool
    lines: Sequence[str]
    data: Mapping[str, object]
    second: list[str] | None = None
    differences: int = 0


def check_puzzle(path: str, read_vocabulary: Callable[[], Vocabulary], deadline: Deadline) -> Check:
    """Check a puzzle from its .json. Words of a codeword are those of the vocabulary.

    Raises InputError for a file that is no puzzle, and TimeUp.
    """
    data: Any = parse_json(read_text(path).text, path)
    is_arrowword = data["puzzle"].get("kind") == "arrowword"
    if is_arrowword and (faults := _arrow_faults(data, path)):
        return Check(False, faults, {"unique": False, "faults": faults})
    puzzle = puzzle_of_json(data, path)
    question = printed_question(puzzle, read_vocabulary, path)
    rows, second, differences = _rows(puzzle, {}), None, 0
    words = question.another("cpsat", deadline, nearest=True)
    if words is None:
        confirm(question, deadline, "sat")
        lines = ["Exactly one solution: sat and cpsat agree that there is no other."]
        if is_arrowword:
            lines.append(f"Each of the {counted(len(question.slots), 'word')} has one clue.")
    else:
        second = _rows(puzzle, question.letters(dict(enumerate(words))))
        differences = sum(question.sizes[cell] for cell in question.differences(words))
        lines = [f"Two solutions, which differ in {counted(differences, 'cell')}:"]
        lines += [f"{row}   {other}" for row, other in zip(rows, second, strict=True)]
    found = {"unique": second is None, "solution": rows}
    found |= {"second": second, "differences": differences}
    found |= {"faults": []} if is_arrowword else {}
    return Check(second is None, lines, found, second, differences)


def _arrow_faults(data: Mapping[str, Any], path: str) -> list[str]:
    """Return what is wrong with clue cells. Raises InputError where values are missing."""
    try:
        grid = crossword_from_data(data, path, []).grid
        return list(arrow_faults(grid, data["puzzle"]["clue_cells"]))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InputError(
            "the clue cells are no longer complete", "write the .json again", file=path
        ) from None


def printed_question(
    puzzle: Printed, read_vocabulary: Callable[[], Vocabulary], path: str
) -> Question:
    """What the solver of a printed puzzle is asked. Raises InputError for what no word decides."""
    if isinstance(puzzle, Codeword):
        question = codeword_question(puzzle.crossword, puzzle.numbers, read_vocabulary())
        given = {(0, puzzle.numbers[letter]): letter for letter in puzzle.given}
    elif isinstance(puzzle, FillIn):
        question = fill_in_question(puzzle.crossword)
        given = printed_letters(puzzle.crossword.grid)
    else:
        question, given = arrowword_question(puzzle), {}
    reached = {cell for cells in question.slots for cell in cells}
    undecided = sorted(set(question.sizes) - reached - set(given))
    if undecided:
        where = f"row {undecided[0][0] + 1}, column {undecided[0][1] + 1}"
        if isinstance(puzzle, Codeword):
            where = f"number {undecided[0][1]}"
        raise InputError(
            f"{where} is in no word, and its letter is not given", "give it", file=path
        )
    return question.given(given)


def _rows(puzzle: Printed, letters: dict[tuple[int, int], str]) -> list[str]:
    """The rows of the solution, with other letters in the cells of the question."""

    def shown(row: int, column: int, own: str | None) -> str:
        if own is None:
            return "#"
        cell = (0, puzzle.numbers[own]) if isinstance(puzzle, Codeword) else (row, column)
        return letters.get(cell, own)

    return [
        "".join(shown(r, c, own) for c, own in enumerate(row))
        for r, row in enumerate(puzzle.crossword.solution)
    ]
