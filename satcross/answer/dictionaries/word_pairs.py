"""Which word follows which: word bigrams of old clues, for answers of several words.

Earlier answers are words, too, since some stand in no clue.

The probability of a word after another mixes how often it follows that word with how often it
occurs (Jelinek and Mercer, "Interpolated estimation of Markov source parameters", 1980).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.answer.dictionaries.clue_index import ClueIndex
from satcross.answer.dictionaries.store import (
    packed_lines,
    read_arrays,
    unpacked_lines,
    write_arrays,
)
from satcross.answer.language.tokens import letters
from satcross.answer.word_table import Floats, letter_codes, word_table
from satcross.vocabulary import Vocabulary

Integers = NDArray[np.int64]

LAYOUT = 2
_SUFFIX = ".pairs.npz"
MIN_COMPOSED = 5
"""Fewest letters of an answer that is composed of words."""
_PAIR = 1 << 32
_MIN_WORD, _MIN_PAIR = 5, 2
"""Times that a word, and a pair of words, must occur in old clues."""
_MIN_ANSWER, _ANSWER_LENGTHS = 3, range(3, 11)
"""Clues that an answer must have, and its lengths, to be a part of longer answers (DONUT HOLE):
rarer ones may be mistakes, and longer ones are several words."""
_ANSWERS = 0.2
"""Weight of the frequency among answers against that in the texts of clues: the 877 answers of 2013
that no list has are about as likely with 0.1 and 0.3."""
_SHARE = 0.6
"""Weight of the frequency after the word before against the frequency of the word."""
_WHOLE = 4.0
"""Nats by which an answer is likelier than its words anywhere in a clue: it is a whole phrase."""
_PARTS = 4000
"""Words of each length of a list without old clues; rarer ones make nonsense."""
_TILT = 4.0
"""How much likelier a word with the best score is than one with the worst, in nats."""
_SHORT = {2: 2.0, 3: 1.0}
"""Nats that are taken off a listed word of this length: any letters contain some such word."""


@dataclass(frozen=True)
class WordPairs:
    """Words with their log-probabilities, and pairs of words with those of the second word.

    ``pairs`` is sorted; a pair is ``_PAIR`` times the number of its first word, plus that of its
    second. ``offset`` is added to the log-probability of a whole answer, and ``gains`` to that of
    each of its words, if a clue makes them likelier.
    """

    words: tuple[str, ...]
    logs: Floats
    pairs: Integers
    pair_logs: Floats
    offset: float = 0.0
    gains: Floats | None = None
    # Copies with other gains share it.
    _by_length: dict[int, tuple[Integers, NDArray[np.uint16]]] = field(default_factory=dict)

    def of_length(self, length: int) -> tuple[Integers, NDArray[np.uint16]]:
        """Return the numbers of the words of a length, and their letters."""
        if not self._by_length:
            found = {}
            lengths = np.array([len(word) for word in self.words])
            for size in range(1, int(lengths.max(initial=0)) + 1):
                numbers = np.flatnonzero(lengths == size)
                words = [self.words[number] for number in numbers]
                found[size] = numbers, letter_codes(words, size)
            self._by_length.update(found)  # at once, since other threads may read it
        return self._by_length.get(length, (np.zeros(0, np.int64), letter_codes([], length)))

    def alone(self, words: Integers) -> Floats:
        """Return the log-probability of words, whatever precedes them."""
        return self.logs[words] if self.gains is None else self.logs[words] + self.gains[words]

    def after(self, before: Integers, words: Integers) -> Floats:
        """Return the log-probability of each word after each other word, of shape (before, words).

        -1 stands for the beginning.
        """
        found = np.repeat(self.logs[words][None, :], len(before), axis=0)
        if len(self.pairs):
            keys = before[:, None] * _PAIR + words
            places = self.pairs.searchsorted(keys).clip(max=len(self.pairs) - 1)
            known = (self.pairs[places] == keys) & (before >= 0)[:, None]
            found += np.log(1 - _SHARE) * (before >= 0)[:, None]
            likelier = self.pair_logs[places[known]] + np.log(_SHARE)
            found[known] = np.logaddexp(found[known], likelier)
        return found if self.gains is None else found + self.gains[words]


def learn_pairs(
    texts: Iterable[str], answers: Mapping[str, float] = MappingProxyType({})
) -> WordPairs:
    """Count words and pairs of neighbouring words in the texts of clues.

    ``answers`` has the number of clues of each answer: these are words, too.
    """
    names: dict[str, int] = {}
    numbers: list[int] = []
    for text in texts:
        numbers.extend(
            names.setdefault(word, len(names)) if word else -1
            for word in map(letters, text.split())
        )
        numbers.append(-1)
    run = np.array(numbers, dtype=np.int64)
    counts = np.bincount(run[run >= 0], minlength=len(names)).astype(np.float64)
    kept = np.flatnonzero(counts >= _MIN_WORD)
    renamed = np.full(len(names) + 1, -1, dtype=np.int64)
    renamed[kept] = np.arange(len(kept))
    run = renamed[run]
    both = (run[:-1] >= 0) & (run[1:] >= 0)
    pairs, times = np.unique(run[:-1][both] * _PAIR + run[1:][both], return_counts=True)
    pairs, times = pairs[times >= _MIN_PAIR], times[times >= _MIN_PAIR]
    texts_of = list(names)
    of_texts = (counts[kept] / counts.sum()).tolist()
    shares = {texts_of[number]: share for number, share in zip(kept, of_texts, strict=True)}
    parts = {
        word: clues
        for word, clues in answers.items()
        if clues >= _MIN_ANSWER and len(word) in _ANSWER_LENGTHS
    }
    if parts:
        shares = {word: (1 - _ANSWERS) * share for word, share in shares.items()}
        unit = _ANSWERS / sum(parts.values())
        for word, clues in parts.items():
            shares[word] = shares.get(word, 0.0) + unit * clues
    return WordPairs(
        tuple(shares),
        np.log(np.fromiter(shares.values(), np.float64, len(shares))),
        pairs,
        np.log(times / counts[kept][pairs // _PAIR]),
        _WHOLE,
    )


@lru_cache(maxsize=4)
def pairs_of_list(vocabulary: Vocabulary) -> WordPairs:
    """Return the likeliest words of a list, by score within each length, without pairs."""
    words: list[str] = []
    logs = [np.zeros(0)]
    for length in vocabulary.lengths:
        group = vocabulary.group(length)
        scores = _TILT * word_table(group).scores[:_PARTS]
        total = np.logaddexp.reduce(scores) + _SHORT.get(length, 0.0)
        words += group.words[:_PARTS]
        logs.append(scores - total)
    return WordPairs(tuple(words), np.concatenate(logs), np.zeros(0, np.int64), np.zeros(0))


def save_pairs(pairs: WordPairs, index: ClueIndex) -> None:
    """Write the word pairs of an index beside it."""
    content: dict[str, NDArray[Any]] = {
        "words": packed_lines(pairs.words),
        "logs": pairs.logs.astype(np.float32),
        "pairs": pairs.pairs,
        "pair_logs": pairs.pair_logs.astype(np.float32),
    }
    write_arrays(index.beside(_SUFFIX), f"{LAYOUT} {index.identity}", content)
    _read_pairs.cache_clear()


def open_pairs(index: ClueIndex) -> WordPairs | None:
    """Return the word pairs that were counted for an index; None if there are none."""
    return _read_pairs(index.beside(_SUFFIX), index.identity) if index.path else None


@lru_cache(maxsize=2)
def _read_pairs(path: Path, identity: str) -> WordPairs | None:
    content = read_arrays(path, f"{LAYOUT} {identity}")
    if content is None:
        return None
    words = tuple(unpacked_lines(content["words"]))
    return WordPairs(words, content["logs"], content["pairs"], content["pair_logs"], _WHOLE)
