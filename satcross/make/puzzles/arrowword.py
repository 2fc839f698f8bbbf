"""Arrowwords (Swedish puzzles, mots fléchés): the clues stand in cells of the grid.

A clue cell holds one or two clues, each with an arrow to the first letter of its word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from random import Random
from typing import Any, NamedTuple

from satcross.backends.cp_solver import LinearExpr, new_model, solve_model
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell, Grid, cell_name
from satcross.grid.connectivity import connected_parts
from satcross.make.puzzles.arrow_sweep import Picture, Sweep
from satcross.make.puzzles.question import Question, confirm, crossword_question
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import NEVER, RunSettings
from satcross.solving.solve import solve, verified
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary


class Arrow(NamedTuple):
    """A form of arrow: where the first letter is, seen from the clue cell; the word's direction;
    and what the form costs: solvers know straight arrows best."""

    down: int
    right: int
    direction: str
    cost: int


ARROWS = {
    "right": Arrow(0, 1, ACROSS, 0),
    "down": Arrow(1, 0, DOWN, 0),
    "right-down": Arrow(0, 1, DOWN, 1),
    "down-right": Arrow(1, 0, ACROSS, 1),
    "left-down": Arrow(0, -1, DOWN, 3),
    "up-right": Arrow(-1, 0, ACROSS, 3),
    "corner-right": Arrow(1, 1, ACROSS, 6),
    "corner-down": Arrow(1, 1, DOWN, 6),
}
"""The eight forms by name."""

Arrows = dict[str, tuple[Cell, str]]
"""Slot name -> clue cell and name of the arrow."""

MAX_CLUES = 2
MIN_TEXT_SIZE = 4.75
"""Smallest size of clue text, in points, unless the user sets another."""
_MIN_SIDE, _MAX_SIDE = 4, 40
_CELLS_PER_WORD = 2
"""Cells per word of a list below which no search is begun: a finished grid has a word for 2.7."""
_MAX_FILLS = 10
"""How many fills of a pattern are tried, if each has another answer to its clues."""
_BESIDE_PICTURE = 3
"""Minimum number of rows or columns between the picture and an edge that it does not touch."""


@dataclass(frozen=True, slots=True)
class PlacedClue:
    """A clue in its cell: the form of its arrow, and the name of the slot that it is for.

    ``alike`` are the other words of the list, as long as the answer, that have this clue, too.
    """

    cell: Cell
    arrow: str
    slot: str
    text: str
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrowword:
    """A crossword whose blocked cells hold clues, but for the holes, the picture's cells.

    ``clues`` has one for each slot, in reading order of their cells; the upper one of two is first.
    They are set in ``text_size`` points or more.
    """

    crossword: Crossword
    clues: tuple[PlacedClue, ...]
    text_size: float = MIN_TEXT_SIZE

    def in_cells(self) -> dict[Cell, list[PlacedClue]]:
        """Return the clues of each clue cell."""
        cells: dict[Cell, list[PlacedClue]] = {}
        for clue in self.clues:
            cells.setdefault(clue.cell, []).append(clue)
        return cells


def make_arrowword(
    size: tuple[int, int],
    clues: Mapping[str, str],
    settings: RunSettings,
    *,
    picture: Picture | None = None,
    scores: Mapping[str, int] | None = None,
    written: Mapping[str, Collection[str]] | None = None,
) -> Arrowword | None:
    """Make the pattern together with its fill; None when none is found in time.

    ``clues`` maps each word that may be used to its clue, and ``written`` each word that a solver
    may think of to all its clues; without it, it is ``clues``. Other words of ``written`` do not
    fit the clues, which SAT and CP-SAT prove. Where ``scores`` differ, the pattern is filled again,
    with good words. Raises InputError for a size, a picture or a list with which there is no
    arrowword.
    """
    _check_size(size, picture, len([word for word in clues if 2 <= len(word) <= max(size)]))
    scores = {word: (scores or {}).get(word, DEFAULT_SCORE) for word in clues}
    worth = {word: (score - DEFAULT_SCORE) / DEFAULT_SCORE for word, score in scores.items()}
    deadline = settings.deadline()
    sweep, texts = Sweep(worth, size, picture), _Texts(clues, written)
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
        puzzle = Puzzle(grid, Vocabulary(scores))
        made = [texts.clued(verified(puzzle, words, "sweep", settings.seed), arrows)]
        if len(set(scores.values())) > 1:
            left = None if deadline.at is None else max(0.1, deadline.left / 2)
            better = solve(puzzle, settings=settings, time_limit=left)
            made = [texts.clued(better, arrows), *made] if better.fill else made
        if unique := next((each for each in made if other_answer(each) is None), None):
            confirm(arrowword_question(unique), NEVER)
            return unique
    return None


def arrowword_question(puzzle: Arrowword) -> Question:
    """What a solver is asked who knows the list: words that fit the clues."""
    words = puzzle.crossword.words
    alike = {words[clue.slot]: clue.alike for clue in puzzle.clues}
    return crossword_question(puzzle.crossword, lambda word: (word, *alike[word]))


def other_answer(puzzle: Arrowword) -> tuple[str, str] | None:
    """Return the answer of a slot, and another word that would do as well; None without one."""
    question = arrowword_question(puzzle)
    words = question.another("sat", NEVER)
    pairs = zip(question.answer, words or question.answer, strict=True)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


def fill_pattern(
    grid: Grid,
    clues: Mapping[str, str],
    settings: RunSettings,
    scores: Mapping[str, int],
    written: Mapping[str, Collection[str]] | None = None,
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
    vocabulary = Vocabulary({word: scores.get(word, DEFAULT_SCORE) for word in clues})
    texts, deadline = _Texts(clues, written), settings.deadline()
    other: Sequence[str] | None = None
    for number in range(_MAX_FILLS):
        left, seed = settings.time_limit and deadline.left, settings.seed + number
        outcome = solve(Puzzle(grid, vocabulary), settings=settings, time_limit=left, seed=seed)
        if not outcome.fill:
            return None, outcome
        made = texts.clued(outcome, arrows)
        other = other_answer(made)
        if other is None:
            confirm(arrowword_question(made), NEVER)
            return made, outcome
    assert other is not None
    raise InputError(
        f"{' and '.join(other)} have the same clue, and either fits",
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


class _Texts:
    """The clues of words, and which words share them."""

    def __init__(
        self, clues: Mapping[str, str], written: Mapping[str, Collection[str]] | None
    ) -> None:
        self._clues = clues
        self._words: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        for word, texts in (written or {word: [text] for word, text in clues.items()}).items():
            for text in texts:
                self._words[text.casefold(), len(word)].add(word)

    def clued(self, outcome: Outcome, arrows: Arrows) -> Arrowword:
        """Return the arrowword of a fill."""
        assert outcome.grid is not None
        assert outcome.fill is not None
        placed = []
        for slot, (cell, arrow) in arrows.items():
            word = outcome.fill[slot]
            text = self._clues[word]
            alike = self._words[text.casefold(), len(word)] - {word}
            placed.append(PlacedClue(cell, arrow, slot, text, tuple(sorted(alike))))
        # What leaves the cell at the side is above what leaves it below.
        placed.sort(key=lambda clue: (clue.cell, ARROWS[clue.arrow].down, clue.slot))
        texts = {clue.slot: clue.text for clue in placed}
        return Arrowword(Crossword.of(outcome.grid, outcome.fill, texts), tuple(placed))


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
