"""The contract that every backend must meet."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import pytest
from conformance.declared import solve
from helpers import DATA, ROOT, UNFILLABLE, example, load_grid, unfillable

from satcross import Grid, Puzzle, Status, Vocabulary
from satcross import solve as solve_by
from satcross.backends.base import Task
from satcross.backends.registry import BACKENDS, get_backend
from satcross.network.arc_consistency import arc_consistent
from satcross.run_settings import Deadline

OWN_PAIRS = {
    (0, 0): Status.FILLED,
    (0, 1): Status.UNFILLABLE,
    (0, 2): Status.FILLED,
    (1, 0): Status.UNFILLABLE,
    (1, 1): Status.FILLED,
    (1, 2): Status.FILLED,
    (2, 0): Status.UNFILLABLE,
    (2, 1): Status.UNFILLABLE,
    (2, 2): Status.FILLED,
}


@pytest.mark.parametrize("pair", OWN_PAIRS, ids="s{0[0]}w{0[1]}".format)
def test_example_pairs(backend: str, pair: tuple[int, int]) -> None:
    assert solve(example(*pair), backend).status is OWN_PAIRS[pair]


@pytest.mark.parametrize("name", UNFILLABLE)
def test_proves_unfillable(backend: str, name: str) -> None:
    puzzle = unfillable(name)
    if name == "open5":  # fewer words have no fill either; with all, sat needs eight seconds
        puzzle = Puzzle(puzzle.grid, Vocabulary(sorted(puzzle.vocabulary)[::2]))
    outcome = solve(puzzle, backend)
    assert outcome.status is Status.UNFILLABLE
    assert outcome.reason


def test_more_letters_than_a_byte_holds(backend: str) -> None:
    letters = [chr(0x4E00 + i) for i in range(600)]
    across = [a + b for a, b in zip(letters[::2], letters[1::2], strict=True)]
    down = [letters[0] + letters[3], letters[1] + letters[2]]
    grid = Grid.from_rows(["__", "__"])
    puzzle = Puzzle(grid, Vocabulary([*across, *down, letters[3] + letters[2]]))
    outcome = solve(puzzle, backend)
    assert outcome.fill is not None
    assert set(outcome.fill.values()) == {across[0], *down, letters[3] + letters[2]}


def test_a_grid_without_slots_is_filled(backend: str) -> None:
    outcome = solve(Puzzle(Grid.from_rows(["_#_"]), Vocabulary(["CAT"])), backend)
    assert outcome.status is Status.FILLED
    assert outcome.fill == {}


SAME_SEED = """
import json
from io import StringIO
from satcross import Grid, Puzzle, Vocabulary, lay_out, solve
from satcross.backends.registry import BACKENDS, get_backend
from satcross.solving.proofs import Formula
puzzle = Puzzle(Grid.read("structure1.txt"), Vocabulary.read("words2.txt"))
found = {}
for name in BACKENDS:
    if get_backend(name).capabilities.complete:
        alone, again, two = (solve(puzzle, name, seed=5, workers=n) for n in (1, 1, 2))
        assert alone.fill == again.fill
        found[name] = [alone.status, two.status]
        if get_backend(name).capabilities.seed:
            found[name].append(dict(alone.fill))
words = "CROSS WORDS MEET SOLVE".split()
found["layout"] = [lay_out(words, seed=3, workers=n).layout.rows for n in (1, 2)]
assert found["layout"][0] == found["layout"][1]
theme = "CAT COT CUT BED BID TOD TAD CUB COB".split()
themed = Puzzle(Grid(("___", "_#_", "___")), Vocabulary(theme), theme=theme, min_theme_words=1)
formula, text = Formula(themed), StringIO()
for write in (formula.write_dimacs, formula.write_wcnf, formula.write_cpsat):
    write(text)
found["formulas"] = text.getvalue()
print(json.dumps(found))
"""


def test_same_seed_same_answer_whatever_the_hashes() -> None:
    """Alone with any seed of hashes; with two workers the status, since the first answer wins."""
    answers = []
    for hashes in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", SAME_SEED]
        done = subprocess.run(command, cwd=DATA, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout))
    assert answers[0] == answers[1]
    statuses = [
        status for name in BACKENDS if name in answers[0] for status in answers[0][name][:2]
    ]
    assert set(statuses) == {"filled"}


def test_a_real_15x15(backend: str, default_vocabulary: Vocabulary) -> None:
    grid = load_grid(DATA / "grids" / "15x15-78.txt")
    puzzle = Puzzle(grid, default_vocabulary, min_score=60)
    assert solve(puzzle, backend).status is Status.FILLED


def test_a_time_limit_is_unknown_and_kept(backend: str, default_vocabulary: Vocabulary) -> None:
    puzzle = Puzzle(Grid.from_rows(["_" * 9] * 9), default_vocabulary)
    # Without the limit this takes hours, and pytest-timeout ends the test.
    outcome = solve_by(puzzle, backend, time_limit=0.5)
    assert outcome.status is Status.UNKNOWN
    assert outcome.reason == "time limit"


def test_a_deadline_already_passed(backend: str) -> None:
    answer = get_backend(backend).solve(Task(arc_consistent(example(1, 2)), Deadline.after(0)))
    assert answer.status in (Status.UNKNOWN, Status.FILLED)


@pytest.mark.parametrize("encoder", ["sat", "cpsat"])
def test_encoding_is_told_apart_from_solving(encoder: str) -> None:
    task = Task(arc_consistent(example(1, 2)))
    assert get_backend(encoder).solve(task).encode_seconds > 0


def test_a_task_can_travel_to_another_process(backend: str) -> None:
    puzzle = replace(example(1, 1), locks={"4A": "LOGIC"})
    travelled = pickle.loads(pickle.dumps(Task(arc_consistent(puzzle), Deadline.after(60))))
    solver = get_backend(backend)
    if solver.capabilities.complete:
        assert solver.solve(travelled).status is Status.FILLED
    else:
        brief = replace(travelled, deadline=Deadline.after(0.5))
        assert solver.solve(brief).status in (Status.FILLED, Status.UNKNOWN)
