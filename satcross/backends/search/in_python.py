"""The search in Python: the reference for compiled code, and what stands in where there is none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log
from random import Random

from satcross import engine
from satcross.backends.search import SearchSettings
from satcross.network.arc_consistency import Network, State, bits
from satcross.support.frozen import frozen

_UNDECIDED, _FILLED, _EXHAUSTED = 0, 1, 2
"""What ``advance`` returns."""

_LETTERS = 64
"""Letters of each link in what guides a search."""


@frozen
class Decision:
    """A decision to keep some of a slot's words (the bitset ``kept``), and the state before it."""

    state: State
    slot: int
    kept: int


class PythonSearch:
    """A ``Search`` in Python, with the methods of ``satcross.engine.search.CompiledSearch``."""

    def __init__(
        self, network: Network, root: State, settings: SearchSettings, random: Random
    ) -> None:
        self.network, self.root, self.settings, self.random = network, root, settings, random
        self.nodes = self.failures = 0
        self._begin(root.copy())
        self.corrections: list[list[dict[str, float]]] | None = None

    def _begin(self, state: State) -> None:
        slots = len(state.domains)
        self._now = state
        self.stack: list[Decision] = []
        self.weights = [1.0] * slots
        self.increment = 1.0
        self.interval = float(self.settings.restart_after)
        self.failures_left = self.interval
        # The words when the most slots were filled, since the last restart and before it: one bit
        # per slot.
        self.best_targets = [0] * slots
        self.most_filled = -1
        self.targets = [0] * slots
        self.restarts = 0
        self.may_restart = True
        self.by_letter = self.settings.letters_every == 1

    def again(self, domains: list[int], opened: Collection[int] | None) -> Sequence[int]:
        sizes = [domain.bit_count() for domain in domains]
        self._begin(State(domains[:], sizes, self.root.letters[:], self.root.taken.copy()))
        empty = [slot for slot, size in enumerate(sizes) if not size]
        return empty or self.network.propagate(self._now, range(len(sizes))) or ()

    def guide(self, corrections: bytes) -> None:
        """From now on, value words with these corrections: doubles, of 64 letters for each link."""
        values, links = memoryview(corrections).cast("d"), self.network.links
        letters = sorted({letter for crossed in links for link in crossed for letter in link[2]})
        place = {letter: number for number, letter in enumerate(letters[:_LETTERS])}
        firsts = iter(range(0, len(values), _LETTERS))
        self.corrections = [
            [
                {letter: values[first + place.get(letter, 0)] for letter in self.root.letters[at]}
                for (at, *_), first in zip(crossed, firsts, strict=False)
            ]
            for crossed in links
        ]

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.nodes, self.failures, self.restarts

    def advance(self, max_nodes: int) -> int:
        """Take up to ``max_nodes`` decisions, fewer if there is an answer."""
        for _ in range(max_nodes):
            choice = self._choose_theme() if self.network.word_rules.min_theme_words else None
            if choice is None:
                slot = self._choose_slot()
                if slot is None:
                    return _FILLED
                choice = slot, self._choose_word(slot)
            self.nodes += 1
            engine.count_decisions(1)
            if not self._mend(self._assign(*choice)):
                return _EXHAUSTED
            if self.failures_left <= 0 and self.may_restart:
                self._restart()
        return _UNDECIDED

    def leave(self) -> bool:
        self.may_restart = False
        return bool(self.stack) and self._mend(self._refute())

    def words(self) -> tuple[str, ...]:
        return tuple(
            lexicon.word(domain.bit_length() - 1)
            for lexicon, domain in zip(self.network.lexicons, self._now.domains, strict=True)
        )

    def state(self) -> tuple[list[int], list[int], list[list[str]]]:
        return self._now.domains, self._now.sizes, self._now.letters

    def _mend(self, conflict: tuple[int, ...] | None) -> bool:
        """Refute decisions until there is no contradiction; False when none is left."""
        while conflict:
            self._learn(conflict)
            if not self.stack:
                return False
            conflict = self._refute()
        return True

    def _choose_slot(self) -> int | None:
        chosen, lowest = None, float("inf")
        weights = self.weights
        for slot, size in enumerate(self._now.sizes):
            if size > 1 and size / weights[slot] < lowest:
                chosen, lowest = slot, size / weights[slot]
        return chosen

    def _choose_theme(self) -> tuple[int, int] | None:
        """Return a slot and a theme word for it, as long as too few theme words are placed."""
        places = self.network.open_places(self._now.domains)
        if not places:
            return None
        before = [place for place in places if self.targets[place[0]] == place[1]]
        valued = [(self._best_of(slot, bit), slot) for slot, bit in before or places]
        (_, index), slot = max(valued)
        return slot, index

    def _choose_word(self, slot: int) -> int:
        state, network = self._now, self.network
        domain = state.domains[slot]
        if state.taken:
            domain = domain & ~state.taken.get(network.lexicons[slot].length, 0) or domain
        target = self.targets[slot] & domain
        if target:
            return target.bit_length() - 1
        preferred = domain & network.preferred[slot]
        if preferred and self.restarts < self.settings.preferring:
            domain = preferred
        return self._best_of(slot, domain)[1]

    def _best_of(self, slot: int, domain: int) -> tuple[float, int]:
        """The value and the index of the best word of a domain, or of a sample of it."""
        state, network = self._now, self.network
        corrections = None if self.corrections is None else self.corrections[slot]
        left = []  # per crossing: letter -> log of the candidates it leaves the other slot
        for number, (crossing, position, _, other, other_masks) in enumerate(network.links[slot]):
            letters = state.letters[crossing]
            if len(letters) > 1:
                others = state.domains[other]
                logs = {c: log((others & other_masks[c]).bit_count()) for c in letters}
                if corrections is not None:
                    more = corrections[number]
                    logs = {c: value + more[c] for c, value in logs.items()}
                left.append((position, logs))
        lexicon = network.lexicons[slot]
        random, noise = self.random.random, self.settings.noise
        best, highest = -1, float("-inf")
        for index in self._sample(domain):
            word = lexicon.word(index)
            value = noise * random()
            for position, logs in left:
                value += logs[word[position]]
            if value > highest:
                best, highest = index, value
        return highest, best

    def _sample(self, domain: int) -> list[int]:
        if domain.bit_count() <= self.settings.sample:
            return list(bits(domain))
        # The first candidate at or after a random index: not quite uniform, but cheap.
        places = domain.bit_length()
        sample = []
        for _ in range(self.settings.sample):
            skipped = int(places * self.random.random())
            rest = domain >> skipped
            sample.append(skipped + (rest & -rest).bit_length() - 1)
        return sample

    def _assign(self, slot: int, index: int) -> tuple[int, ...] | None:
        kept = 1 << index
        if self.by_letter and self._now.sizes[slot] > self.settings.many:
            kept = self._sharing_letter(slot, index)
        self.stack.append(Decision(self._now, slot, kept))
        self._now = state = self._now.copy()
        state.domains[slot] &= kept
        state.sizes[slot] = state.domains[slot].bit_count()
        conflict = self.network.propagate(state, (slot,))
        if conflict is None:
            filled = state.sizes.count(1)
            if filled > self.most_filled:
                self.most_filled = filled
                self.best_targets = [
                    domain if size == 1 else 0
                    for domain, size in zip(state.domains, state.sizes, strict=True)
                ]
        return conflict

    def _sharing_letter(self, slot: int, index: int) -> int:
        """Return the words with the same letter at the crossing where that restricts the most.

        That is where the letter leaves the other slot the fewest candidates relative to its weight.
        The word alone is returned if every crossing has one letter left.
        """
        state, word = self._now, self.network.lexicons[slot].word(index)
        kept, lowest = 1 << index, float("inf")
        for crossing, position, masks, other, other_masks in self.network.links[slot]:
            if len(state.letters[crossing]) > 1:
                letter = word[position]
                left = (state.domains[other] & other_masks[letter]).bit_count()
                if left / self.weights[other] < lowest:
                    kept, lowest = masks[letter], left / self.weights[other]
        return kept

    def _refute(self) -> tuple[int, ...] | None:
        """Undo the last decision; remove its words from the slot as long as earlier ones hold."""
        decision = self.stack.pop()
        slot = decision.slot
        self._now = state = decision.state if not self.stack else decision.state.copy()
        state.domains[slot] &= ~decision.kept
        state.sizes[slot] = state.domains[slot].bit_count()
        return self.network.propagate(state, (slot,))

    def _learn(self, conflict: tuple[int, ...]) -> None:
        self.failures += 1
        self.failures_left -= 1
        for slot in conflict:
            self.weights[slot] += self.increment
        self.increment /= self.settings.decay
        if self.increment > 1e100:
            self.weights = [max(weight / 1e100, 1e-100) for weight in self.weights]
            self.increment /= 1e100

    def _restart(self) -> None:
        self.restarts += 1
        self.by_letter = (self.restarts + 1) % self.settings.letters_every == 0
        settings = self.settings
        grows_fast = self.restarts > settings.growing_fast_after
        self.interval *= settings.fast_growth if grows_fast else settings.restart_growth
        self.failures_left = self.interval
        self.targets = self.best_targets
        self.most_filled = -1
        if self.stack:
            self._now = self.stack[0].state
            self.stack.clear()
