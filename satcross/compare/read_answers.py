"""The answers that programs print: SAT solvers, solvers of other formats, and grids."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from satcross.compare.contenders import GAVE_UP, UNREADABLE, RunAnswer, RunDirectory
from satcross.compare.limits import ExitInfo
from satcross.compare.records import CRASHED, FILLED, NO_MODEL, UNFILLABLE, UNKNOWN
from satcross.errors import InputError
from satcross.formats.text import parse_printed
from satcross.grid import FULL_BLOCK
from satcross.puzzle import Puzzle
from satcross.solving.proofs.decode import last_solution, literals, true_values
from satcross.support.alarms import cpu_alarm

MAX_ANSWER = 64 * 2**20
"""Maximum number of characters read from the output."""

_PATTERN_SECONDS = 10.0
"""CPU time for a pattern of a contender file on what one program has printed."""

_OPTIMUM = "OPTIMUM FOUND"
_SOLUTIONS = {
    **dict.fromkeys(("SATISFIABLE", _OPTIMUM, "SAT"), FILLED),
    **dict.fromkeys(("UNSATISFIABLE", "UNSAT"), UNFILLABLE),
    **dict.fromkeys(("UNKNOWN", "INDETERMINATE", "INDET"), UNKNOWN),
}
_EXIT_CODES = {10: FILLED, 20: UNFILLABLE}
_NO_FILL = re.compile(r"\s*(s |=+)?UNSATISFIABLE=*\s*|\s*No solution\.\s*", re.IGNORECASE)
_GIVES_UP = re.compile(r"\s*(s |=+)?UNKNOWN=*\s*", re.IGNORECASE)
_PROVED = re.compile(rf"s {_OPTIMUM}|={{10}}")
"""The lines by which OPB and XCSP3 solvers, or MiniZinc's, say that the fill is the best."""
_DECK_WORD = re.compile(r"^W(\d+) (\S+)$", re.MULTILINE)
_COLOURS = re.compile("\x1b\\[[0-9;]*m")
"""Sequences by which a program colours its output on a terminal, or anywhere (ACE)."""
_SAYS_NO = "the program says that there is no fill"


