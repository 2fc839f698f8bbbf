"""Collect the proposals of one source for one clue: words of the right length with features."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from satcross.answer.clue import Clue, Proposal
from satcross.answer.language.parse_clue import ParsedClue, base_forms, parse_clue
from satcross.answer.language.tokens import letters
from satcross.answer.model import Model, load_model
from satcross.solving.inflections import FORMS, inflected
from satcross.vocabulary import Vocabulary

_MAX_ADDED = 5  # letters that an inflected form may have more than its base


_PARTS = re.compile(r"[ '-]")


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a clue to look up in a dictionary, in its printed form or a base form.

    ``role`` is ``whole`` (the entire clue), ``head`` or ``word``.
    """

    text: str
    role: str


def terms(parsed: ParsedClue) -> Iterator[Term]:
    """Yield the parts of a clue to look up with their base forms, most specific first."""
    found: dict[str, str] = {}
    whole = parsed.phrase
    for text in _bases_of_phrase(whole):
        found.setdefault(text, "whole")
    if len(parsed.content) == 1:
        for text in base_forms(parsed.content[0]):
            found.setdefault(text, "whole")
    words = parsed.words
    for first in range(len(words)):
        for last in range(first + 2, min(first + 4, len(words)) + 1):
            for text in _bases_of_phrase(" ".join(words[first:last])):
                found.setdefault(text, "word")
    for text in base_forms(parsed.head):
        found.setdefault(text, "head")
    for word in parsed.content[:8]:
        for text in base_forms(word):
            found.setdefault(text, "word")
    return (Term(text, role) for text, role in found.items() if text)


def _bases_of_phrase(phrase: str) -> Iterable[str]:
    """Yield a phrase, then the phrase with its first or last word in a base form."""
    yield phrase
    first, _, rest = phrase.partition(" ")
    if rest:
        for base in base_forms(first)[1:]:
            yield f"{base} {rest}"
        start, _, last = phrase.rpartition(" ")
        for base in base_forms(last)[1:]:
            yield f"{start} {base}"
    else:
        yield from base_forms(phrase)[1:]


class Proposals:
    """Collects features by word, and inflects words so that they agree with the clue."""

    def __init__(
        self, source: str, clue: Clue, vocabulary: Vocabulary, *, inflect: bool = True
    ) -> None:
        self._source = source
        self._clue = clue
        self.parsed = parse_clue(clue)
        self.forms = [form for form in FORMS if inflect and form in self.parsed.cues]
        """The forms in which a text is proposed, too."""
        self._sizes = [int(size) for size in re.findall(r"\d+", clue.enumeration)]
        self._group = vocabulary.group(clue.length)
        self._features: dict[str, dict[str, float]] = {}
        self._notes: dict[str, tuple[float, str]] = {}
        longest = clue.length + 2 if self.forms else clue.length
        shortest = max(1, clue.length - _MAX_ADDED) if self.forms else clue.length
        self.lengths = shortest, longest
        """The fewest and the most letters that a text must have to be worth proposing."""
        self._spelled: dict[str, Sequence[str]] = {}

    def add(self, text: str, feature: str, value: float, note: str) -> None:
        """Propose a word or phrase and the inflected forms that the clue calls for.

        For each word a feature keeps its highest value, and the note of the highest value of all
        features is kept. A value of 0 or less proposes nothing.
        """
        self.add_features(text, {feature: value}, note)

    def add_all(self, texts: Iterable[str], feature: str, value: float, note: str) -> None:
        """Propose several texts that share feature, value and note, as ``add`` does one."""
        for text in texts:
            self.add_features(text, {feature: value}, note)

    def add_features(self, text: str, features: Mapping[str, float], note: str) -> None:
        """Propose a text by several features, as ``add`` does by one."""
        words = self.spellings(text)
        given = [(feature, value) for feature, value in features.items() if value > 0]
        if words and given and self._sizes and self._has_sizes(text):
            self._put(letters(text), "enumeration", 1.0, note)
        for word in words:
            for feature, value in given:
                self._put(word, feature, value, note)

    def spellings(self, text: str) -> Sequence[str]:
        """Return the text as a grid has it, and its inflected forms, if they have the length."""
        words = self._spelled.get(text)
        if words is None:
            words = self._spelled[text] = self._spell(text)
        return words

    def _spell(self, text: str) -> Sequence[str]:
        length, (first, last) = self._clue.length, self.lengths
        if text.isascii() and text.isalpha() and not first <= len(text) <= last:
            return ()
        own = letters(text)
        words = [own] if len(own) == length else []
        for form in self.forms if first <= len(own) <= last else ():
            for number, other in enumerate(inflected(text.lower(), form)):
                word = letters(other)
                if len(word) == length and (number == 0 or word in self._group.score_of):
                    words.append(word)
        return words

    def _has_sizes(self, text: str) -> bool:
        return [len(letters(part)) for part in _PARTS.split(text)] == self._sizes

    def _put(self, word: str, feature: str, value: float, note: str) -> None:
        features = self._features.setdefault(word, {})
        if value > features.get(feature, 0.0):
            features[feature] = value
        if word not in self._notes or value > self._notes[word][0]:
            self._notes[word] = (value, note)

    def scored(self, model: Model | None = None) -> list[Proposal]:
        """Return the proposals, scored by the model with the features of this source alone."""
        model = model or load_model()
        scores = np.array([model.score(features) for features in self._features.values()])
        logs = model.source_log_probabilities(self._clue, list(self._features), scores, self._group)
        return [
            Proposal(word, log, self._source, features, self._notes[word][1])
            for log, (word, features) in zip(logs, self._features.items(), strict=True)
        ]
