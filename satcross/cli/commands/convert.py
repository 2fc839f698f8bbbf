"""``satcross convert``."""

from __future__ import annotations

from dataclasses import dataclass, replace

import click

from satcross.cli import options as cli
from satcross.cli.output import Report
from satcross.cli.publishing import OUTPUT_FILE, Publishing
from satcross.cli.text_flags import TextFlags, key_option
from satcross.formats.readers import READERS, import_crossword

_EXAMPLES = """
satcross convert monday.puz monday.ipuz
satcross convert fill.json monday.puz --clues clues.tsv --title Monday --author "A. Setter"
satcross convert monday.xd grid.png --style puzzle
satcross convert monday.puz monday.pdf --paper letter
"""


@dataclass(frozen=True, slots=True)
class Request:
    source: str = cli.argument(
        "IN",
        f"A crossword ({', '.join(READERS)}; Across Lite's text, newspapers' JSON, pages that "
        "satcross has written), a printed grid or a structure, as text. Its content says which.",
    )
    output: str | None = cli.argument("[OUT]", OUTPUT_FILE)
    written: str | None = cli.output_option("The same as OUT.")
    letters: bool = cli.letters_option(cli.INPUT)
    key: str | None = key_option()
    text: TextFlags = cli.options(TextFlags)
    publishing: Publishing = cli.options(Publishing)
    no_solution: bool = cli.option("--no-solution", "Leave the solution out.", heading=cli.OUTPUT)
    quiet: bool = cli.quiet_option()


@cli.make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> None:
    """Write the crossword in IN as OUT, in another format, or with clues, a title and a date.

    What the format of OUT has no place for is noted.
    """
    source, publishing = request.source, request.publishing
    if (request.output is None) == (request.written is None):
        raise click.UsageError("name one file to write, as OUT or with -o.")
    output = request.output or request.written or ""
    report = Report(quiet=request.quiet)
    publishing.check_files([source], [output])
    clues = publishing.read_clues(report)
    found = import_crossword(source, letters=request.letters)
    for text in (*found.notes, found.solution_problem and f"{found.solution_problem}; left out"):
        if text:
            report.note(text, source)
    crossword = publishing.apply(found.crossword, clues, report)
    if request.no_solution:
        empty = tuple((None,) * len(row) for row in crossword.solution)
        crossword = replace(crossword, solution=empty)
    publishing.write(crossword, output, report)
