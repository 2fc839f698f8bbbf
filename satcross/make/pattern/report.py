"""Describe the result of making grids in a sentence, and as plain values for JSON."""

from __future__ import annotations

from satcross.formats.decorated_text import decorated_text
from satcross.formats.json import grid_rows
from satcross.grid import BLOCKED, OPEN
from satcross.make.pattern.demands import Demands, Symmetry
from satcross.make.pattern.fillable import GridResult, MadeGrid, find_relaxations
from satcross.run_settings import OnProgress
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
    demanded, helps = describe(demands), f"{_what_may_help(demands)} may help."
    if not result.complete and not result.tried:
        return f"Unknown: no {demanded} found, nor proved impossible ({result.reason}). {helps}"
    if not result.complete:
        tried = counted(result.tried, "pattern")
        even = f", even with {', '.join(result.loosened)}" if result.loosened else ""
        return f"Unknown: {tried} tried, none filled{even} ({result.reason}). {helps}"
    if result.patterns_exist:
        return (
            f"No such grid: it is proved that the list fills no {demanded}; "
            "another list, size or number of words may help."
        )
    helps = f" With one change it is possible: {', or '.join(advice)}." if advice else ""
    return f"No such grid: CP-SAT has proved that there is no {demanded}.{helps}"


def _what_may_help(demands: Demands) -> str:
    may = ["A longer time limit", "another seed", "a larger list or a lower minimum score"]
    if demands.max_blocks is not None:
        may.append("more blocks")
    if demands.entries:
        may.append("fewer or shorter entries")
    return f"{', '.join(may[:-1])}, or {may[-1]}"


def describe(demands: Demands) -> str:
    """Describe the demands in a phrase."""
    min_words, max_words = demands.words
    number = f"{min_words}" if min_words == max_words else f"{min_words} to {max_words}"
    longest = demands.max_length or max(demands.height, demands.width)
    parts = [
        f"{demands.style.value.capitalize()} {demands.height}x{demands.width} grid with "
        f"{number} words of {demands.min_length} to {longest} letters",
        _SYMMETRIES[demands.symmetry],
        f"at most {demands.max_blocks} blocks" if demands.max_blocks is not None else "",
        f"the entries {', '.join(demands.entries)}" if demands.entries else "",
    ]
    return ", ".join(part for part in parts if part)


def structure_text(made: MadeGrid, *, is_file: bool = True) -> str:
    """Return the structure of a grid, with the letters of its entries; in a file they are kept."""
    rows = made.pattern.rows_with_entries()
    if not made.pattern.bars and not (is_file and made.pattern.placements):
        return "\n".join(rows) + "\n"
    letters = [[None if content == OPEN else content for content in row] for row in rows]
    return decorated_text(made.grid, letters, block=BLOCKED)


def summary(made: MadeGrid) -> str:
    """Words, blocks or bars, and the fill of a grid in one line."""
    bars, blocks = (len(made.pattern.bars), sum(row.count(BLOCKED) for row in made.pattern.rows))
    ends = counted(bars, "bar") if bars else counted(blocks, "block")
    text = f"{counted(len(made.grid.slots), 'word')}, {ends}"
    if made.outcome is None:
        return f"{text}; whether it can be filled was not tried"
    quality = f"; {made.outcome.quality}" if made.outcome.quality else ""
    return f"{text}; filled in {made.outcome.seconds['solve']:.1f} s{quality}"


def result_to_data(result: GridResult, sentence: str) -> dict[str, object]:
    """Return what ``satcross grid --json`` prints, without the figures about the run."""
    status = "made" if result.grids else "impossible" if result.complete else "unknown"
    return {
        "status": status,
        "grids": [_grid_to_data(grid) for grid in result.grids],
        "complete": result.complete,
        "reason": sentence or result.reason or None,
        "tried": result.tried,
    }


def _grid_to_data(made: MadeGrid) -> dict[str, object]:
    fill = made.outcome.fill if made.outcome else None
    return {
        "structure": structure_text(made, is_file=False).splitlines(),
        "words": len(made.grid.slots),
        "blocks": sum(row.count(BLOCKED) for row in made.pattern.rows),
        "entries": dict(made.locks),
        "grid": None if fill is None else grid_rows(made.grid, fill),
        "score": made.outcome.score if made.outcome else None,
    }
