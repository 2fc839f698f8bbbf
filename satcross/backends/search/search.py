"""Depth-first search that maintains arc consistency, on bitset candidates.

- Branching is two-way, slot = word against slot != word (Sabin and Freuder 1994's MAC). After every
  second restart, slots that have many words left are only given the letter that the chosen word has
  at one crossing, against all other letters there: where slots are dense, a letter says enough.
- The slot is chosen by domain size over weighted degree, dom/wdeg (Boussemart, Hemery, Lecoutre
  and Sais 2004), with the weights aged: later contradictions count for more.
- The word is the one that leaves the crossing slots the most candidates (the largest product),
  among all words of a small slot or a random sample of a large one; with ``guide``, candidates
  count by the share of fills they are thought to have. First of all, though, comes the word that
  the slot had when, before the last restart, the most slots had one: the "target phases" of SAT
  solvers (Biere and Fleury 2020), which carry over what a restart would lose.
- Theme words that must stand somewhere come before everything else, the one with the fewest places
  first. Preferred words are the only ones looked at, where there are some, up to some restarts.
- The search restarts at growing intervals (Gomes, Selman and Kautz 1998; geometric, Walsh 1999),
  and what was refuted at the root stays refuted. The intervals grow without bound, so that the
  search is complete: it proves UNFILLABLE when it exhausts the root.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log
from random import Random
from typing import TYPE_CHECKING

from satcross import engine
from satcross.grid import Cell
from satcross.network.arc_consistency import Candidates, State, bits
from satcross.outcome import Status
from satcross.run_settings import Deadline
from satcross.support.frozen import frozen

if TYPE_CHECKING:
    from satcross.engine.search import CompiledSearch
    from satcross.network.belief_propagation import Marginals

COMPILED_NODES = 64
"""Decisions of compiled code between two checks of the deadline: a few milliseconds at most."""

_STATUSES = (Status.UNKNOWN, Status.FILLED, Status.UNFILLABLE)


@frozen
class SearchSettings:
    """Settings of a search; the defaults were measured (docs/lab-notebook.md)."""

    sample: int = 100
    """Number of words compared when one is chosen."""
    restart_after: int = 100
    """Contradictions before the first restart."""
    restart_growth: float = 1.1
    """Factor by which the number of contradictions between restarts grows at each restart."""
    growing_fast_after: int = 45
    """Restarts after which the factor is ``fast_growth``. A proof needs one interval as long as the
    whole search, and the intervals before it add up to eleven times as much at a factor of 1.1."""
    fast_growth: float = 1.5
    decay: float = 0.99
    """Factor by which the weights of older contradictions shrink at each new one."""
    noise: float = 0.5
    """Largest random amount added to the logarithm by which words are compared."""
    letters_every: int = 2
    """One search between restarts out of this many branches on letters; 1 means every one."""
    many: int = 20
    """Number of candidates above which such a search branches on a letter instead of a word."""
    preferring: int = 10
    """Restarts after which preferred words no longer come first, as they may prevent a fill."""


@frozen
class Decision:
    """A decision to keep some of a slot's words (the bitset ``kept``), and the state before it."""

    state: State
    slot: int
    kept: int


