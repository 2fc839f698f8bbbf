"""Turn candidates into a weighted constraint problem that every method of choosing solves.

A slot takes one of its candidates, or a word of the vocabulary that no source proposes, or an
answer that no list has. The fitted model divides the probability that the candidates leave between
the last two, so an answer that no source knows has a cost in its own slot and none in the crossing
slots. What no list has is composed of known words, or spelled with likely runs of letters, or else
spelled letter by letter. Locked words and given letters are spelled at no cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from math import inf, log
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from encoders import Spelling, WeightedInstance
from satcross.answer.choosing.compose import composed_words, letter_runs, spelled_words
from satcross.answer.choosing.tables import PER_NAT
from satcross.answer.clue import Candidate, Clue
from satcross.answer.dictionaries.word_pairs import WordPairs
from satcross.answer.model import Model, WordScores, load_model, log_sum
from satcross.answer.word_table import Floats, WordTable, highest, letter_sums, word_table
from satcross.grid import Grid, Slot
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary, WordGroup

if TYPE_CHECKING:
    from satcross.answer.choosing.belief_propagation import Beliefs

MAX_OTHERS = 4000
"""Words of the vocabulary that no source proposes, for each slot: a tenth of the default list's."""

_MAX_NEAR = 1000
"""Such words of a slot in a second look, those likeliest by its clue and its crossings."""

MIN_UNASSIGNED = 0.002
"""Smallest probability that is reserved for words no source proposes."""

FROM_WORDS = "joined words"
FROM_REBUS = "rebus"
FROM_LETTERS = "letters"
"""Pseudo-sources of words that no list has: composed, with several letters in a cell, spelled."""

_MAX_COST = 40 * PER_NAT
_COMPOSED, _SPELLED, _ANY_LETTERS = log(0.6), log(0.27), log(0.13)
"""Log-probabilities that an answer in no list is composed of known words, or spelled with the
likely runs of letters, or with any: estimated by expectation and maximisation from the 1,029
answers of 2013 that neither the default list nor newspaper clues to 2012 have, without regard to
their clues."""
_SMOOTHING = 0.5
_ENOUGH_WORDS = 100
_SAMPLE = 20_000
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class ClueCosts:
    """What a clue says about the words of its slot, whatever the crossings say.

    ``kept`` are the candidates that fit, best first, and ``costs`` theirs; ``left`` is the
    probability that they leave. Of it, a word of the vocabulary has the share
    ``exp(score - total)``, by its place in the group, and unknown words ``exp(unknown - total)``;
    the score of candidates and of words that don't fit is minus infinity.
    """

    kept: tuple[Candidate, ...] = ()
    costs: Mapping[str, int] = field(default_factory=dict)
    left: float = 0.0
    scores: Floats | None = None
    """None when the vocabulary has no other word that fits."""
    unknown: float = 0.0
    total: float = 0.0


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
    made: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """(slot, word) -> pseudo-source of the words that no list has."""
    by_clue: tuple[ClueCosts, ...] = field(default=(), repr=False, compare=False)
    settled: tuple[Beliefs, list[str]] | None = field(default=None, repr=False, compare=False)
    """What belief propagation says of these costs, where it was asked."""
    _by_word: tuple[dict[str, Candidate], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_word = tuple({known.word: known for known in some} for some in self.candidates)
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
    model: Model | None = None,
) -> Problem:
    """Build the problem of a grid from a clue for each slot, in order, and candidates by slot name.

    ``model`` divides what the candidates leave among the other words, of which each slot has the
    ``MAX_OTHERS`` likeliest. Raises InputError for locks that do not fit the grid, its letters or
    each other.
    """
    puzzle = Puzzle(grid, vocabulary, locks or {}, allow_repeats=True)
    model = model or load_model()
    parts = []
    for slot, clue in zip(grid.slots, clues, strict=True):
        by_clue = ClueCosts()
        if slot.name not in puzzle.locks:
            known = _given_letters(puzzle, slot)
            found = candidates.get(slot.name, ())
            by_clue = _costs_by_clue(found, clue, vocabulary.group(slot.length), known, model)
        parts.append(_slot_costs(puzzle, slot, by_clue))
    return _joined(puzzle, parts)


def refine_problem(
    problem: Problem,
    vocabulary: Vocabulary,
    pairs: Sequence[WordPairs],
    letters: Sequence[Floats],
    rebus: Mapping[int, Mapping[str, float]] = MappingProxyType({}),
) -> Problem:
    """Return the problem with other words, that agree with the letters of the crossings.

    ``letters``, an array of ``word_table.letter_logs`` for each slot, says which letters are likely
    by the crossings. Slots have the words of the vocabulary likeliest by these and the clue,
    answers composed of the words of their ``pairs`` or spelled, and those of ``rebus`` (slot ->
    word -> log-probability).
    """
    puzzle = Puzzle(problem.grid, vocabulary, problem.locks, allow_repeats=True)
    runs = letter_runs(vocabulary)
    parts = []
    for number, slot in enumerate(problem.grid.slots):
        likely = letters[number]
        made: dict[str, tuple[float, str]] = {}
        for source, share, scores in (
            (FROM_WORDS, _COMPOSED, composed_words(pairs[number], likely)),
            (FROM_LETTERS, _SPELLED, spelled_words(runs, likely)),
            (FROM_REBUS, _COMPOSED, rebus.get(number, {})),
        ):
            for word, score in scores.items():
                made[word] = max(made.get(word, (-inf, "")), (share + score, source))
        parts.append(_slot_costs(puzzle, slot, problem.by_clue[number], likely, made))
    return _joined(puzzle, parts)


