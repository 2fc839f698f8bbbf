"""Decide by CP-SAT whether words can be interlocked in a box of a given size.

One Boolean variable per word and placement. The letter of a cell, and whether the cell lies in an
across and in a down word, follow from these variables; the cells before and after a word are empty;
adjacent letters belong to a common word. Disconnected layouts are excluded by lazy cuts: the empty
cells around a component can't all stay empty while the component and a cell outside it are used.
Two implied constraints prevent most disconnected layouts: each word crosses another word, and there
are at least as many crossings as words, less one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain, product

from satcross.backends.cp_solver import CpSettings, Literal, new_model, solve_model
from satcross.grid import ACROSS, DOWN, Cell
from satcross.grid.connectivity import neighbours, parts_of
from satcross.make.layout.layout import Layout, Placement, placement_cells
from satcross.run_settings import Deadline


class NoLayout(Enum):
    """Why ``Packing.solve`` has no layout: none exists, or the search stopped early."""

    PROVED = "proved"
    UNKNOWN = "unknown"


class Packing:
    """CP-SAT model of one box; its cuts are retained from one call of ``solve`` to the next.

    Building the model can take longer than solving it. At the ``deadline`` the model stays
    unfinished, and ``solve`` answers UNKNOWN.
    """

    def __init__(self, words: Sequence[str], height: int, width: int, deadline: Deadline) -> None:
        self.words = words
        self.height, self.width = height, width
        self._model = new_model()
        self._cells = [(row, column) for row in range(height) for column in range(width)]
        self._placements: dict[tuple[str, Placement], Literal] = {}
        self._used: dict[Cell, Literal] = {}
        self._doing: defaultdict[tuple[str, str, Cell], list[Literal]] = defaultdict(list)
        """The placements that cover a cell in a direction, or start or end there."""
        self._spelling: defaultdict[tuple[str, Cell, str], list[Literal]] = defaultdict(list)
        self._by_word: dict[str, list[tuple[Literal, list[Cell]]]] = {}
        self._impossible = False
        self._finished = self._build(deadline)

    def solve(self, work: float, deadline: Deadline, seed: int) -> Layout | NoLayout:
        """Return a layout within the box, or why there is none.

        ``work`` limits CP-SAT's deterministic time, in its units of about a second.
        """
        if not self._finished:
            return NoLayout.UNKNOWN
        if self._impossible:
            return NoLayout.PROVED
        while not deadline.passed and work > 0:
            result = solve_model(self._model, deadline, CpSettings(seed=seed, work=work))
            work -= result.work
            if result.infeasible:
                return NoLayout.PROVED
            if result.solution is None:
                break
            chosen = [key for key, way in self._placements.items() if result.is_true(way.index)]
            if not self._cut(chosen):
                return Layout.of(chosen)
        return NoLayout.UNKNOWN

    def _build(self, deadline: Deadline) -> bool:
        """Make the model; return whether that was finished before the deadline."""
        for word in self.words:
            if deadline.passed:
                return False
            self._by_word[word] = list(self._add_placements(word))
        if not all(self._by_word.values()):
            self._impossible = True
            return True
        if deadline.passed:
            return False
        for word in self.words:
            self._model.add_exactly_one(literal for literal, _ in self._by_word[word])
        covered = self._cover()
        crossed = self._cross(covered)
        self._spell()
        self._separate(covered)
        if len(self.words) > 1:
            for literal, cells in chain.from_iterable(self._by_word.values()):
                self._model.add_bool_or([~literal, *(crossed[cell] for cell in cells)])
            self._model.add(sum(crossed.values()) >= len(self.words) - 1)
        # Symmetry breaking: any layout can be moved to the top and the left of the box.
        self._model.add_bool_or([self._used[0, column] for column in range(self.width)])
        self._model.add_bool_or([self._used[row, 0] for row in range(self.height)])
        for table in (self._doing, self._spelling, self._by_word):
            table.clear()  # they are large, and the model has what they say
        return True

    def _add_placements(self, word: str) -> Iterator[tuple[Literal, list[Cell]]]:
        longest = max(self.words, key=len)
        for direction in (ACROSS, DOWN):
            if direction == DOWN and word == longest and self.height == self.width:
                continue  # the mirror image of the layout is searched instead
            for place in self._fitting(word, direction):
                literal = self._model.new_bool_var("")
                self._placements[word, place] = literal
                cells = placement_cells(word, place)
                for cell, letter in zip(cells, word, strict=True):
                    self._doing["cover", direction, cell].append(literal)
                    self._spelling[direction, cell, letter].append(literal)
                self._doing["start", direction, cells[0]].append(literal)
                self._doing["end", direction, cells[-1]].append(literal)
                yield literal, cells

    def _cover(self) -> dict[tuple[str, Cell], Literal]:
        """Return, for each direction and cell, whether a word in that direction covers the cell."""
        covered = {}
        for direction, cell in product((ACROSS, DOWN), self._cells):
            covered[direction, cell] = here = self._model.new_bool_var("")
            self._model.add_exactly_one([~here, *self._doing["cover", direction, cell]])
        return covered

    def _cross(self, covered: Mapping[tuple[str, Cell], Literal]) -> dict[Cell, Literal]:
        """Define the used cells, and return for each cell whether two words cross there."""
        crossed = {}
        for cell in self._cells:
            across, down = covered[ACROSS, cell], covered[DOWN, cell]
            used, cross = self._model.new_bool_var(""), self._model.new_bool_var("")
            self._model.add(used + cross == across + down)
            self._model.add_implication(cross, used)
            self._used[cell], crossed[cell] = used, cross
        return crossed

    def _spell(self) -> None:
        """Let each cell have one letter at most."""
        letters: defaultdict[Cell, dict[str, Literal]] = defaultdict(dict)
        for (_, cell, letter), literals in self._spelling.items():
            if letter not in letters[cell]:
                letters[cell][letter] = self._model.new_bool_var("")
            self._model.add_at_most_one([*literals, ~letters[cell][letter]])
        for alphabet in letters.values():
            self._model.add_at_most_one(alphabet.values())

    def _separate(self, covered: Mapping[tuple[str, Cell], Literal]) -> None:
        """Let adjacent letters belong to a common word, with empty cells before and after words."""
        for direction, step in ((ACROSS, (0, 1)), (DOWN, (1, 0))):
            for row, column in self._cells:
                here, after = (row, column), (row + step[0], column + step[1])
                if after in self._used:
                    ending = self._doing["end", direction, here]
                    self._model.add_at_most_one([*ending, self._used[after]])
                    starting = self._doing["start", direction, after]
                    self._model.add_at_most_one([*starting, self._used[here]])
                    touching = [~self._used[here], ~self._used[after]]
                    self._model.add_bool_or([*touching, covered[direction, here]])

    def _fitting(self, word: str, direction: str) -> list[Placement]:
        rows = self.height - (len(word) - 1 if direction == DOWN else 0)
        columns = self.width - (len(word) - 1 if direction == ACROSS else 0)
        return [(row, column, direction) for row in range(rows) for column in range(columns)]

    def _cut(self, chosen: Sequence[tuple[str, Placement]]) -> bool:
        """Return whether the layout is disconnected, and add a cut for each component if so."""
        pieces = parts_of(cell for word, place in chosen for cell in placement_cells(word, place))
        if len(pieces) == 1:
            return False
        for piece in pieces:
            around = {end for cell in piece for end in neighbours(cell)} & self._used.keys() - piece
            walls = [self._used[cell] for cell in sorted(around)]
            others = [cell for cell in self._cells if cell not in piece and cell not in around]
            outside = self._model.new_bool_var("")
            for cell in others:
                self._model.add_implication(self._used[cell], outside)
            for cell in piece:
                self._model.add_bool_or([*walls, ~self._used[cell], ~outside])
        return True
