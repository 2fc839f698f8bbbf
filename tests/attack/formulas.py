"""Formulas and proofs through other people's programs: solvers, model counters, proof checkers.

Whatever is on the machine takes part: programs on the PATH and Python packages.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from random import Random

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import NoSuchSolverError, Solver, SolverNames

from attack.attack import Attack, Case
from attack.puzzles import puzzle_of, question_of, random_puzzle, smaller_puzzles
from encoders import read_dimacs
from satcross import Puzzle
from satcross.puzzle import PREFERENCE
from satcross.solving.proofs import CHECKERS, PROVERS, Formula, check_proof, prove
from satcross.solving.proofs.check import parse_proof
from satcross.solving.proofs.formula import ENCODINGS

Clauses = Sequence[Sequence[int]]

PROGRAM_SECONDS = 60

SAT_PROGRAMS = (
    "cadical",
    "clasp",
    "cryptominisat5",
    "glucose",
    "kissat",
    "lingeling",
    "minisat",
    "picosat",
    "plingeling",
)
"""SAT solvers that take a DIMACS file and exit with 10 (satisfiable) or 20."""

OLD_MAXSAT_PROGRAMS = ("clasp", "toulbar2")
"""MaxSAT solvers that take a WCNF file with a header; ``_OPTIMUM`` finds the cost in the output."""

NEW_MAXSAT_PROGRAMS = ("EvalMaxSAT_bin", "cashwmaxsat", "maxhs", "open-wbo", "uwrmaxsat")
"""MaxSAT solvers that take a WCNF file without a header, as ``satcross encode`` writes it."""

_OPTIMUM = re.compile(r"^o (\d+)|Optimum: (\d+)", re.MULTILINE)

drat_trim = shutil.which("drat-trim")
"""The proof checker of Wetzler, Heule and Hunt; None where it is missing."""


def programs(names: Sequence[str]) -> list[str]:
    """Return those of the programs that are on the PATH."""
    return [name for name in names if shutil.which(name)]


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PROGRAM_SECONDS, check=False
    )


def _formula(case: Case, *, one_model: bool = False) -> Iterator[tuple[str, Formula]]:
    for encoding in ENCODINGS:
        for reduce in (False, True):
            yield (
                f"{encoding}{', reduced' * reduce}",
                Formula(puzzle_of(case), encoding, reduce=reduce, one_model=one_model),
            )


def _solvers(case: Case) -> None:
    """Give the formulas to every SAT solver, and the CP-SAT model to CP-SAT."""
    fills = list(question_of(case).fills())
    for title, formula in _formula(case):
        clauses = [list(clause) for clause in formula.clauses()]
        # MapleSAT crashes on a formula without clauses.
        for name in _pysat_solvers() if clauses else ():
            with Solver(name) as solver:
                for clause in clauses:
                    solver.add_clause(clause)
                satisfiable = all(clauses) and solver.solve()
            assert satisfiable == bool(fills), f"{name} on {title}: {satisfiable}"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "puzzle.cnf")
            with path.open("w", encoding="utf-8") as stream:
                formula.write_dimacs(stream)
            assert read_dimacs(path.read_text("utf-8")) == (formula.variables.count, clauses)
            for name in programs(SAT_PROGRAMS):
                result = _run(name, str(path))
                # clasp adds 20 when it has seen that there are no other models.
                expected = (10, 30) if fills else (20,)
                assert result.returncode in expected, f"{name} on {title}: {result.returncode}"
                model = _model(result.stdout)
                if model:
                    found = _words(path, model)
                    assert found in fills, f"{name} on {title}: {found} is no fill"
    _check_cpsat(Formula(puzzle_of(case)), bool(fills))


@cache
def _pysat_solvers() -> list[str]:
    """Return the names of PySAT's solvers that can be made here."""
    found = []
    for name in vars(SolverNames):
        with suppress(NoSuchSolverError, ModuleNotFoundError), Solver(name):
            found.append(name)
    return found


