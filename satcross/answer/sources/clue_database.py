"""Old clues as a source: the answers to the same clue and to similar clues, and what these teach.

Clues are compared as vectors of tokens weighted by inverse document frequency (Spärck Jones, "A
statistical interpretation of term specificity", 1972). An answer is also scored by all of its old
clues together, as a document that the clue is a query for (Ponte and Croft, "A language modeling
approach to information retrieval", 1998), and by the bi-encoder that was trained on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import exp, sqrt
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import LEARNT, Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import clue_index, store
from satcross.answer.dictionaries.clue_encoder import PartGains, open_encoder, save_encoder, train
from satcross.answer.dictionaries.clue_files import clue_files
from satcross.answer.dictionaries.clue_index import ClueIndex, LengthPart, Progress, clue_key
from satcross.answer.dictionaries.word_pairs import (
    MIN_COMPOSED,
    WordPairs,
    learn_pairs,
    open_pairs,
    pairs_of_list,
    save_pairs,
)
from satcross.answer.model import Model, load_model
from satcross.answer.word_table import Floats, WordTable, highest, word_table
from satcross.errors import InputError, UnavailableError
from satcross.vocabulary import Vocabulary, WordGroup

PairsOf: TypeAlias = Callable[[Clue], WordPairs]

NAME = "clues-db"

_MAX_PROPOSED = 300
_MAX_LEARNT = 200
"""Answers of each clue that are proposed although they share no word with it."""
_LEARNT_FLOOR = -12.0
"""Log-probability by the bi-encoder below which words are all alike."""
_NEVER_ASKED = -10.0
"""Log-probability that counts for words that are no answer of an old clue, and for all words where
the bi-encoder knows nothing. Of 520 answers of 2014 that no source proposed, it made most of those
in the vocabulary likeliest."""
_BACKGROUND = 0.3
"""Weight of a token's frequency in all clues against that in the clues of one answer."""
_SMOOTHING = 2.0
"""Clues that are added to those of an answer, so that one clue alone proves little."""
_USES = 0.3
"""Weight of the uses of an answer when the best are chosen to be proposed."""


class CluesDatabase:
    """Proposes the answers to the same clue in the past, to similar clues, and learnt ones."""

    name = NAME

    def __init__(self, index: ClueIndex, vocabulary: Vocabulary) -> None:
        self._index = index
        self._vocabulary = vocabulary
        self._encoder = open_encoder(index)

    @cached_property
    def _model(self) -> Model:
        return with_learnt(load_model((NAME,)), self._index)

    def candidates(
        self, clue: Clue, length: int, number: int = _MAX_PROPOSED
    ) -> Iterable[Proposal]:
        part = self._index.part(length)
        if part is None or not clue.text:
            return []
        features, best = _compare(self._index, part, clue.text)
        model = self._model
        is_known = features[f"{NAME}.union"] > 0
        encoder = self._encoder
        learnt = None if encoder is None else encoder.log_probabilities(clue.text, length)
        if learnt is not None:
            order = (-learnt).argsort(kind="stable")
            rank = np.empty(len(order))
            rank[order] = np.arange(len(order))
            is_known |= rank < _MAX_LEARNT
            features[f"{NAME}.learnt-rank"] = 1 / (1 + rank / 10)
        scores = np.zeros(len(part.words))
        for name, values in features.items():
            scores += model.weights.get(name, 0.0) * values
        chances = scores + _USES * np.log1p(part.uses)
        if learnt is not None:
            chances += model.weights.get(LEARNT, 0.0) * _on_scale(learnt)
        some = np.flatnonzero(is_known)
        some = some[highest(chances[some], number)]
        found = {
            part.words[at]: {
                name: float(values[at]) for name, values in features.items() if values[at]
            }
            for at in some.tolist()
        }
        group = self._vocabulary.group(length)
        logs = model.source_log_probabilities(clue, list(found), scores[some], group)
        return [
            Proposal(word, log, NAME, own, self._note(part, own, int(best[at])))
            for at, log, (word, own) in zip(some.tolist(), logs, found.items(), strict=True)
        ]

    def _note(self, part: LengthPart, features: Mapping[str, float], clue: int) -> str:
        if "clues-db.like" not in features:
            return "learnt from old clues"
        text = repr(self._index.text(part.first + clue))
        return f"the same clue: {text}" if "clues-db.same" in features else text


def with_learnt(model: Model, index: ClueIndex) -> Model:
    """Return the model with the bi-encoder of an index.

    All words are alike where none was trained, and where it knows nothing of a clue.
    """
    encoder = open_encoder(index)
    places: dict[WordTable, NDArray[np.intp]] = {}

    def learnt(clue: Clue, group: WordGroup) -> Floats:
        never = _on_scale(np.array(_NEVER_ASKED))
        values = np.full(len(group) + 1, never)
        part, table = index.part(group.length), word_table(group)
        if part is not None and encoder is not None:
            logs = encoder.log_probabilities(clue.text, group.length)
            if table not in places:
                places[table] = np.array([table.index.get(word, -1) for word in part.words])
            if logs is not None:
                values[places[table]] = _on_scale(logs)
                values[-1] = never
        return values

    return replace(model, learnt=learnt)


def _on_scale(logs: NDArray[np.floating]) -> Floats:
    """Return log-probabilities on a scale from 0 to 1."""
    return np.asarray(1 - np.maximum(logs, _LEARNT_FLOOR) / _LEARNT_FLOOR, dtype=np.float64)


