"""Whether a codeword or fill-in has exactly one solution, and a second one that is close to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from satcross.errors import InputError
from satcross.make.puzzles.arrow_files import ArrowCheck, check_arrowword
from satcross.make.puzzles.arrowword import Arrowword
from satcross.make.puzzles.codeword import Codeword, codeword_question
from satcross.make.puzzles.files import read_puzzle
from satcross.make.puzzles.fill_in import FillIn, fill_in_question, printed_letters
from satcross.make.puzzles.question import Question, confirm
from satcross.run_settings import Deadline
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Check:
    """The solution of a puzzle, in rows with ``#`` for blocks, and a second one if there is one.

    ``differences`` is the number of squares in which they differ: as few as possible.
    """

    solution: list[str]
    second: list[str] | None = None
    differences: int = 0

    def lines(self) -> Iterator[str]:
        """Yield what was found, as text."""
        if self.second is None:
            yield "Exactly one solution: sat and cpsat agree that there is no other."
            return
        yield f"Two solutions, which differ in {counted(self.differences, 'cell')}:"
        for row, other in zip(self.solution, self.second, strict=True):
            yield f"{row}   {other}"

    def to_data(self) -> dict[str, object]:
        """Return what was found as JSON values."""
        found = {"unique": self.second is None, "solution": self.solution}
        return {**found, "second": self.second, "differences": self.differences}


def check_puzzle(
    path: str, read_vocabulary: Callable[[], Vocabulary], deadline: Deadline
) -> Check | ArrowCheck:
    """Check a puzzle from its .json. Words of a codeword are those of the vocabulary.

    Raises InputError for a file that is no puzzle, and TimeUp.
    """
    if (arrowword := check_arrowword(path)) is not None:
        return arrowword
    puzzle = read_puzzle(path)
    assert not isinstance(puzzle, Arrowword)
    question = printed_question(puzzle, read_vocabulary, path)
    rows = _rows(puzzle, {})
    words = question.another("cpsat", deadline, nearest=True)
    if words is None:
        confirm(question, deadline, "sat")
        return Check(rows)
    second = _rows(puzzle, question.letters(dict(enumerate(words))))
    differences = sum(question.sizes[cell] for cell in question.differences(words))
    return Check(rows, second, differences)


def printed_question(
    puzzle: Codeword | FillIn, read_vocabulary: Callable[[], Vocabulary], path: str
) -> Question:
    """What the solver of a printed puzzle is asked. Raises InputError for what no word decides."""
    if isinstance(puzzle, Codeword):
        question = codeword_question(puzzle.crossword, puzzle.numbers, read_vocabulary())
        given = {(0, puzzle.numbers[letter]): letter for letter in puzzle.given}
    else:
        question = fill_in_question(puzzle.crossword)
        given = printed_letters(puzzle.crossword.grid)
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


def _rows(puzzle: Codeword | FillIn, letters: dict[tuple[int, int], str]) -> list[str]:
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
