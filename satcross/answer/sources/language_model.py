"""A small language model as a source: the words that it would write as the answer to a clue.

The model writes words of the vocabulary, of one token or of two. What it prefers for any clue is
discounted: a word counts by how much likelier the clue makes its first token.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.dictionaries.gemma import Array, Keys, Past, one_thread
from satcross.answer.dictionaries.language_model_index import NAME, Prepared, ask, read
from satcross.answer.dictionaries.token_pairs import BLANK
from satcross.answer.language.parse_clue import parse_clue
from satcross.answer.model import load_model
from satcross.answer.sources.proposals import Proposals
from satcross.vocabulary import Vocabulary

_AT_ONCE = 40
"""Clues that the model reads at the same time; each matrix is made once for them."""
_STARTS = 6
"""First tokens of each clue that are continued; with 12, or a third token, 0.25% more of 400 right
words were among the first 100, for a fifth more time."""
_DISCOUNT = 0.7
"""Share of a first token's general log-probability that is subtracted; of 0, 0.3, 0.5, 0.7 and 0.9
this is best: of 600 right words it had 8.3% first and 21% among ten, without it 5.3% and 15%."""
_FREQUENT = 12_000
"""The first tokens of the model's list, by which probabilities of second tokens are normalised."""
_MAX_WORDS = 150
_PER_GAIN = 10.0
_LETTERS = re.compile(rf"{BLANK}?[A-Za-z.'&-]+")
_OTHER = re.compile("[^A-Z]")
_AFTER_LETTERS = "["
"""Sorts after all words that begin with the letters before it."""
_NOTE = "what a language model would say"


@dataclass(frozen=True, slots=True)
class _Lengths:
    """The words of one length, sorted, and the tokens that begin one.

    ``letters`` are those of each token; ``whole`` says whether they are a word.
    """

    words: list[str]
    tokens: NDArray[np.int64]
    letters: list[str]
    whole: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Start:
    """The beginning of a word: its token, letters and score."""

    token: int
    letters: str
    score: float


