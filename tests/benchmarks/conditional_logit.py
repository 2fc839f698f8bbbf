"""Fit the weights of a linear model on compared words.

The model is a conditional logit (McFadden 1974) with a Gaussian prior around other weights, and is
fitted by Newton's method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satcross.answer.fitting import ComparedWords

_PULL = 0.3
"""Strength of the prior: half the inverse variance of a weight around its default."""
_STEPS = 20
_CLOSE = 0.01  # nats over all clues
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fit:
    """Fitted weights, and what they gain on clues that were not used in fitting.

    ``before`` and ``after`` are the mean log-probabilities of the right answers; ``first_before``
    and ``first_after`` the shares of clues whose answer is the best candidate. ``fitted`` and
    ``tested`` are numbers of clues.
    """

    weights: Mapping[str, float]
    fitted: int
    tested: int
    before: float
    after: float
    first_before: float
    first_after: float


@dataclass(frozen=True, slots=True)
class _Data:
    """Features of the compared words of all clues: one row per word, the rows of a clue together.

    ``offsets`` are logarithms of how many words each row stands for; ``starts`` and ``answers``
    are the first row and the row of the right answer of each clue.
    """

    names: tuple[str, ...]
    rows: NDArray[np.float32]
    offsets: Floats
    starts: NDArray[np.int64]
    answers: NDArray[np.int64]

    def log_probabilities(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the log-probability of each right answer, and the probability of every row."""
        scores = self.rows @ weights + self.offsets
        sizes = np.diff(np.append(self.starts, len(scores)))
        shifted = np.exp(scores - np.repeat(np.maximum.reduceat(scores, self.starts), sizes))
        each = shifted / np.repeat(np.add.reduceat(shifted, self.starts), sizes)
        return np.log(np.maximum(each[self.answers], 1e-300)), each

    def first(self, weights: Floats) -> float:
        """Return the share of clues whose right answer scores best."""
        scores = self.rows @ weights
        return float((scores[self.answers] >= np.maximum.reduceat(scores, self.starts)).mean())


def fit_weights(
    train: Sequence[ComparedWords], test: Sequence[ComparedWords], start: Mapping[str, float]
) -> Fit:
    """Fit the weights of all features that occur, with a prior around ``start``."""
    names = tuple(sorted({name for group in (*train, *test) for row in group.rows for name in row}))
    first = np.array([start.get(name, 0.0) for name in names])
    fitted, tested = _data(names, train), _data(names, test)
    weights = _newton(fitted, first)
    return Fit(
        dict(zip(names, weights.tolist(), strict=True)),
        len(train),
        len(test),
        float(tested.log_probabilities(first)[0].mean()),
        float(tested.log_probabilities(weights)[0].mean()),
        tested.first(first),
        tested.first(weights),
    )


def _data(names: Sequence[str], groups: Sequence[ComparedWords]) -> _Data:
    column = {name: at for at, name in enumerate(names)}
    starts = np.cumsum([0, *(len(group.rows) for group in groups)])
    rows = np.zeros((int(starts[-1]), len(names)), dtype=np.float32)
    for start, group in zip(starts.tolist(), groups, strict=False):
        for at, row in enumerate(group.rows):
            for name, value in row.items():
                rows[start + at, column[name]] = value
    offsets = np.array([offset for group in groups for offset in group.offsets])
    answers = starts[:-1] + np.array([group.answer for group in groups])
    return _Data(tuple(names), rows, offsets, starts[:-1], answers)


def _newton(data: _Data, start: Floats) -> Floats:
    """Return the weights of the highest posterior probability, by Newton's method with halving."""
    weights = start.copy()
    logs, each = data.log_probabilities(weights)
    value = float(logs.sum())
    eye = np.eye(len(start))
    for _ in range(_STEPS):
        weighed = data.rows * each[:, None]
        mean = np.add.reduceat(weighed, data.starts)
        gradient = (data.rows[data.answers] - mean).sum(0) - 2 * _PULL * (weights - start)
        curvature = weighed.T @ data.rows - mean.T @ mean + 2 * _PULL * eye
        step = np.linalg.solve(curvature, gradient)
        for halving in range(20):
            tried = weights + step / 2**halving
            logs, each = data.log_probabilities(tried)
            new = float(logs.sum() - _PULL * ((tried - start) ** 2).sum())
            if new >= value:
                break
        gained = new - value
        weights, value = tried, new
        if gained < _CLOSE:
            break
    return weights
