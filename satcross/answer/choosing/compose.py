"""Answers that no source and no list has: composed of known words (TEAM + LEADER), or spelled.

Only answers that agree with the letters of the crossings are listed, by beam searches from left to
right. The probability of a composed answer is that of its two to four words, each after the one
before; that of a spelled one is that of its letters, each after the two before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

import numpy as np
from numpy.typing import NDArray

from satcross.answer.dictionaries.word_pairs import MIN_COMPOSED, WordPairs
from satcross.answer.word_table import ALPHABET, Floats, highest, letter_codes, letter_sums
from satcross.vocabulary import Vocabulary

_MAX_WORDS = 4
_BEAM = 80
_BEST_PARTS = 50
_LISTED = 50
_NO_SUCH_LENGTH = log(1e-6)
"""Log-probability of a length that exceeds those of all words."""
_ENOUGH = 10
"""Times that letters must occur to count as much as what is known of letters in general."""


_Beams = NDArray[np.void]
_BEAMS = np.dtype(
    [
        *(("score", np.float64), ("prior", np.float64), ("word", np.int64), ("parts", np.int64)),
        *(("start", np.int64), ("row", np.int64)),
    ]
)
"""Beginnings of an answer, up to the same letter: ``score`` includes the letters of the crossings,
``prior`` does not; the number of the last word, and how many words there are; which beginning each
of them continues, by its end and its row."""


def composed_words(pairs: WordPairs, logs: Floats, number: int = _LISTED) -> dict[str, float]:
    """Return the likeliest composed answers with the log-probability that each has a priori.

    ``logs`` has the log-probabilities of the letters of each cell, as ``letter_logs`` returns them.
    """
    length = len(logs)
    if length < MIN_COMPOSED:
        return {}
    nothing = np.array([(0.0, pairs.offset - np.log(length), -1, 0, 0, 0)], dtype=_BEAMS)
    ending: list[list[_Beams]] = [[nothing], *([] for _ in range(length))]
    best: list[_Beams] = []
    for start in range(length):
        best.append(_sorted(ending[start])[:_BEAM])
        for end in range(start + 1, length + 1):
            if end - start < length:
                ending[end].append(_continued(best[start], start, pairs, logs[start:end]))
    kept: dict[str, float] = {}
    for beam in _sorted(ending[length]):
        if len(kept) >= number:
            break
        kept.setdefault(_text(pairs, best, beam), float(beam["prior"]))
    return kept


def _sorted(ending: Sequence[_Beams]) -> _Beams:
    """Return beginnings, those with the highest scores first."""
    together = np.concatenate([*ending, np.zeros(0, _BEAMS)])
    return together[(-together["score"]).argsort(kind="stable")]


def _continued(best: _Beams, start: int, pairs: WordPairs, logs: Floats) -> _Beams:
    """Return the best beginnings with one more word, which has the length of ``logs``."""
    numbers, codes = pairs.of_length(len(logs))
    rows = np.flatnonzero(best["parts"] < _MAX_WORDS)
    if not len(numbers) or not len(rows):
        return np.zeros(0, _BEAMS)
    fits = letter_sums(logs, codes)
    chosen = highest(fits + pairs.alone(numbers), _BEST_PARTS)
    numbers, fits = numbers[chosen], fits[chosen]
    before = best[rows]
    priors = pairs.after(before["word"], numbers)
    scores = before["score"][:, None] + priors + fits
    at, word = np.divmod(highest(scores.ravel(), _BEAM), len(numbers))
    found = np.empty(len(at), _BEAMS)
    found["score"] = scores[at, word]
    found["prior"] = before["prior"][at] + priors[at, word]
    found["word"] = numbers[word]
    found["parts"] = before["parts"][at] + 1
    found["start"] = start
    found["row"] = rows[at]
    return found


def _text(pairs: WordPairs, best: Sequence[_Beams], beam: np.void) -> str:
    """Return the letters of a beginning."""
    text = ""
    while beam["parts"]:
        text = pairs.words[beam["word"]] + text
        beam = best[beam["start"]][beam["row"]]
    return text


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
    single = (three.sum(axis=(0, 1)) + 1) / (three.sum() + size)
    pairs = _smoothed(three.sum(axis=0), single)
    return LetterRuns(codes, np.log(_smoothed(three, pairs)), np.log(lengths / lengths.sum()))


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
