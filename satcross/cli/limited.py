"""The time limit of commands that are no search: reading, checking and writing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from satcross.cli import UNKNOWN
from satcross.cli.messages import print_error
from satcross.run_settings import Deadline, TimeUp
from satcross.support.alarms import interrupting_alarm


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
