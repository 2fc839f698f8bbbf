"""How to run a search: its time limit, seed, workers, options and callbacks, in one value.

``solve``, ``count``, ``best``, ``several``, ``explain``, ``prove`` and their like all take a
``RunSettings``, and take each of its fields as a keyword argument, too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import field, fields, replace
from typing import Self, TypedDict, TypeVar

from satcross.grid import Cell
from satcross.support.arguments import short_repr
from satcross.support.frozen import frozen

T = TypeVar("T")

OnProgress = Callable[[str], None]
"""Callback that receives one line on what is being tried, now and then."""


def ignore_progress(line: str) -> None:
    """Callback that does nothing; the default for ``on_progress``."""


class TimeUp(Exception):  # noqa: N818 (nothing is wrong)
    """The deadline has passed during work that is of no use unless it is complete."""


ShouldStop = Callable[[], bool]
"""Callable that says whether to stop; asked often, from any thread."""


@frozen
class Deadline:
    """When work has to end: at a moment by ``time.monotonic``, in seconds (None for never), or as
    soon as ``should_stop`` returns True, whichever comes first."""

    at: float | None = None
    should_stop: ShouldStop | None = None

    @classmethod
    def after(cls, seconds: float | None, should_stop: ShouldStop | None = None) -> Self:
        return cls(None if seconds is None else cls.now() + seconds, should_stop)

    @staticmethod
    def now() -> float:
        """Return the seconds of the clock."""
        return time.monotonic()

    def within(self, seconds: float | None) -> Self:
        """Return the deadline for a part of the work, which may take so many seconds."""
        if seconds is None:
            return self
        at = self.now() + seconds
        return type(self)(at if self.at is None else min(at, self.at), self.should_stop)

    def share(self, part: float) -> Self:
        """Return the deadline for a part of the work, which may take this share of the rest."""
        return self if self.at is None else self.within(self.left * part)

    @property
    def never(self) -> bool:
        """Whether nothing can make the deadline pass."""
        return self.at is None and self.should_stop is None

    @property
    def stopped(self) -> bool:
        """Whether ``should_stop`` says so."""
        return self.should_stop is not None and self.should_stop()

    @property
    def reason(self) -> str:
        """Why work that the deadline ends is not complete."""
        return STOPPED if self.stopped else TIME_LIMIT

    @property
    def left(self) -> float:
        """Seconds left: infinite without a limit, never negative."""
        if self.stopped:
            return 0.0
        return float("inf") if self.at is None else max(0.0, self.at - self.now())

    @property
    def passed(self) -> bool:
        return self.stopped or (self.at is not None and self.now() >= self.at)

    def check(self) -> None:
        """Raise TimeUp when the deadline has passed."""
        if self.passed:
            raise TimeUp


def complete(action: Callable[[], T]) -> T:
    """Return the result of a short action that ends a search; Ctrl-C during it makes it run again.

    Without this, Ctrl-C in that moment would lose what the search has found.
    """
    try:
        return action()
    except KeyboardInterrupt:
        return action()


NEVER = Deadline()

TIME_LIMIT = "time limit"
INTERRUPTED = "interrupted"
STOPPED = "stopped"
"""Reasons why a search ended without an answer: its time was up, Ctrl-C, or ``should_stop``."""

EDITED, GOOD_WORDS, ANY_FILL = QUALITIES = ("edited", "good-words", "any")
"""What ``solve`` looks for in a list with scores, by the backend ``auto``: good words first, with
the editors' preferences; good words first; or any fill."""

PREFERENCE_NAMES = (
    "same_stem",
    "shared",
    "crossing_names",
    "plurals",
    "abbreviations",
    "names",
    "partials",
    "spellings",
)
"""The editors' preferences (``satcross.solving.preferences``), by name."""

OnPartial = Callable[[Mapping[Cell, str]], None]
"""Callback that receives the letters that stand in the grid at one moment of the search."""


def ignore_partial(letters: Mapping[Cell, str]) -> None:
    """Callback that does nothing; the default for ``on_partial``."""