def _compare(
    index: ClueIndex, part: LengthPart, text: str
) -> tuple[dict[str, Floats], NDArray[np.int64]]:
    """Return feature -> value for every answer, and the most similar clue of every answer."""
    answers = len(part.words)
    weighted = index.weighted_tokens(text)
    whole = sum(weight**2 for _, weight in weighted) or 1.0
    shared = np.zeros(len(part.answers), np.float32)
    likelihood, union = np.zeros(answers), np.zeros(answers)
    for token, weight in weighted:
        rows = part.posting(token) if token >= 0 else ()
        if not len(rows):
            continue
        shared[rows] += weight**2
        uses = np.bincount(part.answers[rows], weights=part.times[rows], minlength=answers)
        background = exp(-weight) * _BACKGROUND
        likelihood += np.log1p(uses / (part.clues + _SMOOTHING) / background)
        union += (uses > 0) * weight**2
    hits = np.flatnonzero(shared)
    cosine = shared[hits] / (part.norms[hits] * np.float32(sqrt(whole)))
    owner = part.answers[hits]
    order = np.argsort(cosine, kind="stable")  # the last assignment to an answer is its best clue
    likeness, best = np.zeros(answers), np.zeros(answers, np.int64)
    likeness[owner[order]] = cosine[order]
    best[owner[order]] = hits[order]
    votes = cosine**2 * part.times[hits]
    same = np.zeros(answers)
    known = part.same(clue_key(text))
    np.add.at(same, part.answers[known], part.times[known])
    features = {
        "same": np.log1p(same),
        "same-any": (same > 0).astype(float),
        "like": likeness,
        "like-squared": likeness**2,
        "like-best": likeness / (likeness.max() or 1.0),
        "union": union / whole,
        "votes": np.log1p(np.bincount(owner, weights=votes, minlength=answers)),
        "close-votes": np.log1p(np.bincount(owner, weights=votes * cosine**2, minlength=answers)),
        "likelihood": likelihood / 4,
        "likelihood-best": likelihood / (likelihood.max() or 1.0),
    }
    return {f"{NAME}.{name}": values for name, values in features.items()}, best


def with_clue_database(
    settings: SourceSettings,
    sources: Sequence[str] | None = None,
    on_progress: Progress = lambda line: None,
) -> SourceSettings:
    """Return settings with the opened database of old clues and its answers in the vocabulary.

    The settings are returned unchanged when they name no database and none is set up, and when
    ``sources`` (None: the default ones) do not include it. Raises InputError for a file that can't
    be read or is none of clues.
    """
    if settings.clue_index is not None or (sources is not None and NAME not in sources):
        return settings
    index = _open(settings, on_progress)
    if index is None:
        return settings
    return replace(settings, clue_index=index, vocabulary=index.extend(settings.vocabulary))


def own_index() -> ClueIndex | None:
    """Open the user's database, None if there is none. Raises InputError when it can't be used."""
    place = store.dictionary_path(NAME)
    if not place.exists():
        return None
    store.check_private(place.parent)
    index = clue_index.open_file(place)
    if index is None:
        raise InputError(
            "is damaged, or another version made it",
            "run satcross sources add-clues --replace with all files of clues",
            file=str(place),
        )
    return index


def _open(settings: SourceSettings, on_progress: Progress) -> ClueIndex | None:
    if settings.clues_db is None:
        return own_index()
    cache = store.source_cache_folder(settings.cache)
    return clue_index.open_index([Path(settings.clues_db)], cache, on_progress)


def add_clues(
    paths: Sequence[Path], on_progress: Progress, *, replace: bool = False
) -> tuple[ClueIndex, list[str]]:
    """Add files and folders of clues to the user's database, except those files that it has.

    Returns the database, and notes on what was left out. With ``replace`` its earlier clues are
    dropped. Raises InputError as ``open_index`` does, and for a damaged database unless it is
    replaced.
    """
    files = clue_files(paths)
    place = store.dictionary_path(NAME)
    store.make_folder(place.parent)
    kept = None if replace else own_index()
    known = () if kept is None else kept.files
    new = [file for file in files if clue_index.identity(file) not in known]
    notes = []
    if new or kept is None:
        notes = clue_index.make_index(place, new, on_progress, kept)
    index = own_index()
    assert index is not None
    return index, notes


def learn(index: ClueIndex, on_progress: Progress) -> None:
    """Train the bi-encoder of an index and count its word pairs, unless that is done already."""
    if index.path is None:
        return
    if open_pairs(index) is None:
        on_progress("counting pairs of words")
        save_pairs(learn_pairs(index.texts(), index.answers()), index)
    if open_encoder(index) is None:
        save_encoder(train(index, on_progress), index)


def word_pairs(settings: SourceSettings) -> PairsOf:
    """Return what returns the word pairs for a clue: of the database in the settings, or a list."""
    index = settings.clue_index
    pairs, encoder = (open_pairs(index), open_encoder(index)) if index else (None, None)
    if index is None or pairs is None or encoder is None:
        always = pairs or pairs_of_list(settings.vocabulary)
        return lambda clue: always
    gains = PartGains(pairs, index, encoder)

    def pairs_of(clue: Clue) -> WordPairs:
        # A gain is kept for each word and slot: none where nothing is composed.
        return pairs if clue.length < MIN_COMPOSED else replace(pairs, gains=gains(clue.text))

    return pairs_of


def open_source(name: str, settings: SourceSettings) -> CluesDatabase:
    index = settings.clue_index or _open(settings, lambda line: None)
    if index is None:
        raise UnavailableError(
            "no clue database is set up; run: satcross sources add-clues FILE,"
            " or name one with --clues-db FILE"
        )
    return CluesDatabase(index, settings.vocabulary)
