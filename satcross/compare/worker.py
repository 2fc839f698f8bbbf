"""Process in which a backend answers a puzzle, or in which a puzzle is written as a formula.

    python -P worker.py solve|cnf|opb|mzn|xml QUESTION ANSWER

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
from itertools import count  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

if TYPE_CHECKING:
    from encoders import Instance
    from satcross.puzzle import Puzzle


def main(task: str, question: Path, answer: Path) -> None:
    """Perform ``task``, "solve" or a format, on the puzzle in ``question``; write ``answer``."""
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
        if task == "solve":
            data |= _solve(puzzle, request)
        else:
            data |= _write_formula(puzzle, task, answer, known)
        data["seconds"] = {"load": load, **data["seconds"]}
    except UnavailableError as error:
        data["error"] = str(error)
    beside = answer.with_suffix(".part")
    beside.write_text(json.dumps(data), encoding="utf-8")
    beside.replace(answer)


class _Known:
    """The results so far, in a file, in case this process is ended at a limit."""

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


def _write_formula(puzzle: Puzzle, form: str, answer: Path, known: _Known) -> dict[str, Any]:
    """Write a formula beside ``answer``, and a map to decode its solutions.

    ``form`` is its extension: cnf, opb, mzn or xml (XCSP3). For a CNF the map is a JSON list with
    the first word variable and the words of each slot, and otherwise a list with the words of each
    slot by "VARIABLE" (OPB) or "VARIABLE=VALUE". If arc consistency refutes the puzzle, the CNF is
    two contradictory clauses, and another formula is not reduced.
    """
    from satcross.network.arc_consistency import arc_consistent, unpropagated
    from satcross.network.to_encoder import to_instance

    started = time.perf_counter()
    everything = unpropagated(puzzle)
    candidates = arc_consistent(puzzle)
    consistent = time.perf_counter()
    seconds = {"arc_consistency": consistent - started}
    reduced = 0 if candidates.infeasible else len(candidates)
    stats = {"candidates": len(everything), "consistent": reduced}
    known.add(seconds, stats)
    path = answer.with_suffix(f".{form}")
    if form == "cnf":
        instance = None if candidates.infeasible else to_instance(candidates)
        words = _write_cnf(instance, path, stats)
    else:
        words = _write_model(
            to_instance(everything if candidates.infeasible else candidates), form, path
        )
    answer.with_suffix(".map").write_text(json.dumps(words), encoding="utf-8")
    return {"seconds": {**seconds, "encode": time.perf_counter() - consistent}, "stats": stats}


def _write_cnf(instance: Instance | None, path: Path, stats: dict[str, int]) -> list[Any]:
    """Write the support encoding, add its size to ``stats``, and return the map."""
    import numpy as np

    from encoders import count_clauses, encode_to_array, write_array

    words: list[Any] = []
    if instance is None:
        variables, clauses = 1, np.array([1, 0, -1, 0], np.int32)
    else:
        clauses, variables, firsts = encode_to_array(instance)
        words = list(zip(firsts, instance.candidates, strict=True))
    stats |= {"variables": variables, "clauses": count_clauses(clauses)}
    with path.open("wb") as file:
        write_array(file, clauses, variables)
    return words


def _write_model(instance: Instance, form: str, path: Path) -> list[dict[str, str]]:
    """Write the model in another format and return the map."""
    from encoders import models

    write = {"opb": models.write_opb, "mzn": models.write_minizinc, "xml": models.write_xcsp3}
    with path.open("w", encoding="utf-8") as file:
        write[form](file, instance)
    if form == "opb":
        variable = count(1)
        return [{f"x{next(variable)}": word for word in words} for words in instance.candidates]
    return [
        {f"w{slot}={number}": word for number, word in words.items()}
        for slot, words in enumerate(models.word_numbers(instance))
    ]


if __name__ == "__main__":
    # Import the satcross that this file is part of, wherever it is installed.
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
