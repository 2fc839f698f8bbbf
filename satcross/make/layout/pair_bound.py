"""How many pairs of adjacent letters a box can have, which refutes small boxes by counting.

The words of a layout have a fixed number of pairs of adjacent letters: each such pair belongs to
one word. In a box, each pair lies in two squares of 2x2 cells, or in one at an edge of the box. A
square has at most two pairs, unless all of its cells have letters: then it has four. So the number
of pairs is at most that of the squares of 2x2 cells, plus the number of squares full of letters,
plus half of the pairs at the edges.

Squares full of letters need two words side by side, and each pair of letters across them must stand
in another word. How many of them the words allow is bounded by CP-SAT, without regard to where
the words are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from satcross.backends.cp_solver import CpSettings, Literal, new_model, solve_model
from satcross.run_settings import Deadline

_WORK = 2.0
"""CP-SAT's deterministic time for the number of full squares."""
_MAX_LETTERS = 500
"""With more letters, building the model takes too long, and the bound of any words is used."""

Pair = tuple[str, int]
"""A word, and the position of the first of two adjacent letters."""


class PairBound:
    """Refutes boxes in which the words' pairs of adjacent letters have no room."""

    def __init__(self, words: Sequence[str], deadline: Deadline) -> None:
        self._longest = max(map(len, words))
        self._pairs = sum(len(word) - 1 for word in words)
        self._full = max_full_squares(words, deadline)

    def refutes(self, height: int, width: int) -> bool:
        """Whether it is proved that no layout of the words fits the box."""
        squares = (height - 1) * (width - 1)
        return self._pairs > squares + self._full + self._edge(height) + self._edge(width)

    def _edge(self, length: int) -> int:
        """The most pairs in a line of so many cells: one word, or two with a gap."""
        return length - 1 if length <= self._longest else max(self._longest - 1, length - 3)


def max_full_squares(words: Sequence[str], deadline: Deadline) -> int:
    """Return a number that the squares of 2x2 cells full of letters can't exceed."""
    letters = sum(map(len, words))
    if letters > _MAX_LETTERS:
        return letters // 2
    model = new_model()
    across = {word: model.new_bool_var("") for word in words}
    holders: defaultdict[str, list[Pair]] = defaultdict(list)
    for word in words:
        for position in range(len(word) - 1):
            holders[word[position : position + 2]].append((word, position))
    used: defaultdict[tuple[str, Pair], list[Literal]] = defaultdict(list)
    squares = []
    for first, second, shift, columns in _side_by_side(words, holders):
        beside = model.new_bool_var("")
        model.add(across[first] == across[second]).only_enforce_if(beside)
        squares.append((len(columns) - 1) * beside)
        for column in columns:
            used["after", (first, column)].append(beside)
            used["before", (second, column - shift)].append(beside)
            holding = []
            for holder in holders[first[column] + second[column - shift]]:
                if holder[0] not in (first, second):
                    holds = model.new_bool_var("")
                    model.add(across[first] != across[holder[0]]).only_enforce_if(holds)
                    used["held", holder].append(holds)
                    holding.append(holds)
            model.add(sum(holding) == beside)
    for literals in used.values():
        model.add_at_most_one(literals)
    if not squares:
        return 0
    model.minimize(-sum(squares))
    result = solve_model(model, deadline, CpSettings(work=_WORK))
    # Each full square is counted twice: two words side by side, and the two across them.
    return int(min(-result.bound, letters) + 1e-6) // 2


def _side_by_side(
    words: Sequence[str], holders: Mapping[str, list[Pair]]
) -> Iterator[tuple[str, str, int, range]]:
    """Yield two words, where the second one begins beside the first one, and what they share.

    Every two letters beside each other are in some word, and there are two such pairs or more.
    """
    for first, second in permutations(words, 2):
        for shift in range(2 - len(second), len(first) - 1):
            columns = range(max(0, shift), min(len(first), shift + len(second)))
            if all(first[column] + second[column - shift] in holders for column in columns):
                yield first, second, shift, columns
