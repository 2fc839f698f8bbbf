"""The Moby thesaurus as a source: words of the clue's entries, and entries with its words."""

from __future__ import annotations

import sqlite3
from math import log

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.dictionaries.full_text import select_in
from satcross.answer.language.parse_clue import ParsedClue
from satcross.answer.sources.dictionary_source import DictionarySource
from satcross.answer.sources.proposals import Proposals, Term, terms
from satcross.vocabulary import Vocabulary

Numbers = NDArray[np.signedinteger]

NAME = "moby"

_MAX_SHARED = 300


class MobySource(DictionarySource):
    """Proposes words listed under the words of the clue, and words that list them."""

    name = NAME

    def __init__(self, connection: sqlite3.Connection, vocabulary: Vocabulary) -> None:
        super().__init__(connection, vocabulary)
        (sizes,) = connection.execute("SELECT numbers FROM entries").fetchone()
        self._entries = np.frombuffer(sizes, dtype=np.int32)
        """How many words each word is listed under, by its number."""

    def collect(self, parsed: ParsedClue, found: Proposals) -> None:
        query = "SELECT under, over FROM word JOIN entry USING (number) WHERE normal = ?"
        for term in terms(parsed):
            for under, over in self._connection.execute(query, (term.text,)).fetchall():
                self._look_up(_numbers(under), _numbers(over), term, found)

    def _look_up(self, under: Numbers, over: Numbers, term: Term, found: Proposals) -> None:
        value = 5 / (5 + log(1 + len(under)))
        listed = self._texts(under).values()
        found.add_all(listed, f"moby.under.{term.role}", value, f"listed under {term.text!r}")
        listing = self._texts(over).values()
        found.add_all(listing, f"moby.over.{term.role}", 1.0, f"{term.text!r} is listed under it")
        if term.role == "word" or not len(over):
            return
        query = "SELECT under FROM entry WHERE number IN"
        lists = [some for (some,) in select_in(self._connection, query, over.tolist())]
        times = np.bincount(_numbers(b"".join(lists)))
        values = 3 * times / (10 + self._entries[: len(times)])
        best = np.lexsort((-np.arange(len(values)), -values))[:_MAX_SHARED]
        for number, text in self._texts(best).items():
            note = f"often listed with {term.text!r}"
            found.add(text, f"moby.shared.{term.role}", float(values[number]), note)

    def _texts(self, numbers: Numbers) -> dict[int, str]:
        query = "SELECT number, text FROM word WHERE number IN"
        return dict(select_in(self._connection, query, numbers.tolist()))


def _numbers(content: bytes) -> Numbers:
    return np.frombuffer(content, dtype=np.int32)


def open_source(settings: SourceSettings) -> MobySource:
    return MobySource(store.open_prepared(NAME, "the Moby thesaurus"), settings.vocabulary)
