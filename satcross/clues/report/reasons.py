"""Why an answer stands in a slot: what sources said, what crossings press for, what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from satcross.clues.answer import Session
from satcross.clues.choosing.methods import METHODS, Answers, Clock, answer
from satcross.clues.choosing.problem import PER_NAT, Problem
from satcross.clues.clue import Candidate
from satcross.errors import InputError
from satcross.grid import Grid

_EXACT = ("cpsat", "rc2")
_SECONDS = 15.0
_CANDIDATES = 10
_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Pressure:
    """A cell of the slot: its letter, the slot that crosses there with its word (None where none
    does), how probable the crossing's clues make the letter by themselves, and what they would
    rather have: (letter, probability), likeliest first."""

    letter: str | None
    crossing: str | None
    word: str
    probability: float
    rather: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class NextBest:
    """The best answer to the puzzle with something else in the slot.

    ``log_ratio``: by so many nats it is less likely; below 0 if it is likelier, which a method that
    does not look for the likeliest may leave. ``changes``: what else would be different, slot name
    -> word. ``proved``: that nothing better is in that slot.
    """

    word: str
    log_ratio: float
    changes: Mapping[str, str]
    proved: bool


@dataclass(frozen=True, slots=True)
class Reasons:
    """All of that for one slot. ``position`` is where its word stands among the candidates."""

    slot: int
    word: str
    chosen: Candidate | None
    position: int | None
    candidates: tuple[Candidate, ...]
    likeliest: tuple[tuple[str, float], ...]
    pressure: tuple[Pressure, ...]
    next_best: NextBest | None


def reasons(session: Session, name: str, seconds: float | None = None) -> Reasons:
    """Explain the word in the slot of that name. Raises InputError when there is no such slot."""
    grid = session.crossword.grid
    slot = check_slot(grid, name)
    word = session.answers.words[slot]
    known = session.question.candidates[slot]
    position = next((at for at, one in enumerate(known) if one.word == word), None)
    locked = grid.slots[slot].name in session.question.locks
    return Reasons(
        slot,
        word,
        session.question.candidate(slot, word),
        position,
        known[:_CANDIDATES],
        tuple(session.answers.beliefs.likeliest(slot, _LETTERS)),
        _pressure(session, slot),
        None if locked else _next_best(session, slot, seconds),
    )


def check_slot(grid: Grid, name: str) -> int:
    """The index of the slot of that name. Raises InputError when there is none."""
    slot = grid.slot_named(name)
    if slot is None:
        names = ", ".join(one.name for one in grid.slots)
        raise InputError(f"there is no slot {name!r} to explain", f"the grid has {names}")
    return slot


def _pressure(session: Session, slot: int) -> tuple[Pressure, ...]:
    beliefs = session.answers.beliefs
    grid = session.crossword.grid
    found = []
    for position, (row, column) in enumerate(grid.slots[slot].cells):
        letter = session.answers.letters[row][column]
        link = beliefs.tables.links[slot][position]
        if link is None:
            found.append(Pressure(letter, None, "", 0.0, ()))
            continue
        heard = beliefs.heard[slot][position]
        order = (-heard).argsort(kind="stable")[:_LETTERS]
        alphabet = beliefs.tables.alphabet
        at = alphabet.find(letter) if letter else -1
        found.append(
            Pressure(
                letter,
                grid.slots[link[0]].name,
                session.answers.words[link[0]],
                float(heard[at]) if at >= 0 else 0.0,
                tuple((alphabet[one], float(heard[one])) for one in order),
            )
        )
    return tuple(found)


def _next_best(session: Session, slot: int, seconds: float | None) -> NextBest | None:
    """Answer again without the word; nothing when that can't be compared or has no answer."""
    answers = session.answers
    word = answers.words[slot]
    if answers.cost is None or not word:
        return None
    other = without(session.question, slot, word)
    if not other.costs.words[slot]:
        return None
    method = answers.method if answers.method in _EXACT else next(iter(METHODS))
    limit = _SECONDS if seconds is None else min(seconds, _SECONDS)
    again: Answers = answer(other, method, Clock(limit))
    if again.cost is None:
        return None
    names = [one.name for one in session.crossword.grid.slots]
    changes = {
        names[at]: new
        for at, (old, new) in enumerate(zip(answers.words, again.words, strict=True))
        if old != new and at != slot
    }
    log_ratio = (again.cost - answers.cost) / PER_NAT
    return NextBest(again.words[slot], log_ratio, changes, again.optimal is True)


def without(question: Problem, slot: int, word: str) -> Problem:
    """The question with a word forbidden in a slot, which can't be spelt then either."""
    costs = question.costs
    words, spellings = list(costs.words), list(costs.spellings)
    words[slot] = {one: cost for one, cost in costs.words[slot].items() if one != word}
    if words[slot]:
        spellings[slot] = None
    return replace(question, costs=replace(costs, words=tuple(words), spellings=tuple(spellings)))
