"""Statistics for papers: paired tests, stability of ranks, survival curves, and runs as tables.

The test is Wilcoxon's signed-rank test (F. Wilcoxon, "Individual comparisons by ranking methods",
Biometrics Bulletin 1945) on the costs of two contenders on the puzzles that both were asked, two-
sided, as scipy computes it, without puzzles of equal costs. The p-values of all pairs are corrected
by Holm's method (S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
Journal of Statistics 1979).

A p-value does not say how much: start-up of 10 ms is significant on enough puzzles. So each test
comes with the ratio of the costs and its interval (``changes``), and a difference counts only if
the whole interval is beyond the smallest ratio of interest, by default the noise floor.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median
from typing import Any, TextIO

from satcross.compare import scores
from satcross.compare.changes import FEW_REPEATS, Ratio, compare_rows, statistics_library
from satcross.compare.records import Record
from satcross.compare.tables import Column, Table

LEVEL = 0.05
TURNS_FLOOR = 1.1
"""Smallest ratio of interest where runs took turns, too few times to measure the noise floor."""
_RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of two contenders: on how many puzzles each has the lower cost, and p-values.

    ``corrected`` is the p-value by Holm, ``min_p`` the smallest that so few puzzles could reach.
    ``ratio`` is that of the costs, if any puzzle is solved; ``floor`` is the smallest of interest.
    """

    contender: str
    other: str
    wins: int
    losses: int
    p: float
    min_p: float
    ratio: Ratio | None
    floor: float
    corrected: float = 1.0

    @property
    def significant(self) -> bool:
        """Whether, at the level of 5%, the whole interval of the ratio is beyond the floor."""
        ratio = self.ratio
        is_large = ratio is not None and (ratio.low > self.floor or ratio.high < 1 / self.floor)
        return self.corrected < LEVEL and is_large

    @property
    def judgement(self) -> str:
        """The result in words."""
        if self.significant:
            return "significant"
        if self.corrected < LEVEL:
            return f"not significant: within a factor of {self.floor:g}"
        return "not significant"


def paired_tests(table: scores.Standings, floor: float | None = None) -> list[PairedTest]:
    """Return a test of each comparable pair of contenders, in the order of their PAR-2 scores.

    ``floor`` is the smallest ratio of interest; None for the noise floor.
    """
    tests = []
    for contender, other in (pair for pair, why in _reasons(table).items() if not why):
        own, theirs = table.results[contender], table.results[other]
        both = [key for key in table.shared if key in own and key in theirs]
        costs = [(own[key].cost, theirs[key].cost) for key in both]
        differences = [a - b for a, b in costs if a != b]
        wins = sum(value < 0 for value in differences)
        shared_rows = [{key: row[key] for key in both} for row in (own, theirs)]
        ratio = compare_rows(shared_rows[0], shared_rows[1], table.measure)
        noise = 1.0 if ratio is None else ratio.floor
        if ratio is not None and ratio.why == FEW_REPEATS:
            noise = TURNS_FLOOR
        p, min_p = wilcoxon(differences), min(1.0, 2.0 ** (1 - len(differences)))
        counts = (wins, len(differences) - wins)
        tests.append(PairedTest(contender, other, *counts, p, min_p, ratio, floor or noise))
    return _corrected(tests)


def _reasons(table: scores.Standings) -> dict[tuple[str, str], str]:
    """Return why each pair of contenders is not tested; "" for one that is."""
    pairs = combinations(table.ranking(table.common), 2)
    return {pair: why_apart(table, *pair) for pair in pairs}


def why_apart(table: scores.Standings, contender: str, other: str) -> str:
    """Return why two contenders are not tested against each other, or ""."""
    first, second = table.who[contender], table.who[other]
    if first.host != second.host:
        return "they ran on different machines"
    if first.limit(table.measure) != second.limit(table.measure):
        return "they had different limits"
    runs = [table.records(name) for name in (contender, other)]
    loads = [[run.load for run in some if run.load is not None] for some in runs]
    if all(loads):
        here, there = map(median, loads)
        if abs(here - there) > first.cpus / 2:
            return f"the load of the machine differed ({here:.1f} and {there:.1f})"
    return ""


