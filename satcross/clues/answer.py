"""Answering a whole crossword: clues to candidates to words, and how right that is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from satcross.clues.choosing.methods import (
    DEFAULT_METHOD,
    INTERRUPTED,
    METHODS,
    Answers,
    Clock,
    answer,
)
from satcross.clues.choosing.problem import PER_NAT, Problem, pose
from satcross.clues.clue import Candidate, Clue, SourceSettings
from satcross.clues.gather import Gathered, gather
from satcross.clues.language.cross_references import clues_of
from satcross.crossword import Crossword
from satcross.errors import UnavailableError

SPELT = "letters"
UNPROPOSED = "vocabulary"
LOCKED = "lock"
"""What stands for a source where none proposed the word: put together from letters, found in the
vocabulary because it fits, or locked by the user."""


@dataclass(frozen=True, slots=True)
class Session:
    """A crossword that was answered.

    ``crossword`` has no solution in it; ``clues`` are in the order of its slots. ``notes`` are for
    the user, a line each; ``seconds`` say what took how long.
    """

    crossword: Crossword
    clues: tuple[Clue, ...]
    gathered: Gathered
    question: Problem
    answers: Answers
    notes: tuple[str, ...]
    seconds: Mapping[str, float]

    def source(self, slot: int) -> str:
        """Who proposed the word that stands in a slot."""
        word = self.answers.words[slot]
        if self.crossword.grid.slots[slot].name in self.question.locks:
            return LOCKED
        known = self.question.candidate(slot, word)
        if known is not None and known.source:
            return known.source
        if not word:
            return ""
        return SPELT if self.answers.by_letters[slot] else UNPROPOSED

    def score(self, slot: int) -> float | None:
        """The log-probability of a slot's word by its clue alone; None where nothing says so."""
        word = self.answers.words[slot]
        if not word or self.crossword.grid.slots[slot].name in self.question.locks:
            return None
        known = self.question.candidate(slot, word)
        if known is not None:
            return known.score
        costs = self.question.costs
        spelling = costs.spellings[slot]
        cost = costs.words[slot].get(word)
        if cost is None and spelling is not None:
            cost = spelling.cost(word)
        return None if cost is None else -cost / PER_NAT

    def top(self, slot: int, number: int) -> Sequence[Candidate]:
        """The best candidates of a slot by its clue alone."""
        return self.question.candidates[slot][:number]


def blind(crossword: Crossword) -> Crossword:
    """The crossword without its solution: what may be looked at while answering."""
    return replace(crossword, solution=tuple((None,) * len(row) for row in crossword.solution))


def answer_crossword(
    crossword: Crossword,
    settings: SourceSettings,
    *,
    sources: Sequence[str] | None = None,
    method: str = DEFAULT_METHOD,
    locks: Mapping[str, str] | None = None,
    source_seconds: float | None = None,
    seconds: float | None = None,
    on_progress: Callable[[str], None] = lambda line: None,
) -> Session:
    """Answer a crossword from its clues. Its solution, if it has one, is not looked at.

    Asking the sources may take ``source_seconds``, choosing words ``seconds``. Raises
    InputError for locks that don't fit and UnavailableError for unknown sources and methods. When
    the user interrupts, the answer is what can be had at once (``answers.stopped``).
    """
    if method not in METHODS:
        raise UnavailableError(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    crossword = blind(crossword)
    started = time.perf_counter()
    clues = clues_of(crossword)
    pose(crossword.grid, clues, {}, settings.vocabulary, locks=locks)  # wrong locks: at once
    gathered = gather_for(clues, settings, sources, source_seconds, on_progress)
    asked = time.perf_counter()
    return choose(
        crossword,
        clues,
        gathered,
        settings,
        method=method,
        locks=locks,
        seconds=seconds,
        on_progress=on_progress,
        asked_seconds=asked - started,
    )


def gather_for(
    clues: Sequence[Clue],
    settings: SourceSettings,
    sources: Sequence[str] | None,
    seconds: float | None,
    on_progress: Callable[[str], None],
) -> Gathered:
    """Ask the sources about the clues that there are."""
    return gather(
        [clue for clue in clues if clue.text],
        settings,
        sources,
        seconds=seconds,
        on_progress=on_progress,
    )


def choose(
    crossword: Crossword,
    clues: Sequence[Clue],
    gathered: Gathered,
    settings: SourceSettings,
    *,
    method: str,
    locks: Mapping[str, str] | None = None,
    seconds: float | None = None,
    on_progress: Callable[[str], None] = lambda line: None,
    asked_seconds: float = 0.0,
) -> Session:
    """The second half of ``answer_crossword``: words from candidates."""
    started = time.perf_counter()
    question = pose(crossword.grid, clues, gathered.candidates, settings.vocabulary, locks=locks)
    found = answer(question, "bp" if gathered.interrupted else method, Clock(seconds, on_progress))
    if gathered.interrupted:
        found = replace(found, stopped=INTERRUPTED)
    times = {"sources": asked_seconds, "choose": time.perf_counter() - started}
    notes = (*_notes_on(clues, question), *gathered.notes)
    return Session(crossword, tuple(clues), gathered, question, found, notes, times)


def _notes_on(clues: Sequence[Clue], question: Problem) -> list[str]:
    notes = []
    missing = [clue.slot for clue in clues if not clue.text]
    if missing:
        notes.append(f"no clue for {listed(missing)}; answered by crossings alone")
    for slot, clue in enumerate(clues):
        if clue.slot not in question.locks and not question.costs.words[slot]:
            notes.append(
                f"{clue.slot}: no source and no list has a word of {clue.length} letters that fits "
                "the given ones; spelt letter by letter"
            )
    return notes


def listed(names: Sequence[str], most: int = 8) -> str:
    """``1A, 5D and 3 more``."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


@dataclass(frozen=True, slots=True)
class Marks:
    """How right an answer is: letters that were to be found, words, and whether all is right.

    Letters that the grid gives and locked words are not counted. ``cells`` says for each counted
    cell whether its letter is right, ``slots`` the same for words.
    """

    cells: Mapping[tuple[int, int], bool]
    slots: Mapping[str, bool]

    @property
    def letters(self) -> tuple[int, int]:
        """Right, of all."""
        return sum(self.cells.values()), len(self.cells)

    @property
    def words(self) -> tuple[int, int]:
        """Right, of all."""
        return sum(self.slots.values()), len(self.slots)

    @property
    def solved(self) -> bool:
        return all(self.cells.values())


def mark(session: Session, official: Crossword) -> Marks | None:
    """Hold an answer against the published solution; None when the crossword has no letter of it.

    Cells and slots whose solution is not wholly known are left out.
    """
    given = {
        cell
        for slot in session.crossword.grid.slots
        if slot.name in session.question.locks
        for cell in slot.cells
    }
    cells = {}
    slots = {}
    for slot in session.crossword.grid.slots:
        right = True
        known = True
        for row, column in slot.cells:
            wanted = official.solution[row][column]
            if wanted is None:
                known = False
                continue
            same = session.answers.letters[row][column] == wanted
            right = right and same
            if (row, column) not in given and official.grid.given((row, column)) is None:
                cells[row, column] = same
        if known and slot.name not in session.question.locks:
            slots[slot.name] = right
    return Marks(cells, slots) if cells else None
