"""Sources on tiny dictionaries in the real formats, each alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.gather import gather
from satcross.answer.language.tokens import letters
from satcross.answer.sources.registry import open_source
from satcross.errors import InputError, UnavailableError
from satcross.vocabulary import Vocabulary

VOCABULARY = Vocabulary(["CAMEL", "CAMELS", "GEESE", "SPRINTS", "DASHED", "TIO", "SEA", "BLISS"])


def ask(name: str, text: str, answer: str) -> Proposal | None:
    source = open_source(name, SourceSettings(VOCABULARY, cache=""))
    found = list(source.candidates(Clue("1A", text, len(answer)), len(answer)))
    assert len({one.word for one in found}) == len(found)
    assert all(len(one.word) == len(answer) and one.score <= 0 for one in found)
    assert all(one.source == name and one.features and one.note for one in found)
    return next((one for one in found if one.word == answer), None)


@pytest.mark.usefixtures("prepared")
@pytest.mark.parametrize(
    ("name", "text", "answer"),
    [
        ("wordnet", "Humped ruler", "CAMEL"),
        ("wordnet", "Beasts", "CAMELS"),
        ("wordnet", "Animals that honk", "GEESE"),
        ("wordnet", "Runs fast", "SPRINTS"),
        ("wordnet", "Ran", "DASHED"),
        ("wordnet", "Geese", "CAMELS"),
        ("wordnet", "Animalia", "CAMEL"),  # an irregular form that only the dictionary knows
        ("wordnet", "Stopped trying", "GAVEUP"),
        ("wordnet", "Opposite of big", "SMALL"),
        ("wordnet", "Large", "HUGE"),
        ("wordnet", "Carrier of water", "CAMEL"),
        ("moby", "Joy", "BLISS"),
        ("moby", "Bliss", "RAPTURE"),
        ("moby", "Strolled", "AMBLED"),
        ("gcide", "Green place with water", "OASIS"),
        ("gcide", "Well", "OASIS"),
        ("gcide", "Oasis", "SPRING"),
        ("short-words", "Opposite of WSW", "ENE"),
        ("short-words", "Roman 1904", "MCMIV"),
        ("short-words", "Roman 1666", "MDCLXVI"),
        ("short-words", "Roman 1990", "MCMXC"),
        ("short-words", "Four, to Caesar", "IV"),
    ],
)
def test_a_source_knows(name: str, text: str, answer: str) -> None:
    assert ask(name, text, answer) is not None


@pytest.mark.usefixtures("prepared")
@pytest.mark.parametrize(
    ("name", "text", "answer"),
    [
        ("wordnet", "Camel", "CAMELS"),
        ("moby", "Nonsense", "BLISS"),
    ],
)
def test_a_source_does_not_guess(name: str, text: str, answer: str) -> None:
    assert ask(name, text, answer) is None


@pytest.mark.usefixtures("prepared")
@pytest.mark.parametrize(
    "text", ["", "___", "?!", "(", '"', "é___", "a" * 3000, "NOT AND OR NEAR(", "*"]
)
@pytest.mark.parametrize("name", ["wordnet", "moby", "gcide", "short-words"])
def test_no_clue_is_too_strange(name: str, text: str) -> None:
    source = open_source(name, SourceSettings(VOCABULARY, cache=""))
    list(source.candidates(Clue("1A", text, 5), 5))


@pytest.mark.parametrize("name", ["wordnet", "moby", "gcide", "meaning", "language-model"])
def test_a_source_that_is_not_set_up_says_how(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    with pytest.raises(UnavailableError, match="satcross sources setup") as caught:
        open_source(name, SourceSettings(VOCABULARY))
    assert "\n" not in str(caught.value)


def test_a_dictionary_that_was_changed_is_left_out_with_a_note(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, other = ((prepared / f"{name}.sqlite").read_bytes() for name in ("moby", "gcide"))
    path = tmp_path / "moby.sqlite"
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    for spoilt in (content.replace(b"bliss", b"sadly"), other):
        path.write_bytes(spoilt)
        found = gather([Clue("1A", "camel", 5)], SourceSettings(VOCABULARY), ["moby"])
        assert found.notes == (
            f"source moby: left out: {path}: is damaged, or another version made it;"
            " run satcross sources setup moby",
        )
        assert not store.is_prepared("moby")
    path.write_bytes(content)
    assert store.is_prepared("moby")
    tmp_path.chmod(0o777)
    with pytest.raises(InputError, match="other users can write into the folder"):
        open_source("moby", SourceSettings(VOCABULARY))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("café", "CAFE"), ("hot dog", "HOTDOG"), ("o'clock", "OCLOCK"), ("R2-D2", ""), ("", "")],
)
def test_letters_as_a_grid_has_them(text: str, expected: str) -> None:
    assert letters(text) == expected
