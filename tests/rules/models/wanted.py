"""Theme words, of which all or some must be used; preferred words, which change no fill."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from rules.model import LETTERS, RuleModel

from satcross.puzzle import Puzzle


def uses_theme(
    fill: Mapping[str, str],
    theme: Collection[str],
    least: int | None,
    elsewhere: Collection[int] = (),
) -> bool:
    """Return whether a fill uses at least that many theme words (None: all).

    ``elsewhere`` are the lengths of slots that the fill lacks: theme words of these lengths may
    stand there.
    """
    asked = [word for word in theme if len(word) not in elsewhere]
    required = (len(theme) if least is None else least) - (len(theme) - len(asked))
    return sum(word in fill.values() for word in asked) >= required


class Theme(RuleModel):
    label = "theme words"
    examples: ClassVar = {"theme": ["BOLT", "WXYZ"], "theme_least": 1}
    together = True
    counts = (
        # Theme words that are in no list, that score too little, and that are excluded.
        ("CARE BOLT", {"theme": {"ZZZZ"}}, 4),
        ("CARE BOLT", {"theme": {"ZZZZ", "YYYY"}}, 2),
        ("CARE BOLT", {"theme": {"ZZZZ", "YYYY", "XXXX"}}, 0),
        ("CARE BOLT", {"theme": {"ZZZZ", "YYYY"}, "min_theme_words": 1}, 10),
        ("CARE BOLT", {"theme": {"ZZZZ", "YYYY"}, "min_theme_words": 0}, 12),
        ("CARE BOLT", {"theme": {"CARE"}, "min_score": 60}, 0),
        ("CARE BOLT", {"theme": {"CARE", "BOLT"}, "min_score": 60}, 2),
        ("CARE BOLT", {"theme": {"CARE"}, "excluded": {"CARE"}}, 0),
        ("CARE BOLT", {"theme": {"CARE"}, "excluded": {"CARE"}, "locks": {"1A": "CARE"}}, 1),
        ("CARE BOLT", {"theme": {"FIVER"}}, 0),
        ("CARE BOLT", {"theme": {"FIVER"}, "min_theme_words": 0}, 2),
        ("CARE", {"theme": {"CARE"}, "allow_repeats": True}, 1),
        ("CARE BOLT", {"theme": {"CARE", "BOLT"}, "min_theme_words": 1, "allow_repeats": True}, 4),
    )

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        """Theme words are of the list or not, and perhaps of a length that no slot has."""
        length = draw(st.sampled_from([*lengths, *lengths, *lengths, 5]))
        new = st.text(LETTERS, min_size=length, max_size=length)
        theme = draw(st.sets(st.one_of(st.sampled_from(words), new), min_size=1, max_size=4))
        least = draw(st.one_of(st.none(), st.integers(0, len(theme))))
        return {"theme": frozenset(theme), "min_theme_words": least}

    def allows(self, puzzle: Puzzle, fill: Mapping[str, str], exempt: frozenset[str]) -> bool:
        elsewhere = {slot.length for slot in puzzle.grid.slots if slot.name not in fill}
        return uses_theme(fill, puzzle.theme, puzzle.min_theme_words, elsewhere)


class Preferred(RuleModel):
    examples: ClassVar = {"preferred": ["ABCD"]}

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        if draw(st.integers(0, 3)):
            return {}
        return {"preferred": frozenset(draw(st.sets(st.sampled_from(words), max_size=3)))}
