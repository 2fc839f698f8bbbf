"""From candidates to the question that ``encoders`` asks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from encoders.instance import Group, Instance, Wanted
from satcross.network.arc_consistency import Candidates
from satcross.network.word_rules import Mark, Together


def instance_of(
    candidates: Candidates, words: tuple[tuple[str, ...], ...] | None = None
) -> Instance:
    """The instance of these candidates, or of only some ``words`` a slot."""
    puzzle = candidates.network.puzzle
    slots = puzzle.grid.slots
    if words is None:
        words = tuple(tuple(candidates.words(slot)) for slot in range(len(slots)))
    together = candidates.network.together
    return Instance(
        tuple(slot.cells for slot in slots),
        words,
        puzzle.allow_repeats,
        groups_of(together, words) if together.clashes else (),
        wanted_of(together),
    )


def wanted_of(together: Together) -> Wanted | None:
    """The theme words that are asked for."""
    if not together.theme_least:
        return None
    return Wanted(tuple(sorted(together.theme)), together.theme_least)


def groups_of(together: Together, words: Iterable[Iterable[str]]) -> tuple[Group, ...]:
    """The words that clash, a group a mark: of two groups of the same words only the first."""
    having: defaultdict[Mark, list[str]] = defaultdict(list)
    for word in sorted({word for its in words for word in its}):
        for mark in together.marks(word):
            having[mark].append(word)
    groups: dict[tuple[str, ...], Group] = {}
    for mark, its in sorted(having.items()):
        if len(its) > 1 and tuple(its) not in groups:
            group = group_of(mark, together, its)
            if group is not None:
                groups[tuple(its)] = group
    return tuple(groups.values())


def group_of(mark: Mark, together: Together, words: Iterable[str]) -> Group | None:
    """The group of the words that have the mark; None when they all are the maker's own."""
    its = [word for word in words if mark in together.marks(word)]
    others = tuple(word for word in its if word not in together.own)
    free = tuple(word for word in its if word in together.own)
    return Group(str(mark), others, free) if others else None
