"""The direct encoding: no letters, but a clause for every two words that disagree at a crossing.

T. Walsh, "SAT v CSP", CP 2000. It is here for comparison: its size grows with the square of the
list, and unit propagation on it does less than arc consistency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from encoders.cardinality import Clause
from encoders.cnf import slot_word_choice, uniqueness
from encoders.encoding import Encoding
from encoders.instance import Instance, crossings, no_pause
from encoders.word_rules import rule_clauses


def no_disagreement(
    words: Mapping[str, int], position: int, others: Mapping[str, int], other_position: int
) -> Iterator[Clause]:
    """Two crossing slots take words with the same letter at the crossing.

    ¬x[s,w] ∨ ¬x[t,v]                       for all words w, v whose letters there differ
    """
    for word, a in words.items():
        for other, b in others.items():
            if word[position] != other[other_position]:
                yield [-a, -b]


def encode_direct(instance: Instance) -> tuple[list[Clause], Encoding]:
    """Return the direct encoding; ask ``direct_size`` first how many clauses it has."""
    clauses, encoding = generate_direct(instance)
    return list(clauses), encoding


def generate_direct(
    instance: Instance, pause: Callable[[], None] = no_pause
) -> tuple[Iterator[Clause], Encoding]:
    """Do the same as ``encode_direct``, clause by clause, and call ``pause`` now and then."""
    encoding = Encoding(instance.slots)
    for slot, words in enumerate(instance.candidates):
        pause()
        encoding.new_words(slot, words)
    return _clauses(instance, encoding), encoding


def _clauses(instance: Instance, encoding: Encoding) -> Iterator[Clause]:
    for words in encoding.words:
        yield from slot_word_choice(words)
        yield from ([-first, -other] for first, other in combinations(words.values(), 2))
    for slot, position, other, other_position in crossings(instance.slots):
        yield from no_disagreement(
            encoding.words[slot], position, encoding.words[other], other_position
        )
    if not instance.allow_repeats:
        yield from uniqueness(encoding.words, encoding.at_most_one)
    yield from rule_clauses(instance, encoding)


def direct_size(instance: Instance) -> int:
    """Return the number of clauses of the direct encoding, without uniqueness and other rules."""
    size = sum(1 + len(words) * (len(words) - 1) // 2 for words in instance.candidates)
    for slot, position, other, other_position in crossings(instance.slots):
        here = Counter(word[position] for word in instance.candidates[slot])
        there = Counter(word[other_position] for word in instance.candidates[other])
        size += here.total() * there.total() - sum(here[item] * there[item] for item in here)
    return size
