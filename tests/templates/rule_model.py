"""A template of what the tests know of a rule: no word has the same letter twice in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from rules.model import RuleModel

from satcross.puzzle import Puzzle


class NoDoubles(RuleModel):
    label = "no doubled letters"
    examples: ClassVar = {"no_doubles": True}
    counts = (("BALL BOLT CART", {"no_doubles": True}, 2),)

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        return {"no_doubles": draw(st.booleans())}

    def allows_word(self, puzzle: Puzzle, word: str) -> bool:
        return not (puzzle.no_doubles and any(letter * 2 in word for letter in word))
