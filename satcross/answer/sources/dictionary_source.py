"""Base class of the sources that look the parts of a clue up in one dictionary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from satcross.answer.clue import Clue, Proposal
from satcross.answer.dictionaries.store import PreparedSource
from satcross.answer.language.parse_clue import ParsedClue, parse_clue
from satcross.answer.sources.proposals import Proposals


class DictionarySource(PreparedSource, ABC):
    """A source that proposes words for clues with something to look up."""

    name: ClassVar[str]

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        """Return the proposals for a clue; none for a blank with at most one word of meaning."""
        parsed = parse_clue(clue)
        if "blank" in parsed.cues and len(parsed.content) < 2:
            return []
        found = Proposals(self.name, clue, parsed, self._vocabulary)
        self.collect(parsed, found)
        return found.scored()

    @abstractmethod
    def collect(self, parsed: ParsedClue, found: Proposals) -> None:
        """Add the words that the dictionary has for a clue."""
