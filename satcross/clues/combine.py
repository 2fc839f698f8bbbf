"""One list of candidates from what all sources say about a clue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from satcross.clues.clue import Candidate, Clue, Scored
from satcross.clues.model import Model, own_features, shipped
from satcross.vocabulary import Vocabulary

_MEANING = "meaning"
_LEAST = -60.0


def combine(
    clue: Clue, found: Sequence[Scored], vocabulary: Vocabulary, model: Model | None = None
) -> list[Candidate]:
    """The candidates of a clue, best first, from all that the sources have found for it.

    The model adds up the features that sources gave a word, and those it has by itself. What its
    probabilities leave is for words of the vocabulary that nobody proposed and for unknown ones.
    """
    model = model or shipped(any(one.source == _MEANING for one in found))
    group = vocabulary.group(clue.length)
    by_word: defaultdict[str, list[Scored]] = defaultdict(list)
    for one in found:
        by_word[one.word].append(one)
    words = list(by_word)
    features = []
    for word in words:
        merged = own_features(clue, word, group.score_of)
        for one in by_word[word]:
            merged.update(one.features)
        features.append(merged)
    scores = np.array([model.score(one) for one in features])
    unproposed = np.array([word not in by_word for word in group.words], dtype=bool)
    rest = model.prior(clue, group)[unproposed]
    everything = np.concatenate([scores, rest, [model.weights.get("unknown", 0.0)]])
    highest = everything.max()
    total = highest + np.log(np.exp(everything - highest).sum())
    logs = np.clip(scores - total, _LEAST, 0.0).tolist()
    candidates = [
        Candidate(word, score, _ordered(by_word[word]), one)
        for word, score, one in zip(words, logs, features, strict=True)
    ]
    return sorted(candidates, key=lambda one: (-one.score, one.word))


def _ordered(said: Sequence[Scored]) -> tuple[Scored, ...]:
    return tuple(sorted(said, key=lambda one: (-one.score, one.source)))