@dataclass(frozen=True, slots=True)
class _SlotCosts:
    """What a slot costs by the clue, by each word and spelled, and the words that no list has."""

    by_clue: ClueCosts
    words: Mapping[str, int]
    spelling: Spelling | None
    made: Mapping[str, str]


def _slot_costs(
    puzzle: Puzzle,
    slot: Slot,
    by_clue: ClueCosts,
    letters: Floats | None = None,
    makeable: Mapping[str, tuple[float, str]] = MappingProxyType({}),
) -> _SlotCosts:
    """``makeable`` has answers that need no list: word -> (log-probability, pseudo-source)."""
    vocabulary, known = puzzle.vocabulary, _given_letters(puzzle, slot)
    costs: dict[str, int] = {}
    left = 0.0
    made: dict[str, str] = {}
    if slot.name not in puzzle.locks:
        costs, left = dict(by_clue.costs), log(by_clue.left)
        if by_clue.scores is not None:
            group = vocabulary.group(slot.length)
            chosen = _likeliest(by_clue.scores, word_table(group), letters)
            listed = [group.words[at] for at in chosen.tolist()]
            scores = left + by_clue.scores[chosen] - by_clue.total
            costs.update(zip(listed, _prices(scores), strict=True))
            left += by_clue.unknown - by_clue.total
        # A listed word that is no candidate may be likelier for its parts than by the list.
        fitting = [word for word in makeable if word not in by_clue.costs and _fits(word, known)]
        scores = np.array([makeable[word][0] for word in fitting])
        made = {word: makeable[word][1] for word in fitting if word not in costs}
        for word, cost in zip(fitting, _prices(left + scores), strict=True):
            costs[word] = min(cost, costs.get(word, cost))
        for word in puzzle.locks.values():
            costs.pop(word, None)
        left += _ANY_LETTERS
    letter_costs = enumerate(_spelling_costs(vocabulary, slot.length))
    spelled = tuple({known[at]: 0} if at in known else each for at, each in letter_costs)
    (base,) = _prices(np.array([left]))
    return _SlotCosts(by_clue, costs, Spelling(base, spelled), made)


def _given_letters(puzzle: Puzzle, slot: Slot) -> dict[int, str]:
    given = puzzle.fixed_letters
    return {position: given[cell] for position, cell in enumerate(slot.cells) if cell in given}


def _joined(puzzle: Puzzle, parts: Sequence[_SlotCosts]) -> Problem:
    instance = WeightedInstance(
        tuple(slot.cells for slot in puzzle.grid.slots),
        tuple(part.words for part in parts),
        tuple(part.spelling for part in parts),
    )
    return Problem(
        puzzle.grid,
        tuple(part.by_clue.kept for part in parts),
        instance,
        dict(puzzle.locks),
        {
            (slot, word): source
            for slot, part in enumerate(parts)
            for word, source in part.made.items()
        },
        tuple(part.by_clue for part in parts),
    )


def _fits(word: str, known: Mapping[int, str]) -> bool:
    return not known or all(word[position] == letter for position, letter in known.items())


def _costs_by_clue(
    candidates: Sequence[Candidate],
    clue: Clue,
    group: WordGroup,
    known: Mapping[int, str],
    model: Model,
) -> ClueCosts:
    """Keep the candidates that fit the slot and its given letters, each word once, best first."""
    kept: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=lambda candidate: -candidate.score):
        if len(candidate.word) == group.length and _fits(candidate.word, known):
            kept.setdefault(candidate.word, candidate)
    logs = np.array([candidate.score for candidate in kept.values()])
    left = max(MIN_UNASSIGNED, 1 - float(np.exp(np.minimum(0, logs)).sum()))
    costs = dict(zip(kept, _prices(logs), strict=True))
    own, table = WordScores(model, clue, group), word_table(group)
    scores = own.prior
    scores[[table.index[word] for word in costs if word in table.index]] = -np.inf
    if not len(scores) or scores.max() == -np.inf:
        return ClueCosts(tuple(kept.values()), costs, left)
    total = log_sum(np.append(scores, own.unknown))
    if known:
        scores[~table.fitting(known)] = -np.inf
    return ClueCosts(tuple(kept.values()), costs, left, scores, own.unknown, total)


def _likeliest(scores: Floats, table: WordTable, letters: Floats | None) -> NDArray[np.intp]:
    """Return the words most likely by the clue, or by clue and letters of the crossings."""
    possible = np.flatnonzero(scores > -np.inf)
    if letters is None:
        return possible[highest(scores[possible], MAX_OTHERS)]
    both = scores + letter_sums(letters, table.codes)
    return possible[highest(both[possible], _MAX_NEAR)]


def _prices(scores: Floats) -> list[int]:
    """Return the costs that belong to log-probabilities."""
    prices: list[int] = np.rint(scores * -PER_NAT).clip(0, _MAX_COST).astype(int).tolist()
    return prices


@lru_cache(maxsize=64)
def _spelling_costs(vocabulary: Vocabulary, length: int) -> list[dict[str, int]]:
    """Return the costs of letters by their frequency at each position of the vocabulary's words."""
    words = vocabulary.group(length).words
    if len(words) < _ENOUGH_WORDS:  # letter frequencies over all words and positions
        everywhere = Counter(chain.from_iterable(islice(vocabulary, _SAMPLE)))
        return [_letter_costs(everywhere)] * length
    return [_letter_costs(Counter(map(itemgetter(at), words))) for at in range(length)]


def _letter_costs(counts: Counter[str]) -> dict[str, int]:
    alphabet = sorted({*_LETTERS, *counts})
    total = log(sum(counts.values()) + _SMOOTHING * len(alphabet))
    logs = np.log([counts[letter] + _SMOOTHING for letter in alphabet]) - total
    return dict(zip(alphabet, _prices(logs), strict=True))
