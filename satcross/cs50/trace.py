"""The steps of the textbook search of ``satcross.cs50``, recorded from outside."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from satcross.cs50.crossword import Crossword, CrosswordCreator, Variable
from satcross.errors import InputError
from satcross.network.arc_consistency import bits
from satcross.puzzle import Puzzle

MOST_SLOTS = 30
"""Of a puzzle whose steps somebody can still follow."""

SHOWN_WORDS = 12
"""Words of a domain that are listed."""

SHOWN_LOST = 6
"""Words of those a domain has lost that are listed."""

Step = dict[str, object]


def _shown(domain: set[str]) -> dict[str, object]:
    words = sorted(domain) if len(domain) <= SHOWN_WORDS else None
    return {"size": len(domain), "words": words}


class _EnoughError(Exception):
    """There are as many steps as were wanted, or the time is up."""


class _Teller(CrosswordCreator):
    """Notes what its methods do; what they do is the textbook's.

    Each step carries the domains that are others than at the step before.
    """

    def __init__(
        self, crossword: Crossword, names: Mapping[Variable, str], most: int, until: float
    ) -> None:
        super().__init__(crossword)
        self.names = names
        self.steps: list[Step] = []
        self._told: dict[Variable, set[str]] = {}
        self._most = most
        self._until = until

    def note(self, kind: str, **more: object) -> None:
        if len(self.steps) >= self._most or time.monotonic() >= self._until:
            raise _EnoughError
        domains = {
            self.names[var]: _shown(domain)
            for var, domain in self.domains.items()
            if self._told.get(var) is not domain
        }
        self._told = dict(self.domains)
        self.steps.append({"kind": kind, **more, "domains": domains})

    def revise(self, x: Variable, y: Variable) -> bool:
        before = self.domains[x]
        changed = super().revise(x, y)
        if changed:
            after = self.domains[x]
            self.note(
                "revise",
                slot=self.names[x],
                because=self.names[y],
                lost=len(before) - len(after),
                example=sorted(before - after)[:SHOWN_LOST],
            )
        return changed

    def backtrack(self, assignment: Mapping[Variable, str | None]) -> dict[Variable, str] | None:
        fill = super().backtrack(assignment)
        if fill is None and assignment:
            var = list(assignment)[-1]
            self.note("fail", slot=self.names[var], word=assignment[var], depth=len(assignment))
        return fill

    def infer(self, assignment: Mapping[Variable, str | None]) -> bool:
        var = list(assignment)[-1]
        before = dict(self.domains)
        self.note(
            "assign",
            slot=self.names[var],
            word=assignment[var],
            of=len(before[var]),
            depth=len(assignment),
        )
        possible = super().infer(assignment)
        self.note(
            "consistent" if possible else "contradiction",
            slot=self.names[var],
            word=assignment[var],
            empty=[self.names[one] for one, domain in self.domains.items() if not domain],
            depth=len(assignment),
        )
        return possible


def steps(puzzle: Puzzle, most: int, seconds: float) -> dict[str, object]:
    """The steps of AC-3 and backtracking on a small puzzle, at most so many.

    ``status`` is filled, unfillable or unknown (there would be more steps). Raises InputError for a
    puzzle that is too large to follow, or has a rule the textbook does not know.
    """
    grid = puzzle.grid
    if len(grid.slots) > MOST_SLOTS:
        raise InputError(
            f"the grid has {len(grid.slots)} slots, and nobody could follow that",
            f"take one with at most {MOST_SLOTS} slots",
        )
    if puzzle.allow_repeats:
        raise InputError("the textbook's search never repeats a word", "forbid repeats")
    words = set(_words(puzzle, {slot.length for slot in grid.slots}))
    words.update(puzzle.fixed_words.values())
    crossword = _crossword(grid.structure, words)
    names = {
        Variable(slot.row, slot.column, slot.direction, slot.length): slot.name
        for slot in grid.slots
    }
    teller = _Teller(crossword, names, most, time.monotonic() + seconds)
    # The order of slots is then the same every time.
    ordered = {var: name for var, name in names.items() if var in crossword.variables}
    teller.domains = {var: set(crossword.words) for var in ordered}
    status = "unknown"
    fill: dict[Variable, str] | None = None
    try:
        teller.note("start", words=len(words), slots=len(ordered))
        teller.enforce_node_consistency()
        _keep_letters(puzzle, teller, ordered)
        teller.note("node")
        consistent = teller.ac3()
        teller.note("ac3", possible=consistent)
        fill = teller.backtrack({}) if consistent else None
        status = "unfillable" if fill is None else "filled"
    except _EnoughError:
        pass
    found = None if fill is None else {names[var]: word for var, word in fill.items()}
    return {"status": status, "steps": teller.steps, "fill": found}


def _words(puzzle: Puzzle, lengths: Iterable[int]) -> Iterable[str]:
    for length in lengths:
        words = puzzle.vocabulary.group(length).words
        for index in bits(puzzle.allowed(length)):
            yield words[index]


def _crossword(structure: list[list[bool]], words: set[str]) -> Crossword:
    """The course's crossword, which is made from files."""
    with tempfile.TemporaryDirectory() as folder:
        structure_file, words_file = Path(folder, "structure"), Path(folder, "words")
        rows = ("".join("_" if cell else "#" for cell in row) for row in structure)
        structure_file.write_text("\n".join(rows))
        words_file.write_text("\n".join(sorted(words)))
        return Crossword(str(structure_file), str(words_file))


def _keep_letters(puzzle: Puzzle, teller: CrosswordCreator, names: Mapping[Variable, str]) -> None:
    """Given letters and locks, which the course does not have: a unary constraint like lengths."""
    for var, name in names.items():
        slot = puzzle.grid.slot_named(name)
        fixed = None if slot is None else puzzle.fixed_words.get(slot)
        letters = [puzzle.fixed_letters.get(cell) for cell in var.cells]
        teller.domains[var] = {
            word
            for word in teller.domains[var]
            if (fixed is None or word == fixed)
            and all(letter in (None, own) for letter, own in zip(letters, word, strict=False))
        }
