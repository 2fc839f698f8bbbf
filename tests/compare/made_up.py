"""Made-up records of runs, for tests of scores and of changes."""

from __future__ import annotations

from typing import Any

from satcross.compare.records import Record


def run(contender: str, puzzle: str, cpu: float, status: str = "filled", **more: Any) -> Record:
    """Return the record of a run that took ``cpu`` seconds of CPU time."""
    values: dict[str, Any] = {
        "limits": {"wall": 100.0, "cpu": 10.0, "memory": None},
        "reason": "cpu limit" if status == "unknown" else "",
        **more,
    }
    status = values.pop("status", status)
    return Record(
        *(puzzle, "s.txt", "w.txt", contender, "backend", status),
        **{"backend": contender, "cpu": cpu, "wall": 2 * cpu, **values},
    )
