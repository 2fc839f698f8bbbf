"""``satcross grid``."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.cli.options import counted, list_options, output, parse_seconds, tell
from satcross.cli.output import check_output, numbered, print_json, say
from satcross.cli.progress import Progress
from satcross.cli.read_puzzle import read_lists
from satcross.errors import InputError
from satcross.formats.words import Reading, letters_of

if TYPE_CHECKING:
    from satcross.construct.pattern.fillable import GridResult, MadeGrid
    from satcross.construct.pattern.model import Demands
    from satcross.vocabulary import Vocabulary

_STYLES = ("american", "british")
_SYMMETRIES = ("rotation", "mirror", "none")
_LARGEST = 31
_SECONDS_A_GRID = 60

_EPILOG = """\b
Examples:
  satcross grid --size 15 grid.txt               (American, filled by the default list)
  satcross grid --size 13 --style british -w words.txt grid.txt --fill fill.png
  satcross grid --size 15x13 --words 62..68 --longest 10 --count 3 grid.txt   (grid-1.txt ...)
  satcross grid --size 15 --entry PROPAGATION --entry SATISFIABLE grid.txt
  satcross solve grid.txt words.txt --letters    (the letters of entries are kept)
"""


@click.command(name="grid", epilog=_EPILOG)
@click.argument("out", metavar="[OUTPUT]", required=False)
@click.option("--size", required=True, metavar="N|ROWSxCOLUMNS", help="As in 15, or 15x13.")
@click.option(
    "--style",
    type=click.Choice(_STYLES),
    default=_STYLES[0],
    show_default=True,
    help="american: every cell in two words. british: a lattice, about half the cells in two.",
)
@click.option("--symmetry", type=click.Choice(_SYMMETRIES), default="rotation", show_default=True)
@click.option(
    "--words", "count", metavar="N|A..B", help="How many words.  [default: usual for the size]"
)
@click.option("--shortest", type=click.IntRange(2), default=3, show_default=True, metavar="N")
@click.option("--longest", type=click.IntRange(3), metavar="N", help="Letters of a word at most.")
@click.option("--most-blocks", type=click.IntRange(0), metavar="N", help="Blocks at most.")
@click.option(
    "--entry", "entries", multiple=True, metavar="WORD", help="A word to put in; repeatable."
)
@click.option(
    "-w", "--list", "lists", multiple=True, metavar="FILE", help="A list to fill it from."
)
@click.option("--min-score", type=int, metavar="N", help="Fill with words of that score or more.")
@click.option("--unchecked-fill", is_flag=True, help="Don't try whether the list fills the grid.")
@click.option("--fill", metavar="FILE", help="Write the fill, too, by extension as solve does.")
@click.option("--count", "number", type=click.IntRange(1, 1000), default=1, metavar="N")
@click.option(
    "--time-limit",
    type=float,
    callback=parse_seconds,
    metavar="SECONDS",
    help=f"For all grids together.  [default: {_SECONDS_A_GRID} a grid]",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print no notes and no grid.")
@list_options
def command(
    out: str | None,
    size: str,
    style: str,
    symmetry: str,
    count: str | None,
    shortest: int,
    longest: int | None,
    most_blocks: int | None,
    entries: tuple[str, ...],
    lists: tuple[str, ...],
    min_score: int | None,
    unchecked_fill: bool,
    fill: str | None,
    number: int,
    time_limit: float | None,
    seed: int,
    as_json: bool,
    quiet: bool,
    reading: Reading,
) -> None:
    """Make the structure of a grid: a pattern of blocks that the word list can fill.

    The pattern is printed, and written into OUTPUT: `_` for an open cell, `#` for a blocked one,
    letters for --entry words, which stand at opposite places where that can be. Each pattern is
    filled before it is shown (from the default list when none is named), and the next is tried when
    that fails. Another --seed gives other grids.

    Exit code 0: made. 20: it is proved that no grid is as demanded. 30: the time limit or Ctrl-C
    came first.
    """
    from satcross.construct.pattern.fillable import make_grids

    if unchecked_fill and (fill or lists or min_score is not None):
        raise click.UsageError("--unchecked-fill goes with neither --fill, --list nor --min-score.")
    demands = _demands(
        size, style, symmetry, count, shortest, longest, most_blocks, _read_entries(entries)
    )
    wanted = number if number > 1 else None
    outs, fills = numbered(out, wanted), numbered(fill, wanted)
    for path in outs:
        check_output(path, lists, (".txt",))
    for path in fills:
        check_output(path, lists)
        if path in outs:
            raise InputError("is OUTPUT and --fill", "name two files", file=path)
    started = time.perf_counter()
    vocabulary = None if unchecked_fill else _read_vocabulary(lists, reading, min_score, quiet)
    with Progress(enabled=not quiet) as progress:
        making = make_grids(
            demands,
            vocabulary,
            number=number,
            min_score=min_score,
            seed=seed,
            time_limit=time_limit or _SECONDS_A_GRID * number,
            on_progress=progress.show,
        )
        advice = _advise(demands, making, progress) if making.complete and not making.grids else []
    seconds = time.perf_counter() - started
    for path, one in zip(outs, making.grids, strict=False):
        _write_structure(one, path)
    for path, one in zip(fills, making.grids, strict=False):
        _write_fill(one, path)
    sentence = _sentence(demands, making, advice)
    with output():
        if as_json:
            print_json(_to_data(making, sentence, seconds, seed))
        elif not quiet:
            for place, one in enumerate(making.grids):
                say(("\n" if place else "") + "\n".join(one.pattern.rows_with_entries()))
            if not making.grids:
                say(sentence)
    if making.grids and not quiet and not as_json:
        _note_made(making, number, out, bool(demands.entries))
    if len(making.grids) == number or (making.complete and making.grids):
        sys.exit(FILLED)
    sys.exit(UNFILLABLE if making.complete else UNKNOWN)


def _demands(
    size: str,
    style: str,
    symmetry: str,
    count: str | None,
    shortest: int,
    longest: int | None,
    most_blocks: int | None,
    entries: tuple[str, ...],
) -> Demands:
    from satcross.construct.pattern.model import Demands, Symmetry, default_words
    from satcross.construct.styles import MIN_WORD_LENGTH, Style

    height, width = _read_size(size)
    if min(height, width) < MIN_WORD_LENGTH or max(height, width) > _LARGEST:
        raise InputError(
            f"--size {size} is out of range",
            f"rows and columns go from {MIN_WORD_LENGTH} to {_LARGEST}",
        )
    words = _read_range(count) if count else default_words(Style(style), height, width)
    if longest is not None and longest < shortest:
        raise InputError(f"no word has {shortest} to {longest} letters", "raise --longest")
    for word in entries:
        if len(word) > min(max(height, width), longest or max(height, width)):
            raise InputError(
                f"--entry {word} has {len(word)} letters, too many for this grid",
                "choose a larger --size, or a greater --longest where it is set",
            )
        if len(word) < shortest:
            raise InputError(f"--entry {word} is shorter than --shortest {shortest}", "lower that")
    return Demands(
        height,
        width,
        words,
        shortest,
        longest,
        entries,
        Style(style),
        Symmetry(symmetry),
        most_blocks,
    )


def _read_size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,3})(?:[xX*](\d{1,3}))?", text.strip())
    if found is None:
        raise InputError(f"bad --size {text!r}", "write 15, or 15x13 for 15 rows of 13 columns")
    return int(found[1]), int(found[2] or found[1])


def _read_range(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,4})(?:(?:\.\.|-)(\d{1,4}))?", text.strip())
    if found is None or int(found[1]) > int(found[2] or found[1]):
        raise InputError(f"bad --words {text!r}", "write 76, or 72..78 (word lists go to -w)")
    return int(found[1]), int(found[2] or found[1])


def _read_entries(values: tuple[str, ...]) -> tuple[str, ...]:
    entries = tuple(letters_of(value, fold=True) for value in values)
    for word, value in zip(entries, values, strict=True):
        if len(word) < 2 or not word.isalpha():
            raise InputError(f"--entry {value!r} is no word", "give letters only, two or more")
        if entries.count(word) > 1:
            raise InputError(f"--entry {word} is given twice", "drop one of the two")
    return entries


def _read_vocabulary(
    lists: tuple[str, ...], reading: Reading, min_score: int | None, quiet: bool
) -> Vocabulary:
    vocabulary = read_lists(lists, quiet=quiet, reading=reading).vocabulary
    if min_score is not None and not any(
        vocabulary.group(length).at_least(min_score) for length in vocabulary.lengths
    ):
        raise InputError(f"no word scores {min_score} or more", "lower --min-score")
    return vocabulary


def _advise(demands: Demands, making: GridResult, progress: Progress) -> list[str]:
    from satcross.construct.pattern.fillable import find_relaxations

    if making.patterns_exist:
        return []
    try:
        return find_relaxations(demands, progress.show)
    except KeyboardInterrupt:
        return []


def _sentence(demands: Demands, making: GridResult, advice: list[str]) -> str:
    """What came of it when there is no grid."""
    if making.grids:
        return ""
    demanded = describe(demands)
    if not making.complete and not making.tried:
        return f"Unknown: no {describe(demands)} found, nor proved impossible ({making.reason})."
    if not making.complete:
        return f"Unknown: {counted(making.tried, 'pattern')} tried, none filled ({making.reason})."
    if making.patterns_exist:
        return (
            f"No such grid: it is proved that the list fills no {demanded}; "
            "another list, size or number of words may help."
        )
    helps = f" With one change there are some: {', or '.join(advice)}." if advice else ""
    return f"No such grid: CP-SAT has proved that there is no {demanded}.{helps}"


def describe(demands: Demands) -> str:
    """The demands in a few words."""
    fewest, most = demands.words
    number = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    longest = demands.max_length or max(demands.height, demands.width)
    parts = [
        f"{demands.style.value.capitalize()} {demands.height}x{demands.width} grid with "
        f"{number} words of {demands.min_length} to {longest} letters",
        {"rotation": "the same after half a turn", "mirror": "the same in a mirror", "none": ""}[
            demands.symmetry.value
        ],
        f"at most {demands.max_blocks} blocks" if demands.max_blocks is not None else "",
        f"the entries {', '.join(demands.entries)}" if demands.entries else "",
    ]
    return ", ".join(part for part in parts if part)


def _note_made(making: GridResult, number: int, out: str | None, entries: bool) -> None:
    made = len(making.grids)
    for place, one in enumerate(making.grids, 1):
        which = f"grid {place}: " if number > 1 else ""
        tell(f"note: {which}{summary(one)}")
    if made < number and making.complete:
        tell(f"note: there are only {made} such grids, which is proved")
    elif made < number:
        tell(f"note: {made} of {number} grids made ({making.reason})")
    if entries:
        tell(f"note: give {out or 'the grid'} to solve with --letters")


def summary(one: MadeGrid) -> str:
    """Words, blocks and the fill of a grid in one line."""
    blocks = sum(row.count("#") for row in one.pattern.rows)
    text = f"{counted(len(one.grid.slots), 'word')}, {counted(blocks, 'block')}"
    if one.outcome is None:
        return f"{text}; whether it can be filled was not tried"
    return f"{text}; filled in {one.outcome.seconds['solve']:.1f} s"


def _to_data(making: GridResult, sentence: str, seconds: float, seed: int) -> dict[str, object]:
    from satcross.formats.json import grid_rows, versions

    grids = []
    for one in making.grids:
        filled = one.outcome is not None and one.outcome.fill is not None
        grids.append(
            {
                "structure": list(one.pattern.rows_with_entries()),
                "words": len(one.grid.slots),
                "blocks": sum(row.count("#") for row in one.pattern.rows),
                "entries": dict(one.locks),
                "grid": grid_rows(one.grid, one.outcome.fill) if filled and one.outcome else None,
                "score": one.outcome.score if one.outcome else None,
            }
        )
    status = "made" if making.grids else "impossible" if making.complete else "unknown"
    return {
        "status": status,
        "grids": grids,
        "complete": making.complete,
        "reason": sentence or making.reason or None,
        "tried": making.tried,
        "seconds": round(seconds, 6),
        "seed": seed,
        "versions": versions(),
    }


def _write_structure(one: MadeGrid, path: str) -> None:
    from satcross.formats.files import write_stream

    text = "\n".join(one.pattern.rows_with_entries())
    write_stream(path, lambda stream: print(text, file=stream))


def _write_fill(one: MadeGrid, path: str) -> None:
    from satcross.crossword import Crossword
    from satcross.formats.writers import write_crossword

    if one.outcome is not None:
        write_crossword(Crossword.of(one.grid, one.outcome.fill), path)
