"""Good layouts fast: words put in one after the other, then some taken out and put in again.

Ruin and recreate (Schrimpf, Schneider, Stamm-Wilbrandt and Dueck 2000) with threshold accepting: a
few neighbouring words leave the layout, and each comes back where the box grows least and most
letters cross. A somewhat larger box is accepted, ever less so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from random import Random

from satcross.construct.layout.layout import Layout
from satcross.deadline import Deadline
from satcross.grid import ACROSS, DOWN

_ROW = 1 << 12
"""A cell is one number, row * _ROW + column: half the time of pairs."""
_START = (_ROW // 2) * _ROW + _ROW // 2
_UNPLACED = 10_000
_CROSSING_WORTH = 2.0
"""Cells of the box that a crossing is worth while words are put in."""
_EDGE = 0.5
_NOISE = 3.0
_ROUND = 400
"""Changes from one start before the next, for each ten words."""
_FIRST_THRESHOLD = 0.08
"""What part of the area a change may lose at first."""


class Board:
    """Words on an endless board."""

    def __init__(self) -> None:
        self.placed: dict[str, tuple[int, int]] = {}
        """Word -> first cell and step (1 across, _ROW down)."""
        self.letter: dict[int, str] = {}
        self._with_letter: defaultdict[str, set[int]] = defaultdict(set)
        self._users: defaultdict[int, list[str]] = defaultdict(list)

    def put(self, word: str, start: int, step: int) -> None:
        self.placed[word] = (start, step)
        for place, letter in enumerate(word):
            cell = start + place * step
            self.letter[cell] = letter
            self._with_letter[letter].add(cell)
            self._users[cell].append(word)

    def take(self, word: str) -> None:
        start, step = self.placed.pop(word)
        for place, letter in enumerate(word):
            cell = start + place * step
            users = self._users[cell]
            users.remove(word)
            if not users:
                del self.letter[cell]
                self._with_letter[letter].discard(cell)

    def box(self) -> tuple[int, int, int, int]:
        """First row, last row, first column, last column."""
        rows = [cell // _ROW for cell in self.letter]
        columns = [cell % _ROW for cell in self.letter]
        return min(rows), max(rows), min(columns), max(columns)

    def cost(self, missing: int) -> float:
        """Area, less a little for each crossing; words that are missing cost most."""
        rows = [cell // _ROW for cell in self.letter]
        columns = [cell % _ROW for cell in self.letter]
        top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)
        height, width = bottom - top + 1, right - left + 1
        crossings = sum(map(len, self.placed)) - len(rows)
        edge = min(rows.count(top), rows.count(bottom)) / width
        side = min(columns.count(left), columns.count(right)) / height
        return (
            missing * _UNPLACED
            + height * width
            + _EDGE * min(edge * width, side * height)
            - crossings / 100
            + abs(height - width) / 10_000
        )

    def options(self, word: str) -> Iterator[tuple[int, int, int]]:
        """Where the word can cross others: first cell, step, number of crossings."""
        seen = set()
        letters = self.letter
        for place, letter in enumerate(word):
            for cell in self._with_letter[letter]:
                for step, turn in ((1, _ROW), (_ROW, 1)):
                    start = cell - place * step
                    if cell - step in letters or cell + step in letters or (start, step) in seen:
                        continue  # the cell has a word in this direction already
                    seen.add((start, step))
                    crossings = self._fits(word, start, step, turn)
                    if crossings:
                        yield start, step, crossings

    def _fits(self, word: str, start: int, step: int, turn: int) -> int:
        """How many letters would cross; 0 when the word can't stand there."""
        letters = self.letter
        if start - step in letters or start + len(word) * step in letters:
            return 0
        crossings = 0
        before = None
        cell = start
        for letter in word:
            there = letters.get(cell)
            if there is None:
                if cell - turn in letters or cell + turn in letters:
                    return 0
            elif there != letter or before is not None:
                return 0  # two letters side by side: a word in this direction is there already
            else:
                crossings += 1
            before = there
            cell += step
        return crossings

    def insert(self, words: Sequence[str], random: Random) -> list[str]:
        """Put in what can be put in, each word where it does best; the words left over."""
        waiting = list(words)
        if not self.placed and waiting:
            self.put(waiting.pop(0), _START, random.choice((1, _ROW)))
        progress = True
        while waiting and progress:
            progress = False
            for word in waiting[:]:
                best = self._best(word, random)
                if best is not None:
                    self.put(word, *best)
                    waiting.remove(word)
                    progress = True
        return waiting

    def _best(self, word: str, random: Random) -> tuple[int, int] | None:
        top, bottom, left, right = self.box()
        best, lowest = None, float("inf")
        noise = random.random() * _NOISE
        rand = random.random
        long = len(word) - 1
        for start, step, crossings in self.options(word):
            row, column = start // _ROW, start % _ROW
            end_row, end_column = (row, column + long) if step == 1 else (row + long, column)
            height = (bottom if bottom > end_row else end_row) - (top if top < row else row) + 1
            width = (
                (right if right > end_column else end_column) - (left if left < column else column)
            ) + 1
            cost = height * width - _CROSSING_WORTH * crossings + noise * rand()
            if cost < lowest:
                best, lowest = (start, step), cost
        return best

    def neighbours(self, word: str) -> list[str]:
        """The words that cross it."""
        start, step = self.placed[word]
        users = self._users
        return [
            other
            for cell in range(start, start + len(word) * step, step)
            for other in users[cell]
            if other != word
        ]

    def loose(self) -> list[str]:
        """The words that do not hang together with most of the others."""
        left = set(self.placed)
        largest: set[str] = set()
        while left:
            todo = [min(left)]
            part = set(todo)
            while todo:
                fresh = set(self.neighbours(todo.pop())) - part
                part |= fresh
                todo += fresh
            left -= part
            largest = max(largest, part, key=len)
        return [word for word in self.placed if word not in largest]

    def snapshot(self) -> dict[str, tuple[int, int]]:
        return dict(self.placed)

    def restore(self, placed: dict[str, tuple[int, int]]) -> None:
        for word, place in list(self.placed.items()):
            if placed.get(word) != place:
                self.take(word)
        for word, place in placed.items():
            if word not in self.placed:
                self.put(word, *place)

    def layout(self) -> Layout:
        return Layout.of(
            (word, (start // _ROW, start % _ROW, ACROSS if step == 1 else DOWN))
            for word, (start, step) in self.placed.items()
        )


def search(
    words: Sequence[str],
    random: Random,
    deadline: Deadline,
    *,
    rounds: int,
    found: Callable[[Layout], None],
) -> list[str]:
    """Look for small layouts of all words, from so many starts, until the deadline.

    ``found`` is called with each that seems better than those before. Returns the words left over
    in the best try, none when a layout was found.
    """
    least = float("inf")
    left_over = list(words)
    for _ in range(rounds):
        if deadline.passed:
            break
        board = Board()
        order = sorted(words, key=lambda word: -len(word) + random.random() * 4)
        missing = board.insert(order, random)
        cost = board.cost(len(missing))
        changes = _ROUND * (1 + len(words) // 10)
        for change in range(changes):
            if cost < least and not missing:
                least, left_over = cost, []
                found(board.layout())
            elif len(missing) < len(left_over):
                left_over = missing
            if len(words) < 2 or deadline.passed:
                break
            before = board.snapshot()
            out = _ruin(board, random)
            still = board.insert(_shuffled(missing + out, random), random)
            after = board.cost(len(still))
            slack = _FIRST_THRESHOLD * (1 - change / changes) * min(cost, _UNPLACED)
            if after <= cost + slack * random.random():
                cost, missing = after, still
            else:
                board.restore(before)
    return left_over


def _ruin(board: Board, random: Random) -> list[str]:
    """Take out a word and some that cross it, and whatever then hangs on nothing."""
    word = random.choice(list(board.placed))
    near = board.neighbours(word)
    most = max(1, len(board.placed) // 3)
    out = [word, *near[: random.randrange(0, min(len(near), most) + 1)]]
    for other in out:
        board.take(other)
    for other in board.loose() if board.placed else []:
        board.take(other)
        out.append(other)
    return out


def _shuffled(words: list[str], random: Random) -> list[str]:
    """Long words first, roughly."""
    return sorted(words, key=lambda word: -len(word) + random.random() * 6)
