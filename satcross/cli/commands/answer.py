"""``satcross answer``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from satcross.cli import FILLED, UNKNOWN
from satcross.cli.options import counted, note, parse_seconds
from satcross.cli.options import output as stdout
from satcross.cli.progress import Progress
from satcross.cli.read_puzzle import read_lists, read_locks
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, check_writable, write_atomically, write_stream
from satcross.grid import cell_name

if TYPE_CHECKING:
    from satcross.clues.clue import SourceSettings

_SOURCE_SECONDS = 60.0
_CHOOSE_SECONDS = 10.0
_METHODS = ("cpsat", "rc2", "bp", "crosswind")

_EPILOG = """\b
Examples:
  satcross answer mini.ipuz
  satcross answer mini.puz --lock 5A=CAMEL --explain 7D
  satcross answer mini.xd --sources wordnet,vocabulary --top 5 --png answer.png
  satcross answer --evaluate data/minis --method cpsat,crosswind --plot right.png
"""


def _names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str] | None:
    """A click callback: names separated by commas, each once."""
    if value is None:
        return None
    names = [name.strip() for name in value.split(",")]
    if not all(names):
        raise click.BadParameter("an empty name.")
    return list(dict.fromkeys(names))


def _methods(ctx: click.Context, param: click.Parameter, value: str) -> list[str]:
    names = _names(ctx, param, value) or []
    for name in names:
        if name not in _METHODS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(_METHODS)}.")
    return names


def _source_sets(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> list[list[str]]:
    from satcross.clues.sources.registry import SOURCES, unknown_source_message

    sets = [_names(ctx, param, one) or [] for one in value]
    for name in (name for one in sets for name in one):
        if name not in SOURCES:
            raise click.BadParameter(f"{unknown_source_message(name)}.")
    return sets


@click.command(name="answer", epilog=_EPILOG)
@click.argument("puzzle", required=False)
@click.option(
    "--sources",
    "source_sets",
    multiple=True,
    metavar="NAME[,NAME...]",
    callback=_source_sets,
    help="Where to look for candidates; `satcross sources` lists them. With --evaluate "
    "repeatable, to compare.",
)
@click.option(
    "--clues-db", metavar="FILE", help="Old clues of yours: TSV (publication, year, answer, clue)."
)
@click.option("-w", "--words", multiple=True, metavar="FILE", help="Vocabulary; repeatable.")
@click.option(
    "--method",
    "methods",
    default=_METHODS[0],
    show_default=True,
    metavar="NAME",
    callback=_methods,
    help=f"How to choose: {', '.join(_METHODS)}. With --evaluate several, separated by commas.",
)
@click.option("--lock", "locks", multiple=True, metavar="5A=CAMEL", help="A word you are sure of.")
@click.option("--top", type=click.IntRange(0), default=0, metavar="N", help="N candidates a clue.")
@click.option("--explain", "explained", metavar="7D", help="Why that answer.")
@click.option("--png", metavar="FILE", help="Draw proposed and official grid with the clues.")
@click.option(
    "--time-limit",
    type=float,
    callback=parse_seconds,
    metavar="SECONDS",
    help=f"For asking the sources ({_SOURCE_SECONDS:g}), and for choosing ({_CHOOSE_SECONDS:g}).",
)
@click.option(
    "--evaluate", metavar="DIR", help="Answer every puzzle in a folder; count what is right."
)
@click.option("--out", metavar="FILE", help="With --evaluate: a line of JSON a puzzle and method.")
@click.option("--plot", metavar="FILE", help="With --evaluate: bars, .png or .svg.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print no notes, only the answer.")
def command(
    puzzle: str | None,
    source_sets: list[list[str]],
    clues_db: str | None,
    words: tuple[str, ...],
    methods: list[str],
    locks: tuple[str, ...],
    top: int,
    explained: str | None,
    png: str | None,
    time_limit: float | None,
    evaluate: str | None,
    out: str | None,
    plot: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Answer the clued crossword PUZZLE (.ipuz, .puz, .xd, .json) from its clues.

    Sources propose candidates for every clue, with probabilities; then words that agree where
    slots cross are chosen so that the whole is as likely as can be. A slot may also take a word
    that nobody proposed, or be put together from the letters of its crossings. A solution in
    PUZZLE is not looked at: it is shown beside the answer, whose wrong letters are then small.

    "sure" is how probable an answer is with all crossings considered, "by clue" by its clue alone.

    Exit code 0: answered, even where not proved that nothing is likelier. 30: interrupted; what
    was known by then is printed. 2: bad input.
    """
    if evaluate is not None:
        single = {"PUZZLE": puzzle, "--lock": locks, "--top": top, "--explain": explained}
        for name, given in {**single, "--png": png}.items():
            if given:
                raise click.UsageError(f"{name} does not go with --evaluate.")
        _evaluate(
            evaluate,
            settings=lambda: _settings(words, clues_db, quiet=quiet),
            source_sets=source_sets,
            methods=methods,
            seconds=time_limit,
            out=out,
            plot=plot,
            as_json=as_json,
            quiet=quiet,
        )
        return
    if puzzle is None:
        raise click.UsageError("give PUZZLE, or --evaluate DIR.")
    if out is not None or plot is not None:
        raise click.UsageError("--out and --plot go with --evaluate.")
    if len(methods) > 1 or len(source_sets) > 1:
        raise click.UsageError("several methods or sets of sources go with --evaluate.")
    if png is not None:
        if Path(png).suffix.lower() != ".png":
            raise InputError("the picture must be a .png file", "change its name", file=png)
        check_writable(png, [puzzle, *words])
    _answer_one(
        puzzle,
        words=words,
        clues_db=clues_db,
        sources=source_sets[0] if source_sets else None,
        method=methods[0],
        locks=locks,
        top=top,
        explained=explained,
        png=png,
        seconds=time_limit,
        as_json=as_json,
        quiet=quiet,
    )


