"""``satcross count`` and ``solve --count`` as somebody at a shell sees them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from helpers import DATA, answer, interrupt_at_work, started

from satcross.backends.registry import backends_that
from satcross.cli import FILLED, UNFILLABLE, UNKNOWN

BIG = str(DATA / "grids" / "9x9-a.txt")


def test_several_backends(folder: Path) -> None:
    code, out, _ = answer(folder, "count", "s.txt", "w.txt", "--backend", "sat,cpsat,backtrack")
    assert code == FILLED
    lines = out.splitlines()
    assert lines[0] == "2"
    assert [" ".join(line.split()[:2]) for line in lines[3:]] == ["sat 2", "cpsat 2", "backtrack 2"]


@pytest.mark.parametrize(
    ("flags", "printed", "code"),
    [
        (("--unique",), "Several: at least two fills.", FILLED),
        (("--unique", "--lock", "1A=CAT"), "Exactly one fill.", FILLED),
        (("--unique", "--exclude", "CAT"), "None: there is no fill.", FILLED),
        (("--at-least", "2"), "Yes, at least 2.", FILLED),
        (("--at-least", "3"), "No, 2.", FILLED),
        (("--limit", "2"), "2", FILLED),
        (("--limit", "1"), "More than 1 (the limit).", UNKNOWN),
    ],
)
def test_questions(folder: Path, flags: tuple[str, ...], printed: str, code: int) -> None:
    assert answer(folder, "count", "s.txt", "w.txt", *flags)[:2] == (code, printed + "\n")


@pytest.mark.parametrize("backend", backends_that("count"))
def test_a_limit_holds_where_fills_are_multiplied(tmp_path: Path, backend: str) -> None:
    (tmp_path / "s.txt").write_text("___\n###\n___\n###\n___\n")
    (tmp_path / "w.txt").write_text("cat\ndog\n")
    flags = ("--allow-repeats", "--backend", backend, "--limit")
    said = [answer(tmp_path, "count", "s.txt", "w.txt", *flags, limit)[:2] for limit in "18"]
    assert said == [(UNKNOWN, "More than 1 (the limit).\n"), (FILLED, "8\n")]


def test_a_time_limit(folder: Path) -> None:
    code, out, _ = answer(folder, "count", BIG, "--time-limit", "1", "--quiet")
    assert code == UNKNOWN
    assert out.startswith("At least ")
    assert out.endswith("(time limit).\n")


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_interrupted(folder: Path) -> None:
    with started(folder, "count", BIG, "--json") as process:
        out, err = interrupt_at_work(process)
    assert process.returncode == UNKNOWN
    data = json.loads(out)
    assert not data["exact"]
    assert data["reason"] == "interrupted"
    assert b"Traceback" not in err


def test_several_fills(folder: Path) -> None:
    code, out, _ = answer(folder, "solve", "s.txt", "w.txt", "--count", "2")
    assert code == FILLED
    assert set(out.rstrip().split("\n\n")) == {"CAT\nU█O\nBED", "CUB\nA█E\nTOD"}
    code, out, err = answer(folder, "solve", "s.txt", "w.txt", "--count", "5", "--diverse")
    assert code == FILLED
    assert out.count("\n\n") == 1
    assert "there are only 2 fills" in err
    code, out, _ = answer(folder, "solve", "s.txt", "w.txt", "--count", "2", "--exclude", "cat")
    assert (code, out) == (UNFILLABLE, "No solution: there is no fill.\n")
