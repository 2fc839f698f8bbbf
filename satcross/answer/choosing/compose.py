"""Answers that no source and no list has, composed of two to four known words: TEAM + LEADER.

The probability of a composed answer is that of its words among the likeliest words of their
lengths, and of the places where they are joined, all of which are equally likely. Only answers that
agree with the letters of the crossings are listed, by a beam search from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from satcross.answer.word_table import Floats, WordTable, word_table
from satcross.vocabulary import Vocabulary, WordGroup

_MIN_LENGTH = 5
_MAX_WORDS = 4
_MIN_PART = 2
_PARTS = 4000
"""Words of each length that are joined; rarer ones make nonsense."""
_TILT = 4.0
"""How much likelier a word with the best score is than one with the worst, in nats."""
_BEAM = 80
_BEST_PARTS = 25
_SHORT = {2: 2.0, 3: 1.0}
"""Nats that are taken off a part of this length, since any letters contain some such word."""


class _Beam(NamedTuple):
    """The beginning of an answer; ``score`` includes the letters of the crossings."""

    score: float
    prior: float
    text: str
    parts: int


def composed_words(vocabulary: Vocabulary, logs: Floats, number: int = 50) -> dict[str, float]:
    """Return the likeliest composed answers with the log-probability that each has a priori.

    ``logs`` has the log-probabilities of the letters of each cell, as ``letter_logs`` returns them.
    """
    length = len(logs)
    if length < _MIN_LENGTH:
        return {}
    beams: list[list[_Beam]] = [[] for _ in range(length + 1)]
    beams[0] = [_Beam(0.0, -log(length), "", 0)]
    for start in range(length - _MIN_PART + 1):
        best = _best(beams[start])
        best = [one for one in best if one.parts < _MAX_WORDS]
        for end in range(start + _MIN_PART, length + 1) if best else ():
            if end - start < length:
                found = _parts(vocabulary.group(end - start), logs[start:end])
                # Both are sorted, so that the best sums lie in this corner.
                beams[end] += [
                    _Beam(one.score + score, one.prior + prior, one.text + word, one.parts + 1)
                    for at, one in enumerate(best)
                    for word, prior, score in found[: _BEAM // (at + 1)]
                ]
    kept: dict[str, float] = {}
    for one in _best(beams[length], len(beams[length])):
        if len(kept) >= number:
            break
        kept.setdefault(one.text, one.prior)
    return kept


def _best(beams: Sequence[_Beam], number: int = _BEAM) -> list[_Beam]:
    return sorted(beams, key=itemgetter(0), reverse=True)[:number]


def _parts(group: WordGroup, logs: Floats) -> list[tuple[str, float, float]]:
    """Return the likeliest words with their log-probabilities, without and with the letters."""
    if not len(group):
        return []
    table = word_table(group)
    priors = _priors(table.group)
    scores = priors + _letter_sum(table, len(priors), logs)
    best = np.argsort(-scores)[:_BEST_PARTS]
    return [(group.word(at), float(priors[at]), float(scores[at])) for at in best.tolist()]


def _letter_sum(table: WordTable, number: int, logs: Floats) -> Floats:
    total = np.zeros(number)
    for position in range(table.codes.shape[1]):
        total += logs[position][table.codes[:number, position]]
    return total


@lru_cache(maxsize=64)
def _priors(group: WordGroup) -> Floats:
    """Return the log-probabilities of the best words of a group, which is sorted by score."""
    scores = _TILT * word_table(group).scores[:_PARTS]
    total = np.logaddexp.reduce(scores) + _SHORT.get(group.length, 0.0)
    return np.asarray(scores - total, dtype=np.float64)
