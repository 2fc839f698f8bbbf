"""Statistics for papers: paired tests, stability of ranks, survival curves, and runs as tables.

The test is Wilcoxon's signed-rank test (F. Wilcoxon, "Individual comparisons by ranking methods",
Biometrics Bulletin 1945) on the costs of two contenders on the puzzles that all were run on, two-
sided, with its exact distribution also for tied ranks. Puzzles on which the costs are equal, as
where neither solves them, are left out. The p-values of all pairs are corrected by Holm's method
(S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 1979), so that the chance of a single wrong finding is at most the level of the test.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import combinations
from statistics import median
from typing import Any, TextIO

from satcross.compare.records import Record
from satcross.compare.scores import VIRTUAL_BEST, PuzzleResult, Standings, run_time

LEVEL = 0.05
_RESAMPLES = 1000


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
    tests = []
    for one, other in combinations(_ranking(table), 2):
        costs = [
            (table.results[one][puzzle].cost, table.results[other][puzzle].cost)
            for puzzle in table.shared
        ]
        differences = [a - b for a, b in costs if a != b]
        wins = sum(value < 0 for value in differences)
        p = wilcoxon(differences)
        tests.append(PairedTest(one, other, wins, len(differences) - wins, p))
    return _corrected(tests)


def _ranking(table: Standings) -> list[str]:
    return [one.contender for one in table.scores() if one.contender != VIRTUAL_BEST]


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


@dataclass(frozen=True, slots=True)
class RankStability:
    """How far the place of a contender depends on which puzzles were run.

    ``mean_rank`` is the mean over the puzzles of the rank by cost, from 1, where ties share the
    mean of their ranks. ``rank`` is the place by PAR-2 on all puzzles; ``low`` to ``high`` is its
    95% interval, and ``first`` the share of first places (ties shared), when puzzles are resampled.
    """

    contender: str
    mean_rank: float
    rank: int
    low: int
    high: int
    first: float


def rank_stability(table: Standings) -> list[RankStability]:
    """Return the stability of each contender's rank, best PAR-2 first; [] without puzzles."""
    import numpy as np

    ranking = _ranking(table)
    costs = np.array(
        [[table.results[name][puzzle].cost for puzzle in table.shared] for name in ranking]
    )
    if not costs.size:
        return []
    random = np.random.default_rng(0)
    drawn = random.integers(0, len(table.shared), (_RESAMPLES, len(table.shared)))
    means = costs[:, drawn].mean(axis=2)
    places = 1 + (means[:, None] > means[None]).sum(axis=1)
    best = means == means.min(axis=0)
    first = (best / best.sum(axis=0)).mean(axis=1)
    ends = np.percentile(places, [2.5, 97.5], axis=1, method="nearest")
    below = (costs[:, None] > costs[None]).sum(axis=1)
    equal = (costs[:, None] == costs[None]).sum(axis=1)
    return [
        RankStability(
            name,
            float((below[n] + (equal[n] + 1) / 2).mean()),
            n + 1,
            int(ends[0, n]),
            int(ends[1, n]),
            float(first[n]),
        )
        for n, name in enumerate(ranking)
    ]


def cliques(ranks: Sequence[RankStability], tests: Sequence[PairedTest]) -> list[tuple[str, ...]]:
    """Return maximal groups of neighbours by mean rank of which no two differ significantly.

    These are the bars of a critical-difference diagram (J. Demšar, "Statistical comparisons of
    classifiers over multiple data sets", JMLR 2006), by paired tests rather than by mean ranks
    (A. Benavoli, G. Corani and F. Mangili, "Should we really use post-hoc tests based on mean-
    ranks?", JMLR 2016).
    """
    order = [one.contender for one in sorted(ranks, key=lambda one: one.mean_rank)]
    differ = {frozenset((one.contender, one.other)) for one in tests if one.significant}
    found: list[tuple[str, ...]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any(
            frozenset((order[end], one)) in differ for one in order[start:end]
        ):
            end += 1
        group = tuple(order[start:end])
        if len(group) > 1 and not (found and set(group) <= set(found[-1])):
            found.append(group)
    return found


@dataclass(frozen=True, slots=True)
class Statistics:
    """Tests of all pairs of contenders and the stability of their ranks."""

    tests: tuple[PairedTest, ...]
    ranks: tuple[RankStability, ...]

    @classmethod
    def of(cls, table: Standings) -> Statistics:
        return cls(tuple(paired_tests(table)), tuple(rank_stability(table)))


def survival(results: Iterable[PuzzleResult], measure: str) -> list[tuple[float, float]]:
    """Return the Kaplan-Meier estimate of the share of puzzles unsolved after each time in seconds.

    (E. L. Kaplan and P. Meier, "Nonparametric estimation from incomplete observations", JASA 1958.)
    An unsolved puzzle is censored at the median time that its runs have used. The first pair is
    (0, 1).
    """
    times: list[tuple[float, bool]] = []
    for one in results:
        used = median(run_time(run, measure) for run in one.runs)
        times.append((used if one.seconds is None else one.seconds, one.solved))
    # At equal times, the solved come first: the censored are still at risk.
    times.sort(key=lambda one: (one[0], not one[1]))
    share, steps = 1.0, [(0.0, 1.0)]
    for index, (time, solved) in enumerate(times):
        if solved:
            left = len(times) - index
            share *= (left - 1) / left
            steps.append((time, share))
    return steps


def to_latex(table: Standings) -> str:
    """Return the scores as a LaTeX table, for the package booktabs."""
    lines = [
        r"\begin{tabular}{lrrrrrr}",
        r"\toprule",
        r"contender & solved & PAR-2 & PAR-10 & median & alone & contribution \\",
        r"\midrule",
    ]
    for one in table.scores():
        virtual = one.contender == VIRTUAL_BEST
        cells = [
            _escaped(one.contender),
            f"{one.solved}/{one.puzzles}",
            f"{one.par2:.2f}",
            f"{one.par10:.2f}",
            "--" if one.median is None else f"{one.median:.2f}",
            "" if virtual else str(one.alone),
            "" if one.contribution is None else f"{one.contribution:.2f}",
        ]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _escaped(text: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", text)


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
