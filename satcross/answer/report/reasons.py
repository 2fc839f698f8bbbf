"""Explain the answer of a slot: evidence of sources, support of crossings, and the next best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from satcross.answer.choosing.methods import answer
from satcross.answer.choosing.problem import Problem
from satcross.answer.choosing.tables import PER_NAT
from satcross.answer.clue import Candidate
from satcross.answer.session import Session
from satcross.errors import InputError
from satcross.grid import Grid
from satcross.run_settings import Deadline

_SECONDS = 15.0
_CANDIDATES = 10
_LETTERS = 3


@dataclass(frozen=True, slots=True)
class CrossingSupport:
    """Support of a crossing slot for one letter of the answer, named as in JSON.

    ``crossing`` is the name of the crossing slot, None where nothing crosses, and ``word`` the word
    in it. ``probability`` is that of the letter without regard to the explained slot's clue;
    ``rather`` has the likeliest letters with theirs, most likely first.
    """

    letter: str | None
    crossing: str | None = None
    word: str | None = None
    probability: float | None = None
    rather: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NextBest:
    """The best answer to the puzzle with another word in the slot.

    ``log_ratio`` is how much less likely that answer is, in nats; it is negative if the answer is
    more likely, which happens with methods that don't optimise. ``changes`` maps the other slots
    that differ to their new words. ``proved`` says whether the answer is proved to be the best.
    """

    word: str
    log_ratio: float
    changes: Mapping[str, str]
    proved: bool


@dataclass(frozen=True, slots=True)
class Reasons:
    """Explanation of the answer in one slot.

    ``position`` is the place of the word among the candidates, from 1; None if it is not one of
    them. ``likeliest`` says how sure words are with all crossings, best first.
    """

    slot: int
    word: str
    position: int | None
    chosen: Candidate | None
    candidates: tuple[Candidate, ...]
    likeliest: Mapping[str, float]
    crossings: tuple[CrossingSupport, ...]
    next_best: NextBest | None


def reasons(session: Session, name: str, seconds: float | None = None) -> Reasons:
    """Explain the word in the named slot. Raises InputError for an unknown slot.

    ``seconds`` limits the search for the next best answer.
    """
    grid = session.crossword.grid
    slot = check_slot(grid, name)
    word = session.answers.words[slot]
    known = session.problem.candidates[slot]
    likeliest = session.answers.beliefs.likeliest(slot, _LETTERS)
    return Reasons(
        slot,
        word,
        next((place for place, other in enumerate(known, 1) if other.word == word), None),
        session.problem.candidate(slot, word),
        known[:_CANDIDATES],
        {word: session.calibration.words(share) for word, share in likeliest},
        tuple(_crossing_support(session, slot)),
        None if session.is_locked(slot) else _next_best(session, slot, seconds),
    )


def check_slot(grid: Grid, name: str) -> int:
    """Return the index of the named slot. Raises InputError for an unknown slot."""
    slot = grid.slot_named(name)
    if slot is None:
        names = ", ".join(slot.name for slot in grid.slots)
        raise InputError(f"no slot {name!r} to explain", f"the grid has {names}")
    return slot


def _crossing_support(session: Session, slot: int) -> Iterator[CrossingSupport]:
    beliefs, grid = session.answers.beliefs, session.crossword.grid
    alphabet = beliefs.tables.alphabet
    crossing = {position: other for position, other, _ in beliefs.tables.links[slot]}
    for position, (row, column) in enumerate(grid.slots[slot].cells):
        letter, other = session.answers.letters[row][column], crossing.get(position)
        if other is None:
            yield CrossingSupport(letter)
            continue
        incoming = beliefs.incoming[slot][position]
        shares = dict(zip(alphabet, incoming.tolist(), strict=True))
        yield CrossingSupport(
            letter,
            grid.slots[other].name,
            session.answers.words[other] or None,
            shares.get(letter or "", 0.0),
            {
                alphabet[at]: shares[alphabet[at]]
                for at in (-incoming).argsort(kind="stable")[:_LETTERS]
            },
        )


def _next_best(session: Session, slot: int, seconds: float | None) -> NextBest | None:
    """Answer again without the word; None when there is no comparable answer."""
    answers = session.answers
    word = answers.words[slot]
    if answers.cost is None or not word:
        return None
    other = without(session.problem, slot, word)
    if not other.costs.words[slot]:
        return None
    limit = _SECONDS if seconds is None else min(seconds, _SECONDS)
    again = answer(other, "cpsat", Deadline.after(limit))
    if again.cost is None:
        return None
    names = [each.name for each in session.crossword.grid.slots]
    changes = {
        names[at]: new
        for at, (old, new) in enumerate(zip(answers.words, again.words, strict=True))
        if old != new and at != slot
    }
    log_ratio = (again.cost - answers.cost) / PER_NAT
    return NextBest(again.words[slot], log_ratio, changes, again.optimal is True)


def without(problem: Problem, slot: int, word: str) -> Problem:
    """Return the problem with a word forbidden in a slot, both as a word and spelled."""
    costs = problem.costs
    words, spellings = list(costs.words), list(costs.spellings)
    words[slot] = {other: cost for other, cost in costs.words[slot].items() if other != word}
    if words[slot]:
        spellings[slot] = None
    return replace(
        problem, settled=None, costs=replace(costs, words=tuple(words), spellings=tuple(spellings))
    )
