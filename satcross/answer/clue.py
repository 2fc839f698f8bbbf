"""Interface of the sources: clues, proposals and candidates.

A *source* reads one clue and proposes words with scores: a thesaurus, a dictionary, the plain
vocabulary. Sources know neither each other nor the grid. ``combine`` merges the proposals of all
sources for a clue into one list of candidates, and ``choosing`` selects words that agree where
slots cross. It also considers the words of the vocabulary that no source proposes: by the model
they share part of the probability that the candidates leave (``build_problem``). So sources need
not list the vocabulary, and ``combine`` must not distribute all probability.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from satcross.crossword import Crossword
from satcross.solving.clue_faults import named_slots

if TYPE_CHECKING:
    from satcross.answer.dictionaries.clue_index import ClueIndex
    from satcross.vocabulary import Vocabulary

LEARNT = "learnt"
"""Feature of every word beside a database: how likely the bi-encoder of old clues finds it."""

_NUMBER = re.compile(r"\d{1,3}")
_ENUMERATION = re.compile(r"\s*\((\d{1,2}(?:\s*[,\-']\s*\d{1,2})*)\)\s*$")


@dataclass(frozen=True, slots=True)
class Clue:
    """A printed clue and its context.

    ``slot`` is the name of the slot (``5A``), ``length`` its number of cells. ``text`` is the clue
    without its enumeration, "" when the puzzle has no clue for the slot. ``enumeration`` gives the
    lengths of the answer's words (``3,4``), or "". ``date`` is the date of the puzzle in ISO 8601,
    or "". ``references`` maps the slots that the clue names to their clues, "" for slots without a
    clue: ``{"5A": "Desert animal"}`` for ``See 5-Across``.
    """

    slot: str
    text: str
    length: int
    enumeration: str = ""
    date: str = ""
    references: Mapping[str, str] = field(default_factory=dict)


def crossword_clues(crossword: Crossword) -> list[Clue]:
    """Return a clue for every slot of the grid, in order; its text is "" for slots without a clue.

    The solution of the crossword is not used.
    """
    return [
        _clue(slot.name, slot.length, crossword.clues.get(slot.name, ""), crossword)
        for slot in crossword.grid.slots
    ]


def _clue(name: str, length: int, printed: str, crossword: Crossword) -> Clue:
    text, enumeration = " ".join(printed.split()), ""
    found = _ENUMERATION.search(text)
    if found and sum(map(int, _NUMBER.findall(found[1]))) == length:
        text, enumeration = text[: found.start()], re.sub(r"\s", "", found[1])
    known = {slot.name for slot in crossword.grid.slots} - {name}
    references = {
        other: crossword.clues.get(other, "") for other in named_slots(text) if other in known
    }
    return Clue(name, text, length, enumeration, crossword.date, references)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A word that one source proposes for a clue.

    ``word`` is in upper case without blanks and punctuation, as a grid has it. ``score`` is the
    source's natural log-probability, at most 0, that the word is the answer; scores of different
    sources are not comparable. ``features`` are named numbers for the model that combines sources,
    and for explanations. ``note`` says in a few words where the word was found ("synonym of
    'animal'").
    """

    word: str
    score: float
    source: str
    features: Mapping[str, float] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word for a slot, scored from the proposals of all sources.

    ``score`` is the natural log-probability that the word is the answer, without regard to
    crossings; the probabilities of all candidates of a clue sum to at most 1. ``evidence`` are the
    proposals of the word, best first; ``features`` are the inputs of the model.
    """

    word: str
    score: float
    evidence: tuple[Proposal, ...]
    features: Mapping[str, float] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The source with the highest score for the word; "" without evidence."""
        return self.evidence[0].source if self.evidence else ""


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """Settings that sources read when they are opened.

    ``clues_db`` is a file of old clues, or None; ``clue_index`` is its opened index
    (``sources.clue_database.with_clue_database``), or None. ``cache`` is the folder for cached
    files: None for the user's cache folder, "" for no cache. ``timeout`` limits a network request,
    in seconds.
    """

    vocabulary: Vocabulary
    clues_db: str | None = None
    cache: str | None = None
    timeout: float = 10.0
    clue_index: ClueIndex | None = None


class Source(Protocol):
    """Interface of a source.

    ``registry.SOURCES`` names a function ``(name, settings) -> Source``. It raises UnavailableError
    with one line (what is missing, and the command that sets it up) when the source can't work, and
    InputError for a malformed file. A source is opened and used on a
    single thread. An exception of ``candidates`` is reported in one line and loses only this
    source's proposals for the clue.
    """

    name: str

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        """Return words of the length that may answer the clue, in any order, each once."""
        ...
