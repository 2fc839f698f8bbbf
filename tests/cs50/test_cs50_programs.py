"""The grader and many programs: no wrong one passes, no right one fails.

``wrong.toml`` has programs with one plausible mistake each, and says which check finds it and what
the check tells its author. ``right`` has right programs, written as differently as possible.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cs50 import trial

from satcross.cs50.grading import run_checks

pytest.importorskip("resource")  # needed to limit the CPU time of a program


def judged(kind: str, hash_seed: str, root: Path) -> dict[str, dict[str, str]]:
    """Return what ``trial.py`` prints in a process with this hash seed."""
    done = subprocess.run(
        [sys.executable, str(trial.HERE / "trial.py"), kind],
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer: dict[str, dict[str, str]] = json.loads(done.stdout)
    return answer


def test_there_are_wrong_programs_for_every_function(root: Path) -> None:
    kinds = [name.partition("_")[0] for name in trial.WRONG]
    assert len(kinds) >= 40
    methods = ("node", "revise", "ac3", "complete", "consistent", "order", "select", "backtrack")
    assert set(kinds) == set(methods)
    assert all(kinds.count(method) >= 5 for method in methods)
    text = (root / "docs" / "students.md").read_text()
    assert f"`tests/cs50/wrong.toml` has {len(kinds)} programs" in text


def test_a_table_says_who_catches_which_mistake(root: Path) -> None:
    command = [sys.executable, str(trial.HERE / "trial.py"), "table"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    caught = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines()[1:]}
    assert caught == {name: program["check"] for name, program in trial.WRONG.items()}


@pytest.mark.parametrize("hash_seed", ["0", "1", "2", "3", "12345"])
def test_each_mistake_is_caught_by_the_check_that_names_it(hash_seed: str, root: Path) -> None:
    failed = judged("wrong", hash_seed, root)
    assert set(failed) == set(trial.WRONG)
    for name, program in trial.WRONG.items():
        assert program["check"] in failed[name], name
        assert program["words"] in failed[name][program["check"]], name


def test_right_programs_pass(root: Path) -> None:
    failed = judged("right", "0", root)
    assert len(failed) >= 9
    assert {name: checks for name, checks in failed.items() if checks} == {}


def test_a_right_program_passes_in_processes_of_its_own() -> None:
    names = [*trial.QUICK[::6], "import", "command_usage", "command_solution"]
    results = list(run_checks(trial.HERE / "right" / "rounds.py", names=names))
    assert [result for result in results if not result.passed] == []
    assert len(results) == len(set(names))


SURVIVORS = {
    "None is as false as False": [
        "revise: return False: nothing returned",
        "revise: return False: nothing returned (2)",
        "ac3: return False: nothing returned",
    ],
    "words too short for a crossing come only before node consistency": [
        "revise: for word in self.domains[y] if len(word) > b: condition dropped",
        "revise: len(word) > b: Gt to GtE",
        "revise: len(word) > a: Gt to GtE",
        "order_domain_values: for word in self.domains[neighbor] if len(word) > b: "
        "condition dropped",
        "order_domain_values: len(word) > a: Gt to GtE",
        "order_domain_values: len(word) > b: Gt to GtE",
        "order_domain_values: 0: 0 to 1",
    ],
    "more arcs, or another order, or a later end of the same work": [
        "ac3: for arc, overlap in self.crossword.overlaps.items() if overlap: condition dropped",
        "ac3: for z in self.crossword.neighbors(x) if z != y: condition dropped",
        "ac3: queue.popleft: popleft to pop",
        "ac3: if self.revise(x, y):: without if not self.domains[x]:",
        "ac3: all: all to any",
    ],
    "that None stands for no word is a convention of ours": [
        "consistent: for var, word in assignment.items() if word is not None: condition dropped",
        "consistent: None: None to False",
        "order_domain_values: None: None to False",
        "backtrack: for var, word in assignment.items() if word is not None: condition dropped",
        "backtrack: None: None to False (2)",
        "infer: for word in assignment.values() if word is not None: condition dropped",
        "infer: None: None to False",
    ],
    "a third tie-break, which the course leaves open": [
        "select_unassigned_variable: -still_open: minus dropped",
        "select_unassigned_variable: assignment.get(neighbor) is None: Is to IsNot",
        "select_unassigned_variable: None: None to False",
    ],
    "backtrack is never given an assignment that breaks a rule": [
        "backtrack: body: without if not self.consistent(assignment):"
    ],
    "the search infers less or nothing, which costs time; the hard puzzles find it": [
        "infer: body: without for var, domain in self.domains.items():",
        "infer: body: without self.domains.update(changed)",
        "infer: word is not None: IsNot to Is",
        "infer: for var, domain in self.domains.items():: without if kept != domain:",
        "infer: if kept != domain:: without changed.append((var, kept))",
        "infer: kept != domain: NotEq to Eq",
    ],
}
"""Mutants that answer as the course asks, by reason."""


def test_no_mutant_of_the_textbook_passes(root: Path) -> None:
    failed = judged("mutants", "0", root)
    assert len(failed) > 120
    assert {name for name, checks in failed.items() if not checks} == {
        name for names in SURVIVORS.values() for name in names
    }
