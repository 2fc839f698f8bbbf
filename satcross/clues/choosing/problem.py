"""Turn candidates into a weighted constraint problem that every method of choosing solves.

A slot takes one of its candidates, or a word of the vocabulary that no source proposes, or is
spelled letter by letter. The fitted model divides the probability that the candidates leave between
the last two, so an answer that no source knows has a cost in its own slot and none in the crossing
slots. Locked words and given letters are spelled at no cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, islice
from math import exp, log

import numpy as np

from encoders import Spelling, WeightedInstance
from satcross.clues.clue import Candidate, Clue
from satcross.clues.model import Model, load_model
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

PER_NAT = 100
"""Units of cost per nat: a cost of 100 means a probability of 1/e. Sources are not that precise."""

MIN_UNASSIGNED = 0.002
"""Smallest probability that is reserved for words no source proposes."""

_MAX_COST = 40 * PER_NAT
_SMOOTHING = 0.5
_ENOUGH_WORDS = 100
_SAMPLE = 20_000
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Problem:
    """Candidates and costs of every slot, in the order of the grid's slots.

    ``candidates`` are those that fit the given letters, best first. ``costs`` are in units of
    ``PER_NAT``: the log-probability of an answer is ``-cost / PER_NAT``. ``locks`` maps slot names
    to the words that the user fixed.
    """

    grid: Grid
    candidates: tuple[tuple[Candidate, ...], ...]
    costs: WeightedInstance
    locks: Mapping[str, str] = field(default_factory=dict)
    _by_word: tuple[dict[str, Candidate], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_word = tuple({one.word: one for one in known} for known in self.candidates)
        object.__setattr__(self, "_by_word", by_word)

    def candidate(self, slot: int, word: str) -> Candidate | None:
        """Return the candidate of the slot for a word, or None."""
        return self._by_word[slot].get(word)


def build_problem(
    grid: Grid,
    clues: Sequence[Clue],
    candidates: Mapping[str, Sequence[Candidate]],
    vocabulary: Vocabulary,
    *,
    locks: Mapping[str, str] | None = None,
    repeats: bool = False,
    model: Model | None = None,
) -> Problem:
    """Build the problem of a grid from a clue for each slot, in order, and candidates by slot name.

    ``repeats`` lets a word appear in several slots. ``model`` divides what the candidates leave
    among the other words. Raises InputError for locks that do not fit the
    grid, its letters or each other.
    """
    puzzle = Puzzle(grid, vocabulary, locks or {}, allow_repeats=True)
    given = puzzle.fixed_letters
    letters = _Letters(vocabulary)
    lists, words, spellings = [], [], []
    for slot, clue in zip(grid.slots, clues, strict=True):
        known = {position: given[cell] for position, cell in enumerate(slot.cells) if cell in given}
        kept: list[Candidate] = []
        costs: dict[str, int] = {}
        left = 0.0
        if slot.name not in puzzle.locks:
            kept = _fitting(candidates.get(slot.name, ()), slot.length, known)
            costs, left = _costs(kept, clue, vocabulary, known, model or load_model())
            if not repeats:
                for word in puzzle.locks.values():
                    costs.pop(word, None)
        lists.append(tuple(kept))
        words.append(costs)
        spellings.append(_spelling(letters.costs(slot.length), left, known))
    slots = tuple(slot.cells for slot in grid.slots)
    instance = WeightedInstance(slots, tuple(words), tuple(spellings), repeats)
    return Problem(grid, tuple(lists), instance, dict(puzzle.locks))


def _fitting(
    candidates: Sequence[Candidate], length: int, known: Mapping[int, str]
) -> list[Candidate]:
    """Return the candidates that fit the slot and its given letters, each word once, best first."""
    kept: dict[str, Candidate] = {}
    for one in sorted(candidates, key=lambda one: -one.score):
        if len(one.word) == length and _fits(one.word, known):
            kept.setdefault(one.word, one)
    return list(kept.values())


def _fits(word: str, known: Mapping[int, str]) -> bool:
    return all(word[position] == letter for position, letter in known.items())


def _costs(
    kept: Sequence[Candidate],
    clue: Clue,
    vocabulary: Vocabulary,
    known: Mapping[int, str],
    model: Model,
) -> tuple[dict[str, int], float]:
    """Return word -> cost for candidates and vocabulary, and the log-probability of spelling."""
    left = max(MIN_UNASSIGNED, 1 - sum(exp(min(0.0, one.score)) for one in kept))
    costs = {one.word: _cost(one.score) for one in kept}
    group = vocabulary.group(clue.length)
    others = np.array([word not in costs for word in group.words], dtype=np.bool_)
    if others.any():
        scores = model.prior(clue, group)[others]
        unknown = model.weights.get("unknown", 0.0)
        total = np.logaddexp(np.logaddexp.reduce(scores), unknown)
        prices = np.rint((log(left) + scores - total) * -PER_NAT).clip(0, _MAX_COST)
        left *= exp(unknown - total)
        for word, price in zip(compress(group.words, others), prices.astype(int), strict=True):
            if not known or _fits(word, known):
                costs[word] = int(price)
    return costs, log(left)


def _cost(score: float) -> int:
    return min(_MAX_COST, max(0, round(-score * PER_NAT)))


class _Letters:
    """Costs of letters by their frequency at each position of the vocabulary's words."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: dict[int, list[dict[str, int]]] = {}

    def costs(self, length: int) -> list[dict[str, int]]:
        if length not in self._known:
            words = self._vocabulary.group(length).words
            # For a length with few words: letter frequencies over all words and positions.
            few = len(words) < _ENOUGH_WORDS
            everywhere = Counter(chain.from_iterable(islice(self._vocabulary, _SAMPLE)))
            self._known[length] = [
                _letter_costs(everywhere if few else Counter(word[at] for word in words))
                for at in range(length)
            ]
        return self._known[length]


def _letter_costs(counts: Counter[str]) -> dict[str, int]:
    alphabet = sorted({*_LETTERS, *counts})
    total = log(sum(counts.values()) + _SMOOTHING * len(alphabet))
    return {letter: _cost(log(counts[letter] + _SMOOTHING) - total) for letter in alphabet}


def _spelling(
    alphabets: Sequence[Mapping[str, int]], left: float, known: Mapping[int, str]
) -> Spelling:
    return Spelling(
        _cost(left),
        tuple(
            {known[position]: 0} if position in known else costs
            for position, costs in enumerate(alphabets)
        ),
    )
