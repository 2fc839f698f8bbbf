"""The options of a search: which backend, for how long, how, and by which measure ``--best``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from satcross.backends.registry import DEFAULT_SOLVER, ENCODINGS, SOLVERS
from satcross.cli import options as cli
from satcross.run_settings import ANY_FILL, EDITED, PREFERENCE_NAMES, QUALITIES, RunSettings
from satcross.support.frozen import frozen

if TYPE_CHECKING:
    from satcross.formats.entries import Reading
    from satcross.run_settings import OnProgress
    from satcross.solving.best import Objective
    from satcross.vocabulary import Vocabulary

_PREFERENCES = {name.replace("_", "-"): name for name in PREFERENCE_NAMES}
"""What ``--allow`` takes, and the names of the preferences."""


def cluster_option(text: str) -> Any:
    """``--cluster``: the address of a scheduler, or local."""
    return cli.option("--cluster ADDRESS|local", text, excludes=["--count", "--best"])


@frozen
class SearchFlags:
    """Which backend searches, for how long, and how."""

    backends: list[str] = cli.backend_option()
    time_limit: float | None = cli.time_limit_option()
    seed: int = cli.seed_option()
    workers: int | None = cli.option(
        "--workers N",
        "Processes or threads at once.  [default: the number of processors]",
        type=cli.whole(1, 256),
    )
    solver: str | None = cli.option(
        "--solver NAME",
        f"Which of PySAT's solvers the sat backend uses: {', '.join(SOLVERS)}."
        f"  [default: {DEFAULT_SOLVER}]",
        choices=SOLVERS,
    )
    encoding: str | None = cli.option(
        "--encoding NAME",
        "How the sat backend writes clauses: lazy (a vocabulary that grows), full (every candidate "
        f"at once), direct (naive; for small puzzles), or {', '.join(ENCODINGS[3:-1])} or "
        f"{ENCODINGS[-1]} (for comparison).  [default: {ENCODINGS[0]}]",
        choices=ENCODINGS,
    )

    quality: str = cli.option(
        "--quality WHAT",
        "What to look for in a list with scores, with the backend auto: edited (good words first, "
        "and what editors prefer), good-words, or any fill.",
        choices=QUALITIES,
        default=EDITED,
    )
    allow: list[str] | None = cli.option(
        "--allow KIND[,KIND...]",
        "Preferences of editors to do without: same-stem (no USE with USED), shared (no long "
        "substrings in common), crossing-names (none that few know), plurals (few plain ones), "
        "abbreviations, names, partials (few), spellings (none of the other country).",
        callback=cli.names_of(lambda: _PREFERENCES),
    )

    def settings(self, on_progress: OnProgress) -> RunSettings:
        """How the library runs the backends."""
        return RunSettings(
            self.time_limit,
            self.seed,
            self.workers,
            self.backend_options,
            on_progress,
            quality=ANY_FILL if self.backend_options else self.quality,
            allow=self.allowed,
        )

    @property
    def allowed(self) -> frozenset[str]:
        """The preferences to do without."""
        return frozenset(_PREFERENCES[name] for name in self.allow or ())

    @property
    def backend_options(self) -> dict[str, str]:
        """The options of the backend sat that are given."""
        given = (("solver", self.solver), ("encoding", self.encoding))
        return {name: value for name, value in given if value}

    def check(self) -> None:
        """Raise UsageError for an option of a backend that does not run."""
        if self.backend_options and not {"sat", "auto"} & set(self.backends):
            name = next(iter(self.backend_options))
            raise click.UsageError(f"--{name} is for the backends sat and auto.")


FILLS = "Which fills"
"""The heading of the options of this module in help texts."""

MEASURES = ("quality", "total", "mean", "min", "freshness")

_FRESHNESS = "freshness"
_NEEDS_FILE = "--best freshness needs a list of words used before: --best freshness FILE."


def join_best(args: list[str]) -> list[str]:
    """Join ``--best`` to its measure, and to the file of freshness, before arguments are parsed.

    ``--best`` may stand alone, before one of ``MEASURES``, or before freshness and a file; anything
    else that follows it is an argument by itself.
    """
    joined: list[str] = []
    rest = list(args)
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            return [*joined, argument, *rest]
        if argument == "--best":
            following = rest[0].partition("=")[0] if rest else ""
            known = following in MEASURES or os.path.exists(following)  # noqa: PTH110
            if not known and (hint := cli.did_you_mean(following, MEASURES)):
                raise click.UsageError(f"--best has no measure {following!r}.{hint}")
            argument = f"--best={rest.pop(0) if following in MEASURES else MEASURES[0]}"
        if argument == f"--best={_FRESHNESS}":
            if not rest or (rest[0].startswith("-") and rest[0] != "-"):
                raise click.UsageError(_NEEDS_FILE)
            argument = f"{argument}={rest.pop(0)}"
        joined.append(argument)
    return joined


def _parse(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    measure, equals, file = value.partition("=")
    if measure not in MEASURES:
        raise click.BadParameter(f"{value!r} is not one of {', '.join(MEASURES)}.")
    if measure == _FRESHNESS and not file.strip():
        raise click.BadParameter(_NEEDS_FILE)
    if equals and measure != _FRESHNESS:
        raise click.BadParameter(f"{measure} takes no file.")
    return value


def best_option() -> Any:
    """``--best``: None, a measure, or freshness=FILE. The command prepares with ``join_best``."""
    return cli.option(
        "--best [quality|total|mean|min|freshness FILE]",
        "Look for the best fill, and keep what editors prefer. quality, the default: no word below "
        "60, or else 55, 50, 45, 40 or 30; then as few words as possible below 50, then below 60; "
        "then the highest sum of the words' scores. total or mean: the highest sum alone. min: the "
        "best worst word, then the highest sum. freshness: the fewest words that FILE has, then "
        "the highest sum. At --time-limit or Ctrl-C the best fill found so far is printed.",
        heading=FILLS,
        callback=_parse,
        excludes=["--count", "--solver", "--encoding", "--format sat"],
        brief=True,
    )


def read_objective(
    best: str, vocabulary: Vocabulary, reading: Reading, *, quiet: bool
) -> Objective:
    """The objective that the option names; its file is read as the vocabulary's words are."""
    from satcross.cli.read_puzzle import read_lists
    from satcross.formats.entries import companion
    from satcross.solving.best import Measure, Objective

    measure, _, file = best.partition("=")
    used: frozenset[str] = frozenset()
    if file:
        how = companion(vocabulary, reading)
        used = frozenset(read_lists([file], quiet=quiet, reading=how).vocabulary)
    return Objective(Measure(measure), used)


def objective_file(best: str | None) -> str | None:
    """The file that the option names, if any."""
    return (best or "").partition("=")[2] or None
