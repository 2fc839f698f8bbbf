"""Find good layouts fast by ruin and recreate, in compiled code (``satcross.engine.layout``).

A few words that cross each other are removed, and each is inserted again where the bounding box
grows least and most letters cross (Schrimpf, Schneider, Stamm-Wilbrandt and Dueck, "Record breaking
optimization results using the ruin and recreate principle", 2000). Threshold accepting: a somewhat
larger box is accepted, with a threshold that falls to zero.

Without compiled code, layouts are only made anew again and again, each word inserted in the same
way: about as good for ten words, a few cells larger for more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, isqrt
from random import Random

from satcross import engine
from satcross.grid import ACROSS, DOWN, Cell
from satcross.make.layout.layout import Goal, Layout, Placement, placement_cells
from satcross.run_settings import Deadline

_UNPLACED_COST = 10_000
"""Cost of the value of a word without a placement: more than any area."""
_CROSSING_VALUE = 2.0
"""Area, in cells, that a crossing is worth when a word is inserted."""
_EDGE_WEIGHT = 0.5
"""Weight of the number of letters in the sparsest outer row or column, which may disappear."""
_INSERTION_NOISE = 3.0
"""Upper limit of the random noise, in cells, on the cost of a placement."""
_FIRST_THRESHOLD = 0.08
"""Share of the area by which the first changes may increase the cost."""
_CHANGES_PER_ROUND = 4_000
"""Changes per round for every ten words."""
_WORK = 4_000
"""Words times changes per call: some 20 ms."""
_PROVABLE_WORDS = 8
"""Number of words up to which CP-SAT often proved the smallest box in seconds (two lists)."""
_FEW_ROUNDS = 6
"""Rounds for at most ``_PROVABLE_WORDS`` words."""
_ROUNDS_PER_WORD = 4
"""Further rounds for each word more."""
_MANY_ROUNDS = 100
"""Maximum number of rounds."""
_STARTS_PER_ROUND = 20
"""Layouts that are made in a round without compiled code."""
_ORDER_NOISE = 4
"""By how many letters a word may come before a longer one."""

OnLayout = Callable[[Layout], None]


def rounds_for(words: Sequence[str]) -> int:
    """Return how many rounds are worth their time: more for more words."""
    more = _ROUNDS_PER_WORD * max(0, len(words) - _PROVABLE_WORDS)
    return min(_FEW_ROUNDS + more, _MANY_ROUNDS)


def search_layouts(
    words: Sequence[str],
    seed: int,
    deadline: Deadline,
    *,
    on_layout: OnLayout,
    goal: Goal,
    rounds: int | None = None,
) -> list[str]:
    """Search for small layouts of all words, from ``rounds`` random starts or to the deadline.

    ``rounds`` are by default those of ``rounds_for`` the words.

    ``on_layout`` is called with each layout that improves on the earlier ones. With a box, which
    holds each word in some direction, it is also called with layouts of some of the words; more
    words are better. Returns the words that the best attempt could not place; empty when a layout
    was found.
    """
    random = Random(seed)
    rounds = rounds_for(words) if rounds is None else rounds
    # Each letter needs a number of one byte, from 1.
    if len(words) > 1 and engine.available() and len(set("".join(words))) < 256:
        search = CompiledSearch(words, random.getrandbits(62), goal)
        return search.run(deadline, rounds, on_layout)
    lowest, left_over = inf, list(words)
    for _ in range(rounds * _STARTS_PER_ROUND):
        if deadline.passed:
            break
        made = _Growing(goal)
        missing = made.insert_all(words, random)
        cost = goal.missing(missing) * _UNPLACED_COST + made.cost
        if cost < lowest and (goal.box or not missing):
            lowest, left_over = cost, missing
            on_layout(Layout.of(made.placed))
        elif len(missing) < len(left_over):
            left_over = missing
    return left_over


class CompiledSearch:
    """A search for layouts of a list of words."""

    def __init__(self, words: Sequence[str], seed: int, goal: Goal) -> None:
        from satcross.engine.layout import Layouts

        self._words, self._goal = words, goal
        # Room for four times the letters at a quarter of the density, and a word at each side.
        letters = sum(map(len, words))
        self._side = side = 4 * (isqrt(letters) + 1) + 2 * max(map(len, words)) + 4
        rows, columns = (min(side, limit) for limit in goal.box or (side, side))
        self._changes = _CHANGES_PER_ROUND * (1 + len(words) // 10)
        code = {letter: k for k, letter in enumerate(sorted(set("".join(words))), 1)}
        settings = {
            "side": side,
            "rows": rows,
            "columns": columns,
            "aspect": goal.ratio,
            "changes": self._changes,
            "unplaced": _UNPLACED_COST,
            "crossing_value": _CROSSING_VALUE,
            "edge_weight": _EDGE_WEIGHT,
            "noise": _INSERTION_NOISE,
            "threshold": _FIRST_THRESHOLD,
        }
        self._layouts = Layouts(
            [code[letter] for word in words for letter in word],
            [len(word) for word in words],
            [goal.values.get(word, 1.0) for word in words],
            settings,
            seed,
        )

    def run(self, deadline: Deadline, rounds: int, on_layout: OnLayout) -> list[str]:
        """Search for so many rounds; return the words that the best layout lacks."""
        amount = max(1, _WORK // len(self._words))
        for _ in range(0, rounds * self._changes, amount):
            improved = self._layouts.improve(amount)
            if improved and (self._goal.box or not self._left_over()):
                on_layout(self._layout())
            if deadline.passed:
                break
        return self._left_over()

    def _left_over(self) -> list[str]:
        placed = zip(self._words, self._layouts.best(), strict=True)
        return [word for word, (start, _) in placed if start < 0]

    def _layout(self) -> Layout:
        side = self._side
        return Layout.of(
            (word, (start // side, start % side, ACROSS if across else DOWN))
            for word, (start, across) in zip(self._words, self._layouts.best(), strict=True)
            if start >= 0
        )


class _Growing:
    """A layout that grows word by word, anywhere on an unbounded board."""

    def __init__(self, goal: Goal) -> None:
        self._goal, self._letters = goal, dict[Cell, str]()
        self._corners: tuple[Cell, ...] = ()
        self.placed: list[tuple[str, Placement]] = []

    @property
    def cost(self) -> float:
        """The area as the goal measures it, less a little for each crossing."""
        crossings = sum(len(word) for word, _ in self.placed) - len(self._letters)
        return self._goal.measure(*self._size()) - crossings / 100

    def insert_all(self, words: Sequence[str], random: Random) -> list[str]:
        """Insert words, longer ones rather first, as long as one has a place; return the others."""
        unplaced = sorted(words, key=lambda word: random.random() * _ORDER_NOISE - len(word))
        before = -1
        while len(self.placed) > before:
            before = len(self.placed)
            for word in unplaced[:]:
                places = {place: self._cost_of(word, place) for place in self._places(word)}
                if places and min(places.values()) < inf:
                    noise = _INSERTION_NOISE * random.random()
                    best = min(places, key=lambda p: (places[p] + noise * random.random(), p))
                    self._insert(word, best)
                    unplaced.remove(word)
        return [word for word in words if word in unplaced]

    def _insert(self, word: str, place: Placement) -> None:
        self.placed.append((word, place))
        self._letters |= zip(placement_cells(word, place), word, strict=True)
        rows, columns = zip(*self._letters, strict=True)
        self._corners = (min(rows), min(columns)), (max(rows), max(columns))

    def _places(self, word: str) -> Iterator[Placement]:
        """Yield the placements that have the letter of some cell."""
        if not self._letters:
            yield from ((0, 0, ACROSS), (0, 0, DOWN))
        for (row, column), letter in self._letters.items():
            for at in (at for at, own in enumerate(word) if own == letter):
                yield row, column - at, ACROSS
                yield row - at, column, DOWN

    def _cost_of(self, word: str, place: Placement) -> float:
        """Return what a placement costs: cells, less what its crossings are worth."""
        letters, (row, column, direction) = self._letters, place
        down, right = (0, 1) if direction == ACROSS else (1, 0)
        cells = placement_cells(word, place)
        end = row + down * len(word), column + right * len(word)
        if (row - down, column - right) in letters or end in letters:
            return inf
        crossings, is_crossed = 0, False
        for (r, c), letter in zip(cells, word, strict=True):
            if (r, c) not in letters:
                if (r - right, c - down) in letters or (r + right, c + down) in letters:
                    return inf
                is_crossed = False
            elif letters[r, c] != letter or is_crossed:  # or in a word of this direction
                return inf
            else:
                crossings, is_crossed = crossings + 1, True
        height, width = self._size(cells[0], cells[-1])
        box = self._goal.box
        if box and (height > box[0] or width > box[1]):
            return inf
        return self._goal.measure(height, width) - _CROSSING_VALUE * crossings

    def _size(self, *further: Cell) -> tuple[int, int]:
        """Return rows and columns of the box around the letters and further cells."""
        rows, columns = zip(*self._corners, *further, strict=True)
        return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
