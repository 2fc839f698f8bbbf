"""Record the steps of the textbook search of ``satcross.cs50`` without changing its code.

The page shows them, and ``solve --trace`` writes them as text.
"""

from __future__ import annotations

import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from satcross.cs50.crossword import Crossword, CrosswordCreator, Variable
from satcross.errors import InputError
from satcross.formats.files import write_stream
from satcross.network.arc_consistency import unpropagated
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED

MAX_SLOTS = 30
"""Maximum number of slots: the steps on larger puzzles are too many to follow."""

SHOWN_WORDS = 12
"""Maximum size of a domain whose words are listed."""

SHOWN_ARCS = 6
"""Arcs of the queue that are listed."""

SHOWN_LOST = 6
"""Maximum number of words lost from a domain that are listed."""

Step = dict[str, Any]


def _shown(domain: set[str]) -> dict[str, object]:
    words = sorted(domain) if len(domain) <= SHOWN_WORDS else None
    return {"size": len(domain), "words": words}


class _EnoughError(Exception):
    """The maximum number of steps is recorded, or the time is up."""


def _place(var: Variable) -> tuple[int, int, str]:
    return var.i, var.j, var.direction


class _Ordered(Crossword):
    """The course's crossword with neighbors in reading order: every run has the same steps."""

    def neighbors(self, var: Variable) -> set[Variable]:
        found = sorted(super().neighbors(var), key=_place)
        return dict.fromkeys(found).keys()  # type: ignore[return-value]


class _Recorder(CrosswordCreator):
    """Records the steps of the textbook's methods, each with the domains changed since the last."""

    def __init__(
        self, crossword: Crossword, names: Mapping[Variable, str], max_steps: int, until: float
    ) -> None:
        super().__init__(crossword)
        self.names = names
        self.steps: list[Step] = []
        self._recorded: dict[Variable, set[str]] = {}
        self._max_steps = max_steps
        self._until = until
        self._queue: deque[tuple[Variable, Variable]] = deque()

    def record(self, kind: str, **more: object) -> None:
        if len(self.steps) >= self._max_steps or time.monotonic() >= self._until:
            raise _EnoughError
        changed = {v: d for v, d in self.domains.items() if self._recorded.get(v) is not d}
        domains = {self.names[var]: _shown(domain) for var, domain in changed.items()}
        self._recorded = dict(self.domains)
        self.steps.append({"kind": kind, **more, "domains": domains})

    def ac3(self, arcs: Iterable[tuple[Variable, Variable]] | None = None) -> bool:
        if arcs is None:
            overlaps = self.crossword.overlaps
            crossing = (arc for arc in overlaps if overlaps[arc])
            arcs = sorted(crossing, key=lambda arc: [*map(_place, arc)])
        self._queue = deque(arcs)  # kept in step with the queue of the textbook's AC-3
        return super().ac3(list(self._queue))

    def revise(self, x: Variable, y: Variable) -> bool:
        before = self.domains[x]
        changed = super().revise(x, y)
        if self._queue:
            self._queue.popleft()
        if changed:
            after = self.domains[x]
            self._queue.extend((z, x) for z in self.crossword.neighbors(x) if z != y)
            self.record(
                "revise",
                slot=self.names[x],
                because=self.names[y],
                lost=len(before) - len(after),
                example=sorted(before - after)[:SHOWN_LOST],
                queue=len(self._queue),
                arcs=[[self.names[z], self.names[x]] for z, x in islice(self._queue, SHOWN_ARCS)],
            )
        return changed

    def backtrack(self, assignment: Mapping[Variable, str | None]) -> dict[Variable, str] | None:
        fill = super().backtrack(assignment)
        if fill is None and assignment:
            var = list(assignment)[-1]
            self.record("fail", slot=self.names[var], word=assignment[var], depth=len(assignment))
        return fill

    def infer(self, assignment: Mapping[Variable, str | None]) -> bool:
        var = list(assignment)[-1]
        before = dict(self.domains)
        about = {"slot": self.names[var], "word": assignment[var], "of": len(before[var])}
        self.record("assign", **about, depth=len(assignment))
        possible = super().infer(assignment)
        self.record(
            "consistent" if possible else "contradiction",
            slot=self.names[var],
            word=assignment[var],
            empty=[self.names[var] for var, domain in self.domains.items() if not domain],
            depth=len(assignment),
        )
        return possible


