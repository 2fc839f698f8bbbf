"""Make block patterns by CP-SAT: demands are constraints, good looks are the objective.

One Boolean variable per cell says whether the cell is blocked; cells that the symmetry maps to each
other share a variable. Connectivity is enforced by lazy cuts: where a solution is disconnected, one
of the blocks around a component must open, or a cell inside or a cell outside it must close. Every
connected pattern satisfies the cuts, so a proof that uses them is valid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, pairwise, product
from random import Random
from typing import Protocol

from satcross.backends.cp_solver import (
    CpModel,
    CpResult,
    CpSettings,
    LinearExpr,
    Literal,
    solve_model,
)
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Bar, Cell, Grid
from satcross.grid.connectivity import connected_parts, neighbours
from satcross.grid.styles import MIN_WORD_LENGTH, Style, usual_limits
from satcross.run_settings import Deadline


class Symmetry(StrEnum):
    """Symmetry of a pattern: a half turn, left to right, or none."""

    ROTATION = "rotation"
    MIRROR = "mirror"
    NONE = "none"

    def partner(self, cell: Cell, height: int, width: int) -> Cell:
        """Return the cell that the symmetry maps the cell to."""
        row, column = cell
        if self is Symmetry.ROTATION:
            return height - 1 - row, width - 1 - column
        if self is Symmetry.MIRROR:
            return row, width - 1 - column
        return cell


@dataclass(frozen=True, slots=True)
class Demands:
    """Requirements that a pattern must meet.

    ``words`` is the minimum and the maximum number of words, ``min_length`` and ``max_length`` (no
    limit by default) are in letters, and each of ``entries`` must have a slot. ``places`` maps some
    of them to a direction and the cell of their first letter. ``written`` has the
    written forms of entries that the default list writes otherwise or does not have (GINANDTONIC
    is "gin and tonic"): a fill does not repeat their words where it can do without. Raises
    ValueError for a grid of fewer than three rows or columns, for repeated entries, and for places
    outside the grid.
    """

    height: int
    width: int
    words: tuple[int, int]
    min_length: int = MIN_WORD_LENGTH
    max_length: int | None = None
    entries: tuple[str, ...] = ()
    style: Style = Style.AMERICAN
    symmetry: Symmetry = Symmetry.ROTATION
    max_blocks: int | None = None
    places: Mapping[str, tuple[str, Cell]] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if min(self.height, self.width) < MIN_WORD_LENGTH:
            raise ValueError(f"a grid has at least {MIN_WORD_LENGTH} rows and columns")
        if len(set(self.entries)) < len(self.entries):
            raise ValueError("an entry is repeated")
        for word in self.places:
            if word not in self.entries or not any(self.slots_for(word)):
                raise ValueError(f"{word} has a place, but no slot there")

    def slots_for(self, word: str) -> Iterator[EntryPlacement]:
        """Yield all slots of the open grid that an entry may have."""
        for row, column in product(range(self.height), range(self.width)):
            for direction, (down, right) in ((ACROSS, (0, 1)), (DOWN, (1, 0))):
                wanted = self.places.get(word, (direction, (row, column)))
                last = row + down * (len(word) - 1), column + right * (len(word) - 1)
                inside = last[0] < self.height and last[1] < self.width
                if inside and wanted == (direction, (row, column)):
                    cells = tuple((row + down * at, column + right * at) for at in range(len(word)))
                    yield EntryPlacement(word, direction, cells)


@dataclass(frozen=True, slots=True)
class EntryPlacement:
    """A slot of a pattern and the entry in it."""

    word: str
    direction: str
    cells: tuple[Cell, ...]

    @property
    def cells_and_ends(self) -> tuple[Cell, ...]:
        """The cell before the slot, its cells, and the cell after; both ends may lie outside."""
        return with_ends(self.cells)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Rows of ``#`` and ``_``, the placements of the entries, and the bars."""

    rows: tuple[str, ...]
    placements: tuple[EntryPlacement, ...]
    bars: frozenset[Bar] = frozenset()

    def rows_with_entries(self) -> tuple[str, ...]:
        """Return the rows with the letters of the entries."""
        rows = [list(row) for row in self.rows]
        for place in self.placements:
            for (row, column), letter in zip(place.cells, place.word, strict=True):
                rows[row][column] = letter
        return tuple(map("".join, rows))

    def grid(self) -> Grid:
        """Return the grid of the pattern, without letters."""
        return Grid(self.rows, bars=self.bars)

    def locks(self, grid: Grid) -> dict[str, str]:
        """Return slot name -> word for the entries; ``grid`` is that of the pattern."""
        slots = {(slot.direction, slot.cells): slot.name for slot in grid.slots}
        return {slots[place.direction, place.cells]: place.word for place in self.placements}


