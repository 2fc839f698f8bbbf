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
from satcross.formats.words import Accents, Marks, Reading

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


_LIST_OPTIONS = (
    click.option(
        "--marks",
        type=click.Choice(("auto", "drop", "keep")),
        default="auto",
        show_default=True,
        help="Blanks, hyphens and apostrophes in the lists' entries: drop them (T-SHIRT is "
        "TSHIRT), or keep them as letters as CS50 does; auto keeps them only in lists like CS50's.",
    ),
    click.option(
        "--accents",
        type=click.Choice(("auto", "fold", "keep")),
        default="auto",
        show_default=True,
        help="Accents in the lists' entries: fold them (CAFÉ is CAFE) or keep them; auto folds "
        "them in lists where they are rare.",
    ),
    click.option(
        "--include-mild",
        is_flag=True,
        help="With the default list, also anatomical and coarse words.",
    ),
    click.option(
        "--include-offensive",
        is_flag=True,
        help="With the default list, also slurs and obscenities.",
    ),
)


def make_reading(marks: str, accents: str, include_mild: bool, include_offensive: bool) -> Reading:
    """How the flags of ``list_options`` ask for lists to be read."""
    tiers = {"mild": include_mild, "offensive": include_offensive}
    wanted = frozenset(tier for tier, is_wanted in tiers.items() if is_wanted)
    return Reading(Marks(marks), Accents(accents), wanted)


def list_options(function: Function) -> Function:
    """The flags that say how word lists are read; they come as one argument, ``reading``."""
    names = ("marks", "accents", "include_mild", "include_offensive")

    @wraps(function)
    def command(*args: Any, **given: Any) -> Any:
        reading = make_reading(**{name: given.pop(name) for name in names})
        return function(*args, reading=reading, **given)

    for option in reversed(_LIST_OPTIONS):
        command = option(command)
    return command


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
    marks: str = "auto"
    accents: str = "auto"
    include_mild: bool = False
    include_offensive: bool = False

    @property
    def reading(self) -> Reading:
        """How the lists are to be read."""
        return make_reading(self.marks, self.accents, self.include_mild, self.include_offensive)

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
    *_LIST_OPTIONS,
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
