"""Clauses for rules about which words are used: conflict groups and demanded words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from encoders.cardinality import Clause
from encoders.encoding import Encoding
from encoders.instance import AtLeast, ConflictGroup, Instance


def rule_clauses(instance: Instance, encoding: Encoding) -> Iterator[Clause]:
    """Yield the clauses of all rules of an instance, whose words all have variables."""
    for group in instance.conflict_groups:
        yield from conflict_clauses(encoding, group, instance.allow_repeats)
    if instance.at_least is not None:
        yield from at_least_clauses(encoding, instance.at_least)


def conflict_clauses(
    encoding: Encoding, group: ConflictGroup, allow_repeats: bool = False
) -> Iterator[Clause]:
    """At most one word of the group is used, and none together with an exempt word.

    The sequential counter runs over the slots, so that it is no wider than there are slots; with
    ``allow_repeats`` it runs over the words, since the same word may be used several times. Words
    that their slots have not been given are left out.
    """
    users: defaultdict[object, list[int]] = defaultdict(list)
    exempt: list[int] = []
    for slot, words in enumerate(encoding.words):
        for word in group.words:
            if word in words:
                users[word if allow_repeats else slot].append(words[word])
        exempt += [words[word] for word in group.exempt if word in words]
    sets = list(users.values())
    yield from encoding.at_most_one_set(sets, group.label)
    if exempt and sets:
        variables = [variable for users in sets for variable in users]
        yield from encoding.at_most_one_set([variables, exempt], group.label)


def at_least_clauses(encoding: Encoding, demand: AtLeast) -> Iterator[Clause]:
    """At least the required number of the demanded words are used.

    Slots must have been given all of these words that they may take.
    """
    users = [[words[word] for words in encoding.words if word in words] for word in demand.words]
    if demand.minimum == len(demand.words):
        yield from users
    else:
        yield from encoding.at_least(users, demand.minimum, demand.words)


def demanded_words_alone(
    demanded: Iterable[str],
    words: Mapping[str, int],
    checked: Sequence[int],
    new: Iterable[str] | None = None,
) -> Iterator[Clause]:
    """A slot that takes a demanded word takes no other word.

        ¬x[s,w] ∨ ¬x[s,v]                       for a demanded word w and every v like it

    Only words with the same letters at the ``checked`` positions can be true together in the
    support encoding, and only where a demanded word is counted does it matter which one is read.
    With ``new``, only the clauses that speak of at least one new word.
    """
    demanded = frozenset(demanded)
    alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for word in words:
        alike[tuple(word[position] for position in checked)].append(word)
    fresh = frozenset(words if new is None else new)
    for group in alike.values():
        for word in group:  # in the order of the words: that of a set varies between processes
            if word in demanded:
                others = (w for w in group if w != word and (w not in demanded or word < w))
                new_pairs = (other for other in others if word in fresh or other in fresh)
                yield from ([-words[word], -words[other]] for other in new_pairs)
