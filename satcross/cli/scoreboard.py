"""Scores as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satcross.compare.scores import InstanceKey, Score, Standings

HEADINGS = ("contender", "solved", "PAR-2 s", "median s", "alone", "fastest")


def score_lines(table: Standings, instances: Sequence[InstanceKey] | None = None) -> list[str]:
    """A table of the scores on these instances (default: all that every contender has run)."""
    rows = [HEADINGS, *map(score_cells, table.scores(instances))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


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
