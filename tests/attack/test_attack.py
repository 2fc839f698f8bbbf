"""A little of each attack, all that attacks have found before, and faults planted for them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from helpers import PATIENCE, ROOT, killed_at_end, until

from attack.attack import fault, shrink
from attack.attacks import ATTACKS
from attack.puzzles import puzzle_of, random_puzzle
from satcross import grid
from satcross.backends.search.portfolio import Portfolio
from satcross.formats import text
from satcross.outcome import Status
from satcross.rules import all_keys, rules_to_data

AT_WORK = """
import subprocess, sys, tempfile
from attack.temporary import all_in_one_folder
with all_in_one_folder():
    command = "from pathlib import Path; Path('working').touch(); import time; time.sleep(600)"
    subprocess.run([sys.executable, "-c", command], cwd=tempfile.mkdtemp())
"""

FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))


@pytest.mark.parametrize("path", FOUND, ids=lambda path: str(path.stem))
def test_what_was_found_is_mended(path: Path) -> None:
    saved = json.loads(path.read_text())
    assert fault(ATTACKS[saved["attack"]], saved["case"]) == ""


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        ("engine", 30),
        ("letters", 30),
        ("backends", 6),
        ("variants", 20),
        ("explain", 10),
        ("solvers", 8),
        ("maxsat", 16),
        ("counters", 1),
        ("proofs", 4),
        ("files", 100),
        ("exports", 3),
        ("lists", 100),
        ("cancel", 10),
        ("threads", 10),
        ("signals", 1),
        ("disk", 1),
        ("jobs", 4),
    ],
)
def test_a_little_of_each(name: str, cases: int) -> None:
    for seed in range(cases):
        case = ATTACKS[name].make(Random(seed))
        assert fault(ATTACKS[name], case) == "", f"--only {name} --seed {seed}"


def test_a_suite_that_is_killed_once() -> None:
    case = {"kills": [1.0], "workers": [False], "jobs": 2, "puzzles": 1, "seed": 0}
    assert fault(ATTACKS["bench"], case) == ""


def test_an_attack_that_is_ended_leaves_nothing(tmp_path: Path) -> None:
    """Neither its own files nor those of a command at work, nor what an earlier attack left."""
    abandoned = tmp_path / "satcross-attack-999999999" / "attack-x"
    abandoned.mkdir(parents=True)
    process = subprocess.Popen(
        [sys.executable, "-c", AT_WORK],
        cwd=ROOT / "tests",
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT / "tests")},
    )
    with killed_at_end(process):
        until(lambda: [*tmp_path.glob("*/*/working")], "a command at work")
        assert not abandoned.exists()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE) != 0
    assert [*tmp_path.iterdir()] == []


def test_every_rule_is_drawn_and_bars_and_rebus_cells() -> None:
    """A new rule of the registry is attacked, too."""
    wanted = {*all_keys(), "bars", "rebus"}
    drawn: set[str] = set()
    for seed in range(2000):
        puzzle = puzzle_of(random_puzzle(Random(seed)))
        data = {**rules_to_data(puzzle), "bars": puzzle.grid.bars, "rebus": puzzle.grid.rebus}
        drawn |= {key for key, value in data.items() if value}
        if drawn >= wanted:
            return
    assert drawn >= wanted


def test_a_planted_fault_in_bars_and_rebus_cells_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = ATTACKS["backends"]
    cases = [attack.make(Random(seed)) for seed in range(60)]
    find = grid._find_slots
    for blind in (
        lambda rows, bars, rebus: find(rows, (), rebus),
        lambda rows, bars, rebus: find(rows, bars, {}),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(grid, "_find_slots", blind)
            assert any(fault(attack, case) for case in cases)


def test_a_planted_fault_is_found_and_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Portfolio, "run", lambda *_: Status.UNFILLABLE)
    attack = ATTACKS["backends"]
    cases = (attack.make(Random(seed)) for seed in range(50))
    case, message = next((case, found) for case in cases if (found := fault(attack, case)))
    small = shrink(attack, case, message, 60)
    assert fault(attack, small)
    assert len(json.dumps(small)) < len(json.dumps(case))


def test_a_planted_fault_in_a_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("broken on purpose")

    attack = ATTACKS["files"]
    cases = [attack.make(Random(seed)) for seed in range(60)]
    monkeypatch.setattr(text, "parse_structure", broken)
    assert any("KeyError" in fault(attack, case) for case in cases)
