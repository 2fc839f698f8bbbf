"""``satcross bench`` and ``bench report`` as somebody at a shell sees them."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from compare import made_up
from compare.made_up import FAKE, shell
from helpers import ROOT, started, until

from satcross.cli import BAD_INPUT, FILLED, INTERNAL_ERROR
from satcross.compare import plots
from satcross.compare.records import Record, read_records
from satcross.compare.report_page import render
from satcross.compare.scores import standings
from satcross.compare.verdict import judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUITE = """suite = 1
title = "small"
[[puzzle]]
name = "ring"
family = "rings"
structure = "s.txt"
words = ["w.txt"]
expected = "filled"
[[puzzle]]
name = "square"
family = "squares"
structure = "t.txt"
words = ["w.txt"]
expected = "unfillable"
"""


XLINK = "{http://www.w3.org/1999/xlink}href"


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "suite.toml").write_text(SUITE)
    return folder


def run(folder: Path, line: str, *more: str, **variables: Any) -> subprocess.CompletedProcess[str]:
    return shell(folder, f"bench {line}", *more, **variables)


def test_killed_and_begun_again(folder: Path) -> None:
    # The external solver waits for a file, so that the first call surely is in the middle.
    line, gate = "suite.toml --puzzle ring --backend backtrack -o r.jsonl", f"{FAKE} gate {{cnf}}"
    arguments, file = (line, "--external", gate), folder / "r.jsonl"
    with started(folder, "bench", *line.split(), *arguments[1:]):
        until(lambda: file.exists() and b"\n" in file.read_bytes(), "a line")
        second = run(folder, *arguments)
        assert second.returncode == BAD_INPUT
        assert "r.jsonl: another process is appending runs to this file" in second.stderr
    before = file.read_bytes()
    assert before.count(b"\n") == 1
    file.write_bytes(before + before[:100])  # as if it had been killed while writing
    (folder / "gate").touch()
    assert run(folder, *arguments).returncode == FILLED
    finished = file.read_bytes()
    assert finished.startswith(before)
    records = list(read_records(str(file)))
    assert [record.status for record in records] == ["filled", "filled"]
    assert len({record.key for record in records}) == 2
    # Now there is nothing left to do.
    third = run(folder, *arguments)
    assert third.returncode == FILLED
    assert "No answer is wrong: 2 runs, 2 with an answer, on 1 puzzle." in third.stdout
    assert file.read_bytes() == finished


def test_a_part_of_the_suite(folder: Path) -> None:
    line = "suite.toml -o r.jsonl --family squares --family rings --puzzle ring --seeds 2"
    result = run(folder, f"{line} --backend backtrack --json")
    data = json.loads(result.stdout)
    assert (result.returncode, data["planned"], data["done"], data["agreement"]) == (0, 2, 2, True)
    record, other = read_records(str(folder / "r.jsonl"))
    assert (record.seed, other.seed) == (0, 1)
    assert (record.name, record.family, record.expected) == ("ring", "rings", "filled")
    assert record.call.startswith(f"satcross bench {line}")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", record.started)
    size = {"slots": 4, "cells": 8, "words": 4, "candidates": 16, "consistent": 8}
    assert record.size == size
    assert {"cpus", "platform", "kernel"} <= set(record.machine)
    assert record.processors == record.workers == 1


def test_repeats_beside_another_satcross(folder: Path) -> None:
    line = "suite.toml -o r.jsonl --backend backtrack --repeat 2 --puzzle ring --json"
    result = run(folder, line, "--against", f"here={ROOT}")
    assert (result.returncode, result.stderr) == (FILLED, "")
    records = list(read_records(str(folder / "r.jsonl")))
    own, other = "backtrack", "backtrack@here"
    assert [(item.contender, item.repeat) for item in records] == [
        (own, 0), (other, 0), (other, 1), (own, 1)
    ]  # fmt: skip
    data = json.loads(result.stdout)
    assert [(item["puzzles"], item["runs"]) for item in data["scores"]] == [(1, 2)] * 3
    [change] = data["changes"]
    assert (change["contender"], change["baseline"], change["repeats"]) == (own, other, 2)
    assert change["judgement"] == "too few puzzles"
    report = run(folder, "report r.jsonl").stdout
    assert re.search(r"^backtrack +backtrack@here +\d", report, re.MULTILINE)
    assert "fewer than 5 repeats" in report


def test_an_unexpected_answer(folder: Path) -> None:
    (folder / "suite.toml").write_text(SUITE.replace('"filled"', '"unfillable"'))
    result = run(folder, "suite.toml --puzzle ring -o r.jsonl --backend backtrack")
    assert result.returncode == INTERNAL_ERROR
    assert "UNEXPECTED ANSWER on ring: filled by backtrack" in result.stdout
    # The records say what was expected then; a suite that has been put right comes first.
    assert run(folder, "report r.jsonl").returncode == INTERNAL_ERROR
    (folder / "suite.toml").write_text(SUITE)
    assert run(folder, "report r.jsonl --suite suite.toml").returncode == FILLED


def test_what_crashed_is_done_again_when_asked(folder: Path) -> None:
    # It reads from the file "answer": the program and its command line stay the same.
    script = folder / "solver"
    script.write_text(f"#!/bin/sh\nexec {FAKE} $(cat answer) $1\n")
    script.chmod(0o755)
    (folder / "answer").write_text("crash")
    line = "suite.toml -o r.jsonl --puzzle ring --backend none"
    arguments = (line, "--external", "./solver {cnf}")
    first = run(folder, *arguments)
    assert "crashed in an earlier call" not in first.stdout
    name = "solver CRASHED on everything (1): ended by SIGSEGV"
    assert name in first.stdout
    assert "solver: 1 crash\n" in first.stdout
    assert name in run(folder, "report r.jsonl").stdout
    (folder / "answer").write_text("solve")
    second = run(folder, *arguments)
    assert "1 run crashed in an earlier call, not repeated; use --retry." in second.stdout
    third = run(folder, *arguments, "--retry")
    assert "1 run, 1 with an answer" in third.stdout
    assert [item.status for item in read_records(str(folder / "r.jsonl"))] == ["crashed", "filled"]
    assert run(folder, *arguments, "--retry").stdout == third.stdout


def test_what_was_not_available_is_tried_again(folder: Path) -> None:
    plant = folder / "plant"
    plant.mkdir()
    (plant / "sitecustomize.py").write_text("import sys; sys.modules['pysat'] = None\n")
    line = "suite.toml -o r.jsonl --puzzle ring --backend sat"
    for _ in range(2):
        run(folder, line, PYTHONPATH=str(plant))
        [record] = read_records(str(folder / "r.jsonl"))
        assert record.reason == "not available"
    run(folder, line)
    records = read_records(str(folder / "r.jsonl"))
    assert [item.status for item in records] == ["unknown", "filled"]


def test_answers_of_earlier_calls_are_judged(folder: Path) -> None:
    (folder / "suite.toml").write_text(SUITE.replace('expected = "filled"\n', "", 1))
    line = "suite.toml -o r.jsonl --puzzle ring --backend"
    assert run(folder, f"{line} none", "--external", f"{FAKE} lie {{cnf}}").returncode == FILLED
    result = run(folder, f"{line} backtrack")
    assert result.returncode == INTERNAL_ERROR
    assert "DISAGREEMENT on ring: filled by backtrack; unfillable by " in result.stdout


def elements(page: str) -> list[ElementTree.Element]:
    """The elements of a page, whose tags must match; those without an end are written for XML."""
    text = re.sub("<(meta |link )([^>]*)>", r"<\1\2/>", page)
    return list(ElementTree.fromstring(text.replace("<details open>", "<details>")).iter())


def words(page: str) -> str:
    return "".join(elements(page)[0].itertext())


def ten_puzzles(factor: float = 1.0) -> Iterator[Record]:
    """The runs of two contenders; ``b`` can't solve the last two."""
    for number in range(10):
        more: dict[str, Any] = {"name": f"<{number}&>", "family": ("even", "odd")[number % 2]}
        more["limits"] = (20.0, None)
        for contender, seconds in (("a", 1.0 + number), ("b", factor * (0.5 + number))):
            if contender == "b" and number >= 8:
                more |= {"status": "unknown", "reason": "time limit"}
            yield made_up.run(contender, str(number), seconds, wall=seconds, **more)


