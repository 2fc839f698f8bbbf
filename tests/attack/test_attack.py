"""A little of the attack, all that it has found before, and faults planted for it to find."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from attack.attacks import ATTACKS, fault, shrink
from satcross.backends.search.portfolio import Portfolio
from satcross.formats import text
from satcross.outcome import Status

FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))


def test_what_was_found_is_mended() -> None:
    for path in FOUND:
        saved = json.loads(path.read_text())
        assert fault(ATTACKS[saved["attack"]], saved["case"]) == "", path.name


@pytest.mark.parametrize(
    ("name", "cases"),
    [("backends", 6), ("solvers", 10), ("variants", 20), ("files", 100), ("signals", 2)],
)
def test_a_little_of_each(name: str, cases: int) -> None:
    for seed in range(cases):
        case = ATTACKS[name].make(Random(seed))
        assert fault(ATTACKS[name], case) == "", f"--only {name} --seed {seed}"


def test_a_planted_fault_is_found_and_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Portfolio, "run", lambda *_: Status.UNFILLABLE)
    attack = ATTACKS["backends"]
    cases = (attack.make(Random(seed)) for seed in range(50))
    case, told = next((case, told) for case in cases if (told := fault(attack, case)))
    small = shrink(attack, case, told, 60)
    assert fault(attack, small)
    assert len(json.dumps(small)) < len(json.dumps(case))


def test_a_planted_fault_in_a_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("broken on purpose")

    attack = ATTACKS["files"]
    cases = [attack.make(Random(seed)) for seed in range(60)]
    monkeypatch.setattr(text, "parse_structure", broken)
    assert any("KeyError" in fault(attack, case) for case in cases)
