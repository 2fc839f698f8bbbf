"""Finding a minimal reason: parts of the question that can't be met together, none to spare.

Three steps. (1) Look near single slots first: a slot alone, with its crossings, with theirs and so
on, until the sub-puzzle has no fill; arc consistency, which costs little, is asked before a
backend is. (2) Drop what the sub-puzzle stays unfillable without, several parts at a time as long
as that works (deletion with growing steps, as Marques-Silva, Janota and Belov 2013 call it
progression). (3) Try each part that is left once more: the puzzle without it must have a fill,
which is kept as the witness. A check that runs out of time proves nothing: its part is kept, and
named in ``Reason.unknown``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from satcross.deadline import INTERRUPTED, Deadline, ignore_progress
from satcross.explain.parts import (
    RULES,
    Kind,
    Part,
    Parts,
    all_parts,
    slot_names,
    sub_puzzle,
    weakened,
    without,
)
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import RunSettings, ignore_partial
from satcross.solving.solve import solve

MOST_SEEDS = 12
"""Slots around which a backend looks for a small reason."""

NEAR_SECONDS = 2.0
"""How long a backend may look at one sub-puzzle around a slot."""

NEAR_SHARE = 0.5
"""The part of the time left that looking around slots may take in all."""

NEAR_STEPS = 4
"""How far, in crossings, a small reason is looked for around a slot."""

MOST_SHRUNK = 5
"""How many small sub-puzzles that fail are compared, once each has been made smaller."""

SHARE = 0.1
"""The part of the time left that one check may take."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Parts that can't be met together.

    ``witnesses``: for a part, a fill (slot name -> word) of the sub-puzzle without it, which shows
    that the part is needed. ``unknown``: the parts for which that is not known.
    """

    parts: Parts
    witnesses: Mapping[Part, Mapping[str, str]]

    @property
    def unknown(self) -> Parts:
        return self.parts - self.witnesses.keys()

    @property
    def minimal(self) -> bool:
        """Whether every part is known to be needed."""
        return not self.unknown


class Oracle:
    """Says of sub-puzzles whether they have a fill; what was asked once is remembered."""

    def __init__(
        self,
        puzzle: Puzzle,
        backend: str = "auto",
        deadline: Deadline | None = None,
        settings: RunSettings | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.deadline = deadline or Deadline()
        self.checks = 0
        self._backend = backend
        self._settings = settings or RunSettings()
        self._known: dict[Parts, Mapping[str, str] | None] = {}

    def fails_quickly(self, parts: Parts) -> bool:
        """Whether arc consistency alone shows, in time, that the sub-puzzle has no fill."""
        if parts in self._known:
            return self._known[parts] is None
        if self.deadline.passed or not arc_consistent(sub_puzzle(self.puzzle, parts)).infeasible:
            return False
        self._known[parts] = None
        return True

    def ask(self, parts: Parts, seconds: float | None = None) -> Status:
        """Whether the sub-puzzle has a fill, as far as found in so many seconds.

        Without a number, in a share of the time left.
        """
        if parts not in self._known:
            if self.deadline.passed:
                return Status.UNKNOWN
            self.checks += 1
            self._settings.on_progress(f"check {self.checks}: {len(parts)} parts")
            outcome = self.solve(sub_puzzle(self.puzzle, parts), seconds)
            if outcome.status is Status.UNKNOWN:
                return Status.UNKNOWN
            self._known[parts] = outcome.fill
        return Status.UNFILLABLE if self._known[parts] is None else Status.FILLED

    def witness(self, parts: Parts) -> Mapping[str, str] | None:
        """The fill of a sub-puzzle that ``ask`` found one of."""
        return self._known.get(parts)

    def solve(self, puzzle: Puzzle, seconds: float | None = None) -> Outcome:
        """Solve any puzzle within the limits; an interruption is raised as such."""
        left = self.deadline.left
        limit = min(left, SHARE * left if seconds is None else seconds)
        outcome = solve(
            puzzle,
            self._backend,
            self._settings,
            time_limit=None if limit == float("inf") else max(limit, 0.001),
            on_progress=ignore_progress,
            on_partial=ignore_partial,
        )
        if outcome.reason == INTERRUPTED:
            raise KeyboardInterrupt
        return outcome


def find_core(oracle: Oracle) -> tuple[Status, Parts]:
    """Whether the puzzle has a fill; when it has none, parts that already have none.

    The parts are few where that is easily seen, but not minimal: see ``minimise``.
    """
    puzzle = oracle.puzzle
    everything = frozenset(all_parts(puzzle))
    slots = range(len(puzzle.grid.slots))
    candidates = arc_consistent(puzzle)
    if candidates.infeasible:
        return Status.UNFILLABLE, _nearby(oracle, slots, oracle.fails_quickly) or everything
    status = oracle.ask(everything)
    if status is Status.FILLED:
        return status, frozenset()

    enough = (1 - NEAR_SHARE) * oracle.deadline.left

    def fails(parts: Parts) -> bool:
        if oracle.deadline.left < enough:
            return False
        seconds = min(NEAR_SECONDS, SHARE * oracle.deadline.left)
        return oracle.ask(parts, seconds) is Status.UNFILLABLE

    seeds = sorted(slots, key=candidates.root.sizes.__getitem__)[:MOST_SEEDS]
    core = _nearby(oracle, seeds, fails)
    if core is None and status is Status.UNKNOWN:
        status = oracle.ask(everything, oracle.deadline.left)
        if status is not Status.UNFILLABLE:
            return status, frozenset()
    return Status.UNFILLABLE, core or everything


def _nearby(oracle: Oracle, seeds: Iterable[int], fails: Callable[[Parts], bool]) -> Parts | None:
    """The smallest of the sub-puzzles around one slot, equally far, of which one ``fails``."""
    puzzle = oracle.puzzle
    whole = all_parts(puzzle)
    neighbours: list[set[int]] = [set() for _ in puzzle.grid.slots]
    for crossing in puzzle.grid.crossings:
        neighbours[crossing.across].add(crossing.down)
        neighbours[crossing.down].add(crossing.across)
    around = {seed: {seed} for seed in seeds}
    for _ in range(NEAR_STEPS):
        failing = []
        for slots in around.values():
            names = {puzzle.grid.slots[slot].name for slot in slots}
            near = frozenset(part for part in whole if not part.name or part.name in names)
            if len(names) < len(neighbours) and fails(near):
                failing.append(near)
        if failing:
            failing.sort(key=len)
            cores = [_shrink(near, fails) for near in failing[:MOST_SHRUNK]]
            return min(cores, key=_complexity)
        for slots in around.values():
            slots.update(*(neighbours[slot] for slot in slots.copy()))
    return None


def _complexity(parts: Parts) -> tuple[int, int]:
    """Slots count most for how hard a reason is to follow."""
    return len(slot_names(parts)), len(parts)


def minimise(oracle: Oracle, core: Parts) -> tuple[Reason, bool]:
    """Leave out of an unfillable core what can be, until each part left is needed.

    An interruption, or the deadline, leaves parts for which this is not known. Also says whether
    there was an interruption.
    """
    parts, interrupted = core, False

    def quickly(tried: Parts) -> bool:
        nonlocal parts
        if not oracle.fails_quickly(tried):
            return False
        parts = tried  # kept, should an interruption come
        return True

    def fails(tried: Parts) -> bool:
        nonlocal parts
        if quickly(tried):
            return True
        if oracle.ask(tried) is not Status.UNFILLABLE:
            return False
        parts = tried
        return True

    witnesses: dict[Part, Mapping[str, str]] = {}
    try:
        parts = _shrink(core, quickly)
        parts = _shrink(parts, fails)
        # Each part is looked at again beside the parts that are left in the end, for a witness.
        while (smaller := _weaken_one(parts, fails)) is not None:
            parts = smaller
    except KeyboardInterrupt:
        interrupted = True
    for part in parts:
        fill = oracle.witness(without(parts, part))
        if fill is not None:
            witnesses[part] = fill
    return Reason(parts, witnesses), interrupted


def _weaken_one(parts: Parts, fails: Callable[[Parts], bool]) -> Parts | None:
    for part in _in_order(parts):
        weaker = without(parts, part)
        if fails(weaker):
            return weaker
    return None


def _shrink(core: Parts, fails: Callable[[Parts], bool]) -> Parts:
    """Leave out parts without which the rest still ``fails``, more at a time while that works."""
    needed: list[Part] = []
    left = _in_order(core)
    step = 1
    while left:
        tried = left[:step]
        rest = left[step:]
        if fails(frozenset(needed + rest)):
            left = rest
            step *= 2
        elif step > 1:
            step = 1
        else:
            weaker = weakened(tried[0])
            if weaker is not None and fails(frozenset([*needed, weaker, *rest])):
                needed.append(weaker)
            else:
                needed.append(tried[0])
            left = rest
    return frozenset(needed)


def _in_order(parts: Parts) -> list[Part]:
    """What had better not be in a reason comes first: rules, letters and locks, then slots."""
    ranks = {kind: rank for rank, kind in enumerate((*RULES, Kind.LETTER, Kind.LOCK, Kind.SLOT))}
    return sorted(parts, key=lambda part: (ranks[part.kind], part.cell or (0, 0), _number(part)))


def _number(part: Part) -> tuple[int, str]:
    return (int(part.name[:-1]), part.name) if part.name else (0, "")
