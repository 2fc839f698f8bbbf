"""Conversion of a puzzle's candidates to an ``encoders.Instance``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from encoders import AtLeast, ConflictGroup, Instance
from satcross.errors import UnavailableError
from satcross.network.arc_consistency import Candidates
from satcross.network.word_rules import WordRules
from satcross.rules.rule import Mark
from satcross.run_settings import NEVER, Deadline

MAX_DIRECT_CLAUSES = 20_000_000
"""About 2 GB of clauses."""


def to_instance(
    candidates: Candidates,
    words: tuple[tuple[str, ...], ...] | None = None,
    deadline: Deadline = NEVER,
) -> Instance:
    """Return the instance of all candidates, or of only these ``words`` for each slot.

    Raises TimeUp when the deadline passes.
    """
    puzzle = candidates.network.puzzle
    slots = puzzle.grid.slots
    if words is None:
        listed = []
        for slot in range(len(slots)):
            deadline.check()
            listed.append(tuple(candidates.words(slot)))
        words = tuple(listed)
    word_rules = candidates.network.word_rules
    return Instance(
        tuple(slot.cells for slot in slots),
        words,
        puzzle.allow_repeats,
        conflict_groups(word_rules, words, deadline) if word_rules.clashes else (),
        theme_requirement(word_rules),
    )


def theme_requirement(word_rules: WordRules) -> AtLeast | None:
    """Return the theme words and how many must be used; None when none must."""
    if not word_rules.min_theme_words:
        return None
    return AtLeast(tuple(sorted(word_rules.theme)), word_rules.min_theme_words)


def conflict_groups(
    word_rules: WordRules, words: Iterable[Iterable[str]], deadline: Deadline = NEVER
) -> tuple[ConflictGroup, ...]:
    """Return a group for each mark that several words share.

    If the same words share several marks, they have only one group, for the first of these marks.
    """
    having: defaultdict[Mark, list[str]] = defaultdict(list)
    for word in sorted({word for slot_words in words for word in slot_words}):
        deadline.check()
        for mark in word_rules.marks(word):
            having[mark].append(word)
    groups: dict[tuple[str, ...], ConflictGroup] = {}
    for mark, marked in sorted(having.items()):
        deadline.check()
        if len(marked) > 1 and tuple(marked) not in groups:
            group = conflict_group(mark, word_rules, marked)
            if group is not None:
                groups[tuple(marked)] = group
    return tuple(groups.values())


def conflict_group(mark: Mark, word_rules: WordRules, words: Iterable[str]) -> ConflictGroup | None:
    """Return the group of the words that have the mark; None when all of them are exempt."""
    marked = [word for word in words if mark in word_rules.marks(word)]
    exempt = tuple(word for word in marked if word in word_rules.exempt_words)
    others = tuple(word for word in marked if word not in word_rules.exempt_words)
    return ConflictGroup(str(mark), others, exempt) if others else None


def refuse_large_direct(instance: Instance, remedy: str) -> None:
    """Raise UnavailableError when the direct encoding has more than MAX_DIRECT_CLAUSES clauses."""
    from encoders import direct_size

    size = direct_size(instance)
    if size > MAX_DIRECT_CLAUSES:
        raise UnavailableError(
            f"the direct encoding of this puzzle has {size:,} clauses, more than "
            f"{MAX_DIRECT_CLAUSES:,}; {remedy}"
        )
