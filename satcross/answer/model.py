"""Model that turns features into probabilities: a softmax over all words of a length.

The score of a word is the sum of weights times features: the features that sources gave it, and
those of the clue and the word alone (``WordScores``: whether they agree in number and
tense, how common the word is, whether it repeats a word of the clue), and how likely the bi-encoder
of old clues finds the word (``LEARNT``). The probability of a word is
exp(score) divided by the sum over all words of the vocabulary and all proposals of that length: a
conditional logit model (McFadden, "Conditional logit analysis of qualitative choice behavior",
1974). The weights (``resources/clue-model.json``) were fitted on newspaper clues, as
``tests/benchmarks/fit_clues.py`` fits them anew, except those of sources that need the network,
which are assumed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from math import exp, log
from typing import Any, TypeAlias

import numpy as np

from satcross.answer.clue import LEARNT, Candidate, Clue, Proposal
from satcross.answer.language.parse_clue import STOPWORDS, ParsedClue, base_forms, parse_clue
from satcross.answer.network import Network
from satcross.answer.word_table import Floats, WordTable, word_table
from satcross.formats.resources import read_resource
from satcross.solving.inflections import FORMS, apparent_forms
from satcross.vocabulary import Vocabulary, WordGroup

_UNLISTED = 0.3
"""Score, on a scale of 0 to 1, of a word that the vocabulary lacks."""
_LONGEST_SHORTENED = 14
"""Letters of a clue's word of which abbreviations are considered: all selections are listed."""
_MIN_SCORE = -60.0
_ALONE_LEFT = 0.5
"""Probability that a single source leaves for the words that it does not propose."""
_MAX_KINDS = 256
"""Clues and lengths whose scores of kinds of words are kept."""
_CERTAIN = 1e-9
"""Distance from 0 and 1 beyond which posteriors count as equal."""


Learnt: TypeAlias = Callable[[Clue, WordGroup], Floats]
"""Returns the feature ``LEARNT`` of a group's words, in order, and last that of any other word."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Weights by feature name; a feature without a weight has weight 0.

    The ``network``, if there is one, corrects the scores of the candidates of a clue; ``learnt``
    is None without a database of old clues.
    """

    weights: Mapping[str, float]
    network: Network | None = None
    learnt: Learnt | None = None
    _by_kind: dict[tuple[frozenset[str], WordTable], Floats] = field(default_factory=dict)

    def score(self, features: Mapping[str, float]) -> float:
        """Return the sum of weights times features."""
        weight = self.weights.get
        total = 0.0
        for name, value in features.items():
            total += weight(name, 0.0) * value
        return total

    def scores_by_kind(self, cues: frozenset[str], table: WordTable) -> Floats:
        """Return the scores of the words of each kind in a table, for a clue with these cues."""
        if (cues, table) not in self._by_kind:
            if len(self._by_kind) >= _MAX_KINDS:
                self._by_kind.clear()
            by_score = {score: self.score(_prior_features(cues, score)) for score, _ in table.kinds}
            by_forms = {forms: self.score(_form_features(cues, forms)) for _, forms in table.kinds}
            self._by_kind[cues, table] = np.array(
                [by_score[score] + by_forms[forms] for score, forms in table.kinds]
            )
        return self._by_kind[cues, table]

    def source_log_probabilities(
        self, clue: Clue, words: Sequence[str], scores: Floats, group: WordGroup
    ) -> list[float]:
        """Return the log-probabilities of words that a single source proposes.

        ``scores`` are those of the features that the source gave them.
        """
        if not words:
            return []
        sums = scores + WordScores(self, clue, group).of(words)
        logs: list[float] = (sums - log_sum(sums) + log(1 - _ALONE_LEFT)).tolist()
        return logs


def combine(
    clue: Clue, found: Sequence[Proposal], vocabulary: Vocabulary, model: Model | None = None
) -> list[Candidate]:
    """Return the candidates of a clue, best first, from the proposals of all sources.

    The model scores each word by the features that sources gave it, and by those that every word
    has without any source (``WordScores``). The probabilities sum to less than 1: the remainder
    belongs to the words of the vocabulary that no source proposes, and to unknown words.
    """
    model = model or load_model(proposal.source for proposal in found)
    group = vocabulary.group(clue.length)
    proposals: defaultdict[str, list[Proposal]] = defaultdict(list)
    for proposal in sorted(found, key=lambda proposal: (-proposal.score, proposal.source)):
        proposals[proposal.word].append(proposal)
    given: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for proposal in found:
        given[proposal.word].update(proposal.features)
    own = WordScores(model, clue, group)
    features = {word: {**own.features(word), **given[word]} for word in proposals}
    scores = np.array([model.score(given[word]) for word in proposals]) + own.of(proposals)
    rest, unknown = own.prior, own.unknown
    if model.network is not None:
        gains = model.network.gains(model.network.inputs(clue, list(features.values()), scores))
        scores, rest, unknown = scores + gains[:-1], rest + gains[-1], unknown + float(gains[-1])
    index = word_table(group).index
    rest[[index[word] for word in proposals if word in index]] = -np.inf
    total = log_sum(np.concatenate([scores, rest, [unknown]]))
    logs = np.clip(scores - total, _MIN_SCORE, 0.0).tolist()
    candidates = [
        Candidate(word, score, tuple(some), features[word])
        for (word, some), score in zip(proposals.items(), logs, strict=True)
    ]
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.word))


