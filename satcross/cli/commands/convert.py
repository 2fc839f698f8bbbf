"""``satcross convert``."""

from __future__ import annotations

from dataclasses import replace

import click

from satcross.cli.options import note
from satcross.cli.publishing import Publishing, publishing_options
from satcross.errors import InputError
from satcross.formats.files import check_writable
from satcross.formats.readers import import_crossword
from satcross.formats.writers import WRITERS, check_extension

_EPILOG = """\b
Examples:
  satcross convert monday.puz monday.ipuz
  satcross convert fill.json monday.puz --clues clues.tsv --title Monday --author "A. Setter"
  satcross convert monday.xd grid.png --style puzzle
  satcross convert monday.puz monday.pdf --paper letter
"""


@click.command(name="convert", epilog=_EPILOG)
@click.argument("source", metavar="IN")
@click.argument("output", metavar="OUT")
@publishing_options
@click.option("--letters", is_flag=True, help="Letters in a structure file are given letters.")
@click.option("--no-solution", is_flag=True, help="Leave the solution out.")
@click.option("--quiet", is_flag=True, help="Print no notes.")
def command(
    source: str,
    output: str,
    publishing: Publishing,
    letters: bool,
    no_solution: bool,
    quiet: bool,
) -> None:
    """Write the crossword in IN as OUT, each in the format its extension says.

    IN: .puz, .ipuz, .xd, .json as `satcross solve` writes it, a page (.html) of ours, or text: a
    structure or a printed grid. OUT: one of these, or .png, .svg, .pdf. What OUT has no place for
    is noted on stderr.
    """
    if not output:
        raise InputError("an empty file name", "name a file to write")
    check_extension(output, WRITERS)
    check_writable(output, [source])
    clues = publishing.read_clues([source], [output], quiet=quiet)
    found = import_crossword(source, letters=letters)
    if not quiet:
        for text in (
            *found.notes,
            found.solution_problem and f"{found.solution_problem}; left out",
        ):
            if text:
                note(source, text)
    crossword = publishing.apply(found.crossword, clues, quiet=quiet)
    if no_solution:
        crossword = replace(
            crossword, solution=tuple((None,) * len(row) for row in crossword.solution)
        )
    publishing.write(crossword, output, quiet=quiet)
