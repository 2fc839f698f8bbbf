"""Formulas as text: DIMACS CNF and the WCNF format of the MaxSAT evaluations since 2022.

The functions write to a text stream that the caller opens and closes, and read from a string.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TextIO

_CHUNK = 10_000


class DimacsError(ValueError):
    """The text is not a DIMACS CNF. ``problem`` says why, ``line`` where, counted from 1."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(f"line {line}: {problem}")
        self.problem = problem
        self.line = line


def write_dimacs(
    stream: TextIO,
    clauses: Iterable[Sequence[int]],
    variables: int | Callable[[], int],
    comments: Iterable[str] = (),
) -> int:
    """Write a DIMACS CNF: the comments, the header, one clause per line. Return their number.

    ``variables`` may be a function, which is called, like ``comments`` is taken, after all clauses,
    as those of ``generate`` make variables. Only the text of a clause is kept.
    """
    count, body = _lines(clauses, "")
    number = variables if isinstance(variables, int) else variables()
    stream.writelines(f"c {line}".rstrip() + "\n" for line in comments)
    stream.write(f"p cnf {number} {count}\n")
    stream.writelines(body)
    return count


def write_wcnf(
    stream: TextIO,
    hard: Iterable[Sequence[int]],
    soft: Iterable[tuple[int, Sequence[int]]],
    comments: Iterable[str] = (),
) -> int:
    """Write a WCNF, which has no header: ``h`` clauses must hold, others cost their weight if not.

    ``soft`` has pairs of a weight above 0 and a clause. The hard clauses are taken first, then the
    soft ones, then the comments. Return the number of hard clauses.
    """
    count, body = _lines(hard, "h ")
    body += [f"{weight} {' '.join(map(str, clause))} 0\n" for weight, clause in soft]
    stream.writelines(f"c {line}".rstrip() + "\n" for line in comments)
    stream.writelines(body)
    return count


def _lines(clauses: Iterable[Sequence[int]], start: str) -> tuple[int, list[str]]:
    """Return the number of clauses, and their text in pieces."""
    count, body, rest = 0, [], iter(clauses)
    while chunk := list(islice(rest, _CHUNK)):
        count += len(chunk)
        body.append("".join([f"{start}{' '.join(map(str, [*c, 0]))}\n" for c in chunk]))
    return count, body


def read_dimacs(text: str) -> tuple[int, list[list[int]]]:
    """Return the number of variables and the clauses of a DIMACS CNF, in order.

    Raises DimacsError when there is no header, a token is not a number, a variable is above the
    header's number, the number of clauses differs from the header's, or a clause does not end in 0.
    """
    return _read_at_once(text) or _read_by_lines(text)


def _read_at_once(text: str) -> tuple[int, list[list[int]]] | None:
    """Read a correct formula without later comments, several times as fast; None for any other."""
    header = re.search(r"^p cnf (\d{1,9}) (\d{1,9})\n", text, re.MULTILINE)
    if header is None:
        return None
    before = text[: header.start()].split("\n")[:-1]
    if not all(line.startswith("c ") for line in before):
        return None
    try:
        literals = list(map(int, text[header.end() :].split()))
    except ValueError:
        return None
    variables, announced = int(header[1]), int(header[2])
    clauses = []
    start, total = 0, len(literals)
    if total and (max(literals) > variables or min(literals) < -variables or literals[-1] != 0):
        return None
    while start < total:
        end = literals.index(0, start)
        clauses.append(literals[start:end])
        start = end + 1
    return (variables, clauses) if len(clauses) == announced else None


def _read_by_lines(text: str) -> tuple[int, list[list[int]]]:
    header: tuple[int, int] | None = None
    clauses: list[list[int]] = []
    clause: list[int] = []
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("c") and line.split()[0] == "c":
            continue
        if line.startswith("p"):
            header = _read_header(line, number, is_first=header is None)
            continue
        literals = _read_literals(line, number, header)
        while 0 in literals:
            end = literals.index(0)
            clauses.append(clause + literals[:end])
            clause, literals = [], literals[end + 1 :]
        clause += literals
    if header is None:
        raise DimacsError("no header like 'p cnf 3 2'", number + 1)
    if clause:
        raise DimacsError("the last clause does not end in 0", number)
    variables, announced = header
    if len(clauses) != announced:
        raise DimacsError(f"{len(clauses)} clauses, not the header's {announced}", number)
    return variables, clauses


def _read_header(line: str, number: int, *, is_first: bool) -> tuple[int, int]:
    """Return the numbers of variables and clauses."""
    parts = line.split()
    if not is_first or len(parts) != 4 or parts[1] != "cnf":
        raise DimacsError(f"a header like 'p cnf 3 2' is expected, not {line[:40]!r}", number)
    if not (parts[2].isdecimal() and parts[3].isdecimal()):
        raise DimacsError("the header has no two numbers", number)
    return int(parts[2]), int(parts[3])


def _read_literals(line: str, number: int, header: tuple[int, int] | None) -> list[int]:
    """Return the numbers of a line of clauses; none for a blank line."""
    try:
        literals = list(map(int, line.split()))
    except ValueError:
        raise DimacsError(f"not a clause: {line[:40]!r}", number) from None
    if literals and header is None:
        raise DimacsError("a clause before the header", number)
    if header is not None and any(abs(literal) > header[0] for literal in literals):
        raise DimacsError(f"a variable above the header's {header[0]}", number)
    return literals
