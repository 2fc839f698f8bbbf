"""Describe the result of a layout search in a sentence, and as plain values for JSON."""

from __future__ import annotations

from satcross.construct.layout.layout import Layout
from satcross.construct.layout.smallest import LayoutResult
from satcross.crossword import Crossword
from satcross.formats.json import slot_to_data
from satcross.support.wording import counted


def describe(result: LayoutResult) -> str:
    """Describe the layout and its bound in a sentence, or say why there is none."""
    layout = result.layout
    if result.box is not None and layout is not None:
        return _describe_in_box(layout, result)
    if layout is None and result.impossible:
        return f"No layout: {result.reason}."
    if layout is None:
        left = ", ".join(result.left_over)
        return f"Unknown: no layout of all words found ({result.reason}); left over: {left}."
    size = _size(layout)
    if result.smallest:
        return f"{size}; proved: no layout has a smaller area."
    return f"{size}; best found ({result.reason}); proved lower bound: {result.bound} cells."


def _size(layout: Layout) -> str:
    return (
        f"{counted(len(layout.placements), 'word')} in {layout.height}x{layout.width} = "
        f"{counted(layout.area, 'cell')}, {counted(layout.crossings, 'crossing')}"
    )


def _describe_in_box(layout: Layout, result: LayoutResult) -> str:
    if not result.left_over:
        return f"{_size(layout)}; all words."
    why = "proved: the box can't hold all words" if result.impossible else result.reason
    return f"{_size(layout)}; left over ({why}): {', '.join(result.left_over)}."


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
