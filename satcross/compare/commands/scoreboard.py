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


def print_scores(table: Standings, puzzles: Sequence[PuzzleKey] | None = None) -> None:
    """Print the scores on these puzzles (default: all that every contender has run)."""
    scores = table.scores(puzzles)
    if table.runs_per_puzzle < 2:
        print_table(HEADINGS, [score_cells(score) for score in scores])
        return
    rows = [
        (
            *score_cells(score),
            f"{round(score.success * score.runs)}/{score.runs}",
            "-" if score.spread is None else f"{score.spread:.2f}",
        )
        for score in scores
    ]
    print_table(HEADINGS + MORE_HEADINGS, rows)


def score_cells(score: Score) -> tuple[str, ...]:
    """A row under ``HEADINGS``; the virtual best solver wins nothing."""
    from satcross.compare.scores import VIRTUAL_BEST

    wins = ("", "") if score.contender == VIRTUAL_BEST else (str(score.alone), str(score.fastest))
    return (
        score.contender,
        f"{score.solved}/{score.puzzles}",
        f"{score.par2:.2f}",
        f"{score.par10:.2f}",
        "-" if score.median is None else f"{score.median:.2f}",
        *wins,
    )
