"""Counting fills: every method against brute force."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from helpers import DATA, example, load_grid, load_words
from hypothesis import event, given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, possible_puzzles, puzzle_of_random_words, small_puzzles

from satcross import Grid, InternalError, Puzzle, UnavailableError, Vocabulary, count
from satcross.backends.base import Tally, Task
from satcross.backends.cpsat import CpSat
from satcross.backends.registry import backends_that, get_counting_backend
from satcross.backends.search import component_count
from satcross.backends.search.cell_sweep import CellSweep
from satcross.backends.search.component_count import ComponentCount
from satcross.backends.search.enumerate import FillEnumerator
from satcross.backends.search.portfolio import Portfolio
from satcross.network.arc_consistency import Candidates, arc_consistent, bits, compacted
from satcross.run_settings import Deadline
from satcross.solving.count import cross_count

COUNTING = backends_that("count")

# Regions that are connected only by words they could share, and unchecked cells.
APART = (
    ["___#___", "#_###_#", "#_###_#"],
    ["___", "_#_", "___", "###", "___", "_#_", "___"],
    ["___#___#___"],
    ["__#__", "__#__"],
    ["___#__", "_##___", "_#_#__"],
    ["____", "###_", "____", "####", "____"],
    ["_____", "_#_#_", "#####", "_#_#_", "_____"],
    ["__#__#__", "__#_##_#", "########", "__#__#__"],
)


def count_in_every_way(candidates: Candidates) -> dict[str, int | None]:
    """Return the count of each method, each run to its end, in small turns where possible."""
    found: dict[str, int | None] = {}
    if candidates.network.word_rules.plain:
        parts = ComponentCount(candidates)
        found["parts"] = parts.run(Deadline(), 10**9)
        found["parts' floor"] = parts.floor
        again = ComponentCount(candidates)
        budget = 1
        while (number := again.run(Deadline(), budget)) is None:
            budget *= 2
        found["parts in turns"] = number
    if Portfolio.sweeps(candidates):
        sweep = CellSweep(candidates)
        while not sweep.count_on(Deadline(), 7):
            pass
        found["sweep"] = sweep.count
    return found


@settings(max_examples=150)
@given(possible_puzzles())
def test_every_way_to_count_agrees_with_brute_force(small: SmallPuzzle) -> None:
    truth = small.truth()
    event(f"{min(len(truth), 3)} fills or more")
    candidates = arc_consistent(small.puzzle)
    assert set(count_in_every_way(candidates).values()) <= {len(truth)}
    listed = FillEnumerator(candidates)
    while not listed.complete:
        listed.run(Deadline(), 5)
    assert sorted(listed.fills) == truth


@given(small_puzzles(), st.randoms(use_true_random=False))
def test_a_part_of_the_candidates_is_counted_right(small: SmallPuzzle, random: Random) -> None:
    candidates = arc_consistent(small.puzzle)
    state = candidates.root.copy()
    for slot, domain in enumerate(state.domains):
        state.domains[slot] = sum(1 << index for index in bits(domain) if random.random() < 0.8)
        state.sizes[slot] = state.domains[slot].bit_count()
    slots = range(len(state.sizes))
    if candidates.infeasible or 0 in state.sizes or candidates.network.propagate(state, slots):
        return
    part = Candidates(candidates.network, state)
    possible = [set(part.words(slot)) for slot in slots]
    truth = sum(
        all(word in words for word, words in zip(fill, possible, strict=True))
        for fill in small.truth()
    )
    for counted in (part, compacted(part)):
        assert get_counting_backend("backtrack").count(Task(counted)).count == truth
    with pytest.raises(ValueError, match="compacted"):
        ComponentCount(compacted(part))


@settings(max_examples=100)
@given(small_puzzles())
def test_backends_agree_with_brute_force(small: SmallPuzzle) -> None:
    truth = small.truth()
    for backend in COUNTING:
        result = count(small.puzzle, backend)
        assert (result.count, result.exact, result.reason) == (len(truth), True, ""), backend
        candidates = arc_consistent(small.puzzle)
        if candidates.infeasible:
            continue
        task = Task(candidates)
        some = get_counting_backend(backend).several(task, 2).fills
        assert len(set(some)) == len(some) == min(2, len(truth))
        assert set(some) <= set(truth)
        listing = get_counting_backend(backend).several(task, len(truth) + 1)
        assert sorted(listing.fills) == truth
        assert listing.complete


SQUARES = (
    ["__", "__"],
    ["___", "___", "___"],
    ["____", "____", "____", "____"],
    ["#__", "___", "___"],
    ["___#", "____", "____", "#___"],
)
"""Grids whose fills may be mirrored."""


@pytest.mark.parametrize("rows", [*APART, *SQUARES], ids="/".join)
def test_regions_that_share_words_and_mirrored_fills(rows: list[str]) -> None:
    """Counts of regions may not simply be multiplied, because all words must differ."""
    for seed in range(24):
        number = range(3, 12) if rows in SQUARES else range(1, 9)
        puzzle, fills = puzzle_of_random_words(rows, "AB", number, Random(seed))
        candidates = arc_consistent(puzzle)
        assert not (candidates.infeasible and fills), seed
        if not candidates.infeasible:
            assert set(count_in_every_way(candidates).values()) <= {len(fills)}, seed
            assert count(puzzle, "sat").count == len(fills), seed


def test_counts_are_right_when_parts_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(component_count, "MAX_KEPT", 3)
    for seed in range(12):
        puzzle, fills = puzzle_of_random_words(APART[seed % 6], "AB", range(2, 7), Random(seed))
        candidates = arc_consistent(puzzle)
        if not candidates.infeasible:
            assert ComponentCount(candidates).run(Deadline(), 10**9) == len(fills), seed


def test_more_fills_than_could_be_listed() -> None:
    words = [a + b + c for a in "ABCDEFGHIJ" for b in "ABCDEFGHIJ" for c in "ABCDEFGHIJ"]
    puzzle = Puzzle(Grid.from_rows(["___#___", "_#_#_#_"]), Vocabulary(words[:900]))
    assert count(puzzle).reason == ""
    wide = Puzzle(Grid.from_rows(["___#___#___#___#___"]), Vocabulary(words))
    assert count(wide).count == 1000 * 999 * 998 * 997 * 996
    assert count(wide, "sat").count == 1000 * 999 * 998 * 997 * 996


@pytest.mark.parametrize("backend", COUNTING)
def test_enough_is_enough(backend: str) -> None:
    puzzle = Puzzle(Grid.from_rows(["___#___"]), Vocabulary(["CAT", "DOG", "EMU"]))
    result = count(puzzle, backend, enough=3)
    assert 3 <= result.count <= 6
    assert result.at_least(3)
    assert count(puzzle, backend, enough=7).at_least(7) is False
    with pytest.raises(ValueError, match="at least 1"):
        count(puzzle, backend, enough=0)


@pytest.mark.parametrize("backend", COUNTING)
def test_a_time_limit_gives_a_lower_bound(backend: str, default_vocabulary: Vocabulary) -> None:
    if backend in ("sat", "cpsat"):  # which list 38 million fills one by one
        puzzle = example(2, 2)
    else:
        puzzle = Puzzle(load_grid(DATA / "grids" / "9x9-a.txt"), default_vocabulary)
    # Without the limit this takes hours or years, and pytest-timeout ends the test.
    result = count(puzzle, backend, time_limit=0.5)
    assert not result.exact
    assert result.reason == "time limit"
    assert result.at_least(10**40) is None


@pytest.mark.parametrize("backend", COUNTING)
def test_an_interruption_gives_a_lower_bound(backend: str) -> None:
    puzzle = Puzzle(
        load_grid(DATA / "grids" / "13x13-lattice.txt"), load_words(DATA / "words2.txt")
    )
    seen: list[str] = []

    def interrupt(line: str) -> None:
        seen.append(line)
        if len(seen) == 2:
            raise KeyboardInterrupt

    result = count(puzzle, backend, on_progress=interrupt)
    assert (result.exact, result.reason) == (False, "interrupted")
    reported = int(seen[0].split()[-2].replace(",", ""))  # "...: at least 1,234 fills"
    assert result.count >= reported


@pytest.mark.parametrize("backend", COUNTING)
def test_no_slot(backend: str) -> None:
    assert count(Puzzle(Grid.from_rows(["_#_"]), Vocabulary(["CAT"])), backend).count == 1


def test_a_disagreement_is_loud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(CpSat, "count", lambda *_: Tally(1, True))
    puzzle = Puzzle(Grid.from_rows(["___"]), Vocabulary(["CAT", "DOG"]))
    for backends, enough in ((["backtrack", "cpsat"], None), (["cpsat", "sat"], 2)):
        with pytest.raises(InternalError, match="cpsat: 1") as error:
            cross_count(puzzle, backends, enough=enough)
        report = json.loads(Path(error.value.report.split(" is in ")[1]).read_text())
        assert report["rows"] == ["___"]


def test_who_cannot_count_says_so_before_anything_starts() -> None:
    puzzle = Puzzle(Grid.from_rows(["___"]), Vocabulary(["CAT"]))
    begun: list[str] = []
    with pytest.raises(UnavailableError, match="letters can't count or list fills"):
        cross_count(puzzle, ["backtrack", "letters"], on_progress=begun.append)
    assert not begun
