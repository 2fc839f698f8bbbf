"""Refutation of a puzzle by cases over letters, as lemmas for reverse unit propagation.

This is for rules that clause learning on letters does not know, and without compiled code.
Conflict-driven solvers write long proofs for crosswords, because their clauses contain thousands of
words. A search that branches on letters and maintains arc consistency needs few cases. Each refuted
case is a short clause ("not these letters together") that follows by reverse unit propagation (Van
Gelder 2008) from the support encoding and the previous lemmas, because unit propagation on that
encoding maintains arc consistency.

The search uses 2-way branching (Sabin and Freuder 1994): a letter or not that letter, so that a
refuted letter is propagated before the next cell is chosen. This needed two thirds of the lemmas
that branching on all letters of a cell needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from satcross.network.arc_consistency import Candidates, State, bits
from satcross.run_settings import Deadline, OnProgress, ignore_progress
from satcross.vocabulary import Masks


@dataclass(frozen=True, slots=True)
class LetterDecision:
    """The crossing with this index in ``Grid.crossings`` has this letter."""

    crossing: int
    letter: str


@dataclass(frozen=True, slots=True)
class WordDecision:
    """The slot has the word with this index in the lexicon of the slot."""

    slot: int
    word: int


Decision = LetterDecision | WordDecision
Lemma = tuple[Decision, ...]
"""Decisions that do not all hold in any fill."""


class FilledError(Exception):
    """The puzzle has a fill and can't be refuted."""


# Number of lemmas in the first attempt. No order of cells is best for all puzzles (on three grids,
# each was best at least once, by a factor of 40 on one), so that attempts alternate and grow.
_FIRST_ATTEMPT = 2000
_GROWTH = 4


class Refutation:
    """Search for lemmas that refute a puzzle whose ``candidates`` are arc-consistent."""

    def __init__(self, candidates: Candidates) -> None:
        self._network = candidates.network
        self._root = candidates.root
        crossings = self._network.puzzle.grid.crossings
        self._ends = [(crossing.across, crossing.down) for crossing in crossings]
        self._masks: list[dict[int, Masks]] = [{} for _ in crossings]
        for slot, links in enumerate(self._network.links):
            for crossing, _, masks, _, _ in links:
                self._masks[crossing][slot] = masks
        self._weights = [1.0] * len(crossings)

    def run(self, deadline: Deadline, on_progress: OnProgress = ignore_progress) -> list[Lemma]:
        """Return the lemmas. Raises TimeUp, and FilledError for a fill."""
        max_lemmas = _FIRST_ATTEMPT
        while True:
            for weighted in (False, True):
                lemmas, done = self._attempt(max_lemmas, weighted, deadline, on_progress)
                if done:
                    return lemmas
                deadline.check()
            max_lemmas *= _GROWTH

    def _attempt(
        self, max_lemmas: int, weighted: bool, deadline: Deadline, on_progress: OnProgress
    ) -> tuple[list[Lemma], bool]:
        lemmas: list[Lemma] = []
        path: list[Decision] = []
        states = [self._root.copy()]  # the root, then the state after each decision of the path
        while len(lemmas) < max_lemmas and not deadline.passed:
            decision = self._choose(states[-1], weighted)
            on_progress(f"proof: {len(lemmas)} lemmas, {len(path)} decisions deep")
            path.append(decision)
            child = states[-1].copy()
            if self._apply(child, decision, holds=True):
                states.append(child)
                continue
            while True:
                lemmas.append(tuple(path))
                if self._apply(states[-1], path.pop(), holds=False):
                    break
                states.pop()
                if not states:
                    return lemmas, True
        return lemmas, False

    def _choose(self, state: State, weighted: bool) -> Decision:
        """Return the most frequent letter of the cell with the fewest (or weighted) letters."""
        best = lowest = None
        for crossing, letters in enumerate(state.letters):
            if len(letters) > 1:
                value = len(letters) / self._weights[crossing] if weighted else len(letters)
                if lowest is None or value < lowest:
                    best, lowest = crossing, value
        if best is None:
            return self._choose_word(state)
        across, down = self._ends[best]
        across_masks, down_masks = self._masks[best][across], self._masks[best][down]

        def combinations(letter: str) -> int:
            return (state.domains[across] & across_masks[letter]).bit_count() * (
                state.domains[down] & down_masks[letter]
            ).bit_count()

        return LetterDecision(best, max(state.letters[best], key=combinations))

    def _choose_word(self, state: State) -> Decision:
        """Return a word decision for a state in which all crossing letters are decided.

        Only rules between words can then fail. Raises FilledError if no such rule is left.
        """
        only_all_different = self._network.word_rules.plain
        choice = [
            (size, slot)
            for slot, size in enumerate(state.sizes)
            if size > 1 and (self._network.peers[slot] or not only_all_different)
        ]
        if not choice:
            raise FilledError
        slot = min(choice)[1]
        return WordDecision(slot, next(bits(state.domains[slot])))

    def _apply(self, state: State, decision: Decision, *, holds: bool) -> bool:
        """Let a decision hold in ``state``, or not, and propagate; return False on a conflict."""
        if isinstance(decision, WordDecision):
            word = 1 << decision.word
            return self._narrow(state, {decision.slot: word if holds else ~word})
        crossing, letter = decision.crossing, decision.letter
        letters = state.letters[crossing]
        state.letters[crossing] = [item for item in letters if (item == letter) is holds]
        masks = {slot: masks[letter] for slot, masks in self._masks[crossing].items()}
        retained = masks if holds else {slot: ~mask for slot, mask in masks.items()}
        return self._narrow(state, retained, crossing)

    def _narrow(self, state: State, retained: dict[int, int], crossing: int | None = None) -> bool:
        for slot, mask in retained.items():
            state.domains[slot] &= mask
            state.sizes[slot] = state.domains[slot].bit_count()
        if all(state.sizes[slot] for slot in retained) and not self._network.propagate(
            state, retained
        ):
            return True
        if crossing is not None:
            self._weights[crossing] += 1
        return False
