"""Train the network that corrects the scores of candidates, on clues with known answers.

The clues of the newest years of a database are answered from the database of the older years, as a
new puzzle is. The softmax of all scores of a clue shall be high for the right answer. The network
starts as the one that comes with satcross, and is trained by Adam (Kingma and Ba, 2015) with units
left out at random (Srivastava et al., "Dropout", 2014).
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
from satcross.answer.model import Model, load_model
from satcross.answer.network import Network
from satcross.answer.sources.clue_database import NAME, clue_encoder, learn
from satcross.errors import InputError
from satcross.vocabulary import WordGroup

_UNKNOWN = "unknown"
"""Weight of an answer that neither a source nor the vocabulary has."""
_BEST = 60
"""Candidates of each clue that are always compared; of the others and of the vocabulary there are
samples, each row of which stands for many words."""
_SAMPLED = 20
_EPOCHS = 4
"""Epochs of training for a network that is trained already."""
_BATCH_CLUES = 32
_RATE = 0.003
_DECAY = 0.001
_LEFT_OUT = 0.2
_MIN_SCALE = 0.15
"""Smallest standard deviation that inputs are divided by: some features hardly ever occur."""
_BATCH = 50  # clues that the sources are asked at a time
_MIN_CLUES = 200
Floats = NDArray[np.float64]
Inputs = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fit:
    """A trained network, and what it gains on clues that were not used in training.

    ``before`` and ``after`` are the mean log-probabilities of the right answers, by the network
    that training began with and by the trained one; ``first_before`` and ``first_after`` the shares
    of clues whose answer is the best candidate. ``fitted`` and ``tested`` are numbers of clues.
    """

    network: Network
    fitted: int
    tested: int
    before: float
    after: float
    first_before: float
    first_after: float


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


@dataclass(frozen=True, slots=True)
class _Data:
    """The compared words of all clues: one row per word, the rows of a clue together.

    ``scores`` are those of the linear model, with the logarithms of how many words each row stands
    for; ``starts`` and ``answers`` are the first row and the row of the right answer of each clue.
    """

    inputs: Inputs
    scores: Floats
    starts: NDArray[np.int64]
    answers: NDArray[np.int64]

    @classmethod
    def of(cls, groups: Sequence[ComparedWords], model: Model, network: Network) -> _Data:
        """Return what the network reads of these words."""
        inputs, scores = [], []
        for group in groups:
            linear = np.array([model.score(row) for row in group.rows])
            some = slice(1, group.others)
            rows = network.inputs(group.clue, group.rows[some], linear[some])
            places = np.full(len(group.rows), len(rows) - 1)
            places[some] = np.arange(len(rows) - 1)
            inputs.append(rows[places])
            scores.append(linear + group.offsets)
        starts = np.cumsum([0, *map(len, scores)])
        answers = starts[:-1] + np.array([group.answer for group in groups])
        return cls(np.concatenate(inputs), np.concatenate(scores), starts, answers)

    def part(self, clues: NDArray[np.int64]) -> _Data:
        """Return the rows of some clues."""
        spans = [np.arange(*self.starts[clue : clue + 2]) for clue in clues.tolist()]
        starts = np.cumsum([0, *map(len, spans)])
        rows = np.concatenate(spans)
        answers = starts[:-1] + self.answers[clues] - self.starts[clues]
        return _Data(self.inputs[rows], self.scores[rows], starts, answers)

    def shares(self, gains: NDArray[np.floating]) -> Floats:
        """Return the probability of every row among those of its clue."""
        scores, starts, sizes = self.scores + gains, self.starts[:-1], np.diff(self.starts)
        shifted = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        return np.asarray(shifted / np.repeat(np.add.reduceat(shifted, starts), sizes))


def fit_clues(
    settings: SourceSettings,
    sources: Sequence[str] | None,
    *,
    years: int = 1,
    clues: int = 2000,
    on_progress: Callable[[str], None] = lambda line: None,
) -> Fit:
    """Train the network on the newest years of the database in the settings.

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
    start = load_model((NAME,), shipped=True).network
    assert start is not None
    return fit_network(train, test, start, _EPOCHS)


def fit_network(
    train: Sequence[ComparedWords], test: Sequence[ComparedWords], start: Network, epochs: int
) -> Fit:
    """Train a network further, and measure what that gains."""
    model = load_model((NAME,), shipped=True)
    data = _Data.of(train, model, start)
    trained = Network.of_content(_trained(data, start, epochs).content())
    tested = _Data.of(test, model, start)
    before, first_before = _measured(tested, start)
    after, first_after = _measured(tested, trained)
    return Fit(trained, len(train), len(test), before, after, first_before, first_after)


def _measured(data: _Data, network: Network) -> tuple[float, float]:
    """Return the mean log-probability of the right answers, and how often they score best."""
    gains = network.gains(data.inputs)
    shares = data.shares(gains)
    best = np.maximum.reduceat(shares, data.starts[:-1])
    logs = np.log(np.maximum(shares[data.answers], 1e-30))
    return float(logs.mean()), float((shares[data.answers] >= best).mean())


def _trained(data: _Data, start: Network, epochs: int) -> Network:
    """Return the network after some epochs of training, in which the rate falls to zero."""
    chance = np.random.default_rng(1)
    scale = np.maximum(data.inputs.std(axis=0), _MIN_SCALE)
    weights = [start.hidden * scale[:, None], start.biases, start.output, start.direct * scale]
    weights = [array.copy() for array in weights]
    means, squares = ([np.zeros_like(array) for array in weights] for _ in range(2))
    clues, step = len(data.answers), 0
    batches = -(-clues // _BATCH_CLUES)
    for _ in range(epochs):
        for some in np.array_split(chance.permutation(clues), batches):
            kept = (chance.random(len(start.biases)) > _LEFT_OUT) / np.float32(1 - _LEFT_OUT)
            gradients = _gradients(data.part(some), scale, weights, kept.astype(np.float32))
            rate = _RATE * (1 - step / (epochs * batches))
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
    data: _Data, scale: Inputs, weights: Sequence[Inputs], kept: Inputs
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
        found = gather([clue for clue, _ in batch.values()], settings, sources, shipped=True)
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
    features = model.features(clue, listed)
    for word in others:
        left = len(listed) * len(others) / len(words)
        compared.append((word, features(word), log(left / len(others))))
    if answer not in {*names, *others} and listed.score(answer) is not None:
        compared.append((answer, features(answer), 0.0))
    at = next((row for row, (word, *_) in enumerate(compared) if word == answer), 0)
    offsets = [0.0 if word == answer else offset for word, _, offset in compared]
    return ComparedWords(clue, [dict(row) for _, row, _ in compared], offsets, at, proposed)
