"""From candidates to the question that ``encoders`` asks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from encoders.instance import AtLeast, Group, Instance
from satcross.network.arc_consistency import Candidates
from satcross.network.word_rules import Mark, WordRules


def to_instance(
    candidates: Candidates, words: tuple[tuple[str, ...], ...] | None = None
) -> Instance:
    """The instance of these candidates, or of only some ``words`` a slot."""
    puzzle = candidates.network.puzzle
    slots = puzzle.grid.slots
    if words is None:
        words = tuple(tuple(candidates.words(slot)) for slot in range(len(slots)))
    word_rules = candidates.network.word_rules
    return Instance(
        tuple(slot.cells for slot in slots),
        words,
        puzzle.allow_repeats,
        conflict_groups(word_rules, words) if word_rules.clashes else (),
        theme_requirement(word_rules),
    )


def theme_requirement(word_rules: WordRules) -> AtLeast | None:
    """The theme words that are asked for."""
    if not word_rules.min_theme_words:
        return None
    return AtLeast(tuple(sorted(word_rules.theme)), word_rules.min_theme_words)


def conflict_groups(word_rules: WordRules, words: Iterable[Iterable[str]]) -> tuple[Group, ...]:
    """The words that clash, a group a mark: of two groups of the same words only the first."""
    having: defaultdict[Mark, list[str]] = defaultdict(list)
    for word in sorted({word for its in words for word in its}):
        for mark in word_rules.marks(word):
            having[mark].append(word)
    groups: dict[tuple[str, ...], Group] = {}
    for mark, its in sorted(having.items()):
        if len(its) > 1 and tuple(its) not in groups:
            group = conflict_group(mark, word_rules, its)
            if group is not None:
                groups[tuple(its)] = group
    return tuple(groups.values())


def conflict_group(mark: Mark, word_rules: WordRules, words: Iterable[str]) -> Group | None:
    """The group of the words that have the mark; None when they all are the maker's own."""
    its = [word for word in words if mark in word_rules.marks(word)]
    others = tuple(word for word in its if word not in word_rules.exempt_words)
    free = tuple(word for word in its if word in word_rules.exempt_words)
    return Group(str(mark), others, free) if others else None
