"""Random arrangements of entries: a slot for each, chosen before the rest of the pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import chain, combinations, pairwise, product
from math import prod
from operator import or_
from random import Random

from satcross.grid import ACROSS, DOWN, Cell
from satcross.make.pattern.demands import Demands, EntryPlacement, Symmetry, letters_at, with_ends

_MAX_COMPARED = 100_000
"""Arrangements of which all are compared; those of two pairs of entries are fewer."""
_DRAWN = 6_000
"""How many are begun at a time, where there are more."""
_TRIED = 8
"""Slots that are tried for an entry before its arrangement is given up."""
_PAIRINGS = 10
"""Random orders of the entries, after which those of the same length are paired."""
_MAX_ROUNDS = 20
"""How often so many are begun."""
_GAPS = (300.0, 200.0, 6.0, 3.0, 0.0)
"""Costs by the distance of neighbouring lines of one direction that hold entries or slots opposite
to them: the words between close entries are hard to fill."""
_EDGES = (8.0, 6.0, 2.0, 0.0)
"""Costs by the distance of such a line from the edge of the grid."""
_ALONE = 30.0
"""Cost of an entry whose opposite slot is another one, without an entry."""
_DOWN = 6.0
"""Cost of each entry that runs down: solvers expect themes across."""
_BLOCK = 3.0
"""Cost of each block that the entries force."""
_NOISE = 10.0
"""Maximum random cost, without which the same arrangements would be drawn again and again."""

Arrangement = tuple[EntryPlacement, ...]


@dataclass(frozen=True, slots=True)
class _Option:
    """Slots for one entry or for a pair, and what they force; cells are bits of an int."""

    placements: Arrangement
    blocked: int
    opened: int
    letters: dict[Cell, str]
    lines: frozenset[tuple[str, int]]
    cost: float

    def agrees(self, other: _Option) -> bool:
        """Whether both may stand in a grid."""
        if self.blocked & other.opened or self.opened & other.blocked:
            return False
        if not self.opened & other.opened:
            return True
        shared = self.letters.keys() & other.letters.keys()
        return all(self.letters[cell] == other.letters[cell] for cell in shared)


class Arrangements:
    """Random arrangements of all entries that agree with each other and with the symmetry.

    Under a symmetry, two entries of the same length stand in slots that it maps to each other,
    unless both have places of their own.
    """

    def __init__(self, demands: Demands, random: Random) -> None:
        self._demands, self._random = demands, random
        self._sizes = {ACROSS: demands.height, DOWN: demands.width}
        self._options = cache(lambda words: list(self._find_options(words)))

    def ranked(self) -> Iterator[Arrangement]:
        """Yield distinct arrangements, likely good ones first; those of many entries are drawn."""
        pairings = [list(map(self._options, units)) for units in self._pairings()]
        pairings = [units for units in pairings if all(units)]
        if sum(prod(map(len, units)) for units in pairings) <= _MAX_COMPARED:
            every = chain.from_iterable(product(*units) for units in pairings)
            rounds: Iterable[list[tuple[_Option, ...]]] = [
                [each for each in every if all(a.agrees(b) for a, b in combinations(each, 2))]
            ]
        else:
            rounds = (self._drawn(pairings) for _ in range(_MAX_ROUNDS))
        seen: set[Arrangement] = set()
        for fitting in rounds:
            for options in sorted(fitting, key=self._noisy_cost):
                placements = (place for option in options for place in option.placements)
                arrangement = tuple(sorted(placements, key=lambda place: place.word))
                if arrangement not in seen:
                    seen.add(arrangement)
                    yield arrangement

    def _drawn(self, pairings: Sequence[Sequence[list[_Option]]]) -> list[tuple[_Option, ...]]:
        """Return random choices of one option for each unit; all options of a choice agree."""
        found = []
        for units in self._random.choices(pairings, k=_DRAWN):
            chosen: list[_Option] = []
            for options in self._random.sample(units, len(units)):
                tried = self._random.choices(options, k=_TRIED)
                fits = (each for each in tried if all(map(each.agrees, chosen)))
                option = next(fits, None)
                if option is None:
                    break
                chosen.append(option)
            else:
                found.append(tuple(chosen))
        return found

    def _pairings(self) -> Iterable[tuple[tuple[str, ...], ...]]:
        """Return some ways to pair the entries."""
        entries = self._demands.entries
        shuffled = (self._random.sample(entries, len(entries)) for _ in range(_PAIRINGS))
        found = [tuple(sorted(self._paired(words))) for words in (entries, *shuffled)]
        if self._demands.symmetry is Symmetry.MIRROR:
            # Each may be in the middle of a row.
            found.append(tuple((word,) for word in sorted(entries)))
        return dict.fromkeys(found)  # distinct, in a fixed order

    def _noisy_cost(self, options: Sequence[_Option]) -> float:
        cost = self._random.random() * _NOISE + sum(option.cost for option in options)
        cost += _BLOCK * reduce(or_, (option.blocked for option in options)).bit_count()
        lines = {line for option in options for line in option.lines}
        for direction, size in self._sizes.items():
            used = sorted(number for kind, number in lines if kind == direction)
            cost += sum(_GAPS[min(after - before, 4)] for before, after in pairwise(used))
            cost += sum(_EDGES[min(number, size - 1 - number, 3)] for number in used)
        return cost

    def _paired(self, entries: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield pairs of entries of the same length, then the other entries."""
        waiting: dict[int, str] = {}
        for word in entries:
            twin = waiting.get(len(word))
            if twin is None and self._demands.symmetry is not Symmetry.NONE:
                waiting[len(word)] = word
            elif twin is None or {twin, word} <= self._demands.places.keys():
                yield (word,)
            else:
                del waiting[len(word)]
                yield min(word, twin), max(word, twin)
        yield from ((word,) for word in waiting.values())

    def _find_options(self, words: tuple[str, ...]) -> Iterator[_Option]:
        for place in self._demands.slots_for(words[0]):
            image = self._demands.image(place.cells)
            placements: Arrangement = (place,)
            if len(words) > 1:
                other = EntryPlacement(words[1], place.direction, image)
                here = other.direction, image[0]
                overlap = not set(image).isdisjoint(place.cells)
                if overlap or self._demands.places.get(other.word, here) != here:
                    continue
                placements = place, other
            forced = forced_cells(self._demands, placements)
            if forced is not None:
                cost = _DOWN * len(words) if place.direction == DOWN else 0.0
                if len(words) == 1 and image != place.cells:
                    cost += _ALONE
                masks = [0, 0]
                for (row, column), blocked in forced.items():
                    masks[blocked] |= 1 << row * self._demands.width + column
                letters, down = letters_at(placements), place.direction == DOWN
                lines = frozenset(
                    (place.direction, cells[0][down]) for cells in (place.cells, image)
                )
                yield _Option(placements, masks[True], masks[False], letters, lines, cost)


