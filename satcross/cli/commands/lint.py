"""``satcross lint``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from satcross.cli.options import counted, list_options, output
from satcross.cli.output import print_json, say
from satcross.cli.read_puzzle import read_lists, read_structure
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT
from satcross.formats.words import Reading

if TYPE_CHECKING:
    from satcross.construct.lint import GridStatistics

_EPILOG = """\b
Examples:
  satcross lint grid.txt                         (against the default word list)
  satcross lint grid.txt words.txt --style british
  satcross lint grid.txt --letters --json
"""


@click.command(name="lint", epilog=_EPILOG)
@click.argument("structure")
@click.argument("words", required=False)
@click.option("-w", "--words", "more_words", multiple=True, metavar="FILE", help="One more list.")
@click.option(
    "--min-score", type=int, metavar="N", help="Count only words with this score or more."
)
@click.option(
    "--letters",
    is_flag=True,
    help="Letters in STRUCTURE are given letters; without it they are where there is a #.",
)
@click.option(
    "--style",
    type=click.Choice(("american", "british")),
    default="american",
    show_default=True,
    help="Whose customs to go by.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print no notes on the files.")
@list_options
def command(
    structure: str,
    words: str | None,
    more_words: tuple[str, ...],
    min_score: int | None,
    letters: bool,
    style: str,
    as_json: bool,
    quiet: bool,
    reading: Reading,
) -> None:
    """Warn of what is unusual about STRUCTURE, or makes it hard to fill from WORDS.

    Looked at are symmetry, two-letter words, cells in one word or none, regions that do not touch,
    the numbers of words and blocks against what is usual for the size, squares of blocks, and how
    many words of each length the list has for the slots.

    Exit code 0 whatever is found, when the files could be read.
    """
    from satcross.construct.lint import grid_statistics, lint
    from satcross.construct.styles import Style

    lists = [*([words] if words is not None else []), *more_words]
    if structure == STANDARD_INPUT and STANDARD_INPUT in lists:
        raise InputError("standard input can be read only once", "name a file instead of -")
    grid = read_structure(structure, letters=letters or None, quiet=quiet)
    vocabulary = read_lists(lists, quiet=quiet, reading=reading).vocabulary
    facts = grid_statistics(grid)
    warnings = lint(grid, vocabulary, Style(style), min_score)
    coverage = {
        length: {
            "slots": number,
            "words": _words(vocabulary.group(length).scores, min_score),
        }
        for length, number in facts.lengths.items()
    }
    with output():
        if as_json:
            data = {key: value for key, value in asdict(facts).items() if key != "lengths"}
            print_json(
                {
                    "style": style,
                    **data,
                    "lengths": {str(length): row for length, row in coverage.items()},
                    "warnings": [asdict(warning) for warning in warnings],
                }
            )
            return
        _print_facts(facts)
        say("length  slots  words in the list")
        for length, row in coverage.items():
            say(f"{length:6} {row['slots']:6} {row['words']:18,}")
        for warning in warnings:
            say(f"warning: {warning.text}")
        if not warnings:
            say("No warnings.")


def _words(scores: tuple[int, ...], min_score: int | None) -> int:
    return sum(min_score is None or score >= min_score for score in scores)


def _print_facts(facts: GridStatistics) -> None:
    area = facts.height * facts.width
    longest = ", ".join(facts.longest[:6]) + (" ..." if len(facts.longest) > 6 else "")
    say(
        f"{facts.height}x{facts.width}: {counted(facts.words, 'word')}, "
        f"{counted(facts.blocks, 'block')} "
        f"({100 * facts.blocks / area:.0f}% of the cells), "
        f"{100 * facts.checked / max(1, facts.open_cells):.0f}% of the letters checked"
    )
    say(f"symmetry: {', '.join(facts.symmetries) or 'none'}")
    say(f"longest: {max(facts.lengths)} letters ({longest})")
