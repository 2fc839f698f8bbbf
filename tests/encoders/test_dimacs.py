"""Formulas in DIMACS format, written and read."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF, WCNF

from encoders import DimacsError, read_dimacs, write_dimacs, write_wcnf

LITERALS = st.integers(-9, 9).filter(bool)
FORMULAS = st.lists(st.lists(LITERALS, max_size=4), max_size=8)


@given(FORMULAS)
def test_what_is_written_is_read_again(clauses: list[list[int]]) -> None:
    stream = StringIO()
    assert write_dimacs(stream, iter(clauses), 9, ["a comment", ""]) == len(clauses)
    assert stream.getvalue().startswith(f"c a comment\nc\np cnf 9 {len(clauses)}\n")
    assert read_dimacs(stream.getvalue()) == (9, clauses)
    assert CNF(from_string=stream.getvalue()).clauses == clauses


def test_variables_are_counted_after_the_clauses() -> None:
    used: list[int] = []
    stream = StringIO()
    clauses = ([used.append(v) or v] for v in (1, 2, 3))  # type: ignore[func-returns-value]
    write_dimacs(stream, clauses, lambda: len(used))
    assert stream.getvalue() == "p cnf 3 3\n1 0\n2 0\n3 0\n"


def test_wcnf() -> None:
    stream = StringIO()
    assert write_wcnf(stream, [[1, -2], [2]], [(7, [-1]), (3, [2])], ["costs"]) == 2
    assert stream.getvalue() == "c costs\nh 1 -2 0\nh 2 0\n7 -1 0\n3 2 0\n"
    read = WCNF(from_string=stream.getvalue())
    assert (read.hard, read.soft, read.wght) == ([[1, -2], [2]], [[-1], [2]], [7, 3])


def test_clauses_may_be_spread_over_lines() -> None:
    expected = (3, [[1, 2, 3], [-1], []])
    assert read_dimacs("c x\np cnf 3 3\n1 2\n3 0 -1 0\n\n0\n") == expected
    assert read_dimacs("p cnf 3 3\nc x\n1 2\nc 1 0\n3 0 -1 0\n0\n") == expected


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", 1, "no header"),
        ("1 0\n", 1, "before the header"),
        ("p cnf 1\n", 1, "a header like"),
        ("p wcnf 1 1\n", 1, "a header like"),
        ("p cnf x 1\n", 1, "numbers"),
        ("p cnf 1 0\np cnf 1 0\n", 2, "a header like"),
        ("p cnf 1 1\nhello\n", 2, "not a clause"),
        ("p cnf 1 1\n2 0\n", 2, "above the header's 1"),
        ("p cnf 1 1\n-2 0\n", 2, "above the header's 1"),
        ("p cnf 1 1\n1\n", 2, "does not end"),
        ("p cnf 1 2\n1 0\n", 2, "1 clauses, not the header's 2"),
    ],
)
def test_what_is_no_formula(text: str, line: int, problem: str) -> None:
    with pytest.raises(DimacsError, match=problem) as caught:
        read_dimacs(text)
    assert caught.value.line == line
