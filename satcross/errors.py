"""Exceptions that satcross raises on purpose."""

from __future__ import annotations


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


class UnavailableError(SatcrossError):
    """Something requested is not available: an unknown backend, a missing library."""


class InternalError(SatcrossError):
    """Internal error: a wrong fill, or two backends that contradict each other.

    ``report`` names a file that holds everything needed to reproduce it.
    """

    def __init__(self, message: str, report: str = "") -> None:
        self.report = report
        super().__init__(message)
