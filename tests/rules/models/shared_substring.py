"""Two different words share at most a given number of consecutive letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from rules.model import RuleModel

from satcross.puzzle import Puzzle


def shares_letters(one: str, other: str, most: int | None) -> bool:
    """Return whether two words have more than that many consecutive letters in common."""
    return most is not None and any(
        one[start:end] in other
        for start in range(len(one))
        for end in range(start + most + 1, len(one) + 1)
    )


class SharedSubstring(RuleModel):
    label = "shared letters"
    examples: ClassVar = {"max_shared": 3}
    together = True
    counts = (
        # Two slots have six fills; a limit of 2 excludes the two of CARE with AREA (ARE), 3 none.
        ("CARE AREA BOLT", {"max_shared_substring": 2}, 4),
        ("CARE AREA BOLT", {"max_shared_substring": 3}, 6),
        ("CARE AREA BOLT", {"max_shared_substring": 1}, 4),
        # The rule does not apply to two occurrences of one word.
        ("CARE BOLT", {"max_shared_substring": 1, "allow_repeats": True}, 4),
        ("CARE AREA", {"max_shared_substring": 2, "allow_repeats": True}, 2),
        # Locked and theme words may be similar to each other, but no other word to them.
        ("AREA BOLT", {"max_shared_substring": 2, "locks": {"1A": "CARE"}}, 1),
        ("AREA BOLT", {"max_shared_substring": 2, "locks": {"1A": "CARE", "2A": "AREA"}}, 1),
        ("BOLT", {"max_shared_substring": 2, "theme": {"CARE", "AREA"}}, 2),
        ("CARE AREA BOLT", {"max_shared_substring": 2, "theme": {"CARE"}}, 2),
    )

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        return {"max_shared_substring": draw(st.sampled_from([1, 1, 2, 2, 3]))}

    def alike(self, puzzle: Puzzle, one: str, other: str) -> bool:
        return shares_letters(one, other, puzzle.max_shared_substring)


MODEL = SharedSubstring()