def log_sum(logs: Floats) -> float:
    """Return the logarithm of the sum of numbers whose logarithms are given."""
    highest = float(logs.max())
    return highest if highest == -np.inf else highest + log(float(np.exp(logs - highest).sum()))


STRONG = ("clues-db", "language-model", "meaning")
"""Sources with other weights or another calibration; the first of them that runs decides."""


@cache
def model_content() -> dict[str, Any]:
    """Return the content of the shipped file of weights, which nobody may change."""
    found: dict[str, Any] = json.loads(read_resource("clue-model.json"))
    return found


def load_model(sources: Iterable[str] = ()) -> Model:
    """Return the fitted model for a set of sources.

    With a source of ``STRONG`` the others have lower weights, since their evidence overlaps. With
    the first of these a network corrects the scores.
    """
    names = set(sources)
    return _load_model(next((name for name in STRONG if name in names), ""))


@cache
def _load_model(strong: str) -> Model:
    content = model_content()
    weights = content.get(f"with {strong}", content["with neither"])["weights"]
    network = shipped_network() if strong == STRONG[0] else None
    return Model({**content["assumed"], **weights}, network)


def shipped_network() -> Network:
    """Return the network of ``resources/clue-network.json``."""
    return Network.of_content(json.loads(read_resource("clue-network.json")))


