"""Model that turns features into probabilities: a softmax over all words of a length.

The score of a word is the sum of weights times features: the features that sources gave it, and
those of the clue and the word alone (``intrinsic_features``: whether they agree in number and
tense, how common the word is, whether it repeats a word of the clue). The probability of a word is
exp(score) divided by the sum over all words of the vocabulary and all proposals of that length: a
conditional logit model (McFadden, "Conditional logit analysis of qualitative choice behavior",
1974). The weights (``resources/clue-model.json``) were fitted by ``tests/benchmarks/fit_clues.py``,
except those of sources that need a user's file or the network, which are assumed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.clues.clue import Clue
from satcross.clues.dictionaries import store
from satcross.clues.language.inflect import FORMS, apparent_forms
from satcross.clues.language.parse_clue import STOPWORDS, ParsedClue, base_forms, parse_clue
from satcross.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satcross.vocabulary import WordGroup

_UNLISTED = 0.3
"""Score, on a scale of 0 to 1, of a word that the vocabulary lacks."""
_LONGEST_SHORTENED = 14
"""Letters of a clue's word of which abbreviations are considered: all selections are listed."""
_ALONE_LEFT = 0.5
"""Probability that a single source leaves for the words that it does not propose."""


@dataclass(frozen=True, slots=True)
class Model:
    """Weights by feature name; a feature without a weight has weight 0."""

    weights: Mapping[str, float]

    def score(self, features: Mapping[str, float]) -> float:
        """Return the sum of weights times features."""
        weights = self.weights
        return sum(weights.get(name, 0.0) * value for name, value in features.items())

    def prior(self, clue: Clue, group: WordGroup) -> NDArray[np.float64]:
        """Return the scores of a group's words, in order, by their intrinsic features alone."""
        from satcross.clues.word_table import word_table

        weight = self.weights.get
        parsed = parse_clue(clue)
        table = word_table(group)
        rare = weight("prior.rare", 0.0) + sum(
            weight(f"rare.{cue}", 0.0) for cue in _RARE_CUES if cue in parsed.cues
        )
        scores = weight("prior.score", 0.0) * table.scores
        scores += weight("prior.square", 0.0) * table.scores**2
        scores += rare * (1 - 2 * table.scores).clip(0)
        for at, form in enumerate(FORMS):
            asked = form in parsed.cues
            without = weight(f"agree.{form}.clue", 0.0) if asked else 0.0
            with_form = weight(f"agree.{form}.both" if asked else f"agree.{form}.word", 0.0)
            scores += without + table.shapes[:, at] * (with_form - without)
        special = _related_words(parsed)
        if "abbreviation" in parsed.cues:
            special |= _abbreviations(parsed, group.length)
        for word in special & table.index.keys():
            scores[table.index[word]] = self.score(intrinsic_features(clue, word, group.score_of))
        return scores

    def source_log_probabilities(
        self, clue: Clue, found: Mapping[str, Mapping[str, float]], listed: Mapping[str, int]
    ) -> dict[str, float]:
        """Return word -> log-probability from the features of a single source."""
        import numpy as np

        if not found:
            return {}
        scores = np.array(
            [
                self.score(features) + self.score(intrinsic_features(clue, word, listed))
                for word, features in found.items()
            ]
        )
        scores -= scores.max()
        scores += log(1 - _ALONE_LEFT) - np.log(np.exp(scores).sum())
        return dict(zip(found, scores.tolist(), strict=True))


def load_model(sources: Iterable[str] = (), *, shipped: bool = False) -> Model:
    """Return the fitted model for a set of sources.

    With ``clues-db`` or ``meaning`` the other sources have lower weights, since their evidence
    overlaps. Weights that the user fitted come first, unless ``shipped``. Raises InputError when
    their file is malformed.
    """
    names = set(sources)
    strong = next((name for name in _STRONG if name in names), "")
    own = fitted_model_path() if strong == _STRONG[0] and not shipped else None
    return _load_model(strong, str(own) if own is not None and own.exists() else None)


def fitted_model_path() -> Path:
    """Return where the weights are stored that the user fitted; the file need not exist."""
    return store.folder() / "clue-model.json"


_STRONG = ("clues-db", "meaning")
"""Sources with which there are other weights; the first that is asked decides."""


@cache
def _load_model(strong: str, own: str | None) -> Model:
    text = (files("satcross") / "resources" / "clue-model.json").read_text("utf-8")
    content = json.loads(text)
    fitted = content.get(f"with {strong}", content["without meaning"])
    if own is not None:
        try:
            fitted = json.loads(Path(own).read_text("utf-8"))
            return Model({**content["assumed"], **{k: float(v) for k, v in fitted.items()}})
        except (OSError, ValueError, AttributeError, TypeError):
            raise InputError(
                "no fitted weights", "run satcross sources fit again, or remove it", file=own
            ) from None
    return Model({**content["assumed"], **fitted["weights"]})


_RARE_CUES = ("abbreviation", "name", "blank", "quoted")


def intrinsic_features(clue: Clue, word: str, listed: Mapping[str, int]) -> dict[str, float]:
    """Return the features of a clue and a word that need no source."""
    parsed = parse_clue(clue)
    found: dict[str, float] = {}
    _add_prior_features(found, listed.get(word))
    if "prior.rare" in found:
        for cue in _RARE_CUES:
            if cue in parsed.cues:
                found[f"rare.{cue}"] = found["prior.rare"]
    shape = apparent_forms(word.lower())
    for form in FORMS:
        if form in shape:
            kind = "both" if form in parsed.cues else "word"
            found[f"agree.{form}.{kind}"] = 1.0
        elif form in parsed.cues:
            found[f"agree.{form}.clue"] = 1.0
    if word in _related_words(parsed):
        found["echo"] = 1.0
    if "abbreviation" in parsed.cues:
        if _is_initials(word, parsed):
            found["initials"] = 1.0
        if _is_shortened(word, parsed):
            found["shortened"] = 1.0
    return found


def _add_prior_features(found: dict[str, float], score: int | None) -> None:
    value = _UNLISTED if score is None else max(0.0, min(1.0, score / 100))
    found["prior.score"] = value
    found["prior.square"] = value * value
    if score is None:
        found["prior.unlisted"] = 1.0
    if value < 0.5:
        found["prior.rare"] = 1 - 2 * value


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
