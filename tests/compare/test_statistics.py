"""Paired tests against numbers from the literature and brute force; tables of runs."""

from __future__ import annotations

import csv
from io import StringIO
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcross.compare.records import Record
from satcross.compare.scores import standings
from satcross.compare.statistics import paired_tests, rows, wilcoxon, write_csv


def run(contender: str, puzzle: int, cpu: float, status: str = "filled") -> Record:
    limits = {"wall": None, "cpu": 10.0, "memory": None}
    who = (f"p{puzzle}", "s.txt", "w.txt", contender, "backend", status)
    return Record(*who, backend=contender, cpu=cpu, limits=limits, seconds={"load": 0.5})


def test_wilcoxon_is_that_of_the_tables() -> None:
    # The smallest p-values of n different sizes are 2 / 2^n.
    assert wilcoxon([1, 2, 3, 4, 5, 6]) == 2 / 64
    assert wilcoxon([-1, 2, 3, 4, 5, 6]) == 4 / 64
    assert wilcoxon([]) == wilcoxon([-1, 1]) == 1


@given(st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=8))
def test_wilcoxon_by_all_signs(differences: list[int]) -> None:
    sizes = [abs(one) for one in differences]
    ranks = [sum(b < a for b in sizes) + (sum(b == a for b in sizes) + 1) / 2 for a in sizes]
    total = sum(ranks)

    def distance(signs: tuple[bool, ...]) -> float:
        return abs(sum(r for r, sign in zip(ranks, signs, strict=True) if sign) - total / 2)

    own = distance(tuple(one > 0 for one in differences))
    choices = list(product((False, True), repeat=len(sizes)))
    extreme = sum(distance(signs) >= own for signs in choices)
    assert wilcoxon(differences) == pytest.approx(min(1, extreme / len(choices)))


def test_all_pairs_with_correction() -> None:
    records = [
        run(name, puzzle, factor * (1 + puzzle / 10))
        for name, factor in (("a", 1.0), ("b", 2.0), ("c", 2.0))
        for puzzle in range(8)
    ]
    records += [run(name, 9, 10, "unknown") for name in "abc"]
    tests = {(one.contender, one.other): one for one in paired_tests(standings(records))}
    assert set(tests) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert (tests["a", "b"].wins, tests["a", "b"].losses) == (8, 0)
    assert tests["a", "b"].p == 2 / 256
    assert tests["a", "b"].corrected == tests["a", "c"].corrected == 3 * 2 / 256
    assert tests["a", "c"].significant
    assert (tests["b", "c"].p, tests["b", "c"].significant) == (1, False)


def test_runs_as_a_table() -> None:
    stream = StringIO(newline="")
    write_csv(stream, [run("a", 1, 2.5), run("b", 1, 10, "unknown")])
    first, second = csv.DictReader(StringIO(stream.getvalue()))
    assert (first["contender"], first["cpu"], first["seconds.load"]) == ("a", "2.5", "0.5")
    assert (second["status"], second["limits.cpu"], second["limits.wall"]) == (
        "unknown",
        "10.0",
        "",
    )
    assert rows([run("a", 1, 2.5)])[0]["limits.wall"] is None