@dataclass(frozen=True, slots=True)
class Curve:
    """Log-odds of being right: ``offset + low * log(posterior) - high * log(1 - posterior)``.

    Crossings that are wrong together support each other, so the posteriors of belief propagation
    are overconfident. A curve with three numbers corrects them (Kull, Silva Filho and Flach, "Beta
    calibration", 2017); with ``low`` and ``high`` alike it is a straight line between log-odds. The
    curves were fitted on newspaper puzzles, that with a database on those of the tables in
    docs/answering.md, by ``tests/benchmarks/newspaper.py --calibrate``.
    """

    offset: float = 0.0
    low: float = 1.0
    high: float = 1.0

    def __call__(self, posterior: float) -> float:
        """Return the frequency, from 0 to 1, that belongs to a posterior probability."""
        bounded = min(1 - _CERTAIN, max(_CERTAIN, posterior))
        return 1 / (1 + exp(-self.offset - self.low * log(bounded) + self.high * log(1 - bounded)))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curves for letters and for words."""

    letters: Curve = Curve()
    words: Curve = Curve()


def load_calibration(sources: Iterable[str]) -> Calibration:
    """Return the calibration for a set of sources.

    That with a clue database, else that with the language model, else that with neither.
    """
    fitted, names = model_content()["calibration"], set(sources)
    strong = next((name for name in STRONG if name in names and name in fitted), "no clues-db")
    curves = fitted[strong]
    return Calibration(Curve(*curves["letters"]), Curve(*curves["words"]))


_RARE_CUES = ("abbreviation", "name", "blank", "quoted")


_Key = tuple[int | None, frozenset[str]]
"""What most features of a word depend on: its score in the list and its apparent forms."""


class WordScores:
    """Scores the words for one clue, of one length, by the features that need no source.

    ``prior`` has the scores of the words of the list, in order. ``unknown`` is that of all words
    together that the list lacks: they are at most as likely as the list's, since whoever names a
    short list trusts it.
    """

    def __init__(self, model: Model, clue: Clue, group: WordGroup) -> None:
        self._model = model
        self._table = word_table(group)
        self._parsed = parsed = parse_clue(clue)
        self._cues = parsed.cues & {*_RARE_CUES, *FORMS}
        self._related = special = _related_words(parsed)
        self._abbreviated = "abbreviation" in parsed.cues
        self._known: dict[_Key, dict[str, float]] = {}
        self._learnt = None if model.learnt is None else model.learnt(clue, group)
        if self._abbreviated:
            special |= _abbreviations(parsed, group.length)
        self.prior = model.scores_by_kind(self._cues, self._table)[self._table.kind_of]
        for word in special & self._table.index.keys():
            self.prior[self._table.index[word]] = model.score(self._intrinsic(word))
        if self._learnt is not None:
            self.prior += model.weights.get(LEARNT, 0.0) * self._learnt[:-1]
        self.unknown = model.weights.get("unknown", 0.0)
        if len(self.prior):
            self.unknown = min(self.unknown, log_sum(self.prior))

    def features(self, word: str) -> dict[str, float]:
        """Return the features of a word, listed or not."""
        found = self._intrinsic(word)
        if self._learnt is not None:
            found[LEARNT] = float(self._learnt[self._table.index.get(word, -1)])
        return found

    def of(self, words: Iterable[str]) -> Floats:
        """Return the scores of words, listed or not."""
        index, score = self._table.index, self._model.score
        return np.array(
            [
                self.prior[index[word]] if word in index else score(self.features(word))
                for word in words
            ]
        )

    def _intrinsic(self, word: str) -> dict[str, float]:
        at = self._table.index.get(word)
        if at is None:
            key: _Key = None, apparent_forms(word.lower())
        else:
            key = self._table.kinds[self._table.kind_of[at]]
        if key not in self._known:
            score, forms = key
            known = _form_features(self._cues, forms) | _prior_features(self._cues, score)
            self._known[key] = known
        found = self._known[key].copy()
        if word in self._related:
            found["echo"] = 1.0
        if self._abbreviated:
            if _is_initials(word, self._parsed):
                found["initials"] = 1.0
            if _is_shortened(word, self._parsed):
                found["shortened"] = 1.0
        return found


def _form_features(cues: frozenset[str], forms: frozenset[str]) -> dict[str, float]:
    """Return the features of words with these apparent forms, by the cues of the clue."""
    found = {f"agree.{form}.clue": 1.0 for form in FORMS if form in cues}
    for form in forms:
        is_wanted = found.pop(f"agree.{form}.clue", 0.0)
        found[f"agree.{form}.both" if is_wanted else f"agree.{form}.word"] = 1.0
    return found


def _prior_features(cues: frozenset[str], score: int | None) -> dict[str, float]:
    """Return the features of words with this score in the list, None if they are in no list."""
    value = _UNLISTED if score is None else max(0.0, min(1.0, score / 100))
    found = {"prior.score": value, "prior.square": value * value}
    if score is None:
        found["prior.unlisted"] = 1.0
    if value < 0.5:
        names = ("prior.rare", *(f"rare.{cue}" for cue in _RARE_CUES if cue in cues))
        found.update(dict.fromkeys(names, 1 - 2 * value))
    return found


@lru_cache(maxsize=256)
def _related_words(parsed: ParsedClue) -> frozenset[str]:
    """Return the words of the clue in all their forms, since a clue never contains its answer."""
    found = set()
    for word in parsed.words:
        if len(word) > 2:
            found.add(word.upper())
        if word not in STOPWORDS and len(word) > 2:
            for base in base_forms(word):
                found.add(base.upper())
                found |= {(base + ending).upper() for ending in ("s", "ed", "ing", "er", "ly", "y")}
    return frozenset(found)


def _initials(parsed: ParsedClue) -> tuple[str, str]:
    """Return the first letters of all words of the clue, and of those with a meaning."""
    return (
        "".join(text[0] for text in parsed.words).upper(),
        "".join(text[0] for text in parsed.words if text not in STOPWORDS).upper(),
    )


def _is_initials(word: str, parsed: ParsedClue) -> bool:
    return len(word) > 1 and any(word in letters for letters in _initials(parsed))


def _is_shortened(word: str, parsed: ParsedClue) -> bool:
    low = word.lower()
    for text in parsed.words:
        if text.startswith(low[0]) and len(low) < len(text) <= _LONGEST_SHORTENED:
            rest = iter(text)
            if all(sign in rest for sign in low):
                return True
    return False


def _abbreviations(parsed: ParsedClue, length: int) -> frozenset[str]:
    """Return all words of a length that may be initials of the clue or a shortened word of it."""
    found = {
        letters[start : start + length]
        for letters in _initials(parsed)
        for start in range(len(letters) - length + 1)
    }
    for text in parsed.words:
        if length < len(text) <= _LONGEST_SHORTENED:
            rests = combinations(text[1:].upper(), length - 1)
            found |= {text[0].upper() + "".join(rest) for rest in rests}
    return frozenset(found)
