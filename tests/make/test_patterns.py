"""Grids meet their demands, and demands reported as impossible are impossible."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from itertools import count
from operator import and_, or_
from random import Random

import pytest
from helpers import PATIENCE
from make import plain

from satcross.grid import ACROSS, DOWN
from satcross.make import (
    Demands,
    MadeGrid,
    Style,
    Symmetry,
    default_words,
    find_relaxations,
    make_grids,
)
from satcross.make.pattern import fillable
from satcross.make.pattern.american import Found, PatternSearch, shares, steps
from satcross.make.pattern.annealing import Lines
from satcross.make.pattern.demands import Pattern, count_any
from satcross.make.pattern.report import find_advice, why_none
from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.run_settings import ignore_progress
from satcross.verify import verify
from satcross.vocabulary import Vocabulary


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch, quickly_made_grids: None) -> None:
    """What is proved must not depend on how busy the machine is."""
    monkeypatch.setattr(fillable, "_RELAXATION_SECONDS", float(PATIENCE))


@pytest.fixture
def brief_annealing(monkeypatch: pytest.MonkeyPatch) -> None:
    """CP-SAT tries all small patterns afterwards."""
    monkeypatch.setattr(PatternSearch, "_steps", lambda _, usual: usual // 10)


def make_one(demands: Demands, vocabulary: Vocabulary | None = None, seed: int = 0) -> MadeGrid:
    [one] = make_grids(demands, vocabulary, seed=seed).grids
    return one


def words_of(one: MadeGrid, vocabulary: Vocabulary, min_score: int | None = None) -> set[str]:
    """Return the words of a grid's fill, which is verified."""
    assert one.outcome is not None
    assert one.outcome.fill is not None
    puzzle = Puzzle(one.grid, vocabulary, one.locks, min_score=min_score)
    assert verify(puzzle, one.outcome.fill) == []
    return set(one.outcome.fill.values())


def usual(height: int, width: int) -> Demands:
    return Demands(height, width, default_words(Style.AMERICAN, height, width))


@pytest.mark.parametrize(
    "demands",
    [
        Demands(9, 11, (30, 40), max_length=9),
        Demands(9, 9, (24, 34), symmetry=Symmetry.MIRROR),
        *(usual(3, 3), usual(3, 4), usual(4, 4), usual(5, 6), usual(6, 6)),
    ],
)
def test_american(demands: Demands) -> None:
    rows = make_one(demands, seed=6).pattern.rows
    assert [len(row) for row in rows] == [demands.width] * demands.height
    is_mirrored = demands.symmetry is Symmetry.MIRROR
    assert list(rows) == ([row[::-1] for row in rows] if is_mirrored else plain.half_turn(rows))
    assert plain.in_one_piece(rows)
    assert all(3 <= len(run) <= (demands.max_length or 99) for run in plain.runs(rows))
    assert demands.words[0] <= len(plain.words(rows)) <= demands.words[1]


@pytest.mark.parametrize("size", [8, 11, 13])
def test_british(size: int) -> None:
    words = (4, 20) if size == 8 else default_words(Style.BRITISH, size, size)
    one = make_one(Demands(size, size, words, style=Style.BRITISH))
    rows, marks = one.pattern.rows, plain.marks(one.grid)
    assert plain.half_turn(rows) == list(rows)
    assert plain.in_one_piece(rows)
    assert all(len(word) >= 3 for word in marks)
    assert all("uu" not in word and word.count("c") >= len(word) // 2 for word in marks)
    unchecked = sum(word.count("u") for word in marks) / sum(map(len, marks))
    assert size % 2 == 0 or 0.35 < unchecked < 0.65


@pytest.mark.parametrize("size", [(3, 5), (4, 4)])
def test_every_barred_pattern_is_found(size: tuple[int, int]) -> None:
    every = plain.barred_patterns(*size)
    result = make_grids(Demands(*size, (2, 20), style=Style.BARRED), None, number=len(every) + 1)
    assert result.complete
    assert Counter(one.grid.bars for one in result.grids) == Counter(every)


def test_a_barred_grid_with_entries(default_vocabulary: Vocabulary) -> None:
    entries, places = ("SOLVERS", "GRID"), {"GRID": (DOWN, (1, 2))}
    across = Demands(6, 7, (8, 30), entries=entries, places=places)
    demands = replace(across, style=Style.BARRED, symmetry=Symmetry.MIRROR)
    one = make_one(demands, default_vocabulary, seed=1)
    assert plain.is_barred(one.grid)
    mirrored = {tuple(sorted((r, 6 - c) for r, c in bar)) for bar in one.grid.bars}
    assert mirrored == one.grid.bars
    assert set(entries) <= words_of(one, default_vocabulary)
    placed = {one.locks.get(slot.name): slot for slot in one.grid.slots}
    assert (placed["GRID"].cells[0], placed["GRID"].direction) == ((1, 2), DOWN)


@pytest.mark.usefixtures("brief_annealing")
@pytest.mark.parametrize(("height", "width", "words"), [(5, 5, (8, 12)), (4, 6, (2, 20))])
def test_make_grids_finds_every_pattern(height: int, width: int, words: tuple[int, int]) -> None:
    every = plain.american_patterns(height, width, *words)
    result = make_grids(Demands(height, width, words), None, number=len(every) + 5)
    assert result.complete
    assert Counter(one.pattern.rows for one in result.grids) == Counter(every)


def test_a_seed_determines_the_grids() -> None:
    demands = Demands(9, 9, (26, 34))  # of which there are thousands

    def rows(seed: int) -> list[tuple[str, ...]]:
        result = make_grids(demands, None, number=2, seed=seed)
        return [one.pattern.rows for one in result.grids]

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)


