"""Dictionaries as sources: WordNet, the Moby thesaurus and GCIDE, one entry each in ``BOOKS``.

Each looks the parts of a clue up in its own way. Dictionaries with definitions are also searched
for definitions like the clue, and for words that occur beside the words of the clue in sentences
("Angler's need" is ROD): a word's lift is its frequency in sentences that share words with the
clue, divided by its frequency in all texts.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.dictionaries.prepare import normal
from satcross.answer.language.parse_clue import STOPWORDS, parse_text
from satcross.answer.sources.proposals import Proposals, Term, terms
from satcross.vocabulary import Vocabulary

_MAX_NEARBY_TEXTS = 80
_START = 5  # common first letters by which two words count as forms of one
_RARE = 5  # texts that are added to a word's frequency, so that rare words don't dominate
_PER_POINT = 10.0  # likeness 1 is a BM25 score of 10, that of two telling words
_MOST_SIGNS = 6  # blanks and other signs of a phrase, which a grid leaves out
_BATCH = 500  # values in one query; SQLite's limit was 999
_SENTENCE = re.compile(r"[.;:\u2014]\s")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")

Numbers = NDArray[np.signedinteger]
LookUp = Callable[[sqlite3.Connection, Term, Proposals], None]


def select_in(
    connection: sqlite3.Connection, query: str, values: Sequence[object], condition: str = ""
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query that ends in ``IN`` for any number of values, a batch at a time."""
    for start in range(0, len(values), _BATCH):
        some = values[start : start + _BATCH]
        marks = ",".join("?" * len(some))
        yield from connection.execute(f"{query} ({marks}){condition}", some)


def _fits(column: str, found: Proposals) -> str:
    """Return the condition that a text may have the length: most texts are not even read."""
    first, last = found.lengths
    shorter = f"replace(replace({column}, ' ', ''), '-', '')"
    return (
        f" AND length({column}) BETWEEN {first} AND {last + _MOST_SIGNS}"
        f" AND (length({shorter}) <= {last} OR {shorter} GLOB '*[^A-Za-z]*')"
    )


@dataclass(frozen=True, slots=True)
class Book:
    """A dictionary: how a part of a clue is looked up, and its table of definitions, if any.

    ``owners`` selects the number of a definition and a word that has it, ``word``; at most
    ``max_texts`` definitions are taken.
    """

    title: str
    look_up: LookUp
    texts: str = ""
    owners: str = ""
    max_texts: int = 0


class DictionarySource:
    """Proposes the words that one dictionary has for a clue."""

    def __init__(self, name: str, connection: sqlite3.Connection, vocabulary: Vocabulary) -> None:
        self.name = name
        self._book = BOOKS[name]
        self._connection = connection
        self._vocabulary = vocabulary

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        """Return the proposals for a clue; none for a blank with at most one word of meaning."""
        found = Proposals(self.name, clue, self._vocabulary)
        parsed = found.parsed
        if "blank" in parsed.cues and len(parsed.content) < 2:
            return []
        for term in terms(parsed):
            self._book.look_up(self._connection, term, found)
        query = " OR ".join('"' + word.replace('"', '""') + '"' for word in parsed.content)
        if query and self._book.texts:
            rows = self._texts_like(query)
            self._add_similar(rows, found)
            self._add_nearby(rows, found)
        return found.scored()

    def _texts_like(self, query: str) -> list[tuple[int, float]]:
        """Return (rowid, similarity) of the best texts by BM25, best first, at most 3."""
        table = self._book.texts
        rows = self._connection.execute(
            f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT ?",
            (query, self._book.max_texts),
        )
        return [(number, min(3.0, -rank / _PER_POINT)) for number, rank in rows]

    def _add_similar(self, rows: Sequence[tuple[int, float]], found: Proposals) -> None:
        features = {
            number: {
                f"{self.name}.search.score": score,
                f"{self.name}.search.rank": 1 / (1 + place / 10),
            }
            for place, (number, score) in enumerate(rows)
        }
        owners, fits = self._book.owners, _fits("word", found)
        for number, word in select_in(self._connection, owners, list(features), fits):
            found.add_features(normal(word), features[number], "similar definition")

    def _add_nearby(self, rows: Sequence[tuple[int, float]], found: Proposals) -> None:
        """Propose the words that occur beside words of the clue in these definitions."""
        starts = tuple(word[:_START] for word in found.parsed.content if word not in STOPWORDS)
        if not starts:
            return
        table = self._book.texts
        counts: Counter[str] = Counter()
        relevance: Counter[str] = Counter()
        sentences = 0
        likely = dict(rows[:_MAX_NEARBY_TEXTS])
        query = f"SELECT rowid, text FROM {table} WHERE rowid IN"
        for number, text in select_in(self._connection, query, list(likely)):
            likeness = round(100 * likely[number])
            for words in _sentences_with(starts, text, found.lengths):
                sentences += 1
                counts.update(words)
                relevance.update({word: max(0, likeness - relevance[word]) for word in words})
        fitting = [word for word in counts if found.spellings(word)]
        query = "SELECT word, texts FROM spread WHERE word IN"
        spread = dict(select_in(self._connection, query, fitting))
        (size,) = self._connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()
        for word in fitting:
            count = counts[word]
            lift = (count / max(1, sentences)) / ((spread.get(word, 0) + _RARE) / size)
            value = max(0.0, min(1.5, log(max(1.0, lift)) / 4))
            features = {
                f"{self.name}.nearby.lift": value,
                f"{self.name}.nearby.count": log(1 + count) * value,
                f"{self.name}.nearby.likeness": relevance[word] / 100,
            }
            note = f"occurs beside words of the clue in {count} sentences"
            found.add_features(word, features, note)


