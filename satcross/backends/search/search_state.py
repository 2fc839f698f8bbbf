"""What a search decides by, for the search itself and for the compiled code that takes it over."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from satcross.network.arc_consistency import Candidates, State


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How to search; the defaults are measured (tests/benchmarks)."""

    sample: int = 100
    """Words looked at when one is chosen."""
    restart_after: int = 100
    """Contradictions before the first restart."""
    restart_growth: float = 1.1
    """What the number of contradictions between restarts is multiplied with at each restart."""
    growing_fast_after: int = 45
    """Restarts after which it is multiplied with ``fast_growth``: a proof needs one interval as
    long as the whole search, and slowly growing ones before it add up to eleven times as much."""
    fast_growth: float = 1.5
    decay: float = 0.99
    """What the weight of an older contradiction is multiplied with at each new one."""
    noise: float = 0.5
    """Random amount added to the logarithm by which words are compared."""
    letters_every: int = 2
    """Of so many searches between restarts, the last branches on letters; 1: every one does."""
    many: int = 20
    """Words left, above which a slot is branched on by a letter then, and not by a word."""
    preferring: int = 10
    """Restarts after which preferred words come no longer first: they may be what is in the way."""


@dataclass(slots=True)
class Decision:
    """A choice among a slot's words (the bitset ``kept``), and the state it was made in."""

    state: State
    slot: int
    kept: int


class SearchState:
    """The settings, counters, weights and open decisions of a search.

    ``state`` has the candidates where the search stands (until compiled code takes over), ``root``
    the candidates without a decision.
    """

    def __init__(self, candidates: Candidates, seed: int, settings: SearchSettings) -> None:
        self.network = candidates.network
        self.settings = settings
        self.random = Random(seed)
        self.root = candidates.root.copy()
        self.state = self.root
        self.stack: list[Decision] = []
        self.weights = [1.0] * len(self.root.domains)
        self.increment = 1.0
        self.interval = float(self.settings.restart_after)
        self.failures_left = self.interval
        # Where the most slots were filled since the last restart, and before it: one bit per slot.
        self.best_targets = [0] * len(self.root.domains)
        self.most_filled = -1
        self.targets = [0] * len(self.root.domains)
        self.nodes = 0
        self.failures = 0
        self.restarts = 0
        self.may_restart = True
        self.by_letter = self.settings.letters_every == 1
        self.corrections: list[list[dict[str, float]]] | None = None
