"""``satcross explain``."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.backends.registry import BACKENDS
from satcross.cli import FILLED, UNKNOWN
from satcross.cli.options import PuzzleFlags, parse_seconds, puzzle_options
from satcross.cli.options import output as stdout
from satcross.cli.progress import Progress
from satcross.cli.read_puzzle import read_puzzle
from satcross.deadline import INTERRUPTED
from satcross.errors import InputError
from satcross.formats.files import check_writable, write_atomically
from satcross.outcome import Status

if TYPE_CHECKING:
    from satcross.explain import Explanation

_DEFAULT_SECONDS = 60.0

_EPILOG = """\b
Examples:
  satcross explain data/structure2.txt data/words0.txt
  satcross explain grid.txt words.txt --lock 14A=QUEUEING --png why.png
  satcross explain grid.txt --min-score 90       (the default word list)
"""


@click.command(name="explain", epilog=_EPILOG)
@click.argument("structure")
@click.argument("words", required=False)
@click.option(
    "--backend",
    type=click.Choice(tuple(BACKENDS)),
    default="auto",
    metavar="NAME",
    show_default=True,
    help=f"Who answers what arc consistency can't: {', '.join(BACKENDS)}.",
)
@puzzle_options
@click.option(
    "--time-limit",
    type=float,
    default=_DEFAULT_SECONDS,
    callback=parse_seconds,
    metavar="SECONDS",
    show_default=True,
    help="For everything; half of it for suggestions.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option("--png", metavar="FILE", help="Draw the grid with the reason's cells coloured.")
@click.option("--no-suggestions", is_flag=True, help="Don't try what would help.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print no notes, only the answer.")
def command(
    structure: str,
    words: str | None,
    backend: str,
    flags: PuzzleFlags,
    time_limit: float,
    seed: int,
    png: str | None,
    no_suggestions: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say why STRUCTURE can't be filled with words from WORDS, and what would help.

    The answer is a minimal reason: slots, locked words, given letters and rules that can't be met
    together, while they can as soon as any one of them is left out. Other reasons may exist beside
    it. The suggestions have been tried: each by itself gives a puzzle that has a fill. Files and
    rules are those of `satcross solve`.

    Exit code 0: explained, or there is a fill after all, which is then said (status "fillable" in
    JSON). 30: not known whether there is a fill. A reason not shown to be minimal in time says so.
    """
    from satcross.explain import explain

    lists = flags.lists(words)
    if png is not None:
        _check_png(png, [structure, *lists, *flags.rule_files])
    started = time.perf_counter()
    puzzle = read_puzzle(structure, lists, flags, quiet=quiet)
    loaded = time.perf_counter()
    with Progress(enabled=not quiet) as progress:
        found = explain(
            puzzle,
            backend,
            time_limit=time_limit,
            seed=seed,
            suggest=not no_suggestions,
            on_progress=progress.show,
        )
    seconds = {"load": loaded - started, "explain": time.perf_counter() - loaded}
    with stdout():
        if as_json:
            from satcross.explain.json import explanation_to_data
            from satcross.formats.json import dump, versions

            data = {
                **explanation_to_data(puzzle, found),
                "checks": found.checks,
                "seconds": {stage: round(value, 6) for stage, value in seconds.items()},
                "seed": seed,
                "versions": versions(),
            }
            click.echo(dump(data, ascii_only=True), nl=False)
        else:
            click.echo("\n".join(_lines(found, not no_suggestions)))
    if png is not None and found.status is Status.UNFILLABLE:
        from satcross.explain.picture import write_picture

        write_atomically(png, lambda path: write_picture(puzzle, found.reason, path))
    sys.exit(UNKNOWN if found.status is Status.UNKNOWN else FILLED)


def _check_png(png: str, inputs: list[str]) -> None:
    if Path(png).suffix.lower() != ".png":
        raise InputError("the picture must be a .png file", "change its name", file=png or "--png")
    check_writable(png, inputs)


def _lines(found: Explanation, suggest: bool) -> list[str]:
    if found.status is Status.UNKNOWN:
        return [f"Unknown: {found.stopped}."]
    if found.wording is None:
        return ["There is nothing to explain: the puzzle has a fill (satcross solve shows one)."]
    lines = [found.wording.headline, ""]
    lines += [f"  {line}" for line in found.wording.because]
    lines += ["", found.wording.needed]
    if found.other_unfillable_slots:
        lines.append(
            f"By {'itself' if len(found.other_unfillable_slots) == 1 else 'themselves'}, "
            f"{', '.join(found.other_unfillable_slots)} can't be filled either."
        )
    if found.suggestions:
        lines += ["", "What would help (each tried, and then there is a fill):"]
        lines += [f"  {one.text}" for one in found.suggestions]
    elif suggest and found.stopped != INTERRUPTED:
        time_was = " in the time there was" if found.stopped else ""
        lines += ["", f"No single change that helps was found{time_was}; other reasons may remain."]
    if found.stopped == INTERRUPTED:
        lines += ["", "Interrupted: this is what was known by then."]
    return lines
