"""Find a minimal reason why a puzzle has no fill, put it in words and suggest changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Unpack

from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, RunOptions, RunSettings
from satcross.solving.explain.minimal_core import Oracle, Reason, find_core, minimise
from satcross.solving.explain.parts import Part, PartKind, all_parts, slot_names
from satcross.solving.explain.suggest import Suggestion, find_suggestions
from satcross.solving.explain.wording import Wording, in_reading_order, name_part, word_reason
from satcross.solving.run import MAKE_PUZZLE
from satcross.support.arguments import check_type

SUGGESTION_SHARE = 0.5
"""Share of the time limit that is reserved for suggestions."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Result of ``explain``.

    When ``status`` is UNFILLABLE, ``reason`` is a minimal set of parts that can't be met together,
    ``wording`` states it in sentences, and ``other_unfillable_slots`` names slots outside the
    reason that have no word even alone. When it is FILLED, ``fill`` maps slot names to words and
    the other fields are empty. ``stopped`` is "", "time limit" or "interrupted": what cut the
    search short, before an answer (UNKNOWN) or before the reason was shown to be minimal or every
    suggestion was tried (UNFILLABLE). ``checks`` counts the sub-puzzles given to the backend.
    """

    status: Status
    reason: Reason | None = None
    wording: Wording | None = None
    other_unfillable_slots: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    fill: Mapping[str, str] | None = None
    stopped: str = ""
    checks: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        parts = "" if self.reason is None else f", {len(self.reason.parts)} parts"
        return f"<Explanation: {self.status.value}{parts}>"

    def lines(self, *, suggest: bool = True) -> list[str]:
        """Return what ``satcross explain`` prints.

        ``suggest``: whether suggestions were looked for.
        """
        if self.status is Status.UNKNOWN:
            return [f"Unknown: {self.stopped}."]
        if self.wording is None:
            return [
                "There is nothing to explain: the puzzle has a fill (satcross solve shows one)."
            ]
        lines = [self.wording.headline, ""]
        lines += [f"  {line}" for line in self.wording.because]
        lines += ["", self.wording.needed]
        if self.other_unfillable_slots:
            lines.append(
                f"By {'itself' if len(self.other_unfillable_slots) == 1 else 'themselves'}, "
                f"{', '.join(self.other_unfillable_slots)} can't be filled either."
            )
        if self.suggestions:
            lines += ["", "What would help (each tried, and then there is a fill):"]
            lines += [f"  {suggestion.text}" for suggestion in self.suggestions]
        elif suggest and self.stopped != INTERRUPTED:
            in_time = " within the time limit" if self.stopped else ""
            lines += [
                "",
                f"No single change that helps was found{in_time}; other reasons may remain.",
            ]
        if self.stopped == INTERRUPTED:
            lines += ["", "Interrupted: this is what was found by then."]
        return lines


def explain(
    puzzle: Puzzle,
    backend: str = "auto",
    settings: RunSettings | None = None,
    *,
    suggest: bool = True,
    **changes: Unpack[RunOptions],
) -> Explanation:
    """Find a minimal reason why the puzzle has no fill.

    A reason is minimal when its slots, locks, given letters and rules can't be met together, but
    can as soon as any one of them is left out (for a lock: as soon as its slot may take any word).
    The puzzle may have other minimal reasons, larger or smaller. ``backend`` decides the
    sub-puzzles that arc consistency leaves undecided. The time limit covers everything; with
    ``suggest``, half of it is reserved for suggestions. At the time limit, or on Ctrl-C, the result
    holds what is known by then. The other arguments and the errors are those of ``solve``;
    ``on_partial`` is not called.
    """
    check_type(puzzle, Puzzle, "the puzzle", MAKE_PUZZLE)
    settings = RunSettings.of(settings, changes)
    limit = settings.time_limit
    search_limit = None if limit is None else limit * (SUGGESTION_SHARE if suggest else 1)
    deadline = settings.deadline()
    oracle = Oracle(puzzle, backend, deadline.within(search_limit), settings)
    try:
        status, core = find_core(oracle)
        if status is Status.UNKNOWN and suggest:
            oracle.deadline = deadline  # without an answer there is nothing to suggest
            status, core = find_core(oracle)
    except KeyboardInterrupt:
        return Explanation(Status.UNKNOWN, stopped=INTERRUPTED, checks=oracle.checks)
    if status is Status.UNKNOWN:
        return Explanation(status, stopped=deadline.reason, checks=oracle.checks)
    if status is Status.FILLED:
        fill = oracle.witness(frozenset(all_parts(puzzle)))
        return Explanation(status, fill=fill, checks=oracle.checks)
    reason, interrupted = minimise(oracle, core)
    stopped = INTERRUPTED if interrupted else "" if reason.minimal else deadline.reason
    found: list[Suggestion] = []
    if suggest and not interrupted:
        oracle.deadline = deadline
        try:
            for suggestion in find_suggestions(oracle, reason.parts):
                found.append(suggestion)
                settings.on_progress(f"{len(found)} suggestions")
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        if deadline.passed:
            stopped = stopped or deadline.reason
    return Explanation(
        Status.UNFILLABLE,
        reason,
        word_reason(puzzle, reason),
        _other_unfillable_slots(oracle, reason),
        tuple(found),
        stopped=stopped,
        checks=oracle.checks,
    )


def _other_unfillable_slots(oracle: Oracle, reason: Reason) -> tuple[str, ...]:
    """Return the slots outside a one-slot reason that have no word even alone."""
    names = slot_names(reason.parts)
    if len(names) != 1:
        return ()
    parts = all_parts(oracle.puzzle)
    rules = frozenset(part for part in parts if not part.name)
    return tuple(
        part.name
        for part in parts
        if part.kind is PartKind.SLOT
        and part.name not in names
        and oracle.refuted_by_propagation(rules | {part})
    )


def explanation_to_data(puzzle: Puzzle, explanation: Explanation) -> dict[str, object]:
    """Return what ``satcross explain --json`` prints, without the figures about the run."""
    data: dict[str, object] = {
        "status": "fillable" if explanation.status is Status.FILLED else explanation.status.value,
        "stopped": explanation.stopped or None,
    }
    if explanation.reason is not None and explanation.wording is not None:
        data["minimal"] = explanation.reason.minimal
        data["headline"] = explanation.wording.headline
        data["because"] = list(explanation.wording.because)
        data["needed"] = explanation.wording.needed
        witnesses = explanation.reason.witnesses
        data["parts"] = [
            {**_part_to_data(puzzle, part), "fill_without_it": witnesses.get(part)}
            for part in in_reading_order(puzzle, explanation.reason.parts)
        ]
        data["also"] = list(explanation.other_unfillable_slots)
        data["suggestions"] = [
            {**suggestion.data, "text": suggestion.text, "fill": dict(suggestion.fill)}
            for suggestion in explanation.suggestions
        ]
    if explanation.fill is not None:
        data["fill"] = dict(explanation.fill)
    return data


def _part_to_data(puzzle: Puzzle, part: Part) -> dict[str, object]:
    data: dict[str, object] = {"kind": part.label, "text": name_part(puzzle, part)}
    if part.name:
        data["slot"] = part.name
    if part.cell is not None:
        data["row"], data["column"] = part.cell
    return data