class Search:
    """A search over a puzzle's candidates; ``run`` may be called again to continue.

    To search under a budget from any arc consistent candidates (a narrowed puzzle, a region of a
    fill), make a ``Search`` and call ``run`` once; ``words`` has the fill. The search runs in
    compiled code where there is any that covers the puzzle, unless ``compiled`` is false, and takes
    the same decisions there. ``state`` has the current candidates (until compiled code takes
    over), ``root`` the candidates before any decision.
    """

    def __init__(
        self,
        candidates: Candidates,
        *,
        seed: int = 0,
        settings: SearchSettings | None = None,
        marginals: Marginals | None = None,
        compiled: bool = True,
    ) -> None:
        self.settings = settings or SearchSettings()
        self.network = candidates.network
        self.random = Random(seed)
        self._first = candidates.root
        self.root = candidates.root.copy()
        self.nodes = 0
        self.failures = 0
        self._begin(self.root)
        self.corrections: list[list[dict[str, float]]] | None = None
        self.words: tuple[str, ...] | None = None
        self._compiled = self._compile() if compiled and engine.available() else None
        if marginals is not None:
            self.guide(marginals)

    def _begin(self, state: State) -> None:
        slots = len(state.domains)
        self.state = state
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

    def again(self, domains: list[int], opened: Collection[int] | None = None) -> Sequence[int]:
        """Begin again with some of the root's candidates, which takes less than another search.

        ``opened`` names the slots to fill where all others have the words of one fill, whose
        crossings need not be looked at again. Returns no slots, or those of a contradiction: then
        there is no fill of these candidates.
        """
        if self._compiled is not None:
            return self._compiled.again(domains, opened)
        sizes = [domain.bit_count() for domain in domains]
        self._begin(State(domains[:], sizes, self._first.letters[:], self._first.taken.copy()))
        empty = [slot for slot, size in enumerate(sizes) if not size]
        return empty or self.network.propagate(self.state, range(len(sizes))) or ()

    def _compile(self) -> CompiledSearch | None:
        from satcross.engine.search import CompiledSearch
        from satcross.network.compiled import compiled

        puzzle = compiled(self.network, self.root)
        return None if puzzle is None else CompiledSearch(puzzle, self)

    def guide(self, marginals: Marginals) -> None:
        """From now on, also value words by the estimated share of fills that they leave."""
        if self._compiled is not None:
            self._compiled.guide(marginals.all_corrections())
        else:
            slots = range(len(self.root.sizes))
            self.corrections = [marginals.corrections(slot) for slot in slots]

    def run(self, deadline: Deadline, max_nodes: int | None = None) -> Status:
        """Search until an answer, the deadline, or ``max_nodes`` more decisions.

        Sets ``words`` when FILLED.
        """
        last = None if max_nodes is None else self.nodes + max_nodes
        if self._compiled is not None:
            return self._run_compiled(self._compiled, deadline, last)
        before = self.nodes
        try:
            return self._run_in_python(deadline, last)
        finally:
            engine.count_decisions(self.nodes - before)

    def _run_in_python(self, deadline: Deadline, last: int | None) -> Status:
        while True:
            if (last is not None and self.nodes >= last) or deadline.passed:
                return Status.UNKNOWN
            choice = self._choose_theme() if self.network.word_rules.min_theme_words else None
            if choice is None:
                slot = self._choose_slot()
                if slot is None:
                    self.words = self._read_words()
                    return Status.FILLED
                choice = slot, self._choose_word(slot)
            self.nodes += 1
            conflict = self._assign(*choice)
            if not self._mend(conflict):
                return Status.UNFILLABLE
            if self.failures_left <= 0 and self.may_restart:
                self._restart()

    def _run_compiled(self, code: CompiledSearch, deadline: Deadline, last: int | None) -> Status:
        while True:
            left = COMPILED_NODES if last is None else min(COMPILED_NODES, last - self.nodes)
            if left <= 0 or deadline.passed:
                return Status.UNKNOWN
            result = _STATUSES[code.advance(left)]
            self.nodes, self.failures, self.restarts = code.counts
            if result is Status.FILLED:
                self.words = code.words()
            if result is not Status.UNKNOWN:
                return result

    def leave(self) -> bool:
        """After FILLED, leave this fill, so that ``run`` finds another; False if there is none.

        From the first fill on the search does not restart. What lies behind it has been searched,
        so that no fill is found twice, and UNFILLABLE means that there are no more.
        """
        self.may_restart = False
        if self._compiled is not None:
            return self._compiled.leave()
        return bool(self.stack) and self._mend(self._refute())

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
        for slot, size in enumerate(self.state.sizes):
            if size > 1 and size / weights[slot] < lowest:
                chosen, lowest = slot, size / weights[slot]
        return chosen

    def _choose_theme(self) -> tuple[int, int] | None:
        """Return a slot and a theme word for it, as long as too few theme words are placed."""
        places = self.network.open_places(self.state.domains)
        if not places:
            return None
        before = [place for place in places if self.targets[place[0]] == place[1]]
        valued = [(self._best_of(slot, bit), slot) for slot, bit in before or places]
        (_, index), slot = max(valued)
        return slot, index

    def _choose_word(self, slot: int) -> int:
        state, network = self.state, self.network
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
        state, network = self.state, self.network
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
        if self.by_letter and self.state.sizes[slot] > self.settings.many:
            kept = self._sharing_letter(slot, index)
        self.stack.append(Decision(self.state, slot, kept))
        self.state = state = self.state.copy()
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
        state, word = self.state, self.network.lexicons[slot].word(index)
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
        self.state = state = decision.state if not self.stack else decision.state.copy()
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
            self.state = self.stack[0].state
            self.stack.clear()

    def _read_words(self) -> tuple[str, ...]:
        return tuple(
            lexicon.word(domain.bit_length() - 1)
            for lexicon, domain in zip(self.network.lexicons, self.state.domains, strict=True)
        )

    @property
    def is_compiled(self) -> bool:
        """Whether the search runs in compiled code."""
        return self._compiled is not None

    @property
    def current(self) -> State:
        """The current candidates."""
        return self.state if self._compiled is None else State(*self._compiled.state())

    @property
    def current_letters(self) -> dict[Cell, str]:
        """The letters of the current partial fill."""
        return self.network.letters(self.current)

    @property
    def stats(self) -> dict[str, int | float | str]:
        return {"nodes": self.nodes, "failures": self.failures, "restarts": self.restarts}
