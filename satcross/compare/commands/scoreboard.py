"""The table of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from satcross.cli.output import print_table

if TYPE_CHECKING:
    from satcross.compare.scores import PuzzleKey, Score, Standings

HEADINGS = ("contender", "solved", "PAR-2 s", "PAR-10 s", "median s", "alone", "fastest")
MORE_HEADINGS = ("runs", "spread")
"""Headings for contenders with several runs per puzzle."""
COVERAGE = "asked"
"""Heading where a contender was not asked every puzzle."""


def print_scores(table: Standings, puzzles: Sequence[PuzzleKey] | None = None) -> None:
    """Print the scores on these puzzles (default: all that every contender has run)."""
    from satcross.compare.scores import VIRTUAL_BEST

    scores = table.scores(puzzles)
    headings, rows = list(HEADINGS), [list(_cells(score, VIRTUAL_BEST)) for score in scores]
    if any(score.puzzles < score.total for score in scores):
        headings.append(COVERAGE)
        for row, score in zip(rows, scores, strict=True):
            row.append(f"{score.puzzles} of {score.total}")
    if table.runs_per_puzzle > 1:
        headings += MORE_HEADINGS
        for row, score in zip(rows, scores, strict=True):
            row.append(f"{round(score.success * score.runs)}/{score.runs}")
            row.append("-" if score.spread is None else f"{score.spread:.2f}")
    print_table(headings, rows)


def _cells(score: Score, virtual_best: str) -> tuple[str, ...]:
    """A row under ``HEADINGS``; the virtual best solver wins nothing."""
    wins = ("", "") if score.contender == virtual_best else (str(score.alone), str(score.fastest))
    return (
        score.contender,
        f"{score.solved}/{score.puzzles}",
        f"{score.par2:.2f}",
        f"{score.par10:.2f}",
        "-" if score.median is None else f"{score.median:.2f}",
        *wins,
    )
