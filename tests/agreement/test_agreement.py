"""Every backend and encoding on the puzzles of puzzles.jsonl, against their recorded answers.

The quick selection runs by default, all of them with ``pytest -m agreement``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from agreement import make
from helpers import narrow_at_once

from satcross import Status, count, solve
from satcross.backends import auto
from satcross.backends.registry import ENCODINGS, backends_that
from satcross.formats.json import puzzle_from_data
from satcross.network import narrowing, theme_splits
from satcross.rules import all_keys, rules_to_data
from satcross.verify import verify

Record = Mapping[str, Any]

RECORDS: Sequence[Record] = [json.loads(line) for line in make.FILE.read_text("ascii").splitlines()]
QUICK = RECORDS[::3]

WAYS: Mapping[str, tuple[str, dict[str, str]]] = {
    **{name: (name, {}) for name in backends_that("complete")},
    **{f"sat {name}": ("sat", {"encoding": name}) for name in ENCODINGS[:3]},
    "sat from one word": ("sat", {"narrowing": "none"}),
    "cpsat from one word": ("cpsat", {"narrowing": "none"}),
    "sat narrowed": ("sat", {}),
    "cpsat narrowed": ("cpsat", {}),
    "auto without a search": ("auto", {}),
    "backtrack narrowed": ("backtrack", {}),
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    if name.endswith("from one word"):  # growing the vocabulary has to do all the work
        monkeypatch.setattr(narrowing, "MAX_FIRST_BATCH", 1)
        monkeypatch.setattr(theme_splits, "MAX_PARTS", 0)  # and the solver places theme words
    if name in ("sat narrowed", "cpsat narrowed"):  # as if every puzzle were large
        monkeypatch.setattr(narrowing, "MAX_FIRST_BATCH", 1)
        monkeypatch.setattr(narrowing, "LEFT_OUT", 0.7)
    if name == "auto without a search":
        monkeypatch.setattr(auto, "ALONE_TURNS", 0)
    if name == "backtrack narrowed":
        narrow_at_once(monkeypatch)
    return name


def check(way: str, records: Sequence[Record]) -> None:
    backend, options = WAYS[way]
    wrong = []
    for record in records:
        puzzle = puzzle_from_data(record)
        outcome = solve(puzzle, backend, workers=1, options=options)
        truth = Status.FILLED if record["fills"] else Status.UNFILLABLE
        if outcome.status is not truth:
            wrong.append(f"{record['name']}: {outcome.status}")
        elif outcome.fill is not None and verify(puzzle, outcome.fill):
            wrong.append(f"{record['name']}: {verify(puzzle, outcome.fill)}")
    assert wrong == []


selections = pytest.mark.parametrize(
    "records",
    [
        pytest.param(QUICK, id="quick"),
        pytest.param(RECORDS, marks=pytest.mark.agreement, id="all"),
    ],
)


@selections
def test_answers(way: str, records: Sequence[Record]) -> None:
    check(way, records)


@selections
@pytest.mark.parametrize("backend", backends_that("count"))
def test_counts(backend: str, records: Sequence[Record]) -> None:
    wrong = []
    for record in records:
        found = count(puzzle_from_data(record), backend)
        if (found.count, found.exact) != (record["fills"], True):
            wrong.append(f"{record['name']}: {found.count}, not {record['fills']}")
    assert wrong == []


def test_the_answers_are_those_of_brute_force() -> None:
    """The committed file is what its script makes, and varied enough to mean something."""
    assert make.FILE.read_text(encoding="ascii") == make.to_text(make.generate())
    assert len(RECORDS) >= 500
    for records, least in ((RECORDS, 100), (QUICK, 30)):
        outcomes = [record["outcome"] for record in records]
        for outcome in ("unfillable", "unfillable by search", "unique", "fillable"):
            assert outcomes.count(outcome) >= least, outcome
        assert {record["kind"] for record in records} == {
            kind.__name__.replace("_", " ") for kind in make.KINDS
        }


def test_a_puzzle_s_rules_are_read() -> None:
    """The puzzles have the rules that are in the records."""
    seen = [puzzle_from_data(record) for record in RECORDS]
    keys = {key for puzzle in seen for key, value in rules_to_data(puzzle).items() if value}
    assert keys == {*all_keys()} - {"slot_min_scores"}  # which attacks draw
    assert any(cell not in "_#" for puzzle in seen for row in puzzle.grid.rows for cell in row)
