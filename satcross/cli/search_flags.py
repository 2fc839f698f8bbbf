"""The options of a search: which backend, for how long, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from satcross.backends.registry import DEFAULT_SOLVER, ENCODINGS, SOLVERS
from satcross.cli import options as cli
from satcross.run_settings import ANY_FILL, EDITED, PREFERENCE_NAMES, QUALITIES, RunSettings
from satcross.support.frozen import frozen

if TYPE_CHECKING:
    from satcross.run_settings import OnProgress

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
