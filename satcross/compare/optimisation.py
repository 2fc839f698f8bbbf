"""Runs that look for the best fill: false claims, what is best known, and scores by quality.

A run with a goal has a ``score``, the value of its verified fill, perhaps a ``bound`` that no fill
exceeds, a ``claim`` that its fill is the best, and a ``trace`` of scores by time.
"""

from __future__ import annotations

from collections.abc import Sequence

from satcross.compare.records import Record
from satcross.compare.scores import PuzzleKey, Standings
from satcross.compare.tables import Column, Table
from satcross.compare.verdict import best_known, refutation


def _records(table: Standings) -> list[Record]:
    results = [result for row in table.results.values() for result in row.values()]
    return [run.record for result in results for run in result.runs]


def best_known_table(table: Standings) -> Table[PuzzleKey]:
    """Return the best known score of each puzzle, the lowest bound that stands, and by whom."""
    records = _records(table)
    best = best_known(records)
    bounds: dict[PuzzleKey, int] = {}
    for record in records:
        if record.bound is not None and not refutation(record, best):
            bounds[record.puzzle] = min(record.bound, bounds.get(record.puzzle, record.bound))

    def proved(key: PuzzleKey) -> str:
        return "yes" if bounds.get(key) == best[key].score else "no"

    columns: tuple[Column[PuzzleKey], ...] = (
        Column("puzzle", lambda key: best[key].puzzle_name, is_text=True),
        Column("best by", lambda key: best[key].contender, is_text=True),
        Column("score", lambda key: best[key].score),
        Column("bound", bounds.get, missing="-"),
        Column("proved", proved),
        Column("CPU s", lambda key: best[key].cpu, ".2f"),
    )
    return Table(columns, list(best))


def shares(
    table: Standings, contender: str, puzzles: Sequence[PuzzleKey]
) -> list[tuple[float, float]]:
    """Return the mean share of the best known score that a contender has, by time in seconds.

    The first pair is (0, 0); a puzzle without a fill counts as 0.
    """
    best = best_known(_records(table))
    steps: list[tuple[float, float]] = []
    for key in puzzles:
        result = table.results[contender].get(key)
        if result is not None and key in best:
            before = 0
            for seconds, score in result.record.trace:
                steps.append(
                    (seconds, (score - before) / max(1, best[key].score or 1) / len(puzzles))
                )
                before = score
    total, found = 0.0, [(0.0, 0.0)]
    for seconds, more in sorted(steps):
        total += more
        found.append((seconds, total))
    return found