def read_text(path: Path) -> str:
    """Return what a program has written into a file, without colours."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return _COLOURS.sub("", file.read(MAX_ANSWER))


def read_solver(
    puzzle: Puzzle,
    run_directory: RunDirectory,
    ended: ExitInfo,
    words: Path | None,
    unfillable: str = "",
) -> RunAnswer:
    """Parse the output of a SAT solver; ``s`` line, ``v`` lines and exit code must agree.

    A model file has the same lines without the letters ``s`` and ``v``. ``words`` is the file that
    ``worker`` writes to decode models.
    """
    if (failure := run_directory.failure(ended, success=(0, 10, 20, 30))) is not None:
        return failure
    read, model = _SolverOutput(), run_directory.folder / "model"
    outputs = [run_directory.stdout, *([model] if model.exists() else [])]
    for output in outputs:
        with output.open(encoding="utf-8", errors="replace") as file:
            for line in map(str.strip, file):
                try:
                    read.add(line, in_model=output is not outputs[0])
                except ValueError:
                    return RunAnswer(CRASHED, ended, UNREADABLE, f"a model with {line[:60]!r}")
    if contradiction := read.contradiction(ended.exit_code):
        return RunAnswer(CRASHED, ended, UNREADABLE, contradiction)
    if read.statuses == {UNFILLABLE}:
        return RunAnswer(UNFILLABLE, ended, detail="the solver says UNSATISFIABLE")
    if read.statuses != {FILLED}:
        return RunAnswer(UNKNOWN, ended, GAVE_UP)
    if not read.has_model:
        detail = "the solver says SATISFIABLE but prints no v lines"
        return RunAnswer(UNKNOWN, ended, NO_MODEL, detail)
    assert words is not None
    chosen = {str(literal) for literal in read.literals if literal > 0}
    fill = _chosen_words(puzzle, chosen, words)
    return RunAnswer(FILLED, ended, fill=fill, claim=read.claim and bool(run_directory.run.goal))


@dataclass(slots=True)
class _SolverOutput:
    """The lines that a solver has printed: its statuses, the literals of its model, and others."""

    statuses: set[str] = field(default_factory=set)
    literals: set[int] = field(default_factory=set)
    has_model: bool = False
    has_others: bool = False
    claim: bool = False

    def add(self, line: str, *, in_model: bool) -> None:
        """Add a line of the output or of the model file; raises ValueError for a bad model."""
        text = line.removeprefix("s ").strip()
        self.claim |= text == _OPTIMUM
        if text in _SOLUTIONS:
            self.statuses.add(_SOLUTIONS[text])
        elif line == "v" or line.startswith("v ") or in_model:
            self.literals.update(literals(line.removeprefix("v")))
            self.has_model = True
        elif line and line != "c" and not line.startswith(("c ", "o ")):
            self.has_others = True

    def contradiction(self, exit_code: int | None) -> str:
        """Return how the lines and the exit code contradict each other; "" if they do not."""
        expected = _EXIT_CODES.get(exit_code) if exit_code is not None else None
        said = " and ".join(sorted(self.statuses))
        if expected and not said:
            return f"exit code {exit_code}, no s line"
        if expected and self.statuses != {expected}:
            return f"exit code {exit_code}, but says {said}"
        if len(self.statuses) > 1:
            return f"says {said}"
        return "" if said or not self.has_others else "no s line"


def _chosen_words(puzzle: Puzzle, chosen: set[str], words: Path) -> dict[str, str]:
    """Return the words of chosen variables or values by slot; slots without a word are left out."""
    meanings: list[dict[str, str]] = json.loads(words.read_text(encoding="utf-8"))
    slots = zip(puzzle.grid.slots, meanings, strict=False)
    firsts = ((slot, next((own[v] for v in own if v in chosen), None)) for slot, own in slots)
    return {slot.name: word for slot, word in firsts if word is not None}


def read_program(
    puzzle: Puzzle,
    run_directory: RunDirectory,
    ended: ExitInfo,
    words: Path | None,
    unfillable: str = "",
) -> RunAnswer:
    """Read the answer that a program of any kind has printed.

    ``words`` is the file that ``worker`` writes to decode a formula's solutions. ``unfillable`` is
    a regular expression for a line by which the program says that there is no fill.
    """
    if ended.reason and not run_directory.run.goal:
        return RunAnswer(UNKNOWN, ended, ended.reason)
    text = "" if ended.exit_code is None else read_text(run_directory.stdout)
    answer = _answer(puzzle, last_solution(text), ended, words)
    if run_directory.run.goal:
        claim = any(map(_PROVED.fullmatch, text.splitlines()))
        answer = None if answer is None else replace(answer, claim=claim)
    if answer is None and unfillable:
        texts = (text, read_text(run_directory.stderr))
        if any(find_all(unfillable, text) for text in texts):
            return RunAnswer(UNFILLABLE, ended, detail=_SAYS_NO)
    if answer is not None:
        return answer
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")[:60]
    said = f"no answer; the output begins with {first!r}" if first else "no answer is printed"
    return run_directory.failure(ended) or RunAnswer(CRASHED, ended, UNREADABLE, said)


def _answer(puzzle: Puzzle, text: str, ended: ExitInfo, words: Path | None) -> RunAnswer | None:
    """Return the answer in a text, or None if there is none."""
    if text.lstrip().startswith("{"):
        return _read_json(puzzle, text, ended)
    lines = text.splitlines()
    denied = any(map(_NO_FILL.fullmatch, lines))
    fill = _deck_words(puzzle, text) or _printed(puzzle, text)
    if words is not None and (chosen := true_values(text)):
        fill = _chosen_words(puzzle, chosen, words)
    if denied and fill is not None:
        return RunAnswer(CRASHED, ended, UNREADABLE, "a grid, and that there is none")
    if denied:
        return RunAnswer(UNFILLABLE, ended, detail=_SAYS_NO)
    if fill is not None:
        return RunAnswer(FILLED, ended, fill=fill)
    if any(map(_GIVES_UP.fullmatch, lines)):
        return RunAnswer(UNKNOWN, ended, GAVE_UP)
    return None


def find_all(pattern: str, text: str) -> list[Any]:
    """Return what a pattern finds in a program's output. Raises InputError if it takes too long."""
    try:
        with cpu_alarm(_PATTERN_SECONDS):
            return re.findall(pattern, text, re.M)
    except TimeoutError:
        raise InputError(
            f"the pattern {pattern!r} takes longer than {_PATTERN_SECONDS:g} s of CPU time on what "
            "the program prints",
            "write it without repetition in repetition",
        ) from None


def _printed(puzzle: Puzzle, text: str) -> dict[str, str] | None:
    return parse_printed(puzzle.grid, text.replace("#", FULL_BLOCK).upper())


def _read_json(puzzle: Puzzle, text: str, ended: ExitInfo) -> RunAnswer | None:
    """Read ``status``, ``grid`` (rows) and ``stats`` (numbers and texts by name) from JSON."""
    try:
        data: Any = json.loads(text)
    except ValueError:
        return None
    status, rows, stats = (data.get(name) for name in ("status", "grid", "stats"))
    entries = stats.items() if isinstance(stats, dict) else ()
    stats = {str(name): value for name, value in entries if isinstance(value, int | float | str)}
    if status in (UNFILLABLE, UNKNOWN):
        reason = GAVE_UP if status == UNKNOWN else ""
        return RunAnswer(status, ended, reason, stats=stats)
    if status != FILLED or not isinstance(rows, list):
        return None
    fill = _printed(puzzle, "\n".join(map(str, rows)))
    return None if fill is None else RunAnswer(FILLED, ended, fill=fill, stats=stats)


def _deck_words(puzzle: Puzzle, text: str) -> dict[str, str] | None:
    """Return the fill that Qxw has printed, a line for each slot; None if it has not."""
    words = {int(number): word for number, word in _DECK_WORD.findall(text)}
    if words.keys() != set(range(len(puzzle.grid.slots))):
        return None
    return {slot.name: words[index] for index, slot in enumerate(puzzle.grid.slots)}
