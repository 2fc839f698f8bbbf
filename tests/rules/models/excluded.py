"""Words that are not used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from rules.model import RuleModel

from satcross.puzzle import Puzzle


class Excluded(RuleModel):
    label = "exclusions"
    examples: ClassVar = {"excluded": ["CARS"]}

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        return {"excluded": frozenset(draw(st.lists(st.sampled_from(words), max_size=2)))}

    def allows_word(self, puzzle: Puzzle, word: str) -> bool:
        return word not in puzzle.excluded


MODEL = Excluded()
