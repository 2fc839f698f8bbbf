"""Find good layouts fast by ruin and recreate.

A few words that cross each other are removed, and each is inserted again where the bounding box
grows least and most letters cross (Schrimpf, Schneider, Stamm-Wilbrandt and Dueck, "Record breaking
optimization results using the ruin and recreate principle", 2000). Threshold accepting: a somewhat
larger box is accepted, with a threshold that falls to zero.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from random import Random

from satcross import engine
from satcross.grid import ACROSS, DOWN
from satcross.make.layout.goal import Goal
from satcross.make.layout.layout import Layout
from satcross.make.layout.search_weights import (
    CROSSING_VALUE,
    EDGE_WEIGHT,
    FIRST_THRESHOLD,
    INSERTION_NOISE,
    UNPLACED_COST,
)
from satcross.run_settings import Deadline

ROW = 1 << 12
"""A cell is the integer row * ROW + column; a search with pairs took twice as long."""
START = (ROW // 2) * ROW + ROW // 2
"""First cell of the first word: the middle of the board, so that no coordinate gets negative."""
_CHANGES_PER_ROUND = 400
"""Changes per round for every ten words."""


class Board:
    """Words on a board that is unbounded, or all in the goal's box anywhere on it."""

    def __init__(self, goal: Goal | None = None) -> None:
        self._goal = goal or Goal()
        self._rows, self._columns = self._goal.box or (ROW, ROW)
        self.placed: dict[str, tuple[int, int]] = {}
        """Word -> its first cell, and the step to the next cell (1 across, ROW down)."""
        self.letter: dict[int, str] = {}
        self._cells_by_letter: defaultdict[str, set[int]] = defaultdict(set)
        self._words_at: defaultdict[int, list[str]] = defaultdict(list)

    def insert_word(self, word: str, start: int, step: int) -> None:
        self.placed[word] = (start, step)
        for position, letter in enumerate(word):
            cell = start + position * step
            self.letter[cell] = letter
            self._cells_by_letter[letter].add(cell)
            self._words_at[cell].append(word)

    def remove_word(self, word: str) -> None:
        start, step = self.placed.pop(word)
        for position, letter in enumerate(word):
            cell = start + position * step
            words = self._words_at[cell]
            words.remove(word)
            if not words:
                del self.letter[cell]
                self._cells_by_letter[letter].discard(cell)

    def bounding_box(self) -> tuple[int, int, int, int]:
        """Return the first row, last row, first column and last column with a letter."""
        rows = [cell // ROW for cell in self.letter]
        columns = [cell % ROW for cell in self.letter]
        return min(rows), max(rows), min(columns), max(columns)

    def cost(self, missing: float) -> float:
        """Return the cost of the board: its area, less a little for each crossing.

        ``missing`` is what the words without a placement are worth, which outweigh any area. The
        cost is infinite where adjacent letters belong to no word: such letters are left by a word
        that was removed from two parallel words side by side.
        """
        letters = self.letter
        pairs = sum((cell + 1 in letters) + (cell + ROW in letters) for cell in letters)
        if pairs != sum(len(word) - 1 for word in self.placed):
            return float("inf")
        top, bottom, left, right = self.bounding_box()
        height, width = bottom - top + 1, right - left + 1
        crossings = sum(map(len, self.placed)) - len(letters)
        return (
            missing * UNPLACED_COST
            + self._goal.measure(height, width)
            - crossings / 100
            + abs(height - width) / 10_000
        )

    def edge_cost(self) -> float:
        """Return what the search adds to the cost: few letters in an outer row or column.

        It guides the search to layouts whose outer row or column may disappear.
        """
        rows = [cell // ROW for cell in self.letter]
        columns = [cell % ROW for cell in self.letter]
        lines = ((line, at(line)) for line in (rows, columns) for at in (min, max))
        return EDGE_WEIGHT * min(line.count(place) for line, place in lines)

    def candidate_placements(self, word: str) -> Iterator[tuple[int, int, int]]:
        """Yield placements where the word crosses others: first cell, step, number of crossings."""
        seen = set()
        letters = self.letter
        for position, letter in enumerate(word):
            for cell in self._cells_by_letter[letter]:
                for step, turn in ((1, ROW), (ROW, 1)):
                    start = cell - position * step
                    if cell - step in letters or cell + step in letters or (start, step) in seen:
                        continue  # the cell already has a word in this direction
                    seen.add((start, step))
                    crossings = self._count_crossings(word, start, step, turn)
                    if crossings:
                        yield start, step, crossings

    def _count_crossings(self, word: str, start: int, step: int, turn: int) -> int:
        """Return the number of crossings of a placement; 0 where it is illegal or has none."""
        letters = self.letter
        if start - step in letters or start + len(word) * step in letters:
            return 0
        crossings = 0
        before = None
        cell = start
        for letter in word:
            existing = letters.get(cell)
            if existing is None:
                if cell - turn in letters or cell + turn in letters:
                    return 0
            elif existing != letter or before is not None:
                return 0  # a conflict, or adjacent letters that belong to a word in this direction
            else:
                crossings += 1
            before = existing
            cell += step
        return crossings

    def insert_all(self, words: Sequence[str], random: Random) -> list[str]:
        """Insert each word at its best placement; return the words that have none."""
        unplaced = list(words)
        if not self.placed and unplaced:
            word = unplaced.pop(0)
            steps = [
                step for step, room in ((1, self._columns), (ROW, self._rows)) if len(word) <= room
            ]
            self.insert_word(word, START, random.choice(steps))
        progress = True
        while unplaced and progress:
            progress = False
            for word in unplaced[:]:
                best = self._best_placement(word, random)
                if best is not None:
                    self.insert_word(word, *best)
                    unplaced.remove(word)
                    progress = True
        return unplaced

    def _best_placement(self, word: str, random: Random) -> tuple[int, int] | None:
        top, bottom, left, right = self.bounding_box()
        best, lowest = None, float("inf")
        noise = random.random() * INSERTION_NOISE
        rand, measure = random.random, self._goal.measure
        span = len(word) - 1
        for start, step, crossings in self.candidate_placements(word):
            row, column = start // ROW, start % ROW
            end_row, end_column = (row, column + span) if step == 1 else (row + span, column)
            height = (bottom if bottom > end_row else end_row) - (top if top < row else row) + 1
            width = (
                (right if right > end_column else end_column) - (left if left < column else column)
            ) + 1
            if height > self._rows or width > self._columns:
                continue
            cost = measure(height, width) - CROSSING_VALUE * crossings + noise * rand()
            if cost < lowest:
                best, lowest = (start, step), cost
        return best

    def crossing_words(self, word: str) -> list[str]:
        """Return the words that cross the word."""
        start, step = self.placed[word]
        return [
            other
            for cell in range(start, start + len(word) * step, step)
            for other in self._words_at[cell]
            if other != word
        ]

    def disconnected_words(self) -> list[str]:
        """Return the words outside the largest connected component."""
        remaining = set(self.placed)
        largest: set[str] = set()
        while remaining:
            pending = [min(remaining)]
            part = set(pending)
            while pending:
                added = set(self.crossing_words(pending.pop())) - part
                part |= added
                pending += added
            remaining -= part
            largest = max(largest, part, key=len)
        return [word for word in self.placed if word not in largest]

    def restore(self, placed: dict[str, tuple[int, int]]) -> None:
        """Return to earlier placements, changing only the words that differ."""
        for word, placement in list(self.placed.items()):
            if placed.get(word) != placement:
                self.remove_word(word)
        for word, placement in placed.items():
            if word not in self.placed:
                self.insert_word(word, *placement)

    def layout(self) -> Layout:
        """Return the placed words as a layout."""
        return Layout.of(
            (word, (start // ROW, start % ROW, ACROSS if step == 1 else DOWN))
            for word, (start, step) in self.placed.items()
        )


def search_layouts(
    words: Sequence[str],
    random: Random,
    deadline: Deadline,
    *,
    rounds: int,
    on_layout: Callable[[Layout], None],
    goal: Goal,
) -> list[str]:
    """Search for small layouts of all words, from ``rounds`` random starts or to the deadline.

    ``on_layout`` is called with each layout that improves on the earlier ones. With a box, which
    holds each word in some direction, it is also called with layouts of some of the words; more
    words are better. Returns the words that the best attempt could not place; empty when a layout
    was found. Runs in compiled code where there is any.
    """
    if len(words) > 1 and engine.available():
        from satcross.make.layout import compiled_search

        if compiled_search.suits(words):
            search = compiled_search.CompiledSearch(words, random.getrandbits(62), goal)
            return search.run(deadline, rounds, on_layout)
    return _search_in_python(words, random, deadline, rounds, on_layout, goal)


def _search_in_python(
    words: Sequence[str],
    random: Random,
    deadline: Deadline,
    rounds: int,
    on_layout: Callable[[Layout], None],
    goal: Goal,
) -> list[str]:
    lowest = float("inf")
    left_over = list(words)

    def insert(unplaced: list[str], noise: int) -> tuple[list[str], float]:
        """Insert the words, keep a layout that is the best one; return the rest and the cost."""
        nonlocal lowest, left_over
        order = sorted(unplaced, key=lambda word: -len(word) + random.random() * noise)
        missing = board.insert_all(order, random)
        cost = board.cost(goal.missing(missing))
        if cost < lowest and (goal.box or not missing):
            lowest, left_over = cost, missing
            on_layout(board.layout())
        elif len(missing) < len(left_over):
            left_over = missing
        return missing, cost + board.edge_cost()

    for _ in range(rounds):
        board = Board(goal)
        missing, cost = insert(list(words), 4)
        changes = _CHANGES_PER_ROUND * (1 + len(words) // 10) if len(words) > 1 else 0
        for change in range(changes):
            if deadline.passed:
                return left_over
            before = dict(board.placed)
            unplaced, after = insert(missing + _ruin(board, random), 6)
            threshold = FIRST_THRESHOLD * (1 - change / changes) * min(cost, UNPLACED_COST)
            if after <= cost + threshold * random.random():
                cost, missing = after, unplaced
            else:
                board.restore(before)
    return left_over


def _ruin(board: Board, random: Random) -> list[str]:
    """Remove a random word, some words that cross it, and the words that this disconnects."""
    word = random.choice(list(board.placed))
    crossing = board.crossing_words(word)
    limit = max(1, len(board.placed) // 3)
    removed = [word, *crossing[: random.randrange(0, min(len(crossing), limit) + 1)]]
    for other in removed:
        board.remove_word(other)
    for other in board.disconnected_words() if board.placed else []:
        board.remove_word(other)
        removed.append(other)
    return removed
