"""What a source of candidates is given, and what it gives back.

A *source* looks at one clue and proposes words with scores: a thesaurus, a dictionary, the plain
vocabulary. Sources know nothing of each other nor of the grid; ``combine`` makes one list of what
all of them say about a clue, and ``reconcile`` chooses words that agree where slots cross. It also
considers the words of the vocabulary that nobody proposed: they share, as the model says,
a part of the probability that the candidates leave (``question.pose``). So sources need not list
the vocabulary, and ``combine`` must not give all probability away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from satcross.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Clue:
    """A clue as printed, and what belongs to it.

    ``slot`` is the slot's name (``5A``), ``length`` its number of cells. ``enumeration`` is what a
    clue says about the words of its answer (``3,4``), taken off ``text``, or "". ``date`` is the
    puzzle's as ISO 8601 writes it, or "". ``references`` are the slots that the clue names, with
    their clues ("" when they have none): ``{"5A": "Desert animal"}`` for ``See 5-Across``.
    ``text`` is "" when a puzzle gives no clue for the slot.
    """

    slot: str
    text: str
    length: int
    enumeration: str = ""
    date: str = ""
    references: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """A word that one source proposes.

    ``word`` is in upper case without blanks or signs, as it stands in the grid. ``score`` is a
    log-probability (natural, at most 0) that this is the answer as far as the source can tell;
    words compare by it within a source. ``features`` are named numbers for the model that combines
    sources, and for those who ask why; they may be empty. ``note`` says in a few words where it
    was found ("synonym of 'animal'").
    """

    word: str
    score: float
    source: str
    features: Mapping[str, float] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word for a slot after all sources were heard.

    ``score`` is the natural logarithm of the probability that this is the answer, crossings not
    considered; over all candidates of a clue these probabilities sum to at most 1. ``evidence`` is
    what the sources said, best first; ``features`` what the model made of it.
    """

    word: str
    score: float
    evidence: tuple[Scored, ...]
    features: Mapping[str, float] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The source that was surest of it; "" without evidence."""
        return self.evidence[0].source if self.evidence else ""


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """What sources may need to know when they are opened.

    ``clues_db`` is the user's own file of old clues; ``cache`` a folder that the source may keep
    files in, None for the user's usual one and "" for none; ``timeout`` the seconds that a request
    over the network may take.
    """

    vocabulary: Vocabulary
    clues_db: str | None = None
    cache: str | None = None
    timeout: float = 10.0


class Source(Protocol):
    """Proposes candidates for clues.

    Made by a function ``open_source(settings) -> Source`` in the module that ``registry.SOURCES``
    names. It raises UnavailableError with one line (what is missing; the command that sets it up)
    when the source can't work here, and InputError for a bad file of the user's. A source is opened
    and used on one thread of its own. Whatever ``candidates`` raises is reported in one line and
    costs the puzzle only what this source would have said.
    """

    name: str

    def candidates(self, clue: Clue, length: int) -> Iterable[Scored]:
        """Words of that length that may answer the clue, in any order, each once."""
        ...
