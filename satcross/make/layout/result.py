"""The result of a layout search, in a sentence and as plain values for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

from satcross.crossword import Crossword
from satcross.formats.json import slot_to_data
from satcross.make.layout.layout import Layout
from satcross.support.wording import counted

Box = tuple[int, int]
"""Rows and columns."""


@dataclass(frozen=True, slots=True)
class LayoutResult:
    """Result of a layout search: the best layout and the proven lower bound on the area.

    ``layout`` is the smallest layout found, or None. ``bound`` is a number of cells: no layout has
    a smaller area. ``impossible`` means that no layout exists, which is proved. ``reason`` says in
    a clause why there is no layout or why the search stopped; it is "" for a proven optimum.
    ``left_over`` has the words that the best attempt could not place. With a ``box`` of rows and
    columns, ``layout`` may lack these words, and ``impossible`` means that the box does not hold
    all words, which is proved; ``reason`` is "" if the layout has them all. With ``square``, the
    side of the square around the layout is as small as possible, and ``bound`` is the number of its
    cells.
    """

    layout: Layout | None
    bound: int
    impossible: bool = False
    reason: str = ""
    left_over: tuple[str, ...] = ()
    box: Box | None = None
    square: bool = False

    @property
    def smallest(self) -> bool:
        """Whether the layout is proved to have the smallest area, or the smallest square."""
        return self.layout is not None and self.bound >= self.layout.cells(square=self.square)

    def __str__(self) -> str:
        return "\n".join([*(self.layout.rows if self.layout else ()), describe(self)])


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
        what = "fits a smaller square" if result.square else "has a smaller area"
        return f"{size}; proved: no layout {what}."
    bound = counted(result.bound, "cell")
    if result.square:
        side = ceil(sqrt(result.bound))
        bound = f"a square of {side}x{side} cells"
    return f"{size}; best found ({result.reason}); proved lower bound: {bound}."


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