def _sentences_with(
    starts: tuple[str, ...], text: str, lengths: tuple[int, int]
) -> Iterable[set[str]]:
    """Yield the words of meaning of each sentence that has a word with one of the beginnings.

    Those too short or too long to be proposed are left out.
    """
    first, last = lengths
    for sentence in _SENTENCE.split(text.lower()):
        if any(start in sentence for start in starts):  # most sentences end here, uncut
            words = set(_WORD.findall(sentence))
            if any(word.startswith(starts) for word in words):
                yield {word for word in words if first <= len(word) <= last + 1} - STOPWORDS


_MAX_SENSES = 8
_MAX_BELOW = 3000  # synsets below one, in all
_OPPOSITE = frozenset(("opposite", "not", "antonym", "reverse", "counterpart", "contrary"))
_NEAR = {
    **dict.fromkeys(("similar", "also", "group", "attribute", "entails", "causes"), "similar"),
    **dict.fromkeys(("hypernym", "instance-hypernym"), "above"),
    **dict.fromkeys(("domain", "domain-member"), "domain"),
    "part": "part",
}
"""Relation between synsets -> what the features call it."""
_NOTES = {
    "same": "synonym of",
    "similar": "near",
    "above": "what is",
    "part": "part of or with",
    "domain": "of the field of",
    "below": "a kind of",
    "deep": "a kind of",
    "sister": "beside",
}
_SENSES = (
    "SELECT synset, min(rank) FROM sense WHERE lemma = ? GROUP BY synset ORDER BY 2 LIMIT 12",
    "SELECT synset, min(rank) FROM exception JOIN sense ON sense.lemma = base"
    " AND sense.part = exception.part WHERE form = ? GROUP BY synset ORDER BY 2",
)
_BELOW = """
    WITH RECURSIVE below (synset, depth) AS (
        VALUES (?, 0)
        UNION
        SELECT other, depth + 1 FROM below JOIN link USING (synset)
        WHERE relation IN ('hyponym', 'instance') AND depth < ?
        LIMIT ?)
    SELECT synset, min(depth) FROM below WHERE depth > 0 GROUP BY synset
    """


def _look_up_wordnet(connection: sqlite3.Connection, term: Term, found: Proposals) -> None:
    """Add synonyms, hypernyms and hyponyms, antonyms, derived words, and words of the gloss."""
    senses: list[tuple[int, int]] = []
    for query in _SENSES:
        senses = senses or connection.execute(query, (term.text,)).fetchall()
    for synset, rank in senses[:_MAX_SENSES]:
        value = 1 / (1 + 0.2 * rank)
        for kind, synsets in _synsets_near(connection, synset, term.role != "word"):
            query = "SELECT lemma FROM member WHERE synset IN"
            rows = select_in(connection, query, synsets, _fits("lemma", found))
            lemmas = [lemma for (lemma,) in rows]
            note = f"{_NOTES[kind]} {term.text!r}"
            found.add_all(lemmas, f"wordnet.{kind}.{term.role}", value, note)
        if term.role != "word":
            query = "SELECT text FROM gloss WHERE rowid = ?"
            for (text,) in connection.execute(query, (synset,)):
                note = f"in the gloss of {term.text!r}"
                words = _words_of_meaning(text.partition(";")[0])
                found.add_all(words, f"wordnet.gloss.{term.role}", value, note)
    query = "SELECT relation, other FROM wordlink WHERE lemma = ?"
    for relation, other in connection.execute(query, (term.text,)):
        if relation == "antonym":
            role = "asked" if _OPPOSITE & set(found.parsed.words) else term.role
            found.add(other, f"wordnet.antonym.{role}", 1.0, f"opposite of {term.text!r}")
        else:
            found.add(other, f"wordnet.derived.{term.role}", 1.0, f"from {term.text!r}")


