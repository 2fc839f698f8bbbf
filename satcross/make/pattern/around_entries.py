"""Make filled grids around entries: arrange them, choose blocks and words together.

A round tries some new arrangements of the entries. It anneals patterns around those that force the
fewest blocks, and works on with the patterns that have the highest scores: arc consistency finds
slots that no word fits, which are forbidden in the next annealing; belief propagation estimates the
number of fills; a pattern is changed a little as long as the number rises; and patterns of which
many fills are expected are filled by short narrowed searches.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from satcross import engine
from satcross.backends.search.portfolio import Narrowed
from satcross.grid.styles import usual_limits
from satcross.make.pattern.annealing import Annealed, Annealing, Lines
from satcross.make.pattern.arrangements import Arrangements
from satcross.make.pattern.model import Demands, Pattern, WordLookup
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.network.belief_propagation import Marginals
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline
from satcross.solving.polish import polish
from satcross.solving.quality import Editor, judge
from satcross.solving.solve import verified

_DRAWN = 24
"""Arrangements that are drawn in a round."""
_ANNEALED = 12
"""Arrangements of a round around which patterns are annealed."""
_SHORT_STEPS = 300
"""Steps of an annealing that compares arrangements: 0.03 s."""
_LONG_STEPS = 1_000
_REPAIR_STEPS, _REPAIR_TEMPERATURE = 200, 2.0
"""The annealing after arc consistency has emptied a pattern."""
_CHANGES = 14
"""Patterns that are tried around an arrangement."""
_CHANGE_STEPS, _CHANGE_TEMPERATURE = 20, 1.2
"""The steps from the pattern with the most fills to the next one."""
_POOL = 12
"""Arrangements that are kept from round to round."""
_FOLLOWED = 3
"""Arrangements of a round that are taken further."""
_USED = 8.0
"""What an arrangement loses in rank by being taken further."""
_MIN_LOG_FILLS = 12.0
"""Least estimated logarithm of the number of fills of a pattern that is searched for one."""
_GAIN = 3.0
"""By how much it must rise around an arrangement before another pattern is searched."""
_HOPELESS = -20.0
"""The logarithm for arrangements whose patterns all turn out to have no fill."""
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
    """Endless search for filled grids around the entries of the demands."""

    def __init__(self, theme: Theme, seed: int, deadline: Deadline) -> None:
        self._theme, self._demands, self._deadline = theme, theme.demands, deadline
        self._random, self._seed = Random(seed), seed
        self._arrangements = Arrangements(theme.demands, self._random).ranked()
        self._lines = Lines(theme.demands, theme.words)
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
            arrangement = next(self._arrangements, None)
            if arrangement is None or self._deadline.passed:
                break
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
        """Anneal longer around an arrangement, then change the pattern while it gains fills."""
        followed.rank -= _USED
        annealing, best = followed.annealing, None
        most, searched = _HOPELESS, _MIN_LOG_FILLS - _GAIN
        found = annealing.run(_LONG_STEPS)
        for _ in range(_CHANGES):
            if found is None or self._deadline.passed:
                break
            self.tried += 1
            candidates = arc_consistent(self._puzzle(found))
            if candidates.infeasible:
                for slot in candidates.wiped_out:
                    annealing.forbid(candidates.network.puzzle.grid.slots[slot].cells)
                found = annealing.run(_REPAIR_STEPS, _REPAIR_TEMPERATURE)
                continue
            marginals = Marginals(candidates, may_go_on=lambda: not self._deadline.passed)
            fills = marginals.log_fills()
            if fills >= searched + _GAIN:
                searched = fills
                outcome = self._fill(candidates, marginals)
                if outcome is not None:
                    return found.pattern, outcome
            if best is None or fills > most:
                best, most = found.pattern, max(fills, _HOPELESS)
            annealing.resume(best)
            found = annealing.change(_CHANGE_STEPS, _CHANGE_TEMPERATURE)
        followed.rank = min(followed.rank, most) - _USED
        return None

    def _puzzle(self, found: Annealed) -> Puzzle:
        grid = found.pattern.grid()
        return replace(self._theme.puzzle, grid=grid, locks=found.pattern.locks(grid))

    def _fill(self, candidates: Candidates, marginals: Marginals) -> Outcome | None:
        started = time.perf_counter()
        nodes = _NODES if engine.available() else _PYTHON_NODES
        deadline, puzzle = self._deadline, candidates.network.puzzle
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
