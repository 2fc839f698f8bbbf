"""The vocabulary and its bitset index."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from satcross import Vocabulary
from satcross.network.arc_consistency import bits
from satcross.vocabulary import DEFAULT_SCORE, WordGroup


def test_words_without_scores_have_the_default() -> None:
    vocabulary = Vocabulary(["CAT", "DOG", "HORSE"])
    assert vocabulary.score("CAT") == DEFAULT_SCORE
    assert vocabulary.lengths == {3: 2, 5: 1}
    assert "CAT" in vocabulary
    assert "cat" not in vocabulary
    assert len(vocabulary) == 3


def test_groups_are_ordered_by_score_then_alphabet() -> None:
    vocabulary = Vocabulary({"CAT": 10, "BAT": 10, "DOG": 90})
    assert vocabulary.group(3).words == ("DOG", "BAT", "CAT")
    assert vocabulary.group(3).scores == (90, 10, 10)
    assert vocabulary.group(7).words == ()


def test_order_of_the_list_does_not_matter() -> None:
    words = ["CAT", "DOG", "EMU", "ANT"]
    assert Vocabulary(words).group(3).words == Vocabulary(words[::-1]).group(3).words


@given(
    st.dictionaries(st.text("AB", min_size=1, max_size=3), st.integers(0, 3)),
    st.dictionaries(st.text("AB", min_size=1, max_size=3), st.integers(0, 3) | st.none()),
)
def test_changed_scores(words: dict[str, int], changes: dict[str, int | None]) -> None:
    before = Vocabulary(words)
    expected = {word: score for word, score in {**words, **changes}.items() if score is not None}
    assert before.changed(changes).groups() == Vocabulary(expected).groups()
    assert before.groups() == Vocabulary(words).groups()


@given(st.dictionaries(st.text("ABÉ語", min_size=3, max_size=3), st.integers(-5, 5), max_size=30))
def test_masks_say_which_words_have_a_letter(words: dict[str, int]) -> None:
    group = Vocabulary(words).group(3)
    for position in range(3):
        masks = group.masks(position)
        assert set(masks) == {word[position] for word in words}
        for letter, mask in masks.items():
            found = {group.words[index] for index in bits(mask)}
            assert found == {word for word in words if word[position] == letter}


@given(
    st.dictionaries(st.text("ABC", min_size=2, max_size=2), st.integers(-5, 5), max_size=9),
    st.integers(-6, 6),
)
def test_at_least(words: dict[str, int], score: int) -> None:
    group = Vocabulary(words).group(2)
    found = {group.words[index] for index in bits(group.at_least(score))}
    assert found == {word for word, own in words.items() if own >= score}


def test_many_letters() -> None:
    words = [chr(0x4E00 + i) + "Z" for i in range(300)]
    masks = Vocabulary(words).group(2).masks(0)
    assert len(masks) == 300
    assert all(mask.bit_count() == 1 for mask in masks.values())


def test_a_word_is_found_by_its_bit_whether_the_words_are_cut_apart_or_not() -> None:
    words = ("TEA", "ÉTÉ", "CAT")
    for group in (
        WordGroup(3, words, (9, 5, 5)),
        WordGroup.from_text(3, "".join(words), [(9, 1), (5, 2)]),
    ):
        assert tuple(map(group.word, range(3))) == words == group.words
