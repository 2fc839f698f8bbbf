"""The Moby thesaurus as a source: words of the clue's entries, and entries with its words."""

from __future__ import annotations

from math import log

from satcross.clues.clue import SourceSettings
from satcross.clues.dictionaries import store
from satcross.clues.language.parse_clue import ParsedClue
from satcross.clues.sources.dictionary_source import DictionarySource
from satcross.clues.sources.proposals import Proposals, Term, terms

NAME = "moby"

_MAX_SHARED = 300


class MobySource(DictionarySource):
    """Proposes words listed under the words of the clue, and words that list them."""

    name = NAME

    def collect(self, parsed: ParsedClue, found: Proposals) -> None:
        for term in terms(parsed):
            query = "SELECT number FROM word WHERE normal = ?"
            for (number,) in self._connection.execute(query, (term.text,)).fetchall():
                self._look_up(number, term, found)

    def _look_up(self, number: int, term: Term, found: Proposals) -> None:
        under = "SELECT text FROM pair JOIN word ON number = word WHERE root = ?"
        entry = [text for (text,) in self._connection.execute(under, (number,))]
        value = 5 / (5 + log(1 + len(entry)))
        for text in entry:
            found.add(text, f"moby.under.{term.role}", value, f"listed under {term.text!r}")
        over = "SELECT text FROM pair JOIN word ON number = root WHERE pair.word = ?"
        for (text,) in self._connection.execute(over, (number,)):
            found.add(text, f"moby.over.{term.role}", 1.0, f"{term.text!r} is listed under it")
        if term.role == "word":
            return
        shared = """
            SELECT text, count(*) AS times, entries
            FROM pair AS one JOIN pair AS other USING (root) JOIN word ON number = other.word
            WHERE one.word = ? GROUP BY other.word ORDER BY times * 1.0 / (10 + entries) DESC
            LIMIT ?
            """
        for text, times, entries in self._connection.execute(shared, (number, _MAX_SHARED)):
            value = 3 * times / (10 + entries)
            note = f"often listed with {term.text!r}"
            found.add(text, f"moby.shared.{term.role}", value, note)


def open_source(settings: SourceSettings) -> MobySource:
    return MobySource(store.open_prepared(NAME, "the Moby thesaurus"), settings.vocabulary)
