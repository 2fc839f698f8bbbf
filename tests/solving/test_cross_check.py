"""The cross-check of backends finds wrong answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from satcross import Grid, InternalError, Puzzle, Status, Vocabulary, solve
from satcross.backends import registry
from satcross.solving.cross_check import cross_check

PUZZLE = Puzzle(Grid.from_rows(["___"]), Vocabulary(["CAT", "DOG"]))


@pytest.fixture(autouse=True)
def wrong_backends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BACKENDS, "denier", "compare.wrong_backends:Denier")
    monkeypatch.setitem(registry.BACKENDS, "liar", "compare.wrong_backends:Liar")
    monkeypatch.setitem(registry.BACKENDS, "crasher", "compare.wrong_backends:Crasher")


def test_a_disagreement_is_loud_and_reproducible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(
        InternalError, match=r"disagree.*backtrack: filled, denier: unfillable"
    ) as e:
        cross_check(PUZZLE, ["backtrack", "denier"], seed=7)
    [file] = tmp_path.iterdir()
    assert str(file) in e.value.report
    report = json.loads(file.read_text())
    again = Puzzle(Grid(tuple(report["rows"])), Vocabulary(report["words"]))
    assert solve(again, "backtrack").status is Status.FILLED
    assert [one["seed"] for one in report["outcomes"]] == [7, 7]


def test_what_a_backend_raises_loses_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(InternalError, match=r"crasher failed \(.*\), after backtrack: filled"):
        cross_check(PUZZLE, ["backtrack", "crasher"])
    [file] = tmp_path.iterdir()
    report = json.loads(file.read_text())
    assert [one["status"] for one in report["outcomes"]] == ["filled"]
    assert "wrong_backends.py" in report["settings"]["traceback"]


def test_a_wrong_fill_never_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(InternalError, match="liar returned a wrong fill"):
        solve(PUZZLE, "liar")
