"""Sweeps across the phase transition: estimates, intervals, curves, and the command."""

from __future__ import annotations

import json
import logging
import math
import random
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import run_as_text
from compare.made_up import run

from satcross.compare import plots
from satcross.compare.records import FILLED, UNFILLABLE, UNKNOWN, Record, read_records
from satcross.compare.sweep import (
    Curve,
    Family,
    FirstMoment,
    bounds,
    curve,
    quantile,
    read_family,
    transition_table,
    wilson,
)
from satcross.errors import InputError
from satcross.grid import Grid
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAIRS = Vocabulary({a + b: 50 for a, b in product("abcd", "ab")})
SQUARE = Grid.from_rows(["__", "__"])
SIZES = (2, 4, 8)
NAME = "open-2x2"


def record(words: int, seed: int, status: str, cpu: float = 1.0, contender: str = "a") -> Record:
    size = {"sample": words, "sample_seed": seed}
    return run(contender, f"{words}/{seed}", cpu, status, family=NAME, size=size)


def curve_of(*records: Record) -> Curve:
    return curve(Family(NAME, SQUARE, SIZES, FirstMoment.of(SQUARE, PAIRS), PAIRS), records)


def test_wilson_is_that_of_the_tables() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_the_first_moment_of_independent_letters_is_exact() -> None:
    """In a list of all combinations the letters are independent: fills can be counted."""
    estimate = FirstMoment.of(SQUARE, PAIRS)
    words = list(PAIRS)
    fills = sum(
        a[0] == c[0] and a[1] == d[0] and b[0] == c[1] and b[1] == d[1]
        for a, b, c, d in product(words, repeat=4)
    )
    assert estimate.log_fills(len(words)) == pytest.approx(math.log(fills))
    threshold = estimate.threshold()
    assert threshold is not None
    assert estimate.log_fills(threshold) == pytest.approx(0.0, abs=1e-6)


def test_letters_that_never_agree_have_no_threshold() -> None:
    estimate = FirstMoment.of(SQUARE, Vocabulary({"ab": 50}))
    assert estimate.threshold() is None
    assert estimate.log_fills(1) == -math.inf


def test_nested_samples_decide_each_other() -> None:
    """A fill with few words is one with more; without one there is none with fewer."""
    found = curve_of(
        record(2, 0, UNKNOWN), record(4, 0, UNFILLABLE), record(8, 0, FILLED),
        record(2, 1, FILLED), record(4, 1, UNKNOWN), record(8, 1, UNKNOWN),
        record(2, 2, UNKNOWN), record(4, 2, UNKNOWN), record(8, 2, UNKNOWN),
    )  # fmt: skip
    counts = [(item.words, item.filled, item.unfillable, item.undecided) for item in found.points]
    assert counts == [(2, 1, 1, 1), (4, 1, 1, 1), (8, 2, 0, 1)]
    assert found.points[0].low == wilson(1, 3)[0]
    assert found.points[0].high == wilson(2, 3)[1]
    assert not found.contradictions


def test_a_larger_sample_without_a_fill_is_a_contradiction() -> None:
    found = curve_of(record(2, 0, FILLED), record(4, 0, UNFILLABLE))
    assert found.contradictions == (
        "open-2x2: sample 0 has a fill with 2 words of each length and is called unfillable with 4",
    )
    assert found.points[1].filled == 1  # the fill was verified, the claim was not


def test_the_transition_is_where_half_are_filled() -> None:
    runs = [record(2, seed, UNFILLABLE) for seed in range(8)]
    runs += [record(8, seed, FILLED) for seed in range(8)]
    found = curve_of(*runs)
    assert found.half == pytest.approx(4.0)
    assert found.interval == (2.0, 8.0)
    # No size lies between the thresholds: their ratio is not 1 for all that is known.
    assert (found.width, found.max_width) == (None, 4.0)
    assert transition_table([found]).cells[0][3] == "< 4.00"
    apart = [record(4, seed, FILLED if seed < 3 else UNFILLABLE) for seed in range(8)]
    assert curve_of(*runs, *apart).width == pytest.approx(2.0)
    assert curve_of(*runs[:8]).half is None
    assert curve_of(*runs[8:]).half is None
    few = curve_of(*[run for run in runs if run.size["sample_seed"] < 4])
    assert few.interval == (None, None)  # four samples say too little


@pytest.mark.parametrize("spread", [0.01, 0.3, 1.0])
def test_intervals_cover_at_sharp_and_wide_transitions(spread: float) -> None:
    """With thresholds known up to neighbouring sizes; a bootstrap covered 0.69 at sharp ones."""
    sizes = [10 * 1.1**k for k in range(60)]
    generator, true = random.Random(7), 100.0
    covered = 0
    for _ in range(200):
        known = []
        for _ in range(20):
            threshold = true * math.exp(generator.gauss(0, spread))
            below = [size for size in sizes if size < threshold]
            above = [size for size in sizes if size >= threshold]
            known.append((below[-1] if below else 0.0, above[0] if above else math.inf))
        found = quantile(known, 0.5)
        covered += (found.low or 0) <= true <= (found.high or math.inf)
    assert covered >= 184  # 0.95 of 200, less 2 standard errors


