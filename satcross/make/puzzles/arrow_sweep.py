"""Make the pattern of an arrowword together with its fill, by a beam search over the cells.

Cells are taken in reading order, and each becomes a letter or a clue cell: a letter where a word
across and a word down can go on with it, a clue cell where both can end. A clue cell inside the
grid clues the words that begin at its right and below it. Words that begin at an edge, of the grid
or of the picture, are clued from the edge: there, clue cells and letters alternate, as in print.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

from satcross.errors import InputError
from satcross.grid import BLOCKED, Cell, read_cell
from satcross.run_settings import Deadline

FREE, CLUE, LETTER, PICTURE = range(4)
"""What a cell may be before the sweep: a letter or a clue cell, or one thing."""

_BEAM = 500
"""Number of partial grids that are kept at each cell; of 300, half as many sweeps succeed."""
_MAX_ALIKE = 35
"""Maximum number of kept partial grids that agree in all rows but the last two."""
_MAX_LETTERS = 8
"""Maximum number of letters tried at a cell."""
_RETRIES = 20
"""How many times a sweep goes back a few rows when no partial grid is left."""
_FUTURE, _ENOUGH = 0.45, 3.2
"""What the logarithm of the number of words that go on is worth, and where more is no help."""
_NOISE = 0.6
_WORTH = (0.0, -0.7, -1.2, 0.1, 0.8, 1.2, 1.5)
"""What a word is worth by its length; a letter alone between clue cells counts as a word."""
_CLUE_COST, _CLUMP_COST = 1.5, 1.0
"""Cost of a clue cell inside the grid, and of each clue cell beside it."""


class Picture(NamedTuple):
    """A rectangle that is left free: its upper left cell, its rows and its columns."""

    row: int
    column: int
    height: int
    width: int

    @property
    def cells(self) -> frozenset[Cell]:
        rows = range(self.row, self.row + self.height)
        return frozenset(product(rows, range(self.column, self.column + self.width)))


_PLACED = re.compile(r"(\d+)x(\d+)(?:@(top|bottom)-(left|right)|@(r\d+c\d+))?", re.IGNORECASE)


def read_picture(text: str, size: tuple[int, int]) -> Picture:
    """Read ``4x5``, ``4x5@top-right`` or ``4x5@r4c5`` for a grid of a size. Raises InputError."""
    found = _PLACED.fullmatch(text.strip())
    height, width = (int(found[1]), int(found[2])) if found else (0, 0)
    if found is None or not height * width:
        raise InputError(f"bad --picture {text!r}", "write 4x5, 4x5@top-right, or 4x5@r4c5")
    cell = read_cell(found[5] or "")
    if cell is None:
        cell = (
            size[0] - height if (found[3] or "").lower() == "bottom" else 0,
            size[1] - width if (found[4] or "").lower() == "right" else 0,
        )
    return Picture(*cell, height, width)


class _Column(NamedTuple):
    """The letters of a word down so far, how many more it needs, and how well it can go on."""

    prefix: str = ""
    need: int = 0
    hope: float = _ENOUGH


class _State(NamedTuple):
    """A grid filled up to some cell.

    ``future`` is the sum of the hopes of all columns, beside that of empty ones. ``prefix`` are the
    letters of the word across. ``ends`` has for each column of the row, as bits, after how many
    further letters a word across may end.
    """

    columns: tuple[_Column, ...]
    score: float = 0.0
    future: float = 0.0
    prefix: str = ""
    used: frozenset[str] = frozenset()
    text: str = ""
    ends: tuple[int, ...] = ()

    def with_column(self, at: int, column: _Column) -> _State:
        columns = (*self.columns[:at], column, *self.columns[at + 1 :])
        future = self.future + column.hope - self.columns[at].hope
        return self._replace(columns=columns, future=future)


class Sweep:
    """The search for grids of a size; ``worth`` has what each word adds to a grid's score."""

    def __init__(
        self, worth: Mapping[str, float], size: tuple[int, int], picture: Picture | None
    ) -> None:
        self.height, self.width = size
        self.worth = worth
        self.shortest = min(map(len, worth))
        self.after: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self.letters: defaultdict[str, set[str]] = defaultdict(set)
        for word in worth:
            for number, letter in enumerate(word):
                self.after[word[:number]][len(word) - number] += 1
                self.letters[word[:number]].add(letter)
            self.after[word][0] += 1
        self.hope = cache(self._hope)
        free = picture.cells if picture else frozenset()
        self.kinds = [[FREE] * self.width for _ in range(self.height)]
        for row, column in product(range(self.height), range(self.width)):
            self.kinds[row][column] = PICTURE if (row, column) in free else FREE
            if (row, column) not in free:
                self.kinds[row][column] = self._edge(row, column)
        self.ends = [[0] * self.width for _ in range(self.height)]
        self.room = [[0] * self.width for _ in range(self.height)]
        for row, column in product(reversed(range(self.height)), range(self.width)):
            below = self.kind(row + 1, column)
            self.ends[row][column] = int(below != LETTER)
            if below in (FREE, LETTER):
                self.ends[row][column] |= self.ends[row + 1][column] << 1
                self.room[row][column] = self.room[row + 1][column] + 1

    def run(self, random: Random, deadline: Deadline) -> tuple[str, ...] | None:
        """Return the rows of a grid, ``#`` for clue cells and the picture; None for none found."""
        rows = [[_State((_Column(),) * self.width)]]
        failures = 0
        while len(rows) <= self.height:
            states = self._row(rows[-1], len(rows) - 1, random)
            if states:
                rows.append(states)
                continue
            failures += 1
            if failures > _RETRIES or deadline.passed:
                return None
            del rows[max(1, len(rows) - failures % 4) :]
        best = max(rows[-1], key=lambda state: state.score)
        starts = range(0, len(best.text), self.width)
        return tuple(best.text[start : start + self.width] for start in starts)

    def kind(self, row: int, column: int) -> int:
        """Return what a cell is before the sweep; outside the grid it is as in the picture."""
        inside = 0 <= row < self.height and 0 <= column < self.width
        return self.kinds[row][column] if inside else PICTURE

    def _edge(self, row: int, column: int) -> int:
        """Return what a cell is by the cells above and at the left, which are known."""
        above, left = self.kind(row - 1, column), self.kind(row, column - 1)
        if PICTURE in (above, left):
            before = left if above == PICTURE else above
            return LETTER if before == CLUE else CLUE
        # The last letter of an edge ends there, since no clue is left for a word through it.
        return (
            CLUE if self.kind(row - 1, column - 1) == PICTURE and LETTER in (above, left) else FREE
        )

    def _hope(self, prefix: str, ends: int) -> float:
        """Return how well a word can go on that may have as many more letters as ``ends`` says."""
        number = sum(count for more, count in self.after[prefix].items() if ends >> more & 1)
        return min(math.log1p(number), _ENOUGH)

    def _row(self, states: list[_State], row: int, random: Random) -> list[_State]:
        """Return the best states after a row."""
        states = [ready for state in states if (ready := self._look_ahead(state, row))]
        for column in range(self.width):

            def rank(state: _State, column: int = column) -> float:
                across = self.hope(state.prefix, state.ends[column]) if state.prefix else _ENOUGH
                return state.score + _FUTURE * (state.future + across) + random.random() * _NOISE

            found: dict[object, _State] = {}
            for state in states:
                for after in self._expand(state, (row, column), random):
                    key = (after.prefix, after.columns)
                    if key not in found or found[key].score < after.score:
                        found[key] = after
            states, alike = [], Counter[str]()
            for state in sorted(found.values(), key=rank, reverse=True):
                above = state.text[: (row - 1) * self.width] if row > 1 else state.text
                alike[above] += 1
                if alike[above] <= _MAX_ALIKE:
                    states.append(state)
                if len(states) == _BEAM:
                    break
        return states

    def _look_ahead(self, state: _State, row: int) -> _State | None:
        """Return the state with what the words down allow in a row; None where it is a dead end."""
        ends = [0] * (self.width + 1)
        goes_on, can_end = False, True
        for column in reversed(range(self.width)):
            ends[column] = int(can_end) | (ends[column + 1] << 1 if goes_on else 0)
            prefix, need, _ = state.columns[column]
            kind = self.kind(row, column)
            done = len(prefix) < 2 or (prefix in self.worth and prefix not in state.used)
            can_end = kind == PICTURE or (kind != LETTER and not need and done)
            more = not prefix or self.hope(prefix, self.ends[row][column] << 1)
            goes_on = kind in (FREE, LETTER) and bool(more)
            if not (can_end or goes_on):
                return None
        return state._replace(ends=tuple(ends))

    def _expand(self, state: _State, cell: Cell, random: Random) -> Iterator[_State]:
        """Yield the states after a cell."""
        row, column = cell
        kind, above = self.kind(row, column), state.columns[column]
        if kind == PICTURE:
            yield state.with_column(column, _Column())._replace(text=state.text + BLOCKED)
            return
        if kind != LETTER and (after := self._place_clue(state, cell)):
            yield after
        if kind == CLUE:
            return
        ends, ends_down = state.ends[column], self.ends[row][column]
        found = []
        for letter in sorted(self.letters[state.prefix] & self.letters[above.prefix]):
            hopes = (
                self.hope(state.prefix + letter, ends) or (not state.prefix and ends & 1),
                self.hope(above.prefix + letter, ends_down) or (not above.prefix and ends_down & 1),
            )
            if all(hopes):
                found.append((sum(hopes) + 2 * random.random(), letter))
        for _, letter in sorted(found, reverse=True)[:_MAX_LETTERS]:
            if after := self._place_letter(state, cell, letter):
                yield after

    def _place_letter(self, state: _State, cell: Cell, letter: str) -> _State | None:
        row, column = cell
        above = state.columns[column]
        prefix = above.prefix + letter
        hope = self.hope(prefix, self.ends[row][column])
        after: _State | None = state
        if self.kind(row + 1, column) == PICTURE:
            hope, after = _ENOUGH, self._end_word(state, prefix)
        if after is None:
            return None
        after = after.with_column(column, _Column(prefix, max(0, above.need - 1), hope))
        after = after._replace(prefix=state.prefix + letter, text=state.text + letter)
        if self.kind(row, column + 1) == PICTURE:
            return self._end_across(after, (row, column + 1))
        return after

    def _place_clue(self, state: _State, cell: Cell) -> _State | None:
        row, column = cell
        above = state.columns[column]
        after = None if above.need else self._end_across(state, cell)
        after = after and self._end_word(after, above.prefix)
        if after is None:
            return None
        cost = 0.0
        if self.kinds[row][column] == FREE:
            beside = state.text[-1:] + state.text[len(state.text) - self.width :][:1]
            cost = _CLUE_COST + _CLUMP_COST * beside.count(BLOCKED)
        after = after.with_column(column, _Column())
        after = after._replace(score=after.score - cost, text=after.text + BLOCKED)
        if self.kind(row, column + 1) == PICTURE:
            return self._end_across(after, (row, column + 1))
        return after

    def _end_across(self, state: _State, end: Cell) -> _State | None:
        """End the word across before a cell; what has no word across has to have one down."""
        row, column = end
        length = len(state.prefix)
        after = self._end_word(state, state.prefix)
        after = after and after._replace(prefix="")
        if length >= 2:
            return after
        if after and length and len(state.columns[column - 1].prefix) == 1:
            after = self._need(after, (row, column - 1), self.shortest - 1)
        clue = column - 1 - length
        if after and clue >= 0 and self._is_plain(state, row, clue):
            after = self._need(after, (row, clue), self.shortest)
        return after

    def _is_plain(self, state: _State, row: int, column: int) -> bool:
        """Whether a cell is a clue cell that clues no letter beside it by a bent arrow."""
        if state.text[row * self.width + column] != BLOCKED or self.kind(row, column) == PICTURE:
            return False
        return LETTER not in (self.kind(row, column + 1), self.kind(row + 1, column))

    def _need(self, state: _State, cell: Cell, letters: int) -> _State | None:
        """Let the word down below a cell have so many letters more."""
        row, column = cell
        if self.room[row][column] < letters:
            return None
        below = state.columns[column]
        return state.with_column(column, below._replace(need=max(below.need, letters)))

    def _end_word(self, state: _State, word: str) -> _State | None:
        worth = _WORTH[min(len(word), len(_WORTH) - 1)]
        if len(word) < 2:
            return state._replace(score=state.score + worth)
        if word not in self.worth or word in state.used:
            return None
        score = state.score + worth + self.worth[word]
        return state._replace(score=score, used=state.used | {word})
