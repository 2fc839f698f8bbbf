"""Answer a whole crossword from its clues, and measure how much of the answer is right."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from heapq import nlargest

from satcross.answer.choosing.answers import INTERRUPTED, Answers
from satcross.answer.choosing.belief_propagation import settle
from satcross.answer.choosing.methods import DEFAULT_METHOD, answer, check_method
from satcross.answer.choosing.problem import FROM_LETTERS, Problem, build_problem, refine_problem
from satcross.answer.choosing.tables import PER_NAT
from satcross.answer.clue import Candidate, Clue, Proposal, SourceSettings, crossword_clues
from satcross.answer.dictionaries.word_pairs import WordPairs, pairs_of_list
from satcross.answer.gather import Gathered, gather_cached
from satcross.answer.model import Calibration, load_calibration
from satcross.answer.sources.clue_database import NAME as CLUES_DATABASE
from satcross.answer.sources.clue_database import (
    PairsOf,
    open_source,
    with_clue_database,
    word_pairs,
)
from satcross.answer.word_table import letter_logs
from satcross.crossword import Crossword
from satcross.grid import Cell, Grid
from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline, OnProgress, ShouldStop, ignore_progress
from satcross.support.letters import one_letter, spell
from satcross.support.wording import first_few
from satcross.vocabulary import Vocabulary

FROM_VOCABULARY = "vocabulary"
LOCKED = "lock"
"""Pseudo-sources of words that no source proposes: found in the vocabulary because they fit, or
locked by the user. ``problem`` has those of words that no list has."""

MAX_LOOKS = 2
"""Second looks at the words of all slots; more of them change nothing."""
_LONGER = 50
"""Answers with too many letters that old clues propose for a slot, for each number of letters."""
_SURE = 0.97
"""Posterior probability of a word above which its slot is not doubted."""
_MAX_NAMED = 8
"""Slots without a clue that a note names."""

AskLonger = Callable[[Clue, int], Iterable[Proposal]]
"""Returns proposals for a clue that have a number of letters."""

_MAX_MORE = 4
"""Letters that an answer may have more than its slot has cells."""
_TRIED = 5
_MIN_SCORE = -4.0
"""Log-probability below which an answer is not tried."""


@dataclass(frozen=True)
class Session:
    """An answered crossword with all intermediate results.

    ``crossword`` has no solution; ``clues`` are in the order of its slots. ``notes`` are messages
    for the user, one line each. ``seconds`` has the keys "sources" and "choose". Reports leave out
    words that are less sure than ``min_sure``, from 0 to 1.
    """

    crossword: Crossword
    clues: tuple[Clue, ...]
    gathered: Gathered
    problem: Problem
    answers: Answers
    notes: tuple[str, ...]
    seconds: Mapping[str, float]
    calibration: Calibration = field(default_factory=Calibration)
    min_sure: float = 0.0

    def is_locked(self, slot: int) -> bool:
        """Return whether the user fixed the word of a slot."""
        return self.clues[slot].slot in self.problem.locks

    def source(self, slot: int) -> str:
        """Return the source (or pseudo-source) of the word in a slot; "" for an open slot."""
        word = self.answers.words[slot]
        if self.is_locked(slot):
            return LOCKED
        known = self.problem.candidate(slot, word)
        if known is not None and known.source:
            return known.source
        if not word:
            return ""
        if self.answers.by_letters[slot]:
            return FROM_LETTERS
        return self.problem.made.get((slot, word), FROM_VOCABULARY)

    def word_sure(self, slot: int) -> float:
        """Return how often answers like the slot's word are right, from 0 to 1."""
        if self.is_locked(slot):
            return 1.0
        word = self.answers.words[slot]
        return self.calibration.words(self.answers.beliefs.word(slot, word) if word else 0.0)

    @property
    def better_than_guesses(self) -> int:
        """The number of words that are not more likely wrong than right."""
        return sum(self.word_sure(slot) >= 0.5 for slot in range(len(self.answers.words)))

    def letter_sure(self, cell: tuple[int, int]) -> float:
        """Return how often letters like the one in a cell are right; 0 for an open cell."""
        letter, beliefs = self.answers.letters[cell[0]][cell[1]], self.answers.beliefs
        return self.calibration.letters(beliefs.letter(cell, letter)) if letter else 0.0

    @cached_property
    def shown_cells(self) -> frozenset[Cell]:
        """The cells of words that are at least ``min_sure``: half a guess reads like an answer."""
        slots = enumerate(self.crossword.grid.slots)
        sure = (slot.cells for index, slot in slots if self.word_sure(index) >= self.min_sure)
        return frozenset().union(*sure)

    @cached_property
    def shown_letters(self) -> tuple[tuple[str | None, ...], ...]:
        """The proposed grid without the cells that are in no word that is sure enough."""
        return tuple(
            tuple(
                letter if (row, column) in self.shown_cells else None
                for column, letter in enumerate(line)
            )
            for row, line in enumerate(self.answers.letters)
        )

    def shown_word(self, slot: int) -> str:
        """Return a slot's word with ``.`` for letters that are not shown."""
        cells = self.crossword.grid.slots[slot].cells
        return "".join(
            letter if cell in self.shown_cells else "."
            for cell, letter in zip(cells, self.answers.words[slot], strict=False)
        )

    def score(self, slot: int) -> float | None:
        """Return the log-probability of a slot's word by its clue alone.

        None for an open slot, a locked word, and a word that the model can't score.
        """
        word = self.answers.words[slot]
        if not word or self.is_locked(slot):
            return None
        known = self.problem.candidate(slot, word)
        if known is not None:
            return known.score
        costs, spelling = self.problem.costs.words[slot], self.problem.costs.spellings[slot]
        cost = costs.get(word) if word in costs or spelling is None else spelling.cost(word)
        return None if cost is None else -cost / PER_NAT

    def top(self, slot: int, number: int) -> Sequence[Candidate]:
        """Return the ``number`` best candidates of a slot by its clue alone."""
        return self.problem.candidates[slot][:number]


