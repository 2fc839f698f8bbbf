"""The pieces of the script that fits the shipped weights; it runs on a collection not in here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from satcross.answer.clue import Clue
from satcross.answer.model import load_model
from satcross.answer.network import Network

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
    from clue_fitting import ComparedWords

    rows = [{"unknown": 1.0}, {"moby.under.whole": 1.0, "gcide.search.rank": 0.5}, {"echo": 1.0}]
    groups = [ComparedWords(Clue("1A", "Ado", 3), rows, [0.0, 0.0, 0.0], 1, 2)] * 40
    entry, line = fit_clues.fit_set("with neither", groups)
    assert [*line.split()[2:4], line.split()[6]] == ["30", "10", "100.0%"]
    assert entry["weights"]["moby.under.whole"] > 1 > 0 > entry["weights"]["unknown"]
    assert "moby" in entry["sources"]
    assert "clues-db" not in entry["sources"]


def test_a_network_learns_what_speaks_for_an_answer_only_in_some_clues() -> None:
    """With a blank in the clue, the second word is right, else the first one."""
    import fit_clues
    from clue_fitting import ComparedWords

    features = {f"clues-db.{name}": 1.0 for name in ("same", "same-any", "like")}
    features["learnt"] = 1.0
    either = {**features, "clues-db.union": 1.0}, {**features, "clues-db.likelihood": 1.0}
    groups = [
        ComparedWords(Clue("1A", text, 3), [{"unknown": 1.0}, *either, {}], [0.0] * 4, answer, 3)
        for text, answer in [("Fuss", 1), ("Much ___", 2)] * 800
    ]
    network = Network.of_content(json.loads(fit_clues.network_text(groups)))
    model = load_model(("clues-db",))
    for group in groups[:2]:
        scores = np.array([model.score(row) for row in group.rows[1:3]])
        gains = network.gains(network.inputs(group.clue, group.rows[1:3], scores))[:2]
        assert (scores + gains).argmax() == group.answer - 1
