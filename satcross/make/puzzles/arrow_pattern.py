"""Patterns of arrowwords, and the arrows of a pattern, by CP-SAT.

A pattern is made that a list is likely to fill. The logarithm of the number of its fills is
estimated: for each word that of the number of words of its length, less a constant for each letter
that two words share. In the first row and column, and beside the picture, clue cells and letters
alternate where they can, as in print.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from itertools import product
from math import log
from random import Random
from typing import Any

from satcross.backends.cp_solver import (
    CpResult,
    CpSettings,
    LinearExpr,
    Literal,
    new_model,
    solve_model,
)
from satcross.errors import InputError
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell, Grid, cell_name
from satcross.grid.connectivity import connected_parts
from satcross.make.puzzles.arrowword import ARROWS, MAX_CLUES
from satcross.run_settings import NEVER, Deadline

Arrows = dict[str, tuple[Cell, str]]
"""Slot name -> clue cell and name of the arrow."""

_Start = tuple[Cell, str]
"""The first cell of a word, and its direction."""

_STEPS = {ACROSS: (0, 1), DOWN: (1, 0)}
_LINEAR = {"linearization_level": 2}
_WORK, _POWER = 0.0007, 1.5
"""CP-SAT's deterministic time, about in seconds: a factor of this power of the number of cells."""

_WEIGHT = 1.1
"""Factor of the cost of a shared letter: words are no random letters. With 1, no pattern could be
filled from the French list."""

_USUAL, _ANY = 1, 6
"""Cost of the dearest arrow of the patterns made here, and of all."""

_ENOUGH = 18.0
"""The estimate from which on more is no help."""

# Costs of a pattern, beside one for what the estimate lacks. A clue cell also has a random cost.
_CLUE_CELL, _MAX_RANDOM, _CLUE_CELLS_SIDE_BY_SIDE = 1.0, 3.0, 3.0
_NOT_ALTERNATING, _IN_ONE_WORD, _BENT_ARROW = 6.0, 2.0, 0.6
_TWO_LETTERS, _LONG_WORD = 1.5, 1.5
_LONG, _MAX_LENGTH = 7, 9
_SCARCE = 10.0
"""Cost of a word of a length that one word has; n words have 1/n of it."""


class _Model:
    """Words, the clue cells of some, and arrows from these to the words, each with its cost."""

    def __init__(self) -> None:
        self.model = new_model()
        self.costs: list[tuple[Any, float]] = []
        self._arrows: dict[tuple[_Start, tuple[Cell, str]], Literal] = {}

    def new(self, cost: float) -> Literal:
        """Return a new literal."""
        self.costs.append((self.model.new_bool_var(""), cost))
        literal: Literal = self.costs[-1][0]
        return literal

    def add_arrows(
        self, starts: Mapping[_Start, Any], clued: Mapping[Cell, Any], max_cost: int
    ) -> None:
        """Give an arrow to each word that begins, and one or two to each clue cell."""
        held = defaultdict[Cell, list[Literal]](list)
        for ((row, column), direction), begins in starts.items():
            ways = []
            for name, arrow in ARROWS.items():
                cell = (row - arrow.down, column - arrow.right)
                if arrow.direction == direction and cell in clued and arrow.cost <= max_cost:
                    ways.append(self.new(_BENT_ARROW * arrow.cost))
                    held[cell].append(ways[-1])
                    self._arrows[((row, column), direction), (cell, name)] = ways[-1]
            if not ways and isinstance(begins, int):
                raise InputError(
                    f"the word {direction} from {cell_name((row, column))} has no clue cell beside "
                    "its first letter",
                    "block a cell there",
                )
            self.model.add(LinearExpr.sum(ways) == begins)
        for cell, is_clue in clued.items():
            self.model.add(LinearExpr.sum(held[cell]) >= is_clue)
            self.model.add(LinearExpr.sum(held[cell]) <= MAX_CLUES * is_clue)

    def solve(self, deadline: Deadline, settings: CpSettings) -> CpResult:
        """Return a solution that costs little."""
        literals, costs = zip(*self.costs, strict=True)
        whole = [round(100 * cost) for cost in costs]
        self.model.minimize(LinearExpr.weighted_sum(literals, whole))
        return solve_model(self.model, deadline, settings)

    def arrows(self, grid: Grid, found: CpResult) -> Arrows:
        """Return the arrows of a solution."""
        chosen = dict(pair for pair, way in self._arrows.items() if found.is_true(way.index))
        return {slot.name: chosen[slot.cells[0], slot.direction] for slot in grid.slots}


def assign_arrows(grid: Grid) -> Arrows | None:
    """Return the clue cell and the arrow of each slot, with as few bent arrows as possible.

    None if some clue cell would have no clue, or more than two. Raises InputError for a slot beside
    whose first letter there is no clue cell.
    """
    cells = product(range(grid.height), range(grid.width))
    blocked = (cell for cell in cells if grid.rows[cell[0]][cell[1]] == BLOCKED)
    clued = {cell: 1 for cell in blocked if cell not in grid.holes}
    model = _Model()
    model.add_arrows({(slot.cells[0], slot.direction): 1 for slot in grid.slots}, clued, _ANY)
    found = model.solve(NEVER, CpSettings())
    return None if found.infeasible else model.arrows(grid, found)