REPORT = "report new.jsonl --baseline old.jsonl --tests"


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with all that ``bench report`` writes, and what it prints."""
    folder = tmp_path_factory.mktemp("report")
    for name, factor in (("old", 1.0), ("new", 2.5)):
        lines = (f"{record.to_line()}\n" for record in ten_puzzles(factor))
        (folder / f"{name}.jsonl").write_text("".join(lines))
    more = "--scatter b,a -o r.html --plots plots --csv runs.csv --latex s.tex"
    result = run(folder, f"{REPORT} {more}")
    assert (result.returncode, result.stderr) == (FILLED, "")
    return folder, result.stdout


def test_what_the_report_prints(reported: tuple[Path, str]) -> None:
    folder, printed = reported
    lines = [line.split() for line in printed.splitlines()]
    assert lines[2:5] == [
        ["a", "10/10", "5.50", "5.50", "5.50", "2", "10"],
        ["b", "8/10", "16.00", "48.00", "12.50", "0", "0"],
        ["virtual", "best", "10/10", "5.50", "5.50", "5.50"],
    ]
    for pattern in (
        "b +b +8 +1 +2.500 +2.500 to 2.500 +2.000 +slower +0 +0",
        "b: only a change by more than a factor of 2 counts, because the records have no times.",
        "b +2.00 +2 +2 to 2 +0%",
        "a +b +10 +0 +0.* +0.00195 +0.00195 +0.00195 +not significant: within a factor of 2",
    ):
        assert re.search(f"^{pattern}$", printed, re.MULTILINE), pattern
    data = json.loads(run(folder, f"{REPORT} --json").stdout)
    assert data["scores"][0]["contender"] == "a"
    assert [item["judgement"] for item in data["changes"]] == ["no clear change", "slower"]
    [test] = data["tests"]
    assert test["corrected"] == test["p"]


def test_what_the_report_writes(reported: tuple[Path, str]) -> None:
    folder, _ = reported
    page = (folder / "r.html").read_text()
    parts = elements(page)
    names = [each.get("id") for each in parts if each.get("id")]
    assert len(set(names)) == len(names)
    links = [each.get(name, "#") for each in parts for name in ("src", "href", XLINK)]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert sum(each.tag.endswith("}svg") for each in parts) == 4
    for text in ("16.00", "<0&>", "over 20 s of wall-clock time"):
        assert text in words(page)
    assert sorted(item.name for item in (folder / "plots").iterdir()) == [
        f"{name}.{ending}"
        for name in ("cactus", "critical-difference", "scatter-1", "survival")
        for ending in ("png", "svg")
    ]
    assert ">b: CPU seconds<" in (folder / "plots" / "scatter-1.svg").read_text()
    assert "a & 10/10 &" in (folder / "s.tex").read_text()
    header, *lines = (folder / "runs.csv").read_text().splitlines()
    assert {"contender", "cpu", "limits.wall"} <= set(header.split(","))
    assert len(lines) == 20


def test_equal_figures_are_equal_files() -> None:
    with plots.drawing():
        first, second = (plots.to_plot(plots.new_axes(2, 2)[0], "a", "A") for _ in range(2))
    assert (first.svg, first.png()) == (second.svg, second.png())


def ticks(axis: Any) -> list[float]:
    low, high = axis.get_view_interval()
    seen = [place for place in axis.get_majorticklocs() if low <= place <= high]
    return list(map(float, axis.get_major_formatter().format_ticks(seen)))


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_plots_of_times_within_a_decade(figures: list[Figure], scale: str) -> None:
    runs = (
        made_up.run(who, str(n), 0.3 + n / 50, limits=(None, None))
        for n in range(8)
        for who in "ab"
    )
    plots.draw(standings(runs), scale)
    [axes] = figures[0].axes
    assert sum(0 < item < 1 for item in ticks(axes.yaxis)) >= 2
    assert max(ticks(axes.xaxis)) == 8
    assert axes.get_xlabel() == "puzzles solved, of 8"


def test_the_page_names_what_is_wrong_and_the_limit_that_was_passed() -> None:
    reasons = ("time limit", "cpu limit", "memory limit")
    runs = [made_up.run("a", why, 1, "unknown", reason=why, limits=(30.0, 10.0)) for why in reasons]
    runs += [made_up.run("liar", why, 1, "wrong", limits=(30.0, 10.0)) for why in reasons]
    runs += [made_up.run("c", "memory limit", 1, "crashed", detail="no licence")]
    [problem] = judge(runs).problems()
    page = render("A title", standings(runs), [problem], None, statistics=None, changes=None)
    assert page.index('class="bad"') < page.index(problem) < page.index("<table>")
    seen = words(page)
    for text in ("over 30 s of wall-clock time", "over 10 s of CPU time", "wrong: wrong"):
        assert seen.count(text) == (3 if "wrong" in text else 1)
    assert "memory limit" in seen
    assert "c CRASHED on everything (1): no licence" in seen
    assert "Plots need matplotlib" in seen
