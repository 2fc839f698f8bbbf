"""The grader and many programs: no wrong one passes, no right one fails.

``wrong.toml`` has programs with one plausible mistake each, and says which check finds it and what
the check tells its author. ``right`` has right programs, written as differently as possible, and
``survivors.toml`` the changes of our own that no check needs to find.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from itertools import chain

import pytest
from cs50 import trial
from helpers import ROOT

from satcross.cs50.grading.runner import HASH_SEEDS

pytest.importorskip("resource")  # needed to limit the CPU time of a program


def judged(kind: str, hash_seed: str) -> dict[str, dict[str, str]]:
    """Return what ``trial.py`` prints in a process with this hash seed."""
    done = subprocess.run(
        [sys.executable, str(trial.HERE / "trial.py"), kind],
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer: dict[str, dict[str, str]] = json.loads(done.stdout)
    return answer


def test_there_are_wrong_programs_for_every_function() -> None:
    kinds = Counter(name.partition("_")[0] for name in trial.WRONG)
    methods = ("node", "revise", "ac3", "complete", "consistent", "order", "select", "backtrack")
    assert set(kinds) == set(methods)
    assert min(kinds.values()) >= 5
    text = (ROOT / "docs" / "students.md").read_text()
    assert f"`tests/cs50/wrong.toml` has {kinds.total()} programs" in text


@pytest.mark.parametrize("hash_seed", HASH_SEEDS)
def test_each_mistake_is_caught_by_the_check_that_names_it(hash_seed: str) -> None:
    failed = judged("wrong", hash_seed)
    assert set(failed) == set(trial.WRONG)
    for name, program in trial.WRONG.items():
        assert program["words"] in failed[name].get(program["check"], ""), name


def test_right_programs_pass() -> None:
    failed = judged("right", "0")
    assert len(failed) >= 9
    assert {name: checks for name, checks in failed.items() if checks} == {}


def test_no_mutant_of_the_textbook_passes() -> None:
    failed = judged("mutants", "0")
    assert len(failed) > 120
    survivors = tomllib.loads((trial.HERE / "survivors.toml").read_text())
    passing = {name for name, checks in failed.items() if not checks}
    assert passing == set(chain.from_iterable(survivors.values()))
