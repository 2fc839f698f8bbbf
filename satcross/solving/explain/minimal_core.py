"""Extract a minimal unsatisfiable core: parts of a puzzle that can't be met together, all needed.

Three steps. (1) Search the neighbourhoods of single slots for an unfillable sub-puzzle: the slot
alone, then with the slots that cross it, then with the slots that cross those; arc consistency
is tried first because it takes milliseconds. (2) Drop every part without which the sub-puzzle stays
unfillable, in steps that double while they succeed (deletion with progression: Marques-Silva,
Janota and Belov, "Minimal sets over monotone predicates", 2013). (3) For each part that remains,
find a fill of the sub-puzzle without it: the witness that the part is needed. A check that runs
out of time proves nothing, so its part stays and is listed in ``Reason.unknown``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import (
    ANY_FILL,
    INTERRUPTED,
    Deadline,
    RunSettings,
    TimeUp,
    ignore_partial,
    ignore_progress,
)
from satcross.solving.explain.parts import (
    LABELS,
    Part,
    PartKind,
    Parts,
    all_parts,
    slot_names,
    sub_puzzle,
    weakened,
    without,
)
from satcross.solving.solve import solve

MAX_SEEDS = 12
"""Maximum number of slots whose neighbourhoods are checked with a backend."""

NEIGHBOURHOOD_SECONDS = 2.0
"""Time limit, in seconds, for a backend to decide one neighbourhood."""

NEIGHBOURHOOD_SHARE = 0.5
"""Share of the remaining time that all neighbourhoods together may take."""

MAX_RADIUS = 4
"""Maximum number of radii (in crossings, from 0: the slot alone) tried for a neighbourhood."""

MAX_SHRUNK_CORES = 5
"""Maximum number of unfillable neighbourhoods that are shrunk; the smallest one is used."""

CHECK_SHARE = 0.1
"""Share of the remaining time that one check may take."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Parts of a puzzle that can't be met together.

    ``witnesses`` maps a part to a fill (slot name -> word) of the sub-puzzle without that part,
    which proves that the part is needed.
    """

    parts: Parts
    witnesses: Mapping[Part, Mapping[str, str]]

    @property
    def unknown(self) -> Parts:
        """The parts without a witness."""
        return self.parts - self.witnesses.keys()

    @property
    def minimal(self) -> bool:
        """Whether every part has a witness."""
        return not self.unknown


class Oracle:
    """Decide whether sub-puzzles have a fill, and cache the answers."""

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

    def refuted_by_propagation(self, parts: Parts) -> bool:
        """Return whether arc consistency alone proves that the sub-puzzle has no fill."""
        if parts in self._known:
            return self._known[parts] is None
        try:
            self.deadline.check()
            if not arc_consistent(sub_puzzle(self.puzzle, parts), self.deadline).infeasible:
                return False
        except TimeUp:
            return False
        self._known[parts] = None
        return True

    def check(self, parts: Parts, seconds: float | None = None) -> Status:
        """Decide within a time limit whether the sub-puzzle has a fill; UNKNOWN if too slow.

        The default limit is ``CHECK_SHARE`` of the remaining time.
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
        """Return the fill that ``check`` found for the sub-puzzle, or None."""
        return self._known.get(parts)

    def solve(self, puzzle: Puzzle, seconds: float | None = None) -> Outcome:
        """Solve any puzzle within the time limits. Raises KeyboardInterrupt on Ctrl-C."""
        left = self.deadline.left
        limit = min(left, CHECK_SHARE * left if seconds is None else seconds)
        outcome = solve(
            puzzle,
            self._backend,
            self._settings,
            time_limit=None if limit == float("inf") else max(limit, 0.001),
            on_progress=ignore_progress,
            on_partial=ignore_partial,
            quality=ANY_FILL,
        )
        if outcome.reason == INTERRUPTED:
            raise KeyboardInterrupt
        return outcome


def find_core(oracle: Oracle) -> tuple[Status, Parts]:
    """Return the puzzle's status and, if it is unfillable, a set of parts with no common fill.

    The set is small where a neighbourhood proves it, but not minimal: see ``minimise``.
    """
    puzzle = oracle.puzzle
    everything = frozenset(all_parts(puzzle))
    slots = range(len(puzzle.grid.slots))
    try:
        candidates = arc_consistent(puzzle, oracle.deadline)
    except TimeUp:
        return Status.UNKNOWN, frozenset()
    if candidates.infeasible:
        return Status.UNFILLABLE, _smallest_failing_neighbourhood(
            oracle, slots, oracle.refuted_by_propagation
        ) or everything
    status = oracle.check(everything)
    if status is Status.FILLED:
        return status, frozenset()

    reserved = (1 - NEIGHBOURHOOD_SHARE) * oracle.deadline.left

    def fails(parts: Parts) -> bool:
        if oracle.deadline.left < reserved:
            return False
        seconds = min(NEIGHBOURHOOD_SECONDS, CHECK_SHARE * oracle.deadline.left)
        return oracle.check(parts, seconds) is Status.UNFILLABLE

    seeds = sorted(slots, key=candidates.root.sizes.__getitem__)[:MAX_SEEDS]
    core = _smallest_failing_neighbourhood(oracle, seeds, fails)
    if core is None and status is Status.UNKNOWN:
        status = oracle.check(everything, oracle.deadline.left)
        if status is not Status.UNFILLABLE:
            return status, frozenset()
    return Status.UNFILLABLE, core or everything


