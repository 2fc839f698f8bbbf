"""What editors expect of a fill beyond the rules: ``PREFERENCES``.

Only their names are listed elsewhere, in ``satcross.run_settings.PREFERENCE_NAMES``: the search for
good words, the summary of a fill, JSON, ``--allow`` and ``check --quality`` loop over
``PREFERENCES``. A puzzle that can only be filled against a preference is still filled, and the
quality of the fill says so; a rule of ``satcross.rules`` is never broken.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Self

from satcross.formats.resources import read_resource
from satcross.grid.styles import Style, style_of
from satcross.puzzle import Puzzle
from satcross.solving.inflections import IsWord, is_plain_plural
from satcross.solving.repeats import repeated
from satcross.support.frozen import frozen

MAX_SHARED = 5
"""Most letters in a row that two words of a fill should share."""

_BRITISH = ("American spelling", "american-spellings", "HONOUR")
_FOREIGN = {
    Style.AMERICAN: ("British spelling", "british-spellings", "HONOR"),
    Style.BRITISH: _BRITISH,
    Style.BARRED: _BRITISH,
}
"""For each kind of grid the foreign spelling, the file of its words, and a word that a list has in
which the other spelling can be expected."""


class Preference:
    """An expectation of editors; ``name`` is its key in JSON, and with hyphens for ``--allow``."""

    name: str
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
        """Whether a word is of the kind: by default, whether it is listed."""
        return word in self.listed()

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
    kind: str
    share: float
    min_words: int
    quiet: bool = False
    file: str = ""

    def listed(self) -> frozenset[str]:
        return listed_words(f"{self.file or self.name}.txt")


@cache
def listed_words(file: str) -> frozenset[str]:
    """Return the entries of the default list that a file of the package names."""
    return frozenset(read_resource(file).decode("ascii").split())


class SameStem(Pairs):
    """No two entries should repeat a word, as USE and USING do, or AREA MAP and AREA."""

    name, kind = "same_stem", "with the same stem"

    def marks(self, word: str, is_word: IsWord) -> frozenset[str]:
        return repeated(word, is_word)


class SharedSubstring(Pairs):
    """No two words should have a long substring in common."""

    name, kind = "shared", "much alike"

    def of(self, puzzle: Puzzle) -> Self | None:
        return self if puzzle.max_shared_substring is None else None

    def marks(self, word: str, is_word: IsWord) -> frozenset[str]:
        size = MAX_SHARED + 1
        return frozenset(word[start : start + size] for start in range(len(word) - size + 1))


class CrossingNames(Crossings):
    """No two names that score below 60 should cross: who knows neither can't guess the letter."""

    name, kind = "crossing_names", "of crossing names"

    def has(self, word: str, is_word: IsWord) -> bool:
        return word in listed_words("names.txt")


class PlainPlurals(Limit):
    """Few words should be another one with S, ES or IES."""

    name, kind, ending = "plurals", "plain plural", "S"
    share, min_words = 0.12, 3

    def has(self, word: str, is_word: IsWord) -> bool:
        return is_plain_plural(word, is_word)


class Spellings(Listed):
    """No word of an American grid should be spelt as in Britain, as METRE is, nor the other way.

    Which spellings are foreign depends on the kind of grid, and on the list.
    """

    def of(self, puzzle: Puzzle) -> Self | None:
        style = style_of(puzzle.grid)
        if style is None:
            return None
        kind, file, witness = _FOREIGN[style]
        return replace(self, kind=kind, file=file) if witness in puzzle.vocabulary else None


PREFERENCES: tuple[Preference, ...] = (
    SameStem(),
    SharedSubstring(),
    CrossingNames(),
    PlainPlurals(),
    # Initials and acronyms, too: DNA, DEPT and NASA.
    Listed("abbreviations", "abbreviation", share=0.07, min_words=2),
    # People, places and brands, which one knows or does not.
    Listed("names", "name", share=0.1, min_words=3, quiet=True),
    # Pieces of phrases, as I MAY and HAS TO are.
    Listed("partials", "partial", share=0.03, min_words=1, quiet=True),
    Spellings("spellings", "foreign spelling", share=0.0, min_words=0, quiet=True),
)
"""Every preference: those about pairs of words first, since a similar pair is the worse fault."""
