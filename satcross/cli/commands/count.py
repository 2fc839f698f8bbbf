"""``satcross count``."""

from __future__ import annotations

import sys
import time

import click

from satcross.cli import FILLED, UNKNOWN
from satcross.cli.options import PuzzleFlags, backend_option, puzzle_options, time_limit_option
from satcross.cli.options import output as stdout
from satcross.cli.progress import Progress
from satcross.cli.read_puzzle import read_puzzle
from satcross.outcome import FillCount

_EPILOG = """\b
Examples:
  satcross count data/structure1.txt data/words1.txt
  satcross count grid.txt words.txt --unique
  satcross count grid.txt --at-least 1000        (the default word list)
  satcross count grid.txt words.txt --backend sat,cpsat,backtrack
"""


@click.command(name="count", epilog=_EPILOG)
@click.argument("structure")
@click.argument("words", required=False)
@backend_option
@puzzle_options
@click.option(
    "--at-least",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only say whether there are so many: stop when N have been found.",
)
@click.option(
    "--unique", is_flag=True, help="Only say whether there is exactly one, none, or several."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Count no further than N; exit code 30 when there may be more.",
)
@time_limit_option
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--quiet", is_flag=True, help="Print no notes, only the answer.")
def command(
    structure: str,
    words: str | None,
    backends: list[str],
    flags: PuzzleFlags,
    at_least: int | None,
    unique: bool,
    limit: int | None,
    time_limit: float | None,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Count the fills of STRUCTURE with words from WORDS: the ways to put a word in every slot.

    All words of a fill differ (unless --allow-repeats). Files and rules are those of `satcross
    solve`. Prints the number; with --at-least yes or no, with --unique one, none or several.

    Exit code 0: the question was answered, also when the answer is none. 30: the time limit, the
    --limit or Ctrl-C came first, and what is known by then is printed: at least so many.
    """
    from satcross.solving.count import cross_count

    if sum((at_least is not None, unique, limit is not None)) > 1:
        raise click.UsageError("--at-least, --unique and --limit exclude each other.")
    started = time.perf_counter()
    puzzle = read_puzzle(structure, flags.lists(words), flags, quiet=quiet)
    loaded = time.perf_counter() - started
    # A limit is passed only when one more has been found.
    enough = 2 if unique else at_least if limit is None else limit + 1
    with Progress(enabled=not quiet) as progress:
        counts = cross_count(
            puzzle,
            backends,
            enough=enough,
            time_limit=time_limit,
            seed=seed,
            on_progress=progress.show,
        )
    best = max(counts, key=lambda one: (one.exact, one.count))
    known = best.exact or (limit is None and enough is not None and best.count >= enough)
    with stdout():
        if as_json:
            from satcross.formats.json import dump

            click.echo(dump(_to_data(best, counts, at_least, unique, loaded)), nl=False)
        else:
            click.echo(_sentence(best, at_least, unique, limit))
            if len(counts) > 1:
                click.echo()
                click.echo(_table(counts), nl=False)
    sys.exit(FILLED if known else UNKNOWN)


def _sentence(best: FillCount, at_least: int | None, unique: bool, limit: int | None) -> str:
    number = str(best.count)
    if at_least is not None and best.count >= at_least:
        return f"Yes, at least {at_least}."
    if at_least is not None and best.exact:
        return f"No, {number}."
    if unique and best.count >= 2:
        return "Several: at least two fills."
    if unique and best.exact:
        return "Exactly one fill." if best.count else "None: there is no fill."
    if best.exact:
        return number
    if limit is not None and best.count > limit:
        return f"More than {limit} (the limit)."
    return f"At least {number} ({best.reason})."


def _table(counts: list[FillCount]) -> str:
    width = max(12, *(len(str(one.count)) + 9 for one in counts))
    lines = [f"{'backend':10} {'fills':>{width}} {'encode s':>9} {'count s':>9}"]
    lines += [
        f"{one.backend:10} {('' if one.exact else 'at least ') + str(one.count):>{width}} "
        f"{one.seconds['encode']:9.3f} {one.seconds['count']:9.3f}"
        for one in counts
    ]
    return "\n".join(lines) + "\n"


def _to_data(
    best: FillCount, counts: list[FillCount], at_least: int | None, unique: bool, loaded: float
) -> dict[str, object]:
    from satcross.formats.json import versions

    data = _one_to_data(best)
    if at_least is not None:
        data["at_least"] = {"number": at_least, "answer": best.at_least(at_least)}
    if unique:
        several = best.at_least(2)
        data["unique"] = several if several is None else best.count == 1
    data["seconds"] = {"load": round(loaded, 6), **_rounded(best)}
    data["seed"] = best.seed
    data["versions"] = versions()
    if len(counts) > 1:
        data["backends"] = [_one_to_data(one) for one in counts]
    return data


def _one_to_data(one: FillCount) -> dict[str, object]:
    return {
        "count": one.count,
        "exact": one.exact,
        "backend": one.backend,
        "reason": one.reason or None,
        "seconds": _rounded(one),
        "stats": dict(one.stats),
    }


def _rounded(one: FillCount) -> dict[str, float]:
    return {stage: round(value, 6) for stage, value in one.seconds.items()}
