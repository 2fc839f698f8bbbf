"""The result of a layout search as plain values for JSON."""

from __future__ import annotations

from satcross.crossword import Crossword
from satcross.formats.json import slot_to_data
from satcross.make.layout.result import LayoutResult, describe


def result_to_data(result: LayoutResult, crossword: Crossword | None) -> dict[str, object]:
    """Return what ``satcross layout --json`` prints, without the figures about the run."""
    layout = result.layout
    data: dict[str, object] = {
        "status": "found" if layout else "impossible" if result.impossible else "unknown",
        "proved_smallest": result.smallest and result.box is None,
        "none_below": result.bound,
        "reason": describe(result),
        "left_over": list(result.left_over),
    }
    if layout is not None and crossword is not None:
        data |= {
            "height": layout.height,
            "width": layout.width,
            "area": layout.area,
            "crossings": layout.crossings,
            "grid": list(layout.rows),
            "slots": [
                {
                    **slot_to_data(slot),
                    "word": crossword.words[slot.name],
                    "clue": crossword.clues.get(slot.name),
                }
                for slot in crossword.grid.slots
            ],
        }
    return data
