"""Fit the weights of ``satcross/resources/clue-model.json``.

Run: python tests/benchmarks/fit_clues.py [--write] [--sources a,b]
It needs scipy, the sources set up, and takes some minutes. A conditional logit model with a
Gaussian prior on the weights is fitted on the pairs of clue_data that are not held out; the prior's
strength is chosen by cross-validation in folds by answer.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import sys
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
import scipy.optimize
import scipy.sparse
from clue_data import FITTED, Pair, default_vocabulary, incoming, merged, opened, read_pairs
from numpy.typing import NDArray

from satcross.clues import model
from satcross.clues.clue import Source
from satcross.vocabulary import Vocabulary

_SAMPLED = 800  # of the vocabulary's words that no source proposes, for each clue
_FOLDS = 4
_STRENGTHS = (0.03, 0.1, 0.3)
_SHORT_WORDS_PULL = 6.0
_MODEL = Path(model.__file__).parent.parent / "resources" / "clue-model.json"
UNKNOWN = "unknown"
"""Weight of an answer that neither a source nor the vocabulary has."""


@dataclass(slots=True)
class Data:
    """Rows of all clues: features, logarithms of the number of words per row, and clues."""

    names: list[str]
    rows: scipy.sparse.csr_matrix
    offsets: NDArray[np.float64]
    starts: NDArray[np.int64]
    answers: NDArray[np.int64]
    folds: NDArray[np.int64]


def rows_of(
    pair: Pair, sources: Sequence[Source], vocabulary: Vocabulary, chance: random.Random
) -> tuple[list[dict[str, float]], list[float], int]:
    """Return the features of a clue's words, offsets, and the position of the answer."""
    group = vocabulary.group(pair.clue.length)
    found = {
        word: {**features, **model.intrinsic_features(pair.clue, word, group.score_of)}
        for word, features in merged(list(incoming(sources, pair))).items()
    }
    rest = [word for word in group.words if word not in found]
    sample = chance.sample(rest, min(_SAMPLED, len(rest)))
    offset = log(max(1, len(rest)) / max(1, len(sample)))
    rows, offsets = [{UNKNOWN: 1.0}], [0.0]
    answer = 0
    for word, features in found.items():
        if word == pair.answer:
            answer = len(rows)
        rows.append(features)
        offsets.append(0.0)
    if not answer and pair.answer in group.score_of:
        answer = len(rows)
        rows.append(model.intrinsic_features(pair.clue, pair.answer, group.score_of))
        offsets.append(0.0)
    for word in sample:
        if word != pair.answer:
            rows.append(model.intrinsic_features(pair.clue, word, group.score_of))
            offsets.append(offset)
    return rows, offsets, answer


