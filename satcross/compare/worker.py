"""Process in which a backend answers a puzzle, or in which a puzzle is written as a CNF file.

    python -P worker.py solve|cnf QUESTION ANSWER

QUESTION is JSON: a ``puzzle`` and, to solve it, ``backend``, ``options``, ``seed``, ``workers``
and ``time_limit`` (seconds from the start of this process, or null). ANSWER is written atomically
at the end, as JSON: ``error`` (empty on success), ``status``, ``reason``, ``fill``, ``seconds`` of
each stage, and ``stats``. The fill is not verified; the caller does that.
"""

from __future__ import annotations

import time

_BEGIN = time.monotonic()

import json  # noqa: E402
import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

if TYPE_CHECKING:
    from satcross.puzzle import Puzzle


def main(task: str, question: Path, answer: Path) -> None:
    """Perform ``task``, "solve" or "cnf", on the puzzle in ``question`` and write ``answer``."""
    from satcross.errors import UnavailableError

    data: dict[str, Any] = {"error": ""}
    started = time.perf_counter()
    request = json.loads(question.read_text(encoding="utf-8"))
    from satcross.formats.puzzle_json import puzzle_from_data

    puzzle = puzzle_from_data(request["puzzle"])
    load = time.perf_counter() - started
    known = _Known(answer.with_suffix(".known"))
    known.add({"load": load}, {})
    try:
        data |= _solve(puzzle, request) if task == "solve" else _write_cnf(puzzle, answer, known)
        data["seconds"] = {"load": load, **data["seconds"]}
    except UnavailableError as error:
        data["error"] = str(error)
    beside = answer.with_suffix(".part")
    beside.write_text(json.dumps(data), encoding="utf-8")
    beside.replace(answer)


class _Known:
    """What is known so far, in a file, for the case that this process is ended at a limit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seconds: dict[str, float] = {}
        self._stats: dict[str, int] = {}

    def add(self, seconds: dict[str, float], stats: dict[str, int]) -> None:
        """Add stages and counters, and write the file."""
        self._seconds |= seconds
        self._stats |= stats
        beside = self._path.with_suffix(".next")
        text = json.dumps({"seconds": self._seconds, "stats": self._stats})
        beside.write_text(text, encoding="utf-8")
        beside.replace(self._path)


def _solve(puzzle: Puzzle, request: dict[str, Any]) -> dict[str, Any]:
    from satcross.solving.solve import attempt

    limit = request["time_limit"]
    if limit is not None:
        limit = max(0.0, limit - (time.monotonic() - _BEGIN))
    outcome = attempt(
        puzzle,
        request["backend"],
        time_limit=limit,
        seed=request["seed"],
        workers=request["workers"],
        options=request["options"],
    )
    return {
        "status": outcome.status.value,
        "reason": outcome.reason,
        "fill": None if outcome.fill is None else dict(outcome.fill),
        "seconds": dict(outcome.seconds),
        "stats": dict(outcome.stats),
    }


def _write_cnf(puzzle: Puzzle, answer: Path, known: _Known) -> dict[str, Any]:
    """Write the support encoding beside ``answer``: the CNF, and a map to decode its models.

    The map is a JSON list with the first word variable and the words of each slot. A puzzle that
    arc consistency refutes becomes two contradictory clauses.
    """
    import numpy as np

    from encoders import count_clauses, encode_to_array, write_array
    from satcross.network.arc_consistency import arc_consistent, unpropagated
    from satcross.network.to_encoder import to_instance

    started = time.perf_counter()
    stats = {"candidates": len(unpropagated(puzzle))}
    candidates = arc_consistent(puzzle)
    consistent = time.perf_counter()
    seconds = {"arc_consistency": consistent - started}
    stats["consistent"] = 0 if candidates.infeasible else len(candidates)
    known.add(seconds, stats)
    words: list[tuple[int, Sequence[str]]] = []
    if candidates.infeasible:
        variables, clauses = 1, np.array([1, 0, -1, 0], np.int32)
    else:
        instance = to_instance(candidates)
        clauses, variables, firsts = encode_to_array(instance)
        words = list(zip(firsts, instance.candidates, strict=True))
    stats |= {"variables": variables, "clauses": count_clauses(clauses)}
    known.add({}, stats)
    with answer.with_suffix(".cnf").open("wb") as file:
        write_array(file, clauses, variables)
    answer.with_suffix(".map").write_text(json.dumps(words), encoding="utf-8")
    return {"seconds": {**seconds, "encode": time.perf_counter() - consistent}, "stats": stats}


if __name__ == "__main__":
    # Import the satcross that this file is part of, wherever it is installed.
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
