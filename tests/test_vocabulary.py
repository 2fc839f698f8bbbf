"""The vocabulary and its bitset index."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from array import array
from pathlib import Path

import pytest
from helpers import ROOT
from hypothesis import given
from hypothesis import strategies as st

from satcross import Grid, Puzzle, Vocabulary, engine
from satcross.network.arc_consistency import bits
from satcross.vocabulary import DEFAULT_SCORE, WordGroup


def test_what_is_no_word_or_score_is_refused_in_a_sentence() -> None:
    for words, complaint in (
        ([1, 2], "the words are texts, but 1 is an int"),
        ({"CAT": "5"}, "the scores are whole numbers, but '5' is a str"),
        (["CAT", None], "the words are texts, but None is a NoneType"),
        ("CAT", "the words are one text; give a list"),
    ):
        with pytest.raises(TypeError, match=f"^{re.escape(complaint)}"):
            Vocabulary(words)  # type: ignore[arg-type]


def test_equal_words_and_scores_make_equal_vocabularies_and_small_pickles() -> None:
    scores = {"CAT": 9, "\u0939\u093f\u0928\u094d\u0926\u0940": 3, "BE": 5}
    vocabulary = Vocabulary(scores)
    assert vocabulary == Vocabulary(dict(reversed(scores.items())))
    assert vocabulary != Vocabulary(scores | {"BE": 4})
    assert vocabulary != scores
    assert len({vocabulary, pickle.loads(pickle.dumps(vocabulary))}) == 1
    default = Vocabulary.read()
    changed = default.changed({"CAT": 3})
    assert len(pickle.dumps(default)) < 500
    assert pickle.loads(pickle.dumps(default)) == default != changed
    assert pickle.loads(pickle.dumps(changed)) == changed
    assert len(pickle.dumps(changed)) < 3_000_000


def test_letters_of_several_characters_are_pickled_for_other_processes(tmp_path: Path) -> None:
    hindi = "\u0939\u093f\u0928\u094d\u0926\u0940"
    words = Vocabulary([hindi])
    grid = Grid.from_rows([next(iter(words))[:1] + "__"], letters=True)
    puzzle = Puzzle(grid, words, locks={"1A": next(iter(words))})
    (tmp_path / "puzzle").write_bytes(pickle.dumps(puzzle))
    command = (
        "import pickle, sys; from satcross.support.letters import pack, spell;"
        "pack('\u0ba4\u0bae\u0bbf\u0bb4\u0bcd');"  # letters with other places come first
        "puzzle = pickle.load(open('puzzle', 'rb'));"
        "print(*map(spell, [*puzzle.vocabulary, puzzle.locks['1A'], puzzle.grid.rows[0]]))"
    )
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=tmp_path, capture_output=True, env=environment
    )
    assert done.stdout.decode().split() == [hindi, hindi, hindi[:2] + "__"]


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


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=200), st.booleans())
def test_a_part_knows_the_values_and_bits_of_its_words(
    chosen: list[tuple[bool, bool]], compiled: bool
) -> None:
    words = [chr(0x4E00 + number) for number in range(len(chosen))]
    taken = [place for place, (part, _) in enumerate(chosen) if part]
    set_bits = {place for place, (_, bit) in enumerate(chosen) if bit}
    bitset = sum(1 << place for place in set_bits)
    whole = WordGroup(1, words, [5] * len(words))
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            patch.setattr(engine, "available", lambda: False)
        part = whole.part(sum(1 << place for place in taken))
    again = part.part(part.everything)
    for group in (part, again):
        assert group.words == tuple(words[place] for place in taken)
        assert list(group.values_of(array("d", range(len(words))))) == taken
        assert {taken[index] for index in bits(group.bits_of(bitset))} == set_bits & set(taken)
    assert whole.bits_of(bitset) == bitset


def test_a_word_is_found_by_its_bit_whether_the_words_are_cut_apart_or_not() -> None:
    words = ("TEA", "ÉTÉ", "CAT")
    for group in (
        WordGroup(3, words, (9, 5, 5)),
        WordGroup.from_text(3, "".join(words), [(9, 1), (5, 2)]),
    ):
        assert tuple(map(group.word, range(3))) == words == group.words
