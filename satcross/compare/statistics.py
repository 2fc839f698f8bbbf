"""Statistics for papers: paired tests of all contenders, and runs as a table.

The test is Wilcoxon's signed-rank test (F. Wilcoxon, "Individual comparisons by ranking methods",
Biometrics Bulletin 1945) on the costs of two contenders on the puzzles that all were run on, two-
sided, with its exact distribution also for tied ranks. Puzzles on which the costs are equal, as
where neither solves them, are left out. The p-values of all pairs are corrected by Holm's method
(S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 1979), so that the chance of a single wrong finding is at most the level of the test.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import combinations
from typing import Any, TextIO

from satcross.compare.records import Record
from satcross.compare.scores import VIRTUAL_BEST, Standings

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of two contenders: on how many puzzles each has the lower cost, and p-values.

    ``corrected`` is the p-value after Holm's correction for the number of pairs.
    """

    contender: str
    other: str
    wins: int
    losses: int
    p: float
    corrected: float = 1.0

    @property
    def significant(self) -> bool:
        """Whether the difference is significant at the level of 5%."""
        return self.corrected < LEVEL


def paired_tests(table: Standings) -> list[PairedTest]:
    """Return a test of each pair of contenders, in the order of their PAR-2 scores."""
    ranking = [one.contender for one in table.scores() if one.contender != VIRTUAL_BEST]
    tests = []
    for one, other in combinations(ranking, 2):
        costs = [
            (table.results[one][puzzle].cost, table.results[other][puzzle].cost)
            for puzzle in table.shared
        ]
        differences = [a - b for a, b in costs if a != b]
        wins = sum(value < 0 for value in differences)
        p = wilcoxon(differences)
        tests.append(PairedTest(one, other, wins, len(differences) - wins, p))
    return _corrected(tests)


def wilcoxon(differences: Sequence[float]) -> float:
    """Return the exact two-sided p-value of the signed-rank test; 1 without a difference.

    ``differences`` are not 0.
    """
    import numpy as np

    if not differences:
        return 1.0
    sizes = sorted(map(abs, differences))
    # Twice the mean rank of equal sizes, so that ranks are whole numbers.
    doubled = {size: sizes.index(size) + 1 + len(sizes) - sizes[::-1].index(size) for size in sizes}
    ranks = [doubled[abs(value)] for value in differences]
    total = sum(ranks)
    positive = sum(rank for rank, value in zip(ranks, differences, strict=True) if value > 0)
    shares = np.zeros(total + 1)  # by sum: the share of the choices of signs that have it
    shares[0] = 1.0
    for rank in ranks:
        shares /= 2
        shares[rank:] += shares[:-rank].copy()
    return min(1.0, 2 * float(shares[: min(positive, total - positive) + 1].sum()))


def _corrected(tests: Sequence[PairedTest]) -> list[PairedTest]:
    """Return the tests, in the same order, with p-values corrected by Holm's method."""
    found: dict[PairedTest, float] = {}
    largest = 0.0
    for index, one in enumerate(sorted(tests, key=lambda one: one.p)):
        largest = max(largest, min(1.0, one.p * (len(tests) - index)))
        found[one] = largest
    return [replace(one, corrected=found[one]) for one in tests]


def rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Return the records as flat rows: entries of ``seconds``, ``limits``, ... as ``seconds.load``.

    The fill is one text, its rows separated by "/".
    """
    flat = []
    for record in records:
        row: dict[str, Any] = {}
        for name, value in record.to_data().items():
            if isinstance(value, dict):
                row |= {f"{name}.{key}": one for key, one in value.items()}
            else:
                row[name] = "/".join(value) if isinstance(value, list | tuple) else value
        flat.append(row)
    return flat


def write_csv(stream: TextIO, records: Iterable[Record]) -> None:
    """Write the rows of the records as CSV, with a header; an unknown value is empty."""
    flat = rows(records)
    writer = csv.DictWriter(stream, list(dict.fromkeys(name for row in flat for name in row)))
    writer.writeheader()
    writer.writerows(flat)


def to_dataframe(records: Iterable[Record]) -> Any:
    """Return the rows of the records as a pandas.DataFrame; nothing else needs pandas."""
    pandas: Any = import_module("pandas")
    return pandas.DataFrame(rows(records))
