"""The vocabulary as a source and as a prior: words with better scores are more likely.

The fitted model (``satcross.answer.model``) decides how much a better score, and agreement with the
clue in number or tense, raise the probability. As a source, the vocabulary proposes its most likely
words, so that every clue has candidates.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.model import load_model
from satcross.vocabulary import Vocabulary, WordGroup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "vocabulary"

_MAX_PROPOSED = 200


def log_prior(clue: Clue, group: WordGroup) -> NDArray[np.float64]:
    """Return the log-probability of every word of the group, in order, to be the answer.

    The probabilities of all words of the group sum to 1, whatever the sources propose.
    """
    import numpy as np

    scores = load_model().prior(clue, group)
    if not len(scores):
        return scores
    scores = scores - scores.max()
    return np.asarray(scores - np.log(np.exp(scores).sum()), dtype=np.float64)


class VocabularySource:
    """Proposes the most likely words of the right length by the model's prior."""

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
