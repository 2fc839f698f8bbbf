"""Combine the proposals of all sources for a clue into one list of candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from satcross.answer.clue import Candidate, Clue, Proposal
from satcross.answer.model import IntrinsicFeatures, Model, load_model, log_sum
from satcross.answer.word_table import word_table
from satcross.vocabulary import Vocabulary

_MIN_SCORE = -60.0


def combine(
    clue: Clue, found: Sequence[Proposal], vocabulary: Vocabulary, model: Model | None = None
) -> list[Candidate]:
    """Return the candidates of a clue, best first, from the proposals of all sources.

    The model scores each word by the features from all sources and by its intrinsic features. The
    probabilities sum to less than 1: the remainder belongs to the words of the vocabulary that no
    source proposes, and to unknown words.
    """
    model = model or load_model(one.source for one in found)
    group = vocabulary.group(clue.length)
    by_word: defaultdict[str, list[Proposal]] = defaultdict(list)
    for one in found:
        by_word[one.word].append(one)
    words = list(by_word)
    features = []
    intrinsic = IntrinsicFeatures(clue, group.score_of)
    for word in words:
        merged = intrinsic(word)
        for one in by_word[word]:
            merged.update(one.features)
        features.append(merged)
    scores = np.array([model.score(one) for one in features])
    rest = model.prior(clue, group)
    unknown = model.unknown(rest)
    index = word_table(group).index
    rest[[index[word] for word in words if word in index]] = -np.inf
    everything = np.concatenate([scores, rest, [unknown]])
    total = log_sum(everything)
    logs = np.clip(scores - total, _MIN_SCORE, 0.0).tolist()
    candidates = [
        Candidate(word, score, _best_first(by_word[word]), one)
        for word, score, one in zip(words, logs, features, strict=True)
    ]
    return sorted(candidates, key=lambda one: (-one.score, one.word))


def _best_first(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
    if len(proposals) < 2:
        return tuple(proposals)
    return tuple(sorted(proposals, key=lambda one: (-one.score, one.source)))
