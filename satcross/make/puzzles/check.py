"""Whether a puzzle has exactly one solution, and a second one that is close to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satcross.errors import InputError
from satcross.formats.files import read_text
from satcross.formats.json import parse_json
from satcross.grid import cell_name
from satcross.make.puzzles.arrowword import Arrowword
from satcross.make.puzzles.files import parse_puzzle
from satcross.make.puzzles.question import Question, confirm
from satcross.run_settings import Deadline
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a puzzle has exactly one solution, in lines of text and as JSON values.

    ``second`` of the values has the rows of another solution if there is one, and ``differences``
    the number of squares in which it differs: as few as possible.
    """

    unique: bool
    lines: Sequence[str]
    data: Mapping[str, Any]


def check_puzzle(path: str, read_vocabulary: Callable[[], Vocabulary], deadline: Deadline) -> Check:
    """Check a puzzle from its .json. Words of a codeword are those of the vocabulary.

    Raises InputError for a file that is no puzzle, and TimeUp.
    """
    puzzle = parse_puzzle(parse_json(read_text(path).text, path), path)
    if faults := puzzle.faults():
        return Check(False, faults, {"unique": False, "faults": faults})
    question = puzzle.question(read_vocabulary)
    _check_decided(question, path)
    rows, second, differences = puzzle.rows(), None, 0
    words = question.another("cpsat", deadline, nearest=True)
    if words is None:
        confirm(question, deadline, "sat")
        lines = ["Exactly one solution: sat and cpsat agree that there is no other."]
        if isinstance(puzzle, Arrowword):
            lines.append(f"Each of the {counted(len(question.slots), 'word')} has one clue.")
    else:
        second = puzzle.rows(question.letters(dict(enumerate(words))))
        differences = sum(question.sizes[cell] for cell in question.differences(words))
        lines = [f"Two solutions, which differ in {counted(differences, 'cell')}:"]
        lines += [f"{row}   {other}" for row, other in zip(rows, second, strict=True)]
    found = {"unique": second is None, "solution": rows}
    found |= {"second": second, "differences": differences}
    found |= {"faults": []} if isinstance(puzzle, Arrowword) else {}
    return Check(second is None, lines, found)


def _check_decided(question: Question, path: str) -> None:
    """Raise InputError for a cell that no word and no given letter decides."""
    reached = {cell for cells in question.slots for cell in cells}
    undecided = sorted(set(question.sizes) - reached - question.printed)
    if undecided:
        row, column = undecided[0]
        where = cell_name((row, column))
        if question.distinct:
            where = f"number {column}"
        raise InputError(
            f"{where} is in no word, and its letter is not given", "give it", file=path
        )
