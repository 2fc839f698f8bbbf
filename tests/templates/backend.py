"""A template of a backend: it tries random words until they fit. To copy, not to use."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from satcross.backends.base import Answer, Capabilities, Task
from satcross.outcome import Status
from satcross.verify import verify


class Guess:
    """Fills by guessing. It proves nothing, and so never answers UNFILLABLE."""

    name: ClassVar[str] = "guess"
    capabilities: ClassVar[Capabilities] = Capabilities(complete=False, prefers=False)

    def solve(self, task: Task) -> Answer:
        random = Random(task.seed)
        puzzle = task.candidates.network.puzzle
        words = {slot.name: task.candidates.words(i) for i, slot in enumerate(puzzle.grid.slots)}
        while not task.deadline.passed:
            fill = {name: random.choice(choices) for name, choices in words.items()}
            if not verify(puzzle, fill):
                return Answer(Status.FILLED, tuple(fill.values()))
        return Answer(Status.UNKNOWN, None, task.deadline.reason)
