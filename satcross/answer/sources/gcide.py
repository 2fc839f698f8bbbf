"""GCIDE as a source: words with definitions similar to the clue, and synonyms."""

from __future__ import annotations

from satcross.answer.clue import SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.dictionaries.full_text import full_text_search, match_any, select_in
from satcross.answer.dictionaries.prepare import normal
from satcross.answer.language.parse_clue import STOPWORDS, ParsedClue, parse_text
from satcross.answer.sources.dictionary_source import DictionarySource
from satcross.answer.sources.nearby import add_nearby
from satcross.answer.sources.proposals import Proposals, Term, terms

NAME = "gcide"

_MAX_DEFINITIONS = 500
_MAX_WORDS = 40  # of a definition


class GcideSource(DictionarySource):
    """Proposes words by definition search, synonyms, and words of the clue's definitions."""

    name = NAME

    def collect(self, parsed: ParsedClue, found: Proposals) -> None:
        for term in terms(parsed):
            self._look_up(term, found)
        rows = self._search(parsed, found)
        add_nearby(self._connection, "definition", parsed, rows, found, NAME)

    def _look_up(self, term: Term, found: Proposals) -> None:
        forward = "SELECT text FROM synonym WHERE normal = ?"
        for (text,) in self._connection.execute(forward, (term.text,)):
            found.add(text, f"gcide.synonym.{term.role}", 1.0, f"synonym of {term.text!r}")
        backward = "SELECT normal FROM synonym WHERE text = ?"
        for (text,) in self._connection.execute(backward, (term.text,)):
            found.add(text, f"gcide.synonym.{term.role}", 1.0, f"synonym of {term.text!r}")
        if term.role == "word":
            return
        query = (
            "SELECT definition.text FROM headword JOIN definition ON definition.rowid = entry"
            " WHERE headword.text IN (?, ?) LIMIT 3"
        )
        for (text,) in self._connection.execute(query, (term.text, term.text.capitalize())):
            for word in parse_text(text).content[:_MAX_WORDS]:
                if word not in STOPWORDS:
                    note = f"in the definition of {term.text!r}"
                    found.add(word, f"gcide.inside.{term.role}", 1.0, note)

    def _search(self, parsed: ParsedClue, found: Proposals) -> list[tuple[int, float]]:
        asked = match_any(parsed.content)
        if not asked:
            return []
        rows = full_text_search(self._connection, "definition", asked, _MAX_DEFINITIONS)
        features = {
            entry: {"gcide.search.score": score, "gcide.search.rank": 1 / (1 + place / 10)}
            for place, (entry, score) in enumerate(rows)
        }
        query = "SELECT entry, text FROM headword WHERE entry IN"
        for entry, word in select_in(self._connection, query, list(features)):
            found.add_features(normal(word), features[entry], "similar definition")
        return rows


def open_source(settings: SourceSettings) -> GcideSource:
    return GcideSource(store.open_prepared(NAME, "GCIDE"), settings.vocabulary)
