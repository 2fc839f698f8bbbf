"""``satcross convert``."""

from __future__ import annotations

from dataclasses import dataclass, replace

from satcross.cli.options import (
    INPUT,
    OUTPUT,
    PUBLISHING,
    argument,
    make_command,
    option,
    options,
    quiet_option,
)
from satcross.cli.output import Report, check_output
from satcross.cli.publishing import Publishing
from satcross.formats.readers import import_crossword

_EPILOG = """\b
Examples:
  satcross convert monday.puz monday.ipuz
  satcross convert fill.json monday.puz --clues clues.tsv --title Monday --author "A. Setter"
  satcross convert monday.xd grid.png --style puzzle
  satcross convert monday.puz monday.pdf --paper letter
"""


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``convert``."""

    source: str = argument(metavar="IN")
    output: str = argument(metavar="OUT")
    letters: bool = option(
        "--letters",
        heading=INPUT,
        is_flag=True,
        help="Letters in a structure file are given letters.",
    )
    publishing: Publishing = options(Publishing, PUBLISHING)
    no_solution: bool = option(
        "--no-solution", heading=OUTPUT, is_flag=True, help="Leave the solution out."
    )
    quiet: bool = quiet_option(heading=OUTPUT)


@make_command(Request, name="convert", epilog=_EPILOG)
def command(request: Request) -> None:
    """Write the crossword in IN as OUT, each in the format its extension says.

    IN: .puz, .ipuz, .xd, .json as `satcross solve` writes it, a page (.html) that satcross wrote,
    or text: a structure or a printed grid. OUT: one of these, or .png, .svg, .pdf. What OUT has no
    place for is noted on stderr.
    """
    source, output, publishing = request.source, request.output, request.publishing
    report = Report(quiet=request.quiet)
    check_output(output, [source])
    clues = publishing.read_clues([source], [output], report)
    found = import_crossword(source, letters=request.letters)
    for text in (*found.notes, found.solution_problem and f"{found.solution_problem}; left out"):
        if text:
            report.note(text, source)
    crossword = publishing.apply(found.crossword, clues, report)
    if request.no_solution:
        empty = tuple((None,) * len(row) for row in crossword.solution)
        crossword = replace(crossword, solution=empty)
    publishing.write(crossword, output, report)