@dataclass(frozen=True, slots=True)
class DeadSlot:
    """A slot that no word fits, and the entries whose letters it contains."""

    cells: tuple[Cell, ...]
    placements: tuple[EntryPlacement, ...]

    @property
    def cells_and_ends(self) -> tuple[Cell, ...]:
        """The cell before the slot, its cells, and the cell after; both ends may lie outside."""
        return with_ends(self.cells)


def with_ends(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cell before a slot of two or more cells, its cells, and the cell after."""
    (row, column), (last_row, last_column) = cells[0], cells[-1]
    if row == last_row:
        return (row, column - 1), *cells, (row, last_column + 1)
    return (row - 1, column), *cells, (last_row + 1, column)


class WordLookup(Protocol):
    """What the pattern model needs to know about the word list."""

    def count(self, letters: Sequence[str | None]) -> int:
        """Return the number of words with these letters; None stands for any letter."""
        ...

    def dead_slots(self, pattern: Pattern) -> list[DeadSlot]:
        """Return slots of the pattern that no word fits; the list may be incomplete."""
        ...


class UnlimitedWords:
    """A word list in which every slot has words."""

    def count(self, letters: Sequence[str | None]) -> int:
        return _FEW_WORDS_COSTS[-1][0] + 1

    def dead_slots(self, pattern: Pattern) -> list[DeadSlot]:
        return []


class ImpossibleError(Exception):
    """CP-SAT has proved that no pattern, or no further pattern, meets the demands."""


_FIRST_WORK = 2.0
"""CP-SAT's deterministic time for the first pattern, in units of about a second."""
_ARRANGEMENTS = 8
"""Number of arrangements of the entries that are tried before CP-SAT places them freely."""
_ARRANGED_WORK = 0.5
"""CP-SAT's deterministic time for each arrangement."""
_DEAD_SLOT_PATIENCE = 2
"""Factor on the maximum number of windows as long as some slot is dead."""
_WINDOW_WORK = 0.3
"""CP-SAT's deterministic time for each window."""
_WINDOW = 7
"""Side of a window, in cells."""
_MIN_WINDOWS = 6
_CELLS_PER_WINDOW = 10
"""A pattern gets ``_MIN_WINDOWS`` windows, and one more for each of this many cells."""

# Penalties of the objective. Each block also has a random weight below _MAX_RANDOM_WEIGHT.
_MAX_RANDOM_WEIGHT = 12
_BLOCK = 1
_SQUARE_OF_BLOCKS = 14
_LINE_OF_BLOCKS = 6
_OPEN_SQUARE = 6
_THREE_LETTERS = 2
_LONG_WORD = 2
_OFF_TARGET = 4
_OTHER_LATTICE = 40
_DEAD_SLOT = 100
_FEW_WORDS_COSTS = ((3, 12), (10, 4), (30, 1))
"""(number of words, penalty): penalty of a slot for which the entries leave at most that many."""
_WASTED_CELL = 8
"""Penalty of each cell between an entry and the edge where no word fits."""
_DOWN_ENTRY = 24
_ENTRY_AT_EDGE = 5
_CLOSE_ENTRIES = {1: 12, 2: 4}
"""Distance of two lines with entries -> penalty: the words between them are hard to fill."""
_ENTRY_GAPS = (100, 40, 5, 0)
_ENTRY_EDGES = (10, 3, 0)
"""Costs of an arrangement by distance: between neighbouring rows, and from a row to the edge."""
_ENTRY_CLASH = 200
_ARRANGEMENT_SAMPLES = 200
_MAX_BLOCK_LINE = {Style.AMERICAN: 4, Style.BRITISH: 6}
"""Number of consecutive blocks that is penalised."""
_OPEN_SQUARE_SIDE = 4
"""Side of an open square that is penalised, because it is hard to fill."""
_LONG_WORD_LENGTH = 10
_SMALL_AREA = 36
"""Area, in cells, up to which a grid without blocks is also accepted.

All larger sizes up to 15x15 have patterns with the usual number of words.
"""


class PatternModel:
    """CP-SAT model of the demands, which yields one pattern after another.

    ``balanced`` adds the preference that entries of the same length are in opposite slots, as far
    as their number and the size of the grid allow it. A proof made while the model's ``balanced``
    is True holds for such patterns only.
    """

    def __init__(
        self, demands: Demands, words: WordLookup | None = None, *, balanced: bool = False
    ) -> None:
        self.demands = demands
        self.balanced = balanced and bool(demands.entries) and demands.symmetry != Symmetry.NONE
        self._list = words or UnlimitedWords()
        self._model = CpModel()
        height, width = demands.height, demands.width
        self._cells = [(row, column) for row in range(height) for column in range(width)]
        self._blocked: dict[Cell, Literal] = {}
        for cell in self._cells:
            partner = demands.symmetry.partner(cell, height, width)
            if partner in self._blocked:
                self._blocked[cell] = self._blocked[partner]
            else:
                self._blocked[cell] = self._model.new_bool_var("")
        self._lines = [[(row, column) for column in range(width)] for row in range(height)]
        self._lines += [[(row, column) for row in range(height)] for column in range(width)]
        self._dead: dict[DeadSlot, Literal] = {}
        self._penalties: list[tuple[Literal, int]] = []
        self._checked_placements: set[tuple[EntryPlacement, ...]] = set()
        self._longest = demands.max_length or max(height, width)
        self._add_length_limits()
        self._words = self._add_word_count()
        if demands.style is Style.AMERICAN:
            self._lattices: dict[tuple[int, int], Literal] = {}
        else:
            self._add_british_rules()
        if demands.max_blocks is not None:
            self._model.add(sum(self._blocked.values()) <= demands.max_blocks)
        self._entry_literals: dict[EntryPlacement, Literal] = {}
        self._add_entries()
        self._model.add_bool_or([~one for one in self._blocked.values()])
        self._flaws = list(self._aesthetic_penalties())
        self._forbid_dead_slots(())

    def find(self, random: Random, target: int, deadline: Deadline) -> Pattern | None:
        """Return a good-looking connected pattern without dead slots, or None at the deadline.

        ``random`` draws the weights of the cells; ``target`` is the number of words to aim for.
        Raises ImpossibleError when no pattern is left.

        From an arbitrary first pattern, windows of cells (with the cells symmetric to them) are
        solved again one by one, to improve the looks and to remove dead slots: large neighbourhood
        search (Shaw 1998). On 21x21 this took 3 s where CP-SAT alone had worse patterns after 15 s.
        """
        while (first := self._find_first(random, deadline)) is not None:
            improved = self._improve(*first, random, target, deadline)
            if improved is None:
                return None
            pattern, dead = improved
            if not dead:
                return pattern
            self.forbid(pattern)  # a pattern with a dead slot has no fill
        return None

    def _improve(
        self,
        pattern: Pattern,
        values: Sequence[int],
        random: Random,
        target: int,
        deadline: Deadline,
    ) -> tuple[Pattern, Sequence[DeadSlot]] | None:
        """Return a better pattern and the dead slots left in it, or None at the deadline.

        ``values`` are those of all variables in ``pattern``.
        """
        dead = self._penalised_dead_slots(pattern)
        self._set_objective(random, target)
        best = float("inf")
        rounds = _MIN_WINDOWS + len(self._cells) // _CELLS_PER_WINDOW
        for round_number in range(_DEAD_SLOT_PATIENCE * rounds):
            if round_number >= rounds and not dead:
                break
            if deadline.passed:
                return None
            model = self._with_fixed_cells(values, self._window(random, dead))
            result = _solve(model, random, _WINDOW_WORK, deadline)
            if result.solution is None:
                continue
            found = self._read(result)
            if self._cut_if_disconnected(found) or (not dead and result.objective > best):
                continue
            new_dead = self._penalised_dead_slots(found)
            self._minimise()
            # As long as a slot is dead, accept any change, as it reveals further dead slots.
            if dead or not new_dead:
                pattern, dead, best = found, new_dead, result.objective
                values = result.solution
        return pattern, dead

    def _penalised_dead_slots(self, pattern: Pattern) -> Sequence[DeadSlot]:
        """Return the dead slots of a pattern after penalising each of them."""
        dead = self._list.dead_slots(pattern)
        for slot in dead:
            self._penalise_slot(slot)
        return dead

    def _find_first(
        self, random: Random, deadline: Deadline
    ) -> tuple[Pattern, Sequence[int]] | None:
        """Return a connected pattern with well-placed entries, and the values of all variables.

        Fixed arrangements of the entries are tried first; only an attempt without an arrangement
        can prove that there is no pattern.
        """
        self._minimise_placement_cost(random)
        tries = 0
        placements: tuple[EntryPlacement, ...] = ()
        while not deadline.passed:
            arranged = tries < _ARRANGEMENTS and bool(self.demands.entries)
            model = self._model.clone()
            for literals in (
                [[self._entry_literals[place]] for place in placements]
                if placements
                else self._arranged_placements(random)
                if arranged
                else []
            ):
                model.add_bool_or(
                    [model.get_bool_var_from_proto_index(literal.index) for literal in literals]
                )
            work = _ARRANGED_WORK if arranged else _FIRST_WORK
            result = _solve(model, random, work, deadline)
            if result.infeasible and not arranged and not placements:
                raise ImpossibleError
            if result.solution is None:
                placements = ()
                tries += 1
                continue
            pattern = self._read(result)
            if self._forbid_dead_slots(pattern.placements):
                placements = pattern.placements
            elif not self._cut_if_disconnected(pattern):
                return pattern, result.solution
        return None

    def _arranged_placements(self, random: Random) -> list[list[Literal]]:
        """Return, for each entry, the literals of its placements in the row chosen for it."""
        rows = arrange_entries(self.demands, random)
        return [
            [
                literal
                for place, literal in self._entry_literals.items()
                if (place.word, place.direction, place.cells[0][0]) == (word, ACROSS, row)
            ]
            for word, row in rows.items()
        ]

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
        letter = {
            cell: letter
            for place in placements
            for cell, letter in zip(place.cells, place.word, strict=True)
        }
        for line in self._lines:
            direction = ACROSS if line[0][0] == line[1][0] else DOWN
            for first, last in combinations(range(len(line)), 2):
                cells = tuple(line[first : last + 1])
                crossed = tuple(dict.fromkeys(owner[cell] for cell in cells if cell in owner))
                if not crossed and placements:
                    continue
                if any(place.direction == direction for place in crossed):
                    continue
                if len(cells) < self.demands.min_length or len(cells) > self._longest:
                    continue
                words = self._list.count([letter.get(cell) for cell in cells])
                slot = DeadSlot(cells, crossed)
                entry_placements = (
                    EntryPlacement(word, direction, cells) for word in self.demands.entries
                )
                entry_literals = [
                    self._entry_literals[place]
                    for place in entry_placements
                    if place in self._entry_literals
                ]
                if not words:
                    self._forbid_slot(slot, *entry_literals)
                elif words <= _FEW_WORDS_COSTS[-1][0]:
                    literal = self._model.new_bool_var("")
                    self._forbid_slot(slot, literal, *entry_literals)
                    cost = next(cost for max_words, cost in _FEW_WORDS_COSTS if words <= max_words)
                    self._flaws.append((literal, cost))
        return True

    def _window(self, random: Random, dead: Sequence[DeadSlot]) -> set[int]:
        """Return the variable indices of a random square of cells, preferably at a dead slot."""
        half = _WINDOW // 2
        if dead and random.random() < 0.7:
            row, column = random.choice(random.choice(dead).cells)
        else:
            row = random.randrange(1, self.demands.height - 1)
            column = random.randrange(1, self.demands.width - 1)
        cells = (
            (row + down, column + right)
            for down in range(-half, half + 1)
            for right in range(-half, half + 1)
        )
        return {self._blocked[cell].index for cell in cells if cell in self._blocked}

    def _with_fixed_cells(self, values: Sequence[int], window: set[int]) -> CpModel:
        """Return the model with the entries and all cells outside the window fixed."""
        model = self._model.clone()
        for literal in (*self._blocked.values(), *self._entry_literals.values()):
            if literal.index not in window:
                domain = model.proto.variables[literal.index].domain
                domain.clear()
                domain.extend([values[literal.index]] * 2)
        model.proto.solution_hint.vars.extend(range(len(values)))
        model.proto.solution_hint.values.extend(values)
        return model

    def forbid(self, pattern: Pattern) -> None:
        """Exclude this pattern with its entries in these slots."""
        opposite = [
            ~literal
            for place, literal in self._entry_literals.items()
            if place in pattern.placements
        ]
        for (row, column), literal in self._blocked.items():
            blocked = pattern.rows[row][column] == BLOCKED
            opposite.append(~literal if blocked else literal)
        self._model.add_bool_or(opposite)

    def _penalise_slot(self, slot: DeadSlot) -> None:
        """Penalise a slot at these cells while these entries are placed."""
        if slot not in self._dead:
            self._dead[slot] = self._model.new_bool_var("")
            self._forbid_slot(slot, self._dead[slot])
            self._penalties.append((self._dead[slot], _DEAD_SLOT))

    def _forbid_slot(self, slot: DeadSlot, *unless: Literal) -> None:
        before, *inside, after = (self._blocked.get(cell) for cell in slot.cells_and_ends)
        blocked = [literal for literal in inside if literal is not None]
        opened = [literal for literal in (before, after) if literal is not None]
        opposite = [~self._entry_literals[place] for place in slot.placements]
        self._model.add_bool_or([*unless, *blocked, *(~one for one in opened), *opposite])

    def _clause(self, blocked: Iterable[Literal], opened: Iterable[Literal | None]) -> None:
        """Require that a cell of ``blocked`` is blocked or a cell of ``opened`` is open.

        None stands for a cell outside the grid, which is never open.
        """
        positive = [one for one in blocked if one is not None]
        self._model.add_bool_or([*positive, *(~one for one in opened if one is not None)])

    def _windows(
        self, length: int
    ) -> Iterator[tuple[Literal | None, list[Literal], Literal | None]]:
        """Yield each run of ``length`` cells in a line, with the cells before and after it."""
        for line in self._lines:
            literals: list[Literal | None] = [None, *(self._blocked[cell] for cell in line), None]
            for start in range(1, len(literals) - length):
                inside = [one for one in literals[start : start + length] if one is not None]
                yield literals[start - 1], inside, literals[start + length]

    def _add_length_limits(self) -> None:
        # A British cell may be unchecked: a run of one cell is then no word.
        first = 1 if self.demands.style is Style.AMERICAN else 2
        for length in range(first, self.demands.min_length):
            for before, inside, after in self._windows(length):
                self._clause(inside, (before, after))
        if self.demands.max_length is not None:
            for _, inside, _ in self._windows(self.demands.max_length + 1):
                self._clause(inside, ())

    def _add_word_count(self) -> LinearExpr:
        starts = []
        for line in self._lines:
            for number, cell in enumerate(line[:-1]):
                before = self._blocked[line[number - 1]] if number else None
                here, after = self._blocked[cell], self._blocked[line[number + 1]]
                start = self._model.new_bool_var("")
                self._model.add_bool_or(
                    [start, here, after, *([] if before is None else [~before])]
                )
                for other in (~here, ~after, *([] if before is None else [before])):
                    self._model.add_implication(start, other)
                starts.append(start)
        count = LinearExpr.sum(starts)
        self._model.add_linear_constraint(count, *self.demands.words)
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
                self._clause(self._square(row, column, 2), ())
        self._lattices = {}
        if self.demands.height % 2 and self.demands.width % 2:
            for odd_rows in (0, 1):
                for odd_columns in (0, 1):
                    chosen = self._model.new_bool_var("")
                    self._lattices[odd_rows, odd_columns] = chosen
                    for row, column in self._cells:
                        if row % 2 == odd_rows and column % 2 == odd_columns:
                            self._model.add_implication(chosen, self._blocked[row, column])
            self._model.add_exactly_one(self._lattices.values())

    def _square(self, row: int, column: int, side: int) -> list[Literal]:
        return [
            self._blocked[r, c]
            for r in range(row, row + side)
            for c in range(column, column + side)
        ]

    def _squares(self, side: int) -> Iterator[list[Literal]]:
        for row in range(self.demands.height - side + 1):
            for column in range(self.demands.width - side + 1):
                yield self._square(row, column, side)

    def _add_entries(self) -> None:
        entries = self.demands.entries
        at_slot: defaultdict[tuple[str, Cell, int], list[Literal]] = defaultdict(list)
        at_cell: defaultdict[Cell, dict[str, Literal]] = defaultdict(dict)
        for word in entries:
            literals_of_word = []
            for place in self.demands.slots_for(word):
                literal = self._model.new_bool_var("")
                literals_of_word.append(literal)
                self._entry_literals[place] = literal
                at_slot[place.direction, place.cells[0], len(word)].append(literal)
                for cell, letter in zip(place.cells, word, strict=True):
                    self._model.add_implication(literal, ~self._blocked[cell])
                    if letter not in at_cell[cell]:
                        at_cell[cell][letter] = self._model.new_bool_var("")
                    self._model.add_implication(literal, at_cell[cell][letter])
                before, *_, after = place.cells_and_ends
                for end in (before, after):
                    if end in self._blocked:
                        self._model.add_implication(literal, self._blocked[end])
            self._model.add_exactly_one(literals_of_word)
        for letters in at_cell.values():
            self._model.add_at_most_one(letters.values())
        for literals in at_slot.values():
            self._model.add_at_most_one(literals)
        if self.balanced:
            self._balance_entries(at_slot)

    def _balance_entries(self, at_slot: Mapping[tuple[str, Cell, int], list[Literal]]) -> None:
        lengths = list(map(len, self.demands.entries))
        odd = {length for length in lengths if lengths.count(length) % 2}
        height, width = self.demands.height, self.demands.width
        opposite = {}
        for direction, first, length in at_slot:
            row, column = first
            last = (row, column + length - 1) if direction == ACROSS else (row + length - 1, column)
            ends = (self.demands.symmetry.partner(end, height, width) for end in (first, last))
            opposite[direction, first, length] = direction, min(ends), length
        middle = {slot[2] for slot, other in opposite.items() if slot == other}
        for slot, other in opposite.items():
            length = slot[2]
            if length in odd and (len(odd) > 1 or length not in middle):
                continue  # an odd number of entries, and no slot in the middle for one of them
            self._model.add(sum(at_slot[slot]) == sum(at_slot[other]))

    def _aesthetic_penalties(self) -> Iterator[tuple[Literal, int]]:
        """Yield pairs of a literal that is true where the pattern looks bad, and its penalty."""

        def flaw(blocked: Sequence[Literal], opened: Sequence[Literal]) -> Literal:
            literal = self._model.new_bool_var("")
            self._model.add_bool_or([literal, *(~one for one in blocked), *opened])
            return literal

        american = self.demands.style is Style.AMERICAN
        for square in self._squares(2):
            yield flaw(square, ()), _SQUARE_OF_BLOCKS
        for _, line, _ in self._windows(_MAX_BLOCK_LINE[self.demands.style]):
            yield flaw(line, ()), _LINE_OF_BLOCKS
        for before, inside, after in self._windows(MIN_WORD_LENGTH):
            ends = [end for end in (before, after) if end is not None]
            yield flaw(ends, inside), _THREE_LETTERS
        for _, inside, _ in self._windows(_LONG_WORD_LENGTH):
            yield flaw((), inside), _LONG_WORD
        if american:
            for square in self._squares(_OPEN_SQUARE_SIDE):
                yield flaw((), square), _OPEN_SQUARE

    def _minimise_placement_cost(self, random: Random) -> None:
        """Set the objective to placing entries across, apart, and away from the edges."""
        literals: list[Literal] = []
        weights: list[int] = []
        in_line: defaultdict[tuple[str, int], list[Literal]] = defaultdict(list)
        for place, literal in self._entry_literals.items():
            (row, column), down = place.cells[0], place.direction == DOWN
            in_line[place.direction, column if down else row].append(literal)
            literals.append(literal)
            start, size = (row, self.demands.height) if down else (column, self.demands.width)
            sides = (start, size - start - len(place.cells))
            wasted = sum(side for side in sides if side <= self.demands.min_length)
            weights.append(
                random.randrange(_MAX_RANDOM_WEIGHT)
                + wasted * _WASTED_CELL
                + (_DOWN_ENTRY if down else 0)
            )
        used = {}
        for line, here in in_line.items():
            used[line] = self._model.new_bool_var("")
            for literal in here:
                self._model.add_implication(literal, used[line])
        for (direction, number), literal in used.items():
            size = self.demands.width if direction == DOWN else self.demands.height
            if min(number, size - 1 - number) < 2:
                literals.append(literal)
                weights.append(_ENTRY_AT_EDGE)
            for apart, cost in _CLOSE_ENTRIES.items():
                other = used.get((direction, number + apart))
                if other is not None:
                    close = self._model.new_bool_var("")
                    self._model.add_bool_or([close, ~literal, ~other])
                    literals.append(close)
                    weights.append(cost)
        if literals:
            self._model.minimize(LinearExpr.weighted_sum(literals, weights))
        else:
            self._model.minimize(0)

    def _set_objective(self, random: Random, target: int) -> None:
        """Set the objective to good looks and a number of words near ``target``."""
        deviation = self._model.new_int_var(0, 2 * len(self._cells), "")
        self._model.add(deviation >= self._words - target)
        self._model.add(deviation >= target - self._words)
        self._penalties = terms = [*self._flaws, (deviation, _OFF_TARGET)]
        terms += [(literal, _DEAD_SLOT) for literal in self._dead.values()]
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
        self._minimise()

    def _minimise(self) -> None:
        literals, weights = zip(*self._penalties, strict=True)
        self._model.minimize(LinearExpr.weighted_sum(literals, weights))

    def _read(self, result: CpResult) -> Pattern:
        rows = tuple(
            "".join(
                BLOCKED if result.is_true(self._blocked[row, column].index) else OPEN
                for column in range(self.demands.width)
            )
            for row in range(self.demands.height)
        )
        placements = [
            place
            for place, literal in self._entry_literals.items()
            if result.is_true(literal.index)
        ]
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


def arrange_entries(demands: Demands, random: Random) -> dict[str, int]:
    """Choose a row for each entry: far apart, and opposite for entries of the same length."""
    best, lowest = {}, float("inf")
    for _ in range(_ARRANGEMENT_SAMPLES):
        entries = list(demands.entries)
        random.shuffle(entries)
        rows: dict[str, int] = {}
        unpaired: dict[int, str] = {}
        for word in entries:
            partner = unpaired.pop(len(word), None)
            if partner is not None and demands.symmetry is Symmetry.ROTATION:
                rows[word] = demands.height - 1 - rows[partner]
            else:
                rows[word] = random.randrange(demands.height)
                unpaired[len(word)] = word
        if demands.height % 2 and len(unpaired) == 1 and (demands.width - min(unpaired)) % 2 == 0:
            rows[next(iter(unpaired.values()))] = demands.height // 2
        used = sorted(rows.values())
        gaps = [after - before for before, after in pairwise(used)]
        edges = [min(row, demands.height - 1 - row) for row in used]
        cost = random.random() * 4
        cost += sum(_ENTRY_CLASH for pair in rows.items() if _clashes(pair, rows, demands))
        cost += sum(_ENTRY_GAPS[min(gap, len(_ENTRY_GAPS) - 1)] for gap in gaps)
        cost += sum(_ENTRY_EDGES[min(edge, len(_ENTRY_EDGES) - 1)] for edge in edges)
        if cost < lowest:
            best, lowest = rows, cost
    return best


def _clashes(entry: tuple[str, int], rows: Mapping[str, int], demands: Demands) -> bool:
    """Return whether the slot opposite an entry leaves no room for another entry in that row."""
    word, row = entry
    if demands.symmetry is not Symmetry.ROTATION:
        return False
    if 2 * row == demands.height - 1 and (demands.width - len(word)) % 2:
        return 2 * len(word) + 1 > demands.width
    return any(
        other != word
        and rows[other] == demands.height - 1 - row
        and len(other) != len(word)
        and len(word) + len(other) + 1 > demands.width
        for other in rows
    )


def _solve(model: CpModel, random: Random, work: float, deadline: Deadline) -> CpResult:
    return solve_model(model, deadline, CpSettings(seed=random.randrange(2**31), work=work))


def default_words(style: Style, height: int, width: int) -> tuple[int, int]:
    """Return the usual minimum and maximum number of words for a size.

    The smallest sizes may have no grid in that range, so the range includes the open grid.
    """
    limits = usual_limits(style, height, width)
    min_words, max_words = limits.min_words, limits.max_words
    if style is Style.AMERICAN and height * width <= _SMALL_AREA:
        return min(min_words, height + width), max(max_words, height + width)
    return min_words, max_words
