"""Words differ, unless repeats are allowed; no two have a stem or more letters in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from rules.model import RuleModel

from satcross.puzzle import Puzzle


class Repeats(RuleModel):
    label = "no repeats"
    examples: ClassVar = {"allow_repeats": True}


def has_same_stem(one: str, other: str, endings: Sequence[str]) -> bool:
    """Return whether two words are a stem of two letters or more, with an ending or without."""
    return bool(endings) and any(
        one[:length] == other[:length] and {one[length:], other[length:]} <= {"", *endings}
        for length in range(2, min(len(one), len(other)) + 1)
    )


class SameStem(RuleModel):
    label = "same stem"
    examples: ClassVar = {"endings": ["S", "ES"]}
    together = True
    counts = (
        # CARS and CARE have a common stem with the endings S and E, but not with D and S.
        ("CARS CARE BOLT", {"stem_endings": ("S", "E")}, 4),
        ("CARS CARE BOLT", {"stem_endings": ("S", "D")}, 6),
        ("CARS CARE", {"stem_endings": ("S", "E"), "allow_repeats": True}, 2),
    )

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        endings = st.sampled_from(["A", "B", "AB", "BC", "C"])
        return {"stem_endings": tuple(draw(st.lists(endings, min_size=1, max_size=5)))}

    def alike(self, puzzle: Puzzle, one: str, other: str) -> bool:
        return has_same_stem(one, other, puzzle.stem_endings)


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
