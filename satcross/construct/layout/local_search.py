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

from satcross.construct.layout.layout import Layout
from satcross.deadline import Deadline
from satcross.grid import ACROSS, DOWN

ROW = 1 << 12
"""A cell is the integer row * ROW + column; a search with pairs took twice as long."""
START = (ROW // 2) * ROW + ROW // 2
"""First cell of the first word: the middle of the board, so that no coordinate gets negative."""
_UNPLACED_COST = 10_000
"""Cost of each word without a placement: more than any area."""
_CROSSING_VALUE = 2.0
"""Area, in cells, that a crossing is worth when a word is inserted."""
_EDGE_WEIGHT = 0.5
"""Weight of the number of letters in the sparsest outer row or column, which may disappear."""
_INSERTION_NOISE = 3.0
"""Upper limit of the random noise, in cells, on the cost of a placement."""
_CHANGES_PER_ROUND = 400
"""Changes per round for every ten words."""
_FIRST_THRESHOLD = 0.08
"""Share of the area by which the first changes may increase the cost."""


class Board:
    """Words on a board that is unbounded, or all in a box of (rows, columns) anywhere on it."""

    def __init__(self, box: tuple[int, int] | None = None) -> None:
        self._rows, self._columns = box or (ROW, ROW)
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

    def cost(self, missing: int) -> float:
        """Return the cost of the board: its area, less a little for each crossing.

        ``missing`` is the number of words without a placement, which outweigh any area.
        """
        rows = [cell // ROW for cell in self.letter]
        columns = [cell % ROW for cell in self.letter]
        top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)
        height, width = bottom - top + 1, right - left + 1
        crossings = sum(map(len, self.placed)) - len(rows)
        edge = min(rows.count(top), rows.count(bottom)) / width
        side = min(columns.count(left), columns.count(right)) / height
        return (
            missing * _UNPLACED_COST
            + height * width
            + _EDGE_WEIGHT * min(edge * width, side * height)
            - crossings / 100
            + abs(height - width) / 10_000
        )

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
        noise = random.random() * _INSERTION_NOISE
        rand = random.random
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
            cost = height * width - _CROSSING_VALUE * crossings + noise * rand()
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
    box: tuple[int, int] | None = None,
) -> list[str]:
    """Search for small layouts of all words, from ``rounds`` random starts or to the deadline.

    ``on_layout`` is called with each layout that improves on the earlier ones. With a ``box`` of
    rows and columns, which holds each word in some direction, it is also called with layouts of
    some of the words; more words are better. Returns the words that the best attempt could not
    place; empty when a layout was found.
    """
    lowest = float("inf")
    left_over = list(words)
    for _ in range(rounds):
        if deadline.passed:
            break
        board = Board(box)
        order = sorted(words, key=lambda word: -len(word) + random.random() * 4)
        missing = board.insert_all(order, random)
        cost = board.cost(len(missing))
        changes = _CHANGES_PER_ROUND * (1 + len(words) // 10)
        for change in range(changes):
            if cost < lowest and (box or not missing):
                lowest, left_over = cost, missing
                on_layout(board.layout())
            elif len(missing) < len(left_over):
                left_over = missing
            if len(words) < 2 or deadline.passed:
                break
            before = dict(board.placed)
            removed = _ruin(board, random)
            unplaced = board.insert_all(_longest_first(missing + removed, random), random)
            after = board.cost(len(unplaced))
            threshold = _FIRST_THRESHOLD * (1 - change / changes) * min(cost, _UNPLACED_COST)
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


def _longest_first(words: list[str], random: Random) -> list[str]:
    """Return the words by falling length, with random noise."""
    return sorted(words, key=lambda word: -len(word) + random.random() * 6)
