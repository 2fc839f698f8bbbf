"""Make filled American grids: arrange the entries, choose blocks and words together.

A round tries some new arrangements of the entries, if there are any. It anneals patterns around
those that force the fewest blocks, and works on with the patterns that have the highest scores: arc
consistency finds slots that no word fits, which are forbidden in the next annealing; belief
propagation estimates the number of fills; a pattern is changed a little as long as the number
rises; and patterns of which many fills are expected are filled by short narrowed searches.

What is asked for begins with what an editor takes, and is loosened step by step (``steps``) only
where a step's share of the time has given no grid.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from random import Random
from typing import NamedTuple

from satcross import engine
from satcross.backends.search.narrowed import Narrowed
from satcross.grid import DOWN, OPEN, Grid
from satcross.grid.styles import MIN_WORD_LENGTH, usual_limits
from satcross.make.pattern.annealing import Annealed, Annealing, Lines
from satcross.make.pattern.arrangements import Arrangements, entries_alone, fewest_alone
from satcross.make.pattern.demands import (
    Demands,
    Pattern,
    Symmetry,
    count_any,
    counter_of,
    default_words,
)
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.network.belief_propagation import Marginals
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline
from satcross.solving.polish import Polish
from satcross.solving.quality import LONG, SOLID, WEAK_BELOW, Editor, Words, judge
from satcross.solving.solve import solve, verified
from satcross.vocabulary import Vocabulary

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
_FOUND = 30.0
"""What it loses by a grid that was found."""
_USED = 8.0
"""What an arrangement loses in rank by being taken further."""
_MIN_LOG_FILLS = 12.0
"""Least estimated logarithm of the number of fills of a pattern that is searched for one."""
_GAIN = 3.0
"""By how much it must rise around an arrangement before another pattern is searched."""
_MANY_LOG_FILLS = 40.0
"""Logarithm from which each pattern is searched for one, since a search may miss it."""
_HOPELESS = -20.0
"""The logarithm for arrangements whose patterns all turn out to have no fill."""
_LEFT_OUT = 0.08
_SEARCHES = 3
_NODES = 9_000
"""Decisions of a search: 0.2 s in compiled code."""
_PYTHON_NODES = 1_200
"""The same without compiled code."""
_MAX_EMPTY_ROUNDS = 3
"""Rounds without any pattern after which a step ends."""
_FRUITLESS_ROUNDS, _FRUITLESS_STRICT_ROUNDS = 9, 4
"""Rounds without a new grid after which a step ends: less where small grids have few patterns, or
where it is the step that is likely to be too strict."""
_SMALL_AREA = 81
_STEPS_AREA = 225
"""Area up to which annealings have the numbers of steps above; larger grids have more."""
_WELL_SECONDS = 8.0
"""Time limit for a better fill of a pattern that has one."""
_DOWN = 8
"""What an entry that runs down costs, where a grid is chosen: solvers expect themes across."""
_ALONE = 12
"""What an entry costs there whose opposite slot is another one, without an entry."""
_WORDS_FEWER = 4
"""How many words a grid without entries may lack to the greatest number, to have some variety."""
_MORE_BLOCKS = (1.0, 1.12, 1.2)
"""Limits of the blocks, by the usual limit, if the demands have none."""
_MORE_WORDS = 1.05
_CLUMPS = "squares of 2x2 blocks"
_MIRROR = "left-right symmetry"
_NO_SYMMETRY = "a pattern without symmetry"
_GLUE = 40
"""Words of a lower score are glue that hardly any editor takes."""
_FIRST_SHARE = 0.3
"""Share of the time for the first step; of the rest, each has less than the one before it, since
the last ones soon find grids, which hardly anybody wants."""


@dataclass(slots=True)
class _Followed:
    """An arrangement, by the score of its best pattern so far."""

    rank: float
    annealing: Annealing


class Found(NamedTuple):
    """A pattern that is filled, and what an editor's judgement of it costs."""

    pattern: Pattern
    outcome: Outcome | None
    cost: int


@dataclass(frozen=True, slots=True)
class Step:
    """What is asked for at a time: demands, the least score, and what was loosened before.

    ``long_scores`` has the least scores of words of ``LONG`` letters and more, by length.
    """

    demands: Demands
    min_score: int | None
    long_scores: Mapping[int, int]
    loosened: tuple[str, ...]


