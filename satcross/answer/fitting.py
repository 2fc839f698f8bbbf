"""Fit the weights of the scoring model on clues with known answers.

The model is a conditional logit (McFadden 1974) with a Gaussian prior around the weights that come
with satcross, and is fitted by Newton's method. The clues of the newest years of a database are
answered from the database of the older years, as a new puzzle is.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import Candidate, Clue, SourceSettings
from satcross.answer.dictionaries.clue_files import OldClue
from satcross.answer.dictionaries.clue_index import older_index
from satcross.answer.gather import gather
from satcross.answer.model import intrinsic_features, load_model
from satcross.answer.sources.clue_database import NAME, clue_encoder, learn
from satcross.errors import InputError
from satcross.vocabulary import WordGroup

_UNKNOWN = "unknown"
"""Weight of an answer that neither a source nor the vocabulary has."""
_BEST = 60
"""Candidates of each clue that are always compared; of the others and of the vocabulary there are
samples, each row of which stands for many words."""
_SAMPLED = 60
_PULL = 0.3
"""Strength of the prior: half the inverse variance of a weight around its default."""
_STEPS = 20
_CLOSE = 0.01  # nats over all clues
_BATCH = 50  # clues that the sources are asked at a time
_MIN_CLUES = 200
_ROUNDED = 3
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
class ComparedWords:
    """The words of one clue that are compared: features, and logarithms of how many words each
    row stands for. ``answer`` is the row of the right answer; row 0 is all unknown words."""

    rows: list[dict[str, float]]
    offsets: list[float]
    answer: int


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


def fit_clues(
    settings: SourceSettings,
    sources: Sequence[str] | None,
    *,
    years: int = 1,
    clues: int = 2000,
    on_progress: Callable[[str], None] = lambda line: None,
) -> Fit:
    """Fit the weights of all sources on the newest years of the database in the settings.

    Every fourth of the ``clues`` is only used to measure the gain. Raises InputError when the
    database has too few clues with a year.
    """
    index = settings.clue_index
    if index is None:
        raise InputError("no clue database", "name one with --clues-db FILE")
    newest = max(index.years)
    recent = random.Random(1).sample(found := index.clues_since(newest - years + 1), len(found))
    if newest == 0 or len(recent) < _MIN_CLUES or index.size - len(recent) < _MIN_CLUES:
        raise InputError(
            f"the clue database needs {_MIN_CLUES} clues of its newest year and as many older ones",
            "add a larger file with a year on every line",
        )
    with tempfile.TemporaryDirectory(prefix="satcross-") as folder:
        older = older_index(index, newest - years + 1, Path(folder), on_progress)
        if clue_encoder(index) is not None:
            learn(older, on_progress)
        base = replace(
            settings,
            clue_index=older,
            vocabulary=older.extend(settings.list_vocabulary or settings.vocabulary),
        )
        chosen = recent[:clues]
        cut = len(chosen) * 3 // 4
        test = list(compared_words(chosen[cut:], base, sources, on_progress))
        train = list(compared_words(chosen[:cut], base, sources, on_progress))
    model = load_model((NAME,), shipped=True)
    fit = fit_weights(train, test, model.weights)
    rounded = {name: round(weight, _ROUNDED) for name, weight in fit.weights.items()}
    return replace(fit, weights=dict(sorted({**model.weights, **rounded}.items())))


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


def compared_words(
    clues: Sequence[OldClue],
    settings: SourceSettings,
    sources: Sequence[str] | None,
    on_progress: Callable[[str], None],
) -> Iterator[ComparedWords]:
    """Ask the sources about clues, and yield the words that are compared for each."""
    chance = random.Random(2)
    for start in range(0, len(clues), _BATCH):
        on_progress(f"asking the sources: {start} of {len(clues)} clues")
        batch = {
            str(number): (Clue(str(number), old.text, len(old.answer)), old.answer)
            for number, old in enumerate(clues[start : start + _BATCH])
        }
        found = gather([clue for clue, _ in batch.values()], settings, sources)
        for slot, (clue, answer) in batch.items():
            group = settings.vocabulary.group(clue.length)
            yield _group(clue, answer, found.candidates[slot], group, chance)


def _group(
    clue: Clue,
    answer: str,
    candidates: Sequence[Candidate],
    listed: WordGroup,
    chance: random.Random,
) -> ComparedWords:
    """Compare the answer with the best candidates and with samples of the others."""
    known = {candidate.word for candidate in candidates}
    rows: list[dict[str, float]] = [{_UNKNOWN: 1.0}]
    offsets = [0.0]
    at = 0

    def add(word: str, features: Mapping[str, float], offset: float) -> None:
        nonlocal at
        if word == answer:
            at, offset = len(rows), 0.0
        rows.append(dict(features))
        offsets.append(offset)

    rest = candidates[_BEST:]
    sampled = chance.sample(rest, min(_SAMPLED, len(rest)))
    for candidate in candidates[:_BEST]:
        add(candidate.word, candidate.features, 0.0)
    for candidate in sampled:
        add(candidate.word, candidate.features, log(len(rest) / len(sampled)))
    if not at:
        for candidate in rest:
            if candidate.word == answer:
                add(answer, candidate.features, 0.0)
    words = chance.sample(range(len(listed)), min(_SAMPLED, len(listed)))
    others = [word for word in map(listed.word, words) if word not in known]
    for word in others:
        left = len(listed) * len(others) / len(words)
        add(word, intrinsic_features(clue, word, listed.score_of), log(left / len(others)))
    if not at and listed.score(answer) is not None:
        add(answer, intrinsic_features(clue, answer, listed.score_of), 0.0)
    return ComparedWords(rows, offsets, at)


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
