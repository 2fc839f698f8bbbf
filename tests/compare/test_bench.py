"""``satcross bench`` and ``bench report`` as somebody at a shell sees them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from compare import made_up
from compare.made_up import FAKE, shell
from helpers import ROOT, killed_at_end, until

from satcross.cli import BAD_INPUT, FILLED, INTERNAL_ERROR
from satcross.compare.records import Record, read_records

SUITE = """suite = 1
title = "small"
[[puzzle]]
name = "ring"
family = "rings"
structure = "s.txt"
words = ["w.txt"]
expected = "filled"
[[puzzle]]
name = "spoiled"
family = "rings"
structure = "s.txt"
words = ["w.txt"]
locks = { 1A = "tod" }
expected = "unfillable"
[[puzzle]]
name = "square"
family = "squares"
structure = "t.txt"
words = ["w.txt"]
expected = "unfillable"
"""


XLINK = "{http://www.w3.org/1999/xlink}href"


@pytest.fixture(autouse=True)
def suite(folder: Path) -> Path:
    (folder / "suite.toml").write_text(SUITE)
    return folder / "suite.toml"


def run(folder: Path, line: str, *more: str, **variables: Any) -> subprocess.CompletedProcess[str]:
    return shell(folder, f"bench {line}", *more, **variables)


def answers(path: Path) -> dict[tuple[object, ...], str]:
    """Status by key; no run may be in the file twice."""
    records = list(read_records(str(path)))
    found = {record.key: record.status for record in records}
    assert len(found) == len(records)
    return found


def test_killed_and_begun_again(folder: Path) -> None:
    # The external solver waits for a file, so that the first call surely is in the middle.
    line, gate = "suite.toml --backend backtrack", ("--external", f"{FAKE} gate {{cnf}}")
    killed = folder / "killed.jsonl"
    command = [sys.executable, "-m", "satcross", "bench", *line.split(), *gate, "-o", str(killed)]
    with (
        subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process,
        killed_at_end(process),
    ):
        until(lambda: killed.exists() and b"\n" in killed.read_bytes(), "a line")
        second = run(folder, f"{line} -o killed.jsonl", *gate)
        assert second.returncode == BAD_INPUT
        assert "killed.jsonl: another process is appending runs to this file" in second.stderr
    before = killed.read_bytes()
    assert before.count(b"\n") == 1
    killed.write_bytes(before + before[:100])  # as if it had been killed while writing
    (folder / "gate").touch()
    for name in ("killed", "whole"):
        assert run(folder, f"{line} -o {name}.jsonl", *gate).returncode == FILLED
    assert killed.read_bytes().startswith(before)
    assert answers(killed) == answers(folder / "whole.jsonl")
    assert len(answers(killed)) == 6
    # Now there is nothing left to do.
    finished = killed.read_bytes()
    third = run(folder, f"{line} -o killed.jsonl", *gate)
    assert third.returncode == FILLED
    assert "No answer is wrong: 6 runs, 6 with an answer, on 3 puzzles." in third.stdout
    assert killed.read_bytes() == finished


def test_a_part_of_the_suite(folder: Path) -> None:
    line = "suite.toml -o r.jsonl --family squares --family rings --puzzle ring"
    result = run(folder, f"{line} --backend backtrack --json")
    data = json.loads(result.stdout)
    assert (result.returncode, data["planned"], data["done"], data["agreement"]) == (0, 1, 1, True)
    [record] = read_records(str(folder / "r.jsonl"))
    assert (record.name, record.family, record.expected) == ("ring", "rings", "filled")
    assert record.call.startswith(f"satcross bench {line}")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", record.started)
    size = {"slots": 4, "cells": 8, "words": 4, "candidates": 16, "consistent": 8}
    assert record.size == size
    assert {"cpus", "platform", "kernel"} <= set(record.machine)
    assert record.processors == record.workers == 1


def test_repeats_and_seeds_beside_another_satcross(folder: Path) -> None:
    line = "suite.toml -o r.jsonl --backend backtrack --repeat 2 --seeds 2 --puzzle ring --json"
    result = run(folder, line, "--against", f"here={ROOT}")
    assert (result.returncode, result.stderr) == (FILLED, "")
    records = list(read_records(str(folder / "r.jsonl")))
    own, other = "backtrack", "backtrack@here"
    assert [record.contender for record in records] == [own, other] * 2 + [other, own] * 2
    assert {(item.seed, item.repeat) for item in records} == {(0, 0), (1, 0), (0, 1), (1, 1)}
    data = json.loads(result.stdout)
    assert [(item["puzzles"], item["runs"]) for item in data["scores"]] == [(1, 4)] * 3
    [change] = data["changes"]
    assert (change["contender"], change["baseline"], change["repeats"]) == (own, other, 2)
    assert change["judgement"] == "too few puzzles"
    report = run(folder, "report r.jsonl -o r.html").stdout
    assert "1 puzzle, CPU seconds" in report
    assert re.search(r"^backtrack +backtrack@here +\d", report, re.MULTILINE)
    assert "fewer than 5 repeats" in report
    assert "backtrack@here" in words(folder / "r.html")


def test_an_unexpected_answer(folder: Path) -> None:
    (folder / "suite.toml").write_text(SUITE.replace('"filled"', '"unfillable"'))
    result = run(folder, "suite.toml -o r.jsonl --backend backtrack")
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
    report = run(folder, "report r.jsonl -o r.html")
    assert name in report.stdout
    assert name in (folder / "r.html").read_text()
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
    (plant / "sitecustomize.py").write_text("import sys; sys.modules['ortools'] = None\n")
    line = "suite.toml -o r.jsonl --puzzle ring --backend cpsat"
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


def elements(path: Path) -> list[ElementTree.Element]:
    """The elements of a page, whose tags must match; those without an end are written for XML."""
    text = re.sub("<(meta |link )([^>]*)>", r"<\1\2/>", path.read_text())
    return list(ElementTree.fromstring(text.replace("<details open>", "<details>")).iter())


def words(path: Path) -> str:
    return "".join(elements(path)[0].itertext())


def write(path: Path, records: Iterable[Record]) -> None:
    path.write_text("".join(f"{record.to_line()}\n" for record in records))


def ten_puzzles(factor: float = 1.0) -> Iterator[Record]:
    """The runs of two contenders; ``b`` can't solve the last two."""
    for number in range(10):
        more: dict[str, Any] = {"name": f"<{number}&>", "family": ("even", "odd")[number % 2]}
        more["limits"] = {"wall": 20.0, "cpu": None, "memory": None}
        for contender, seconds in (("a", 1.0 + number), ("b", factor * (0.5 + number))):
            if contender == "b" and number >= 8:
                more |= {"status": "unknown", "reason": "time limit"}
            yield made_up.run(contender, str(number), seconds, wall=seconds, **more)


