"""Errors a caller may want to tell apart."""

from __future__ import annotations


class SatcrossError(Exception):
    """Base of everything satcross raises on purpose."""


class InputError(SatcrossError):
    """A mistake in what the user gave us: a file, a flag, a lock.

    Its text is one line: where, what is wrong, and what to do about it.
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
    """Something asked for can't be had here: an unknown backend, a library that is missing."""


class InternalError(SatcrossError):
    """Our own fault: a wrong fill, or two backends that contradict each other.

    ``report`` holds everything needed to reproduce it.
    """

    def __init__(self, message: str, report: str = "") -> None:
        self.report = report
        super().__init__(message)
