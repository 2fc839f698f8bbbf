"""The search for the best fill that the optimising backends share.

A backend brings an exact solver, which proves; the rest, which finds, is here:

- a first fill, and better ones from a short search among the words that fall short of their slot's
  best by less and less: this alone is worth more than minutes of improving a plain fill;
- large neighbourhoods (Shaw 1998): the words of some slots that hang together are taken out, and
  branch and bound says how they are best filled again with all others as they are. How many slots
  depends on how hard the last ones were. Measured on such regions it is quicker than CP-SAT and
  RC2, and a fill needs no second opinion: it is verified;
- in between, and at once where the candidates are few, the whole question, for the proof. Whatever
  can't be in a better fill has been taken away before (``Weights.narrow``).

Effort is counted in the solver's own units wherever it can, not in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from satcross.backends.base import Answer, Backend, Optimum, Stats, Task
from satcross.backends.search import branch_and_bound
from satcross.backends.search.exact import Exact, ExactProblem, Words
from satcross.backends.search.search import Search
from satcross.deadline import INTERRUPTED, TIME_LIMIT
from satcross.errors import InternalError
from satcross.network.arc_consistency import State
from satcross.network.weights import Weights, narrowed
from satcross.outcome import Status

_FIRST_NODES = 2000
_LEVEL_NODES = 600
"""Nodes of the search for a first fill, and for one among words of a level: 0.3 s or less."""

_MORE_OF_LEVEL = 6
"""Searches for other fills of the best level found."""

_FIRST_SIZE = 6000
"""Candidates of the whole question up to which it is asked at once."""

_REGION_WORK = 0.5
_SECONDS_TO_WRITE = 5e-5
"""Time to write a candidate for a solver; without enough time left, writing is not begun."""

_FIRST_WORK = 2.0
_FIRST_REGION = 12.0
_LEAST_REGION = 4


def optimise(task: Task, weights: Weights, backend: Backend, exact: Exact) -> Optimum:
    """Find the fill that is worth the most, with proof; at the limit or Ctrl-C the best so far.

    ``backend`` finds a first fill, or proves that there is none, where a short search doesn't.
    """
    search = _Improvement(task, weights, backend, exact)
    reason = ""
    try:
        search.run()
    except KeyboardInterrupt:
        reason = INTERRUPTED
    return search.optimum(reason)


class _Improvement:
    """The best fill so far, the bound, and what brings them together."""

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
        self._bits: list[int] = []
        self._value = 0
        self._bound = weights.ideal(self._root)
        self._given_up: Answer | None = None
        # Levels: what words of a fill fall short by at the most. All below the first number are
        # known to have none, and the second one has one.
        self._losses: list[int] = []
        self._impossible = 0
        self._deepest = 0
        self._region = min(_FIRST_REGION, float(len(self._near)))
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
        reason = "" if self.proved else reason or TIME_LIMIT
        return Optimum(Answer(Status.FILLED, self._words, reason, stats), self._bound)

    def run(self) -> None:
        """Go on until the proof or the deadline."""
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
                self._ask_all(work)
                improving /= 4  # the proof is what is likely to be missing
            spent = 0.0
            while spent < improving and not self._done():
                spent += self._improve()
            work *= 2
            size *= 4
            nodes *= 2
            if not self._done():
                self._dig(nodes)

    def _done(self) -> bool:
        return self.proved or self._task.deadline.passed

    def _begin(self) -> bool:
        """A first fill, and soon better ones; False when there is none."""
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
        """Look for fills of words that fall short of their slots' best by less and less."""
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
        # Fills of the same level differ much in what they are worth.
        for _ in range(_MORE_OF_LEVEL):
            if not self._done():
                self._try_level(self._deepest, nodes)

    def _try_level(self, level: int, nodes: int) -> Status:
        """Search for a fill of words that fall short by that much at the most."""
        state = self._weights.within(self._task.candidates.root, self._losses[level])
        if state is None:
            return Status.UNFILLABLE
        narrower = narrowed(self._task.candidates, state)
        search = Search(narrower, seed=self._random.getrandbits(31))
        status = search.run(self._task.deadline, nodes)
        if search.words is not None:
            self._offer(search.words)
        return status

    def _offer(self, words: Words) -> bool:
        """Take the fill unless it is worth less; whether it is worth more."""
        value = self._weights.of(words)
        better = self._words is None or value > self._value
        if not better and value < self._value:
            return False
        self._words, self._value = words, value
        self._bits = [
            lexicon.bit_of(word)
            for lexicon, word in zip(self._network.lexicons, words, strict=True)
        ]
        if better:
            self._on_progress()
        return better

    def _lower(self, bound: int) -> None:
        if bound < self._bound:
            self._bound = bound
            self._on_progress()

    def _on_progress(self) -> None:
        self._task.on_progress(f"best {self._value:,}, at most {self._bound:,}")

    def _narrow(self) -> None:
        """Take away what is in no better fill; with nothing left, the best one is proved."""
        if not self._weights.narrow(self._root, self._value + 1):
            self._lower(self._value)
        else:
            self._lower(max(self._value, self._weights.ideal(self._root)))

    def _question(self, state: State, least: int, work: float, workers: int) -> ExactProblem:
        return ExactProblem(
            self._task.candidates,
            state,
            self._weights,
            least,
            self._task.deadline,
            work,
            self._random.getrandbits(31),
            workers,
            self._words,
        )

    def _ask_all(self, work: float) -> None:
        self._counts["whole"] += 1
        found = self._exact(self._question(self._root, self._value + 1, work, self._task.workers))
        if found.words is not None:
            self._offer(found.words)
        self._lower(max(self._value, found.bound))

    def _improve(self) -> float:
        """Fill one region anew as well as can be; about what it took, as ``Question.work``."""
        assert self._words is not None
        # Small regions are quick, and large ones find what small ones can't.
        number = self._random.randint(min(_LEAST_REGION, len(self._near)), int(self._region))
        chosen = self._choose(number)
        state = self._with_others_fixed(chosen)
        # Another fill that is worth the same is welcome: it leads to other ones.
        if not self._weights.narrow(state, self._value):
            raise InternalError("the best fill is not among the candidates")
        if self._weights.ideal(state) == self._value:
            self._grow(0.25)
            return 0.001
        self._counts["regions"] += 1
        found = branch_and_bound.maximise(self._question(state, self._value, _REGION_WORK, 1))
        if found.words is not None and self._offer(found.words):
            self._counts["improved"] += 1
        took = float(found.stats["work"])
        if found.bound > self._value:
            self._grow(-2.0)
        elif took < _REGION_WORK / 4:
            self._grow(0.25)
        return max(0.01, took)

    def _grow(self, slots: float) -> None:
        most = float(len(self._near))
        self._region = min(most, max(float(_LEAST_REGION), self._region + slots))

    def _with_others_fixed(self, free: Sequence[int]) -> State:
        """The free slots' candidates, as far as they go with the words in the others."""
        state = self._task.candidates.root.copy()
        fixed = sorted(set(range(len(state.domains))).difference(free))
        for slot in fixed:
            state.domains[slot], state.sizes[slot] = self._bits[slot], 1
        if self._network.propagate(state, fixed) is not None:
            raise InternalError("the best fill is not among the candidates")
        return state

    def _choose(self, number: int) -> list[int]:
        """Slots that hang together, from one that could be better on."""
        assert self._words is not None
        root = self._task.candidates.root
        losses = [
            self._weights.best(slot, root.domains[slot]) - self._weights.weight(word)
            for slot, word in enumerate(self._words)
        ]
        some = 1 + sum(losses) / (10 * len(losses))
        slots = range(len(losses))
        start = self._random.choices(slots, [loss + some for loss in losses])[0]
        chosen = {start: None}
        ties = dict.fromkeys(self._near[start], 1)
        while len(chosen) < number:
            if not ties:
                # A part of the grid of its own is used up: go on in another.
                left = [slot for slot in slots if slot not in chosen]
                if not left:
                    break
                ties = {self._random.choice(left): 1}
            found = self._random.choices(
                list(ties),
                [
                    count * count * (losses[slot] + some) / (1 + len(self._near[slot]))
                    for slot, count in ties.items()
                ],
            )[0]
            chosen[found] = None
            del ties[found]
            for other in self._near[found]:
                if other not in chosen:
                    ties[other] = ties.get(other, 0) + 1
        return sorted(chosen)