def steps(demands: Demands, vocabulary: Vocabulary | None, min_score: int | None) -> list[Step]:
    """Return what is asked for, first what an editor takes, then step by step less.

    Nothing that the demands have a limit for, and no minimum score, is loosened beyond it.
    """
    longest = max(demands.height, demands.width)
    lengths = range(demands.min_length, longest + 1)
    scored = vocabulary is not None and vocabulary.is_scored(lengths)
    lowest = 0 if min_score is None else min_score
    floors = [max(WEAK_BELOW, lowest), max(_GLUE, lowest)] if scored else [min_score]
    long_scores = dict.fromkeys(range(LONG, longest + 1), SOLID)
    solid = long_scores if scored and lowest < SOLID else {}
    usual = usual_limits(demands.style, demands.height, demands.width)
    blocks = [round(usual.max_blocks * more) for more in _MORE_BLOCKS]
    if demands.max_blocks is not None:
        blocks = [demands.max_blocks for _ in blocks]
    low, high = demands.words
    words = demands.words
    if words == default_words(demands.style, demands.height, demands.width):
        words = low, round(high * _MORE_WORDS)
    more_blocks = [
        f"at most {limit} blocks, not {blocks[0]}" * (limit != blocks[0]) for limit in blocks
    ]
    more_words = f"at most {words[1]} words, not {high}" * (words != demands.words)
    glue = f"words that score {floors[-1]}" * (floors[0] != floors[-1])
    every = f"words that score {lowest}" * (scored and floors[-1] != min_score)
    long_words = f"words of {LONG} letters and more that score {floors[0]}" * bool(solid)
    strict = replace(demands, max_blocks=blocks[0], clumps=False)
    loose = replace(demands, max_blocks=blocks[1])
    mirror, uneven = (replace(loose, symmetry=kind) for kind in (Symmetry.MIRROR, Symmetry.NONE))
    looser = replace(demands, max_blocks=blocks[2], words=words)
    longer = (more_blocks[1], _CLUMPS, long_words)
    turned = Step(loose, floors[0], {}, longer)
    shapes = [turned]
    if demands.entries and not demands.keep_symmetry:
        mirrored = Step(mirror, floors[0], {}, (*longer, _MIRROR))
        sooner = fewest_alone(mirror) < fewest_alone(loose)
        shapes = [mirrored, turned] if sooner else [turned, mirrored]
        shapes.append(Step(uneven, floors[0], {}, (*longer, _NO_SYMMETRY)))
    found = [
        Step(strict, floors[0], solid, ()),
        Step(loose, floors[0], solid, (more_blocks[1], _CLUMPS)),
        *shapes,
        Step(looser, floors[-1], {}, (more_blocks[2], _CLUMPS, more_words, glue)),
        Step(looser, min_score, {}, (more_blocks[2], _CLUMPS, more_words, every)),
    ]
    distinct: dict[object, Step] = {}
    for step in found:
        wanted, loosened = step.demands, tuple(filter(None, step.loosened))
        key = wanted.max_blocks, wanted.clumps, wanted.symmetry, step.min_score
        distinct[key, bool(step.long_scores)] = replace(step, loosened=loosened)
    return list(distinct.values())


def shares(number: int) -> Iterator[float]:
    """Yield the share of the time that is left for each of so many steps."""
    yield _FIRST_SHARE if number > 1 else 1.0
    for left in range(number - 1, 0, -1):
        yield 2 / (left + 2) if left > 1 else 1.0


