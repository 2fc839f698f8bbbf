"""Fills of good words first, and what an editor objects to."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Unpack

import pytest
from helpers import DATA, load_grid

from satcross.grid import Grid
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import FillQuality, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import PREFERENCE_NAMES, Deadline, RunOptions
from satcross.solving.good_words import floors_of
from satcross.solving.inflections import is_plain_plural, roots
from satcross.solving.polish import Polish
from satcross.solving.preferences import PREFERENCES
from satcross.solving.quality import Editor, judge
from satcross.solving.repeats import repeated
from satcross.solving.solve import solve
from satcross.verify import verify
from satcross.vocabulary import Vocabulary

SQUARE = Grid(("___", "___", "___"))
GOOD = dict.fromkeys(("BAT", "ODE", "WED", "BOW", "ADE", "TED"), 70)
"""A fill of the square, all of whose words are solid."""
KNOWN = {"TEE", "USE", "PIN", "CITY", "HAPPY", "WALK", "BUS", "GAS", "TEN", "LESS"}


def quality_of(puzzle: Puzzle, **changes: Unpack[RunOptions]) -> FillQuality:
    outcome = solve(puzzle, **changes)
    assert outcome.status is Status.FILLED
    assert outcome.quality is not None
    return outcome.quality


@pytest.mark.parametrize(
    ("first", "second", "common"),
    [
        ("ATEASE", "EASES", {"EASE"}),
        ("AREACODE", "AREAS", {"AREA"}),
        ("EYE", "ANEYEFORANEYE", {"EYE"}),
        ("INTHEBAG", "PAPERBAG", {"BAG"}),
        ("INTHEBAG", "OFFTHEHOOK", set()),
        ("CARE", "AREA", set()),
        ("EATEN", "EATUP", {"EAT"}),
        ("SHAVEN", "SHAVES", {"SHAVE"}),
        ("RATED", "UNRATED", {"RATE", "RATED"}),
        ("REWRITTEN", "WRITES", {"WRITE"}),
        ("SARA", "SARAH", {"SARA"}),
        ("USING", "USES", {"USE"}),
        ("PINNED", "PIN", {"PIN"}),
        ("CITIES", "CITY", {"CITY"}),
        ("HAPPIER", "HAPPY", {"HAPPY"}),
        ("WALKER", "WALK", {"WALK"}),
        ("SUNNIEST", "SUN", {"SUN"}),
        ("HAPPINESS", "UNHAPPY", {"HAPPY"}),
        ("SODAS", "SODAPOP", {"SODA"}),
        ("ICECAP", "ICE", {"ICE"}),
        ("SNOWBALLED", "HARDBALL", {"BALL"}),
        ("TIGRESS", "TIGERS", {"TIGER"}),
        ("LETALONE", "LONERS", {"LONE"}),
        ("ABED", "BEDS", {"BED"}),
        ("RED", "REDROOFINN", {"RED"}),
        ("USERNAME", "USES", {"USE"}),
        ("RHINESTONES", "BLACKSTONE", {"STONE"}),
        ("AVERAGERATE", "OVERRATED", {"RATE"}),
        ("AGREEMENTOFSALE", "TELESALES", {"SALE", "SELL"}),
        ("EASTERNERS", "EAST", {"EAST"}),
        ("SAUDIARABIA", "ARAB", {"ARAB"}),
        ("OLDEN", "OLDE", {"OLD"}),
        ("LET", "LETBE", {"LET"}),
        ("ONE", "ONECLASS", {"ONE"}),
        ("ALLOUT", "ALLIN", {"ALL"}),
        ("SEWER", "SEWAGE", {"SEWER"}),
        ("SETUP", "PACESETTERS", {"SET"}),
        ("SALE", "OUTSELL", {"SELL"}),
        ("MASSACRED", "ENMASSE", set()),
        ("MATTRESS", "MATTERS", set()),
        ("UNION", "ION", set()),
        ("REPORTS", "PORT", set()),
        ("CORNER", "CORN", set()),
        ("HOPED", "HOP", set()),
        ("DENSEST", "DEN", set()),
        ("ERASES", "ERA", set()),
    ],
)
def test_entries_repeat_a_word_as_they_are_written(
    first: str, second: str, common: set[str], default_vocabulary: Vocabulary
) -> None:
    is_word = default_vocabulary.__contains__
    assert repeated(first, is_word) & repeated(second, is_word) == common
    across = Puzzle(Grid(("_" * len(first), "#" * len(first))), default_vocabulary)
    pairs = Editor(across).pairs([first, second])
    assert set(pairs) == ({tuple(sorted((first, second)))} if common else set())


def test_an_unknown_root_is_none() -> None:
    assert roots("BRED", KNOWN.__contains__) == {"BRED"}
    for word in ("CAR", "GLASS"):  # without an ending, whatever the list has
        assert roots(word, lambda _: True) == {word}


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("TENS", True),
        ("CITIES", True),
        ("BUS", False),
        ("LESS", False),
        ("IDES", False),
        ("GYPS", False),
    ],
)
def test_plain_plurals(word: str, plain: bool) -> None:
    assert is_plain_plural(word, {*KNOWN, "BU", "LES", "IDE", "GYPSY"}.__contains__) is plain


def test_floors_follow_the_scale_of_the_list() -> None:
    grid = Grid(("___",))
    assert floors_of(Puzzle(grid, Vocabulary({"ONE": 90, "TWO": 52, "SIX": 10}))) == [60, 50]
    assert floors_of(Puzzle(grid, Vocabulary({"ONE": 9, "TWO": 5, "SIX": 1})))
    assert not floors_of(Puzzle(grid, Vocabulary(["ONE", "TWO"])))
    scored = Vocabulary({"ONE": 90, "TWO": 52, "SIX": 10})
    assert floors_of(Puzzle(grid, scored, min_score=30)) == [60]
    assert floors_of(Puzzle(grid, scored, min_score=10)) == [60, 50]
    assert not floors_of(Puzzle(grid, scored, min_score=60))
    assert not floors_of(Puzzle(grid, scored, min_score=95))
    assert not floors_of(Puzzle(grid, scored, min_scores={3: 5}))


def test_good_words_come_first() -> None:
    quality = quality_of(Puzzle(SQUARE, Vocabulary({**GOOD, "XYZ": 1, "QQQ": 1})))
    assert quality.lowest == 70
    assert str(quality).startswith("all words 70 or more")


def test_good_words_come_first_above_a_minimum_score() -> None:
    worse = dict.fromkeys(("CAT", "ORE", "DEN", "COD", "ARE", "TEN"), 31)
    puzzle = Puzzle(SQUARE, Vocabulary({**GOOD, **worse}), min_score=30)
    for seed in range(5):
        assert quality_of(puzzle, seed=seed).lowest == 70


def test_loosens_to_the_whole_list() -> None:
    quality = quality_of(Puzzle(SQUARE, Vocabulary({**GOOD, "WED": 3, "TED": 2, "XXX": 90})))
    assert quality.weak == (("TED", 2), ("WED", 3))
    assert str(quality).startswith("2 words below 50: TED, WED")


def test_unfillable_is_about_the_whole_list() -> None:
    words = {"BAT": 70, "ODE": 70, "WED": 3, "BOW": 70, "ADE": 70}
    outcome = solve(Puzzle(SQUARE, Vocabulary(words)))
    assert outcome.status is Status.UNFILLABLE
    assert outcome.quality is None


def test_a_named_backend_answers_the_plain_question() -> None:
    words = Vocabulary({**GOOD, "WED": 3, "TED": 2})
    assert solve(Puzzle(SQUARE, words), "backtrack").quality is None


@pytest.mark.parametrize("seed", range(3))
def test_default_list_without_similar_words(seed: int) -> None:
    rows = ("____#____",) * 4 + ("#########",) + ("____#____",) * 4
    grid = Grid(rows)
    puzzle = Puzzle(grid, Vocabulary.read())
    outcome = solve(puzzle, seed=seed)
    assert outcome.fill is not None
    assert outcome.quality is not None
    assert not verify(puzzle, outcome.fill)
    assert outcome.quality == judge(puzzle, outcome.fill)
    words = list(outcome.fill.values())
    assert (outcome.quality.lowest or 0) >= 50
    # Counted again, without the code of the solver.
    for one, other in combinations(words, 2):
        assert one + "S" != other
        assert other + "S" != one
    assert not sum(one.excess for one in outcome.quality.expectations)


@pytest.mark.parametrize("seed", [306, 309])
def test_plurals_are_mended_until_they_are_within_the_limit(
    seed: int, default_vocabulary: Vocabulary
) -> None:
    puzzle = Puzzle(load_grid(DATA / "grids" / "15x15-72.txt"), default_vocabulary)
    found = quality_of(puzzle, seed=seed, workers=1).expectations
    assert not sum(expectation.excess for expectation in found)


def test_every_preference_can_be_allowed() -> None:
    assert tuple(one.name for one in PREFERENCES) == PREFERENCE_NAMES


# Across: an abbreviation, a plural beside its singular, another pair much alike, a name, a partial.
FAULTY = dict(
    zip(
        ("1A", "2A", "3A", "4A", "5A", "6A", "7A"),
        ("DNA", "TEN", "TENS", "BARGAINED", "BARGAINER", "ELAINE", "IMAY"),
        strict=True,
    )
)


@pytest.mark.parametrize(
    "preference", ["same_stem", "shared", "plurals", "abbreviations", "names", "partials"]
)
def test_each_preference_is_judged_unless_allowed(preference: str) -> None:
    words = Vocabulary(FAULTY.values())
    puzzle = Puzzle(Grid(("___",)), words)
    found = judge(puzzle, FAULTY).of(preference)
    assert found is not None
    assert len(found.pairs) + len(found.words) == 1
    assert judge(puzzle, FAULTY, {preference}).of(preference) is None


AMERICAN = Grid(("______",) * 6)
LATTICE = Grid(("_______", "_#_#_#_") * 3 + ("_______",))


@pytest.mark.parametrize(
    ("grid", "words", "foreign"),
    [
        (AMERICAN, "METRE HONOURS ENROL AXE GREY", {"METRE", "HONOURS", "ENROL"}),
        (LATTICE, "AIRPLANES CENTER REALIZE METRE", {"AIRPLANES", "CENTER"}),
        (Grid(("___", "#_#")), "METRE CENTER", set()),
    ],
)
def test_spellings_are_those_of_the_country_of_the_grid(
    grid: Grid, words: str, foreign: set[str], default_vocabulary: Vocabulary
) -> None:
    editor = Editor(Puzzle(grid, default_vocabulary))
    assert {word for word in words.split() if "spellings" in editor.kinds(word)} == foreign
    listless = Editor(Puzzle(grid, Vocabulary(words.split())))
    assert not any("spellings" in listless.kinds(word) for word in words.split())


def test_a_fill_has_no_spelling_of_the_other_country() -> None:
    british = ("KERB", "ABCD", "EFGH", "IJKL", "KAEI", "EBFJ", "RCGK", "BDHL")
    neutral = ("MNOP", "QRST", "UVWX", "YZAB", "MQUY", "NRVZ", "OSWA", "PTXB")
    words = Vocabulary({**dict.fromkeys(british, 90), **dict.fromkeys(neutral, 70), "HONOR": 70})
    grid = Grid(("____",) * 4)
    for seed in range(5):
        fill = solve(Puzzle(grid, words), seed=seed).fill
        assert set((fill or {}).values()) == set(neutral)
    assert solve(Puzzle(grid, words, {"1A": "KERB"})).fill


def test_the_summary_counts_every_preference() -> None:
    quality = judge(Puzzle(Grid(("___",)), Vocabulary(FAULTY.values())), FAULTY)
    assert str(quality) == (
        "all words 50 or more; 1 pair with the same stem: TEN/TENS; "
        "1 pair much alike: BARGAINED/BARGAINER; 1 plain plural; 1 abbreviation"
    )
    good = judge(Puzzle(Grid(("___",)), Vocabulary(["CAT"])), {"1A": "CAT"})
    assert str(good) == "all words 50 or more; no similar words, plain plurals or abbreviations"


def test_the_setters_own_words_are_told_apart() -> None:
    words = Vocabulary({"CAT": 70, "COT": 60, "TOD": 20})
    puzzle = Puzzle(Grid(("___",)), words, theme=frozenset({"TOD", "ZZQ"}))
    alone = judge(puzzle, {"1A": "CAT", "1D": "COT"})
    assert (str(alone).partition(";")[0], alone.own) == ("all words 60 or more", ())
    beside = judge(puzzle, {"1A": "CAT", "1D": "COT", "2D": "TOD", "3D": "ZZQ"})
    assert str(beside).startswith("all words 60 or more but your own TOD, ZZQ; ")
    assert (beside.lowest, beside.own) == (60, (("TOD", 20), ("ZZQ", None)))


def test_crossing_names_are_a_pair() -> None:
    puzzle = Puzzle(Grid(("____", "_###", "_###", "_###")), Vocabulary(["ERIN", "EZRA", "ELSE"]))
    found = judge(puzzle, {"1D": "ERIN", "1A": "EZRA"})
    assert "1 pair of crossing names: ERIN/EZRA" in str(found)
    assert "no similar words" in str(found)
    assert "crossing" not in str(judge(puzzle, {"1D": "ELSE", "1A": "EZRA"}))


def test_a_lower_floor_costs_less_than_many_plurals() -> None:
    plurals = [f"{letter}ATS" for letter in "BCFHMPRT"]
    singulars = {word[:-1]: 60 for word in plurals}
    others = ["BALD", "CORK", "FILM", "HUNT", "MINK", "PLUM", "RICE", "TOWN"]
    scores = {**singulars, **dict.fromkeys(plurals, 60), **dict.fromkeys(others, 55)}
    rows = "\n####\n".join(["____"] * 8).split("\n")
    quality = quality_of(Puzzle(Grid.from_rows(rows), Vocabulary(scores)))
    assert (quality.lowest, quality.of("plurals").excess) == (55, 0)  # type: ignore[union-attr]


def test_a_similar_pair_is_worse_than_a_weak_word() -> None:
    words = Vocabulary({"USE": 70, "USED": 70, "CAT": 70, "EMUS": 10})
    editor = Editor(Puzzle(Grid(("___",)), words))
    assert editor.cost(("USE", "USED")) > editor.cost(("CAT", "EMUS")) > editor.cost(("CAT", "USE"))


def test_a_rule_about_substrings_replaces_the_preference() -> None:
    puzzle = Puzzle(Grid(("___",)), Vocabulary(FAULTY.values()), max_shared_substring=8)
    assert judge(puzzle, FAULTY).of("shared") is None


def test_similar_words_stay_when_they_are_allowed() -> None:
    puzzle = Puzzle(
        Grid(("___#____",)), Vocabulary({"ADD": 90, "ADDS": 90, "OPEN": 90, "SHUT": 10})
    )
    seeds = range(8)
    assert {solve(puzzle, seed=seed).fill["2A"] for seed in seeds} == {"OPEN"}  # type: ignore[index]
    allow = frozenset({"same_stem"})
    fills = [solve(puzzle, seed=seed, allow=allow).fill or {} for seed in seeds]
    assert {fill["2A"] for fill in fills} == {"ADDS", "OPEN"}


def test_own_words_are_not_judged() -> None:
    puzzle = Puzzle(SQUARE, Vocabulary({**GOOD, "TED": 1}), locks={"3D": "TED"})
    assert quality_of(puzzle).lowest == 70


@pytest.mark.parametrize("seed", range(5))
def test_a_theme_word_stays_although_it_is_like_another_word(seed: int) -> None:
    scores = {"CAR": 60, "CARS": 50, "BOLT": 60}
    grid = Grid.from_rows(["___#", "####", "____"])
    puzzle = Puzzle(grid, Vocabulary(scores), theme=frozenset(["CARS"]))
    outcome = solve(puzzle, seed=seed, workers=1)
    assert set((outcome.fill or {}).values()) == {"CAR", "CARS"}


def test_low_scores_are_raised_without_breaking_a_preference() -> None:
    rows = ("___#___", "___#___", "___#___")
    low = dict.fromkeys(("CAT", "ORE", "DEN", "COD", "ARE", "TEN"), 52)
    plurals = {"GAS": 70, "ODS": 70, "OAR": 52}
    puzzle = Puzzle(Grid(rows), Vocabulary({**GOOD, **low, **plurals}), allow_repeats=True)
    candidates, editor = arc_consistent(puzzle), Editor(puzzle)
    words = ("CAT", "CAT", "ORE", "ORE", "DEN", "DEN", *("COD", "ARE", "TEN") * 2)
    raised = Polish(candidates, editor, words, 0).run(Deadline())
    assert set(raised) <= set(GOOD)
    assert editor.cost(raised) < editor.cost(words)
    assert editor.breaks(raised) <= editor.breaks(words)
    assert Polish(candidates, editor, raised, 0).run(Deadline()) == raised


def test_a_long_word_of_a_low_score_costs_twice_as_much_beside_entries() -> None:
    scores = {"ABCDEFG": 55, "ABCDEFGH": 55, "BCDEFGHI": 60}
    puzzle = Puzzle(Grid(("_" * 8,)), Vocabulary(scores))
    own = Editor(replace(puzzle, setter_words=frozenset({"ENTRY"})))
    assert [own.price(word) for word in scores] == [1, 2, 0]
    assert [Editor(puzzle).price(word) for word in scores] == [1, 1, 0]


def test_good_words_come_before_preferred_ones() -> None:
    words = Vocabulary({"CAT": 60, "DOG": 60, "PIG": 20})
    for preferred, quality, fill in (
        ("DOG", "edited", "DOG"),
        ("CAT", "edited", "CAT"),
        ("PIG", "any", "PIG"),
    ):
        puzzle = Puzzle(Grid.from_rows(["___"]), words, preferred=frozenset({preferred}))
        for seed in range(5):
            assert solve(puzzle, seed=seed, quality=quality).fill == {"1A": fill}
    bad = Puzzle(Grid.from_rows(["___"]), words, preferred=frozenset({"PIG"}))
    assert quality_of(bad).lowest == 60
