"""Make arrowwords whose clues have one answer: pattern and fill together, or a pattern's fill."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from random import Random
from typing import Any

from satcross.backends.cp_solver import LinearExpr, new_model, solve_model
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import BLOCKED, OPEN, Cell, Grid, cell_name
from satcross.grid.connectivity import connected_parts
from satcross.make.puzzles.arrow_sweep import Picture, Sweep
from satcross.make.puzzles.arrowword import ARROWS, MAX_CLUES, Arrowword, PlacedClue
from satcross.make.puzzles.question import confirm
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import NEVER, RunSettings
from satcross.solving.solve import solve, verified
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

Arrows = dict[str, tuple[Cell, str]]
"""Slot name -> clue cell and name of the arrow."""

_MIN_SIDE, _MAX_SIDE = 4, 40
_CELLS_PER_WORD = 2
"""Cells per word of a list below which no search is begun: a finished grid has a word for 2.7."""
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
        placed = []
        for slot, (cell, arrow) in arrows.items():
            word = outcome.fill[slot]
            text = self.clues[word]
            alike = fitting[text.casefold(), len(word)] - {word}
            placed.append(PlacedClue(cell, arrow, slot, text, tuple(sorted(alike))))
        # What leaves the cell at the side is above what leaves it below.
        placed.sort(key=lambda clue: (clue.cell, ARROWS[clue.arrow].down, clue.slot))
        shown = {clue.slot: clue.text for clue in placed}
        return Arrowword(Crossword.of(outcome.grid, outcome.fill, shown), tuple(placed))


def make_arrowword(
    size: tuple[int, int], book: ClueBook, settings: RunSettings, picture: Picture | None = None
) -> Arrowword | None:
    """Make the pattern together with its fill; None when none is found in time.

    Other words of the book do not fit the clues, which SAT and CP-SAT prove. Where scores differ,
    the pattern is filled again, with good words. Raises InputError for a size, a picture or a list
    with which there is no arrowword.
    """
    _check_size(size, picture, len([word for word in book.clues if 2 <= len(word) <= max(size)]))
    scores = book.all_scores
    vocabulary = Vocabulary(scores)
    worth = {word: (score - DEFAULT_SCORE) / DEFAULT_SCORE for word, score in scores.items()}
    deadline, sweep = settings.deadline(), Sweep(worth, size, picture)
    for number in count(1):
        if deadline.passed:
            return None
        settings.on_progress(f"sweep {number} over the grid")
        rows = sweep.run(Random(f"{settings.seed} {number}"), deadline)
        grid = None if rows is None else _pattern(rows, picture)
        arrows = None if grid is None else assign_arrows(grid)
        if not (rows and grid and arrows):
            continue
        words = tuple("".join(rows[r][c] for r, c in slot.cells) for slot in grid.slots)
        puzzle = Puzzle(grid, vocabulary)
        found = [verified(puzzle, words, "sweep", settings.seed)]
        if len(set(scores.values())) > 1:
            left = None if deadline.at is None else max(0.1, deadline.left / 2)
            found.insert(0, solve(puzzle, settings=settings, time_limit=left))
        made = (book.clued(outcome, arrows) for outcome in found if outcome.fill)
        if single := _first_single(made):
            return single
    return None


def _first_single(made: Iterable[Arrowword]) -> Arrowword | None:
    """Return the first arrowword whose clues have no other answer."""
    single = next((each for each in made if other_answer(each) is None), None)
    if single:
        confirm(single.question(), NEVER)
    return single


def other_answer(puzzle: Arrowword) -> tuple[str, str] | None:
    """Return the answer of a slot, and another word that would do as well; None without one."""
    question = puzzle.question()
    words = question.another("sat", NEVER)
    pairs = zip(question.answer, words or question.answer, strict=True)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


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
        if _first_single([made]):
            return made, outcome
    raise InputError(
        f"{' and '.join(other_answer(made) or ())} have the same clue, and either fits",
        "give them different clues",
    )


def assign_arrows(grid: Grid) -> Arrows | None:
    """Return the clue cell and the arrow of each slot, with as few bent arrows as possible.

    None if some clue cell would have no clue, or more than two. Raises InputError for a slot beside
    whose first letter there is no clue cell.
    """
    model = new_model()
    held: dict[Cell, list[Any]] = {
        (row, column): []
        for row, column in product(range(grid.height), range(grid.width))
        if grid.rows[row][column] == BLOCKED and (row, column) not in grid.holes
    }
    choices = {}
    for slot in grid.slots:
        ways = []
        for name, arrow in ARROWS.items():
            cell = (slot.row - arrow.down, slot.column - arrow.right)
            if arrow.direction == slot.direction and cell in held:
                ways.append(model.new_bool_var(""))
                choices[slot.name, cell, name] = ways[-1]
                held[cell].append(ways[-1])
        if not ways:
            raise InputError(
                f"the word {slot.direction} from {cell_name(slot.cells[0])} has no clue cell "
                "beside its first letter",
                "block a cell there",
            )
        model.add_exactly_one(ways)
    for ways in held.values():
        model.add_linear_constraint(LinearExpr.sum(ways), 1, MAX_CLUES)
    costs = [ARROWS[name].cost for _, _, name in choices]
    model.minimize(LinearExpr.weighted_sum(list(choices.values()), costs))
    result = solve_model(model, NEVER)
    if result.solution is None:
        return None
    return {
        slot: (cell, name)
        for (slot, cell, name), way in choices.items()
        if result.is_true(way.index)
    }


def _pattern(rows: Sequence[str], picture: Picture | None) -> Grid | None:
    """Return the pattern of a filled grid; None if its letters are not connected."""
    opened = ["".join(BLOCKED if cell == BLOCKED else OPEN for cell in row) for row in rows]
    if len(connected_parts(opened)) > 1:
        return None
    return Grid(tuple(opened), holes=picture.cells if picture else frozenset())


def _check_size(size: tuple[int, int], picture: Picture | None, words: int) -> None:
    """Raise InputError for a size, a picture or a number of words that are not possible."""
    height, width = size
    if not all(_MIN_SIDE <= side <= _MAX_SIDE for side in size):
        raise InputError(
            f"an arrowword has {_MIN_SIDE} to {_MAX_SIDE} rows and columns, not {height}x{width}",
            "choose another size",
        )
    cells = height * width
    if picture is not None:
        top, left = picture.row, picture.column
        beside = (top, left, height - top - picture.height, width - left - picture.width)
        if any(0 < room < _BESIDE_PICTURE or room < 0 for room in beside) or not any(beside):
            raise InputError(
                f"the picture of {picture.height}x{picture.width} at {cell_name((top, left))} does "
                f"not fit into {height}x{width}",
                f"let it touch an edge, or leave {_BESIDE_PICTURE} cells or more beside it",
            )
        cells -= picture.height * picture.width
    needed = cells // _CELLS_PER_WORD
    if words < needed:
        raise InputError(
            f"{words} words with a clue that fits are too few for {height}x{width}",
            f"give at least {needed}, better some hundred, or a smaller size",
        )
