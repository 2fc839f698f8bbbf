"""Make the pattern of an arrowword and fill it in one sweep over the cells: a beam search.

Cells are taken in reading order, and each becomes a letter or a clue cell. Two tries say which
letters keep the word across and the word down possible; where no word goes on, a clue cell ends
both. A clue cell inside the grid clues the words that begin at its right and below it. Words that
begin at an edge, of the grid or of the picture, are clued from the edge: there, every other cell is
a clue cell, as newspapers have it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import NamedTuple

from satcross.grid import Cell
from satcross.run_settings import Deadline

FREE, CLUE, LETTER, PICTURE = range(4)
"""What a cell may be before the sweep: anything, or one thing."""

_WIDTH = 300
"""Number of grids that the beam keeps at each cell."""
_CHOICES = 8
"""Maximum number of letters tried at a cell in each of them."""
_FUTURE = 0.45
_ENOUGH = 3.2
"""What the logarithm of the number of words that go on is worth, and from where more is no help."""
_LENGTHS = (0.0, -0.7, -1.2, 0.1, 0.8, 1.2, 1.5)
"""What a word is worth by its length; a letter that is alone in its line counts as one."""
_CLUE_COST = 1.5
_CLUMP_COST = 1.0
_NOISE = 0.6
_CHILDREN = 3
_ALIKE = 20
_RETRIES = 40


class _Trie:
    """The words, letter by letter: the node 0 is the root."""

    def __init__(self, words: Iterable[str]) -> None:
        self.children: list[dict[str, int]] = [{}]
        self.word: list[str] = [""]
        self.lengths = [0]
        self.counts: list[dict[int, int]] = [{}]
        for word in words:
            node = 0
            for position, letter in enumerate(word):
                self._count(node, len(word) - position)
                if letter not in self.children[node]:
                    self.children[node][letter] = len(self.children)
                    self.children.append({})
                    self.word.append("")
                    self.lengths.append(0)
                    self.counts.append({})
                node = self.children[node][letter]
            self._count(node, 0)
            self.word[node] = word
        self._hopes: dict[tuple[int, int], float] = {}

    def _count(self, node: int, more: int) -> None:
        self.lengths[node] |= 1 << more
        self.counts[node][more] = self.counts[node].get(more, 0) + 1

    def hope(self, node: int, ends: int) -> float:
        """Return how well a word can go on that may have as many more letters as ``ends`` says."""
        known = self._hopes.get((node, ends))
        if known is None:
            number = sum(count for more, count in self.counts[node].items() if ends >> more & 1)
            known = self._hopes[node, ends] = min(math.log1p(number), _ENOUGH)
        return known


class _Column(NamedTuple):
    """The word down that a cell goes on: where it is in the trie, its letters so far, and how many
    more it must have."""

    node: int = 0
    length: int = 0
    need: int = 0
    hope: float = _ENOUGH


class _State(NamedTuple):
    """A grid filled up to a cell, with the word across that the next cell goes on."""

    score: float
    future: float
    node: int
    length: int
    columns: tuple[_Column, ...]
    used: frozenset[str]
    text: str
    ends: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A rectangle that is left free: its upper left cell, its rows and its columns."""

    cell: Cell
    height: int
    width: int

    @property
    def cells(self) -> frozenset[Cell]:
        row, column = self.cell
        return frozenset(
            product(range(row, row + self.height), range(column, column + self.width))
        )


def frame(height: int, width: int, picture: Picture | None) -> list[list[int]]:
    """Return what each cell is before the sweep.

    Along each edge at which words begin, clue cells and letters alternate. A clue cell there has
    the word that begins behind it, and that of the letter beside it, by a bent arrow.
    """
    kinds = [[FREE] * width for _ in range(height)]
    free = picture.cells if picture else frozenset()

    def alternate(cells: Iterable[Cell]) -> None:
        for number, (row, column) in enumerate(cells):
            kinds[row][column] = LETTER if number % 2 else CLUE

    for row, column in free:
        kinds[row][column] = PICTURE
    edges: list[list[Cell]] = [[]]
    for line in (
        [(0, column) for column in range(width)],
        [(row, 0) for row in range(height)],
    ):
        edges += _parts(line, free)
    if picture is not None:
        (top, left), bottom = picture.cell, picture.cell[0] + picture.height
        right = left + picture.width
        if bottom < height:
            edges.append([(bottom, column) for column in range(left, right)])
        if right < width:
            edges.append([(row, right) for row in range(top, bottom)])
        if bottom < height and right < width and not (picture.height % 2 and picture.width % 2):
            edges.append([(bottom, right)])
    for edge in edges:
        alternate(edge)
    return kinds


