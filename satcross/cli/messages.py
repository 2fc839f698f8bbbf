"""Messages on standard error, and printing to a reader that may stop reading."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from satcross.support.letters import spell


@contextmanager
def printing() -> Iterator[None]:
    """Print inside this block, which ends quietly if the reader stops reading, as ``head`` does.

    The rest of what is printed is then discarded; files and exit code are unaffected.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_error(text: str) -> None:
    """Print a line on standard error, which ``main`` makes forget what can't be written."""
    click.echo(f"satcross: {spell(text)}", err=True)


def note(text: str, file: str | None = None) -> None:
    """Print a note, perhaps about a file, on standard error."""
    print_error(f"note: {text}" if file is None else f"note: {file}: {text}")
