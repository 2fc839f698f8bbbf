"""Make block patterns by CP-SAT: demands are constraints, good looks are the objective.

Used for British grids, for American ones that are too small for annealing (``american``), and for
proofs that there is no pattern. One Boolean variable per cell says whether the cell is blocked;
cells that the symmetry maps to each other share a variable. Connectivity is enforced by lazy cuts:
where a solution is disconnected, one of the blocks around a component must open, or a cell inside
or a cell outside it must close. Every connected pattern satisfies the cuts, so a proof that uses
them is valid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
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
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell
from satcross.grid.connectivity import connected_parts, neighbours
from satcross.grid.styles import MIN_WORD_LENGTH, Style
from satcross.make.pattern.demands import (
    CountWords,
    Demands,
    EntryPlacement,
    Pattern,
    letters_at,
    with_ends,
)
from satcross.run_settings import Deadline


class ImpossibleError(Exception):
    """CP-SAT has proved that no pattern, or no further pattern, meets the demands."""


_WORK = 2.0
"""CP-SAT's deterministic time for a pattern, in units of about a second; it doubles on failure."""

# Penalties of the objective. Each block also has a random weight below _MAX_RANDOM_WEIGHT.
_MAX_RANDOM_WEIGHT = 12
_BLOCK = 1
_SQUARE_OF_BLOCKS = 14
_LINE_OF_BLOCKS = 6
_MAX_LINE = 6
"""Number of consecutive blocks that is penalised."""
_THREE_LETTERS = 2
_LONG_WORD = 2
_LONG_WORD_LENGTH = 10
_OFF_TARGET = 4
_OTHER_LATTICE = 40
_FEW_WORDS_COSTS = ((3, 12), (10, 4), (30, 1))
"""(number of words, penalty): penalty of a slot for which the entries leave at most that many."""
_DOWN_ENTRY = 24
_ENTRY_AT_EDGE = 5
_ALONE = 40
"""Penalty of a slot with an entry whose opposite slot has none."""


def solutions(model: Any, random: Random, deadline: Deadline) -> Iterator[CpResult]:
    """Yield solutions of a model, which is changed in between, until the deadline.

    Raises ImpossibleError when there is none.
    """
    work = _WORK
    while not deadline.passed:
        settings = CpSettings(seed=random.randrange(2**31), work=work)
        result = solve_model(model, deadline, settings)
        if result.infeasible:
            raise ImpossibleError
        if result.solution is None:
            work *= 2
        else:
            yield result


