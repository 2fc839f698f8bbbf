"""Describe the result of making grids in a sentence, and as plain values for JSON."""

from __future__ import annotations

from satcross.construct.pattern.fillable import GridResult, MadeGrid, find_relaxations
from satcross.construct.pattern.model import Demands, Symmetry
from satcross.deadline import OnProgress
from satcross.formats.json import grid_rows
from satcross.support.wording import counted

_SYMMETRIES = {
    Symmetry.ROTATION: "rotationally symmetric",
    Symmetry.MIRROR: "mirror-symmetric",
    Symmetry.NONE: "",
}


def find_advice(demands: Demands, result: GridResult, on_progress: OnProgress) -> list[str]:
    """Return single changes that make a pattern possible where it is proved that there is none."""
    if result.grids or not result.complete or result.patterns_exist:
        return []
    try:
        return find_relaxations(demands, on_progress)
    except KeyboardInterrupt:
        return []


def why_none(demands: Demands, result: GridResult, advice: list[str]) -> str:
    """Say in a sentence why there is no grid; "" when there is one."""
    if result.grids:
        return ""
    demanded = describe(demands)
    if not result.complete and not result.tried:
        return f"Unknown: no {demanded} found, nor proved impossible ({result.reason})."
    if not result.complete:
        return f"Unknown: {counted(result.tried, 'pattern')} tried, none filled ({result.reason})."
    if result.patterns_exist:
        return (
            f"No such grid: it is proved that the list fills no {demanded}; "
            "another list, size or number of words may help."
        )
    helps = f" With one change it is possible: {', or '.join(advice)}." if advice else ""
    return f"No such grid: CP-SAT has proved that there is no {demanded}.{helps}"


def describe(demands: Demands) -> str:
    """Describe the demands in a phrase."""
    fewest, most = demands.words
    number = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    longest = demands.max_length or max(demands.height, demands.width)
    parts = [
        f"{demands.style.value.capitalize()} {demands.height}x{demands.width} grid with "
        f"{number} words of {demands.min_length} to {longest} letters",
        _SYMMETRIES[demands.symmetry],
        f"at most {demands.max_blocks} blocks" if demands.max_blocks is not None else "",
        f"the entries {', '.join(demands.entries)}" if demands.entries else "",
    ]
    return ", ".join(part for part in parts if part)


def summary(one: MadeGrid) -> str:
    """Words, blocks and the fill of a grid in one line."""
    blocks = sum(row.count("#") for row in one.pattern.rows)
    text = f"{counted(len(one.grid.slots), 'word')}, {counted(blocks, 'block')}"
    if one.outcome is None:
        return f"{text}; whether it can be filled was not tried"
    quality = f"; {one.outcome.quality}" if one.outcome.quality else ""
    return f"{text}; filled in {one.outcome.seconds['solve']:.1f} s{quality}"


def result_to_data(result: GridResult, sentence: str) -> dict[str, object]:
    """Return what ``satcross grid --json`` prints, without the figures about the run."""
    status = "made" if result.grids else "impossible" if result.complete else "unknown"
    return {
        "status": status,
        "grids": [_grid_to_data(one) for one in result.grids],
        "complete": result.complete,
        "reason": sentence or result.reason or None,
        "tried": result.tried,
    }


def _grid_to_data(one: MadeGrid) -> dict[str, object]:
    fill = one.outcome.fill if one.outcome else None
    return {
        "structure": list(one.pattern.rows_with_entries()),
        "words": len(one.grid.slots),
        "blocks": sum(row.count("#") for row in one.pattern.rows),
        "entries": dict(one.locks),
        "grid": None if fill is None else grid_rows(one.grid, fill),
        "score": one.outcome.score if one.outcome else None,
    }
