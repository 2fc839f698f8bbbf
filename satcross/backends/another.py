"""Another solution of an instance beside one that is known, or a proof that there is none.

The puzzles of ``satcross.make.puzzles`` are proved to have one solution by both functions: clause
learning on the support encoding, and CP-SAT.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pysat.solvers import Solver

from encoders import Cell, CpSatEncoding, Instance, generate
from encoders.cpsat import BooleanModel
from satcross.backends.cp_solver import CpResult, CpSettings, solve_model
from satcross.backends.registry import DEFAULT_SOLVER
from satcross.backends.sat.solver import SLICE_CONFLICTS, add_clauses, ask
from satcross.run_settings import Deadline, TimeUp


def another_by_sat(
    instance: Instance, known: Sequence[str], deadline: Deadline
) -> list[str] | None:
    """Return the words of a solution other than ``known``; None when it is the only one.

    ``known`` has one word per slot, or none to find any solution. Raises TimeUp at the deadline.
    """
    clauses, encoding = generate(instance, deadline.check)
    with Solver(name=DEFAULT_SOLVER) as solver:
        add_clauses(clauses, solver, deadline)
        if known:
            own = zip(encoding.words, known, strict=True)
            solver.add_clause([-words[word] for words, word in own])
        while (satisfiable := ask(solver, [], SLICE_CONFLICTS)) is None:
            deadline.check()
        return encoding.decode(solver.get_model()) if satisfiable else None


def another_by_cpsat(
    instance: Instance,
    known: Sequence[str],
    deadline: Deadline,
    sizes: Mapping[Cell, int] | None = None,
) -> list[str] | None:
    """Do the same by CP-SAT; with ``sizes``, return the solution that differs least from ``known``.

    ``sizes`` has what a difference counts in each cell of the instance.
    """
    model = CpSatEncoding(instance, deadline.check)
    if known:
        own = zip(model.words, known, strict=True)
        model.at_least_one([-words[word] - 1 for words, word in own])
    if known and sizes:
        _minimise_differences(model, known, sizes)
    found = _solved(model, deadline)
    return None if found.infeasible else model.decode(found.is_true)


def _minimise_differences(
    model: CpSatEncoding, known: Sequence[str], sizes: Mapping[Cell, int]
) -> None:
    objective = model.proto.objective
    letters = {
        cell: letter
        for cells, word in zip(model.instance.slots, known, strict=True)
        for cell, letter in zip(cells, word, strict=True)
    }
    for cell, variables in model.letters.items():
        objective.vars.append(variables[letters[cell]])
        objective.coeffs.append(-sizes[cell])
    for cells, words in zip(model.instance.slots, model.words, strict=True):
        unchecked = [(n, cell) for n, cell in enumerate(cells) if cell not in model.letters]
        for word, variable in words.items():
            differing = sum(sizes[cell] for n, cell in unchecked if word[n] != letters[cell])
            if differing:
                objective.vars.append(variable)
                objective.coeffs.append(differing)


def cheapest_hitting_set(sets: Iterable[Iterable[int]], costs: Sequence[int]) -> list[int]:
    """Return the items, by number, that have one of each set and cost as little as possible.

    ``costs`` has the cost of each item, positive.
    """
    model = BooleanModel()
    items = model.booleans(len(costs))
    for hit in sets:
        model.at_least_one([items[item] for item in hit])
    model.proto.objective.vars.extend(items)
    model.proto.objective.coeffs.extend(costs)
    found = _solved(model, Deadline())
    return [item for item in items if found.is_true(item)]


def _solved(model: BooleanModel, deadline: Deadline) -> CpResult:
    found = solve_model(model.proto, deadline, CpSettings())
    if not (found.infeasible or found.optimal):
        raise TimeUp
    return found
