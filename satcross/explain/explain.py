"""``explain``: a minimal reason why a puzzle has no fill, told, and what would help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Unpack

from satcross.deadline import INTERRUPTED, TIME_LIMIT, Deadline
from satcross.explain.minimal_core import Oracle, Reason, find_core, minimise
from satcross.explain.parts import Kind, Part, all_parts, slot_names
from satcross.explain.suggest import Suggestion, suggestions
from satcross.explain.wording import Wording, tell
from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.run_settings import RunOptions, RunSettings

SUGGESTION_SHARE = 0.5
"""The part of the time limit that is kept for suggestions."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a puzzle has no fill, when ``status`` is UNFILLABLE: ``reason``, and ``telling`` it.

    ``also`` names the other slots that can't be filled even by themselves. When the status is
    FILLED, there is nothing to explain, and ``fill`` (slot name -> word) shows it. ``stopped`` says
    what came too early, the time limit or an interruption: for an answer when the status is
    UNKNOWN, else for showing that the reason is minimal, or for more suggestions.
    """

    status: Status
    reason: Reason | None = None
    telling: Wording | None = None
    also: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    fill: Mapping[str, str] | None = None
    stopped: str = ""
    checks: int = field(default=0, compare=False)


def explain(
    puzzle: Puzzle,
    backend: str = "auto",
    settings: RunSettings | None = None,
    *,
    suggest: bool = True,
    **changes: Unpack[RunOptions],
) -> Explanation:
    """Find a minimal reason why the puzzle has no fill.

    Minimal: the slots, locks, given letters and rules of the reason can't be met together, but can
    when any one of them is left out (a lock: when its slot may take any word); there may be other
    reasons, larger or smaller. ``backend`` answers what arc consistency can't. The time limit is
    for everything; with ``suggest``, half of it is for suggestions. At the limit or an interruption
    what is known is returned. The other arguments and the errors are those of ``solve``;
    ``on_partial`` is not called.
    """
    settings = RunSettings.of(settings, changes)
    limit = settings.time_limit
    finding = None if limit is None else limit * (SUGGESTION_SHARE if suggest else 1)
    whole = Deadline.after(limit)
    oracle = Oracle(puzzle, backend, Deadline.after(finding), settings)
    try:
        status, core = find_core(oracle)
        if status is Status.UNKNOWN and suggest:
            oracle.deadline = whole  # nothing to suggest without an answer
            status, core = find_core(oracle)
    except KeyboardInterrupt:
        return Explanation(Status.UNKNOWN, stopped=INTERRUPTED, checks=oracle.checks)
    if status is Status.UNKNOWN:
        return Explanation(status, stopped=TIME_LIMIT, checks=oracle.checks)
    if status is Status.FILLED:
        fill = oracle.witness(frozenset(all_parts(puzzle)))
        return Explanation(status, fill=fill, checks=oracle.checks)
    reason, interrupted = minimise(oracle, core)
    stopped = INTERRUPTED if interrupted else "" if reason.minimal else TIME_LIMIT
    tried: list[Suggestion] = []
    if suggest and not interrupted:
        oracle.deadline = whole
        try:
            for suggestion in suggestions(oracle, reason.parts):
                tried.append(suggestion)
                settings.on_progress(f"{len(tried)} suggestions")
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        if whole.passed:
            stopped = stopped or TIME_LIMIT
    return Explanation(
        Status.UNFILLABLE,
        reason,
        tell(puzzle, reason),
        _also(oracle, reason),
        tuple(tried),
        stopped=stopped,
        checks=oracle.checks,
    )


def _also(oracle: Oracle, reason: Reason) -> tuple[str, ...]:
    """The other slots that have no word even alone, when the reason is such a slot."""
    names = slot_names(reason.parts)
    if len(names) != 1:
        return ()
    parts = all_parts(oracle.puzzle)
    rules = frozenset(part for part in parts if not part.name)
    return tuple(
        part.name
        for part in parts
        if part.kind is Kind.SLOT and part.name not in names and _alone(oracle, rules, part)
    )


def _alone(oracle: Oracle, rules: frozenset[Part], part: Part) -> bool:
    return oracle.fails_quickly(rules | {part})
