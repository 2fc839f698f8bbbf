"""The three constraints separately, and the encodings built from them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers import PATIENCE

import encoders
from encoders import AtLeast, ConflictGroup, Encoding, Instance, cnf, cpsat, encode
from encoders.cardinality import pairwise
from encoders.cpsat import BooleanModel

WORDS = {"AB": 1, "CD": 2, "CE": 3}
LETTERS = {"A": 4, "C": 5}


def test_slot_word_choice() -> None:
    assert cnf.slot_word_choice(WORDS) == [[1, 2, 3]]


def test_crossing_letter_equality() -> None:
    clauses = cnf.crossing_letter_equality(WORDS, 0, LETTERS)
    assert clauses == [[-1, 4], [-2, 5], [-3, 5], [-4, 1], [-5, 2, 3]]


def test_uniqueness() -> None:
    slots = [{"AB": 1, "CD": 2}, {"AB": 3}, {"AB": 4, "CD": 5}]
    assert list(cnf.uniqueness(slots)) == [[-1, -3], [-1, -4], [-3, -4], [-2, -5]]


def test_the_same_for_cp_sat() -> None:
    model = BooleanModel()
    words = dict(zip(("AB", "CD", "CE"), model.booleans(3), strict=True))
    others = dict(zip(("CE", "XY"), model.booleans(2), strict=True))
    letters = dict(zip("AC", model.booleans(2), strict=True))
    cpsat.slot_word_choice(model, words)
    cpsat.crossing_letter_equality(model, words, 0, letters)
    cpsat.uniqueness(model, [words, others])
    constraints = model.proto.constraints
    exactly_one = [list(constraints[i].exactly_one.literals) for i in range(3)]
    assert exactly_one == [[0, 1, 2], [0, -6], [1, 2, -7]]
    assert [list(constraints[3].at_most_one.literals), len(constraints)] == [[2, 3], 4]


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


def test_at_most_one_is_pairwise_for_a_few() -> None:
    encoding = Encoding([])
    literals = list(encoding.variables.allocate("word", 0, "ABC"))
    assert encoding.at_most_one(literals, "label") == pairwise(literals)
    assert encoding.variables.count == 3


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
