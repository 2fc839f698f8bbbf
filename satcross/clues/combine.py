"""One list of candidates from what all sources say about a clue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import exp, log

from satcross.clues.base import Candidate, Clue, Scored
from satcross.vocabulary import Vocabulary

_UNLISTED = 0.1
"""The probability left for words that no source has."""


def combine(clue: Clue, found: Sequence[Scored], vocabulary: Vocabulary) -> list[Candidate]:
    """The candidates of a clue, best first, from all that the sources have found for it.

    Each source's probabilities are averaged, and what remains is for words that nobody has.
    """
    by_word: defaultdict[str, list[Scored]] = defaultdict(list)
    for one in found:
        by_word[one.word].append(one)
    sums = {word: sum(exp(one.score) for one in said) for word, said in by_word.items()}
    total = sum(sums.values())
    candidates = [
        Candidate(
            word,
            log(max(sums[word], 1e-300) / total * (1 - _UNLISTED)),
            tuple(sorted(said, key=lambda one: (-one.score, one.source))),
        )
        for word, said in by_word.items()
    ]
    return sorted(candidates, key=lambda one: (-one.score, one.word))
