"""Make barred patterns by CP-SAT: no blocked cells, but bars between cells, at which words end.

One Boolean variable per pair of neighbouring cells says whether there is a bar between them; pairs
that the symmetry maps to each other share a variable. Each cell is in a word, no word has two
unchecked letters in a row, and none has more of them than ``max_unchecked`` allows. Connectivity is
enforced by lazy cuts: a bar around a component must go, which every connected pattern satisfies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from satcross.backends.cp_solver import LinearExpr, Literal, new_model
from satcross.grid import OPEN, Bar, Cell
from satcross.grid.connectivity import connected_parts
from satcross.grid.styles import max_unchecked
from satcross.make.pattern.demands import Demands, EntryPlacement, Pattern
from satcross.make.pattern.model import solutions
from satcross.run_settings import Deadline

# Penalties of the objective. Each bar also has a random weight below _MAX_RANDOM_WEIGHT.
_MAX_RANDOM_WEIGHT = 8
_CHECKED = 12
"""Penalty of each cell in two words: the fewer, the easier the grid is to fill."""
_OFF_TARGET = 20
_SHORT_OR_LONG_WORD = 8
_USUAL_LENGTHS = range(4, 10)


class BarredModel:
    """CP-SAT model of the demands, which yields one barred pattern after another."""

    def __init__(self, demands: Demands) -> None:
        self.demands = demands
        self._model = new_model()
        self._rows = (OPEN * demands.width,) * demands.height
        lines = [[(r, c) for c in range(demands.width)] for r in range(demands.height)]
        self._lines = [*lines, *map(list, zip(*lines, strict=True))]
        self._bars: dict[Bar, Literal] = {}
        for line in self._lines:
            for bar in pairwise(line):
                first, last = demands.image(bar)
                known = self._bars.get((first, last))
                self._bars[bar] = self._model.new_bool_var("") if known is None else known
        self._unchecked = {
            (cell, line[0][0] == line[1][0]): self._all(self._sides(line, at, at + 1), ())
            for line in self._lines
            for at, cell in enumerate(line)
        }
        for row in lines:
            for cell in row:
                self._model.add_bool_or(~self._unchecked[cell, False], ~self._unchecked[cell, True])
        self._words = {cells: word for line in self._lines for cells, word in self._slots(line)}
        self._count = LinearExpr.sum(list(self._words.values()))
        self._model.add_linear_constraint(self._count, *demands.words)
        self._entries = dict(self._placements())

    def find(self, random: Random, target: int, deadline: Deadline) -> Pattern | None:
        """Return a connected pattern with about ``target`` words, or None at the deadline.

        Raises ImpossibleError when no pattern is left.
        """
        off = self._model.new_int_var(0, len(self._words), "")
        self._model.add(off >= self._count - target)
        self._model.add(off >= target - self._count)
        terms = [(off, _OFF_TARGET)]
        terms += [(bar, random.randrange(_MAX_RANDOM_WEIGHT)) for bar in self._bars.values()]
        terms += [(item, -_CHECKED) for item in self._unchecked.values()]
        odd = (word for cells, word in self._words.items() if len(cells) not in _USUAL_LENGTHS)
        terms += [(word, _SHORT_OR_LONG_WORD) for word in odd]
        self._model.minimize(LinearExpr.weighted_sum(*zip(*terms, strict=True)))
        for result in solutions(self._model, random, deadline):
            bars = frozenset(bar for bar, item in self._bars.items() if result.is_true(item.index))
            parts = connected_parts(self._rows, bars)
            if len(parts) == 1:
                placed = (key for key, word in self._entries.items() if result.is_true(word.index))
                return Pattern(self._rows, tuple(placed), bars)
            for part in parts:
                around = [bar for bar in bars if len(part & set(bar)) == 1]
                self._model.add_bool_or([~self._bars[bar] for bar in around])
        return None

    def forbid(self, pattern: Pattern) -> None:
        """Exclude this pattern with its entries in these slots."""
        placed = [~self._entries[place] for place in pattern.placements]
        changed = (~item if bar in pattern.bars else item for bar, item in self._bars.items())
        self._model.add_bool_or([*placed, *changed])

    def _sides(self, line: list[Cell], first: int, end: int) -> list[Literal]:
        """Return the bars at the ends of a slot, without those at the edge of the grid."""
        places = [(line[at - 1], line[at]) for at in (first, end) if 0 < at < len(line)]
        return [self._bars[place] for place in places]

    def _all(self, bars: list[Literal], gaps: tuple[Literal, ...]) -> Literal:
        """Return a literal that is true if all of these bars are there, and none of the others."""
        both = self._model.new_bool_var("")
        self._model.add_bool_or([both, *(~bar for bar in bars), *gaps])
        for item in (*bars, *(~gap for gap in gaps)):
            self._model.add_implication(both, item)
        return both

    def _slots(self, line: list[Cell]) -> Iterator[tuple[tuple[Cell, ...], Literal]]:
        """Yield the words that a line may have, with their limits; forbid the other runs."""
        across = line[0][0] == line[1][0]
        longest = self.demands.max_length or len(line)
        for first in range(len(line)):
            for end in range(first + 2, len(line) + 1):
                cells = tuple(line[first:end])
                inner = [self._bars[bar] for bar in pairwise(cells)]
                word = self._all(self._sides(line, first, end), tuple(inner))
                if not self.demands.min_length <= len(cells) <= longest:
                    self._model.add(word == 0)
                    continue
                unchecked = [self._unchecked[cell, not across] for cell in cells]
                limit = max_unchecked(len(cells))
                self._model.add(LinearExpr.sum(unchecked) <= limit).only_enforce_if(word)
                for pair in pairwise(unchecked):
                    self._model.add_bool_or([~word, *(~item for item in pair)])
                yield cells, word

    def _placements(self) -> Iterator[tuple[EntryPlacement, Literal]]:
        """Yield the slots that each entry may have, with what it needs there."""
        letters: dict[tuple[Cell, str], Literal] = defaultdict(lambda: self._model.new_bool_var(""))
        for entry in self.demands.entries:
            literals = []
            for place in self.demands.slots_for(entry):
                if place.cells in self._words:
                    literals.append(self._model.new_bool_var(""))
                    self._model.add_implication(literals[-1], self._words[place.cells])
                    for letter in zip(place.cells, entry, strict=True):
                        self._model.add_implication(literals[-1], letters[letter])
                    yield place, literals[-1]
            self._model.add_exactly_one(literals)
        at_cell = defaultdict(list)
        for (cell, _), literal in letters.items():
            at_cell[cell].append(literal)
        for literals in at_cell.values():
            self._model.add_at_most_one(literals)
