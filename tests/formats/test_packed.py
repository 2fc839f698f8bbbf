"""Packed word lists."""

from __future__ import annotations

import pytest

from satcross import InputError
from satcross.formats.files import Text
from satcross.formats.packed import packed_runs, read_packed, tiers_of, written
from satcross.formats.resources import HEADER
from satcross.formats.words import is_packed, parse_words

LIST = Text("packed", HEADER + "3 - 70:2,20:1 ANTEMUYAK\n3 mild 70:1 BUM\n4 offensive 50:1 DARN\n")


def test_reading() -> None:
    assert is_packed(LIST)
    vocabulary = read_packed(LIST)
    assert vocabulary.groups() == [(3, ("ANT", "EMU", "YAK"), (70, 70, 20))]
    assert vocabulary.group(3).score("EMU") == 70
    assert vocabulary.group(3).score("MUY") is None
    assert vocabulary.group(3).score("NTE") is None


def test_tiers() -> None:
    assert read_packed(LIST, {"mild"}).group(3).words == ("ANT", "BUM", "EMU", "YAK")
    assert read_packed(LIST, {"mild", "offensive"}).lengths == {3: 4, 4: 1}
    assert written(packed_runs(LIST)) == LIST.text
    assert tiers_of(LIST) == {"BUM": "mild", "DARN": "offensive"}


def test_beside_other_lists() -> None:
    found = parse_words([LIST, Text("mine", "emu;90\nice cream;80\n")])
    scores = {word: found.vocabulary.score(word) for word in found.vocabulary}
    assert scores == {"ANT": 70, "EMU": 90, "YAK": 20, "ICECREAM": 80}
    assert found.written == {"ICECREAM": "ice cream"}


@pytest.mark.parametrize(
    "line", ["3 - 70:1 ANTE", "x - 70:1 ANT", "3 - 70:2 ANT EMU", "3 rude 70:1 ANT", "3 - 70 ANT"]
)
def test_a_damaged_list(line: str) -> None:
    with pytest.raises(InputError, match=r"packed:2: the packed list is damaged"):
        read_packed(Text("packed", f"{HEADER}{line}\n"))
