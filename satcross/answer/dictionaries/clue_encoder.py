"""A bi-encoder learnt from old clues: how likely each known answer is for a clue worded anew.

A clue is the sum of the vectors of its stems and of the pairs of neighbouring stems, weighted by
their rarity; an answer is a vector and a bias. Both are trained so that the softmax of their
products, over the answers of one length, is high for the right answer (two towers, as in Yi et al.,
"Sampling-bias-corrected neural modeling for large corpus item recommendations", 2019). Encoders
that differ by their random numbers alone err in different places, so that the mean of their scores
is better than each (Hansen and Salamon, "Neural network ensembles", 1990): their vectors stand side
by side. Only numpy is needed; vectors are kept as 8-bit integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.answer.dictionaries.clue_index import ClueIndex, Progress
from satcross.answer.dictionaries.store import (
    packed_lines,
    read_arrays,
    unpacked_lines,
    write_arrays,
)
from satcross.answer.dictionaries.word_pairs import WordPairs
from satcross.answer.language.tokens import normalise_clue, stem

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

LAYOUT = 2
ENCODER_FILE = ".encoder.npz"
SIZE = 64
"""Components of a vector of one encoder."""
_MEMBERS = 5
"""Encoders that are trained."""
_EPOCHS = 2
_BATCH = 256
_SAMPLED = 1500
"""Answers that are compared with the right ones of a batch, and stand for all others."""
_RATE = 0.3
_FALLING = 0.5
"""Share of the training in which the rate falls to 0."""
_LEFT_OUT = 0.1
"""Share of the features of a clue that are left out at random."""
_MIN_STEM, _MIN_PAIR = 2, 3
"""Clues that a stem, and a pair of stems, must occur in to have a vector."""
_PAIR = 1 << 32
_ROWS = 512
"""Rows that are multiplied at once: as floating-point numbers they fit in a processor's cache."""
_MAX_ASKED = 200
"""Clues whose log-probabilities are kept, since sources and model ask for the same."""
_SUGGESTED = 0.4
"""Share of the parts that the clue suggests: the likeliest for the 839 answers of 2013 that neither
the default list nor newspaper clues to 2012 have, and that are composed of words."""


@dataclass(frozen=True, slots=True)
class Features:
    """The stems and pairs of stems with a vector, in the order of their vectors."""

    stems: dict[str, int]
    pairs: Integers
    """Sorted; a pair is ``_PAIR`` times the number of its first stem, plus that of its second."""
    weights: Floats

    def of(self, text: str) -> tuple[Integers, Floats]:
        """Return the features of a clue, and their weights as a unit vector."""
        numbers = [self.stems.get(word, -1) for word in _words(text)]
        return self.of_numbers(np.array(numbers, dtype=np.int64))

    def of_numbers(self, numbers: Integers) -> tuple[Integers, Floats]:
        """Return the features of a clue by the numbers of its stems, of which -1 is unknown."""
        found = [numbers[numbers >= 0]]
        if len(numbers) > 1 and len(self.pairs):
            keys = numbers[:-1] * _PAIR + numbers[1:]
            places = self.pairs.searchsorted(keys).clip(max=len(self.pairs) - 1)
            known = (self.pairs[places] == keys) & (numbers[:-1] >= 0)
            found.append(places[known] + len(self.stems))
        features = np.unique(np.concatenate(found))
        weights = self.weights[features]
        return features, weights / np.float32(max(1e-6, float(np.sqrt((weights**2).sum()))))


def _words(text: str) -> list[str]:
    return [stem(word) for word in normalise_clue(text).split()]


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of 8-bit integers, and the factor of each row."""

    numbers: NDArray[np.int8]
    factors: Floats

    @classmethod
    def of(cls, rows: Floats) -> Vectors:
        """Round the rows."""
        factors = np.maximum(np.abs(rows).max(1, initial=0), 1e-9).astype(np.float32) / 127
        return cls(np.rint(rows / factors[:, None]).astype(np.int8), factors)

    def sum(self, rows: Integers, weights: Floats) -> Floats:
        """Return the weighted sum of some rows."""
        return np.asarray((weights * self.factors[rows]) @ self.numbers[rows].astype(np.float32))

    def times(self, vector: Floats) -> Floats:
        """Return the product of each row with a vector."""
        products = np.empty(len(self.numbers), np.float32)
        for start in range(0, len(products), _ROWS):
            rows = slice(start, start + _ROWS)
            products[rows] = self.numbers[rows].astype(np.float32) @ vector
        return np.asarray(products * self.factors)


@dataclass(slots=True)
class ClueEncoder:
    """A trained bi-encoder; ``answers[length]`` has vectors and biases in the index's order."""

    features: Features
    vectors: Vectors
    answers: dict[int, tuple[Vectors, Floats]]
    _asked: dict[tuple[str, int], Floats] = field(default_factory=dict)

    def log_probabilities(self, text: str, length: int) -> Floats | None:
        """Return the log-probability of every answer of a length; None if nothing is known."""
        known = self._asked.get((text, length))
        if known is not None:
            return known
        features, weights = self.features.of(text)
        if length not in self.answers or not len(features):
            return None
        vectors, biases = self.answers[length]
        scores = vectors.times(self.vectors.sum(features, weights)) + biases
        scores -= scores.max()
        logs = np.asarray(scores - np.log(np.exp(scores).sum()), dtype=np.float32)
        if len(self._asked) >= _MAX_ASKED:
            self._asked.clear()
        logs.flags.writeable = False
        self._asked[text, length] = logs
        return logs


