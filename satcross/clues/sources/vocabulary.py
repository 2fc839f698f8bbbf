"""The vocabulary as a prior: every word of the right length, likelier the better its score.

How much likelier, and what agreement with the clue in number or tense is worth, was fitted
(``model``).

``log_prior`` is for the words that no source proposes: reconciling gives them their share of what
the candidates leave. As a source, the vocabulary proposes its likeliest words, so that every clue
has candidates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from satcross.clues.clue import Clue, Proposal, SourceSettings
from satcross.clues.model import load_model
from satcross.vocabulary import Vocabulary, WordGroup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "vocabulary"

_MAX_PROPOSED = 200


def log_prior(clue: Clue, group: WordGroup) -> NDArray[np.float64]:
    """The log-probability of every word of the group, in its order, to be the clue's answer.

    The probabilities sum to 1. Words that some source has proposed are among them.
    """
    import numpy as np

    scores = load_model().prior(clue, group)
    if not len(scores):
        return scores
    scores = scores - scores.max()
    return np.asarray(scores - np.log(np.exp(scores).sum()), dtype=np.float64)


class VocabularySource:
    """The likeliest words of a length, whatever the clue says."""

    name = NAME

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        group = self._vocabulary.group(length)
        scores = log_prior(clue, group)
        order = (-scores).argsort(kind="stable")[:_MAX_PROPOSED]
        return [Proposal(group.words[at], float(scores[at]), NAME) for at in order]


def open_source(settings: SourceSettings) -> VocabularySource:
    return VocabularySource(settings.vocabulary)
