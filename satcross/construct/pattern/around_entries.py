"""Make filled grids around entries: arrange them, choose blocks and words together.

Each round draws arrangements of the entries, anneals patterns around the arrangements that force
the fewest blocks, and takes the patterns of the highest scores further: arc consistency finds
slots that no word fits, which are forbidden in the next annealing; belief propagation estimates
the number of fills; and patterns of which it expects many are filled by short narrowed searches.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from satcross.backends.search import kernel_loader
from satcross.backends.search.portfolio import Narrowed
from satcross.construct.pattern.annealing import Annealed, Annealing, Lines
from satcross.construct.pattern.arrangements import Arrangement, Arrangements
from satcross.construct.pattern.model import Demands, Pattern, WordLookup
from satcross.construct.styles import usual_limits
from satcross.deadline import Deadline
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.solving.quality import Editor, judge, polish
from satcross.solving.solve import verified

_DRAWN = 24
"""Arrangements that are drawn in a round."""
_ANNEALED = 12
"""Arrangements of a round around which patterns are annealed."""
_SHORT_STEPS = 12_000
"""Steps of an annealing that compares arrangements: 0.08 s."""
_LONG_STEPS = 40_000
_POOL = 12
"""Arrangements that are kept from round to round."""
_FOLLOWED = 3
"""Arrangements of a round that are taken further."""
_REPAIRS = 7
"""Annealings after which a pattern that arc consistency empties is given up."""
_REPAIR_TEMPERATURE = 1.5
_USED, _FAILED = 8.0, 18.0
"""What an arrangement loses in rank by being taken further, and by failing there."""
_MIN_LOG_FILLS = 8.0
"""Least estimated logarithm of the number of fills of a pattern that is searched for one."""
_LEFT_OUT = 0.08
_SEARCHES = 3
_NODES = 9_000
"""Decisions of a search: 0.2 s in compiled code."""
_PYTHON_NODES = 1_200
"""The same without compiled code."""
_MAX_EMPTY_ROUNDS = 3
"""Rounds without any pattern after which the entries are left to ``PatternModel``."""
_BLOCK_FACTORS = (1.0, 1.2)
"""Limits of the blocks in the rounds for a grid, by the usual limit, if the demands have none."""
_MAX_ROUNDS = 400


@dataclass(slots=True)
class _Followed:
    """An arrangement, by the score of its best pattern so far."""

    rank: float
    annealing: Annealing


@dataclass(frozen=True, slots=True)
class Theme:
    """What is to be made: demands with entries, and the words that fill the grid."""

    demands: Demands
    puzzle: Puzzle
    """Carries the vocabulary and its rules; its grid does not matter."""
    words: WordLookup


class AroundEntries:
    """Search for filled grids around the entries of the demands, without an end."""

    def __init__(self, theme: Theme, seed: int, deadline: Deadline) -> None:
        self._theme, self._demands, self._deadline = theme, theme.demands, deadline
        self._random, self._seed = Random(seed), seed
        self._arrangements = Arrangements(theme.demands, self._random)
        self._lines = Lines(theme.demands, theme.words)
        self._seen: set[Arrangement] = set()
        self._pool: list[_Followed] = []
        self.tried = 0

    def grids(self) -> Iterator[tuple[Pattern, Outcome]]:
        """Yield filled grids, each of another arrangement, until the deadline.

        Also ends when several rounds gave no pattern at all. Where the demands have no limit of
        blocks, the usual one is raised from round to round, and the last one ends the search.
        """
        empty = made = 0
        for number in range(_MAX_ROUNDS):
            if self._deadline.passed or empty == _MAX_EMPTY_ROUNDS:
                return
            if self._theme.demands.max_blocks is None:
                if number == len(_BLOCK_FACTORS) * (1 + made):
                    return
                self._limit_blocks(_BLOCK_FACTORS[number % len(_BLOCK_FACTORS)])
            new = [found for found in map(self._first_pattern, self._draw()) if found is not None]
            self._pool = sorted([*self._pool, *new], key=lambda one: -one.rank)[:_POOL]
            empty = 0 if self._pool else empty + 1
            for followed in self._pool[:_FOLLOWED]:
                found = self._follow(followed)
                if self._deadline.passed and found is None:
                    return
                if found is not None:
                    made += 1
                    self._pool.remove(followed)
                    yield found

    def _limit_blocks(self, factor: float) -> None:
        demands = self._theme.demands
        usual = usual_limits(demands.style, demands.height, demands.width).max_blocks
        self._demands = replace(demands, max_blocks=round(usual * factor))

    def _draw(self) -> list[Annealing]:
        """Return the annealings around those of some new arrangements that force few blocks."""
        drawn: list[tuple[int, int, Annealing]] = []
        for number in range(_DRAWN):
            arrangement = self._arrangements.draw()
            if arrangement is None or arrangement in self._seen or self._deadline.passed:
                continue
            self._seen.add(arrangement)
            annealing = Annealing(self._demands, arrangement, self._lines, self._random)
            if annealing.forced_blocks is not None:
                drawn.append((annealing.forced_blocks, number, annealing))
        return [annealing for _, _, annealing in sorted(drawn)[:_ANNEALED]]

    def _first_pattern(self, annealing: Annealing) -> _Followed | None:
        if self._deadline.passed:
            return None
        best = annealing.run(_SHORT_STEPS)
        return None if best is None else _Followed(best.score, annealing)

    def _follow(self, followed: _Followed) -> tuple[Pattern, Outcome] | None:
        """Anneal longer around an arrangement, and try to fill the pattern."""
        followed.rank -= _USED
        annealing = followed.annealing
        best = annealing.run(_LONG_STEPS)
        for _ in range(_REPAIRS):
            if best is None or self._deadline.passed:
                break
            self.tried += 1
            candidates = arc_consistent(self._puzzle(best))
            if not candidates.infeasible:
                outcome = self._fill(candidates)
                return None if outcome is None else (best.pattern, outcome)
            for slot in candidates.wiped_out:
                annealing.forbid(candidates.network.puzzle.grid.slots[slot].cells)
            best = annealing.run(_SHORT_STEPS, _REPAIR_TEMPERATURE)
        followed.rank -= _FAILED - _USED
        return None

    def _puzzle(self, found: Annealed) -> Puzzle:
        grid = found.pattern.grid()
        return replace(self._theme.puzzle, grid=grid, locks=found.pattern.locks(grid))

    def _fill(self, candidates: Candidates) -> Outcome | None:
        from satcross.network.belief_propagation import Marginals  # numpy takes long to import

        started = time.perf_counter()
        nodes = _PYTHON_NODES if kernel_loader.load() is None else _NODES
        deadline, puzzle = self._deadline, candidates.network.puzzle
        marginals = Marginals(candidates, may_go_on=lambda: not deadline.passed)
        if marginals.log_fills() < _MIN_LOG_FILLS:
            return None
        for _ in range(_SEARCHES):
            search = Narrowed(marginals, _LEFT_OUT, self._random.getrandbits(31), deadline)
            search.run(deadline, nodes)
            if search.words is not None:
                words = polish(candidates, Editor(puzzle), search.words, self._seed, deadline)
                seconds = {"encode": 0.0, "solve": time.perf_counter() - started}
                outcome = verified(puzzle, words, "backtrack", self._seed, seconds)
                assert outcome.fill is not None
                return replace(outcome, quality=judge(puzzle, outcome.fill))
        return None
