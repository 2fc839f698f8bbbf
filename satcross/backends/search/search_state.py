"""State and settings of a search, shared by ``Search`` and the compiled code that continues it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from satcross.network.arc_consistency import Candidates, State


@dataclass(frozen=True, slots=True)
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


@dataclass(slots=True)
class Decision:
    """A decision to keep some of a slot's words (the bitset ``kept``), and the state before it."""

    state: State
    slot: int
    kept: int


class SearchState:
    """The settings, counters, weights and open decisions of a search.

    ``state`` has the current candidates (until compiled code takes over), ``root`` the candidates
    before any decision.
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
        # The words when the most slots were filled, since the last restart and before it: one bit
        # per slot.
        self.best_targets = [0] * len(self.root.domains)
        self.most_filled = -1
        self.targets = [0] * len(self.root.domains)
        self.nodes = 0
        self.failures = 0
        self.restarts = 0
        self.may_restart = True
        self.by_letter = self.settings.letters_every == 1
        self.corrections: list[list[dict[str, float]]] | None = None