def _answer_one(
    puzzle: str,
    *,
    words: tuple[str, ...],
    clues_db: str | None,
    sources: list[str] | None,
    method: str,
    locks: tuple[str, ...],
    top: int,
    explained: str | None,
    png: str | None,
    seconds: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    from satcross.clues.answer import answer_crossword, measure_accuracy
    from satcross.clues.choosing.methods import INTERRUPTED
    from satcross.clues.report import text
    from satcross.clues.report.reasons import check_slot, reasons
    from satcross.formats.readers import import_crossword

    if puzzle == STANDARD_INPUT and STANDARD_INPUT in words:
        raise InputError("standard input can be read only once", "name a file instead of -")
    found = import_crossword(puzzle)
    if explained is not None:
        check_slot(found.crossword.grid, explained)
    if not quiet:
        _tell_notes(puzzle, found.notes)
    settings = _settings(words, clues_db, quiet=quiet)
    with Progress(enabled=not quiet) as progress:
        session = answer_crossword(
            found.crossword,
            settings,
            sources=sources,
            method=method,
            locks=_read_locks(locks),
            source_seconds=seconds or _SOURCE_SECONDS,
            seconds=seconds or _CHOOSE_SECONDS,
            on_progress=progress.show,
        )
        accuracy = measure_accuracy(session, found.crossword)
        why = None
        if explained is not None and session.answers.stopped != INTERRUPTED:
            why = reasons(session, explained, seconds)
    if not quiet:
        _tell_notes(puzzle, session.notes)
    with stdout():
        if as_json:
            from satcross.clues.report.json import session_to_data
            from satcross.formats.json import dump

            data = session_to_data(session, found.crossword, accuracy, top=top, reasons=why)
            click.echo(dump(data, ascii_only=True), nl=False)
        elif why is not None:
            click.echo("\n".join(text.reason_lines(session, why)))
        else:
            lines = [
                *text.heading(session),
                *text.grid_lines(session, found.crossword, accuracy, _style),
                "",
                *text.summary(session, accuracy),
                "",
                *text.clue_lines(session, accuracy, _style, top),
            ]
            click.echo("\n".join(lines))
    if png is not None:
        from satcross.clues.report.picture import write_picture

        write_atomically(png, lambda path: write_picture(session, found.crossword, accuracy, path))
    sys.exit(UNKNOWN if session.answers.stopped == INTERRUPTED else FILLED)


def _settings(words: tuple[str, ...], clues_db: str | None, *, quiet: bool) -> SourceSettings:
    from satcross.clues.clue import SourceSettings

    return SourceSettings(read_lists(list(words), quiet=quiet).vocabulary, clues_db)


def _style(text: str, right: bool | None) -> str:
    """Green when right, red when wrong; click leaves it plain where no terminal is."""
    return text if right is None else click.style(text, fg="green" if right else "red")


def _tell_notes(name: str, notes: tuple[str, ...]) -> None:
    for text in notes:
        note(name, text)


def _evaluate(
    folder: str,
    *,
    settings: Callable[[], SourceSettings],
    source_sets: list[list[str]],
    methods: list[str],
    seconds: float | None,
    out: str | None,
    plot: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    from satcross.clues.evaluate import EvaluationRecord, evaluate, find_puzzles, table, write_plot
    from satcross.formats.json import dump

    if plot is not None and Path(plot).suffix.lower() not in (".png", ".svg"):
        raise InputError("the plot must be a .png or .svg file", "change its name", file=plot)
    for path in (out, plot):
        if path is not None:
            check_writable(path)
    puzzles = find_puzzles(folder)
    records: list[EvaluationRecord] = []
    interrupted = False
    with Progress(enabled=not quiet) as progress:
        try:
            for record in evaluate(
                puzzles,
                settings(),
                source_sets=source_sets,
                methods=methods,
                source_seconds=seconds or _SOURCE_SECONDS,
                seconds=seconds or _CHOOSE_SECONDS,
                note=(lambda name, text: None) if quiet else note,
                on_progress=progress.show,
            ):
                records.append(record)
        except KeyboardInterrupt:
            interrupted = True
    if not records and not interrupted:
        raise InputError(
            "no puzzle in the folder could be evaluated", "see the notes above", file=folder
        )
    data = [one.to_data() for one in records]
    with stdout():
        if as_json:
            click.echo(dump(data, ascii_only=True), nl=False)
        elif records:
            click.echo("\n".join(table(records)))
    if out is not None:
        lines = "".join(f"{json.dumps(one)}\n" for one in data)
        write_stream(out, lambda stream: _write(stream, lines))
    if plot is not None and records:
        write_atomically(plot, lambda path: write_plot(records, path))
    if interrupted:
        click.echo(f"satcross: interrupted after {counted(len(records), 'answer')}", err=True)
    sys.exit(UNKNOWN if interrupted else FILLED)


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)


def _read_locks(locks: Sequence[str]) -> dict[str, str]:
    from satcross.vocabulary import Vocabulary

    words, letters = read_locks(locks, Vocabulary(()))
    if letters:
        raise InputError(
            f"lock {cell_name(next(iter(letters)))}: single letters are not for answer",
            "lock a word as 5A=CAMEL",
        )
    return words
