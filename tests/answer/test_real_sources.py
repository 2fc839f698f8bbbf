"""The real dictionaries, if they are set up (``satcross sources setup``)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from satcross.answer.clue import Clue, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.model import combine
from satcross.answer.sources.registry import open_source
from satcross.vocabulary import Vocabulary

NAMES = ("wordnet", "moby", "gcide")


def usual_folder() -> Path:
    """Return the folder of the user's own dictionaries, which other tests never read."""
    chosen = os.environ.get("SATCROSS_TEST_SOURCES")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(store.VARIABLE, raising=False)
        return Path(chosen) if chosen else store.folder()


pytestmark = pytest.mark.skipif(
    not all((usual_folder() / f"{name}.sqlite").exists() for name in NAMES),
    reason="the real dictionaries are not set up (satcross sources setup); tiny ones are tested",
)


@pytest.fixture(autouse=True)
def real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, str(usual_folder()))


@pytest.mark.parametrize(
    ("text", "answer", "within"),
    [
        ("Desert animal", "CAMEL", 10),
        ("Group of lions", "PRIDE", 10),
        ("Runs quickly", "SPRINTS", 30),
        ("Opposite of big", "SMALL", 10),
        ("Happiness", "JOY", 20),
        ("Opposite of WSW", "ENE", 3),
    ],
)
def test_the_answer_is_among_the_best(
    text: str, answer: str, within: int, default_vocabulary: Vocabulary
) -> None:
    clue = Clue("1A", text, len(answer))
    settings = SourceSettings(default_vocabulary, cache="")
    found = [
        proposal
        for name in (*NAMES, "short-words")
        for proposal in open_source(name, settings).candidates(clue, len(answer))
    ]
    best = [candidate.word for candidate in combine(clue, found, default_vocabulary)]
    assert answer in best[:within]
