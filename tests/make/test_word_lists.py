"""Repeated words, matches, merging, scores and weak words of word lists."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcross.formats.files import Text
from satcross.make.word_lists import (
    MAX_BARS,
    find_repeated_words,
    merge_lists,
    score_histogram,
    words_by_score,
)
from satcross.make.word_search import WordQuery
from satcross.support.texts import in_language
from satcross.vocabulary import Vocabulary

FIRST = Text("first", "cat;30\ndog;20\n")
SECOND = Text("second", "cat;90\ndog;10\nemu;5\n")


@pytest.mark.parametrize(
    ("lists", "highest", "scores"),
    [
        ([FIRST, SECOND], False, {"CAT": 30, "DOG": 20, "EMU": 5}),
        ([SECOND, FIRST], False, {"CAT": 90, "DOG": 10, "EMU": 5}),
        ([FIRST, SECOND], True, {"CAT": 90, "DOG": 20, "EMU": 5}),
    ],
)
def test_merging(lists: list[Text], highest: bool, scores: dict[str, int]) -> None:
    merged = merge_lists(lists, highest=highest).vocabulary
    assert {word: merged.score(word) for word in merged} == scores


def test_words_that_appear_twice_in_a_file() -> None:
    [one] = find_repeated_words([Text("list", "cat;3\ndog\n\nCat;5\n"), SECOND])
    assert (one.file, one.word, one.lines, one.scores) == ("list", "CAT", (1, 4), ("3", "5"))


@given(
    st.sets(st.text("ABC", min_size=2, max_size=4), min_size=1),
    st.lists(st.sampled_from("ABC?*") | st.sampled_from(["[AC]", "[!A]", "[A-B]"]), max_size=4).map(
        "".join
    ),
)
def test_matching(words: set[str], pattern: str) -> None:
    pattern = pattern or "*"
    found = [word for word, _ in WordQuery(pattern).search(Vocabulary(words))]
    assert sorted(found) == sorted(word for word in words if fnmatchcase(word, pattern))


@given(
    st.sets(st.text("ABC", min_size=2, max_size=5), min_size=1),
    st.text("ABC", min_size=1, max_size=3),
    st.integers(0, 2),
    st.booleans(),
)
def test_anagrams(words: set[str], letters: str, blanks: int, is_open: bool) -> None:
    tiles = letters + "?" * blanks + "*" * is_open
    found = {word for word, _ in WordQuery(anagram=tiles).search(Vocabulary(words))}
    lengths = range(len(letters) + blanks, 6) if is_open else [len(letters) + blanks]
    expected = {
        word for word in words if len(word) in lengths and Counter(letters) <= Counter(word)
    }
    assert found == expected


def test_matches_come_best_first() -> None:
    vocabulary = Vocabulary({"CAT": 5, "BAT": 90, "RAT": 40, "DOG": 99, "MOAT": 50})
    assert WordQuery("?a?").search(vocabulary) == [("BAT", 90), ("RAT", 40), ("CAT", 5)]
    found = [word for word, _ in WordQuery("*@t").search(vocabulary)]
    assert found == ["BAT", "MOAT", "RAT", "CAT"]
    assert WordQuery("*#@#", regex="^.?o", min_score=60).search(vocabulary) == [("DOG", 99)]
    assert WordQuery("*a*", lengths=(4, None)).search(vocabulary) == [("MOAT", 50)]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        *((WordQuery(pattern), "pattern") for pattern in ("[", "a]", "[]", "ice cream")),
        (WordQuery("[z-a]"), "range"),
        (WordQuery(anagram="c;t"), "letters"),
        (WordQuery(regex="("), "regular"),
    ],
)
def test_bad_queries(query: WordQuery, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        query.search(Vocabulary(["CAT"]))


@given(st.lists(st.integers(-1_000_000, 1_000_000), min_size=1))
def test_every_score_is_in_one_bar(numbers: list[int]) -> None:
    bars = score_histogram(numbers)
    assert len(bars) <= MAX_BARS
    for bar in bars:
        assert bar.words == sum(bar.low <= number <= bar.high for number in numbers)
    assert sum(bar.words for bar in bars) == len(numbers)


def test_weak_words_come_first() -> None:
    vocabulary = Vocabulary({"CAT": 50, "CUB": 10, "TOD": 70})
    used = words_by_score(["CAT", "U#O", "BED"], vocabulary)
    assert used == [("BED", None), ("CUB", 10), ("CAT", 50), ("TOD", 70)]
    assert [word for word, _ in words_by_score(["CA ", "U#O", "BED"], vocabulary)] == ["BED", "CUB"]


def test_searches_end() -> None:
    words = Vocabulary(["A" * 60 + "B"])
    assert WordQuery("*A" * 12 + "*C", time_limit=5).search(words) == []
    with pytest.raises(TimeoutError):
        WordQuery(regex="^(A+)+$", time_limit=0.2).search(words)


def test_words_are_sorted_as_in_the_language() -> None:
    words = Vocabulary(["ZOO", "ÄRA", "ARM", "ÉTE", "ETA"])
    for language, expected in (("", "ÄRA ARM ETA ÉTE ZOO"), ("sv", "ARM ETA ÉTE ZOO ÄRA")):
        with in_language(language):
            found = [word for word, _ in WordQuery("*").search(words)]
        assert found == expected.split()


def test_patterns_follow_a_turkish_vocabulary() -> None:
    words = Vocabulary(["\u0130S\u0130M", "ISIM"])
    assert WordQuery("isim").search(words) == [("\u0130S\u0130M", 50)]
