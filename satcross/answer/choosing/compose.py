"""Answers that no source and no list has, composed of two to four known words: TEAM + LEADER.

Only answers that agree with the letters of the crossings are listed, by a beam search from left to
right. The probability of an answer is that of its words, each after the one before.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcross.answer.dictionaries.word_pairs import WordPairs
from satcross.answer.word_table import Floats, letter_sums

_MIN_LENGTH = 5
_MAX_WORDS = 4
_BEAM = 80
_BEST_PARTS = 50


class _Beam(NamedTuple):
    """The beginning of an answer; ``score`` includes the letters of the crossings."""

    score: float
    prior: float
    text: str
    last: int
    parts: int


def composed_words(pairs: WordPairs, logs: Floats, number: int = 50) -> dict[str, float]:
    """Return the likeliest composed answers with the log-probability that each has a priori.

    ``logs`` has the log-probabilities of the letters of each cell, as ``letter_logs`` returns them.
    """
    length = len(logs)
    if length < _MIN_LENGTH:
        return {}
    beams: list[list[_Beam]] = [[] for _ in range(length + 1)]
    beams[0] = [_Beam(0.0, pairs.offset - np.log(length), "", -1, 0)]
    for start in range(length):
        best = [beam for beam in beams[start] if beam.parts < _MAX_WORDS]
        for end in range(start + 1, length + 1) if best else ():
            if end - start < length:
                worst = beams[end][-1].score if end < length and len(beams[end]) == _BEAM else -inf
                beams[end] += _continued(best, pairs, logs[start:end], worst)
                if end < length:
                    beams[end] = _best(beams[end], _BEAM)
    kept: dict[str, float] = {}
    for beam in _best(beams[length], len(beams[length])):
        if len(kept) >= number:
            break
        kept.setdefault(beam.text, beam.prior)
    return kept


def _best(beams: list[_Beam], number: int) -> list[_Beam]:
    return sorted(beams, reverse=True)[:number]


def _top(scores: Floats, number: int) -> NDArray[np.intp]:
    """Return the places of the highest scores."""
    if len(scores) <= number:
        return np.arange(len(scores))
    return np.argpartition(-scores, number)[:number]


def _continued(best: list[_Beam], pairs: WordPairs, logs: Floats, worst: float) -> list[_Beam]:
    """Return the best beginnings with one more word, which has the length of ``logs``.

    Only beginnings that score more than ``worst`` are returned.
    """
    numbers, codes = pairs.of_length(len(logs))
    if not len(numbers):
        return []
    fits = letter_sums(logs, codes)
    chosen = _top(fits + pairs.logs[numbers], _BEST_PARTS)
    numbers, fits = numbers[chosen], fits[chosen]
    priors = pairs.after(np.array([beam.last for beam in best]), numbers)
    scores = np.array([beam.score for beam in best])[:, None] + priors + fits
    top = _top(scores.ravel(), _BEAM)
    top = top[scores.ravel()[top] > worst]
    return [
        _Beam(
            float(scores[at, word]),
            best[at].prior + float(priors[at, word]),
            best[at].text + pairs.words[numbers[word]],
            int(numbers[word]),
            best[at].parts + 1,
        )
        for at, word in zip(*np.unravel_index(top, scores.shape), strict=True)
    ]
