"""Look for block patterns around entries by simulated annealing, scored by how fillable they are.

The score of a pattern is an estimate of the logarithm of its number of fills, less penalties for
its looks: for each slot the logarithm of the number of words that agree with the letters of the
entries, less a constant for each cell that two slots without a letter share. It is a sum over the
rows and columns, and the value of a line depends on its own blocks alone, so that it is computed
once and looked up from then on. Source of the method: Kirkpatrick, Gelatt and Vecchi 1983.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import exp, log
from random import Random
from typing import NamedTuple

from satcross.construct.connectivity import connected_parts
from satcross.construct.pattern.arrangements import Arrangement, forced_cells, letters_at
from satcross.construct.pattern.model import Demands, Pattern, WordLookup
from satcross.construct.styles import MIN_WORD_LENGTH
from satcross.grid import BLOCKED, OPEN, Cell

_CELL_COST = 2.7
"""What a cell that two slots share takes from the logarithm of the number of fills: letters of two
random English words are the same with a probability of about exp(-2.7)."""
_MISSING_LETTER = 6.0
"""Penalty of each letter by which a slot is too short or too long."""
_DEAD_SLOT = 14.0
"""Penalty of a slot that no word fits."""
_OVER_LIMIT = 4.0
"""Penalty of each block or word more than demanded, and of each word that is missing."""
_THREE_LETTERS = 0.7
_LINE_OF_BLOCKS = 1.5
"""Penalty of each block that follows ``_MAX_LINE`` others in a line."""
_MAX_LINE = 3
_SQUARE_OF_BLOCKS = 2.5
_HOTTEST, _COLDEST = 5.0, 0.35
"""Temperatures, in the units of the score."""

_Changes = tuple[tuple[int, int], ...]
"""Pairs of a line (rows first, then columns) and the blocks in it that change, as a bitset."""


class Annealed(NamedTuple):
    """A pattern that meets the demands, and its score."""

    score: float
    pattern: Pattern


class _Value(NamedTuple):
    """What the blocks of a line are worth, the number of slots that are faulty, and all slots."""

    score: float
    faults: int
    words: int


class _Line:
    """A row or column: the value of each set of its blocks, found when it is needed."""

    def __init__(self, letters: Sequence[str | None], demands: Demands, words: WordLookup) -> None:
        self._letters, self._words = letters, words
        self._min_length = demands.min_length
        self._max_length = demands.max_length or len(letters)
        self._slots: dict[tuple[int, int], tuple[float, int]] = {}
        self._values: dict[int, _Value] = {}

    def with_slot(self, first: int, end: int, value: tuple[float, int]) -> _Line:
        """Return the line in which this slot has another score and number of faults."""
        line = copy(self)
        line._slots, line._values = {**self._slots, (first, end): value}, {}
        return line

    def value(self, blocks: int) -> _Value:
        """Return the value of the line with these blocks, a bitset."""
        found = self._values.get(blocks)
        if found is None:
            found = self._values[blocks] = self._evaluate(blocks)
        return found

    def _evaluate(self, blocks: int) -> _Value:
        score, faults, words, first, in_line = 0.0, 0, 0, 0, 0
        size = len(self._letters)
        for position in range(size + 1):
            if position < size and not blocks >> position & 1:
                in_line = 0
                continue
            if position > first:
                slot_score, fault = self._slot_value(first, position)
                score, faults, words = score + slot_score, faults + fault, words + 1
            first = position + 1
            in_line += 1
            if position < size and in_line > _MAX_LINE:
                score -= _LINE_OF_BLOCKS
        return _Value(score, faults, words)

    def _slot_value(self, first: int, end: int) -> tuple[float, int]:
        found = self._slots.get((first, end))
        if found is None:
            found = self._slots[first, end] = self._evaluate_slot(first, end)
        return found

    def _evaluate_slot(self, first: int, end: int) -> tuple[float, int]:
        length = end - first
        missing = max(self._min_length - length, length - self._max_length)
        if missing > 0:
            return -_MISSING_LETTER * missing, 1
        letters = self._letters[first:end]
        words = self._words.count(letters)
        if not words:
            return -_DEAD_SLOT, 1
        flaw = _THREE_LETTERS if length == MIN_WORD_LENGTH else 0.0
        return log(words) - _CELL_COST / 2 * letters.count(None) - flaw, 0


@dataclass(slots=True)
class _State:
    """Sums over the pattern: ``score`` is the lines' alone, ``squares`` counts 2x2 blocks."""

    score: float = 0.0
    faults: int = 0
    words: int = 0
    blocks: int = 0
    squares: int = 0

    def over(self, demands: Demands) -> int:
        """Return by how much the numbers of words and blocks are out of range."""
        low, high = demands.words
        most = demands.max_blocks
        over = max(0, self.words - high, low - self.words)
        return over if most is None else over + max(0, self.blocks - most)

    def total(self, demands: Demands) -> float:
        """Return the score with the penalties that are not those of a line."""
        return self.score - _SQUARE_OF_BLOCKS * self.squares - _OVER_LIMIT * self.over(demands)


