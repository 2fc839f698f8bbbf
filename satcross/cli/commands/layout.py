"""``satcross layout``."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.cli.options import counted, note, output, parse_seconds
from satcross.cli.output import can_print, check_output, print_json, say
from satcross.cli.progress import Progress
from satcross.cli.publishing import Publishing, publishing_options
from satcross.formats.files import read_text

if TYPE_CHECKING:
    from satcross.construct.layout.layout import Layout
    from satcross.construct.layout.smallest import LayoutResult
    from satcross.crossword import Crossword

_SECONDS = 30.0

_EPILOG = """\b
Examples:
  satcross layout words.txt                      (a word a line, perhaps a tab and its clue)
  satcross layout words.txt puzzle.pdf --title 'Our plants'      (clues and solution)
  satcross layout words.txt puzzle.png --style puzzle
  satcross layout words.txt puzzle.pdf --style newspaper     (with clues, and the solution)
  satcross layout words.txt puzzle.json --time-limit 120
"""


@click.command(name="layout", epilog=_EPILOG)
@click.argument("words")
@click.argument("out", metavar="[OUTPUT]", required=False)
@click.option(
    "--time-limit",
    type=float,
    default=_SECONDS,
    show_default=True,
    callback=parse_seconds,
    metavar="SECONDS",
    help="Look for smaller ones, or for a proof that there are none, so long.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@publishing_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print no notes and no grid.")
def command(
    words: str,
    out: str | None,
    time_limit: float,
    seed: int,
    as_json: bool,
    quiet: bool,
    publishing: Publishing,
) -> None:
    """Interlock the words of WORDS in the smallest grid: a puzzle of one's own words.

    WORDS has a word a line, perhaps followed by a tab (or a semicolon) and its clue. Each stands in
    the grid once, all hang together, and no other word of two letters or more comes up. The box
    around them is as small as is found; it says whether that is proved to be the smallest. Among
    boxes of that size, those with more crossings and nearer to a square are preferred, which is not
    proved. The grid and the numbered clues are printed, and written into OUTPUT by its extension.

    Exit code 0: there is a layout. 20: it is proved that there is none. 30: none was found in time.
    """
    from satcross.construct.layout.smallest import lay_out
    from satcross.formats.clued_words import parse_clued_words

    if out is not None:
        check_output(out, [words])
    given = parse_clued_words(read_text(words))
    more = publishing.read_clues([words], [out] if out is not None else [], quiet=quiet)
    if not quiet:
        for text in given.notes:
            note(words, text)
    started = time.perf_counter()
    with Progress(enabled=not quiet) as progress:
        laying = lay_out(
            list(given.clues), seed=seed, time_limit=time_limit, on_progress=progress.show
        )
    seconds = time.perf_counter() - started
    sentence = _sentence(laying)
    crossword = None
    if laying.layout is not None:
        crossword = publishing.apply(_crossword(laying.layout, given.clues), more, quiet=quiet)
    data = _to_data(laying, crossword, sentence, seconds, seed)
    if out is not None and crossword is not None:
        _write(out, crossword, data, publishing, quiet)
    with output():
        if as_json:
            print_json(data)
        elif not quiet:
            if crossword is not None:
                _print(crossword)
            say(sentence)
    if laying.layout is not None:
        sys.exit(FILLED)
    sys.exit(UNFILLABLE if laying.impossible else UNKNOWN)


def _sentence(laying: LayoutResult) -> str:
    layout = laying.layout
    if layout is None and laying.impossible:
        return f"No layout: {laying.reason}."
    if layout is None:
        left = ", ".join(laying.left_over)
        return f"Unknown: no layout of all words found ({laying.reason}); left over: {left}."
    size = (
        f"{counted(len(layout.placements), 'word')} in {layout.height}x{layout.width} = "
        f"{counted(layout.area, 'cell')}, {counted(layout.crossings, 'crossing')}"
    )
    if laying.smallest:
        return f"{size}; proved: no layout has a smaller area."
    return f"{size}; best found ({laying.reason}), proved: none is below {laying.bound} cells."


def _crossword(layout: Layout, clues: dict[str, str]) -> Crossword:
    from satcross.crossword import Crossword

    fill = layout.fill()
    named = {name: clues[word] for name, word in fill.items() if clues[word]}
    return Crossword.of(layout.grid(), fill, named)


def _print(crossword: Crossword) -> None:
    from satcross.formats.text import FULL_BLOCK, draw_text

    block = FULL_BLOCK if can_print(FULL_BLOCK) else "#"
    say(draw_text(crossword.grid.structure, crossword.solution, block=block))
    if not crossword.clues:
        return
    for direction in ("across", "down"):
        names = [slot.name for slot in crossword.grid.slots if slot.direction == direction]
        if names:
            say(direction.capitalize())
            for name in names:
                say(f"  {name[:-1]:>2} {crossword.clues.get(name) or '(no clue)'}")
            say("")


def _to_data(
    laying: LayoutResult,
    crossword: Crossword | None,
    sentence: str,
    seconds: float,
    seed: int,
) -> dict[str, object]:
    from satcross.formats.json import versions

    layout = laying.layout
    data: dict[str, object] = {
        "status": "found" if layout else "impossible" if laying.impossible else "unknown",
        "proved_smallest": laying.smallest,
        "none_below": laying.bound,
        "reason": sentence,
        "left_over": list(laying.left_over),
    }
    if layout is not None and crossword is not None:
        data |= {
            "height": layout.height,
            "width": layout.width,
            "area": layout.area,
            "crossings": layout.crossings,
            "grid": list(layout.rows),
            "slots": [
                {
                    "name": slot.name,
                    "row": slot.row,
                    "column": slot.column,
                    "direction": slot.direction,
                    "length": slot.length,
                    "word": crossword.words[slot.name],
                    "clue": crossword.clues.get(slot.name),
                }
                for slot in crossword.grid.slots
            ],
        }
    return {**data, "seconds": round(seconds, 6), "seed": seed, "versions": versions()}


def _write(
    out: str, crossword: Crossword, data: dict[str, object], publishing: Publishing, quiet: bool
) -> None:
    if Path(out).suffix.lower() != ".json":
        publishing.write(crossword, out, quiet=quiet)
        return
    from satcross.formats.files import write_stream
    from satcross.formats.json import add_crossword, dump

    text = dump(add_crossword(data, crossword))
    write_stream(out, lambda stream: print(text, end="", file=stream))
