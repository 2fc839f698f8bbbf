"""Look for block patterns around entries by simulated annealing, scored by how fillable they are.

The score of a pattern is an estimate of the logarithm of its number of fills, less penalties for
its looks: for each slot the logarithm of the number of words that agree with the letters of the
entries, less a constant for each cell that two slots without a letter share. It is a sum over the
rows and columns, and the value of a line depends on its own blocks alone, so that it is computed
once and looked up from then on. A step gives a row or column, with the one that the symmetry maps
it to, new blocks: each legal set of blocks is drawn with the probability that it has at the current
temperature, all other lines as they are. Sources of the method: Kirkpatrick, Gelatt and Vecchi
1983; Geman and Geman 1984 ("Gibbs sampling").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import compress, pairwise
from math import log
from operator import attrgetter
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcross.grid import BLOCKED, OPEN, Cell
from satcross.grid.connectivity import is_connected
from satcross.grid.styles import MIN_WORD_LENGTH
from satcross.make.pattern.arrangements import Arrangement, forced_cells
from satcross.make.pattern.demands import CountWords, Demands, Pattern, letters_at

_CELL_COST = 2.7
"""What a cell that two slots share takes from the logarithm of the number of fills: letters of two
random English words are the same with a probability of about exp(-2.7)."""
_MISSING_LETTER = 6.0
"""Penalty of each letter by which a slot is too short or too long."""
_DEAD_SLOT = 14.0
"""Penalty of a slot that no word fits."""
_FEW_WORDS = 6.0
"""Penalty of a slot that one word fits; n words have 1/n of it. Such slots soon turn out dead."""
_OVER_LIMIT = 8.0
"""Penalty of each block or word more than demanded, and of each word that is missing."""
_THREE_LETTERS = 0.7
_OVERSHADOWS = 30.0
"""Penalty of a slot longer than every entry, which solvers would take for the theme; with 12, some
patterns still had two."""
_USUAL_SHARE = 2 / 3
"""Share of a line up to which no slot is too long beside the entries."""
_LINE_OF_BLOCKS = 1.5
"""Penalty of each block that follows ``_MAX_LINE`` others in a line."""
_MAX_LINE = 3
_SQUARE_OF_BLOCKS, _FORBIDDEN_SQUARE = 2.5, 8.0
"""Penalty of a square of 2x2 blocks, and where the demands accept none."""
_HOTTEST, _COLDEST = 5.0, 0.35
"""Temperatures, in the units of the score."""

_PATIENCE = 5
"""How many times the steps of a change may be made until a pattern meets the demands."""
_MAX_CHOICES = 1_000
"""Sets of blocks that a step compares; a line of 15 cells has 798 legal ones, one of 21 14,328."""
_MAX_LEGAL = 5_000
"""Legal sets of blocks that are looked at; longer lines have millions, of which some are drawn."""


class Annealed(NamedTuple):
    """A pattern that meets the demands, and its score."""

    score: float
    pattern: Pattern


class _Value(NamedTuple):
    """What the blocks of a line are worth, the number of slots that are faulty, and all slots."""

    score: float
    faults: int
    words: int


_SCORE, _FAULTS, _WORDS = map(attrgetter, _Value._fields)


class _Line:
    """A row or column: the value of each set of its blocks, found when it is needed."""

    def __init__(
        self,
        letters: Sequence[str | None],
        demands: Demands,
        words: CountWords,
        slot_value: Callable[[int, int], tuple[float, int]] | None = None,
    ) -> None:
        self._letters, self._demands, self._words = letters, demands, words
        self._min_length = demands.min_length
        self._max_length = demands.max_length or len(letters)
        longest = max(map(len, demands.entries), default=len(letters))
        self._not_beside = max(longest, _USUAL_SHARE * len(letters))
        self._slot_value = cache(slot_value or self._evaluate_slot)
        self.value = cache(self._evaluate)
        self._runs = cache(self._find_runs)
        self.common = cache(self._find_common)
        self.legal = cache(self._find_legal)

    def with_slot(self, first: int, end: int, value: tuple[float, int]) -> _Line:
        """Return the line in which this slot has another score and number of faults."""

        def slot_value(*slot: int) -> tuple[float, int]:
            return value if slot == (first, end) else self._slot_value(*slot)

        return _Line(self._letters, self._demands, self._words, slot_value)

    def _evaluate(self, blocks: int) -> _Value:
        """Return the value of the line with these blocks, a bitset."""
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
        if not words:
            faults += 1  # no word at all: the grid would be smaller than it was asked for
        return _Value(score, faults, words)

    def _find_runs(self, blocked: int, opened: int) -> tuple[list[list[int]], list[int]]:
        """Return for each position the ends that a faultless slot from there may have, and in how
        many ways the line may go on from there.

        Ends agree with cells known to be blocked or open; a blocked cell is a slot of no letter.
        """
        size = len(self._letters)
        ways = [0] * (size + 1) + [1]
        runs: list[list[int]] = [[] for _ in ways]
        for first in range(size, -1, -1):
            for end in (first, *range(first + self._min_length, size + 1)):
                slot = (1 << end) - (1 << first)
                clear = not blocked & slot and not opened >> end & 1
                if (
                    ways[end + 1]
                    and clear
                    and (end == first or not self._slot_value(first, end)[1])
                ):
                    runs[first].append(end)
                    ways[first] += ways[end + 1]
        return runs, ways

    def _find_common(self, blocked: int, opened: int) -> tuple[int, int] | None:
        """Return the cells that are blocked in all faultless sets of blocks, and those in some.

        None: there is no such set.
        """
        runs, ways = self._runs(blocked, opened)
        before = [1] + [0] * (len(ways) - 1)
        for first, ends in enumerate(runs):
            for end in ends:
                before[end + 1] += before[first]
        no_word = not opened
        total = ways[0] - no_word
        always = ever = 0
        for cell in range(len(self._letters)):
            number = before[cell + 1] * ways[cell + 1] - no_word
            always |= (number == total) << cell
            ever |= (number > 0) << cell
        return (always, ever) if total else None

    def _find_legal(self, blocked: int, opened: int, random: Random) -> list[int]:
        """Return the sets of blocks without a fault that agree with cells known to be so.

        Of more than ``_MAX_LEGAL``, so many are drawn, each with the same probability.
        """
        size = len(self._letters)
        runs, ways = self._runs(blocked, opened)

        @cache
        def every(first: int) -> list[int]:
            if first > size:
                return [0]
            return [1 << end | mask for end in runs[first] for mask in every(end + 1)]

        full = (1 << size) - 1
        masks = every(0) if ways[0] <= _MAX_LEGAL else self._draw(runs, ways, random)
        return sorted({mask & full for mask in masks} - {full})

    def _draw(self, runs: Sequence[list[int]], ways: Sequence[int], random: Random) -> list[int]:
        generator = np.random.default_rng(random.getrandbits(64))
        masks, firsts = np.zeros((2, _MAX_LEGAL), dtype=np.int64)
        for first, ends in enumerate(runs[:-1]):
            here = np.flatnonzero(firsts == first)
            shares = np.array([ways[end + 1] / ways[first] for end in ends])
            chosen = generator.choice(np.array(ends), len(here), p=shares) if len(here) else here
            masks[here] |= 1 << chosen
            firsts[here] = chosen + 1
        return [int(mask) for mask in masks]

    def _evaluate_slot(self, first: int, end: int) -> tuple[float, int]:
        length = end - first
        missing = max(self._min_length - length, length - self._max_length)
        if missing > 0:
            return -_MISSING_LETTER * missing, 1
        letters = self._letters[first:end]
        words = self._words(letters)
        if not words:
            return -_DEAD_SLOT, 1
        flaw = _THREE_LETTERS if length == MIN_WORD_LENGTH else 0.0
        flaw += _FEW_WORDS / words
        flaw += _OVERSHADOWS if length > self._not_beside else 0.0
        return log(words) - _CELL_COST / 2 * letters.count(None) - flaw, 0


class _Unit:
    """A line and its image by the symmetry (perhaps itself), and the sets of blocks they may have.

    ``choices`` are those of the line, ``images`` those of its image. Crossing line number ``j``
    meets one of four cases: 1 if it is blocked in the line, plus 2 if it is in the image. ``met``
    lists the crossing lines with the cases that occur. ``sums`` has a row for each choice: whether
    each of these cases occurs, then for each two neighbouring cells whether both are blocked.
    """

    def __init__(
        self, line: int, image: int, *, turned: bool, choices: Sequence[int], size: int
    ) -> None:
        self.line, self.image = line, image
        bits = 1 << np.arange(size)
        masks = np.array(choices, dtype=np.int64)
        blocked = (masks[:, None] & bits) != 0
        turned_back = blocked[:, ::-1] if turned else blocked
        if line == image:
            same = (blocked == turned_back).all(axis=1)
            masks, blocked = masks[same], blocked[same]
            self.images, cases = masks.tolist(), blocked.astype(np.int64)
        else:
            self.images = (turned_back @ bits).tolist()
            cases = blocked + 2 * turned_back.astype(np.int64)
        self.choices: list[int] = masks.tolist()
        self.blocks = blocked.sum(axis=1) * (1 if line == image else 2)
        occurs = cases[:, :, None] == np.arange(4)
        self.met = [(int(j), int(case)) for j, case in np.argwhere(occurs.any(axis=0))]
        columns = [occurs[:, j, case] for j, case in self.met]
        pairs = blocked[:, :-1] & blocked[:, 1:]
        self.sums = np.column_stack([*columns, pairs]).astype(np.float64)
        self.values: NDArray[np.float64] | None = None
        """The scores and numbers of words of the choices in the line and its image."""


class Lines:
    """The lines of annealings, of which those with the same letters and entries share values."""

    def __init__(self, demands: Demands, words: CountWords) -> None:
        self._demands, self._words = demands, words
        self.line = cache(self._line)

    def _line(self, letters: tuple[str | None, ...], entries: tuple[tuple[int, int], ...]) -> _Line:
        """Return the line with these letters and slots of entries, which need no word."""
        line = _Line(letters, self._demands, self._words)
        for first, end in entries:
            line = line.with_slot(first, end, (0.0, 0))
        return line


class Annealing:
    """Annealing of patterns around arranged entries; it can be resumed.

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
            lines.line(tuple(map(letters.get, line)), tuple(sorted(slots)))
            for line, slots in zip(self._cells, entries, strict=True)
        ]
        self._units: list[_Unit] = []
        self._square = _SQUARE_OF_BLOCKS if demands.clumps else _FORBIDDEN_SQUARE
        forced = forced_cells(demands, arrangement)
        self._forced = forced or {}
        self.forced_blocks: int | None = None
        if forced is not None and self._propagate():
            self.forced_blocks = sum(self._forced.values())
        self._masks = [self._known(number)[0] for number in range(height + width)]

    def forbid(self, cells: Sequence[Cell]) -> None:
        """From now on, count the slot of these cells as one that no word fits."""
        if not any(place.cells == tuple(cells) for place in self._arrangement):
            number, first, end = self._slot(cells)
            self._lines[number] = self._lines[number].with_slot(first, end, (-_DEAD_SLOT, 1))
            for unit in self._units:
                if number in (unit.line, unit.image):
                    unit.values = None

    def resume(self, pattern: Pattern) -> None:
        """Let the next annealing begin with this pattern."""
        lines = [*pattern.rows, *map("".join, zip(*pattern.rows, strict=True))]
        self._masks = [sum(1 << at for at, x in enumerate(line) if x == BLOCKED) for line in lines]

    def run(self, steps: int, hottest: float = _HOTTEST) -> Annealed | None:
        """Anneal once from the pattern reached before; return the best pattern on the way."""
        best: Annealed | None = None
        for score in self._walk(steps, hottest, _COLDEST):
            if score is not None and (best is None or score > best.score + 1e-9):
                best = self._annealed(score) or best
        return best

    def change(self, steps: int, temperature: float) -> Annealed | None:
        """Make so many steps, and further ones until a pattern meets the demands; return it."""
        for number, score in enumerate(self._walk(_PATIENCE * steps, temperature, temperature)):
            if number >= steps and score is not None and (found := self._annealed(score)):
                return found
        return None

    def _walk(self, steps: int, hottest: float, coldest: float) -> Iterator[float | None]:
        """Make steps; after each, yield the score, or None if a demand is not met."""
        if not self._units:
            self._units = list(self._make_units())
        cooling, temperature = (coldest / hottest) ** (1 / steps), hottest
        values = [line.value(mask) for line, mask in zip(self._lines, self._masks, strict=True)]
        for _ in range(steps if self._units else 0):
            temperature *= cooling
            self._step(self._random.choice(self._units), values, temperature)
            yield None if any(map(_FAULTS, values)) else self._score(values)

    def _annealed(self, score: float) -> Annealed | None:
        """Return the pattern with its score, or None if it is in parts."""
        width, masks = self._demands.width, self._masks[: self._demands.height]
        if not is_connected([~mask & (1 << width) - 1 for mask in masks]):
            return None
        rows = tuple(
            "".join(BLOCKED if mask >> at & 1 else OPEN for at in range(width)) for mask in masks
        )
        return Annealed(score, Pattern(rows, self._arrangement))

    def _slot(self, cells: Sequence[Cell]) -> tuple[int, int, int]:
        """Return the line of a slot, its first position there, and the position after it."""
        (row, column), (last_row, last_column) = cells[0], cells[-1]
        if row == last_row:
            return row, column, last_column + 1
        return self._demands.height + column, row, last_row + 1

    def _propagate(self) -> bool:
        """Add the forced cells that are the same in all faultless sets of blocks of a line.

        Returns False if a line has none, or if more blocks are forced than demanded.
        """
        demands, forced = self._demands, self._forced
        pending = set(range(len(self._lines)))
        while pending:
            number = pending.pop()
            common = self._lines[number].common(*self._known(number))
            if common is None:
                return False
            always, ever = common
            for at, cell in enumerate(self._cells[number]):
                blocked = bool(always >> at & 1)
                if cell in forced or (not blocked and ever >> at & 1):
                    continue
                for item in (cell, demands.partner(cell)):
                    if forced.setdefault(item, blocked) != blocked:
                        return False
                    pending |= {item[0], demands.height + item[1]}
        return demands.max_blocks is None or sum(forced.values()) <= demands.max_blocks

    def _known(self, number: int) -> tuple[int, int]:
        """Return the cells of a line that are forced to be blocked, and to be open, as bitsets."""
        known = [0, 0]
        for at, cell in enumerate(self._cells[number]):
            if cell in self._forced:
                known[self._forced[cell]] |= 1 << at
        return known[True], known[False]

    def _make_units(self) -> Iterator[_Unit]:
        """Yield the lines with a choice, each with its image."""
        height = self._demands.height
        for number, cells in enumerate(self._cells):
            ends = [self._demands.partner(cells[at]) for at in (0, -1)]
            row, column = min(ends)
            image = row if number < height else height + column
            if image < number:
                continue
            line, value = self._lines[number], self._lines[number].value
            found = line.legal(*self._known(number), self._random)
            legal = sorted(found, key=lambda mask: -value(mask).score)
            if len(legal) > _MAX_CHOICES:
                # The best sets for the line alone have more blocks than the grid may have.
                fewest = sorted(legal, key=int.bit_count)[: len(legal) // 2]
                legal = self._random.sample(fewest, min(len(fewest), _MAX_CHOICES))
            turned = ends[0] > ends[1]
            unit = _Unit(number, image, turned=turned, choices=legal, size=len(cells))
            if len(unit.choices) > 1:
                yield unit

    def _step(self, unit: _Unit, values: list[_Value], temperature: float) -> None:
        """Draw new blocks of a line and its image; update the values of the lines."""
        masks, lines, height = self._masks, self._lines, self._demands.height
        along, across = range(height), range(height, len(lines))
        if unit.line in across:
            along, across = across, along
        at, at_image = 1 << unit.line - along.start, 1 << unit.image - along.start
        clear = ~(at | at_image)
        added = (0, at, at_image, at | at_image)
        crossing = [
            (across.start + j, masks[across.start + j] & clear | added[case])
            for j, case in unit.met
        ]
        met = [lines[number].value(mask) for number, mask in crossing]
        scores = self._scores(unit, along, met, values)
        sums = np.exp((scores - scores.max()) / temperature).cumsum()
        chosen = min(int(np.searchsorted(sums, self._random.random() * sums[-1])), len(sums) - 1)
        for number, mask in (
            (unit.line, unit.choices[chosen]),
            (unit.image, unit.images[chosen]),
            *compress(crossing, unit.sums[chosen]),
        ):
            masks[number], values[number] = mask, lines[number].value(mask)

    def _scores(
        self, unit: _Unit, along: range, met: Sequence[_Value], values: Sequence[_Value]
    ) -> NDArray[np.float64]:
        """Return the scores of all choices, but for what is the same for all of them.

        ``along`` has the lines of the unit's direction, ``met`` the values of the crossing lines in
        the cases of ``unit.met``.
        """
        masks, demands = self._masks, self._demands
        if unit.values is None:
            unit.values = self._values_along(unit)
        squares = np.zeros(unit.sums.shape[1] - len(met))
        drawn = {unit.line, unit.image}
        weight = self._square * len(drawn)
        for beside in (unit.line - 1, unit.line + 1):
            if beside in along and beside not in drawn:
                pairs = masks[beside] & masks[beside] >> 1
                squares -= weight * (pairs >> np.arange(len(squares)) & 1)
        scores: NDArray[np.float64] = unit.values[:, 0] + unit.sums @ np.array(
            [*map(_SCORE, met), *squares]
        )
        more = np.array([*map(_WORDS, met)])
        words = unit.values[:, 1] + unit.sums[:, : len(met)] @ more
        every = slice(along.start, along.stop)
        words += sum(map(_WORDS, values[every])) - sum(values[number].words for number in drawn)
        blocks = unit.blocks + sum(map(int.bit_count, masks[every]))
        blocks -= sum(masks[number].bit_count() for number in drawn)
        low, high = demands.words
        over = np.maximum(0, words - high) + np.maximum(0, low - words)
        if demands.max_blocks is not None:
            over += np.maximum(0, blocks - demands.max_blocks)
        scores -= _OVER_LIMIT * over
        return scores

    def _values_along(self, unit: _Unit) -> NDArray[np.float64]:
        """Return the score and the number of words of each choice in the line and its image."""
        found = np.zeros((len(unit.choices), 2))
        for line, choices in {unit.line: unit.choices, unit.image: unit.images}.items():
            value = self._lines[line].value
            found += [(choice.score, choice.words) for choice in map(value, choices)]
        if unit.image == unit.line + 1:
            both = zip(unit.choices, unit.images, strict=True)
            squares = [_squares(mask, image) for mask, image in both]
            found[:, 0] -= self._square * np.array(squares)
        return found

    def _score(self, values: Sequence[_Value]) -> float | None:
        """Return the score of the pattern; None if its words or blocks are too many or too few."""
        demands = self._demands
        low, high = demands.words
        rows = self._masks[: demands.height]
        blocks = sum(mask.bit_count() for mask in rows)
        if not low <= sum(value.words for value in values) <= high or (
            demands.max_blocks is not None and blocks > demands.max_blocks
        ):
            return None
        squares = sum(_squares(upper, lower) for upper, lower in pairwise(rows))
        if squares and not self._demands.clumps:
            return None
        return sum(value.score for value in values) - self._square * squares


def _squares(upper: int, lower: int) -> int:
    """Return the number of 2x2 blocks in two lines."""
    both = upper & lower
    return (both & both >> 1).bit_count()