def test_entries_of_a_length_are_in_opposite_slots(default_vocabulary: Vocabulary) -> None:
    entries = ("CROSSWORD", "SOLUTIONS", "GRIDS")
    one = make_one(Demands(9, 9, (24, 34), entries=entries), default_vocabulary)
    assert set(entries) <= set(plain.words(one.pattern.rows_with_entries()))
    placements = {place.word: place for place in one.pattern.placements}
    turned = {(8 - row, 8 - column) for row, column in placements["CROSSWORD"].cells}
    assert set(placements["SOLUTIONS"].cells) == turned
    middle = set(placements["GRIDS"].cells)
    assert {(8 - row, 8 - column) for row, column in middle} == middle
    assert set(entries) <= words_of(one, default_vocabulary)


@pytest.mark.parametrize(
    ("demands", "helps"),
    [
        (Demands(5, 5, (4, 4)), "more words"),
        (Demands(4, 4, (2, 2), style=Style.BARRED), "more words"),
        (Demands(5, 5, (10, 12), max_blocks=1, max_length=4), "longer words"),
        (Demands(5, 5, (2, 30), max_blocks=0, entries=("ABCD",)), "leaving out ABCD"),
    ],
)
def test_demands_that_contradict_each_other(demands: Demands, helps: str) -> None:
    result = make_grids(demands, None)
    assert (result.grids, result.complete, result.patterns_exist) == ((), True, False)
    advice = find_advice(demands, result, ignore_progress)
    assert helps in advice
    assert f"With one change it is possible: {', or '.join(advice)}." in why_none(
        demands, result, advice
    )


SQUARE = Demands(3, 3, (6, 6))
SPELLED = replace(SQUARE, entries=("ABC", "DEF", "GHI"))
LONGER = Demands(3, 4, (7, 7), entries=("ABCD", "EFGH", "IJKL"))


@pytest.mark.usefixtures("brief_annealing")
@pytest.mark.parametrize(
    ("demands", "listed", "is_made"),
    [
        (SQUARE, "CAT DOG EMU", False),
        (SQUARE, "ABC DEF GHI ADG BEH CFI", True),
        (Demands(5, 5, (8, 12)), "CAT DOG EMU HOUSE", False),
        (SPELLED, "ABC DEF GHI XYZ", False),  # it spells other words
        (SPELLED, "ABC DEF GHI ADG BEH CFI", True),
        (LONGER, "AEI BFJ CGK DHL", True),  # of a length that the list lacks
    ],
)
def test_a_pattern_is_filled_or_proved_unfillable(
    demands: Demands, listed: str, is_made: bool
) -> None:
    vocabulary = Vocabulary(listed.split())
    result = make_grids(demands, vocabulary)
    assert bool(result.grids) == is_made
    assert is_made or (result.complete, result.patterns_exist) == (True, True)
    assert all(words_of(one, vocabulary) for one in result.grids)


def test_a_theme_becomes_finished_grids(default_vocabulary: Vocabulary) -> None:
    entries = ("CROSSES", "SOLVERS")
    demands = Demands(
        11, 11, (36, 46), entries=entries, max_blocks=26, places={"SOLVERS": (ACROSS, (3, 0))}
    )
    result = make_grids(demands, default_vocabulary, min_score=50, number=2, seed=1)
    assert len({one.grid.rows for one in result.grids}) == 2
    for one in result.grids:
        rows = one.pattern.rows
        assert plain.half_turn(rows) == list(rows)
        assert min(map(len, plain.runs(rows))) >= 3
        assert sum(row.count("#") for row in rows) <= 26
        assert one.pattern.rows_with_entries()[3].startswith("SOLVERS#")
        assert set(entries) <= words_of(one, default_vocabulary, 50)


@pytest.mark.parametrize("symmetry", [Symmetry.MIRROR, Symmetry.NONE])
def test_entries_under_other_symmetries(symmetry: Symmetry) -> None:
    words = Vocabulary([a + b + c for a in "ABCD" for b in "ABCD" for c in "ABCD"])
    demands = Demands(3, 3, (6, 6), entries=("ABC", "CDA"), symmetry=symmetry)
    assert {"ABC", "CDA"} <= words_of(make_one(demands, words), words)