def _synsets_near(
    connection: sqlite3.Connection, synset: int, is_deep: bool
) -> Iterable[tuple[str, list[int]]]:
    """Yield the synsets around one with the kind of their relation."""
    yield "same", [synset]
    links = connection.execute("SELECT relation, other FROM link WHERE synset = ?", (synset,))
    above = []
    for relation, other in links.fetchall():
        if relation in _NEAR:
            yield _NEAR[relation], [other]
        if relation in ("hypernym", "instance-hypernym"):
            above.append(other)
    below = connection.execute(_BELOW, (synset, 8 if is_deep else 1, _MAX_BELOW)).fetchall()
    for other in above[:2] if is_deep else ():
        beside = connection.execute(_BELOW, (other, 1, _MAX_BELOW)).fetchmany(200)
        yield "sister", [number for number, _ in beside]
    yield "below", [number for number, depth in below if depth == 1]
    yield "deep", [number for number, depth in below if depth > 1]


def _words_of_meaning(text: str, max_words: int | None = None) -> list[str]:
    return [word for word in parse_text(text).content[:max_words] if word not in STOPWORDS]


_MAX_SHARED = 300


def _look_up_moby(connection: sqlite3.Connection, term: Term, found: Proposals) -> None:
    """Add the words listed under a term, those that list it, and those often listed with it."""

    def texts(numbers: Numbers) -> dict[int, str]:
        query = "SELECT number, text FROM word WHERE number IN"
        return dict(select_in(connection, query, numbers.tolist(), _fits("text", found)))

    query = "SELECT under, over FROM word JOIN entry USING (number) WHERE normal = ?"
    for row in connection.execute(query, (term.text,)).fetchall():
        under, over = map(_numbers, row)
        value = 5 / (5 + log(1 + len(under)))
        note = f"listed under {term.text!r}"
        found.add_all(texts(under).values(), f"moby.under.{term.role}", value, note)
        note = f"{term.text!r} is listed under it"
        found.add_all(texts(over).values(), f"moby.over.{term.role}", 1.0, note)
        if term.role == "word" or not len(over):
            continue
        query = "SELECT under FROM entry WHERE number IN"
        lists = [content for (content,) in select_in(connection, query, over.tolist())]
        times = np.bincount(_numbers(b"".join(lists)))
        (sizes,) = connection.execute("SELECT numbers FROM entries").fetchone()
        values = 3 * times / (10 + _numbers(sizes)[: len(times)])
        best = np.lexsort((-np.arange(len(values)), -values))[:_MAX_SHARED]
        for number, text in texts(best).items():
            note = f"often listed with {term.text!r}"
            found.add(text, f"moby.shared.{term.role}", float(values[number]), note)


def _numbers(content: bytes) -> Numbers:
    return np.frombuffer(content, dtype=np.int32)


_MAX_WORDS = 40  # of a definition


def _look_up_gcide(connection: sqlite3.Connection, term: Term, found: Proposals) -> None:
    """Add synonyms, and for the whole clue and its head the words of their definitions."""
    for wanted, given in (("text", "normal"), ("normal", "text")):
        query = f"SELECT {wanted} FROM synonym WHERE {given} = ?"
        texts = [text for (text,) in connection.execute(query, (term.text,))]
        found.add_all(texts, f"gcide.synonym.{term.role}", 1.0, f"synonym of {term.text!r}")
    if term.role == "word":
        return
    query = (
        "SELECT definition.text FROM headword JOIN definition ON definition.rowid = entry"
        " WHERE headword.text IN (?, ?) LIMIT 3"
    )
    for (text,) in connection.execute(query, (term.text, term.text.capitalize())):
        note = f"in the definition of {term.text!r}"
        found.add_all(_words_of_meaning(text, _MAX_WORDS), f"gcide.inside.{term.role}", 1.0, note)


BOOKS = {
    "wordnet": Book(
        "WordNet",
        _look_up_wordnet,
        "gloss",
        "SELECT synset, lemma AS word FROM member WHERE synset IN",
        400,
    ),
    "moby": Book("the Moby thesaurus", _look_up_moby),
    "gcide": Book(
        "GCIDE",
        _look_up_gcide,
        "definition",
        "SELECT entry, text AS word FROM headword WHERE entry IN",
        500,
    ),
}


def open_book(name: str, settings: SourceSettings) -> DictionarySource:
    """Open a dictionary. Raises UnavailableError unless it is set up."""
    connection = store.open_prepared(name, BOOKS[name].title)
    return DictionarySource(name, connection, settings.vocabulary)
