"""The time limit of commands that are no search, and a note about searches that ignore theirs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from satcross.cli import UNKNOWN
from satcross.cli.messages import note, print_error
from satcross.run_settings import Deadline, TimeUp
from satcross.support.alarms import interrupting_alarm

LATE_SECONDS = 5.0
"""Seconds after the time limit at which a search is late."""


@contextmanager
def noted_when_late(seconds: float, backends: str) -> Iterator[None]:
    """Print a note when the block goes on long after its time, as these backends may ignore it."""
    text = f"still searching after --time-limit, which {backends} may ignore; Ctrl-C ends it"
    timer = Timer(seconds + LATE_SECONDS, note, [text])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def limited(seconds: float | None) -> Iterator[Deadline]:
    """End the command with exit code 30 when the block takes longer than some seconds.

    The block is interrupted as by Ctrl-C, so that no half-written file stays. It gets the deadline,
    for solvers, which an alarm does not reach.
    """
    deadline = Deadline.after(seconds)
    try:
        with interrupting_alarm(seconds):
            yield deadline
    except (KeyboardInterrupt, TimeUp):
        if not deadline.passed:
            raise
        print_error(f"not done within --time-limit {seconds:g} s")
        sys.exit(UNKNOWN)