def _parts(line: Sequence[Cell], free: frozenset[Cell]) -> list[list[Cell]]:
    """Return the parts of a line outside the picture."""
    parts: list[list[Cell]] = [[]]
    for cell in line:
        if cell in free:
            parts.append([])
        else:
            parts[-1].append(cell)
    return parts


class Sweep:
    """The search for one grid of a size, from words that are each worth something."""

    def __init__(
        self, words: Mapping[str, float], size: tuple[int, int], picture: Picture | None
    ) -> None:
        self.height, self.width = size
        self.worth = words
        longest = max(size)
        self.trie = _Trie(word for word in words if 2 <= len(word) <= longest)
        self.kinds = frame(self.height, self.width, picture)
        self.shortest = min(map(len, words))
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
        rows = [[_State(0.0, 0.0, 0, 0, (_Column(),) * self.width, frozenset(), "")]]
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

    def _row(self, states: list[_State], row: int, random: Random) -> list[_State]:
        states = [ready for state in states if (ready := self._look_ahead(state, row)) is not None]
        for cell in product((row,), range(self.width)):
            found: dict[object, _State] = {}
            rank = self._rank(cell, random)
            for state in states:
                children = sorted(self._expand(state, cell, random), key=rank, reverse=True)
                for after in children[:_CHILDREN]:
                    key = (after.node, after.length, after.columns)
                    if key not in found or found[key].score < after.score:
                        found[key] = after
            states = []
            alike: Counter[str] = Counter()
            for state in sorted(found.values(), key=rank, reverse=True):
                above = state.text[: (row - 1) * self.width] if row > 1 else state.text
                alike[above] += 1
                if alike[above] <= _ALIKE:
                    states.append(state)
                if len(states) == _WIDTH:
                    break
        return states

    def _look_ahead(self, state: _State, row: int) -> _State | None:
        """Return the state with what the words down allow in its next row; None for a dead end."""
        ends = [0] * (self.width + 1)
        letter_right, clue_right = False, True
        for column in reversed(range(self.width)):
            kind = self.kind(row, column)
            ends[column] = int(clue_right) | (ends[column + 1] << 1 if letter_right else 0)
            node, length, need, _ = state.columns[column]
            word = self.trie.word[node]
            done = length < 2 or (word and word not in state.used)
            clue_right = kind == PICTURE or bool(kind != LETTER and not need and done)
            goes_on = not length or self.trie.lengths[node] >> 1 & self.ends[row][column]
            letter_right = kind in (FREE, LETTER) and bool(goes_on)
            if not (clue_right or letter_right):
                return None
        return state._replace(ends=tuple(ends))

    def kind(self, row: int, column: int) -> int:
        """Return what a cell is before the sweep; outside the grid it is as in the picture."""
        inside = 0 <= row < self.height and 0 <= column < self.width
        return self.kinds[row][column] if inside else PICTURE

    def _rank(self, cell: Cell, random: Random) -> Callable[[_State], float]:
        column = cell[1]

        def rank(state: _State) -> float:
            future = state.future
            if state.length:
                future += self.trie.hope(state.node, state.ends[column]) - _ENOUGH
            return state.score + _FUTURE * future + random.random() * _NOISE

        return rank

    def _expand(self, state: _State, cell: Cell, random: Random) -> Iterable[_State]:
        """Yield the states after a cell."""
        row, column = cell
        kind = self.kind(row, column)
        if kind == PICTURE:
            yield state._replace(text=state.text + "#")
            return
        if kind != LETTER:
            after = self._place_clue(state, cell)
            if after is not None:
                yield after
        if kind != CLUE:
            for letter in self._letters(state, cell, random):
                placed = self._place_letter(state, cell, letter)
                if placed is not None:
                    yield placed

    def _letters(self, state: _State, cell: Cell, random: Random) -> list[str]:
        """Return letters with which both words can go on, those with more words rather."""
        trie, column = self.trie, state.columns[cell[1]]
        across, down = trie.children[state.node], trie.children[column.node]
        ends_across, ends_down = state.ends[cell[1]], self.ends[cell[0]][cell[1]]
        found = []
        for letter in across.keys() & down.keys():
            one_way, other_way = across[letter], down[letter]
            if not (trie.lengths[one_way] & ends_across or (not state.length and ends_across & 1)):
                continue
            if not (trie.lengths[other_way] & ends_down or (not column.length and ends_down & 1)):
                continue
            weight = trie.hope(one_way, ends_across) + trie.hope(other_way, ends_down)
            found.append((weight + 2 * random.random(), letter))
        found.sort(reverse=True)
        return [letter for _, letter in found[:_CHOICES]]

    def _place_letter(self, state: _State, cell: Cell, letter: str) -> _State | None:
        row, column = cell
        node, length, need, _ = state.columns[column]
        child = self.trie.children[node][letter]
        hope = self.trie.hope(child, self.ends[row][column])
        after: _State | None = _changed(
            state, column, _Column(child, length + 1, max(0, need - 1), hope)
        )._replace(
            node=self.trie.children[state.node][letter],
            length=state.length + 1,
            text=state.text + letter,
        )
        if self.kind(row, column + 1) == PICTURE:
            after = self._end_across(after, (row, column + 1)) if after else None
        if after is not None and self.kind(row + 1, column) == PICTURE:
            after = self._end_down(after, column)
        return after

    def _place_clue(self, state: _State, cell: Cell) -> _State | None:
        row, column = cell
        ended = self._end_across(state, cell)
        after = ended and self._end_down(ended, column)
        if after is None:
            return None
        cost = 0.0
        if self.kinds[row][column] == FREE:
            cost = _CLUE_COST
            neighbours = state.text[-1:] if column else ""
            neighbours += state.text[len(state.text) - self.width :][:1] if row else ""
            cost += _CLUMP_COST * neighbours.count("#")
        after = after._replace(score=after.score - cost, text=after.text + "#")
        if self.kind(row, column + 1) == PICTURE:
            return self._end_across(after, (row, column + 1))
        return after

    def _end_across(self, state: _State, end: Cell) -> _State | None:
        """End the word across before a cell; what has no word across needs one down."""
        row, column = end
        length = state.length
        after: _State | None = state
        if length >= 2:
            return self._end_word(state._replace(node=0, length=0), self.trie.word[state.node])
        after = state._replace(node=0, length=0, score=state.score + length * _LENGTHS[1])
        if length == 1 and state.columns[column - 1].length == 1:
            after = self._need(after, (row, column - 1), self.shortest - 1)
        clue = column - 1 - length
        if after is not None and clue >= 0 and self._relies_on_straight(state, (row, clue)):
            after = self._need(after, (row, clue), self.shortest)
        return after

    def _relies_on_straight(self, state: _State, cell: Cell) -> bool:
        """Whether a cell is a clue cell that clues no letter beside it by a bent arrow."""
        row, column = cell
        if state.text[row * self.width + column] != "#" or self.kind(row, column) == PICTURE:
            return False
        return LETTER not in (self.kind(row, column + 1), self.kind(row + 1, column))

    def _need(self, state: _State, cell: Cell, letters: int) -> _State | None:
        """Let the word down below a cell have so many letters more."""
        if self.room[cell[0]][cell[1]] < letters:
            return None
        column = state.columns[cell[1]]
        changed = column._replace(need=max(column.need, letters))
        return _changed(state, cell[1], changed)

    def _end_down(self, state: _State, column: int) -> _State | None:
        node, length, need, _ = state.columns[column]
        if need:
            return None
        after = _changed(state, column, _Column())
        if length >= 2:
            return self._end_word(after, self.trie.word[node])
        return after._replace(score=after.score + length * _LENGTHS[1])

    def _end_word(self, state: _State, word: str) -> _State | None:
        if not word or word in state.used:
            return None
        worth = _LENGTHS[min(len(word), len(_LENGTHS) - 1)] + self.worth[word]
        return state._replace(score=state.score + worth, used=state.used | {word})


def _changed(state: _State, at: int, column: _Column) -> _State:
    columns = state.columns
    return state._replace(
        columns=(*columns[:at], column, *columns[at + 1 :]),
        future=state.future + column.hope - columns[at].hope,
    )
