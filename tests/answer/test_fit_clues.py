"""The pieces of the script that fits the shipped weights; it runs on a collection not in here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from satcross.answer.fitting import ComparedWords

ANSWERS = {"across": ["TEA", "ERN", "ADO"], "down": ["TEA", "ERD", "ANO"]}
CLUES = {"across": ["1. Drink", "4. Eagle", "5. Fuss"], "down": ["1. A &amp; B", "2. ", "3. Loan"]}
PAPER = {"size": {"cols": 3, "rows": 3}, "grid": list("TEAERNADO"), "answers": ANSWERS}


@pytest.fixture(autouse=True)
def _scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "benchmarks")


def test_clues_are_chosen_from_the_years_asked_for(tmp_path: Path) -> None:
    import fit_clues

    for year in (2012, 2013):
        (tmp_path / f"{year}/01").mkdir(parents=True)
        text = json.dumps({**PAPER, "clues": CLUES})
        (tmp_path / f"{year}/01/02.json").write_text(text, "utf-8")
    (tmp_path / "2014").mkdir()
    chosen = fit_clues.sample_clues(tmp_path, 2013, 2014, 5)
    assert sorted((one.answer, one.text) for one in chosen) == [
        ("ADO", "Fuss"),
        ("ANO", "Loan"),
        ("ERN", "Eagle"),
        ("TEA", "A & B"),
        ("TEA", "Drink"),
    ]
    assert {one.year for one in chosen} == {2013}


def test_a_feature_of_the_right_answers_is_fitted_and_named() -> None:
    import fit_clues

    rows = [{"unknown": 1.0}, {"moby.under.whole": 1.0, "phrases.times": 0.5}, {"echo": 1.0}]
    groups = [ComparedWords(rows, [0.0, 0.0, 0.0], 1)] * 40
    fit, line = fit_clues.fit_set("with neither", groups)
    assert (fit.fitted, fit.tested, fit.first_after) == (30, 10, 1.0)
    assert line.split()[2:4] == ["30", "10"]
    entry = fit_clues.model_entry("with neither", fit, "30 clues")
    assert entry["weights"]["moby.under.whole"] > 1 > 0 > entry["weights"]["unknown"]
    assert "moby" in entry["sources"]
    assert "clues-db" not in entry["sources"]
