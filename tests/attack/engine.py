"""Random puzzles with every rule: compiled code against the search in Python and brute force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from attack.attack import Attack, Case
from attack.puzzles import puzzle_of, question_of, random_puzzle, smaller_puzzles
from satcross import Status
from satcross.backends.base import Task, Words
from satcross.backends.letter_tables import LetterSettings
from satcross.backends.letters import LetterSearch
from satcross.backends.search import SearchSettings
from satcross.backends.search.cell_sweep import CellSweep
from satcross.backends.search.portfolio import Portfolio
from satcross.backends.search.search import Search
from satcross.network.arc_consistency import arc_consistent, compacted
from satcross.network.belief_propagation import Marginals
from satcross.run_settings import Deadline
from satcross.verify import verify

_MAX_DECISIONS = 5000


def _engine(case: Case) -> None:
    """Compiled code against the search in Python, decision by decision, and every fill."""
    question, random = question_of(case), Random(case["seed"])
    puzzle = puzzle_of(case)
    expected = sorted(
        tuple(fill[slot.name] for slot in puzzle.grid.slots) for fill in question.fills()
    )
    candidates = arc_consistent(puzzle)
    if candidates.infeasible or not puzzle.grid.slots:
        assert len(expected) == (not candidates.infeasible), "arc consistency is wrong"
        return
    if Portfolio.sweeps(candidates):
        sweep = CellSweep(candidates)
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
        Search(candidates, seed=case["seed"], settings=settings, marginals=marginals, compiled=how)
        for how in (False, True)
    )
    assert compiled.is_compiled, "the puzzle is not covered by compiled code"
    found, is_over = follow(reference, compiled, _MAX_DECISIONS)
    if is_over:
        assert sorted(found) == expected, f"{len(found)} fills, not {len(expected)}"


def follow(reference: Search, compiled: Search, decisions: int) -> tuple[list[Words], bool]:
    """Take the same decisions in both searches; return the fills, and whether it is over."""
    found = list[Words]()
    for decision in range(decisions):
        status, theirs = (search.run(Deadline(), 1) for search in (reference, compiled))
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
            return found, True
    return found, False


def _letters(case: Case) -> None:
    """Clause learning on letters: every way to give the crossings letters, against brute force."""
    random, puzzle = Random(case["seed"]), puzzle_of(case)
    candidates = arc_consistent(puzzle)
    if candidates.infeasible or not puzzle.grid.slots:
        return
    if random.random() < 0.5:
        candidates = compacted(candidates)
    slots, links = puzzle.grid.slots, candidates.network.links

    def crossed(words: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            words[slot][position]
            for slot, crossed_by in enumerate(links)
            for _, position, *_ in crossed_by
        )

    expected = {crossed([fill[slot.name] for slot in slots]) for fill in question_of(case).fills()}
    settings = LetterSettings(
        restart_unit=random.choice((1, 2, 100)),
        reduce_every=random.choice((1, 3, 2000)),
        reduce_later=random.choice((0, 1, 300)),
        decay=random.choice((0.5, 0.95)),
        weight_decay=random.choice((0.5, 0.999)),
    )
    task = Task(candidates, seed=case["seed"])
    search = LetterSearch.begin(task, candidates, settings)
    if search is None:
        return
    found = set()
    while (status := search.run(1)) is not Status.UNFILLABLE:
        if status is Status.FILLED:
            assert search.words is not None
            names = (slot.name for slot in slots)
            errors = verify(puzzle, dict(zip(names, search.words, strict=True)))
            assert not errors, f"{search.words}: {errors}"
            letters = crossed(search.words)
            assert letters not in found, f"{search.words} again"
            found.add(letters)
            search.exclude()
    assert found == expected, f"{len(found)} combinations of letters, not {len(expected)}"


ATTACKS: Mapping[str, Attack] = {
    "engine": Attack(random_puzzle, _engine, smaller_puzzles),
    "letters": Attack(random_puzzle, _letters, smaller_puzzles),
}