def collect(pairs: Sequence[Pair], sources: Sequence[Source], vocabulary: Vocabulary) -> Data:
    """Return the proposals of the sources for all pairs."""
    chance = random.Random(1)
    index: dict[str, int] = {}
    data, columns, pointers = [], [], [0]
    offsets: list[float] = []
    starts, answers, folds = [], [], []
    for number, pair in enumerate(pairs):
        rows, some, answer = rows_of(pair, sources, vocabulary, chance)
        starts.append(len(offsets))
        answers.append(len(offsets) + answer)
        folds.append(zlib.crc32(pair.answer.encode()) // 7 % _FOLDS)
        offsets += some
        for row in rows:
            for name, value in row.items():
                columns.append(index.setdefault(name, len(index)))
                data.append(value)
            pointers.append(len(columns))
        if number % 100 == 0:
            print(f"{number} of {len(pairs)}", file=sys.stderr)
    shape = (len(offsets), len(index))
    matrix = scipy.sparse.csr_matrix((data, columns, pointers), shape=shape)
    return Data(
        list(index), matrix, np.array(offsets), np.array(starts), np.array(answers), np.array(folds)
    )


def losses(
    data: Data, weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the loss of every clue (nats), and each row's probability within its clue."""
    scores = data.rows @ weights + data.offsets
    sizes = np.diff(np.append(data.starts, len(scores)))
    highest = np.repeat(np.maximum.reduceat(scores, data.starts), sizes)
    weighed = np.exp(scores - highest)
    evaluation_totals = np.repeat(np.add.reduceat(weighed, data.starts), sizes)
    probability = weighed / evaluation_totals
    return -np.log(np.maximum(probability[data.answers], 1e-300)), probability


def ranks_of(data: Data, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the estimated number of words ranked above each answer; infinity if unknown."""
    scores = data.rows @ weights
    sizes = np.diff(np.append(data.starts, len(scores)))
    answer = np.repeat(scores[data.answers], sizes)
    above = ((scores > answer) + 0.5 * (scores == answer)) * np.exp(data.offsets)
    above[data.starts] = 0
    ranks = np.add.reduceat(above, data.starts) - 0.5
    return np.where(data.answers == data.starts, np.inf, ranks)


def fit(data: Data, strength: float, leave: int | None) -> NDArray[np.float64]:
    """Return the weights of least loss on all folds but one (None: on all folds)."""
    sizes = np.diff(np.append(data.starts, data.rows.shape[0]))
    used = np.ones(len(data.starts)) if leave is None else (data.folds != leave).astype(float)
    of_row = np.repeat(used, sizes)
    free = np.array([name == UNKNOWN or name.startswith("prior") for name in data.names])
    pull = np.where(free, 0.01, strength)
    # The short words and the clues have the same authors, so the list fits these clues too well.
    pull[[name.startswith("short-words") for name in data.names]] = _SHORT_WORDS_PULL
    target = data.rows.T @ (np.bincount(data.answers, weights=used, minlength=data.rows.shape[0]))

    def value(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        loss, probability = losses(data, weights)
        gradient = data.rows.T @ (probability * of_row) - target + 2 * pull * weights
        return float((loss * used).sum() + (pull * weights**2).sum()), gradient

    start = np.zeros(len(data.names))
    return np.asarray(
        scipy.optimize.minimize(
            value, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}
        ).x
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strength", type=float, help="of the prior, instead of trying some")
    parser.add_argument("--write", action="store_true", help=f"write {_MODEL}")
    parser.add_argument("--sources", help="comma-separated; all that need no network else")
    parser.add_argument(
        "--keep", type=Path, help="keep what sources say in this file, for another run"
    )
    parser.add_argument("--most", type=int, help="maximum number of pairs")
    given = parser.parse_args()
    names = given.sources.split(",") if given.sources else list(FITTED)
    vocabulary = default_vocabulary()
    pairs = [pair for pair in read_pairs() if not pair.held_out][: given.most]
    began = time.perf_counter()
    if given.keep and given.keep.exists():
        data = pickle.loads(given.keep.read_bytes())
    else:
        data = collect(pairs, opened(names, vocabulary), vocabulary)
        if given.keep:
            given.keep.write_bytes(pickle.dumps(data))
    print(f"{data.rows.shape} rows and features in {time.perf_counter() - began:.0f} s")
    best = (float("inf"), 0.0)
    for strength in [given.strength] if given.strength else _STRENGTHS:
        total = 0.0
        ranks: list[float] = []
        for fold in range(_FOLDS):
            weights = fit(data, strength, fold)
            total += losses(data, weights)[0][data.folds == fold].sum()
            ranks += ranks_of(data, weights)[data.folds == fold].tolist()
        print(
            f"strength {strength}: loss {total / len(pairs):.3f} nats a clue, cross-validated;",
            end="",
        )
        shares = [sum(rank < top for rank in ranks) / len(ranks) for top in (1, 10, 100)]
        print(" among the first 1, 10, 100:", " ".join(f"{share:.1%}" for share in shares))
        best = min(best, (total, strength))
    weights = fit(data, best[1], None)
    order = np.argsort(-np.abs(weights))
    kept = {data.names[at]: round(float(weights[at]), 4) for at in order if abs(weights[at]) > 1e-3}
    for name, weight in kept.items():
        print(f"{weight:8.3f} {name}")
    if given.write:
        content = json.loads(_MODEL.read_text("utf-8"))
        content["with meaning" if "meaning" in names else "without meaning"] = {
            "fitted on": f"{len(pairs)} pairs of tests/benchmarks/clues.tsv",
            "sources": names,
            "strength": best[1],
            "loss": round(best[0] / len(pairs), 4),
            "weights": dict(sorted(kept.items())),
        }
        _MODEL.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
