"""Preferred words, which change no fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from rules.model import RuleModel


class Preferred(RuleModel):
    examples: ClassVar = {"preferred": ["ABCD"]}

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        if draw(st.integers(0, 3)):
            return {}
        return {"preferred": frozenset(draw(st.sets(st.sampled_from(words), max_size=3)))}


MODEL = Preferred()
