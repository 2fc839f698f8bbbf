"""Process that answers a puzzle with a backend, proves that it has no fill, or writes a formula.

    python -P worker.py solve|prove|cnf|wcnf|opb|mzn|fzn|xml QUESTION ANSWER

QUESTION is JSON: a ``puzzle`` and, to solve it, ``backend``, ``options``, ``seed``, ``workers`` and
``time_limit`` (seconds from the start of this process, or null), and ``goal``, a measure of
``best`` or ""; to prove that it has no fill, ``solver`` (or null) and ``time_limit``; for a
formula, ``goal``, ``encoding`` and ``reduce``. ANSWER is written atomically at the end, as JSON:
``error`` (empty on success), ``status``, ``reason``, ``fill``, ``seconds`` of each stage, and
``stats``. The fill is not verified; the caller does that.
"""

from __future__ import annotations

import time

_BEGIN = time.monotonic()

import json  # noqa: E402
import re  # noqa: E402
import sys  # noqa: E402
from functools import partial  # noqa: E402
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
    from satcross.formats.json import puzzle_from_data

    puzzle = puzzle_from_data(request["puzzle"])
    stages = _Stages(answer.with_suffix(".stages"))
    stages.add("load", time.perf_counter() - started)
    try:
        if task == "solve":
            data |= _solve(puzzle, request)
        elif task == "prove":
            data |= _prove(puzzle, request, answer)
        else:
            data |= _write_formula(puzzle, task, answer, stages, request)
        data["seconds"] = {**stages.seconds, **data["seconds"]}
    except UnavailableError as error:
        data["error"] = str(error)
    beside = answer.with_suffix(".part")
    beside.write_text(json.dumps(data), encoding="utf-8")
    beside.replace(answer)


class _Stages:
    """The seconds of the stages so far, in a file, in case this process is ended at a limit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.seconds: dict[str, float] = {}

    def add(self, stage: str, seconds: float) -> None:
        """Add a stage, and write the file."""
        self.seconds[stage] = seconds
        beside = self._path.with_suffix(".next")
        beside.write_text(json.dumps(self.seconds), encoding="utf-8")
        beside.replace(self._path)


def _solve(puzzle: Puzzle, request: dict[str, Any]) -> dict[str, Any]:
    from satcross.solving.best import best
    from satcross.solving.solve import attempt

    trace: list[tuple[float, int]] = []

    def note(line: str) -> None:
        found = re.match(r"best ([\d,]+), at most", line)
        if found and (not trace or trace[-1][1] != int(found[1].replace(",", ""))):
            seconds = round(time.monotonic() - _BEGIN, 6)
            trace.append((seconds, int(found[1].replace(",", ""))))

    goal = request.get("goal")
    outcome = (partial(best, puzzle, goal) if goal else partial(attempt, puzzle))(
        request["backend"],
        time_limit=_remaining(request["time_limit"]),
        seed=request["seed"],
        workers=request["workers"],
        options=request["options"],
        on_progress=note,
    )
    return {
        "claim": bool(outcome.optimal),
        "bound": outcome.goals[0].bound if outcome.goals else None,
        "trace": trace,
        "status": outcome.status.value,
        "reason": outcome.reason,
        "fill": None if outcome.fill is None else dict(outcome.fill),
        "seconds": dict(outcome.seconds),
        "stats": dict(outcome.stats),
    }


def _remaining(limit: float | None) -> float | None:
    """Return what remains of a time limit from the start of this process."""
    return None if limit is None else max(0.0, limit - (time.monotonic() - _BEGIN))


def _prove(puzzle: Puzzle, request: dict[str, Any], answer: Path) -> dict[str, Any]:
    """Write formula and proof beside ``answer``, as ``solve --proof`` does; ``reason`` if not."""
    from satcross.run_settings import TIME_LIMIT, Deadline, TimeUp
    from satcross.solving.proofs import Formula, prove
    from satcross.solving.proofs.prove import PROVERS, SEARCH

    deadline = Deadline.after(_remaining(request["time_limit"]))
    prover = request["solver"] if request["solver"] in PROVERS else SEARCH
    started = time.perf_counter()
    try:
        formula = Formula(puzzle, deadline=deadline)
        proof = prove(formula, prover, time_limit=None if deadline.at is None else deadline.left)
        with answer.with_suffix(".cnf").open("w", encoding="ascii") as file:
            formula.write_dimacs(file)
    except TimeUp:
        proof = None
    if proof is not None:
        lines = "".join(f"{line}\n" for line in proof.lines)
        answer.with_suffix(".drat").write_text(lines, encoding="ascii")
    seconds = {"prove": time.perf_counter() - started}
    return {"reason": TIME_LIMIT if proof is None else "", "seconds": seconds}


def _write_formula(
    puzzle: Puzzle, form: str, answer: Path, stages: _Stages, request: dict[str, Any]
) -> dict[str, Any]:
    """Write a formula beside ``answer``, and a map to decode its solutions.

    ``form`` is its extension: cnf, wcnf, opb, mzn, fzn or xml (XCSP3). The map has the words of
    each slot by "VARIABLE" (the first three) or "VARIABLE=VALUE". With ``reduce``, it has what arc
    consistency leaves; if that refutes the puzzle, a CNF is two contradictory clauses, and another
    formula is not reduced. A goal is the highest total.
    """
    from encoders import write_dimacs, write_wcnf
    from satcross.solving.proofs import Formula

    started = time.perf_counter()
    reduce = request["reduce"]
    formula = Formula(puzzle, request["encoding"], reduce=reduce)
    consistent = time.perf_counter()
    if reduce:
        stages.add("arc_consistency", consistent - started)
    stats: dict[str, int] = {}
    words: list[dict[str, str]] = []
    with answer.with_suffix(f".{form}").open("w", encoding="utf-8") as file:
        if form not in ("cnf", "wcnf"):
            formula.write_model(file, form, best=bool(request["goal"]), comments=False)
            words = _words_of_model(formula.instance, form)
        elif formula.reduced or not reduce:
            write = formula.write_wcnf if form == "wcnf" else formula.write_dimacs
            stats["clauses"] = write(file, comments=False)
            stats["variables"] = formula.variables.count
            variables = formula.complete.words
            words = [{str(variable): word for word, variable in own.items()} for own in variables]
        else:
            stats = {"variables": 1, "clauses": 2}
            never = [[1], [-1]]
            write_wcnf(file, never, []) if form == "wcnf" else write_dimacs(file, never, 1)
    answer.with_suffix(".map").write_text(json.dumps(words), encoding="utf-8")
    return {"seconds": {"encode": time.perf_counter() - consistent}, "stats": stats}


def _words_of_model(instance: Instance, form: str) -> list[dict[str, str]]:
    from encoders.models import word_numbers

    if form == "opb":
        variable = count(1)
        return [{f"x{next(variable)}": word for word in words} for words in instance.candidates]
    slots = enumerate(word_numbers(instance))
    return [{f"w{slot}={n}": word for n, word in words.items()} for slot, words in slots]


if __name__ == "__main__":
    # Import the satcross that this file is part of, wherever it is installed.
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
