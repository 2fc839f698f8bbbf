"""The table of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from satcross.cli.output import print_table

if TYPE_CHECKING:
    from satcross.compare.scores import InstanceKey, Score, Standings

HEADINGS = ("contender", "solved", "PAR-2 s", "median s", "alone", "fastest")


def print_scores(table: Standings, instances: Sequence[InstanceKey] | None = None) -> None:
    """Print the scores on these instances (default: all that every contender has run)."""
    print_table(HEADINGS, [score_cells(score) for score in table.scores(instances)])


def score_cells(score: Score) -> tuple[str, ...]:
    """A row under ``HEADINGS``; the virtual best solver wins nothing."""
    from satcross.compare.scores import VIRTUAL_BEST

    wins = ("", "") if score.contender == VIRTUAL_BEST else (str(score.alone), str(score.fastest))
    return (
        score.contender,
        f"{score.solved}/{score.instances}",
        f"{score.par2:.2f}",
        "-" if score.median is None else f"{score.median:.2f}",
        *wins,
    )