def test_the_report(folder: Path) -> None:
    write(folder / "old.jsonl", ten_puzzles())
    write(folder / "new.jsonl", ten_puzzles(2.5))
    line = "report new.jsonl --baseline old.jsonl"
    result = run(folder, f"{line} -o r.html --plots plots")
    assert (result.returncode, result.stderr) == (FILLED, "")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[2:5] == [
        ["a", "10/10", "5.50", "5.50", "5.50", "2", "10"],
        ["b", "8/10", "16.00", "48.00", "12.50", "0", "0"],
        ["virtual", "best", "10/10", "5.50", "5.50", "5.50"],
    ]
    assert re.search(
        r"^b +b +8 +1 +2\.500 +2\.500 to 2\.500 +2\.000 +slower +0 +0$", result.stdout, re.M
    )
    reason = "only a change by more than a factor of 2 counts, because the records have no times"
    assert f"b: {reason}." in result.stdout
    page = elements(folder / "r.html")
    names = [each.get("id") for each in page if each.get("id")]
    assert len(set(names)) == len(names)
    links = [each.get(name, "#") for each in page for name in ("src", "href", XLINK)]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert sum(each.tag.endswith("}svg") for each in page) == 3
    for text in ("16.00", "<0&>", "over 20 s of wall-clock time"):
        assert text in words(folder / "r.html")
    assert sorted(item.name for item in (folder / "plots").iterdir()) == [
        f"{name}.{ending}"
        for name in ("cactus", "scatter-1", "survival")
        for ending in ("png", "svg")
    ]
    run(folder, f"{line} -o again.html")
    assert (folder / "again.html").read_text() == (folder / "r.html").read_text()
    data = json.loads(run(folder, f"{line} --json").stdout)
    assert data["scores"][0]["contender"] == "a"
    assert [item["judgement"] for item in data["changes"]] == ["no clear change", "slower"]


