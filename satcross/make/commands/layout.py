"""``satcross layout``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.cli import options as cli
from satcross.cli.output import Report, grid_text, write_text
from satcross.cli.publishing import OUTPUT_FILE, Publishing
from satcross.cli.text_flags import TextFlags
from satcross.crossword import Crossword
from satcross.formats.clues import format_missing_clues, parse_clued_words
from satcross.formats.json import add_crossword, dump, run_to_data
from satcross.formats.languages import phrase
from satcross.formats.sniff import read_list
from satcross.run_settings import RunSettings

if TYPE_CHECKING:
    from satcross.make.layout.layout import LayoutResult

_EXAMPLES = """
satcross layout words.txt                      (one word per line, perhaps a tab and its clue)
satcross layout words.txt puzzle.pdf --title 'Our plants'      (clues and solution)
satcross layout words.txt puzzle.png --style puzzle
satcross layout words.txt puzzle.json --time-limit 120
satcross layout words.txt puzzle.pdf --box 15  (as many words as fit 15x15)
satcross layout words.txt puzzle.pdf --square
satcross layout words.txt puzzle.pdf --shape page --word-bank
"""


@dataclass(frozen=True, slots=True)
class Request:
    words: str = cli.argument(
        "WORDS",
        "One word per line, perhaps followed by a tab (or a semicolon) and its clue, "
        "or a score, or both: the score first. Tables, JSON and word - clue are read as well.",
    )
    output: str | None = cli.argument("[OUTPUT]", OUTPUT_FILE)
    written: str | None = cli.output_option("The same as OUTPUT.")
    box: str | None = cli.option(
        "--box N|ROWSxCOLUMNS",
        "Put as many of the words as possible into a box of this size instead.",
        heading=cli.SEARCH,
        brief=True,
    )
    square: bool = cli.option(
        "--square",
        "Look for the smallest square around the words, not for the smallest area.",
        excludes=["--box"],
        brief=True,
    )
    shape: str = cli.option(
        "--shape",
        "area: the smallest box; page: the layout that is printed largest on --paper, beside its "
        "clues.",
        choices=("area", "page"),
        default="area",
        excludes=["--box", "--square"],
        brief=True,
    )
    time_limit: float = cli.time_limit_option(
        "How long to look for smaller grids, or for a proof that there are none.", default=30.0
    )
    seed: int = cli.seed_option()
    text: TextFlags = cli.options(TextFlags)
    publishing: Publishing = cli.options(Publishing)
    report: Report = cli.options(Report, quiet="Print no notes and no grid.")

    @property
    def out(self) -> str | None:
        """The file to write. Raises UsageError for two."""
        if self.output and self.written:
            raise click.UsageError("-o and OUTPUT can't be used together.")
        return self.output or self.written


@cli.make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> int:
    """Interlock the words of WORDS in the smallest grid: a puzzle of your own words.

    Each word stands in the grid once, all are connected, and no other word of two letters or more
    arises. The answer says whether the area of the grid is proved to be the smallest. Among grids
    of that area, those with more crossings and closer to a square are preferred, which is not
    proved. With --box, as many words as were found to fit are interlocked within the box, and those
    left over are named; where words have scores, the words with the highest total score. The grid
    and the numbered clues are printed, and written into OUTPUT.

    Exit code 0: there is a layout. 20: it is proved that there is none. 30: none was found in time.
    """
    from satcross.make.layout.layout import Goal, result_to_data
    from satcross.make.layout.smallest import lay_out, lay_out_for_page

    words, report, publishing = request.words, request.report, request.publishing
    publishing.check_files([words], [] if request.out is None else [request.out])
    given = parse_clued_words(read_list(words))
    box = None if request.box is None else cli.read_size("--box", request.box)
    goal = Goal(box, request.square, given.values())
    clues = publishing.read_clues(report)
    for text in given.notes:
        report.note(text, words)
    started = time.perf_counter()
    with report.progress() as progress:
        make = partial(lay_out, goal=goal)
        if request.shape == "page":
            make = partial(
                lay_out_for_page,
                cell_of=lambda layout: publishing.printed_cell(layout.crossword(given.clues)),
            )
        settings = RunSettings(request.time_limit, request.seed, on_progress=progress.show)
        result = make(list(given.clues), settings)
    seconds = time.perf_counter() - started
    crossword = None
    if result.layout is not None:
        crossword = publishing.apply(result.layout.crossword(given.clues), clues, report)
        if crossword.clues and clues is None and crossword.missing_clues:
            report.note(format_missing_clues(crossword), words)
    data = {**result_to_data(result, crossword), **run_to_data(seconds, request.seed)}
    if request.out is not None and crossword is not None:
        _write(request.out, crossword, data, publishing, report)
    report.show(lambda: data, lambda: _lines(result, crossword), unless_quiet=True)
    if result.layout is not None:
        return FILLED
    return UNFILLABLE if result.impossible else UNKNOWN


def _lines(result: LayoutResult, crossword: Crossword | None) -> Iterator[str]:
    from satcross.make.layout.layout import describe

    if crossword is not None:
        yield grid_text(crossword)
        for direction in ("across", "down") if crossword.clues else ():
            names = [slot.name for slot in crossword.grid.slots if slot.direction == direction]
            if names:
                yield phrase(direction)
                yield from (f"  {n[:-1]:>2} {crossword.clues.get(n) or '(no clue)'}" for n in names)
                yield ""
    yield describe(result)


def _write(
    path: str, crossword: Crossword, data: dict[str, object], publishing: Publishing, report: Report
) -> None:
    if Path(path).suffix.lower() != ".json":
        publishing.write(crossword, path, report)
        return
    write_text(path, dump(add_crossword(data, crossword)))
