"""Explain the answer of a slot: evidence of sources, support of crossings, and the next best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

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
    """Support of a crossing slot for one letter of the answer.

    ``crossing`` is the name of the crossing slot, None where nothing crosses, and ``word`` the word
    in it. ``probability`` is that of the letter without regard to the explained slot's clue;
    ``alternatives`` are (letter, probability) pairs, most likely first.
    """

    letter: str | None
    crossing: str | None
    word: str
    probability: float
    alternatives: tuple[tuple[str, float], ...]


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

    ``position`` is the 0-based rank of the word among the candidates, None if it is not one of
    them. ``likeliest`` are (word, probability) pairs with all crossings, best first.
    """

    slot: int
    word: str
    chosen: Candidate | None
    position: int | None
    candidates: tuple[Candidate, ...]
    likeliest: tuple[tuple[str, float], ...]
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
    position = next((at for at, other in enumerate(known) if other.word == word), None)
    locked = grid.slots[slot].name in session.problem.locks
    return Reasons(
        slot,
        word,
        session.problem.candidate(slot, word),
        position,
        known[:_CANDIDATES],
        tuple(session.answers.beliefs.likeliest(slot, _LETTERS)),
        _crossing_support(session, slot),
        None if locked else _next_best(session, slot, seconds),
    )


def check_slot(grid: Grid, name: str) -> int:
    """Return the index of the named slot. Raises InputError for an unknown slot."""
    slot = grid.slot_named(name)
    if slot is None:
        names = ", ".join(slot.name for slot in grid.slots)
        raise InputError(f"no slot {name!r} to explain", f"the grid has {names}")
    return slot


def _crossing_support(session: Session, slot: int) -> tuple[CrossingSupport, ...]:
    beliefs = session.answers.beliefs
    grid = session.crossword.grid
    crossing = {position: other for position, other, _ in beliefs.tables.links[slot]}
    found = []
    for position, (row, column) in enumerate(grid.slots[slot].cells):
        letter = session.answers.letters[row][column]
        other = crossing.get(position)
        if other is None:
            found.append(CrossingSupport(letter, None, "", 0.0, ()))
            continue
        incoming = beliefs.incoming[slot][position]
        order = (-incoming).argsort(kind="stable")[:_LETTERS]
        alphabet = beliefs.tables.alphabet
        at = alphabet.find(letter) if letter else -1
        found.append(
            CrossingSupport(
                letter,
                grid.slots[other].name,
                session.answers.words[other],
                float(incoming[at]) if at >= 0 else 0.0,
                tuple((alphabet[code], float(incoming[code])) for code in order),
            )
        )
    return tuple(found)


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