def steps(puzzle: Puzzle, max_steps: int, seconds: float) -> dict[str, Any]:
    """Return the steps of AC-3 and backtracking on a small puzzle, as JSON values.

    ``status`` is filled, unfillable, unknown if there are more than ``max_steps`` steps or they
    take more than ``seconds``, or INTERRUPTED (Ctrl-C). Raises InputError for a puzzle that has too
    many slots, or bars, rebus cells or a rule that the textbook search lacks.
    """
    grid = puzzle.grid
    if (number := len(grid.slots)) > MAX_SLOTS:
        problem = f"the grid has {number} slots, too many to follow the steps"
        raise InputError(problem, f"take one with at most {MAX_SLOTS} slots")
    if grid.bars or grid.rebus:
        problem = "the textbook's search knows no bars and no cells with several letters"
        raise InputError(problem, "take a grid without them")
    if puzzle.allow_repeats:
        raise InputError("the textbook's search never repeats a word", "forbid repeats")
    candidates = unpropagated(puzzle)
    allowed = {slot.name: set(candidates.words(n)) for n, slot in enumerate(grid.slots)}
    words = set().union(*allowed.values())
    crossword = _crossword(grid.structure, words)
    names = {
        Variable(slot.row, slot.column, slot.direction, slot.length): slot.name
        for slot in grid.slots
    }
    recorder = _Recorder(crossword, names, max_steps, time.monotonic() + seconds)
    # Sets have no fixed order; with this one, the steps are the same in every run.
    ordered = {var: name for var, name in names.items() if var in crossword.variables}
    recorder.domains = {var: set(crossword.words) for var in ordered}
    status = "unknown"
    fill: dict[Variable, str] | None = None
    try:
        recorder.record("start", words=len(words), slots=len(ordered))
        recorder.enforce_node_consistency()
        for var, name in ordered.items():  # locks and given letters are constraints like lengths
            recorder.domains[var] = recorder.domains[var] & allowed[name]
        recorder.record("node")
        consistent = recorder.ac3()
        recorder.record("ac3", possible=consistent)
        fill = recorder.backtrack({}) if consistent else None
        status = "unfillable" if fill is None else "filled"
    except _EnoughError:
        pass
    except KeyboardInterrupt:
        status = INTERRUPTED
    found = None if fill is None else {names[var]: word for var, word in fill.items()}
    return {"status": status, "steps": recorder.steps, "fill": found}


def _crossword(structure: list[list[bool]], words: set[str]) -> Crossword:
    """Return the course's crossword, which can only be made from files."""
    with tempfile.TemporaryDirectory() as folder:
        structure_file, words_file = Path(folder, "structure"), Path(folder, "words")
        rows = ("".join("_" if cell else "#" for cell in row) for row in structure)
        structure_file.write_text("\n".join(rows))
        words_file.write_text("\n".join(sorted(words)))
        return _Ordered(str(structure_file), str(words_file))


MAX_STEPS = 100_000
"""Maximum number of steps that ``write_trace`` writes."""


def write_trace(puzzle: Puzzle, path: str, seconds: float | None = None) -> None:
    """Write the steps of the textbook's search as text, a line each; ``path`` "-" prints them.

    Raises InputError as ``steps`` does, and KeyboardInterrupt after writing the steps before it.
    """
    found = steps(puzzle, MAX_STEPS, 60.0 if seconds is None else seconds)
    lines: list[str] = []
    depth = -1
    for step in found["steps"]:
        depth = step.get("depth", depth)
        indent = "  " * (step["depth"] if "depth" in step else depth + 1)
        lines += (indent + line for line in (_line(step), *_domain_lines(step)))
    fill = ", ".join(f"{name} {word}" for name, word in (found["fill"] or {}).items())
    text = "\n".join([*lines, f"{_ENDS[found['status']]}{fill}", ""])
    if path == "-":
        print(text, end="")
    else:
        write_stream(path, lambda stream: print(text, end="", file=stream))
    if found["status"] == INTERRUPTED:
        raise KeyboardInterrupt


_ENDS = {
    "filled": "filled: ",
    "unfillable": "every choice has failed: there is no fill",
    "unknown": "stopped: too many steps, or the time is up",
    INTERRUPTED: "stopped: interrupted",
}


def _line(step: Step) -> str:
    kind, slot, word = (step.get(name) for name in ("kind", "slot", "word"))
    match kind:
        case "start":
            text = f"start: {step['words']} words, {step['slots']} slots"
        case "node":
            text = "node consistency: only words of the right length"
        case "ac3":
            text = "AC-3 is done" + ("" if step["possible"] else ": a domain is empty")
        case "revise":
            lost, example = step["lost"], ", ".join(step["example"])
            more = ", ..." if lost > len(step["example"]) else ""
            text = f"revise {slot} by {step['because']}: {lost} fewer ({example}{more}); "
            queue = ", ".join(f"{x}-{y}" for x, y in step["arcs"])
            queue += ", ..." if step["queue"] > len(step["arcs"]) else ""
            text += f"{step['queue']} arcs in the queue" + (f": {queue}" if queue else "")
        case "assign":
            text = f"try {slot} = {word}, of {step['of']}"
        case "contradiction":
            text = f"{slot} = {word} leaves no word for {', '.join(step['empty'])}"
        case "fail":
            text = f"give up {slot} = {word}" + ("; put back:" if step["domains"] else "")
        case _:
            text = f"{slot} = {word} is possible"
    return text


def _domain_lines(step: Step) -> Iterator[str]:
    """Yield a line for each domain that has changed."""
    for name, domain in step["domains"].items():
        words = domain["words"]
        shown = f"{domain['size']} words" if words is None else "{" + ", ".join(words) + "}"
        yield f"  {name}: {shown}"