def test_the_best_of_several_grids_around_entries_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        Found(Pattern(("_" * 11,) * 10 + ("#" * cost + "_" * (11 - cost),), ()), None, cost)
        for cost in (5, 1, 3)
    ]
    monkeypatch.setattr(PatternSearch, "grids", lambda _: iter(found))
    monkeypatch.setattr(fillable, "_LOOKED_AT", 2)
    demands = Demands(11, 11, (38, 48), entries=("ABC",))
    result = make_grids(demands, Vocabulary(["ABC"]), number=2)
    assert [one.pattern for one in result.grids] == [found[1].pattern, found[2].pattern]


def test_what_all_sets_of_blocks_of_a_line_have_in_common() -> None:
    random = Random(0)
    for size in range(3, 14):
        line = Lines(Demands(size, size, (2, 30)), count_any).line((None,) * size, ())
        for _ in range(50):
            blocked, opened = (random.getrandbits(size) & random.getrandbits(size) for _ in "ab")
            legal = line.legal(blocked & ~opened, opened, random)
            common = (reduce(and_, legal), reduce(or_, legal)) if legal else None
            assert line.common(blocked & ~opened, opened) == common


def test_symmetry_is_given_up_only_where_it_may_be() -> None:
    scored = Vocabulary({"ABCDEFGHIJK": 60, "DEF": 45, "GHI": 10})
    themed = Demands(15, 15, (70, 78), entries=("DEF",))
    loosened = [step.loosened for step in steps(themed, scored, None)]
    assert sum("a pattern without symmetry" in each for each in loosened) == 1
    assert sum("left-right symmetry" in each for each in loosened) == 1
    mirrored = replace(themed, entries=("ABCDEFGHIJKLM", "NOPQRSTUVWX", "YZABCDEFG"))
    before, after = (
        ["left-right symmetry" in step.loosened for step in steps(one, scored, None)].index(True)
        for one in (mirrored, themed)
    )
    assert before < after
    kept = steps(replace(themed, keep_symmetry=True), scored, None)
    assert {step.demands.symmetry for step in kept} == {Symmetry.ROTATION}
    long_words = "words of 8 letters and more that score 50"
    assert [long_words in each for each in loosened[:3]] == [False, False, True]


def test_what_is_asked_for_is_loosened_within_the_limits() -> None:
    scored = Vocabulary({"ABC": 60, "DEF": 45, "GHI": 10})
    demands = Demands(15, 15, default_words(Style.AMERICAN, 15, 15))
    first, *_, last = steps(demands, scored, None)
    assert (first.min_score, first.demands.max_blocks, first.demands.clumps) == (50, 39, False)
    assert not first.loosened
    assert last.min_score is None
    assert last.demands.max_blocks is not None
    assert last.demands.max_blocks > 39
    assert f"at most {last.demands.max_blocks} blocks, not 39" in last.loosened
    limited = Demands(15, 15, (70, 78), max_blocks=0)
    every = steps(limited, scored, 55)
    assert {(one.min_score, one.demands.max_blocks) for one in every} == {(55, 0)}
    assert every[-1].loosened == ("squares of 2x2 blocks",)
    assert next(reversed(list(shares(len(every))))) == 1  # the last step has all that is left


def test_a_place_outside_the_grid_is_refused() -> None:
    with pytest.raises(ValueError, match="ABCD has a place, but no slot there"):
        Demands(5, 5, (2, 30), entries=("ABCD",), places={"ABCD": (ACROSS, (0, 2))})


def test_places_that_contradict_each_other_are_named() -> None:
    places = {"ABC": (ACROSS, (0, 0)), "DEF": (DOWN, (0, 1))}
    demands = Demands(3, 3, (6, 6), entries=("ABC", "DEF"), places=places)
    assert set(find_relaxations(demands)) == {
        "another place for ABC",
        "another place for DEF",
        "leaving out ABC",
        "leaving out DEF",
    }


def test_an_entry_that_fits_no_middle_slot_goes_elsewhere() -> None:
    demands = Demands(5, 5, (8, 12), entries=("TREE",))
    one = make_one(demands)
    assert "TREE" in plain.words(one.pattern.rows_with_entries())
    assert plain.half_turn(one.pattern.rows) == list(one.pattern.rows)


def test_entries_are_tried_in_every_slot_before_a_proof() -> None:
    result = make_grids(Demands(3, 3, (6, 6), entries=("ABC", "CFI")), None, number=50)
    assert result.complete
    # Six patterns with both entries across, six with both down, two where they cross at C.
    assert len({one.pattern.rows_with_entries() for one in result.grids}) == len(result.grids) == 14


def test_a_busy_clock_takes_no_time_from_a_grid(
    default_vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = count(0, 3600.0)
    monkeypatch.setattr("satcross.run_settings.time.monotonic", lambda: next(hours))
    rows = ("_____", "_____", "_____", "##_##", "_____")
    result = fillable.fill_patterns([rows], default_vocabulary, time_limit=60)
    assert [one.outcome.status for one in result.grids if one.outcome] == [Status.FILLED]
