"""The compiled search against the one in Python, decision by decision."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event

import pytest
from attack.engine import follow
from helpers import DATA, load_grid
from hypothesis import event, given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, possible_puzzles

from satcross import Puzzle, Status, Vocabulary, solve
from satcross.backends.search import SearchSettings
from satcross.backends.search.search import Search
from satcross.network.arc_consistency import Candidates, arc_consistent, compacted
from satcross.network.belief_propagation import Marginals
from satcross.run_settings import Deadline


@settings(max_examples=150)
@given(
    possible_puzzles(),
    st.integers(0, 2**31),
    st.sampled_from(
        [
            SearchSettings(),
            SearchSettings(restart_after=1, restart_growth=1.3, letters_every=2, many=1),
            SearchSettings(restart_after=2, restart_growth=2, letters_every=1, many=1, sample=2),
            SearchSettings(restart_after=1, growing_fast_after=3, sample=1, preferring=2),
        ]
    ),
    st.booleans(),
    st.booleans(),
)
def test_decision_by_decision(
    small: SmallPuzzle,
    seed: int,
    chosen: SearchSettings,
    is_compacted: bool,
    is_guided: bool,
) -> None:
    candidates = arc_consistent(small.puzzle)
    if is_compacted:
        candidates = compacted(candidates)
    reference = Search(candidates, seed=seed, settings=chosen, compiled=False)
    compiled = Search(candidates, seed=seed, settings=chosen)
    assert compiled.is_compiled
    if is_guided:
        estimate = Marginals(candidates)
        reference.guide(estimate)
        compiled.guide(estimate)
    fills, _ = follow(reference, compiled, 2000)
    draw = Random(seed).getrandbits
    some = [domain & draw(domain.bit_length()) or domain for domain in candidates.root.domains]
    conflict = reference.again(some)
    assert tuple(compiled.again(some)) == tuple(conflict)
    if not conflict:
        fills += follow(reference, compiled, 500)[0]
    if reference.words is not None:
        _refill(reference, compiled, candidates, Random(seed))
    event(f"fills: {min(len(fills), 3)}")


def _refill(reference: Search, compiled: Search, candidates: Candidates, random: Random) -> None:
    """Check that some slots of a fill are filled anew in the same way, time and again."""
    assert reference.words is not None
    lexicons, slots = candidates.network.lexicons, range(len(reference.words))
    kept = [lexicon.bit_of(word) for lexicon, word in zip(lexicons, reference.words, strict=True)]
    for _ in range(4):
        opened = {slot for slot in slots if random.random() < 0.5}
        domains = [candidates.root.domains[at] if at in opened else kept[at] for at in slots]
        for slot in opened:
            if random.random() < 0.3:
                domains[slot] &= ~kept[slot]
        failed = bool(reference.again(domains))
        assert bool(compiled.again(domains, opened)) is failed
        if not failed:
            status = reference.run(Deadline(), 200)
            assert compiled.run(Deadline(), 200) is status
            assert compiled.stats == reference.stats
            assert status is not Status.FILLED or compiled.words == reference.words


@pytest.mark.parametrize("grid", ["15x15-78", "15x15-76", "9x9-a"])
def test_real_grids_take_the_same_way(default_vocabulary: Vocabulary, grid: str) -> None:
    candidates = arc_consistent(
        Puzzle(load_grid(DATA / "grids" / f"{grid}.txt"), default_vocabulary)
    )
    seed = Random(grid).getrandbits(20)
    reference, compiled = (Search(candidates, seed=seed, compiled=how) for how in (False, True))
    for _ in range(12):
        status = reference.run(Deadline(), 100)
        assert compiled.run(Deadline(), 100) is status
        assert compiled.stats == reference.stats
        assert compiled.current == reference.current
        if status is not Status.UNKNOWN:
            assert compiled.words == reference.words
            break


def test_threads_search_at_once(default_vocabulary: Vocabulary) -> None:
    """Each finds what it finds alone; one is cut short by its deadline, one by another thread."""
    grids = [load_grid(DATA / "grids" / f"{name}.txt") for name in ("15x15-78", "9x9-a")]
    puzzles = [Puzzle(grid, default_vocabulary) for grid in grids]
    hopeless = Puzzle(load_grid(DATA / "grids" / "15x15-66.txt"), default_vocabulary, min_score=60)

    def fill(puzzle: Puzzle) -> object:
        return solve(puzzle, "backtrack", workers=1, seed=3, options={"narrowing": "none"}).fill

    alone = [fill(puzzle) for puzzle in puzzles]
    over = Event()
    with ThreadPoolExecutor(4) as threads:
        cut = [
            threads.submit(solve, hopeless, "backtrack", workers=1, **limit)
            for limit in ({"time_limit": 0.3}, {"time_limit": 60, "should_stop": over.is_set})
        ]
        found = list(threads.map(fill, puzzles))
        over.set()
        assert found == alone
        assert {one.result().status for one in cut} <= {Status.UNKNOWN, Status.UNFILLABLE}
