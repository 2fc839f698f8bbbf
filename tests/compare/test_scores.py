"""Scores and statistics of made-up records, with figures simple enough to compute by hand."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from compare.made_up import run

from satcross.compare.commands.recorded_runs import ShownRun, run_table
from satcross.compare.records import Record, RunOutcome
from satcross.compare.scores import (
    VIRTUAL_BEST,
    Score,
    best_known_table,
    challenge_scores,
    coverage_lines,
    crashed_on_all,
    reasons,
    score_table,
    shares,
    standings,
)
from satcross.compare.statistics import (
    Statistics,
    cliques,
    rank_stability,
    rows,
    survival,
    wilcoxon,
    write_csv,
)
from satcross.compare.verdict import judge, mostly_failed

RUNS = [
    run("a", "p", 1),
    run("a", "q", 4),
    run("a", "r", 10.1, "unknown"),
    run("b", "p", 2),
    run("b", "q", 3, "crashed"),
    run("b", "r", 5),
]
DISAGREEMENT = "DISAGREEMENT on s.txt with w.txt: filled by a; unfillable by b"


def test_scores() -> None:
    assert standings(RUNS).scores() == [
        Score("a", 3, 2, 25 / 3, 4, 1, 2, 3, 2 / 3, None, 105 / 3, (1 + 16) / 3, 3),
        Score("b", 3, 2, 27 / 3, 5, 1, 1, 3, 2 / 3, None, 107 / 3, 15 / 3, 3, failed=1),
        Score(VIRTUAL_BEST, 3, 3, 10 / 3, 4, 0, 0, 3, 1, None, 10 / 3, None, 3),
    ]


def test_auto_takes_nothing_from_the_backends_that_it_runs() -> None:
    runs = [run("a", "p", 1), run("b", "p", 1, "unknown"), run("auto", "p", 1)]
    alone = {item.contender: item.alone for item in standings(runs).scores()}
    assert alone == {"a": 1, "auto": 0, "b": 0, VIRTUAL_BEST: 0}


CLOCK, LONG = (10.0, None), (100.0, 60.0)


def late(**more: int) -> Record:
    return run("a", "p", 10, "unknown", limits=CLOCK, **more)


@pytest.mark.parametrize(
    ("runs", "par2"),
    [
        ([run("a", "p", 1), run("a", "q", 1, "unknown")], [(1 + 20) / 2]),
        ([run("a", "p", 9), run("a", "p", 1)], [1]),  # the last of several runs counts
        # Limits of their own, but one penalty.
        ([run("a", "p", 10, "unknown"), run("b", "p", 50, limits=LONG)], [50, 120, 50]),
        # Two workers, or more threads than the limit assumes, use more than the clock's time.
        ([late(), run("b", "p", 19, limits=CLOCK, workers=2)], [19, 40, 19]),
        ([late(), run("b", "p", 70, limits=CLOCK)], [20, 70, 70]),
        # The penalty is what the contender may use.
        ([late(workers=8, processors=1)], [20]),
        ([late(workers=8, processors=8)], [160]),
        ([late(workers=2)], [40]),
    ],
)
def test_par2(runs: list[Record], par2: list[float]) -> None:
    """Of each contender, the best one first, and of the virtual best beside several."""
    assert [item.par2 for item in standings(runs).scores()] == par2


def test_on_the_clock_the_limit_is_that_of_the_clock() -> None:
    [first, *_] = standings(RUNS, "wall").scores()
    assert first.par2 == pytest.approx((2 + 8 + 200) / 3)


def test_only_what_all_have_run_counts() -> None:
    table = standings([*RUNS, run("a", "easy", 0.1)])
    assert (len(table.shared), table.unshared) == (3, 1)
    assert table.notes == ("Left out: 1 puzzle not run by all contenders (b: 3 of 4).",)
    assert table.scores() == standings(RUNS).scores()
    assert (table.superseded, standings([*RUNS, RUNS[0]]).superseded) == (0, 1)


def test_seeds_and_repeats_count_as_one_puzzle() -> None:
    runs = [
        *[run("a", "p", cpu, seed=seed) for seed, cpu in enumerate((1, 2, 9))],
        *[run("a", "q", 4, seed=0), run("a", "q", 10, "unknown", seed=1)],
        *[run("a", "q", 10, "unknown", seed=0, repeat=1)],
        *[run("b", item, 3) for item in "pq"],
    ]
    table = standings(runs)
    assert (len(table.shared), table.unshared, table.superseded) == (2, 0, 0)
    a = next(item for item in table.scores() if item.contender == "a")
    assert (a.puzzles, a.solved, a.par2) == (2, 1, (2 + 20) / 2)
    assert (a.runs, a.success, a.spread) == (6, 4 / 6, 9)
    # One of two is not more than half: unsolved, and it costs what an unsolved puzzle costs.
    [half] = standings([run("a", "p", 1), run("a", "p", 10, "unknown", seed=1)]).scores()
    assert (half.solved, half.median, half.par2, half.par10) == (0, None, 20, 100)
    # With more seeds for a contender, the puzzle is still shared.
    assert standings([*runs, run("a", "p", 1, seed=7)]).unshared == 0


def test_the_bare_word_of_a_liar_counts_for_nothing() -> None:
    """A program that prints UNSATISFIABLE and nothing else wins no table."""
    runs = [run("a_lie", key, 0.1, "unfillable") for key in "pqr"]
    runs += [run("a_lie", "s", 3), run("sat", "p", 2), run("sat", "s", 4)]
    runs += [run("sat", key, 10.1, "unknown") for key in "qr"]
    table = standings(runs)
    sat, lie, best = table.scores()
    assert (sat.contender, sat.solved, lie.solved) == ("sat", 2, 1)
    assert (lie.failed, lie.not_certified, best.par2) == (1, 2, sat.par2)
    assert reasons(table)["a_lie"] == {"not believed": 2, "wrong answer": 1}
    why = "on s.txt with w.txt it says that there is no fill, but sat has one"
    assert coverage_lines(table) == [f"a_lie is disqualified: {why}."]
    assert table.ranking() == ["sat"]
    assert r"a\_lie (disqualified) & 1/4 & 15.75 & 75.75 & --" in score_table(table).to_latex()
    # A proof and a fill are believed all the same; a fill in a run repeated later is remembered.
    proved = standings([*runs[:2], run("a_lie", "r", 1, "unfillable", verified=True), *runs[3:]])
    assert proved.scores()[1].solved == 2
    assert standings([*runs, run("sat", "p", 10, "unknown")]).disqualified.keys() == {"a_lie"}
    alone = standings(runs[:3], beside=runs[3:])
    assert (alone.scores()[0].solved, set(alone.disqualified)) == (0, {"a_lie"})


def test_no_fill_by_one_program_alone_is_unconfirmed() -> None:
    runs = [run("a", key, 1, "unfillable") for key in "pqs"]
    runs += [run("b", "p", 2, "unfillable"), run("b", "q", 10, "unknown")]
    runs += [run("b", "s", 10, "unknown", expected="unfillable")]
    table = standings(runs)
    counts = {score.contender: (score.solved, score.unconfirmed) for score in table.scores()}
    assert counts == {"a": (3, 1), "b": (1, 0), VIRTUAL_BEST: (3, 1)}
    assert "unconfirmed" in score_table(table).to_latex()
    assert "unconfirmed" not in score_table(standings(RUNS)).headings
    # Seeds of one program do not confirm each other.
    [score] = standings([run("a", "p", 1, "unfillable", seed=n) for n in (0, 1)]).scores()
    assert score.unconfirmed == 1


def test_a_claim_without_a_proof_is_refuted_all_the_same() -> None:
    """``--certify`` hides no liar."""
    runs = [run("a", "p", 1), run("b", "p", 1, "unknown", reason="no checked proof")]
    assert judge(runs).problems() == [DISAGREEMENT]
    assert standings(runs).disqualified.keys() == {"b"}


def test_an_answer_the_suite_does_not_expect() -> None:
    record = run("b", "p", 1, "unfillable", expected="filled", name="corner")
    assert standings([record]).scores()[0].solved == 0
    assert not judge([record]).agreement
    text = "UNEXPECTED ANSWER on corner: unfillable by b, but the suite expects filled"
    assert judge([record]).problems() == [text]
    assert judge([run("b", "p", 1, "unknown", expected="filled")]).agreement


def test_other_limits_make_another_contender_of_the_same_name() -> None:
    table = standings([run("a", "p", 11, limits=LONG), run("a", "p", 10, "unknown")])
    assert table.contenders == ("a (cpu 60 s)", "a (cpu 10 s)")
    assert "different limits (10 s to 60 s)" in " ".join(table.notes)


def test_why_runs_are_unsolved() -> None:
    runs = [
        *RUNS,
        run("a", "s", 1, "unfillable", expected="filled"),
        run("a", "t", 1, "unknown"),
        *[run("c", item, 1, "crashed", reason="crash", detail="no licence") for item in "pq"],
    ]
    table = standings(runs)
    assert reasons(table) == {
        "a": {"cpu limit": 2, "wrong answer": 1},
        "b": {"crashed": 1},
        "c": {"crash": 2},
    }
    assert crashed_on_all(table) == ["c CRASHED on everything (2): no licence"]


NOT_ASKED: dict[str, Any] = {"status": "unknown", "reason": "not asked"}


def test_not_asked_leaves_the_puzzle_out_for_that_contender() -> None:
    """Not an unsolved puzzle, and not one that the others lose either."""
    runs = [run(name, key, 2) for name in "ab" for key in "pqr"]
    runs += [run("c", "p", 1), *[run("c", key, 0, **NOT_ASKED) for key in "qr"]]
    table = standings(runs)
    assert (table.shared, table.common) == (("p", "q", "r"), ("p",))
    scores = {score.contender: score for score in table.scores()}
    assert (scores["c"].solved, scores["c"].puzzles, scores["c"].total) == (1, 1, 3)
    assert (scores["c"].par2, scores["a"].par2) == (1, 2)
    assert scores[VIRTUAL_BEST].par2 == pytest.approx((1 + 2 + 2) / 3)
    assert scores["c"].contribution == pytest.approx(1 / 3)
    assert [score.puzzles for score in table.scores(table.common)] == [1, 1, 1, 1]
    assert coverage_lines(table) == ["c was asked 1 of 3 puzzles: its figures are of these."]
    found = Statistics.of(table).tests
    [test] = [item for item in found if "c" in (item.contender, item.other)][:1]
    assert test.wins + test.losses == 1
    nothing = standings([run("a", "p", 1), run("b", "p", 0, **NOT_ASKED)])
    assert [score.contender for score in nothing.scores()] == ["a"]
    assert reasons(nothing)["b"] == {"not asked": 1}


@pytest.mark.parametrize(
    ("status", "reason", "outcome"),
    [
        ("filled", "", RunOutcome.ANSWERED),
        ("unfillable", "", RunOutcome.ANSWERED),
        ("unknown", "no checked proof", RunOutcome.NOT_CERTIFIED),
        ("unknown", "no model", RunOutcome.NOT_CERTIFIED),
        ("unknown", "not asked", RunOutcome.NOT_ASKED),
        ("unknown", "not available", RunOutcome.NOT_ASKED),
        ("crashed", "crash", RunOutcome.FAILED),
        ("crashed", "unreadable answer", RunOutcome.FAILED),
        ("wrong", "wrong fill", RunOutcome.FAILED),
        ("unknown", "memory limit", RunOutcome.OUT_OF_RESOURCES),
        ("unknown", "gave up", RunOutcome.OUT_OF_RESOURCES),
    ],
)
def test_each_run_counts_in_one_way(status: str, reason: str, outcome: RunOutcome) -> None:
    record = run("a", "p", 1, status, reason=reason)
    assert record.outcome is outcome
    other = "unfillable" if record.says == "unfillable" else "filled"
    table = standings([record, run("b", "p", 1, other)])
    [*_, score] = sorted(table.scores(), key=lambda score: score.contender == "a")
    if outcome is RunOutcome.NOT_ASKED:
        assert "a" not in {item.contender for item in table.scores()}
    else:
        assert score.par2 == (1 if outcome is RunOutcome.ANSWERED else 20)
        assert score.failed == (outcome is RunOutcome.FAILED)
        assert score.not_certified == (outcome is RunOutcome.NOT_CERTIFIED)


def test_two_machines_in_a_file_are_kept_apart() -> None:
    """The same contender on another machine or in another version is somebody else."""
    other = {"platform": "Linux", "cpus": 64}
    runs = [run("a", "p", 2), run("a", "p", 1, machine=other), run("b", "p", 3, machine=other)]
    table = standings(runs)
    assert len(table.contenders) == 3
    assert sum("(on Linux, 64 processors)" in name for name in table.contenders) == 2
    assert any("2 kinds of machines, which are kept apart" in text for text in table.notes)
    found = Statistics.of(table)
    assert len(found.tests) == 1  # a and b on the larger machine
    [note] = found.test_notes
    assert (note.count(" / "), "different machines" in note) == (2, True)
    assert not found.ranks
    versions = standings([run("a", "p", 2, versions={"satcross": item}) for item in ("1", "2")])
    assert versions.contenders == ("a (satcross 1)", "a (satcross 2)")
    # A program that says its version is not of another version than one that does not.
    programs = [run(name, "p", 1, program_version=name[1:]) for name in ("b", "c1.0")]
    programs = [replace(record, kind="program") for record in programs]
    assert standings([run("a", "p", 1), *programs]).notes == ()


def test_runs_that_the_clock_has_ended_before_their_cpu_limit() -> None:
    clock = run("a", "p", 4, "unknown", reason="time limit")
    [note] = standings([clock, run("a", "q", 3)]).notes
    assert note.startswith("Ended by the clock before the CPU limit: 1 run, which cost 2 times")
    assert standings([clock], "wall").notes == ()


def test_a_loaded_machine_is_mentioned_and_refused() -> None:
    runs = [run("a", key, 2, load=0.1, machine={"cpus": 2}) for key in "pq"]
    runs += [run("b", key, 3, load=7.0, machine={"cpus": 2}) for key in "pq"]
    table = standings(runs)
    refused, loaded = Statistics.of(table).test_notes
    assert "the load of the machine differed (0.1 and 7.0)" in refused
    assert loaded.startswith("2 of 4 runs began while more processes were running")


def test_most_runs_failing_is_no_success() -> None:
    """As in a bench of which 23 of 27 runs had failed."""
    runs = [run("a", str(n), 1, "filled" if n < 4 else "crashed") for n in range(27)]
    assert mostly_failed(runs) == "MOST RUNS FAILED: 23 of 27, as a."
    assert mostly_failed(runs[:8]) == ""


def test_start_up_can_be_subtracted() -> None:
    """Two programs that differ in 10 ms of start-up alone do not differ without it."""
    runs = [run("a", key, 0.11 + n) for n, key in enumerate("pqr")]
    runs += [run("b", key, 0.10 + n) for n, key in enumerate("pqr")]
    assert standings(runs).ranking() == ["b", "a"]
    scores = standings(runs, start_up=False).scores()
    assert [score.par2 for score in scores] == pytest.approx([1.0, 1.0, 1.0])


def test_families() -> None:
    runs = (("p", 1, "x"), ("q", 3, "y"), ("r", 5, "x"))
    table = standings([run("a", key, cpu, family=family) for key, cpu, family in runs])
    assert table.families() == {"x": ("p", "r"), "y": ("q",)}
    assert [table.scores(keys)[0].par2 for keys in table.families().values()] == [3, 3]


# Paired tests against numbers from the literature, ranks, survival, and tables of runs


def numbered(contender: str, puzzle: int, cpu: float, status: str = "filled") -> Record:
    limits = (None, 10.0)
    return run(contender, f"p{puzzle}", cpu, status, limits=limits, seconds={"load": 0.5})


def test_wilcoxon_is_that_of_the_tables() -> None:
    # The smallest p-values of n different sizes are 2 / 2^n.
    assert wilcoxon([1, 2, 3, 4, 5, 6]) == 2 / 64
    assert wilcoxon([-1, 2, 3, 4, 5, 6]) == 4 / 64
    assert wilcoxon([]) == wilcoxon([-1, 1]) == 1


def test_all_pairs_with_correction() -> None:
    records = [
        numbered(name, puzzle, factor * (1 + puzzle / 10))
        for name, factor in (("a", 1.0), ("b", 3.0), ("c", 3.0))
        for puzzle in range(8)
    ]
    records += [numbered(name, 9, 10, "unknown") for name in "abc"]
    found = Statistics.of(standings(records)).tests
    tests = {(item.contender, item.other): item for item in found}
    assert set(tests) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert (tests["a", "b"].wins, tests["a", "b"].losses) == (8, 0)
    assert tests["a", "b"].p == 2 / 256
    assert tests["a", "b"].corrected == tests["a", "c"].corrected == 3 * 2 / 256
    assert tests["a", "c"].significant
    assert tests["a", "b"].ratio is not None
    assert tests["a", "b"].ratio.ratio == pytest.approx(1 / 3)
    assert tests["a", "b"].min_p == 2 / 256
    near, *_ = Statistics.of(standings(records), 3.1).tests
    assert (near.contender, near.other) == ("a", "b")
    assert (near.significant, near.judgement) == (False, "not significant: within a factor of 3.1")
    assert (tests["b", "c"].p, tests["b", "c"].significant) == (1, False)


def test_runs_as_a_table() -> None:
    stream = StringIO(newline="")
    write_csv(stream, [numbered("a", 1, 2.5), numbered("b", 1, 10, "unknown")])
    first, second = csv.DictReader(StringIO(stream.getvalue()))
    assert (first["contender"], first["cpu"], first["seconds.load"]) == ("a", "2.5", "0.5")
    seen = [second[name] for name in ("status", "limits.cpu", "limits.wall")]
    assert seen == ["unknown", "10.0", ""]
    more = replace(
        numbered("a", 1, 2.5), trace=((0.5, 7), (2.0, 9)), cores=(0, 1), fill=("AB", "CD")
    )
    row = rows([more])[0]
    assert row["limits.wall"] is None
    assert (row["trace"], row["cores"], row["fill"]) == ("0.5:7/2.0:9", "0/1", "AB/CD")


@pytest.mark.parametrize("status", ["unknown", "crashed"])
def test_what_is_not_solved_is_unsolved_until_the_limit(status: str) -> None:
    """Of five puzzles one crashes or is given up after 2 s: the others look no better for it."""
    records = [numbered("a", puzzle, cpu) for puzzle, cpu in enumerate((1.0, 2.0, 4.0, 5.0))]
    records.append(numbered("a", 9, 2.0, status))
    steps = survival(standings(records).results["a"].values(), "cpu")
    assert [time for time, _ in steps] == [0, 1, 2, 4, 5]
    assert [share for _, share in steps] == pytest.approx([1, 4 / 5, 3 / 5, 2 / 5, 1 / 5])
    # Runs with a lower limit are censored there: nobody knows what would have come.
    records[-1] = replace(records[-1], limits={"wall": None, "cpu": 3.0, "memory": None})
    both = (standings(some).results["a"] for some in (records[:4], records[4:]))
    steps = survival([result for row in both for result in row.values()], "cpu")
    assert [share for _, share in steps] == pytest.approx([1, 4 / 5, 3 / 5, 3 / 10, 0])


def test_ranks_are_stable_where_one_always_wins() -> None:
    records = [
        numbered(name, p, cpu) for p in range(6) for name, cpu in (("a", 1), ("b", 2), ("c", 2))
    ]
    ranks = {item.contender: item for item in rank_stability(standings(records))}
    assert [(ranks[name].low, ranks[name].high) for name in "abc"] == [(1, 1), (2, 2), (2, 2)]
    assert [ranks[name].mean_rank for name in "abc"] == [1, 2.5, 2.5]
    assert [ranks[name].rank for name in "abc"] == [1, 2, 2]
    assert ranks["a"].first == 1
    assert rank_stability(standings([])) == []


def test_ranks_are_unstable_where_puzzles_decide() -> None:
    records = [numbered("a", p, 1 + p % 2 * 4) for p in range(8)]
    records += [numbered("b", p, 5 - p % 2 * 4) for p in range(8)]
    first, second = rank_stability(standings(records))
    assert (first.low, first.high, second.low, second.high) == (1, 2, 1, 2)
    assert first.first + second.first == pytest.approx(1)
    assert 0.3 < first.first < 0.7


def test_bars_join_what_does_not_differ() -> None:
    costs = (("a", 1.0), ("b", 3.0), ("c", 3.0), ("d", 9.0))
    records = [numbered(name, p, cost + p / 100) for name, cost in costs for p in range(9)]
    found = Statistics.of(standings(records))
    assert cliques(found.ranks, found.tests) == [("b", "c")]


# Runs that look for the best fill


def best(contender: str, puzzle: str, cpu: float, score: int, **more: Any) -> Record:
    trace = more.pop("trace", ((cpu, score),))
    return run(contender, puzzle, cpu, goal="total", score=score, trace=trace, **more)


def test_a_false_optimum_is_caught_by_any_better_fill() -> None:
    records = [
        best("a", "p", 1, 17, claim=True, bound=17),
        best("b", "p", 5, 19, bound=30),
        best("c", "p", 5, 12, bound=18),
        best("d", "p", 5, 19, claim=True, bound=19),
    ]
    verdict = judge(records)
    assert not verdict.agreement
    assert "bound 18" in judge([best("a", "p", 1, 19, bound=18)]).problems()[0]  # below its own
    assert verdict.problems() == [
        "FALSE OPTIMUM of s.txt with w.txt by a: it claims that 17 is the best, but b has 19",
        "FALSE OPTIMUM of s.txt with w.txt by c: it claims the bound 18, but b has 19",
    ]
    outcomes = {name: row["p"].runs[0].outcome for name, row in standings(records).results.items()}
    assert outcomes == {
        "a": RunOutcome.FAILED,
        "b": RunOutcome.OUT_OF_RESOURCES,
        "c": RunOutcome.FAILED,
        "d": RunOutcome.ANSWERED,
    }
    [row] = best_known_table(standings(records)).cells
    assert row[1:5] == ["b, d", "19", "19", "yes"]
    assert judge(records[1::2]).agreement
    cells = run_table([ShownRun("p", record.contender, record) for record in records]).cells
    assert [row[3:6] for row in cells[1::2]] == [["19", "30", "no"], ["19", "19", "yes"]]
    assert "score" not in run_table([ShownRun("p", "a", run("a", "p", 1))]).headings


def test_scores_by_quality() -> None:
    records = [
        best("a", "p", 1, 10),
        best("b", "p", 3, 10),  # as good, three times as slow
        best("a", "q", 1, 8, trace=((0.5, 4), (1.0, 8))),
        best("b", "q", 2, 9),
        best("a", "r", 1, 7, claim=True),
        best("b", "r", 1, 7),
    ]
    table = standings([*records, best("b", "s", 1, 7, reason="time limit")])
    assert reasons(table)["b"] == {"not proved optimal": 4}  # not "wrong answer"
    assert table.disqualified == {}
    table = standings(records)
    assert challenge_scores(table, table.shared) == {"a": 1.75, "b": 1.25}
    assert "challenge" in score_table(table).headings
    assert "challenge" not in score_table(standings([run("a", "p", 1)])).headings
    steps = shares(table, "a", ("q",))
    assert steps == [(0, 0), (0.5, pytest.approx(4 / 9)), (1, pytest.approx(8 / 9))]
