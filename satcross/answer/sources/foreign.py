"""Source of foreign words from FreeDict's dictionaries, for clues like "Uncle, in Madrid"."""

from __future__ import annotations

from collections.abc import Iterable

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.language.parse_clue import LANGUAGES, parse_clue
from satcross.answer.sources.proposals import Proposals, terms

NAME = "foreign"


class ForeignSource(store.PreparedSource):
    """Proposes translations of the clue's words into the language that the clue names."""

    name = NAME

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        parsed = parse_clue(clue)
        named = {LANGUAGES[word]: word for word in parsed.words if word in LANGUAGES}
        languages = {parsed.language} if parsed.language else set(named)
        found = Proposals(NAME, clue, parsed, self._vocabulary)
        query = "SELECT foreign_word FROM translation WHERE language = ? AND english = ?"
        for language in sorted(languages):
            kind = "asked" if language == parsed.language else "named"
            for term in terms(parsed):
                if term.text in LANGUAGES:
                    continue
                role = "word" if term.role == "word" else "whole"
                for (word,) in self._connection.execute(query, (language, term.text)):
                    note = f"{term.text!r} in {language}"
                    found.add(word, f"foreign.{kind}.{role}", 1.0, note, inflect=False)
        return found.scored()


def open_source(settings: SourceSettings) -> ForeignSource:
    connection = store.open_prepared(NAME, "FreeDict")
    return ForeignSource(connection, settings.vocabulary)
