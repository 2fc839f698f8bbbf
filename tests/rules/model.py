"""The interface of ``tests/rules/models``: what the tests know of a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from hypothesis import strategies as st

from satcross.puzzle import Puzzle

LETTERS = "ABC"
"""The letters of random words."""


class RuleModel:
    """A rule by its definition, written without the code of ``satcross.rules``."""

    label: ClassVar[str] = ""
    """The label of the rule in explanations."""
    examples: ClassVar[dict[str, Any]]
    """A value for each key of the data form; together they are a valid puzzle of slots 1A and 2A
    of four letters, in which the rule is set."""
    counts: ClassVar[Sequence[tuple[str, dict[str, Any], int]]] = ()
    """Words, fields of ``Puzzle``, and the number of fills of two slots of four letters."""
    together: ClassVar[bool] = False
    """Whether the rule is about several words of a fill."""
    about_slots: ClassVar[bool] = False
    """Whether ``allows`` is about the words of single slots."""

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        """Draw fields of ``Puzzle`` for a list of words and the lengths of the slots."""
        return {}

    def allows_word(self, puzzle: Puzzle, word: str) -> bool:
        """Return whether a slot that nothing fixes may have the word."""
        return True

    def alike(self, puzzle: Puzzle, one: str, other: str) -> bool:
        """Return whether two different words may not stand together, unless both are exempt."""
        return False

    def allows(self, puzzle: Puzzle, fill: Mapping[str, str], exempt: frozenset[str]) -> bool:
        """Return whether a fill (slot name -> word) meets the rule.

        The fill may lack some slots of the puzzle. ``exempt`` are the words that the rules about
        pairs of words do not hold against each other.
        """
        return not any(
            self.alike(puzzle, one, other) and not exempt.issuperset((one, other))
            for one, other in combinations(sorted(set(fill.values())), 2)
        )
