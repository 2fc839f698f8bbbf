"""How much likelier a clue makes each word that composed answers are made of.

An answer of several words that no list has is worded as its clue suggests: that to "Chemist's
helper" may end in ASSISTANT. The bi-encoder that was trained on old clues knows vectors of such
words, since most have been answers themselves. A part is taken to be a word that the clue suggests,
or any word.
"""

from __future__ import annotations

import numpy as np

from satcross.answer.dictionaries.clue_encoder import ClueEncoder, Vectors
from satcross.answer.dictionaries.clue_index import ClueIndex
from satcross.answer.dictionaries.word_pairs import WordPairs
from satcross.answer.word_table import Floats

_SUGGESTED = 0.4
"""Share of the parts that the clue suggests: the likeliest for the 839 answers of 2013 that neither
the default list nor newspaper clues to 2012 have, and that are composed of words."""


class PartGains:
    """Returns, for a clue, the gains in log-probability of the words of ``pairs``, in order.

    Words of one length are compared with each other. Words that were never an answer gain nothing.
    """

    def __init__(self, pairs: WordPairs, index: ClueIndex, encoder: ClueEncoder) -> None:
        self._encoder = encoder
        self._size = len(pairs.words)
        number = {word: at for at, word in enumerate(pairs.words)}
        numbers: list[int] = []
        vectors = []
        self._starts: list[int] = []
        for length, (known, _) in encoder.answers.items():
            part = index.part(length)
            words = () if part is None else part.words
            rows = [row for row, word in enumerate(words) if word in number]
            if rows:
                self._starts.append(len(numbers))
                numbers += [number[words[row]] for row in rows]
                vectors.append(Vectors(known.numbers[rows], known.factors[rows]))
        self._numbers = np.array(numbers, dtype=np.intp)
        self._sizes = np.diff([*self._starts, len(numbers)])
        self._vectors = vectors and Vectors(
            np.concatenate([part.numbers for part in vectors]),
            np.concatenate([part.factors for part in vectors]),
        )
        logs = pairs.logs[self._numbers].astype(np.float64)
        self._shares = np.exp(logs) / self._over_length(np.exp(logs))

    def __call__(self, text: str) -> Floats:
        gains = np.zeros(self._size)
        features, weights = self._encoder.features.of(text)
        if self._vectors and len(features):
            products = self._vectors.times(self._encoder.vectors.sum(features, weights))
            lifts = np.exp(products.astype(np.float64))
            lifts /= self._over_length(self._shares * lifts)
            gains[self._numbers] = np.log(1 - _SUGGESTED + _SUGGESTED * lifts)
        return gains

    def _over_length(self, values: Floats) -> Floats:
        """Return for each word the sum over all words of its length."""
        if not self._starts:
            return values
        return np.repeat(np.add.reduceat(values, self._starts), self._sizes)
