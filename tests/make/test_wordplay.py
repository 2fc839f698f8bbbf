"""Devices of cryptic clues for an answer."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcross.make.wordplay import wordplay
from satcross.vocabulary import Vocabulary

LISTED = {"CAR": 60, "PET": 70, "CARPET": 80, "PREACT": 55, "OSCAR": 60, "PETAL": 65, "LIVED": 60}
LISTED |= {"DEVIL": 60, "MASTERY": 60, "ON": 60, "CA": 20, "RPET": 20}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "CARPET",
            {"anagram": ["PREACT"], "charade": ["CAR + PET"], "hidden": ["osCAR PETal"]},
        ),
        ("DEVIL", {"anagram": ["LIVED"], "reversal": ["LIVED"]}),
        ("MONASTERY", {"container": ["ON in MASTERY"]}),
        ("LEVEL", {}),
    ],
)
def test_devices(answer: str, expected: dict[str, list[str]]) -> None:
    found: dict[str, list[str]] = {}
    for device in wordplay(answer, Vocabulary(LISTED)):
        found.setdefault(device.device, []).append(device.text)
    assert found == expected


@given(
    st.text("ABC", min_size=3, max_size=7),
    st.sets(st.text("ABC", min_size=2, max_size=7), min_size=1, max_size=60),
)
def test_every_device_spells_the_answer(answer: str, words: set[str]) -> None:
    for device in wordplay(answer, Vocabulary(words), 3):
        letters = device.text.replace(" in ", "").replace(" + ", "")
        if device.device == "hidden":
            letters = "".join(letter for letter in letters if letter.isupper())
            assert letters == answer
        assert Counter(letters) == Counter(answer)
