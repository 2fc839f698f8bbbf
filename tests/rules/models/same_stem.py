"""Two different words do not consist of the same stem and one of the endings or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from rules.model import RuleModel

from satcross.puzzle import Puzzle


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


MODEL = SameStem()
