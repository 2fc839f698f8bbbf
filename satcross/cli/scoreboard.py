"""The table of scores, and the lines about changes since another version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from satcross.cli.output import counted, print_table

if TYPE_CHECKING:
    from satcross.compare.changes import Change
    from satcross.compare.scores import PuzzleKey, Score, Standings

HEADINGS = ("contender", "solved", "PAR-2 s", "median s", "alone", "fastest")
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
        "-" if score.median is None else f"{score.median:.2f}",
        *wins,
    )


def change_lines(changes: Sequence[Change]) -> list[str]:
    """Lines about the changes of contenders, with a heading."""
    return ["Time now / then (95% interval; noise floor)", *map(_change_line, changes)]


def _change_line(change: Change) -> str:
    amount = counted(change.puzzles, "puzzle")
    if change.repeats > 1:
        amount += f", {change.repeats} repeats"
    floor = f"floor {change.floor:.3f}"
    if change.why:
        floor += f", as {change.why}"
    name = change.contender
    if change.baseline != name:
        name += f" / {change.baseline}"
    line = (
        f"{name}: {change.ratio:.3f} ({change.low:.3f} to {change.high:.3f}; {floor}) on "
        f"{amount}: {change.judgement}"
    )
    for word, records in (("lost", change.lost), ("gained", change.gained)):
        if records:
            line += f"; {word} {', '.join(one.puzzle_name for one in records)}"
    return line


def change_data(change: Change) -> dict[str, Any]:
    """Return a change as JSON values."""
    return {
        **asdict(replace(change, lost=(), gained=())),
        "judgement": change.judgement,
        "lost": [record.puzzle_name for record in change.lost],
        "gained": [record.puzzle_name for record in change.gained],
    }