def _smallest_failing_neighbourhood(
    oracle: Oracle, seeds: Iterable[int], fails: Callable[[Parts], bool]
) -> Parts | None:
    """Return the smallest shrunk neighbourhood of a seed slot that ``fails``.

    Only neighbourhoods of the smallest radius at which any fails are compared; None when none
    fails within ``MAX_RADIUS``.
    """
    puzzle = oracle.puzzle
    parts = all_parts(puzzle)
    neighbours: list[set[int]] = [set() for _ in puzzle.grid.slots]
    for crossing in puzzle.grid.crossings:
        neighbours[crossing.across].add(crossing.down)
        neighbours[crossing.down].add(crossing.across)
    around = {seed: {seed} for seed in seeds}
    for _ in range(MAX_RADIUS):
        failing = []
        for slots in around.values():
            names = {puzzle.grid.slots[slot].name for slot in slots}
            near = frozenset(part for part in parts if not part.name or part.name in names)
            if len(names) < len(neighbours) and fails(near):
                failing.append(near)
        if failing:
            failing.sort(key=len)
            cores = [_shrink(near, fails) for near in failing[:MAX_SHRUNK_CORES]]
            # Fewest slots first, since they make a reason hard to follow.
            return min(cores, key=lambda parts: (len(slot_names(parts)), len(parts)))
        for slots in around.values():
            slots.update(*(neighbours[slot] for slot in slots.copy()))
    return None


def minimise(oracle: Oracle, core: Parts) -> tuple[Reason, bool]:
    """Drop parts from an unfillable core until each remaining part is needed.

    The deadline or Ctrl-C leaves parts without a witness. Returns the reason, and whether Ctrl-C
    was pressed.
    """
    parts, interrupted = core, False

    def is_refuted(tried: Parts) -> bool:
        nonlocal parts
        if not oracle.refuted_by_propagation(tried):
            return False
        parts = tried  # survives an interruption
        return True

    def fails(tried: Parts) -> bool:
        nonlocal parts
        if is_refuted(tried):
            return True
        if oracle.check(tried) is not Status.UNFILLABLE:
            return False
        parts = tried
        return True

    witnesses: dict[Part, Mapping[str, str]] = {}
    try:
        parts = _shrink(core, is_refuted)
        parts = _shrink(parts, fails)
        # A part was needed beside parts that have since been dropped: check it again in the
        # final set, where the fill is its witness.
        while (smaller := _weaken_one_part(parts, fails)) is not None:
            parts = smaller
    except KeyboardInterrupt:
        interrupted = True
    for part in parts:
        fill = oracle.witness(without(parts, part))
        if fill is not None:
            witnesses[part] = fill
    return Reason(parts, witnesses), interrupted


def _weaken_one_part(parts: Parts, fails: Callable[[Parts], bool]) -> Parts | None:
    for part in _by_droppability(parts):
        weaker = without(parts, part)
        if fails(weaker):
            return weaker
    return None


def _shrink(core: Parts, fails: Callable[[Parts], bool]) -> Parts:
    """Drop parts without which the rest still ``fails``, doubling the step while it succeeds."""
    needed: list[Part] = []
    remaining = _by_droppability(core)
    step = 1
    while remaining:
        tried = remaining[:step]
        rest = remaining[step:]
        if fails(frozenset(needed + rest)):
            remaining = rest
            step *= 2
        elif step > 1:
            step = 1
        else:
            weaker = weakened(tried[0])
            if weaker is not None and fails(frozenset([*needed, weaker, *rest])):
                needed.append(weaker)
            else:
                needed.append(tried[0])
            remaining = rest
    return frozenset(needed)


def _by_droppability(parts: Parts) -> list[Part]:
    """Sort the parts to drop first to the front: rules, letters, locks, then slots."""
    order = (*LABELS, PartKind.LETTER, PartKind.LOCK, PartKind.SLOT)
    ranks = {label: rank for rank, label in enumerate(order)}
    return sorted(
        parts,
        key=lambda part: (ranks[part.label], part.cell or (0, 0), len(part.name), part.name),
    )