def _corrected(tests: Sequence[PairedTest]) -> list[PairedTest]:
    """Return the tests, in the same order, with p-values corrected by Holm's method."""
    found: dict[tuple[str, str], float] = {}
    largest = 0.0
    for index, test in enumerate(sorted(tests, key=lambda test: test.p)):
        largest = max(largest, min(1.0, test.p * (len(tests) - index)))
        found[test.contender, test.other] = largest
    return [replace(test, corrected=found[test.contender, test.other]) for test in tests]


def wilcoxon(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of the signed-rank test of differences, none 0; 1 for none."""
    return float(statistics_library().wilcoxon(differences).pvalue) if differences else 1.0


@dataclass(frozen=True, slots=True)
class RankStability:
    """How far the place of a contender depends on which puzzles were run.

    ``mean_rank`` is the mean rank by cost over the puzzles, ``rank`` the place by PAR-2. When
    puzzles are resampled, the place is from ``low`` to ``high`` in 95%, and the first in the share
    ``first``.
    """

    contender: str
    mean_rank: float
    rank: int
    low: int
    high: int
    first: float


def rank_stability(table: scores.Standings) -> list[RankStability]:
    """Return the stability of each contender's rank, best PAR-2 first; [] without puzzles."""
    import numpy as np

    puzzles, ranking = table.common, table.ranking(table.common)
    costs = np.array([[table.results[name][key].cost for key in puzzles] for name in ranking])
    if not costs.size:
        return []
    random = np.random.default_rng(0)
    drawn = random.integers(0, len(puzzles), (_RESAMPLES, len(puzzles)))
    means = costs[:, drawn].mean(axis=2)
    places = 1 + (means[:, None] > means[None]).sum(axis=1)
    best = means == means.min(axis=0)
    first = (best / best.sum(axis=0)).mean(axis=1)
    ends = np.percentile(places, [2.5, 97.5], axis=1, method="nearest").astype(int)
    ranks = statistics_library().rankdata(costs, axis=0).mean(axis=1)
    totals = costs.mean(axis=1)
    own = 1 + (totals[:, None] > totals[None]).sum(axis=1)  # equal ones share their place
    return [
        RankStability(name, float(ranks[n]), int(own[n]), int(low), int(high), float(first[n]))
        for n, (name, low, high) in enumerate(zip(ranking, *ends, strict=True))
    ]


def cliques(ranks: Sequence[RankStability], tests: Sequence[PairedTest]) -> list[tuple[str, ...]]:
    """Return maximal groups of neighbours by mean rank of which no two differ significantly.

    These are the bars of a critical-difference diagram (J. Demšar, "Statistical comparisons of
    classifiers over multiple data sets", JMLR 2006), by paired tests rather than by mean ranks
    (A. Benavoli, G. Corani and F. Mangili, "Should we really use post-hoc tests based on mean-
    ranks?", JMLR 2016).
    """
    order = [rank.contender for rank in sorted(ranks, key=lambda rank: rank.mean_rank)]
    differ = {frozenset((test.contender, test.other)) for test in tests if test.significant}
    found: list[tuple[str, ...]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not any(
            frozenset((order[end], name)) in differ for name in order[start:end]
        ):
            end += 1
        group = tuple(order[start:end])
        if len(group) > 1 and not (found and set(group) <= set(found[-1])):
            found.append(group)
    return found


_MAX_NAMED = 3


def _refused(reasons: Mapping[tuple[str, ...], str]) -> list[str]:
    """Return a line for each reason, with the pairs that are not tested for it, or their number."""
    lines = []
    for why in dict.fromkeys(reasons.values()):
        pairs = [" / ".join(pair) for pair, reason in reasons.items() if reason == why]
        few = len(pairs) <= _MAX_NAMED
        lines.append(f"Not tested: {'; '.join(pairs) if few else f'{len(pairs)} pairs'}: {why}")
    return lines


@dataclass(frozen=True, slots=True)
class Statistics:
    """Tests of all pairs of contenders, the stability of their ranks, and what was refused."""

    tests: tuple[PairedTest, ...]
    ranks: tuple[RankStability, ...]
    test_notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: scores.Standings, floor: float | None = None) -> Statistics:
        """Return the statistics; ``floor`` is the smallest ratio of interest."""
        refused = _refused({pair: why for pair, why in _reasons(table).items() if why})
        ranks = () if refused else tuple(rank_stability(table))
        out = [f"Not tested: {name}: it is disqualified" for name in table.disqualified]
        notes = (*out, *refused, *scores.load_note(table))
        return cls(tuple(paired_tests(table, floor)), ranks, notes)

    @property
    def rank_table(self) -> Table[RankStability]:
        """The ranks and their stability."""
        columns: tuple[Column[RankStability], ...] = (
            Column("contender", lambda rank: rank.contender, is_text=True),
            Column("mean rank", lambda rank: rank.mean_rank, ".2f"),
            Column("rank by PAR-2", lambda rank: rank.rank),
            Column("95% interval", lambda rank: f"{rank.low} to {rank.high}"),
            Column("first in", lambda rank: rank.first, ".0%"),
        )
        return Table(columns, self.ranks)

    @property
    def test_table(self) -> Table[PairedTest]:
        """The tests of pairs."""
        columns: tuple[Column[PairedTest], ...] = (
            Column("contender", lambda test: test.contender, is_text=True),
            Column("other", lambda test: test.other, is_text=True),
            Column("won", lambda test: test.wins),
            Column("lost", lambda test: test.losses),
            Column("ratio of costs", lambda test: test.ratio and test.ratio.ratio, ".3f"),
            Column("95% interval", lambda test: test.ratio and test.ratio.interval),
            Column("ratio of interest", lambda test: test.floor, ".3g"),
            Column("p", lambda test: test.p, ".3g"),
            Column("smallest p", lambda test: test.min_p, ".3g"),
            Column("corrected", lambda test: test.corrected, ".3g"),
            Column(
                "",
                lambda test: test.judgement,
                mark=lambda test: "" if test.significant else "none",
            ),
        )
        return Table(columns, self.tests)


def survival(results: Iterable[scores.PuzzleResult], measure: str) -> list[tuple[float, float]]:
    """Return the Kaplan-Meier estimate of the share of puzzles unsolved after each time in seconds.

    (E. L. Kaplan and P. Meier, "Nonparametric estimation from incomplete observations", JASA 1958.)
    An unsolved puzzle, whatever it failed by, is unsolved until the limit of its runs, and censored
    there: a crash after a second is no reason to look at the others alone. Without a limit it is
    never solved. The first pair is (0, 1).
    """
    results = list(results)
    known = [result.seconds for result in results if result.solved]
    if not known:
        return [(0.0, 1.0)]
    limits = (result.record.limit(measure) for result in results if not result.solved)
    never = max([*known, 1.0]) * 2
    late = [never if limit == math.inf else limit for limit in limits]
    stats = statistics_library()
    data = stats.CensoredData(uncensored=known, right=late)
    found = stats.ecdf(data).sf
    steps = zip(found.quantiles.tolist(), found.probabilities.tolist(), strict=True)
    return [(0.0, 1.0), *((time, share) for time, share in steps if time in set(known))]


def rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Return the records as flat rows: entries of ``seconds``, ``limits``, ... as ``seconds.load``.

    A list is one text with "/" between: the rows of the fill, the trace as "SECONDS:SCORE/...".
    """
    flat = []
    for record in records:
        row: dict[str, Any] = {"outcome": str(record.outcome)}
        for name, value in record.to_data().items():
            if isinstance(value, dict):
                row |= {f"{name}.{key}": part for key, part in value.items()}
            else:
                row[name] = _joined(value) if isinstance(value, list | tuple) else value
        flat.append(row)
    return flat


def _joined(values: Sequence[Any]) -> str:
    parts = (value if isinstance(value, list | tuple) else [value] for value in values)
    return "/".join(":".join(map(str, part)) for part in parts)


def write_csv(stream: TextIO, records: Iterable[Record]) -> None:
    """Write the rows of the records as CSV, with a header; an unknown value is empty."""
    flat = rows(records)
    writer = csv.DictWriter(stream, list(dict.fromkeys(name for row in flat for name in row)))
    writer.writeheader()
    writer.writerows(flat)