def open_encoder(index: ClueIndex) -> ClueEncoder | None:
    """Return the bi-encoder that was trained on an index; None if there is none."""
    return _read_encoder(index.beside(ENCODER_FILE), index.identity) if index.path else None


@lru_cache(maxsize=2)
def _read_encoder(path: Path, identity: str) -> ClueEncoder | None:
    content = read_arrays(path, f"{LAYOUT} {identity}")
    if content is None:
        return None
    stems = {text: number for number, text in enumerate(unpacked_lines(content["stems"]))}
    features = Features(stems, content["pairs"], content["weights"])
    answers = {
        int(name.removeprefix("biases")): (
            _unpacked(content, name.replace("biases", "answers")),
            content[name],
        )
        for name in content
        if name.startswith("biases")
    }
    return ClueEncoder(features, _unpacked(content, "vectors"), answers)


def save_encoder(encoder: ClueEncoder, index: ClueIndex) -> None:
    """Write the bi-encoder of an index beside it."""
    content: dict[str, NDArray[Any]] = {
        "stems": packed_lines(encoder.features.stems),
        "pairs": encoder.features.pairs,
        "weights": encoder.features.weights,
        **_packed("vectors", encoder.vectors),
    }
    for length, (vectors, biases) in encoder.answers.items():
        content |= {f"biases{length}": biases, **_packed(f"answers{length}", vectors)}
    write_arrays(index.beside(ENCODER_FILE), f"{LAYOUT} {index.identity}", content)
    _read_encoder.cache_clear()


def _packed(name: str, vectors: Vectors) -> dict[str, NDArray[Any]]:
    return {name: vectors.numbers, f"{name} factors": vectors.factors}


def _unpacked(content: dict[str, NDArray[Any]], name: str) -> Vectors:
    return Vectors(content[name], content[f"{name} factors"])


