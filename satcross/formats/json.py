"""JSON: an outcome as data (the contract of ``solve --json``)."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from satcross import __version__
from satcross.grid import Grid
from satcross.outcome import Outcome

if TYPE_CHECKING:
    from satcross.several import Several

UNKNOWN_LETTER = "."


def outcome_to_data(grid: Grid, outcome: Outcome) -> dict[str, object]:
    """The outcome as plain values; rows of ``grid`` use ``#`` for blocked, ``.`` for unknown."""
    fill = outcome.fill or {}
    return {
        "status": outcome.status.value,
        "backend": outcome.backend,
        "grid": grid_rows(grid, fill),
        "slots": [
            {
                "name": slot.name,
                "row": slot.row,
                "column": slot.column,
                "direction": slot.direction,
                "length": slot.length,
                "word": fill.get(slot.name),
            }
            for slot in grid.slots
        ],
        "reason": outcome.reason or None,
        "score": outcome.score,
        "optimal": outcome.optimal,
        "bound": outcome.bound,
        **_objective(outcome),
        "seconds": {stage: round(value, 6) for stage, value in outcome.seconds.items()},
        "stats": dict(outcome.stats),
        "seed": outcome.seed,
        "versions": versions(),
    }


def _objective(outcome: Outcome) -> dict[str, object]:
    if outcome.objective is None:
        return {}
    goals = [
        {"goal": goal.name, "value": goal.value, "bound": goal.bound} for goal in outcome.goals
    ]
    return {"objective": outcome.objective, "goals": goals}


def grid_rows(grid: Grid, fill: Mapping[str, str] | None) -> list[str]:
    """The grid with a fill's letters: ``#`` for blocked, ``.`` for unknown."""
    letters = grid.letters([(fill or {}).get(slot.name) for slot in grid.slots])
    return [
        "".join(
            (letter or UNKNOWN_LETTER) if is_open else "#"
            for is_open, letter in zip(row, row_letters, strict=True)
        )
        for row, row_letters in zip(grid.structure, letters, strict=True)
    ]


def several_to_data(grid: Grid, found: Several, loaded: float) -> dict[str, object]:
    """Several fills as plain values, with what they have in common; ``loaded``: seconds."""
    fills = [outcome_to_data(grid, outcome) for outcome in found.outcomes]
    status = "filled" if fills else "unfillable" if found.complete else "unknown"
    solving = dict(found.outcomes[0].seconds) if fills else {}
    return {
        "status": status,
        "fills": [{key: fill[key] for key in ("grid", "slots", "score")} for fill in fills],
        "complete": found.complete,
        "most_shared": found.most_shared,
        "reason": found.reason or None,
        "seconds": {stage: round(value, 6) for stage, value in {"load": loaded, **solving}.items()},
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Versions of satcross, Python and the solver libraries that are installed."""
    found = {"satcross": __version__, "python": platform.python_version()}
    for name in ("python-sat", "ortools"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def dump(data: object, *, ascii_only: bool = False) -> str:
    """JSON text, readable, ending in a newline."""
    return json.dumps(data, ensure_ascii=ascii_only, indent=2) + "\n"
