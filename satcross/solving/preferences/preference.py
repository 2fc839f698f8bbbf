"""The interface of preferences: about pairs of words, crossings, or limits on a kind of words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Self

from satcross.formats.resources import read_resource
from satcross.puzzle import Puzzle
from satcross.support.frozen import frozen

IsWord = Callable[[str], bool]
"""Whether the puzzle's vocabulary has a word."""


class Preference:
    """An expectation of editors. ``name`` is its key in JSON, and with hyphens its value of
    ``--allow``; ``order`` is its place in the summary of a fill."""

    name: str
    order: int
    kind: str
    """A name for one word of the kind ("plain plural"), or for two that go badly together."""

    def of(self, puzzle: Puzzle) -> Self | None:
        """Return what is expected of the fills of a puzzle; None for nothing."""
        return self


class Pairs(Preference):
    """No two words of a fill should have a mark in common."""

    def marks(self, word: str, is_word: IsWord) -> frozenset[str]:
        """Return the marks of a word; they are compared only with those of the preference."""
        raise NotImplementedError


class Crossings(Preference):
    """No two words of a kind should cross."""

    def has(self, word: str, is_word: IsWord) -> bool:
        """Whether a word is of the kind."""
        raise NotImplementedError


class Limit(Preference):
    """No more than a share of a fill's words should be of a kind."""

    ending: str = ""
    """The last letter of all words of the kind, if they have one."""
    quiet: bool = False
    """Whether the summary of a fill counts the words only where they are too many."""
    share: float
    """The share of the slots that may have a word of the kind."""
    min_words: int
    """The number of words of the kind that any grid may have."""

    def has(self, word: str, is_word: IsWord) -> bool:
        """Whether a word is of the kind."""
        raise NotImplementedError

    def listed(self) -> frozenset[str]:
        """Return the words of the kind, if they are listed."""
        return frozenset()

    def limit(self, slots: int) -> int:
        """Return how many words of the kind a grid with so many slots may have."""
        return max(self.min_words, int(self.share * slots))


@frozen
class Listed(Limit):
    """A limit on the number of words that a file of the package has, by default NAME.txt."""

    name: str
    order: int
    kind: str
    share: float
    min_words: int
    quiet: bool = False
    file: str = ""

    def listed(self) -> frozenset[str]:
        return listed_words(f"{self.file or self.name}.txt")

    def has(self, word: str, is_word: IsWord) -> bool:
        return word in self.listed()


@cache
def listed_words(file: str) -> frozenset[str]:
    """Return the entries of the default list that a file of the package names."""
    return frozenset(read_resource(file).decode("ascii").split())
