"""Statistics, repeated words, matches, merging and weak words of word lists."""

from __future__ import annotations

from fnmatch import fnmatchcase

from hypothesis import given
from hypothesis import strategies as st

from satcross.construct.word_lists import (
    MAX_BARS,
    Priority,
    find_repeated_words,
    length_statistics,
    merge_lists,
    score_histogram,
    words_by_score,
    words_matching,
)
from satcross.formats.files import Text
from satcross.vocabulary import Vocabulary

FIRST = Text("first", "cat;30\ndog;20\n")
SECOND = Text("second", "cat;90\ndog;10\nemu;5\n")


def scores(vocabulary: Vocabulary) -> dict[str, int]:
    return {word: vocabulary.score(word) for word in vocabulary}


def test_merging() -> None:
    assert scores(merge_lists([FIRST, SECOND], Priority.FIRST).vocabulary) == {
        "CAT": 30,
        "DOG": 20,
        "EMU": 5,
    }
    assert scores(merge_lists([SECOND, FIRST], Priority.FIRST).vocabulary) == {
        "CAT": 90,
        "DOG": 10,
        "EMU": 5,
    }
    assert scores(merge_lists([FIRST, SECOND], Priority.MAX).vocabulary) == {
        "CAT": 90,
        "DOG": 20,
        "EMU": 5,
    }


def test_words_that_appear_twice_in_a_file() -> None:
    [one] = find_repeated_words([Text("list", "cat;3\ndog\n\nCat;5\n"), SECOND])
    assert (one.file, one.word, one.lines, one.scores) == ("list", "CAT", (1, 4), ("3", "5"))


@given(
    st.sets(st.text("ABC", min_size=2, max_size=4), min_size=1),
    st.text("ABC?", min_size=1, max_size=4),
)
def test_matching(words: set[str], pattern: str) -> None:
    found = [word for word, _ in words_matching(Vocabulary(words), pattern)]
    assert sorted(found) == sorted(word for word in words if fnmatchcase(word, pattern))


def test_matches_come_best_first() -> None:
    vocabulary = Vocabulary({"CAT": 5, "BAT": 90, "RAT": 40, "DOG": 99})
    assert list(words_matching(vocabulary, "?a?")) == [("BAT", 90), ("RAT", 40), ("CAT", 5)]


@given(st.lists(st.integers(-1_000_000, 1_000_000), min_size=1))
def test_every_score_is_in_one_bar(numbers: list[int]) -> None:
    bars = score_histogram(numbers)
    assert len(bars) <= MAX_BARS
    for bar in bars:
        assert bar.words == sum(bar.low <= number <= bar.high for number in numbers)
    assert sum(bar.words for bar in bars) == len(numbers)


def test_lengths() -> None:
    [three, four] = length_statistics(Vocabulary({"CAT": 10, "COG": 20, "BIRD": 5}))
    assert (three.words, three.lowest, three.mean, three.highest) == (2, 10, 15, 20)
    assert three.letters[0] == {"C": 2}
    assert three.letters[1] == {"A": 1, "O": 1}
    assert four.length == 4


def test_weak_words_come_first() -> None:
    vocabulary = Vocabulary({"CAT": 50, "CUB": 10, "TOD": 70})
    used = words_by_score(["CAT", "U#O", "BED"], vocabulary)
    assert [(one.word, one.score) for one in used] == [
        ("BED", None),
        ("CUB", 10),
        ("CAT", 50),
        ("TOD", 70),
    ]
    assert [one.word for one in words_by_score(["CA ", "U#O", "BED"], vocabulary)] == ["BED", "CUB"]