class _PatternModel(_Model):
    """All patterns of a size; ``clued`` has what says whether a cell is a clue cell."""

    def __init__(
        self,
        size: tuple[int, int],
        picture: frozenset[Cell],
        words: Collection[str],
        random: Random,
    ) -> None:
        super().__init__()
        self.clued = {
            cell: self.new(_CLUE_CELL + random.random() * _MAX_RANDOM)
            for cell in product(range(size[0]), range(size[1]))
            if cell not in picture
        }
        letters = Counter("".join(words))
        squares = sum(number**2 for number in letters.values())
        self._shared = -_WEIGHT * log(squares / letters.total() ** 2)
        self._lengths = Counter(len(word) for word in words if 1 < len(word) <= _MAX_LENGTH)
        self._estimate: list[tuple[Literal, float]] = []
        self._starts: dict[_Start, Any] = {}
        for both in zip(self._add_words(ACROSS), self._add_words(DOWN), strict=True):
            self.model.add_at_most_one(both)
        self.add_arrows(self._starts, self.clued, _USUAL)
        self._add_looks()
        self._add_estimate()

    def _add_words(self, direction: str) -> list[Literal]:
        """Cover cells by words; return what says that a cell's letter is in no word."""
        down, right = _STEPS[direction]
        covering = {cell: [literal] for cell, literal in self.clued.items()}
        alone = []
        for row, column in self.clued:
            begins = []
            for length in (1, *sorted(self._lengths)):
                before, *inside, after = (
                    (row + n * down, column + n * right) for n in range(-1, length + 1)
                )
                if not self.clued.keys() >= set(inside):
                    break
                begins.append(self._new_word(length))
                for end in {before, after} & self.clued.keys():
                    self.model.add_implication(begins[-1], self.clued[end])
                for cell in inside:
                    covering[cell].append(begins[-1])
            alone.append(begins[0])
            self._starts[(row, column), direction] = LinearExpr.sum(begins[1:])
        for literals in covering.values():
            self.model.add_exactly_one(literals)
        return alone

    def _new_word(self, length: int) -> Literal:
        if length == 1:
            self._estimate.append((self.new(_IN_ONE_WORD), self._shared))
            return self._estimate[-1][0]
        number = self._lengths[length]
        cost = _TWO_LETTERS * (length == 2) + _LONG_WORD * (length >= _LONG) + _SCARCE / number
        self._estimate.append((self.new(cost), log(number)))
        return self._estimate[-1][0]

    def _add_looks(self) -> None:
        """Let clue cells alternate with letters at edges, and not be side by side."""
        alternating: dict[Cell, bool] = {}
        for (row, column), literal in self.clued.items():
            for beside in {(row + 1, column), (row, column + 1)} & self.clued.keys():
                both = self.new(_CLUE_CELLS_SIDE_BY_SIDE)
                self.model.add_bool_or([both, ~literal, ~self.clued[beside]])
            before = {(row - 1, column), (row, column - 1)} & self.clued.keys()
            if len(before) < 2:
                is_clue = not any(map(alternating.get, before))
                alternating[row, column] = is_clue
                self.costs.append((literal, -_NOT_ALTERNATING if is_clue else _NOT_ALTERNATING))

    def _add_estimate(self) -> None:
        terms = [*self._estimate, *((literal, self._shared) for literal in self.clued.values())]
        literals, worth = zip(*terms, strict=True)
        needed = round(100 * (_ENOUGH + self._shared * len(self.clued)))
        lacking = self.model.new_int_var(0, needed, "")
        self.costs.append((lacking, 0.01))
        estimate = LinearExpr.weighted_sum(literals, [round(100 * each) for each in worth])
        self.model.add(estimate + lacking >= needed)


def make_pattern(
    size: tuple[int, int],
    picture: frozenset[Cell],
    words: Collection[str],
    random: Random,
    deadline: Deadline,
) -> tuple[Grid, Arrows] | None:
    """Return a pattern with a picture's cells left free, and its arrows; None for none in time."""
    model = _PatternModel(size, picture, words, random)
    seed, work = random.randrange(2**31), _WORK * len(model.clued) ** _POWER
    while True:
        found = model.solve(deadline, CpSettings(seed, work=work, parameters=_LINEAR))
        if found.solution or found.infeasible or deadline.passed:
            break
        work *= 2
    if found.solution is None:
        return None
    opened = {cell for cell, clue in model.clued.items() if not found.is_true(clue.index)}
    rows = tuple(
        "".join(OPEN if (row, column) in opened else BLOCKED for column in range(size[1]))
        for row in range(size[0])
    )
    grid = Grid(rows, holes=picture)
    return (grid, model.arrows(grid, found)) if len(connected_parts(rows)) == 1 else None
