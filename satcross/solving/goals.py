"""Goals of the search for the best fill: names, results, and several goals as one weighted sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from satcross.backends.base import Answer
from satcross.network.arc_consistency import Candidates
from satcross.network.weights import Weights
from satcross.outcome import TOTAL, Goal
from satcross.puzzle import Puzzle
from satcross.vocabulary import WordGroup

LOWEST, FRESH, WORTH = "lowest", "fresh", "worth"
"""Names of goals. With preferred words, ``WORTH`` replaces the total: it adds a bonus for each
preferred word to the total score (``Puzzle.worth``)."""

FLOOR, PUBLISHABLE, SOLID = "floor", "publishable", "solid"
"""Names of the first goals of quality: the floor that all words reach, the numbers of words that
are publishable, and that are solid."""


@dataclass(frozen=True, slots=True)
class Result:
    """A backend's answer, and the goals, the most important one first."""

    answer: Answer
    goals: tuple[Goal, ...]


def total_name(puzzle: Puzzle) -> str:
    """The name of the last goal of every objective."""
    return WORTH if puzzle.preferred else TOTAL


@dataclass(frozen=True, slots=True)
class PerWord:
    """A number of each word; ``listed`` gives those of a lexicon's words at once, and faster."""

    of: Callable[[str], int]
    listed: Callable[[WordGroup], Sequence[int]]

    @classmethod
    def each(cls, of: Callable[[str], int]) -> PerWord:
        """Numbers that are made word by word."""
        return cls(of, lambda lexicon: tuple(map(of, lexicon.words)))

    def at_least(self, threshold: int) -> PerWord:
        """1 for a word of that number or more, else 0."""
        return PerWord(
            lambda word: self.of(word) >= threshold,
            lambda lexicon: [number >= threshold for number in self.listed(lexicon)],
        )


class Lexicographic:
    """Counts of words, the most important one first, then the total, as the weights of words.

    ``counts`` say by 1 or 0 whether a word counts. A counted word is worth more than the largest
    possible difference in all that comes after.
    """

    def __init__(self, candidates: Candidates, counts: Sequence[PerWord], total: PerWord) -> None:
        root, network = candidates.root, candidates.network
        plain = Weights(network, total.of, lambda lexicon: tuple(total.listed(lexicon)))
        self._slots = len(root.domains)
        self._highest = plain.ideal(root)
        self._lowest = sum(plain.worst(slot, domain) for slot, domain in enumerate(root.domains))
        unit = self._highest - self._lowest + 1
        units: list[int] = [unit * (self._slots + 1) ** power for power in range(len(counts))]
        self._units = units[::-1]

        def weight(word: str) -> int:
            pairs = zip(self._units, counts, strict=True)
            return total.of(word) + sum(unit * item.of(word) for unit, item in pairs)

        def listed(lexicon: WordGroup) -> tuple[int, ...]:
            weights = total.listed(lexicon)
            for item, unit in zip(counts, self._units, strict=True):
                pairs = zip(weights, item.listed(lexicon), strict=True)
                weights = [before + unit * counted for before, counted in pairs]
            return tuple(weights)

        self.weights = Weights(network, weight, listed) if counts else plain

    def limits(self, bound: int | None, values: Sequence[int | None]) -> tuple[int | None, ...]:
        """Return upper bounds of the counts and the total; None after one that is not reached."""
        nothing = [None] * (len(self._units) + 1)
        if bound is None:
            return tuple(nothing)
        found: list[int | None] = []
        for unit, value in zip(self._units, values, strict=False):
            found.append(min(self._slots, (bound - self._lowest) // unit))
            if value is None or found[-1] != value:
                return tuple([*found, *nothing][: len(nothing)])
            bound -= unit * value
        return *found, min(self._highest, bound)