def entries_alone(demands: Demands, placements: Sequence[EntryPlacement]) -> int:
    """Return how many entries have an opposite slot that is another one, without an entry."""
    slots = {place.cells for place in placements}
    return sum(demands.image(cells) not in slots for cells in slots)


def fewest_alone(demands: Demands) -> int:
    """Return how many entries are alone, at least, by their lengths.

    Left-right symmetry has a slot that is its own image in every row, a half turn in the middle.
    """
    number = Counter(map(len, demands.entries))
    odd = [length for length, entries in number.items() if entries % 2]
    centred = sum((demands.width - length) % 2 == 0 for length in odd)
    if demands.symmetry is Symmetry.ROTATION:
        centred = min(centred, demands.height % 2)
    return len(odd) - centred


def forced_cells(demands: Demands, placements: Sequence[EntryPlacement]) -> dict[Cell, bool] | None:
    """Return the cells that placed entries force to be blocked (True) or open.

    The cells of entries are open, those at their ends are blocked, and so are those between an end
    and the edge where no word fits; the symmetry maps these to others. None: this is contradictory.
    """
    forced: dict[Cell, bool] = {}
    for place in placements:
        before, *cells, after = with_ends(place.cells)
        wanted = dict.fromkeys(cells, False) | {before: True, after: True}
        for cell, blocked in wanted.items():
            for item in (cell, demands.partner(cell)) if demands.holds(cell) else ():
                if forced.setdefault(item, blocked) != blocked:
                    return None
    return forced if _close_short_gaps(demands, forced) else None


def _close_short_gaps(demands: Demands, forced: dict[Cell, bool]) -> bool:
    """Block the gaps between forced blocks, or a block and the edge, that no word fits.

    Returns False if a gap has cells of an entry.
    """
    pending = [cell for cell, blocked in forced.items() if blocked]
    while pending:
        row, column = pending.pop()
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            gap: list[Cell] = []
            for step in range(1, demands.min_length + 1):
                cell = row + down * step, column + right * step
                if not demands.holds(cell) or forced.get(cell):
                    break
                gap.append(cell)
            if len(gap) == demands.min_length:
                continue
            for cell in gap:
                for item in (cell, demands.partner(cell)):
                    if forced.setdefault(item, True) is False:
                        return False
                    pending.append(item)
    return True
