"""``satcross check``."""

from __future__ import annotations

import sys

import click

from satcross.cli import FILLED, WRONG
from satcross.cli.options import PuzzleFlags, output, puzzle_options
from satcross.cli.read_puzzle import read_puzzle
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT
from satcross.formats.fills import UncheckedFill, read_fills
from satcross.puzzle import Puzzle

_EPILOG = """\b
Examples:
  satcross solve grid.txt words.txt --json > fill.json
  satcross check grid.txt words.txt fill.json
  satcross check grid.txt fill.txt               (the default word list)
"""


@click.command(name="check", epilog=_EPILOG)
@click.argument("structure")
@click.argument("files", nargs=-1, metavar="[WORDS] FILL")
@puzzle_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print nothing; the exit code tells.")
def command(
    structure: str,
    files: tuple[str, ...],
    flags: PuzzleFlags,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check the fill in FILL against STRUCTURE, WORDS and the rules, with no solver involved.

    FILL is what `satcross solve` or a CS50 program prints: a line a row, a full block or # for a
    blocked cell; or, with the extension .json, what `solve --json` prints; or a .puz, .ipuz, .xd or
    .html file, of which the solution is checked. Everything that is wrong is listed, a line each.
    Files and rules are those of `satcross solve`.

    Exit code 0: right. 20: something is wrong with it. 2: bad input.
    """
    if not 1 <= len(files) <= 2:
        raise click.UsageError("give STRUCTURE, perhaps WORDS, and FILL.")
    *words, fill = files
    lists = flags.lists(*words)
    if fill == STANDARD_INPUT and STANDARD_INPUT in (structure, *lists):
        raise InputError("standard input can be read only once", "name a file instead of -")
    puzzle = read_puzzle(structure, lists, flags, quiet=quiet)
    fills = read_fills(fill)
    problems = [_problems(puzzle, one) for one in fills]
    right = not any(problems)
    with output():
        if as_json:
            from satcross.formats.json import dump

            data: dict[str, object] = {"right": right, "problems": problems[0]}
            if len(fills) > 1:
                data = {"right": right, "fills": [{"problems": found} for found in problems]}
            click.echo(dump(data, ascii_only=True), nl=False)
        elif not quiet:
            for number, found in enumerate(problems, 1):
                which = f"fill {number}: " if len(fills) > 1 else ""
                for problem in found:
                    click.echo(which + problem)
            if right:
                click.echo("Right." if len(fills) == 1 else f"All {len(fills)} fills are right.")
    sys.exit(FILLED if right else WRONG)


def _problems(puzzle: Puzzle, fill: UncheckedFill) -> list[str]:
    from satcross.verify import verify_rows

    return verify_rows(puzzle, fill.rows, fill.words)