def test_an_undecided_sample_is_a_bound() -> None:
    """Dropping the sample that takes too long would make the transition look sharper."""
    known = [(4.0, 5.0)] * 40
    assert quantile(known, 0.5).high == 5.0
    assert quantile([*known[:25], *[(4.0, math.inf)] * 15], 0.5).high is None
    assert quantile([(4.0, math.inf)], 0.5).bounds == (4.0, None)  # JSON has no infinity


def test_bisection_needs_few_runs_and_finds_the_threshold() -> None:
    family = Family(NAME, SQUARE, tuple(range(1, 201)), FirstMoment.of(SQUARE, PAIRS), PAIRS)
    for threshold in (1, 2, 77, 199, 200, 500):
        statuses: dict[int, set[str]] = {}
        while (size := family.next_size(statuses)) is not None:
            statuses[size] = {FILLED if size >= threshold else UNFILLABLE}
        low, high = bounds(statuses)
        assert len(statuses) <= 8
        assert low < threshold <= high
        assert high - low <= 1 or high == math.inf or low == 0.0
    late = {size: {UNKNOWN} for size in range(40, 51)}
    assert family.next_size(late) is None  # no end of runs that time out


def test_a_median_at_the_limit_is_marked() -> None:
    found = curve_of(
        record(2, 0, UNFILLABLE, 1.0), record(2, 1, UNFILLABLE, 3.0), record(2, 2, UNKNOWN, 10.2),
        record(2, 0, UNKNOWN, 4.0, "b"), record(2, 1, UNFILLABLE, 3.0, "b"),
    )  # fmt: skip
    costs = found.points[0].costs
    assert (costs["a"].text, costs["a"].solved, costs["a"].runs) == ("3.00", 2, 3)
    assert (costs["a"].low, costs["a"].high) == (1.0, 10.0)  # the middle half of three: all
    assert (costs["b"].text, costs["b"].solved, costs["b"].runs) == ("≥ 6.50", 1, 2)


def test_families(tmp_path: Path) -> None:
    path = tmp_path / "ring.txt"
    path.write_text("__\n_#\n")
    assert read_family("open-2x3:1-4", Vocabulary({"ab", "ba", "aba", "bab"}), 9).sizes == (1,)
    assert read_family(f"{path}:2-7", PAIRS, 3).sizes == (2, 4, 7)
    ring = read_family(str(path), PAIRS, 3)
    assert (ring.name, len(ring.grid.slots)) == ("ring", 2)
    assert read_family("lattice-3x3", Vocabulary({"aba", "bab"}), 1).grid.rows[1] == "_#_"
    family = read_family("open-2x2:2-4", PAIRS, 2)
    samples = [family.instance(n, seed) for seed in (0, 1) for n in family.sizes]
    assert [(item.sample.words, item.sample.seed) for item in samples if item.sample] == [
        (2, 0), (4, 0), (2, 1), (4, 1)
    ]  # fmt: skip
    small, large = (set(item.puzzle.vocabulary) for item in samples[:2])
    assert small < large


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("open-1x5", "open-1x5 is out of range"),
        ("lattice-4x5", "an even side"),
        ("open-3x3", "the list has no words for open-3x3"),
        ("open-2x2:50-90", "at most 8 words of a length"),
        ("no/such.txt", "no such file"),
    ],
)
def test_families_that_cannot_be_used(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_family(text, PAIRS, 3)


def test_drawing_says_nothing_of_fonts() -> None:
    """Whoever draws a plot for the first time would read that a cache of fonts is being built."""
    with plots.drawing():
        assert not logging.getLogger("matplotlib.font_manager").isEnabledFor(logging.WARNING)


def test_the_axis_of_costs_fits_them(figures: list[Figure]) -> None:
    plots.draw_sweep([curve_of(record(2, 0, FILLED, 0.2), record(4, 0, FILLED, 3.0))])
    low, high = figures[-1].axes[0].get_ylim()
    assert 0.1 < low < 0.2
    assert 3.0 < high < 6.0


def test_one_command_resumes_and_draws(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("".join(f"{word}\n" for word in PAIRS))
    line = "bench sweep open-2x2:2-7 -w w.txt --backend backtrack --samples 1 -o s.jsonl --points"
    command, records = line.split(), tmp_path / "s.jsonl"
    first = run_as_text([*command, "2", "--page", "s.html"], tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    before = records.read_bytes()
    again = run_as_text([*command, "2", "--json"], tmp_path)
    assert again.returncode == 0
    [found] = json.loads(again.stdout)["curves"]
    assert [item["words"] for item in found["points"]] == [2, 7]
    assert [item.size["sample"] for item in read_records(str(records))] == [2, 7]
    assert records.read_bytes() == before  # the second call had nothing to do
    bisected = run_as_text([*command, "6", "--bisect", "--json"], tmp_path)
    assert bisected.returncode == 0
    assert len(json.loads(bisected.stdout)["curves"][0]["points"]) <= 3
    page = (tmp_path / "s.html").read_text()
    assert "half filled at" in page
    assert page.count("<svg") == 2
    assert 'id="probability-' in page
    assert 'id="cost-1-' in page