def _model(output: str) -> list[int]:
    lines = [line[2:] for line in output.splitlines() if line.startswith("v ")]
    return [int(literal) for literal in " ".join(lines).split()]


def _words(path: Path, model: Sequence[int]) -> dict[str, str]:
    """Read the fill of a model by the comments of the formula, as a stranger would."""
    true = {literal for literal in model if literal > 0}
    lines = re.findall(r"^c (\d+) (\d+[AD])=(\w+)$", path.read_text("utf-8"), re.MULTILINE)
    return {slot: word for variable, slot, word in lines if int(variable) in true}


def _check_cpsat(formula: Formula, fillable: bool) -> None:
    from ortools.sat.python import cp_model

    stream = StringIO()
    formula.write_cpsat(stream)
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(stream.getvalue())
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert (status in (cp_model.OPTIMAL, cp_model.FEASIBLE)) == fillable, solver.status_name(status)


def _maxsat(case: Case) -> None:
    """Give the WCNF to every MaxSAT solver, and compare the optimum with brute force."""
    puzzle, fills = puzzle_of(case), list(question_of(case).fills())
    if not puzzle.grid.slots:
        return
    expected = max((_worth(puzzle, fill) for fill in fills), default=None)
    for title, formula in _formula(case):
        if not all(formula.clauses()):
            assert not fills, f"an empty clause in {title}"
            continue
        with tempfile.TemporaryDirectory() as folder:
            path, old = Path(folder, "new.wcnf"), Path(folder, "old.wcnf")
            with path.open("w", encoding="utf-8") as stream:
                formula.write_wcnf(stream)
            text = path.read_text("utf-8")
            [total] = re.findall(
                r"^c The total score of a fill is (-?\d+) less", text, re.MULTILINE
            )
            best = None if expected is None else int(total) - expected
            formula_data = WCNF(from_file=str(path))
            old.write_text(_with_header(formula_data))
            found = _cost(formula_data)  # PySAT's FM may take hours
            assert found == best, f"RC2 on {title}: cost {found}, not {best}"
            for names, file in ((OLD_MAXSAT_PROGRAMS, old), (NEW_MAXSAT_PROGRAMS, path)):
                for name in programs(names):
                    cost = _program_cost(name, file)
                    assert cost == best, f"{name} on {title}: cost {cost}, not {best}"


def _worth(puzzle: Puzzle, fill: Mapping[str, str]) -> int:
    return sum(
        puzzle.vocabulary.score(word) + PREFERENCE * (word in puzzle.preferred)
        for word in fill.values()
    )


def _cost(formula: WCNF) -> int | None:
    with RC2(formula.copy()) as machine:
        try:
            return None if machine.compute() is None else int(machine.cost)
        except TypeError:  # without a model, in PySAT 1.9
            return None


def _with_header(formula: WCNF) -> str:
    top = sum(formula.wght) + 1
    lines = [f"p wcnf {formula.nv} {len(formula.hard) + len(formula.soft)} {top}"]
    lines += [f"{top} {' '.join(map(str, clause))} 0" for clause in formula.hard]
    lines += [
        f"{weight} {' '.join(map(str, clause))} 0"
        for weight, clause in zip(formula.wght, formula.soft, strict=True)
    ]
    return "\n".join(lines) + "\n"


def _program_cost(name: str, path: Path) -> int | None:
    output = _run(name, str(path)).stdout
    if "UNSATISFIABLE" in output or "No solution" in output:
        return None
    found = _OPTIMUM.findall(output)
    if not found and "s SATISFIABLE" in output:  # clasp, without a clause that may be broken
        return 0
    assert found, f"{name} says {output[-300:]}"
    return int("".join(found[-1]))