class PartGains:
    """Returns, for a clue, the gains in log-probability of the words of ``pairs``, in order.

    An answer of several words that no list has is worded as its clue suggests: that to "Chemist's
    helper" may end in ASSISTANT. The bi-encoder knows vectors of such words, since most have been
    answers themselves. A part is taken to be a word that the clue suggests, or any word; words of
    one length are compared with each other. Words that were never an answer gain nothing.
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

    def __call__(self, text: str) -> NDArray[np.float64]:
        gains = np.zeros(self._size)
        features, weights = self._encoder.features.of(text)
        if self._vectors and len(features):
            products = self._vectors.times(self._encoder.vectors.sum(features, weights))
            lifts = np.exp(products.astype(np.float64))
            lifts /= self._over_length(self._shares * lifts)
            gains[self._numbers] = np.log(1 - _SUGGESTED + _SUGGESTED * lifts)
        return gains

    def _over_length(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each word the sum over all words of its length."""
        if not self._starts:
            return values
        return np.repeat(np.add.reduceat(values, self._starts), self._sizes)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Clues with answers of one length: features of all clues one after the other."""

    starts: Integers
    features: Integers
    weights: Floats
    answers: Integers
    size: int


def train(index: ClueIndex, on_progress: Progress, seed: int = 1) -> ClueEncoder:
    """Train a bi-encoder on the clues of an index, by stochastic gradient descent (Adagrad)."""
    from threadpoolctl import threadpool_limits

    features, parts = _read(index, on_progress)
    with threadpool_limits(1, "blas"):  # threads that wait for each other cost CPU time
        members = [
            _train_member(len(features.weights), parts, on_progress, member, seed)
            for member in range(_MEMBERS)
        ]
    answers = {}
    for length in parts:
        own = [towers[length] for _, towers in members]
        side_by_side = np.hstack([tower.vectors for tower, _ in own]) / np.float32(_MEMBERS)
        biases = np.stack([biases for _, biases in own]).mean(axis=0)
        answers[length] = Vectors.of(side_by_side), biases
    clues = np.hstack([tower.vectors for tower, _ in members])
    return ClueEncoder(features, Vectors.of(clues), answers)


def _train_member(
    size: int, parts: dict[int, _Pairs], on_progress: Progress, member: int, seed: int
) -> tuple[_Tower, dict[int, tuple[_Tower, Floats]]]:
    """Return the tower of the features, and by length the tower of the answers and their biases."""
    chance = np.random.default_rng([seed, member])
    vectors = chance.normal(0, 0.3, (size, SIZE)).astype(np.float32)
    tower = _Tower(vectors, np.full(size, 1e-4, np.float32))
    answers = {}
    for length, part in parts.items():
        counts = np.bincount(part.answers, minlength=part.size)
        biases = np.log(counts + 0.5).astype(np.float32)
        start = chance.normal(0, 0.01, (part.size, SIZE)).astype(np.float32)
        answers[length] = (_Tower(start, np.full(part.size, 1e-4, np.float32)), biases)
    batches = sum(-(-len(part.answers) // _BATCH) for part in parts.values()) * _EPOCHS
    done = 0
    for _ in range(_EPOCHS):
        order = [
            (length, some)
            for length, part in parts.items()
            for some in np.array_split(
                chance.permutation(len(part.answers)), -(-len(part.answers) // _BATCH)
            )
        ]
        for at in chance.permutation(len(order)):
            length, some = order[at]
            rate = _RATE * min(1.0, (1 - done / batches) / _FALLING)
            _step(parts[length], some, tower, answers[length], chance, rate)
            done += 1
            if done % 20 == 0:
                share = (member + done / batches) / _MEMBERS
                on_progress(f"learning from your clues: {share:.0%}")
    return tower, answers


def _read(index: ClueIndex, on_progress: Progress) -> tuple[Features, dict[int, _Pairs]]:
    """Count the features of all clues, and return those of every clue."""
    names: dict[str, int] = {}
    clues = [
        np.array([names.setdefault(word, len(names)) for word in _words(text)], dtype=np.int64)
        for text in _counted(index.texts(), on_progress)
    ]
    counts = np.bincount(np.concatenate(clues), minlength=len(names))
    kept = np.flatnonzero(counts >= _MIN_STEM)
    renamed = np.full(len(names), -1, dtype=np.int64)
    renamed[kept] = np.arange(len(kept))
    clues = [renamed[clue] for clue in clues]
    pairs, times = np.unique(
        np.concatenate([clue[:-1] * _PAIR + clue[1:] for clue in clues]), return_counts=True
    )
    known = (times >= _MIN_PAIR) & (pairs >= 0) & (pairs % _PAIR < len(kept))
    uses = np.concatenate([counts[kept], times[known]])
    texts = list(names)
    features = Features(
        {texts[number]: place for place, number in enumerate(kept.tolist())},
        pairs[known],
        np.log((len(clues) + 1) / uses).astype(np.float32),
    )
    parts = {}
    for length, part in zip(index.lengths, index.parts(), strict=True):
        some = clues[part.first : part.first + len(part.answers)]
        found = [features.of_numbers(clue) for clue in some]
        parts[length] = _Pairs(
            np.cumsum([0, *(len(some) for some, _ in found)]),
            np.concatenate([some for some, _ in found]),
            np.concatenate([weights for _, weights in found]),
            part.answers.astype(np.int64),
            len(part.words),
        )
    return features, parts


def _counted(texts: Iterable[str], on_progress: Progress) -> Iterator[str]:
    for number, text in enumerate(texts):
        if number % 20_000 == 0:
            on_progress(f"reading the words of your clues: {number:,}")
        yield text


@dataclass(frozen=True, slots=True)
class _Tower:
    """Vectors, and the sum of squared gradients of each (Adagrad, one number for each row)."""

    vectors: Floats
    squares: Floats

    def move(self, rows: Integers, gradient: Floats, rate: float) -> None:
        self.squares[rows] += (gradient**2).mean(1)
        self.vectors[rows] -= np.float32(rate) * gradient / np.sqrt(self.squares[rows])[:, None]


def _step(
    part: _Pairs,
    some: Integers,
    tower: _Tower,
    answers: tuple[_Tower, Floats],
    chance: np.random.Generator,
    rate: float,
) -> None:
    """Move the vectors of some clues and answers along the gradient of their log-probability."""
    own, biases = answers
    sizes = part.starts[some + 1] - part.starts[some]
    if not sizes.sum():
        return
    owner = np.repeat(np.arange(len(some)), sizes)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    flat = np.repeat(part.starts[some], sizes) + within
    rows, places = np.unique(part.features[flat], return_inverse=True)
    mixed = np.zeros((len(some), len(rows)), dtype=np.float32)
    mixed[owner, places] = part.weights[flat] * (chance.random(len(flat)) >= _LEFT_OUT)
    clues = mixed @ tower.vectors[rows]
    right = np.unique(part.answers[some])
    offsets = np.zeros(part.size, dtype=np.float32)
    if part.size > _SAMPLED + len(right):
        sampled = np.setdiff1d(chance.choice(part.size, _SAMPLED, replace=False), right)
        offsets[sampled] = np.log((part.size - len(right)) / len(sampled))
        compared = np.union1d(right, sampled)
    else:
        compared = np.arange(part.size)
    scores = clues @ own.vectors[compared].T + biases[compared] + offsets[compared]
    scores -= scores.max(1, keepdims=True)
    shares = np.exp(scores)
    shares /= shares.sum(1, keepdims=True)
    shares[np.arange(len(some)), compared.searchsorted(part.answers[some])] -= 1
    back = shares @ own.vectors[compared]
    biases[compared] -= np.float32(0.01) * shares.sum(0)
    own.move(compared, shares.T @ clues, rate)
    tower.move(rows, mixed.T @ back, rate)
