"""What commands have in common beside their inputs: checks of flags, and where output goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click


def parse_seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """A click callback: a finite number of seconds above 0, or None."""
    if value is not None and not 0 < value < float("inf"):
        raise click.BadParameter("give a number of seconds above 0.")
    return value


@contextmanager
def output() -> Iterator[None]:
    """Print in here: whoever reads our output may stop doing so, as ``head`` does.

    The rest of what is printed is then thrown away; files and exit code still count.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def counted(number: int, noun: str) -> str:
    """``1 run``, ``2 runs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
