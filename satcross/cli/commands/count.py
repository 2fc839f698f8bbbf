"""``satcross count``."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from satcross.cli import FILLED, UNKNOWN
from satcross.cli import options as cli
from satcross.cli.output import Report, print_line
from satcross.cli.read_puzzle import PuzzleInput
from satcross.cli.tables import print_table
from satcross.outcome import FillCount
from satcross.run_settings import RunSettings

_EXAMPLES = """
satcross count data/structure1.txt data/words1.txt
satcross count grid.txt words.txt --unique
satcross count grid.txt --at-least 1000        (the default word list)
satcross count grid.txt words.txt --backend sat,cpsat,backtrack
"""


@dataclass(frozen=True, slots=True)
class Question:
    """Options that say how far to count; at most one of them is given."""

    at_least: int | None = cli.option(
        "--at-least N",
        "Only say whether there are N fills: stop when N have been found.",
        heading="How far to count",
        type=cli.whole(1),
        excludes=["--unique", "--limit"],
        brief=True,
    )
    unique: bool = cli.option(
        "--unique",
        "Only say whether there is exactly one, none, or several.",
        excludes=["--limit"],
        brief=True,
    )
    limit: int | None = cli.option(
        "--limit N",
        "Count no further than N; exit code 30 when there may be more.",
        type=cli.whole(1),
    )

    @property
    def enough(self) -> int | None:
        """The number of fills at which the count may stop; None: count all."""
        if self.limit is not None:
            return self.limit + 1  # only one more shows that the limit is passed
        return 2 if self.unique else self.at_least

    def capped(self, count: FillCount) -> FillCount:
        """The count, no further than one above ``--limit``, however far the backend has counted."""
        if self.limit is None or count.count <= self.limit:
            return count
        return replace(count, count=self.limit + 1, exact=False)

    def answered_by(self, count: FillCount) -> bool:
        """Whether the count answers the question."""
        if count.exact:
            return True
        return self.limit is None and self.enough is not None and count.count >= self.enough


@dataclass(frozen=True, slots=True)
class Request:
    puzzle: PuzzleInput = cli.options(PuzzleInput)
    question: Question = cli.options(Question)
    backends: list[str] = cli.backend_option()
    time_limit: float | None = cli.time_limit_option()
    seed: int = cli.seed_option()
    report: Report = cli.options(Report, quiet="Print no notes, only the answer.")


@cli.make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> int:
    """Count the fills of STRUCTURE with words from WORDS: the ways to put a word in every slot.

    All words of a fill differ (unless --allow-repeats). Files and rules are those of `satcross
    solve`. Prints the number; with --at-least yes or no, with --unique one, none or several.

    Exit code 0: the question was answered, also when the answer is none. 30: the time limit, the
    --limit or Ctrl-C came first, and the number found by then is printed as a lower bound.
    """
    from satcross.solving.count import cross_count

    question = request.question
    started = time.perf_counter()
    puzzle = request.puzzle.read(quiet=request.report.quiet)
    loaded = time.perf_counter() - started
    with request.report.progress() as progress:
        settings = RunSettings(request.time_limit, request.seed, on_progress=progress.show)
        counts = cross_count(puzzle, request.backends, settings, enough=question.enough)
    counts = [question.capped(count) for count in counts]
    best = max(counts, key=lambda count: (count.exact, count.count))
    request.report.show(
        lambda: _to_data(best, counts, question, loaded), lambda: _print(best, counts, question)
    )
    return FILLED if question.answered_by(best) else UNKNOWN


def _sentence(best: FillCount, question: Question) -> str:
    if question.at_least is not None and best.count >= question.at_least:
        return f"Yes, at least {question.at_least}."
    if question.at_least is not None and best.exact:
        return f"No, {best.count}."
    if question.unique and best.count >= 2:
        return "Several: at least two fills."
    if question.unique and best.exact:
        return "Exactly one fill." if best.count else "None: there is no fill."
    if best.exact:
        return str(best.count)
    if question.limit is not None and best.count > question.limit:
        return f"More than {question.limit} (the limit)."
    return f"At least {best.count} ({best.reason})."


def _print(best: FillCount, counts: list[FillCount], question: Question) -> None:
    print_line(_sentence(best, question))
    if len(counts) == 1:
        return
    print_line()
    rows = [
        (
            count.backend,
            ("" if count.exact else "at least ") + str(count.count),
            f"{count.seconds['encode']:.3f}",
            f"{count.seconds['count']:.3f}",
        )
        for count in counts
    ]
    print_table(("backend", "fills", "encode s", "count s"), rows)


def _to_data(
    best: FillCount, counts: list[FillCount], question: Question, loaded: float
) -> dict[str, object]:
    from satcross.formats.json import run_to_data

    data = _one_to_data(best)
    if question.at_least is not None:
        data["at_least"] = {"number": question.at_least, "answer": best.at_least(question.at_least)}
    if question.unique:
        several = best.at_least(2)
        data["unique"] = several if several is None else best.count == 1
    data |= run_to_data({"load": loaded, **best.seconds}, best.seed)
    if len(counts) > 1:
        data["backends"] = [_one_to_data(count) for count in counts]
    return data


def _one_to_data(tally: FillCount) -> dict[str, object]:
    return {
        "count": tally.count,
        "exact": tally.exact,
        "backend": tally.backend,
        "reason": tally.reason or None,
        "seconds": {stage: round(value, 6) for stage, value in tally.seconds.items()},
        "stats": dict(tally.stats),
    }
