"""From a request's question to a puzzle."""

from __future__ import annotations

from satcross.errors import InputError
from satcross.formats.words import normalise
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary
from satcross.web.messages import Question


def read_grid(rows: tuple[str, ...] | list[str]) -> Grid:
    """The grid of a request. Raises InputError when it has no slot, or a letter is none."""
    try:
        grid = Grid.from_rows(rows, letters=True)
    except ValueError as error:
        raise InputError(str(error)) from None
    if not grid.slots:
        raise InputError(
            "the grid has no slot: no two open cells are side by side", "open some cells"
        )
    return grid


def make_puzzle(question: Question, vocabulary: Vocabulary) -> Puzzle:
    """The puzzle. Raises InputError when its grid or its locks are wrong."""
    locks = {name.upper(): normalise(word) for name, word in question.locks.items()}
    for name, word in locks.items():
        if not word.isprintable():
            raise InputError(f"lock {name}={word!r}: a control character is no letter")
    return Puzzle(
        read_grid(question.rows),
        vocabulary,
        locks,
        question.min_score,
        frozenset(map(normalise, question.excluded)),
        question.allow_repeats,
    )


def check(question: Question) -> None:
    """Raise InputError when the question is wrong by itself, whatever the word lists have."""
    make_puzzle(question, Vocabulary(()))