class PatternSearch:
    """Endless search for filled grids that meet a step's demands.

    Without a vocabulary, the grids have no fill. ``excluded`` are words that no fill has.
    """

    def __init__(
        self,
        step: Step,
        vocabulary: Vocabulary | None,
        excluded: frozenset[str],
        seed: int,
        deadline: Deadline,
    ) -> None:
        self._demands, self._deadline = step.demands, deadline
        self._random, self._seed = Random(seed), seed
        if step.demands.entries:
            self._arrangements = Arrangements(step.demands, self._random).ranked()
        else:
            self._arrangements = repeat(())
        self._base: Puzzle | None = None
        words = None
        if vocabulary is not None:
            any_grid = Grid((OPEN * MIN_WORD_LENGTH,) * MIN_WORD_LENGTH)
            score, scores = step.min_score, step.long_scores
            self._base = Puzzle(
                any_grid, vocabulary, min_score=score, min_scores=scores, excluded=excluded
            )
            foreign = Editor(self._base).unwanted
            self._base = replace(self._base, excluded=excluded | foreign)
            words = counter_of(vocabulary, score, scores)
        self._lines = Lines(step.demands, words or count_any)
        self._fewest_alone = len(step.demands.entries)
        self._pool: list[_Followed] = []
        self.tried = 0

    def grids(self) -> Iterator[Found]:
        """Yield filled grids, each of another arrangement, until the deadline.

        Also ends when several rounds gave no pattern at all.
        """
        area, empty, fruitless = self._demands.height * self._demands.width, 0, 0
        strict = area <= _SMALL_AREA or not self._demands.clumps
        patience = _FRUITLESS_STRICT_ROUNDS if strict else _FRUITLESS_ROUNDS
        seen: set[tuple[str, ...]] = set()
        while fruitless < patience and empty < _MAX_EMPTY_ROUNDS and not self._deadline.passed:
            fruitless += 1
            self._pool = sorted([*self._pool, *self._new()], key=lambda item: -item.rank)[:_POOL]
            empty = 0 if self._pool else empty + 1
            for followed in self._pool[:_FOLLOWED]:
                found = self._follow(followed)
                if self._deadline.passed and found is None:
                    return
                if found is not None:
                    followed.rank -= _FOUND
                    if found.pattern.rows not in seen:
                        seen.add(found.pattern.rows)
                        fruitless = 0
                        yield found

    @property
    def _area(self) -> int:
        return max(_STEPS_AREA, self._demands.height * self._demands.width)

    def _steps(self, usual: int) -> int:
        return usual * self._area**2 // _STEPS_AREA**2

    def _draw(self) -> list[Annealing]:
        """Return the annealings around those of some new arrangements that force few blocks.

        Those whose entries stand opposite to each other come first; the strict step has no others.
        Without entries, the greatest number of words is another each time.
        """
        drawn: list[tuple[int, int, int, Annealing]] = []
        demands, (low, high) = self._demands, self._demands.words
        if not demands.entries:
            high = self._random.randint(max(low, high - _WORDS_FEWER), high)
            demands = replace(demands, words=(low, high))
        for number in range(_DRAWN if demands.entries else _FOLLOWED):
            arrangement = next(self._arrangements, None)
            if arrangement is None or self._deadline.passed:
                break
            annealing = Annealing(demands, arrangement, self._lines, self._random)
            if annealing.forced_blocks is not None:
                alone = entries_alone(demands, arrangement)
                drawn.append((alone, annealing.forced_blocks, number, annealing))
        if not demands.clumps:
            self._fewest_alone = min([self._fewest_alone, *(alone for alone, *_ in drawn)])
            drawn = [item for item in drawn if item[0] == self._fewest_alone]
        return [annealing for *_, annealing in sorted(drawn)[:_ANNEALED]]

    def _new(self) -> Iterator[_Followed]:
        """Yield the new arrangements that have a pattern, after a short annealing."""
        for annealing in self._draw():
            if self._deadline.passed:
                return
            if best := annealing.run(_SHORT_STEPS * self._area // _STEPS_AREA):
                yield _Followed(best.score, annealing)

    def _follow(self, followed: _Followed) -> Found | None:
        """Anneal longer around an arrangement, then change the pattern while it gains fills."""
        followed.rank -= _USED
        annealing, best = followed.annealing, None
        most_fills, searched = _HOPELESS, _MIN_LOG_FILLS - _GAIN
        found = annealing.run(self._steps(_LONG_STEPS))
        if found is not None and self._base is None:
            return Found(found.pattern, None, 0)
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
            marginals = Marginals(candidates, self._deadline)
            fills = marginals.log_fills()
            if fills >= min(searched + _GAIN, _MANY_LOG_FILLS):
                searched = fills
                filled = self._fill(found.pattern, candidates, marginals)
                if filled is not None:
                    return filled
            if best is None or fills > most_fills:
                best, most_fills = found.pattern, max(fills, _HOPELESS)
            annealing.resume(best)
            found = annealing.change(_CHANGE_STEPS, _CHANGE_TEMPERATURE)
        followed.rank = min(followed.rank, most_fills) - _USED
        return None

    def _puzzle(self, found: Annealed) -> Puzzle:
        assert self._base is not None
        grid = found.pattern.grid()
        return replace(self._base, grid=grid, locks=found.pattern.locks(grid))

    def _fill(self, pattern: Pattern, candidates: Candidates, marginals: Marginals) -> Found | None:
        started, puzzle = time.perf_counter(), candidates.network.puzzle
        nodes = self._steps(_NODES if engine.available() else _PYTHON_NODES)
        for _ in range(_SEARCHES):
            seed, deadline = self._random.getrandbits(31), self._deadline
            search = Narrowed(marginals, _LEFT_OUT, seed, deadline)
            search.run(deadline, nodes)
            if search.words is not None:
                words = self._better(candidates, search.words)
                seconds = {"encode": 0.0, "solve": time.perf_counter() - started}
                outcome = verified(puzzle, words, "backtrack", self._seed, seconds)
                assert outcome.fill is not None
                outcome = replace(outcome, quality=judge(puzzle, outcome.fill))
                cost = _DOWN * sum(place.direction == DOWN for place in pattern.placements)
                cost += _ALONE * entries_alone(self._demands, pattern.placements)
                return Found(pattern, outcome, Editor(puzzle).cost(words) + cost)
        return None

    def _better(self, candidates: Candidates, words: Words) -> Words:
        """Return the words of a better fill than that which was found, or those."""
        puzzle, seed, deadline = candidates.network.puzzle, self._seed, self._deadline
        editor, limit = Editor(puzzle), deadline.within(_WELL_SECONDS)
        words = Polish(candidates, editor, words, seed).run(deadline)
        found = solve(puzzle, seed=seed, should_stop=lambda: limit.passed)
        if found.fill is not None:
            words = min(words, tuple(found.fill.values()), key=editor.cost)
        return words
