"""Backends that are wrong on purpose; ``planted`` registers them."""

from __future__ import annotations

from collections.abc import Callable

from satcross.backends.base import Answer, Capabilities, Task
from satcross.outcome import Status


def backend(name: str, solve: Callable[[Task], Answer], *, interrupt: bool = True) -> type:
    capabilities = Capabilities(interrupt=interrupt)
    methods = {"solve": lambda self, task: solve(task)}
    return type(name, (), {"name": name, "capabilities": capabilities, **methods})


def deny(task: Task) -> Answer:
    return Answer(Status.UNFILLABLE, None, "because")


def lie(task: Task) -> Answer:
    """Fill slots with words that are in no list."""
    slots = task.candidates.network.puzzle.grid.slots
    return Answer(Status.FILLED, tuple("X" * slot.length for slot in slots))


def crash(task: Task) -> Answer:
    raise ZeroDivisionError("one of these days")


def go_on(task: Task) -> Answer:
    """Ignore the deadline."""
    while True:
        pass


Denier, Liar = backend("denier", deny), backend("liar", lie)
Crasher, Deaf = backend("crasher", crash), backend("deaf", go_on, interrupt=False)
