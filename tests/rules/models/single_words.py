"""Words that are not used, and minimum scores: for a slot, else a length, else all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class MinScores(RuleModel):
    label = "minimum score"
    about_slots = True
    examples: ClassVar = {"min_score": 20, "min_scores": {"4": 30}, "slot_min_scores": {"1A": 50}}
    counts = (
        ("CARE BOLT", {"min_scores": {4: 60}}, 0),
        ("CARE BOLT", {"min_scores": {5: 60}}, 2),
        ("CARE BOLT", {"min_score": 60, "min_scores": {4: 50}}, 2),
        ("CARE BOLT", {"min_score": 60, "slot_min_scores": {"1A": 50, "2a": 50}}, 2),
        ("CARE BOLT", {"slot_min_scores": {"2A": 60}}, 0),
    )

    def draw(self, draw: st.DrawFn, words: Sequence[str], lengths: Sequence[int]) -> dict[str, Any]:
        rules: dict[str, Any] = {"min_score": draw(st.sampled_from([None, None, 2]))}
        if draw(st.integers(0, 3)) == 0:
            rules["min_scores"] = {draw(st.sampled_from(lengths)): draw(st.integers(1, 3))}
        return rules

    def allows_word(self, puzzle: Puzzle, word: str) -> bool:
        names = [None, *(slot.name for slot in puzzle.grid.slots if slot.length == len(word))]
        return any(_is_good_enough(puzzle, word, name) for name in names)

    def allows(self, puzzle: Puzzle, fill: Mapping[str, str], exempt: frozenset[str]) -> bool:
        fixed = {puzzle.grid.slots[index].name for index in puzzle.fixed_words}
        return all(
            name in fixed
            or puzzle.extra_words.get(name) == word
            or _is_good_enough(puzzle, word, name)
            for name, word in fill.items()
        )


def _is_good_enough(puzzle: Puzzle, word: str, slot: str | None) -> bool:
    least = puzzle.min_scores.get(len(word), puzzle.min_score)
    if slot is not None:
        least = puzzle.slot_min_scores.get(slot, least)
    return word in puzzle.theme or least is None or puzzle.vocabulary.score(word) >= least
