"""Convert an explanation to plain values for JSON."""

from __future__ import annotations

from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.solving.explain.explanation import Explanation
from satcross.solving.explain.parts import Part
from satcross.solving.explain.wording import in_reading_order, name_part


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