def _counters(case: Case) -> None:
    """Count the models of the formulas with one model per fill."""
    fills = sum(1 for _ in question_of(case).fills())
    for title, formula in _formula(case, one_model=True):
        clauses = [list(clause) for clause in formula.clauses()]
        if not clauses or not all(clauses):  # some counters crash on these
            assert fills == (not clauses), f"{fills} fills, {len(clauses)} clauses in {title}"
            continue
        for name, counter in COUNTERS.items():
            found = counter(formula.variables.count, clauses)
            assert found == fills, f"{name} counts {found} models of {title}, not {fills}"


_READ = "import json, sys; variables, clauses = json.load(sys.stdin); "

_COUNTING = {
    "pyganak": "from pyganak import Counter; counter = Counter(); counter.new_vars(variables); "
    "counter.add_clauses(clauses); print(counter.count())",
    "pysdd": "from pysdd.sdd import SddManager; "
    "text = f'p cnf {variables} {len(clauses)}\\n'; "
    "text += ''.join(' '.join(map(str, [*clause, 0])) + '\\n' for clause in clauses); "
    "print(SddManager.from_cnf_string(text)[1].global_model_count())",
    "py_d4": "import py_d4; print(py_d4.Solver(clauses, variables).count().getResult())",
}
"""Python package -> program that prints the number of models last.

They print much else, and one that crashes must not take the attack with it.
"""


def _by_package(name: str, variables: int, clauses: Clauses) -> int:
    result = subprocess.run(
        [sys.executable, "-c", _READ + _COUNTING[name]],
        input=json.dumps([variables, [list(clause) for clause in clauses]]),
        capture_output=True,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=True,
    )
    return int(result.stdout.split()[-1])


def _by_enumeration(variables: int, clauses: Clauses) -> int:
    found = 0
    with Solver(bootstrap_with=[*clauses, *([v, -v] for v in range(1, variables + 1))]) as solver:
        while solver.solve():
            found += 1
            solver.add_clause([-literal for literal in solver.get_model()])
    return found


COUNTERS: Mapping[str, Callable[[int, Clauses], int]] = {
    "enumeration": _by_enumeration,
    **{name: partial(_by_package, name) for name in _COUNTING if find_spec(name)},
}


def _unfillable_puzzle(random: Random) -> Case:
    while True:
        case = random_puzzle(random)
        if next(question_of(case).fills(), None) is None:
            return case


def _proofs(case: Case) -> None:
    """Give the proof of every prover to every checker, and to drat-trim if it is there."""
    formula = Formula(puzzle_of(case), Random(case["seed"]).choice(ENCODINGS))
    if next(question_of(case).fills(), None) is not None:
        return
    clauses = [list(clause) for clause in formula.clauses()]
    for prover in PROVERS:
        if formula.encoding != "full" and prover == PROVERS[0]:
            continue  # its lemmas are about letters
        proof = prove(formula, prover)
        assert proof is not None
        text = "\n".join(proof.lines) + "\n"
        for checker in CHECKERS:
            checked = check_proof(
                formula.variables.count, clauses, parse_proof("proof", text), checker=checker
            )
            assert checked.valid, f"{checker} refuses the proof by {prover}: {checked.reason}"
        if drat_trim and all(clauses):
            _check_by_drat_trim(formula, prover, text)


def _check_by_drat_trim(formula: Formula, prover: str, proof: str) -> None:
    assert drat_trim is not None
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("puzzle.cnf", "puzzle.drat")]
        with paths[0].open("w", encoding="utf-8") as stream:
            formula.write_dimacs(stream)
        paths[1].write_text(proof)
        output = _run(drat_trim, *map(str, paths)).stdout
    assert "s VERIFIED" in output, f"drat-trim refuses the proof by {prover}: {output[-300:]}"


ATTACKS: Mapping[str, Attack] = {
    "solvers": Attack(random_puzzle, _solvers, smaller_puzzles),
    "maxsat": Attack(random_puzzle, _maxsat, smaller_puzzles),
    "counters": Attack(random_puzzle, _counters, smaller_puzzles),
    "proofs": Attack(_unfillable_puzzle, _proofs, smaller_puzzles),
}