def without_solution(crossword: Crossword) -> Crossword:
    """Return the crossword without its solution, which must not influence the answer."""
    return replace(crossword, solution=tuple((None,) * len(row) for row in crossword.solution))


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How to answer a crossword.

    ``sources`` are names; None means the default sources. ``locks`` maps slot names to words.
    ``source_seconds`` limits the sources and ``seconds`` the choice of words; None means no limit.
    ``pairs`` returns the words that answers to a clue may be joined of; None means those of the
    vocabulary.
    ``longer`` proposes answers that need a rebus cell; None means that there is none.
    ``should_stop`` ends either, with the best answer so far.
    """

    sources: Sequence[str] | None = None
    method: str = DEFAULT_METHOD
    locks: Mapping[str, str] = field(default_factory=dict)
    source_seconds: float | None = None
    seconds: float | None = None
    on_progress: OnProgress = ignore_progress
    pairs: PairsOf | None = None
    longer: AskLonger | None = None
    should_stop: ShouldStop | None = None


def answer_crossword(
    crossword: Crossword, source_settings: SourceSettings, settings: AnswerSettings
) -> Session:
    """Answer a crossword from its clues, ignoring any solution that it has.

    On Ctrl-C the best answer available at once is returned, and ``answers.stopped`` says so. Raises
    InputError for locks that don't fit, and UnavailableError for an unknown source or method.
    """
    check_method(settings.method)
    crossword = without_solution(crossword)
    started = time.perf_counter()
    clues = crossword_clues(crossword)
    Puzzle(crossword.grid, source_settings.vocabulary, settings.locks, allow_repeats=True)  # checks
    source_settings = with_clue_database(source_settings, settings.sources, settings.on_progress)
    gathered = gather_cached(
        [clue for clue in clues if clue.text],
        source_settings,
        settings.sources,
        deadline=Deadline.after(settings.source_seconds, settings.should_stop),
        on_progress=settings.on_progress,
    )
    longer = None
    if source_settings.clue_index is not None:
        ask = open_source(CLUES_DATABASE, source_settings).candidates
        longer = partial(ask, number=_LONGER)
    settings = replace(settings, pairs=word_pairs(source_settings), longer=longer)
    seconds = time.perf_counter() - started
    session = choose_words(crossword, clues, gathered, source_settings.vocabulary, settings)
    return replace(session, seconds={"sources": seconds, **session.seconds})


def choose_words(
    crossword: Crossword,
    clues: Sequence[Clue],
    gathered: Gathered,
    vocabulary: Vocabulary,
    settings: AnswerSettings,
) -> Session:
    """Choose a word for every slot from gathered candidates: the second half of an answer."""
    started = time.perf_counter()
    grid, candidates = crossword.grid, gathered.candidates
    problem = build_problem(
        grid, clues, candidates, vocabulary, locks=settings.locks, model=gathered.model
    )
    method = "bp" if gathered.interrupted else settings.method
    if settings.method != "crosswind" and not gathered.interrupted:
        settings.on_progress("looking again where letters are known")
        problem = look_again(problem, vocabulary, clues, settings.pairs, settings.longer)
    deadline = Deadline.after(settings.seconds, settings.should_stop)
    found = answer(problem, method, deadline, settings.on_progress)
    if gathered.interrupted:
        found = replace(found, stopped=INTERRUPTED)
    times = {"choose": time.perf_counter() - started}
    notes = (*_notes_on(clues, problem), *gathered.notes)
    curves = load_calibration(gathered.used)
    return Session(crossword, tuple(clues), gathered, problem, found, notes, times, curves)


def look_again(
    problem: Problem,
    vocabulary: Vocabulary,
    clues: Sequence[Clue],
    pairs_of: PairsOf | None = None,
    longer: AskLonger | None = None,
) -> Problem:
    """Return the problem with the words that agree with the letters found by a first pass.

    Ends when the letters are stable. ``pairs_of`` and ``longer`` are ``pairs`` and ``longer`` of
    ``AnswerSettings``.
    """
    pairs: list[WordPairs] = []
    best: list[str] = []
    rebus: dict[int, dict[str, float]] = {}
    for _ in range(MAX_LOOKS):
        before = best
        beliefs, best = settle(problem.costs)
        shares = enumerate(beliefs.words)
        doubtful = {slot for slot, some in shares if some.max(initial=0) < _SURE}
        if best == before or not doubtful:
            return replace(problem, settled=(beliefs, best))
        if longer is not None:
            chosen = {word for slot, word in enumerate(best) if (slot, word) in problem.made}
            taken = frozenset(sign for word in chosen for sign in word if len(spell(sign)) > 1)
            slots = range(len(best)) if taken else () if before else doubtful
            some = [slot for slot in slots if problem.costs.words[slot]]
            for slot, words in rebus_words(problem.grid, clues, some, longer, taken).items():
                rebus[slot] = {**rebus.get(slot, {}), **words}
        pairs = pairs or [
            pairs_of_list(vocabulary) if pairs_of is None else pairs_of(clue) for clue in clues
        ]
        alphabet = beliefs.tables.alphabet
        letters = [letter_logs(alphabet, incoming) for incoming in beliefs.incoming]
        problem = refine_problem(problem, vocabulary, pairs, letters, rebus)
    return problem


def rebus_words(
    grid: Grid,
    clues: Sequence[Clue],
    slots: Iterable[int],
    longer: AskLonger,
    only: frozenset[str] = frozenset(),
) -> dict[int, dict[str, float]]:
    """Return slot -> word with a rebus cell -> its log-probability, for some slots.

    The database of old clues is asked for answers that are longer than the slot. Two of them may
    stand if their slots cross and the letters in the shared cell are the same. These become a
    single letter (``support.letters``), so that such words are chosen as all others are.
    With ``only``, the cell has one of these letters, since a puzzle mostly repeats its rebus.
    """
    found: defaultdict[tuple[Cell, str], dict[int, tuple[str, str, float]]] = defaultdict(dict)
    known = frozenset(map(spell, only))
    for slot in slots:
        clue, cells = clues[slot], grid.slots[slot].cells
        for more in range(1, _MAX_MORE + 1) if clue.text else ():
            proposals = longer(clue, clue.length + more)
            for proposal in nlargest(_TRIED, proposals, key=lambda proposal: proposal.score):
                word, score = proposal.word, proposal.score
                for at, cell in enumerate(cells) if score >= _MIN_SCORE else ():
                    end = at + more + 1
                    inside = word[at:end]
                    if grid.given(cell) is None and (inside in known or not only):
                        found[cell, inside].setdefault(slot, (word[:at], word[end:], score))
    words: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for (_, inside), crossing in found.items():
        for slot, (before, after, score) in crossing.items() if len(crossing) == 2 else ():
            # A process can pack only some thousands of letter groups into one letter each, so that
            # this waits until two crossing answers agree on a group.
            words[slot][before + one_letter(inside) + after] = score
    return words


def _notes_on(clues: Sequence[Clue], problem: Problem) -> list[str]:
    notes = []
    missing = [clue.slot for clue in clues if not clue.text]
    if missing:
        shown = first_few(missing, _MAX_NAMED)
        notes.append(f"no clue for {shown}; answered from the crossings alone")
    for slot, clue in enumerate(clues):
        found = problem.costs.words[slot]
        if clue.slot not in problem.locks and all((slot, word) in problem.made for word in found):
            notes.append(
                f"{clue.slot}: no source and no list has a word of {clue.length} letters that fits "
                "the given letters; spelled letter by letter"
            )
    return notes


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Which letters and words of an answer are right.

    ``cells`` maps each counted cell to whether its letter is right, ``slots`` each counted slot
    name to whether its word is. Given letters and locked words are not counted.
    """

    cells: Mapping[tuple[int, int], bool]
    slots: Mapping[str, bool]

    @property
    def letters(self) -> tuple[int, int]:
        """Number of right letters, and of counted letters."""
        return sum(self.cells.values()), len(self.cells)

    @property
    def words(self) -> tuple[int, int]:
        """Number of right words, and of counted words."""
        return sum(self.slots.values()), len(self.slots)

    @property
    def solved(self) -> bool:
        return all(self.cells.values())


def measure_accuracy(session: Session, official: Crossword) -> Accuracy | None:
    """Compare an answer with the published solution; None if there is no letter to compare.

    Cells and slots whose solution is not completely known are not counted. Of a rebus cell, all
    letters must be right.
    """
    slots = session.crossword.grid.slots
    locked = {cell for slot in slots if slot.name in session.problem.locks for cell in slot.cells}
    cells, words = {}, {}
    for slot in slots:
        same = []
        for row, column in slot.cells:
            wanted = official.solution[row][column]
            if wanted is None:
                continue
            same.append(spell(session.answers.letters[row][column] or "") == spell(wanted))
            if (row, column) not in locked and official.grid.given((row, column)) is None:
                cells[row, column] = same[-1]
        if len(same) == slot.length and slot.name not in session.problem.locks:
            words[slot.name] = all(same)
    return Accuracy(cells, words) if cells else None