def available_workers() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class RunOptions(TypedDict, total=False):
    """The fields of ``RunSettings`` as keyword arguments."""

    time_limit: float | None
    seed: int
    workers: int | None
    options: Mapping[str, str]
    on_progress: OnProgress
    on_partial: OnPartial
    should_stop: ShouldStop | None
    quality: str
    allow: frozenset[str]


@frozen
class RunSettings:
    """How to run a search.

    ``time_limit`` is in seconds of wall-clock time (None: no limit). ``workers`` is the number of
    threads of a backend that uses several (None: one for each processor). ``options``
    are read by the backend: ``satcross.backends.registry.OPTIONS`` lists them. ``quality`` is one
    of ``QUALITIES``, and ``allow`` names editors' preferences to do without. ``on_progress`` is
    called now and then with one line on what is being tried, and ``on_partial`` with the letters
    that stand in the grid, by backends that can tell. ``should_stop`` is asked often
    whether to end the search, also from another thread than the one that calls: give the
    ``is_set`` of a ``threading.Event``, say; the best answer so far is then returned. Raises
    TypeError for a value of the wrong type and ValueError for one out of range.
    """

    time_limit: float | None = None
    seed: int = 0
    workers: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    on_progress: OnProgress = field(default=ignore_progress)
    on_partial: OnPartial = field(default=ignore_partial)
    should_stop: ShouldStop | None = None
    quality: str = EDITED
    allow: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        _check_number("time_limit", self.time_limit, (int, float), "a number of seconds or None")
        _check_number("seed", self.seed, (int,), "a whole number")
        _check_number("workers", self.workers, (int,), "a whole number or None")
        if self.seed is None:
            raise TypeError("seed must be a whole number, not None")
        if self.time_limit is not None and not self.time_limit >= 0:
            raise ValueError(f"time_limit must be 0 or more seconds, not {self.time_limit}")
        if self.workers is not None and self.workers < 1:
            raise ValueError(f"workers must be at least 1, not {self.workers}")
        if self.quality not in QUALITIES:
            raise ValueError(f"quality must be one of {QUALITIES}, not {self.quality!r}")
        for name in self.allow:
            if name not in PREFERENCE_NAMES:
                raise ValueError(f"allow must name some of {PREFERENCE_NAMES}, not {name!r}")
        if not isinstance(self.options, Mapping):
            raise TypeError(f"options must map names to texts, not be {self.options!r}")
        for name in ("on_progress", "on_partial", "should_stop"):
            value = getattr(self, name)
            if not callable(value) and not (name == "should_stop" and value is None):
                raise TypeError(f"{name} must be a function, not {getattr(self, name)!r}")

    __repr__ = short_repr

    @classmethod
    def of(cls, settings: RunSettings | None, changes: RunOptions) -> RunSettings:
        """The settings (None: the defaults) with some of their fields changed.

        Raises TypeError for a field that does not exist, naming the nearest one that does.
        """
        if settings is not None and not isinstance(settings, cls):
            raise TypeError(f"settings must be a RunSettings, not {settings!r}")
        base = settings or cls()
        if not changes:
            return base
        names = [item.name for item in fields(cls)]
        for name in changes:
            if name not in names:
                raise TypeError(f"there is no argument {name!r}; {nearest(name, names)}")
        return replace(base, **changes)

    def deadline(self) -> Deadline:
        """Return the deadline of a search that begins now."""
        return Deadline.after(self.time_limit, self.should_stop)

    @property
    def processors(self) -> int:
        """The number of workers: as set, or else the number of processors."""
        return self.workers or available_workers()

    def to_data(self) -> dict[str, object]:
        """The settings without the callbacks and the seed, as plain values for a report."""
        return {"time_limit": self.time_limit, "workers": self.workers, **self.options}


def nearest(name: str, choices: list[str]) -> str:
    """A remedy for a misspelled name: the choice most like it, or all choices."""
    from difflib import get_close_matches

    close = get_close_matches(name, choices, 1)
    return f"did you mean {close[0]!r}?" if close else f"choose from {', '.join(choices)}"


def _check_number(name: str, value: object, types: tuple[type, ...], wanted: str) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, types)):
        raise TypeError(f"{name} must be {wanted}, not {value!r}")
