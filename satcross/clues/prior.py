"""The vocabulary as a source: every word of the right length, likelier the better its score."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log

from satcross.clues.base import Clue, Scored, Settings
from satcross.vocabulary import Vocabulary, WordGroup

NAME = "vocabulary"

_SCORE_PER_E = 15.0
"""So many points of score make a word e times as likely."""


class VocabularySource:
    """A prior, whatever the clue says, so that every slot has candidates."""

    name = NAME

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: dict[int, tuple[Scored, ...]] = {}

    def candidates(self, clue: Clue, length: int) -> Iterable[Scored]:
        if length not in self._known:
            self._known[length] = tuple(_prior(self._vocabulary.group(length)))
        return self._known[length]


def open_source(settings: Settings) -> VocabularySource:
    return VocabularySource(settings.vocabulary)


def _prior(group: WordGroup) -> Iterable[Scored]:
    if not group.words:
        return
    highest = max(group.scores)
    weight = {score: exp((score - highest) / _SCORE_PER_E) for score in set(group.scores)}
    total = log(sum(weight[score] for score in group.scores))
    logs = {score: log(value) - total for score, value in weight.items()}
    for word, score in zip(group.words, group.scores, strict=True):
        yield Scored(word, logs[score], NAME)
