"""Make arrowwords whose clues have one answer, on patterns of ours or on given ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from random import Random

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import Cell, Grid, cell_name, read_cell
from satcross.make.puzzles.arrow_pattern import Arrows, assign_arrows, make_pattern
from satcross.make.puzzles.arrowword import ARROWS, Arrowword, ClueCell, PlacedClue
from satcross.make.puzzles.question import confirm
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import NEVER, RunSettings
from satcross.solving.solve import solve
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

_PLACED = re.compile(r"(\d+)x(\d+)(?:@(top|bottom)-(left|right)|@(r\d+c\d+))?", re.IGNORECASE)
_MIN_SIDE, _MAX_SIDE = 4, 40
_CELLS_PER_WORD = 2
"""Cells per word of a list below which no search is begun: a finished grid has a word for 2.7."""
_FILL_SECONDS = 10.0
"""How long a pattern's fill is looked for; nearly all are filled, or refuted, in a second."""
_MAX_FILLS = 10
"""How many fills of a pattern are tried, if each has another answer to its clues."""
_BESIDE_PICTURE = 3
"""Minimum number of rows or columns between the picture and an edge that it does not touch."""


@dataclass(frozen=True, slots=True)
class ClueBook:
    """The clue of each word that may be used, the scores of some, and remarks about the files.

    ``written`` maps each word that a solver may think of to all its clues, in capitals if those
    printed are; without it, it is ``clues``.
    """

    clues: Mapping[str, str]
    written: Mapping[str, Collection[str]] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def all_scores(self) -> dict[str, int]:
        """The score of each word that may be used."""
        return {word: self.scores.get(word, DEFAULT_SCORE) for word in self.clues}

    def clued(self, outcome: Outcome, arrows: Arrows) -> Arrowword:
        """Return the arrowword of a fill."""
        assert outcome.grid is not None
        assert outcome.fill is not None
        fitting: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        for word, texts in (self.written or {w: [text] for w, text in self.clues.items()}).items():
            for text in texts:
                fitting[text.casefold(), len(word)].add(word)
        cells: dict[Cell, list[PlacedClue]] = {}
        # What leaves the cell at the side is above what leaves it below.
        order = sorted((cell, ARROWS[arrow].down, slot) for slot, (cell, arrow) in arrows.items())
        for cell, _, slot in order:
            word = outcome.fill[slot]
            text = self.clues[word]
            alike = fitting[text.casefold(), len(word)] - {word}
            clue = PlacedClue(slot, arrows[slot][1], text, tuple(sorted(alike)))
            cells.setdefault(cell, []).append(clue)
        shown = {slot: self.clues[word] for slot, word in outcome.fill.items()}
        crossword = Crossword.of(outcome.grid, outcome.fill, shown)
        return Arrowword(
            crossword, tuple(ClueCell(*cell, tuple(clues)) for cell, clues in cells.items())
        )


def make_arrowword(
    size: tuple[int, int],
    book: ClueBook,
    settings: RunSettings,
    picture: frozenset[Cell] = frozenset(),
) -> Arrowword | None:
    """Make a pattern that leaves the picture's cells free, and fill it; None for none in time.

    Other words of the book do not fit the clues, which SAT and CP-SAT prove. Raises InputError for
    a size, a picture or a list with which there is no arrowword.
    """
    _check_size(size, picture, len([word for word in book.clues if 2 <= len(word) <= max(size)]))
    deadline, vocabulary = settings.deadline(), Vocabulary(book.all_scores)
    for number in count(1):
        if deadline.passed:
            return None
        settings.on_progress(f"pattern {number}")
        random = Random(f"{settings.seed} {number}")
        if (pattern := make_pattern(size, picture, book.clues, random, deadline)) is None:
            continue
        left = min(_FILL_SECONDS, deadline.left)
        outcome = solve(Puzzle(pattern[0], vocabulary), settings=settings, time_limit=left)
        if outcome.fill and not _other_answer(made := book.clued(outcome, pattern[1])):
            return made
    return None


def _other_answer(puzzle: Arrowword) -> tuple[str, str] | None:
    """Return the answer of a slot, and another word that would do as well; None without one.

    SAT looks for it, and CP-SAT confirms that there is none.
    """
    question = puzzle.question()
    words = question.another("sat", NEVER)
    if words is None:
        confirm(question, NEVER)
        return None
    return next(pair for pair in zip(question.answer, words, strict=True) if len({*pair}) > 1)


def fill_pattern(
    grid: Grid, book: ClueBook, settings: RunSettings
) -> tuple[Arrowword | None, Outcome]:
    """Fill a pattern whose blocked cells are to be clue cells; None with why there is no fill.

    Raises InputError where the words of the pattern can't all be clued from its blocked cells, or
    where several fills have another answer to their clues.
    """
    arrows = assign_arrows(grid)
    if arrows is None:
        raise InputError(
            "its words can't all be clued, since a clue cell holds one or two clues",
            "block cells beside the first letters of words",
        )
    puzzle, deadline = Puzzle(grid, Vocabulary(book.all_scores)), settings.deadline()
    for number in range(_MAX_FILLS):
        left, seed = settings.time_limit and deadline.left, settings.seed + number
        outcome = solve(puzzle, settings=settings, time_limit=left, seed=seed)
        if not outcome.fill:
            return None, outcome
        made = book.clued(outcome, arrows)
        if (pair := _other_answer(made)) is None:
            return made, outcome
    raise InputError(
        f"{' and '.join(pair or ())} have the same clue, and either fits",
        "give them different clues",
    )


def read_picture(text: str, size: tuple[int, int]) -> frozenset[Cell]:
    """Return the cells of ``4x5``, ``4x5@top-right`` or ``4x5@r4c5``. Raises InputError."""
    found = _PLACED.fullmatch(text.strip())
    height, width = (int(found[1]), int(found[2])) if found else (0, 0)
    if found is None or not height * width:
        raise InputError(f"bad --picture {text!r}", "write 4x5, 4x5@top-right, or 4x5@r4c5")
    top, left = read_cell(found[5] or "") or (
        size[0] - height if (found[3] or "").lower() == "bottom" else 0,
        size[1] - width if (found[4] or "").lower() == "right" else 0,
    )
    return frozenset(product(range(top, top + height), range(left, left + width)))


def _check_size(size: tuple[int, int], picture: frozenset[Cell], words: int) -> None:
    """Raise InputError for a size, a picture or a number of words that are not possible."""
    height, width = size
    if not all(_MIN_SIDE <= side <= _MAX_SIDE for side in size):
        raise InputError(
            f"an arrowword has {_MIN_SIDE} to {_MAX_SIDE} rows and columns, not {height}x{width}",
            "choose another size",
        )
    if picture:
        (top, left), (bottom, right) = min(picture), max(picture)
        beside = (top, left, height - 1 - bottom, width - 1 - right)
        if any(0 < room < _BESIDE_PICTURE or room < 0 for room in beside) or not any(beside):
            raise InputError(
                f"the picture of {bottom - top + 1}x{right - left + 1} at {cell_name((top, left))} "
                f"does not fit into {height}x{width}",
                f"let it touch an edge, or leave {_BESIDE_PICTURE} cells or more beside it",
            )
    needed = (height * width - len(picture)) // _CELLS_PER_WORD
    if words < needed:
        raise InputError(
            f"{words} words with a clue that fits are too few for {height}x{width}",
            f"give at least {needed}, better some hundred, or a smaller size",
        )
