"""Backends that are wrong on purpose; ``sitecustomize`` in a test's folder registers them."""

from __future__ import annotations

from typing import ClassVar

from satcross.backends.base import Answer, Capabilities, Task
from satcross.outcome import Status


class Denier:
    """Answers that no puzzle can be filled."""

    name: ClassVar[str] = "denier"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        return Answer(Status.UNFILLABLE, None, "because")


class Liar:
    """Fills slots with words that are in no list."""

    name: ClassVar[str] = "liar"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        slots = task.candidates.network.puzzle.grid.slots
        return Answer(Status.FILLED, tuple("X" * slot.length for slot in slots))


class Crasher:
    """Raises an exception."""

    name: ClassVar[str] = "crasher"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        raise ZeroDivisionError("one of these days")


class Deaf:
    """Ignores its deadline."""

    name: ClassVar[str] = "deaf"
    capabilities: ClassVar[Capabilities] = Capabilities(interrupt=False)

    def solve(self, task: Task) -> Answer:
        while True:
            pass
