"""What commands have in common beside their inputs: flags and their checks, where output goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

import click

from satcross.backends.registry import BACKENDS

Function = Callable[..., Any]


def parse_seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """A click callback: a finite number of seconds above 0, or None."""
    if value is not None and not 0 < value < float("inf"):
        raise click.BadParameter("give a number of seconds above 0.")
    return value


def parse_backends(ctx: click.Context, param: click.Parameter, value: str) -> list[str]:
    """A click callback: names of backends, separated by commas."""
    names = [name.strip() for name in value.split(",")]
    for name in names:
        if name not in BACKENDS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(BACKENDS)}.")
    if len(set(names)) < len(names):
        raise click.BadParameter("a backend is named twice.")
    return names


def backend_option(function: Function) -> Function:
    """``--backend``, given to the command as ``backends``."""
    return click.option(
        "--backend",
        "backends",
        default="auto",
        metavar="NAME[,NAME...]",
        show_default=True,
        callback=parse_backends,
        help=f"Who does it: {', '.join(BACKENDS)}. Several run one after the other, are checked "
        "against each other, and a table is printed.",
    )(function)


def time_limit_option(function: Function) -> Function:
    """``--time-limit``."""
    return click.option(
        "--time-limit",
        type=float,
        callback=parse_seconds,
        metavar="SECONDS",
        help="Give up (each backend) after so long; exit code 30.",
    )(function)


@dataclass(frozen=True, slots=True)
class PuzzleFlags:
    """The flags of ``puzzle_options``, a field each, as given on the command line."""

    more_words: tuple[str, ...] = ()
    min_score: str | None = None
    locks: tuple[str, ...] = ()
    letters: bool = False
    exclude: tuple[str, ...] = ()
    allow_repeats: bool = False
    theme: tuple[str, ...] = ()
    theme_any: int | None = None
    prefer: tuple[str, ...] = ()
    max_shared_substring: int | None = None
    no_same_stem: str | None = None

    def lists(self, *words: str | None) -> list[str]:
        """The word lists to read: those given as arguments (None: not given), then ``-w``."""
        return [*(one for one in words if one is not None), *self.more_words]

    @property
    def rule_files(self) -> list[str]:
        """The other files that are read, or perhaps words: nothing to write over."""
        return [*self.theme, *self.prefer, *self.exclude]


_PUZZLE_OPTIONS = (
    click.option(
        "-w", "--words", "more_words", multiple=True, metavar="FILE", help="One more list."
    ),
    click.option(
        "--min-score",
        metavar="N[,LENGTH:N...]",
        help="Only words with at least this score; 50,3:60 asks 60 of words of 3 letters.",
    ),
    click.option(
        "--lock",
        "locks",
        multiple=True,
        metavar="14A=WORD|r3c4=Q",
        help="A word that must stand in a slot, in the list or not, or a letter in a cell (row 3, "
        "column 4, both from 0); repeatable.",
    ),
    click.option("--letters", is_flag=True, help="Letters in STRUCTURE are locked letters."),
    click.option(
        "--exclude", multiple=True, metavar="WORD|FILE", help="Words not to use; repeatable."
    ),
    click.option("--allow-repeats", is_flag=True, help="A word may stand in several slots."),
    click.option(
        "--theme",
        multiple=True,
        metavar="FILE",
        help="Words that must all stand somewhere, in a list or not; repeatable.",
    ),
    click.option(
        "--theme-any",
        type=click.IntRange(min=1),
        metavar="N",
        help="Of the --theme words, at least N must stand somewhere, not all.",
    ),
    click.option(
        "--prefer",
        multiple=True,
        metavar="FILE",
        help="Words to try first, where the lists have them; repeatable.",
    ),
    click.option(
        "--max-shared-substring",
        type=click.IntRange(min=1),
        metavar="N",
        help="No two different words may have more than N letters in a row in common (locked and "
        "theme words among themselves may).",
    ),
    click.option(
        "--no-same-stem",
        metavar="ENDING,...",
        help="No two different words may be the same letters but for one of these endings, as CAR "
        "and CARS with S,ES (locked and theme words among themselves may).",
    ),
)


def puzzle_options(function: Function) -> Function:
    """The flags that belong to the question: ``-w`` and the rules (``inputs.read_puzzle``).

    They come to the command as one argument, ``flags``.
    """
    names = [field.name for field in fields(PuzzleFlags)]

    @wraps(function)
    def command(*args: Any, **given: Any) -> Any:
        flags = PuzzleFlags(**{name: given.pop(name) for name in names})
        return function(*args, flags=flags, **given)

    for option in reversed(_PUZZLE_OPTIONS):
        command = option(command)
    return command


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


def tell(text: str) -> None:
    """Print a line on stderr; where nobody reads that any more, go on without."""
    try:
        click.echo(f"satcross: {text}", err=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def note(name: str, text: str) -> None:
    """Tell the user something about a file, on stderr."""
    tell(f"note: {name}: {text}")


def counted(number: int, noun: str) -> str:
    """``1 run``, ``2 runs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
