"""Fit the models that score candidates to clues with known answers.

Of each clue, the best candidates are compared with samples of the other words; the softmax of their
scores shall be high for the right answer. The weights of the linear model (a conditional logit,
McFadden 1974) are fitted by Newton's method, the network beside it by Adam (Kingma and Ba, 2015)
with units left out at random (Srivastava et al., "Dropout", 2014).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import Candidate, Clue, SourceSettings
from satcross.answer.dictionaries.clue_files import OldClue
from satcross.answer.gather import gather
from satcross.answer.model import Model, WordScores, load_model
from satcross.answer.network import MAXIMA, Network
from satcross.answer.sources.clue_database import NAME
from satcross.vocabulary import WordGroup

_UNKNOWN = "unknown"
"""Weight of an answer that neither a source nor the vocabulary has."""
_BEST = 60
"""Candidates of each clue that are always compared; of the others and of the vocabulary there are
samples, each row of which stands for many words."""
_SAMPLED = 20
_BATCH = 50  # clues that the sources are asked at a time
_PULL = 0.3
"""Strength of the prior: half the inverse variance of a weight around 0."""
_STEPS = 20
_CLOSE = 0.01  # nats over all clues
_UNITS, _EPOCHS = 64, 10
"""Hidden units of the network, and epochs of its training."""
_BATCH_CLUES = 32
_RATE = 0.003
_DECAY = 0.001
_LEFT_OUT = 0.2
_MIN_SCALE = 0.15
"""Smallest standard deviation that inputs are divided by: some features hardly ever occur."""
_CUES = (
    *("abbreviation", "blank", "quoted", "bracketed", "example", "pun", "name", "short", "number"),
    *("s", "ed", "ing", "er", "est", "ly"),
)
_NO_SOURCES = ("agree", "prior", "rare")
"""What the features begin with that a word has without any source."""
_LENGTHS = range(3, 11)
Floats = NDArray[np.float64]
Inputs = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ComparedWords:
    """The words of one clue that are compared: features, and logarithms of how many words each
    row stands for. ``answer`` is the row of the right answer; row 0 is all unknown words, and those
    from ``others`` on are words that no source proposes."""

    clue: Clue
    rows: list[dict[str, float]]
    offsets: list[float]
    answer: int
    others: int


def compared_words(
    clues: Sequence[OldClue],
    settings: SourceSettings,
    sources: Sequence[str],
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
            yield _group(clue, answer, found.candidates[slot], group, found.model, chance)


def _group(
    clue: Clue,
    answer: str,
    candidates: Sequence[Candidate],
    listed: WordGroup,
    model: Model,
    chance: random.Random,
) -> ComparedWords:
    """Compare the answer with the best candidates and with samples of the others."""
    rest = candidates[_BEST:]
    sampled = chance.sample(rest, min(_SAMPLED, len(rest)))
    compared: list[tuple[str, Mapping[str, float], float]] = [
        ("", {_UNKNOWN: 1.0}, 0.0),
        *((known.word, known.features, 0.0) for known in candidates[:_BEST]),
        *((known.word, known.features, log(len(rest) / len(sampled))) for known in sampled),
    ]
    missed = [known for known in rest if known.word == answer and known not in sampled]
    compared += [(answer, known.features, 0.0) for known in missed]
    proposed = len(compared)
    words = chance.sample(range(len(listed)), min(_SAMPLED, len(listed)))
    names = {known.word for known in candidates}
    others = [word for word in map(listed.word, words) if word not in names]
    features = WordScores(model, clue, listed).features
    for word in others:
        compared.append((word, features(word), log(len(listed) / len(words))))
    if answer not in {*names, *others} and listed.score(answer) is not None:
        compared.append((answer, features(answer), 0.0))
    at = next((row for row, (word, *_) in enumerate(compared) if word == answer), 0)
    offsets = [0.0 if word == answer else offset for word, _, offset in compared]
    return ComparedWords(clue, [dict(row) for _, row, _ in compared], offsets, at, proposed)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The compared words of all clues: one row per word, the rows of a clue together.

    ``inputs`` are what a model reads, ``known`` scores that it is added to; ``starts`` and
    ``answers`` are the first row and the row of the right answer of each clue.
    """

    inputs: Inputs
    known: Floats
    offsets: Floats
    starts: NDArray[np.int64]
    answers: NDArray[np.int64]

    @classmethod
    def of(cls, groups: Sequence[ComparedWords], inputs: Inputs, known: Floats) -> _Rows:
        """Put the words of clues together."""
        starts = np.cumsum([0, *(len(group.rows) for group in groups)])
        offsets = np.array([offset for group in groups for offset in group.offsets])
        answers = starts[:-1] + np.array([group.answer for group in groups])
        return cls(inputs, known, offsets, starts, answers)

    def part(self, clues: NDArray[np.int64]) -> _Rows:
        """Return the rows of some clues."""
        spans = [np.arange(*self.starts[clue : clue + 2]) for clue in clues.tolist()]
        starts = np.cumsum([0, *map(len, spans)])
        rows = np.concatenate(spans)
        answers = starts[:-1] + self.answers[clues] - self.starts[clues]
        return _Rows(self.inputs[rows], self.known[rows], self.offsets[rows], starts, answers)

    def shares(self, gains: NDArray[np.floating]) -> Floats:
        """Return the probability of every row among those of its clue."""
        scores, starts, sizes = self.known + gains + self.offsets, self.starts[:-1], self.sizes
        shifted = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        return np.asarray(shifted / np.repeat(np.add.reduceat(shifted, starts), sizes))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of rows of each clue."""
        return np.diff(self.starts)

    def log_shares(self, gains: NDArray[np.floating]) -> Floats:
        """Return the log-probability of each right answer."""
        return np.asarray(np.log(np.maximum(self.shares(gains)[self.answers], 1e-300)))

    def measured(self, gains: NDArray[np.floating]) -> Measured:
        """Measure the scores that these gains make."""
        scores = self.known + gains
        best = np.maximum.reduceat(scores, self.starts[:-1])
        first = float((scores[self.answers] >= best).mean())
        return Measured(len(self.answers), float(self.log_shares(gains).mean()), first)


@dataclass(frozen=True, slots=True)
class Measured:
    """How well a model finds right answers: the mean of their log-probabilities, and the share of
    clues whose answer is the best candidate."""

    clues: int
    log_probability: float
    first: float


def feature_rows(groups: Sequence[ComparedWords], names: Sequence[str]) -> _Rows:
    """Return what the linear model reads: a column for each of the names."""
    column = {name: at for at, name in enumerate(names)}
    rows = [row for group in groups for row in group.rows]
    inputs = np.zeros((len(rows), len(names)), dtype=np.float32)
    for at, row in enumerate(rows):
        for name, value in row.items():
            inputs[at, column[name]] = value
    return _Rows.of(groups, inputs, np.zeros(len(rows)))


def fitted_weights(data: _Rows) -> Floats:
    """Return the weights of the highest posterior probability, by Newton's method with halving."""
    weights = np.zeros(data.inputs.shape[1])
    value, starts = float(data.log_shares(data.inputs @ weights).sum()), data.starts[:-1]
    for _ in range(_STEPS):
        weighed = data.inputs * data.shares(data.inputs @ weights)[:, None]
        mean = np.add.reduceat(weighed, starts)
        gradient = (data.inputs[data.answers] - mean).sum(0) - 2 * _PULL * weights
        curvature = weighed.T @ data.inputs - mean.T @ mean + 2 * _PULL * np.eye(len(weights))
        step = np.linalg.solve(curvature, gradient)
        for halving in range(20):
            tried = weights + step / 2**halving
            new = float(data.log_shares(data.inputs @ tried).sum() - _PULL * (tried**2).sum())
            if new >= value:
                break
        gained = new - value
        weights, value = tried, new
        if gained < _CLOSE:
            break
    return weights