class PatternModel:
    """CP-SAT model of the demands, which yields one pattern after another."""

    def __init__(self, demands: Demands, words: CountWords) -> None:
        self._demands, self._list = demands, words
        self._model = new_model()
        height, width = demands.height, demands.width
        self._cells = [(row, column) for row in range(height) for column in range(width)]
        self._blocked: dict[Cell, Literal] = {}
        for cell in self._cells:
            known = self._blocked.get(demands.partner(cell))
            self._blocked[cell] = self._model.new_bool_var("") if known is None else known
        self._lines = [[(row, column) for column in range(width)] for row in range(height)]
        self._lines += [[(row, column) for row in range(height)] for column in range(width)]
        self._lattices: dict[tuple[int, int], Literal] = {}
        self._flaws: list[tuple[Literal, int]] = []
        self._checked_placements: set[tuple[EntryPlacement, ...]] = set()
        self._longest = demands.max_length or max(height, width)
        self._add_length_limits()
        self._words = self._add_word_count()
        if demands.style is Style.BRITISH:
            self._add_british_rules()
        if demands.max_blocks is not None:
            self._model.add(sum(self._blocked.values()) <= demands.max_blocks)
        self._entry_literals: dict[EntryPlacement, Literal] = {}
        self._add_entries()
        self._model.add_bool_or([~blocked for blocked in self._blocked.values()])
        self._flaws += self._aesthetic_penalties()
        self._forbid_dead_slots(())

    def find(self, random: Random, target: int, deadline: Deadline) -> Pattern | None:
        """Return a connected pattern in which words cross the entries, or None at the deadline.

        ``random`` draws the weights of the cells; ``target`` is the number of words to aim for.
        Raises ImpossibleError when no pattern is left.
        """
        self._set_objective(random, target)
        for result in solutions(self._model, random, deadline):
            pattern = self._read(result)
            dead = self._forbid_dead_slots(pattern.placements)
            if not self._cut_if_disconnected(pattern) and not dead:
                return pattern
            self._set_objective(random, target)
        return None

    def _forbid_dead_slots(self, placements: tuple[EntryPlacement, ...]) -> bool:
        """Forbid slots for which the placed entries leave no word; penalise slots with few words.

        Checks every slot that could cross the entries, except where the slot itself holds an entry:
        that is a legal word even if no list has it. Returns False when these placements have
        already been checked.
        """
        if placements in self._checked_placements:
            return False
        self._checked_placements.add(placements)
        owner = {cell: place for place in placements for cell in place.cells}
        letters = letters_at(placements)
        for line in self._lines:
            direction = ACROSS if line[0][0] == line[1][0] else DOWN
            for first, last in combinations(range(len(line)), 2):
                cells = tuple(line[first : last + 1])
                crossed = tuple(dict.fromkeys(owner[cell] for cell in cells if cell in owner))
                parallel = any(place.direction == direction for place in crossed)
                fits = self._demands.min_length <= len(cells) <= self._longest
                if fits and not parallel and (crossed or not placements):
                    words = self._list([letters.get(cell) for cell in cells])
                    self._penalise_few_words(cells, direction, crossed, words)
        return True

    def _penalise_few_words(
        self,
        cells: tuple[Cell, ...],
        direction: str,
        crossed: tuple[EntryPlacement, ...],
        words: int,
    ) -> None:
        """Penalise a slot with so many words while these entries are placed; forbid it for 0."""
        cost = next((cost for max_words, cost in _FEW_WORDS_COSTS if words <= max_words), 0)
        if not cost:
            return
        entries = (EntryPlacement(word, direction, cells) for word in self._demands.entries)
        known = self._entry_literals
        unless = [known[place] for place in entries if place in known]
        if words:
            unless.append(self._model.new_bool_var(""))
            self._flaws.append((unless[-1], cost))
        before, *inside, after = with_ends(cells)
        opposite = [~known[place] for place in crossed]
        blocked = [self._blocked[cell] for cell in inside]
        self._clause([*opposite, *unless, *blocked], map(self._blocked.get, (before, after)))

    def forbid(self, pattern: Pattern) -> None:
        """Exclude this pattern with its entries in these slots."""
        entries = self._entry_literals.items()
        opposite = [~literal for place, literal in entries if place in pattern.placements]
        for (row, column), literal in self._blocked.items():
            opposite.append(~literal if pattern.rows[row][column] == BLOCKED else literal)
        self._model.add_bool_or(opposite)

    def _clause(self, blocked: Iterable[Any], opened: Iterable[Literal | None]) -> None:
        """Require that a cell of ``blocked`` is blocked or a cell of ``opened`` is open.

        ``blocked`` are literals, negated ones included. None stands for a cell outside the grid,
        which is never open.
        """
        positive = [item for item in blocked if item is not None]
        self._model.add_bool_or([*positive, *(~item for item in opened if item is not None)])

    def _windows(
        self, length: int
    ) -> Iterator[tuple[Literal | None, list[Literal], Literal | None]]:
        """Yield each run of ``length`` cells in a line, with the cells before and after it."""
        for line in self._lines:
            literals: list[Literal | None] = [None, *(self._blocked[cell] for cell in line), None]
            for start in range(1, len(literals) - length):
                inside = [x for x in literals[start : start + length] if x is not None]
                yield literals[start - 1], inside, literals[start + length]

    def _add_length_limits(self) -> None:
        # A British cell may be unchecked: a run of one cell is then no word.
        first = 1 if self._demands.style is Style.AMERICAN else 2
        for length in range(first, self._demands.min_length):
            for before, inside, after in self._windows(length):
                self._clause(inside, (before, after))
        if self._demands.max_length is not None:
            for _, inside, _ in self._windows(self._demands.max_length + 1):
                self._clause(inside, ())

    def _add_word_count(self) -> LinearExpr:
        starts = []
        for line in self._lines:
            for number, cell in enumerate(line[:-1]):
                before = self._blocked[line[number - 1]] if number else None
                here, after = self._blocked[cell], self._blocked[line[number + 1]]
                start = self._model.new_bool_var("")
                self._clause((start, here, after), (before,))
                for other in (~here, ~after, before):
                    if other is not None:
                        self._model.add_implication(start, other)
                starts.append(start)
        count = LinearExpr.sum(starts)
        self._model.add_linear_constraint(count, *self._demands.words)
        return count

    def _add_british_rules(self) -> None:
        for row, column in self._cells:
            here = self._blocked[row, column]
            beside = (self._blocked.get((row, column - 1)), self._blocked.get((row, column + 1)))
            along = (self._blocked.get((row - 1, column)), self._blocked.get((row + 1, column)))
            self._clause((here,), (*beside, *along))
            for step, turn in (((0, 1), (1, 0)), ((1, 0), (0, 1))):
                other = (row + step[0], column + step[1])
                if other in self._blocked:
                    sides = [
                        self._blocked.get((r + sign * turn[0], c + sign * turn[1]))
                        for r, c in ((row, column), other)
                        for sign in (-1, 1)
                    ]
                    self._clause((here, self._blocked[other]), sides)
            if (row + 1, column + 1) in self._blocked:
                self._clause(self._square(row, column), ())
        if self._demands.height % 2 and self._demands.width % 2:
            for odd in ((0, 0), (0, 1), (1, 0), (1, 1)):
                self._lattices[odd] = chosen = self._model.new_bool_var("")
                for row, column in self._cells:
                    if (row % 2, column % 2) == odd:
                        self._model.add_implication(chosen, self._blocked[row, column])
            self._model.add_exactly_one(self._lattices.values())

    def _square(self, row: int, column: int) -> list[Literal]:
        cells = product((row, row + 1), (column, column + 1))
        return [self._blocked[cell] for cell in cells]

    def _add_entries(self) -> None:
        at_slot: defaultdict[tuple[Cell, ...], list[Literal]] = defaultdict(list)
        at_cell: defaultdict[Cell, dict[str, Literal]] = defaultdict(dict)
        for word in self._demands.entries:
            literals_of_word = []
            for place in self._demands.slots_for(word):
                literal = self._model.new_bool_var("")
                literals_of_word.append(literal)
                self._entry_literals[place] = literal
                at_slot[place.cells].append(literal)
                for cell, letter in zip(place.cells, word, strict=True):
                    self._model.add_implication(literal, ~self._blocked[cell])
                    if letter not in at_cell[cell]:
                        at_cell[cell][letter] = self._model.new_bool_var("")
                    self._model.add_implication(literal, at_cell[cell][letter])
                before, *_, after = with_ends(place.cells)
                for end in (before, after):
                    if end in self._blocked:
                        self._model.add_implication(literal, self._blocked[end])
                self._flaws += self._placement_penalties(place, literal)
            self._model.add_exactly_one(literals_of_word)
        for choices in (*at_slot.values(), *(list(item.values()) for item in at_cell.values())):
            self._model.add_at_most_one(choices)
        for cells, literals in at_slot.items():
            image = self._demands.image(cells)
            alone = self._model.new_bool_var("")
            for literal in literals:
                self._model.add_bool_or([~literal, alone, *at_slot.get(image, ())])
            self._flaws.append((alone, _ALONE))

    def _placement_penalties(
        self, place: EntryPlacement, literal: Literal
    ) -> Iterator[tuple[Literal, int]]:
        """Yield the penalties of an entry that runs down, or stands at an edge."""
        (row, column), down = place.cells[0], place.direction == DOWN
        number, size = (column, self._demands.width) if down else (row, self._demands.height)
        if down:
            yield literal, _DOWN_ENTRY
        if min(number, size - 1 - number) < 2:
            yield literal, _ENTRY_AT_EDGE

    def _aesthetic_penalties(self) -> Iterator[tuple[Literal, int]]:
        """Yield pairs of a literal that is true where the pattern looks bad, and its penalty."""

        def flaw(blocked: Sequence[Literal | None], opened: Sequence[Literal]) -> Literal:
            literal = self._model.new_bool_var("")
            self._clause([literal, *opened], blocked)
            return literal

        for row, column in self._cells:
            if (row + 1, column + 1) in self._blocked:
                yield flaw(self._square(row, column), ()), _SQUARE_OF_BLOCKS
        for _, line, _ in self._windows(_MAX_LINE):
            yield flaw(line, ()), _LINE_OF_BLOCKS
        for before, inside, after in self._windows(MIN_WORD_LENGTH):
            yield flaw((before, after), inside), _THREE_LETTERS
        for _, inside, _ in self._windows(_LONG_WORD_LENGTH):
            yield flaw((), inside), _LONG_WORD

    def _set_objective(self, random: Random, target: int) -> None:
        """Set the objective to good looks and a number of words near ``target``."""
        deviation = self._model.new_int_var(0, 2 * len(self._cells), "")
        self._model.add(deviation >= self._words - target)
        self._model.add(deviation >= target - self._words)
        terms = [*self._flaws, (deviation, _OFF_TARGET)]
        distinct = {literal.index: literal for literal in self._blocked.values()}
        for literal in distinct.values():
            terms.append((literal, _BLOCK + random.randrange(_MAX_RANDOM_WEIGHT)))
        if self._lattices:
            # Most papers print lattices with words along the edges: half of the choices.
            preferred = random.choice([(1, 1), (1, 1), (1, 1), (0, 0), (0, 1), (1, 0)])
            terms += [
                (literal, 0 if kind == preferred else _OTHER_LATTICE)
                for kind, literal in self._lattices.items()
            ]
        literals, weights = zip(*terms, strict=True)
        self._model.minimize(LinearExpr.weighted_sum(literals, weights))

    def _read(self, result: CpResult) -> Pattern:
        rows = tuple(
            "".join(
                BLOCKED if result.is_true(self._blocked[row, column].index) else OPEN
                for column in range(self._demands.width)
            )
            for row in range(self._demands.height)
        )
        entries = self._entry_literals.items()
        placements = [place for place, literal in entries if result.is_true(literal.index)]
        return Pattern(rows, tuple(placements))

    def _cut_if_disconnected(self, pattern: Pattern) -> bool:
        """Return whether the pattern is disconnected; if so, add cuts against it."""
        parts = connected_parts(pattern.rows)
        largest = max(parts, key=len)
        for part in parts:
            if part is not largest:
                around = {
                    near for cell in part for near in neighbours(cell) if near in self._blocked
                } - part
                walls = [~self._blocked[cell] for cell in sorted(around)]
                inner = self._blocked[min(part)]
                outer = self._blocked[min(largest)]
                self._model.add_bool_or([*walls, inner, outer])
        return len(parts) > 1
