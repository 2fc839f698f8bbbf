"""The three constraints separately, and the encodings built from them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers import PATIENCE

import encoders
from encoders import AtLeast, ConflictGroup, Instance, encode


def test_the_size_is_that_of_the_documentation() -> None:
    """The numbers of variables and clauses are those that docs/encoders.md states."""
    slots = (((0, 0), (0, 1)), ((0, 0), (1, 0)))
    instance = Instance(slots, (("AB", "CD", "CE"), ("CE", "AX")))
    clauses, encoding = encode(instance)
    words, letters, repeated_pairs = 5, 2, 1
    assert encoding.variables.count == words + letters
    one_letter = letters * (letters - 1) // 2 + 1
    choice_and_equality = len(slots) + words + len(slots) * letters
    assert len(clauses) == one_letter + choice_and_equality + repeated_pairs


@pytest.mark.parametrize("allow_repeats", [False, True])
def test_a_fill_is_a_model(allow_repeats: bool) -> None:
    """The model that an encoding gives for a fill satisfies all clauses, counters included."""
    slots = tuple(((row, 0), (row, 1)) for row in range(7))
    words = ("AA", "AB", "BA", "BB", "AC", "CA", "CC")
    rules = (ConflictGroup("with B", ("AB", "BA"), ("BB",)),) if allow_repeats else ()
    instance = Instance(slots, (words,) * 7, allow_repeats, rules, AtLeast(words[:3], 2))
    clauses, encoding = encode(instance)
    fill = ["AA", "AB", "AB", "AC", "AC", "CA", "CC"] if allow_repeats else list(words)
    true = set(encoding.model(fill))
    assert all(true.intersection(clause) for clause in clauses)
    wrong = set(encoding.model(["CC"] * 7))
    assert not all(wrong.intersection(clause) for clause in clauses)
    with pytest.raises(ValueError, match="does not have the word 'XX'"):
        encoding.model(["XX"] * 7)


def test_everything_exported_exists_and_no_solver_is_imported() -> None:
    assert all(hasattr(encoders, name) for name in encoders.__all__)
    program = "import sys, encoders; print({'ortools', 'pysat', 'satcross'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout.strip() == "set()"
