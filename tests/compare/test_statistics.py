"""Paired tests against numbers from the literature, ranks, survival, and tables of runs."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO

import pytest
from compare import made_up

from satcross.compare.records import Record
from satcross.compare.scores import standings
from satcross.compare.statistics import (
    Statistics,
    cliques,
    paired_tests,
    rank_stability,
    rows,
    survival,
    wilcoxon,
    write_csv,
)


def run(contender: str, puzzle: int, cpu: float, status: str = "filled") -> Record:
    limits = (None, 10.0)
    return made_up.run(contender, f"p{puzzle}", cpu, status, limits=limits, seconds={"load": 0.5})


def test_wilcoxon_is_that_of_the_tables() -> None:
    # The smallest p-values of n different sizes are 2 / 2^n.
    assert wilcoxon([1, 2, 3, 4, 5, 6]) == 2 / 64
    assert wilcoxon([-1, 2, 3, 4, 5, 6]) == 4 / 64
    assert wilcoxon([]) == wilcoxon([-1, 1]) == 1


def test_all_pairs_with_correction() -> None:
    records = [
        run(name, puzzle, factor * (1 + puzzle / 10))
        for name, factor in (("a", 1.0), ("b", 3.0), ("c", 3.0))
        for puzzle in range(8)
    ]
    records += [run(name, 9, 10, "unknown") for name in "abc"]
    tests = {(item.contender, item.other): item for item in paired_tests(standings(records))}
    assert set(tests) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert (tests["a", "b"].wins, tests["a", "b"].losses) == (8, 0)
    assert tests["a", "b"].p == 2 / 256
    assert tests["a", "b"].corrected == tests["a", "c"].corrected == 3 * 2 / 256
    assert tests["a", "c"].significant
    assert tests["a", "b"].ratio is not None
    assert tests["a", "b"].ratio.ratio == pytest.approx(1 / 3)
    assert tests["a", "b"].min_p == 2 / 256
    [near] = [item for item in paired_tests(standings(records), 3.1) if item.other == "b"]
    assert (near.significant, near.judgement) == (False, "not significant: within a factor of 3.1")
    assert (tests["b", "c"].p, tests["b", "c"].significant) == (1, False)


def test_runs_as_a_table() -> None:
    stream = StringIO(newline="")
    write_csv(stream, [run("a", 1, 2.5), run("b", 1, 10, "unknown")])
    first, second = csv.DictReader(StringIO(stream.getvalue()))
    assert (first["contender"], first["cpu"], first["seconds.load"]) == ("a", "2.5", "0.5")
    seen = [second[name] for name in ("status", "limits.cpu", "limits.wall")]
    assert seen == ["unknown", "10.0", ""]
    more = replace(run("a", 1, 2.5), trace=((0.5, 7), (2.0, 9)), cores=(0, 1), fill=("AB", "CD"))
    row = rows([more])[0]
    assert row["limits.wall"] is None
    assert (row["trace"], row["cores"], row["fill"]) == ("0.5:7/2.0:9", "0/1", "AB/CD")


@pytest.mark.parametrize("status", ["unknown", "crashed"])
def test_what_is_not_solved_is_unsolved_until_the_limit(status: str) -> None:
    """Of five puzzles one crashes or is given up after 2 s: the others look no better for it."""
    records = [run("a", puzzle, cpu) for puzzle, cpu in enumerate((1.0, 2.0, 4.0, 5.0))]
    records.append(run("a", 9, 2.0, status))
    steps = survival(standings(records).results["a"].values(), "cpu")
    assert [time for time, _ in steps] == [0, 1, 2, 4, 5]
    assert [share for _, share in steps] == pytest.approx([1, 4 / 5, 3 / 5, 2 / 5, 1 / 5])
    # Runs with a lower limit are censored there: nobody knows what would have come.
    records[-1] = replace(records[-1], limits={"wall": None, "cpu": 3.0, "memory": None})
    both = (standings(some).results["a"] for some in (records[:4], records[4:]))
    steps = survival([result for row in both for result in row.values()], "cpu")
    assert [share for _, share in steps] == pytest.approx([1, 4 / 5, 3 / 5, 3 / 10, 0])


def test_ranks_are_stable_where_one_always_wins() -> None:
    records = [run(name, p, cpu) for p in range(6) for name, cpu in (("a", 1), ("b", 2), ("c", 2))]
    ranks = {item.contender: item for item in rank_stability(standings(records))}
    assert [(ranks[name].low, ranks[name].high) for name in "abc"] == [(1, 1), (2, 2), (2, 2)]
    assert [ranks[name].mean_rank for name in "abc"] == [1, 2.5, 2.5]
    assert [ranks[name].rank for name in "abc"] == [1, 2, 2]
    assert ranks["a"].first == 1
    assert rank_stability(standings([])) == []


def test_ranks_are_unstable_where_puzzles_decide() -> None:
    records = [run("a", p, 1 + p % 2 * 4) for p in range(8)]
    records += [run("b", p, 5 - p % 2 * 4) for p in range(8)]
    first, second = rank_stability(standings(records))
    assert (first.low, first.high, second.low, second.high) == (1, 2, 1, 2)
    assert first.first + second.first == pytest.approx(1)
    assert 0.3 < first.first < 0.7


def test_bars_join_what_does_not_differ() -> None:
    costs = (("a", 1.0), ("b", 3.0), ("c", 3.0), ("d", 9.0))
    records = [run(name, p, cost + p / 100) for name, cost in costs for p in range(9)]
    found = Statistics.of(standings(records))
    assert cliques(found.ranks, found.tests) == [("b", "c")]