def network_rows(groups: Sequence[ComparedWords], network: Network) -> _Rows:
    """Return what a network reads, and the scores of the shipped linear model beside it."""
    model = load_model((NAME,))
    inputs, scores = [], []
    for group in groups:
        linear = np.array([model.score(row) for row in group.rows])
        some = slice(1, group.others)
        rows = network.inputs(group.clue, group.rows[some], linear[some])
        places = np.full(len(group.rows), len(rows) - 1)
        places[some] = np.arange(len(rows) - 1)
        inputs.append(rows[places])
        scores.append(linear)
    return _Rows.of(groups, np.concatenate(inputs), np.concatenate(scores))


def input_names(features: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the inputs of a network for these features of words."""
    names = sorted(features)
    sources = dict.fromkeys(name.partition(".")[0] for name in names if "." in name)
    return (
        *names,
        *(f"clue is {cue}" for cue in _CUES),
        *(f"maximum of {name}" for name in MAXIMA),
        *(f"length {length}" for length in _LENGTHS),
        *(f"from {source}" for source in sources if source not in _NO_SOURCES),
        *("score", "behind", "unproposed"),
    )


def new_network(groups: Sequence[ComparedWords]) -> Network:
    """Return a network that is not trained, for the features that occur."""
    names = input_names({name for group in groups for row in group.rows for name in row})
    size = (len(names), _UNITS)
    hidden = np.random.default_rng(1).normal(0, 1 / sqrt(len(names)), size).astype(np.float32)
    zeros = (np.zeros(number, np.float32) for number in (_UNITS, _UNITS, len(names)))
    return Network(names, hidden, *zeros)


def trained_network(data: _Rows, start: Network) -> Network:
    """Return the network after all epochs of training, in which the rate falls to zero."""
    chance = np.random.default_rng(1)
    scale = np.maximum(data.inputs.std(axis=0), _MIN_SCALE)
    weights = [start.hidden * scale[:, None], start.biases, start.output, start.direct * scale]
    weights = [array.copy() for array in weights]
    means, squares = ([np.zeros_like(array) for array in weights] for _ in range(2))
    clues, step = len(data.answers), 0
    batches = -(-clues // _BATCH_CLUES)
    for _ in range(_EPOCHS):
        for some in np.array_split(chance.permutation(clues), batches):
            kept = (chance.random(len(start.biases)) > _LEFT_OUT) / np.float32(1 - _LEFT_OUT)
            gradients = _gradients(data.part(some), scale, weights, kept.astype(np.float32))
            rate = _RATE * (1 - step / (_EPOCHS * batches))
            step += 1
            for array, gradient, mean, square in zip(
                weights, gradients, means, squares, strict=True
            ):
                slope = gradient + _DECAY * array
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                move = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
                array -= (rate * move).astype(np.float32)
    hidden, biases, output, direct = weights
    return Network(start.names, hidden / scale[:, None], biases, output, direct / scale)


def _gradients(
    data: _Rows, scale: Inputs, weights: Sequence[Inputs], kept: Inputs
) -> tuple[NDArray[np.floating], ...]:
    """Return the gradients of the mean log-probability, negated, in the order of the weights."""
    hidden, biases, output, direct = weights
    inputs = data.inputs / scale
    units: Inputs = np.maximum(inputs @ hidden + biases, 0)
    errors = data.shares((units * kept) @ output + inputs @ direct)
    errors[data.answers] -= 1
    small = (errors / len(data.answers)).astype(np.float32)
    back: Inputs = small[:, None] * (output * kept) * (units > 0)
    return inputs.T @ back, back.sum(axis=0), (units * kept).T @ small, inputs.T @ small
