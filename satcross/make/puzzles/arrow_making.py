"""Make arrowwords whose clues have one answer, on patterns of ours or on given ones.

Patterns, and the arrows of a pattern, are made by CP-SAT. A pattern is made that a list is likely
to fill. The logarithm of the number of its fills is estimated: for each word that of the number of
words of its length, less a constant for each letter that two words share. In the first row and
column, and beside the picture, clue cells and letters alternate where they can, as in print.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from math import log
from random import Random
from typing import Any

from satcross.backends import cp_solver as cp
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell, Grid, cell_name, read_cell
from satcross.grid.connectivity import connected_parts
from satcross.make.puzzles.arrowword import ARROWS, MAX_CLUES, Arrowword, ClueCell, PlacedClue
from satcross.make.puzzles.question import confirm
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import NEVER, Deadline, RunSettings
from satcross.solving.solve import solve
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

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


# Patterns


class _Model:
    """Words, the clue cells of some, and arrows from these to the words, each with its cost."""

    def __init__(self) -> None:
        self.model = cp.new_model()
        self.costs: list[tuple[Any, float]] = []
        self._arrows: dict[tuple[_Start, tuple[Cell, str]], cp.Literal] = {}

    def new(self, cost: float) -> cp.Literal:
        self.costs.append((self.model.new_bool_var(""), cost))
        literal: cp.Literal = self.costs[-1][0]
        return literal

    def add_arrows(
        self, starts: Mapping[_Start, Any], clued: Mapping[Cell, Any], max_cost: int
    ) -> None:
        """Give an arrow to each word that begins, and one or two to each clue cell."""
        held = defaultdict[Cell, list[cp.Literal]](list)
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
            self.model.add(cp.LinearExpr.sum(ways) == begins)
        for cell, is_clue in clued.items():
            self.model.add(cp.LinearExpr.sum(held[cell]) >= is_clue)
            self.model.add(cp.LinearExpr.sum(held[cell]) <= MAX_CLUES * is_clue)

    def solve(self, deadline: Deadline, settings: cp.CpSettings) -> cp.CpResult:
        """Return a solution that costs little."""
        literals, costs = zip(*self.costs, strict=True)
        whole = [round(100 * cost) for cost in costs]
        self.model.minimize(cp.LinearExpr.weighted_sum(literals, whole))
        return cp.solve_model(self.model, deadline, settings)

    def arrows(self, grid: Grid, found: cp.CpResult) -> Arrows:
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
    found = model.solve(NEVER, cp.CpSettings())
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
        self._estimate: list[tuple[cp.Literal, float]] = []
        self._starts: dict[_Start, Any] = {}
        for both in zip(self._add_words(ACROSS), self._add_words(DOWN), strict=True):
            self.model.add_at_most_one(both)
        self.add_arrows(self._starts, self.clued, _USUAL)
        self._add_looks()
        self._add_estimate()

    def _add_words(self, direction: str) -> list[cp.Literal]:
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
            self._starts[(row, column), direction] = cp.LinearExpr.sum(begins[1:])
        for literals in covering.values():
            self.model.add_exactly_one(literals)
        return alone

    def _new_word(self, length: int) -> cp.Literal:
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
        estimate = cp.LinearExpr.weighted_sum(literals, [round(100 * each) for each in worth])
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
        found = model.solve(deadline, cp.CpSettings(seed, work=work, parameters=_LINEAR))
        if found.solution or found.infeasible or deadline.passed:
            break
        work *= 2
    if found.solution is None:
        return None
    opened = {cell for cell, clue in model.clued.items() if not found.is_true(clue.index)}
    whole = Grid((BLOCKED * size[1],) * size[0], holes=picture)
    grid = whole.with_cells(dict.fromkeys(opened, OPEN))
    return (grid, model.arrows(grid, found)) if len(connected_parts(grid.rows)) == 1 else None
