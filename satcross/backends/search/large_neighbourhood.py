"""The search for the best fill that the optimising backends share.

A backend provides an exact solver, which proves optimality. This module finds good fills:

- A first fill, then better ones from short searches among words that are worth less and less below
  the best word of their slot. This alone gains more than minutes of improving an arbitrary fill.
- Large neighbourhood search (Shaw 1998): the words of a few connected slots are removed, and branch
  and bound finds the best words for them while all other words stay. The number of slots depends on
  how hard the last neighbourhoods were. On such regions, branch and bound was measured to be faster
  than CP-SAT and RC2. ``RegionSearch`` does the same in compiled code, some forty times as fast.
- Groups of slots that are solved apart lower the bound (``group_bound``), larger groups each time.
- From time to time, and at once if there are few candidates, the exact solver gets the whole
  problem. Candidates that are in no better fill have been removed before (``Weights.narrow``).

Effort is counted in units of the solvers where possible, not in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import TYPE_CHECKING

from satcross import engine
from satcross.backends.base import Answer, Backend, Optimum, Stats, Task, Words
from satcross.backends.search import branch_and_bound
from satcross.backends.search.branch_and_bound import Exact, ExactProblem
from satcross.backends.search.neighbourhood import connected_slots
from satcross.backends.search.search import Search
from satcross.errors import InternalError
from satcross.network.arc_consistency import State
from satcross.network.weights import Weights
from satcross.outcome import NO_BETTER, Status
from satcross.run_settings import INTERRUPTED, TIME_LIMIT

if TYPE_CHECKING:
    from satcross.backends.search.region import RegionSearch  # numpy takes long to import

_FIRST_NODES = 2000
_LEVEL_NODES = 600
"""Maximum nodes of the search for a first fill, and of one for a fill of a level: up to 0.3 s."""

_MORE_OF_LEVEL = 6
"""Number of searches for other fills of the best level."""

_FIRST_SIZE = 6000
"""Maximum number of candidates for which the whole problem is solved at once."""

_REGION_WORK = 0.5
_SECONDS_TO_WRITE = 5e-5
"""Time in which one candidate is encoded; a problem that would take too long is not begun."""

_FIRST_WORK = 2.0
_FIRST_GROUP, _GROUP_GROWTH = 12.0, 1.5
_WORTHY_GAP = 0.95
"""Groups of slots are left alone for good once they lower what is left of the gap by less."""

_FIRST_REGION = 12.0
_COMPILED_REGIONS = 50
_COMPILED_WORK = 0.1
"""Regions of compiled code between two looks at the rest, and about the seconds they take."""
_LEAST_REGION = 4


def optimise(task: Task, weights: Weights, backend: Backend, exact: Exact) -> Optimum:
    """Find the best fill and prove it; at the time limit or Ctrl-C, return the best so far.

    ``backend`` finds a first fill, or proves that there is none, if a short search does neither.
    """
    search = _Improvement(task, weights, backend, exact)
    reason = ""
    try:
        search.run()
    except KeyboardInterrupt:
        reason = INTERRUPTED
    return search.optimum(reason)


class _Improvement:
    """The best fill so far and the upper bound, and the methods that improve them."""

    def __init__(self, task: Task, weights: Weights, backend: Backend, exact: Exact) -> None:
        self._task = task
        self._weights = weights
        self._backend = backend
        self._exact = exact
        self._random = Random(task.seed)
        self._network = task.candidates.network
        self._root = task.candidates.root.copy()
        self._near = [[other for _, _, _, other, _ in links] for links in self._network.links]
        self._words: Words | None = None
        self._value = 0
        self._bound = weights.ideal(self._root)
        self._given_up: Answer | None = None
        # A level is an index of ``_losses``, sorted: the amounts by which words of a fill may be
        # worth less than the best of their slot. Levels below ``_impossible`` have no fill, and
        # level ``_deepest`` has one.
        self._losses: list[int] = []
        self._impossible = 0
        self._deepest = 0
        self._region = min(_FIRST_REGION, float(len(self._near)))
        self._group = _FIRST_GROUP
        self._compiled: RegionSearch | None = None
        self._newest: Words | None = None
        self._complete = False
        self._counts = {"regions": 0, "improved": 0, "whole": 0}

    @property
    def proved(self) -> bool:
        return self._words is not None and self._value >= self._bound

    def optimum(self, reason: str) -> Optimum:
        stats: Stats = dict(self._counts)
        if self._words is None:
            if self._given_up is not None and not reason:
                return Optimum(self._given_up, None)
            return Optimum(Answer(Status.UNKNOWN, None, reason or TIME_LIMIT, stats), self._bound)
        if self._complete and not self.proved:
            reason = NO_BETTER
        reason = "" if self.proved else reason or TIME_LIMIT
        return Optimum(Answer(Status.FILLED, self._words, reason, stats), self._bound)

    def run(self) -> None:
        """Improve fill and bound until they meet or the deadline passes."""
        if not self._begin():
            return
        size, work, nodes = _FIRST_SIZE, _FIRST_WORK, _LEVEL_NODES
        while not self._done():
            self._narrow()
            if self._done():
                return
            left = sum(self._root.sizes)
            improving = work
            if left <= size and left * _SECONDS_TO_WRITE < self._task.deadline.left:
                self._solve_all(work)
                improving /= 4  # now the proof is more likely to be missing than a better fill
            spent = 0.0
            while spent < improving and not self._done():
                spent += self._improve()
            self._bound_groups(work)
            work *= 2
            size *= 4
            nodes *= 2
            self._dig(nodes)

    def _done(self) -> bool:
        return self.proved or self._complete or self._task.deadline.passed

    def _begin(self) -> bool:
        """Find a first fill and better ones; return False when no fill is found."""
        if self._task.start is not None:
            self._offer(self._task.start)
            return True
        first = Search(self._task.candidates, seed=self._task.seed)
        if first.run(self._task.deadline, _FIRST_NODES) is Status.FILLED:
            assert first.words is not None
            self._offer(first.words)
        else:
            answer = self._backend.solve(self._task)
            if answer.words is None:
                self._given_up = answer
                return False
            self._offer(answer.words)
        self._dig(_LEVEL_NODES)
        return True

    def _dig(self, nodes: int) -> None:
        """Find the lowest level that has a fill, by bisection with searches of ``nodes`` nodes."""
        root, weights = self._task.candidates.root, self._weights
        if not self._losses:
            self._losses = sorted(
                {
                    weights.best(slot, domain) - value
                    for slot, domain in enumerate(root.domains)
                    for value in weights.values(slot, domain)
                }
            )
            self._deepest = len(self._losses) - 1
        low, high = self._impossible, self._deepest
        while low < high and not self._done():
            middle = (low + high) // 2
            status = self._try_level(middle, nodes)
            if status is Status.FILLED:
                self._deepest = high = middle
            else:
                low = middle + 1
                if status is Status.UNFILLABLE:
                    self._impossible = low
        # The weights of fills of the same level differ widely.
        for _ in range(_MORE_OF_LEVEL):
            if not self._done():
                self._try_level(self._deepest, nodes)

    def _try_level(self, level: int, nodes: int) -> Status:
        """Search for a fill of words that are worth at most the level's loss less than the best."""
        state = self._weights.within(self._task.candidates.root, self._losses[level])
        if state is None:
            return Status.UNFILLABLE
        narrower = self._task.candidates.narrowed(state)
        search = Search(narrower, seed=self._random.getrandbits(31))
        status = search.run(self._task.deadline, nodes)
        if search.words is not None:
            if self._task.accepts(search.words):
                self._newest = search.words
            self._offer(search.words)
        return status

    def _offer(self, words: Words) -> bool:
        """Keep the fill unless it is worth less; return whether it is worth more."""
        value = self._weights.of(words)
        better = self._words is None or value > self._value
        if not better and value < self._value:
            return False
        if self._words is not None and not self._task.accepts(words):
            return False
        self._words, self._value = words, value
        if better:
            self._on_progress()
            slots = self._network.puzzle.grid.slots
            self._task.on_partial(
                {
                    cell: letter
                    for slot, word in zip(slots, words, strict=True)
                    for cell, letter in zip(slot.cells, word, strict=True)
                }
            )
        return better

    def _lower(self, bound: int) -> None:
        if bound < self._bound:
            self._bound = bound
            self._on_progress()

    def _on_progress(self) -> None:
        self._task.on_progress(f"best {self._value:,}, at most {self._bound:,}")

    def _narrow(self) -> None:
        """Remove candidates that are in no better fill, and lower the bound accordingly."""
        better = self._weights.narrow(self._root, self._value + 1)
        self._lower(max(self._value, self._weights.ideal(self._root)) if better else self._value)

    def _bound_groups(self, work: float) -> None:
        """Lower the bound by groups of slots, larger ones each time, as long as that helps."""
        if self._done() or self._group >= len(self._near) * _GROUP_GROWTH:
            return
        from satcross.backends.group_bound import group_bound

        task, gap, size = self._task, self._bound - self._value, int(self._group)
        bound = group_bound(self._network, self._root, self._weights, size, work, task.deadline)
        self._lower(max(self._value, bound))
        is_worth_it = self._bound - self._value < _WORTHY_GAP * gap
        self._group = self._group * _GROUP_GROWTH if is_worth_it else inf

    def _problem(self, state: State, min_value: int, work: float, workers: int) -> ExactProblem:
        return ExactProblem(
            self._task.candidates,
            state,
            self._weights,
            min_value,
            self._task.deadline,
            work,
            self._random.getrandbits(31),
            workers,
            self._words,
            self._task.accepts,
        )

    def _solve_all(self, work: float) -> None:
        """Give the exact solver the whole problem."""
        self._counts["whole"] += 1
        problem = self._problem(self._root, self._value + 1, work, self._task.workers)
        found = self._exact(problem)
        if found.words is not None and not self._task.accepts(found.words):
            found = branch_and_bound.maximise(problem)
        if found.words is not None:
            self._offer(found.words)
        self._complete = found.complete
        self._lower(max(self._value, found.bound))

    def _improve(self) -> float:
        """Fill regions anew; about what it took, as ``ExactProblem.work``."""
        if self._compiled is None:
            self._compiled = self._compile()
        if self._compiled is None:
            return self._improve_one()
        assert self._words is not None
        if self._value > self._compiled.value:
            self._compiled.visit(self._words)
        if self._newest is not None:
            # Another fill is another place to look from, also one that is worth less.
            self._compiled.visit(self._newest)
            self._newest = None
        before = self._compiled.regions
        if self._compiled.run(self._task.deadline, _COMPILED_REGIONS):
            self._counts["improved"] += 1
        self._offer(self._compiled.words)
        self._counts["regions"] += self._compiled.regions - before
        return _COMPILED_WORK

    def _compile(self) -> RegionSearch | None:
        """Return the same search in compiled code, if it is available for this puzzle."""
        if not engine.available():
            return None
        from satcross.backends.search.region import RegionSearch

        candidates = self._task.candidates
        if self._words is None or not RegionSearch.suits(candidates):
            return None
        return RegionSearch(
            candidates, self._weights, self._words, self._task.seed, self._task.accepts
        )

    def _improve_one(self) -> float:
        """Replace the words of one region by the best ones that the search finds."""
        assert self._words is not None
        # Small regions are quick; large ones find improvements that small ones miss.
        number = self._random.randint(min(_LEAST_REGION, len(self._near)), int(self._region))
        chosen = self._choose(number)
        state = self._with_others_fixed(chosen)
        # A different fill of equal weight is kept as well, since it has other neighbours.
        if not self._weights.narrow(state, self._value):
            raise InternalError("the best fill is not among the candidates")
        if self._weights.ideal(state) == self._value:
            self._grow(0.25)
            return 0.001
        self._counts["regions"] += 1
        found = branch_and_bound.maximise(self._problem(state, self._value, _REGION_WORK, 1))
        if found.words is not None and self._offer(found.words):
            self._counts["improved"] += 1
        took = float(found.stats["work"])
        if found.bound > self._value:
            self._grow(-2.0)
        elif took < _REGION_WORK / 4:
            self._grow(0.25)
        return max(0.01, took)

    def _grow(self, slots: float) -> None:
        largest = float(len(self._near))
        self._region = min(largest, max(float(_LEAST_REGION), self._region + slots))

    def _with_others_fixed(self, free: Sequence[int]) -> State:
        """Return the free slots' candidates that agree with the words of all other slots."""
        assert self._words is not None
        state = self._task.candidates.root.copy()
        fixed = sorted(set(range(len(state.domains))).difference(free))
        for slot in fixed:
            word = self._network.lexicons[slot].bit_of(self._words[slot])
            state.domains[slot], state.sizes[slot] = word, 1
        if self._network.propagate(state, fixed) is not None:
            raise InternalError("the best fill is not among the candidates")
        return state

    def _choose(self, number: int) -> list[int]:
        """Return connected slots at random, beginning where a better word may be possible."""
        assert self._words is not None
        root = self._task.candidates.root
        losses = [
            self._weights.best(slot, root.domains[slot]) - self._weights.weight(word)
            for slot, word in enumerate(self._words)
        ]
        some = 1 + sum(losses) / (10 * len(losses))
        slots = range(len(losses))
        start = self._random.choices(slots, [loss + some for loss in losses])[0]
        appeal = [
            (loss + some) / (1 + len(near)) for loss, near in zip(losses, self._near, strict=True)
        ]
        return sorted(connected_slots(start, number, self._near, appeal, self._random))