def test_tests_of_pairs_and_a_table_of_runs(folder: Path) -> None:
    write(folder / "r.jsonl", ten_puzzles())
    more = "--csv runs.csv --latex s.tex --plots plots --scatter b,a"
    result = run(folder, f"report r.jsonl --tests {more}")
    assert (result.returncode, result.stderr) == (FILLED, "")
    assert re.search(r"^b +1\.\d+ +[12] +1 to 2 ", result.stdout, re.MULTILINE)
    assert "a & 10/10 &" in (folder / "s.tex").read_text()
    assert ">b: CPU seconds<" in (folder / "plots" / "scatter-1.svg").read_text()
    assert (folder / "plots" / "critical-difference.svg").exists()
    assert run(folder, "report r.jsonl --scatter a").returncode == BAD_INPUT
    assert re.search("^(b +a +8 +2|a +b +2 +8) ", result.stdout, re.MULTILINE)
    header, *lines = (folder / "runs.csv").read_text().splitlines()
    assert {"contender", "cpu", "limits.wall"} <= set(header.split(","))
    assert len(lines) == 20
    [test] = json.loads(run(folder, "report r.jsonl --tests --json").stdout)["tests"]
    assert test["corrected"] == test["p"]
    before = (folder / "r.jsonl").read_bytes()
    assert run(folder, "report r.jsonl --csv r.jsonl").returncode == BAD_INPUT
    assert (folder / "r.jsonl").read_bytes() == before


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_plots_of_times_within_a_decade(folder: Path, scale: str) -> None:
    runs = (made_up.run(who, str(n), 0.3 + n / 50, limits={}) for n in range(8) for who in "ab")
    write(folder / "r.jsonl", runs)
    result = run(folder, f"report r.jsonl --plots plots --scale {scale}")
    assert (result.returncode, result.stderr) == (FILLED, "")
    texts = re.findall(r">([^<>]*)</text>", (folder / "plots" / "cactus.svg").read_text())
    numbers = [float(text) for text in texts if re.fullmatch(r"[\d.]+", text)]
    assert sum(0 < item < 1 for item in numbers) >= 2
    assert max(numbers) == 8
    assert "puzzles solved, of 8" in texts


def test_the_page_names_the_limit_that_was_passed(folder: Path) -> None:
    limits = {"wall": 30.0, "cpu": 10.0, "memory": None}
    reasons = ("time limit", "cpu limit", "memory limit")
    runs = (made_up.run("a", why, 1, "unknown", reason=why, limits=limits) for why in reasons)
    write(folder / "runs.jsonl", runs)
    assert run(folder, "report runs.jsonl -o r.html").returncode == FILLED
    for text in ("over 30 s of wall-clock time", "over 10 s of CPU time"):
        assert words(folder / "r.html").count(text) == 1
    assert "memory limit" in words(folder / "r.html")


def test_a_planted_wrong_backend_is_at_the_top_of_the_report(folder: Path) -> None:
    line = "suite.toml --puzzle ring --backend backtrack,denier,liar -o runs.jsonl"
    done = run(folder, line, planted=True)
    assert done.returncode == INTERNAL_ERROR
    result = run(folder, "report runs.jsonl -o r.html")
    assert result.returncode == INTERNAL_ERROR
    first, second = result.stdout.splitlines()[:2]
    assert first == "DISAGREEMENT on ring: filled by backtrack; unfillable by denier"
    assert second.startswith("WRONG FILL of ring by liar: ")
    page = (folder / "r.html").read_text()
    assert page.index('class="bad"') < page.index(first) < page.index("<table>")
    scores = json.loads(run(folder, "report runs.jsonl --json").stdout)["scores"]
    assert [item["solved"] for item in scores] == [1, 0, 0, 1]
