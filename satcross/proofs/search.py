"""A refutation of a puzzle by cases over letters, written as lemmas that unit propagation accepts.

Conflict-driven solvers do badly at proofs here: their clauses speak of thousands of words each. A
search that decides letters and maintains arc consistency needs few cases, and every refuted case is
a short clause ("not these letters together") that follows by reverse unit propagation (Van Gelder
2008) from the support encoding and the lemmas before it: unit propagation on that encoding does
what arc consistency does.

Each decision has two sides, the letter or not (Sabin and Freuder 1994 call it 2-way branching), so
that a refuted letter is propagated before the next cell is chosen; this took two thirds of the
lemmas that trying all letters of a cell takes.
"""

from __future__ import annotations

from dataclasses import dataclass

from satcross.deadline import Deadline, OnProgress, ignore_progress
from satcross.network.arc_consistency import Candidates, State, bits
from satcross.vocabulary import Masks


@dataclass(frozen=True, slots=True)
class LetterDecision:
    """A crossing (its index in ``Grid.crossings``) has a letter."""

    crossing: int
    letter: str


@dataclass(frozen=True, slots=True)
class WordDecision:
    """A slot has the word of this index in its lexicon."""

    slot: int
    word: int


Decision = LetterDecision | WordDecision
Lemma = tuple[Decision, ...]
"""Not all of these together."""


class FilledError(Exception):
    """The puzzle has a fill, so that there is nothing to refute."""


# Lemmas of the first attempt. The order of cells that serves one puzzle fails on another (of three
# grids each was the best once, by a factor of forty on one), so attempts take turns and grow.
_FIRST_ATTEMPT = 2000
_GROWTH = 4


class Refutation:
    """``run`` gives the lemmas that refute arc-consistent ``candidates``."""

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

    def run(
        self, deadline: Deadline, on_progress: OnProgress = ignore_progress
    ) -> list[Lemma] | None:
        """The lemmas, or None when the deadline passes. Raises FilledError when there is a fill."""
        most = _FIRST_ATTEMPT
        while True:
            for weighted in (False, True):
                lemmas, done = self._attempt(most, weighted, deadline, on_progress)
                if done:
                    return lemmas
                if deadline.passed:
                    return None
            most *= _GROWTH

    def _attempt(
        self, most: int, weighted: bool, deadline: Deadline, on_progress: OnProgress
    ) -> tuple[list[Lemma], bool]:
        lemmas: list[Lemma] = []
        path: list[Decision] = []
        states = [self._root.copy()]  # after each decision of the path, the first before all
        while len(lemmas) < most and not deadline.passed:
            decision = self._choose(states[-1], weighted)
            on_progress(f"proof: {len(lemmas)} lemmas, {len(path)} decisions deep")
            path.append(decision)
            child = states[-1].copy()
            if self._assume(child, decision):
                states.append(child)
                continue
            while True:
                lemmas.append(tuple(path))
                if self._exclude(states[-1], path.pop()):
                    break
                states.pop()
                if not states:
                    return lemmas, True
        return lemmas, False

    def _choose(self, state: State, weighted: bool) -> Decision:
        """The letter most words have, in the cell with fewest letters (by its weight, perhaps)."""
        best = least = None
        for crossing, letters in enumerate(state.letters):
            if len(letters) > 1:
                value = len(letters) / self._weights[crossing] if weighted else len(letters)
                if least is None or value < least:
                    best, least = crossing, value
        if best is None:
            return self._choose_word(state)
        across, down = self._ends[best]
        across_masks, down_masks = self._masks[best][across], self._masks[best][down]

        def ways(letter: str) -> int:
            return (state.domains[across] & across_masks[letter]).bit_count() * (
                state.domains[down] & down_masks[letter]
            ).bit_count()

        return LetterDecision(best, max(state.letters[best], key=ways))

    def _choose_word(self, state: State) -> Decision:
        """All crossing letters are known: only what words must do together can be in the way."""
        free = self._network.word_rules.plain
        choice = [
            (size, slot)
            for slot, size in enumerate(state.sizes)
            if size > 1 and (self._network.peers[slot] or not free)
        ]
        if not choice:
            raise FilledError
        slot = min(choice)[1]
        return WordDecision(slot, next(bits(state.domains[slot])))

    def _assume(self, state: State, decision: Decision) -> bool:
        """Whether the decision survives propagation, which changes ``state``."""
        if isinstance(decision, WordDecision):
            return self._narrow(state, {decision.slot: 1 << decision.word})
        crossing, letter = decision.crossing, decision.letter
        state.letters[crossing] = [letter]
        keep = {slot: masks[letter] for slot, masks in self._masks[crossing].items()}
        return self._narrow(state, keep, crossing)

    def _exclude(self, state: State, decision: Decision) -> bool:
        """Whether something is left without the decision."""
        if isinstance(decision, WordDecision):
            return self._narrow(state, {decision.slot: ~(1 << decision.word)})
        crossing, letter = decision.crossing, decision.letter
        state.letters[crossing] = [one for one in state.letters[crossing] if one != letter]
        keep = {slot: ~masks[letter] for slot, masks in self._masks[crossing].items()}
        return self._narrow(state, keep, crossing)

    def _narrow(self, state: State, keep: dict[int, int], crossing: int | None = None) -> bool:
        for slot, mask in keep.items():
            state.domains[slot] &= mask
            state.sizes[slot] = state.domains[slot].bit_count()
        if all(state.sizes[slot] for slot in keep) and not self._network.propagate(state, keep):
            return True
        if crossing is not None:
            self._weights[crossing] += 1
        return False