class Lines:
    """The lines of annealings, of which those with the same letters and entries share values."""

    def __init__(self, demands: Demands, words: WordLookup) -> None:
        self._demands, self._words = demands, words
        self._known: dict[tuple[tuple[str | None, ...], tuple[tuple[int, int], ...]], _Line] = {}

    def line(self, letters: Sequence[str | None], entries: Sequence[tuple[int, int]]) -> _Line:
        """Return the line with these letters and slots of entries, which need no word."""
        key = tuple(letters), tuple(sorted(entries))
        if key not in self._known:
            line = _Line(letters, self._demands, self._words)
            for first, end in entries:
                line = line.with_slot(first, end, (0.0, 0))
            self._known[key] = line
        return self._known[key]


class Annealing:
    """Annealing of patterns around arranged entries; it may be taken up again.

    ``forced_blocks`` is the number of blocks that the entries force, or None if they leave no
    pattern. Where they do, this is found by propagating along lines, each of which needs a set of
    blocks without a fault.
    """

    def __init__(
        self, demands: Demands, arrangement: Arrangement, lines: Lines, random: Random
    ) -> None:
        self._demands, self._random, self._arrangement = demands, random, arrangement
        height, width = demands.height, demands.width
        self._cells = [[(row, column) for column in range(width)] for row in range(height)]
        self._cells += [list(line) for line in zip(*self._cells, strict=True)]
        letters = letters_at(arrangement)
        entries: list[list[tuple[int, int]]] = [[] for _ in self._cells]
        for place in arrangement:
            number, first, end = self._slot(place.cells)
            entries[number].append((first, end))
        self._lines = [
            lines.line([letters.get(cell) for cell in line], slots)
            for line, slots in zip(self._cells, entries, strict=True)
        ]
        self._masks = [0] * (height + width)
        self._orbits: list[tuple[Cell, ...]] = []
        self._moves: list[_Changes] = []
        self._plans: dict[tuple[int, ...], tuple[_Changes, tuple[int, ...]]] = {}
        self._state = _State()
        forced = forced_cells(demands, arrangement)
        self.forced_blocks: int | None = None
        if forced is not None and self._propagate(forced):
            self.forced_blocks = sum(forced.values())
            self._begin(forced)

    def forbid(self, cells: Sequence[Cell]) -> None:
        """From now on, count the slot of these cells as one that no word fits."""
        if not any(place.cells == tuple(cells) for place in self._arrangement):
            number, first, end = self._slot(cells)
            self._lines[number] = self._lines[number].with_slot(first, end, (-_DEAD_SLOT, 1))

    def run(self, steps: int, hottest: float = _HOTTEST) -> Annealed | None:
        """Anneal once from the pattern reached before; return the best pattern on the way."""
        return next(iter(deque(self.improvements(steps, hottest), maxlen=1)), None)

    def improvements(self, steps: int, hottest: float) -> Iterator[Annealed]:
        """Anneal, and yield each pattern that meets the demands and is better than the last."""
        demands, random = self._demands, self._random.random
        cooling, temperature = (_COLDEST / hottest) ** (1 / steps), hottest
        self._add_up()
        state, best = self._state, float("-inf")
        total = state.total(demands)
        for _ in range(steps if self._moves else 0):
            temperature *= cooling
            chosen = self._choose_move()
            self._state = self._moved(chosen, state)
            new_total = self._state.total(demands)
            if new_total < total and random() >= exp((new_total - total) / temperature):
                self._toggle(chosen)
                continue
            state, total = self._state, new_total
            if total > best + 1e-9 and not state.faults and not state.over(demands):
                pattern = self._pattern()
                if len(connected_parts(pattern.rows)) == 1:
                    best = total
                    yield Annealed(total, pattern)

    def _slot(self, cells: Sequence[Cell]) -> tuple[int, int, int]:
        """Return the line of a slot, its first position there, and the position after it."""
        (row, column), (last_row, last_column) = cells[0], cells[-1]
        if row == last_row:
            return row, column, last_column + 1
        return self._demands.height + column, row, last_row + 1

    def _propagate(self, forced: dict[Cell, bool]) -> bool:
        """Add the cells that are the same in all faultless sets of blocks of a line.

        Returns False if a line has none, or if more blocks are forced than demanded.
        """
        demands = self._demands
        pending = set(range(len(self._lines)))
        while pending:
            number = pending.pop()
            always, ever = self._common_blocks(number, forced)
            if always & ~ever:
                return False
            for at, cell in enumerate(self._cells[number]):
                blocked = bool(always >> at & 1)
                if cell in forced or (not blocked and ever >> at & 1):
                    continue
                for one in (cell, demands.symmetry.partner(cell, demands.height, demands.width)):
                    if forced.setdefault(one, blocked) != blocked:
                        return False
                    pending |= {one[0], demands.height + one[1]}
        return demands.max_blocks is None or sum(forced.values()) <= demands.max_blocks

    def _common_blocks(self, number: int, forced: dict[Cell, bool]) -> tuple[int, int]:
        """Return the cells of a line that all its faultless sets of blocks have, and that any has.

        They are bitsets; without a faultless set, the first has all cells and the second none.
        """
        cells, value = self._cells[number], self._lines[number].value
        blocked = sum(1 << at for at, cell in enumerate(cells) if forced.get(cell) is True)
        opened = sum(1 << at for at, cell in enumerate(cells) if forced.get(cell) is False)
        always, ever = (1 << len(cells)) - 1, 0
        for mask in legal_lines(len(cells), self._demands.min_length):
            if mask & blocked == blocked and not mask & opened and not value(mask).faults:
                always, ever = always & mask, ever | mask
        return always, ever

    def _begin(self, forced: dict[Cell, bool]) -> None:
        """Block the forced cells; the others are the moves."""
        demands = self._demands
        for cell, blocked in forced.items():
            if blocked:
                for line, change in self._changes((cell,)):
                    self._masks[line] ^= change
        seen = set(forced)
        for cell in chain.from_iterable(self._cells[: demands.height]):
            if cell not in seen:
                partner = demands.symmetry.partner(cell, demands.height, demands.width)
                orbit = tuple(dict.fromkeys((cell, partner)))
                seen.update(orbit)
                self._orbits.append(orbit)
                self._moves.append(self._changes(orbit))
        self._number = {cell: at for at, orbit in enumerate(self._orbits) for cell in orbit}

    def _changes(self, orbit: tuple[Cell, ...]) -> _Changes:
        changes: dict[int, int] = {}
        for row, column in orbit:
            down = self._demands.height + column
            changes[row] = changes.get(row, 0) ^ 1 << column
            changes[down] = changes.get(down, 0) ^ 1 << row
        return tuple(changes.items())

    def _add_up(self) -> None:
        values = [line.value(mask) for line, mask in zip(self._lines, self._masks, strict=True)]
        height = self._demands.height
        self._state = _State(
            sum(value.score for value in values),
            sum(value.faults for value in values),
            sum(value.words for value in values),
            sum(mask.bit_count() for mask in self._masks[:height]),
            self._squares(range(height - 1)),
        )

    def _choose_move(self) -> tuple[int, ...]:
        """Choose a cell to block or to open; often also a cell beside it."""
        random = self._random.random
        first = int(random() * len(self._moves))
        if random() < 0.5:
            return (first,)
        row, column = self._orbits[first][0]
        down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(random() * 4)]
        second = self._number.get((row + down, column + right))
        return (first,) if second is None or second == first else (first, second)

    def _toggle(self, chosen: tuple[int, ...]) -> None:
        for at in chosen:
            for line, change in self._moves[at]:
                self._masks[line] ^= change

    def _moved(self, chosen: tuple[int, ...], state: _State) -> _State:
        """Make a move and return the sums after it."""
        masks, lines, height = self._masks, self._lines, self._demands.height
        changes, rows = self._plan(chosen)
        score, faults, words, blocks = state.score, state.faults, state.words, state.blocks
        squares = state.squares - self._squares(rows)
        for line, change in changes:
            old = masks[line]
            masks[line] = new = old ^ change
            before, before_faults, before_words = lines[line].value(old)
            after, after_faults, after_words = lines[line].value(new)
            if line < height:
                blocks += new.bit_count() - old.bit_count()
            score += after - before
            faults += after_faults - before_faults
            words += after_words - before_words
        return _State(score, faults, words, blocks, squares + self._squares(rows))

    def _plan(self, chosen: tuple[int, ...]) -> tuple[_Changes, tuple[int, ...]]:
        """Return the lines that a move changes, and the upper rows of the pairs of rows in them."""
        plan = self._plans.get(chosen)
        if plan is None:
            changes: dict[int, int] = {}
            for at in chosen:
                for line, change in self._moves[at]:
                    changes[line] = changes.get(line, 0) ^ change
            rows = [line for line in changes if line < self._demands.height]
            pairs = {row for line in rows for row in (line - 1, line)}
            pairs &= set(range(self._demands.height - 1))
            plan = self._plans[chosen] = tuple(changes.items()), tuple(pairs)
        return plan

    def _squares(self, upper_rows: Iterable[int]) -> int:
        """Return the number of 2x2 blocks in pairs of rows."""
        found = 0
        for row in upper_rows:
            both = self._masks[row] & self._masks[row + 1]
            found += (both & both >> 1).bit_count()
        return found

    def _pattern(self) -> Pattern:
        rows = tuple(
            "".join(BLOCKED if mask >> at & 1 else OPEN for at in range(self._demands.width))
            for mask in self._masks[: self._demands.height]
        )
        return Pattern(rows, self._arrangement)


@cache
def legal_lines(size: int, min_length: int) -> tuple[int, ...]:
    """Return all sets of blocks of a line, as bitsets, without a run of too few open cells."""
    if size < 0:
        return (0,)
    found = []
    for run in (0, *range(min_length, size + 1)):
        if run == size:
            found.append(0)
        elif run < size:
            rest = legal_lines(size - run - 1, min_length)
            found += [1 << run | mask << run + 1 for mask in rest]
    return tuple(found)
