"""Exceptions that satcross raises on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class SatcrossError(Exception):
    """Base class of the exceptions of satcross."""


class InputError(SatcrossError):
    """Mistake in the input: a file, an option, a lock.

    The text is one line: where, what is wrong, and what to do about it.
    """

    def __init__(
        self, problem: str, remedy: str = "", *, file: str | None = None, line: int | None = None
    ) -> None:
        self.problem = problem
        self.remedy = remedy
        self.file = file
        self.line = line
        where = "" if file is None else f"{file}:{line}: " if line is not None else f"{file}: "
        super().__init__(where + problem + (f"; {remedy}" if remedy else ""))


@contextmanager
def located(file: str, line: int | None = None) -> Iterator[None]:
    """Let InputErrors that are raised inside, and name no file, name this one."""
    try:
        yield
    except InputError as error:
        if error.file is not None:
            raise
        raise InputError(error.problem, error.remedy, file=file, line=line) from None


class UnavailableError(SatcrossError):
    """Something requested is not available: an unknown backend, a missing library."""


class InternalError(SatcrossError):
    """Internal error: a wrong fill, or two backends that contradict each other.

    ``report`` names a file that holds everything needed to reproduce it.
    """

    def __init__(self, message: str, report: str = "") -> None:
        self.report = report
        super().__init__(message)