class LanguageModelSource:
    """Proposes the words that a language model would answer a clue by."""

    name = NAME

    def __init__(self, prepared: Prepared, vocabulary: Vocabulary) -> None:
        self._prepared = prepared
        self._vocabulary = vocabulary
        self._begins: defaultdict[str, list[int]] = defaultdict(list)
        self._tokens: defaultdict[str, list[int]] = defaultdict(list)
        """Letters -> all tokens with these letters; ``_begins`` has those that begin a word."""
        for number, text in enumerate(prepared.texts):
            if _LETTERS.fullmatch(text) and (letters := _OTHER.sub("", text.upper())):
                self._tokens[letters].append(number)
                if text.startswith(BLANK):
                    self._begins[letters].append(number)
        self._lengths: dict[int, _Lengths] = {}
        self._announced: list[Clue] = []
        self._found: dict[tuple[str, int], list[tuple[str, float]]] = {}

    def announce(self, clues: Sequence[Clue]) -> None:
        """Learn which clues ``candidates`` will be asked about, to read many at once."""
        self._announced = sorted(filter(_is_worth, clues), key=lambda clue: len(clue.text))

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        if not _is_worth(clue):
            return []
        if (clue.text, clue.length) not in self._found:
            waiting = {(one.text, one.length): one for one in (clue, *self._announced)}
            some = [one for key, one in waiting.items() if key not in self._found][:_AT_ONCE]
            with one_thread():
                best = self._words(some)
            keys = [(one.text, one.length) for one in some]
            self._found.update(zip(keys, best, strict=True))
        words = self._found[clue.text, clue.length]
        found = Proposals(NAME, clue, parse_clue(clue), self._vocabulary)
        for place, (word, score) in enumerate(words[:_MAX_WORDS]):
            gain = (score - words[-1][1]) / _PER_GAIN
            found.add(word, f"{NAME}.gain", gain, _NOTE, inflect=False)
            found.add(word, f"{NAME}.rank", 1 / (1 + place / 10), _NOTE, inflect=False)
            found.add(word, f"{NAME}.proposed", 1.0, _NOTE, inflect=False)
        return found.scored(load_model((NAME,)))

    def _words(self, clues: Sequence[Clue]) -> list[list[tuple[str, float]]]:
        """Return the best words of each clue with their scores, and one more word."""
        asked = [self._prepared.tokens(clue.text) for clue in clues]
        states, keys = ask(self._prepared, asked)
        found: list[dict[str, float]] = [{} for _ in clues]
        starts: list[list[_Start]] = [[] for _ in clues]
        for length in {clue.length for clue in clues}:
            places = [at for at, clue in enumerate(clues) if clue.length == length]
            rows = self._first_tokens(length, states[places])
            for at, (words, some) in zip(places, rows, strict=True):
                found[at], starts[at] = words, some
        after = self._after(starts, keys, np.array([len(tokens) for tokens in asked]))
        everything = self._prepared.model.tokens
        frequent = everything.rows(np.arange(min(_FREQUENT, len(everything.numbers))))
        for clue, words, some, reached in zip(clues, found, starts, after, strict=True):
            totals = _log_sums(reached[: len(some)] @ frequent.T)
            self._complete(clue.length, some, reached[: len(some)], totals, words)
        return [
            sorted(words.items(), key=lambda one: (-one[1], one[0]))[: _MAX_WORDS + 1]
            for words in found
        ]

    def _first_tokens(
        self, length: int, states: Array
    ) -> list[tuple[dict[str, float], list[_Start]]]:
        """Return, for each state, the words of one token, and the best beginnings of others."""
        known = self._of_length(length)
        if not len(known.tokens):
            return [({}, []) for _ in states]
        scores = states @ self._prepared.model.tokens.rows(known.tokens).T
        scores -= np.float32(_DISCOUNT) * self._prepared.prior[known.tokens]
        found = []
        for row in scores:
            words: dict[str, float] = {}
            for at in _best(np.where(known.whole, row, -np.inf), 2 * _MAX_WORDS):
                words.setdefault(known.letters[at], float(row[at]))
            parts = _best(np.where(known.whole, -np.inf, row), _STARTS)
            starts = [
                _Start(int(known.tokens[at]), known.letters[at], float(row[at])) for at in parts
            ]
            found.append((words, starts))
        return found

    def _after(
        self, starts: Sequence[Sequence[_Start]], keys: Keys, lengths: NDArray[np.int64]
    ) -> Array:
        """Return the states after the beginnings, of shape (clues, beginnings, components)."""
        tokens = np.zeros((len(starts), _STARTS), dtype=np.int64)
        for row, some in zip(tokens, starts, strict=True):
            row[: len(some)] = [one.token for one in some]
        own = np.arange(keys[0][0].shape[1]) < lengths[:, None]
        visible = np.repeat(own[:, None], _STARTS, axis=1)
        first = len(self._prepared.start[0][0])
        positions = np.repeat(first + lengths[:, None], _STARTS, axis=1)
        past = Past(self._prepared.start, keys, visible)
        alone = np.eye(_STARTS, dtype=bool)
        states, _ = self._prepared.model.states(tokens, positions, alone, past)
        return states

    def _complete(
        self,
        length: int,
        starts: Sequence[_Start],
        states: Array,
        totals: Array,
        words: dict[str, float],
    ) -> None:
        """Add the words that a second token completes."""
        listed = self._of_length(length).words
        endings = []
        for start in starts:
            first = bisect_left(listed, start.letters)
            last = bisect_left(listed, start.letters + _AFTER_LETTERS)
            endings.append(
                [
                    (token, word)
                    for word in listed[first:last]
                    for token in self._tokens.get(word[len(start.letters) :], ())
                ]
            )
        for start, state, total, some in zip(starts, states, totals, endings, strict=True):
            tokens = np.array([token for token, _ in some], dtype=np.int64)
            scores = self._prepared.model.tokens.rows(tokens) @ state - total
            for (_, word), score in zip(some, np.minimum(scores, 0).tolist(), strict=True):
                words[word] = max(start.score + score, words.get(word, -np.inf))

    def _of_length(self, length: int) -> _Lengths:
        if length not in self._lengths:
            words = sorted(self._vocabulary.group(length).score_of)
            parts = {word[:end] for word in words for end in range(1, length + 1)}
            found = [(token, part) for part in parts for token in self._begins.get(part, ())]
            found.sort()
            letters = [part for _, part in found]
            self._lengths[length] = _Lengths(
                words,
                np.array([token for token, _ in found], dtype=np.int64),
                letters,
                np.array([len(part) == length for part in letters], dtype=bool),
            )
        return self._lengths[length]


def _is_worth(clue: Clue) -> bool:
    return bool(parse_clue(clue).words)


def _best(scores: Array, number: int) -> list[int]:
    """Return the places of the highest finite scores, best first."""
    if number < len(scores):
        places = np.argpartition(-scores, number)[:number]
    else:
        places = np.arange(len(scores))
    places = places[np.isfinite(scores[places])]
    return [int(at) for at in places[np.argsort(-scores[places], kind="stable")]]


def _log_sums(logits: Array) -> Array:
    """Return the logarithm of the sum of exponentials of each row."""
    most = logits.max(1, initial=0)
    return np.asarray(most + np.log(np.exp(logits - most[:, None]).sum(1)), dtype=np.float32)


def open_source(settings: SourceSettings) -> LanguageModelSource:
    connection = store.open_prepared(NAME, "the language model")
    return LanguageModelSource(read(connection), settings.vocabulary)
