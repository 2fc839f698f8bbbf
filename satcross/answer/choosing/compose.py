"""Answers that no source and no list has: composed of known words (TEAM + LEADER), or spelled.

Only answers that agree with the letters of the crossings are listed, by beam searches from left to
right. The probability of a composed answer is that of its two to four words, each after the one
before; that of a spelled one is that of its letters, each after the two before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satcross.answer.dictionaries.word_pairs import WordPairs
from satcross.answer.word_table import ALPHABET, Floats, highest, letter_codes, letter_sums
from satcross.vocabulary import Vocabulary

_MIN_LENGTH = 5
_MAX_WORDS = 4
_BEAM = 80
_BEST_PARTS = 50
_LISTED = 50
_NO_SUCH_LENGTH = log(1e-6)
"""Log-probability of a length that exceeds those of all words."""
_ENOUGH = 10
"""Times that letters must occur to count as much as what is known of letters in general."""


class _Beam(NamedTuple):
    """The beginning of an answer; ``score`` includes the letters of the crossings."""

    score: float
    prior: float
    text: str
    last: int
    parts: int


def composed_words(pairs: WordPairs, logs: Floats, number: int = _LISTED) -> dict[str, float]:
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


def _continued(best: list[_Beam], pairs: WordPairs, logs: Floats, worst: float) -> list[_Beam]:
    """Return the best beginnings with one more word, which has the length of ``logs``.

    Only beginnings that score more than ``worst`` are returned.
    """
    numbers, codes = pairs.of_length(len(logs))
    if not len(numbers):
        return []
    fits = letter_sums(logs, codes)
    chosen = highest(fits + pairs.logs[numbers], _BEST_PARTS)
    numbers, fits = numbers[chosen], fits[chosen]
    priors = pairs.after(np.array([beam.last for beam in best]), numbers)
    scores = np.array([beam.score for beam in best])[:, None] + priors + fits
    top = highest(scores.ravel(), _BEAM)
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


@dataclass(frozen=True, slots=True)
class LetterRuns:
    """Log-probabilities of letters after the two before them.

    ``logs``, of shape (n + 1, n + 1, n + 1), has them for the n letters of ``codes``, which are
    code points, and for the outside of a word, the last one. ``lengths`` has the log-probabilities
    of the lengths of words.
    """

    codes: NDArray[np.intp]
    logs: Floats
    lengths: Floats


@lru_cache(maxsize=4)
def letter_runs(vocabulary: Vocabulary) -> LetterRuns:
    """Count the runs of three letters in the words of a vocabulary.

    How likely a letter is after two others that are rare follows from the last of these two, and
    after a rare letter from how frequent the letter is.
    """
    lengths = np.ones(max(vocabulary.lengths, default=0) + 1)
    counted = np.zeros(ALPHABET, dtype=np.intp)
    groups = {}
    for length in vocabulary.lengths:
        groups[length] = letter_codes(vocabulary.group(length).words, length)
        lengths[length] += len(groups[length])
        counted += np.bincount(groups[length].ravel(), minlength=ALPHABET)
    codes = np.flatnonzero(counted[:-1])
    size = len(codes) + 1
    number = np.full(ALPHABET, size - 1)
    number[codes] = np.arange(size - 1)
    counts = np.zeros(size**3)
    for words in groups.values():
        run = np.pad(number[words], ((0, 0), (2, 1)), constant_values=size - 1)
        keys = (run[:, :-2] * size + run[:, 1:-1]) * size + run[:, 2:]
        counts += np.bincount(keys.ravel(), minlength=size**3)
    three = counts.reshape(size, size, size)
    one = (three.sum(axis=(0, 1)) + 1) / (three.sum() + size)
    two = _smoothed(three.sum(axis=0), one)
    return LetterRuns(codes, np.log(_smoothed(three, two)), np.log(lengths / lengths.sum()))


def _smoothed(counts: Floats, general: Floats) -> Floats:
    """Return frequencies along the last axis, mixed with those in general."""
    total = counts.sum(axis=-1, keepdims=True) + _ENOUGH
    return np.asarray((counts + _ENOUGH * general) / total)


def spelled_words(runs: LetterRuns, logs: Floats, number: int = _LISTED) -> dict[str, float]:
    """Return the likeliest spelled answers, as ``composed_words`` returns the composed ones."""
    length, letters = len(logs), len(runs.codes)
    scores = priors = np.zeros(1)
    run = np.full((1, length + 2), letters)  # the letters of each answer, after two places outside
    for position in range(length):
        steps = runs.logs[run[:, position], run[:, position + 1], :letters]
        sums = (scores[:, None] + steps + logs[position, runs.codes]).ravel()
        top = highest(sums, _BEAM)
        rows, chosen = np.divmod(top, max(1, letters))
        scores, priors, run = sums[top], priors[rows] + steps[rows, chosen], run[rows]
        run[:, position + 2] = chosen
    ends = runs.logs[run[:, -2], run[:, -1], letters]
    share = runs.lengths[length] if length < len(runs.lengths) else _NO_SUCH_LENGTH
    return {
        "".join(map(chr, runs.codes[run[at, 2:]])): float(priors[at] + ends[at] - share)
        for at in highest(scores + ends, number)
    }
