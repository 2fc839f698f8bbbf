"""The process in which one of our backends answers one puzzle, or a puzzle becomes a CNF file.

    python -P worker.py solve|cnf QUESTION ANSWER

QUESTION is JSON: a ``puzzle`` and, to solve it, ``backend``, ``options``, ``seed``, ``workers``
and ``time_limit`` (seconds from the start of this process, or null). ANSWER is written at the end,
whole or not at all: ``error`` (empty if all went well), ``status``, ``reason``, ``fill``,
``seconds`` a stage, ``stats``. The fill has not been verified: that is for whoever asked.
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
    """Do what the command line says."""
    from satcross.errors import UnavailableError

    data: dict[str, Any] = {"error": ""}
    started = time.perf_counter()
    asked = json.loads(question.read_text(encoding="utf-8"))
    from satcross.formats.puzzle_json import puzzle_from_data

    puzzle = puzzle_from_data(asked["puzzle"])
    load = time.perf_counter() - started
    try:
        data |= _solve(puzzle, asked) if task == "solve" else _write_cnf(puzzle, answer)
        data["seconds"] = {"load": load, **data["seconds"]}
    except UnavailableError as error:
        data["error"] = str(error)
    beside = answer.with_suffix(".part")
    beside.write_text(json.dumps(data), encoding="utf-8")
    beside.replace(answer)


def _solve(puzzle: Puzzle, asked: dict[str, Any]) -> dict[str, Any]:
    from satcross.solving.solve import attempt

    limit = asked["time_limit"]
    if limit is not None:
        limit = max(0.0, limit - (time.monotonic() - _BEGIN))
    outcome = attempt(
        puzzle,
        asked["backend"],
        time_limit=limit,
        seed=asked["seed"],
        workers=asked["workers"],
        options=asked["options"],
    )
    return {
        "status": outcome.status.value,
        "reason": outcome.reason,
        "fill": None if outcome.fill is None else dict(outcome.fill),
        "seconds": dict(outcome.seconds),
        "stats": dict(outcome.stats),
    }


def _write_cnf(puzzle: Puzzle, answer: Path) -> dict[str, Any]:
    """Write the support encoding, all words different, beside ``answer``: CNF and word variables.

    ``words`` are, a slot, the variable of the first word and the words. A puzzle that arc
    consistency refutes becomes two clauses that contradict each other.
    """
    from encoders import encode, write_dimacs
    from satcross.network.arc_consistency import arc_consistent
    from satcross.network.to_encoder import to_instance

    started = time.perf_counter()
    candidates = arc_consistent(puzzle)
    consistent = time.perf_counter()
    words: list[tuple[int, Sequence[str]]] = []
    if candidates.infeasible:
        variables, clauses = 1, [[1], [-1]]
    else:
        instance = to_instance(candidates)
        clauses, encoding = encode(instance)
        variables = encoding.variables.count
        for slot, its in enumerate(instance.candidates):
            words.append((encoding.words[slot][its[0]], its))
    with answer.with_suffix(".cnf").open("w", encoding="ascii") as file:
        write_dimacs(file, clauses, variables)
    answer.with_suffix(".map").write_text(json.dumps(words), encoding="utf-8")
    return {
        "seconds": {
            "arc_consistency": consistent - started,
            "encode": time.perf_counter() - consistent,
        },
        "stats": {"variables": variables, "clauses": len(clauses)},
    }


if __name__ == "__main__":
    # The satcross we are part of, wherever it lies.
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
