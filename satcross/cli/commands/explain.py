"""``satcross explain``."""

from __future__ import annotations

import time
from dataclasses import dataclass

from satcross.backends.registry import BACKENDS
from satcross.cli import FILLED, UNKNOWN
from satcross.cli import options as cli
from satcross.cli.output import Report, check_output
from satcross.cli.read_puzzle import PuzzleInput
from satcross.formats.files import write_atomically
from satcross.outcome import Status
from satcross.run_settings import RunSettings

_EXAMPLES = """
satcross explain data/structure1.txt data/words1.txt --lock 1D=ANAGRAM
satcross explain grid.txt words.txt --lock 14A=QUEUEING -o why.png
satcross explain grid.txt --min-score 90       (the default word list)
"""


@dataclass(frozen=True, slots=True)
class Request:
    puzzle: PuzzleInput = cli.options(PuzzleInput)
    backend: str = cli.option(
        "--backend NAME",
        f"Which backend decides what arc consistency can't: {', '.join(BACKENDS)}.",
        heading=cli.SEARCH,
        choices=BACKENDS,
        default="auto",
    )
    time_limit: float = cli.time_limit_option(
        "For everything; half of it for suggestions.", default=60.0
    )
    seed: int = cli.seed_option()
    no_suggestions: bool = cli.option("--no-suggestions", "Don't try what would help.")
    png: str | None = cli.output_option(
        "Draw the grid with the cells of the reason coloured (.png).", aliases=("--png",)
    )
    report: Report = cli.options(Report, quiet="Print no notes, only the answer.")


@cli.make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> int:
    """Say why STRUCTURE can't be filled with words from WORDS, and what would help.

    The answer is a minimal reason: slots, locked words, given letters and rules that can't be met
    together, but can as soon as any one of them is left out. There may be other reasons. The
    suggestions have been tried: each by itself gives a puzzle that has a fill. Files and rules are
    those of `satcross solve`.

    Exit code 0: explained, or there is a fill after all (status "fillable" in JSON). 30: not known
    whether there is a fill. A reason not shown to be minimal in time says so.
    """
    from satcross.formats.json import run_to_data
    from satcross.solving.explain import explain, explanation_to_data

    if request.png is not None:
        check_output(request.png, request.puzzle.files, (".png",))
    started = time.perf_counter()
    puzzle = request.puzzle.read(quiet=request.report.quiet)
    loaded = time.perf_counter()
    with request.report.progress() as progress:
        settings = RunSettings(request.time_limit, request.seed, on_progress=progress.show)
        found = explain(puzzle, request.backend, settings, suggest=not request.no_suggestions)
    seconds = {"load": loaded - started, "explain": time.perf_counter() - loaded}
    request.report.show(
        lambda: {
            **explanation_to_data(puzzle, found),
            "checks": found.checks,
            **run_to_data(seconds, request.seed),
        },
        lambda: found.lines(suggest=not request.no_suggestions),
    )
    if request.png is not None and found.status is Status.UNFILLABLE:
        from satcross.solving.explain.picture import write_picture

        write_atomically(request.png, lambda path: write_picture(puzzle, found.reason, path))
    return UNKNOWN if found.status is Status.UNKNOWN else FILLED
