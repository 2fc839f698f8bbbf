"""Random puzzles with every rule: compiled code against the search in Python and brute force."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from random import Random

from attack.attack import Attack, Case
from attack.puzzles import puzzle_of, question_of, random_puzzle, smaller_puzzles
from satcross import Status
from satcross.backends.search import kernel_loader
from satcross.backends.search import search as search_module
from satcross.backends.search.cell_sweep import CellSweep
from satcross.backends.search.row_sweep import Sweep
from satcross.backends.search.search import Search
from satcross.backends.search.search_state import SearchSettings
from satcross.deadline import Deadline
from satcross.network.arc_consistency import arc_consistent, compacted
from satcross.network.belief_propagation import Marginals

_MAX_DECISIONS = 5000
_NEVER = 10**9
"""Decisions after which compiled code takes over where it never should."""


def _kernel(case: Case) -> None:
    """Compiled code against the search in Python, decision by decision, and every fill."""
    kernel = kernel_loader.compile_now()
    assert kernel is not None, "no compiled code: is numba installed, and a cache directory there?"
    question, random = question_of(case), Random(case["seed"])
    puzzle = puzzle_of(case)
    expected = sorted(
        tuple(fill[slot.name] for slot in puzzle.grid.slots) for fill in question.fills()
    )
    candidates = arc_consistent(puzzle)
    if candidates.infeasible or not puzzle.grid.slots:
        assert len(expected) == (not candidates.infeasible), "arc consistency is wrong"
        return
    if Sweep.suits(candidates) and CellSweep.suits(candidates):
        sweep = CellSweep(kernel, candidates)
        assert sweep.count_on(Deadline(), 10**9), "the sweep does not end"
        assert sweep.count == len(expected), f"{sweep.count} fills swept, not {len(expected)}"
    if random.random() < 0.5:
        candidates = compacted(candidates)
    settings = SearchSettings(
        restart_after=random.choice((1, 2, 100)),
        restart_growth=random.choice((1.1, 2)),
        growing_fast_after=random.choice((0, 3, 45)),
        letters_every=random.choice((1, 2, 3)),
        many=random.choice((1, 20)),
        sample=random.choice((1, 2, 100)),
        preferring=random.choice((0, 2, 10)),
    )
    marginals = Marginals(candidates) if random.random() < 0.5 else None
    reference, compiled = (
        Search(candidates, seed=case["seed"], settings=settings, marginals=marginals)
        for _ in range(2)
    )
    compiled_after = random.choice((0, 0, 3, 20))
    found = []
    for decision in range(_MAX_DECISIONS):
        status = _decide(reference, _NEVER)
        theirs = _decide(compiled, compiled_after)
        assert theirs is status, f"decision {decision}: {theirs}, not {status}"
        assert compiled.stats == reference.stats, f"decision {decision}: {compiled.stats}"
        if status is not Status.UNFILLABLE:
            assert compiled.current == reference.current, f"decision {decision}: other candidates"
        if status is Status.FILLED:
            assert compiled.words == reference.words, f"decision {decision}: another fill"
            assert compiled.words is not None
            found.append(compiled.words)
            more = reference.leave()
            assert compiled.leave() is more, f"decision {decision}: more fills: {more}"
            status = status if more else Status.UNFILLABLE
        if status is Status.UNFILLABLE:
            assert sorted(found) == expected, f"{len(found)} fills, not {len(expected)}"
            return


def _decide(search: Search, compiled_after: int) -> Status:
    """One decision, in compiled code from so many on."""
    before = search_module.KERNEL_AFTER
    search_module.KERNEL_AFTER = compiled_after
    try:
        status = search.run(Deadline(), 1)
    finally:
        search_module.KERNEL_AFTER = before
    assert compiled_after or search.is_compiled, "the puzzle is not covered by compiled code"
    return status


ATTACKS: Mapping[str, Attack] = (
    {}
    if find_spec("numba") is None
    else {"kernel": Attack(random_puzzle, _kernel, smaller_puzzles)}
)
"""Without numba there is no compiled code to attack."""
