"""The language model as a source, with llama.cpp's part played by a table of likely tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import log
from pathlib import Path

import pytest

from satcross.answer.clue import Clue, SourceSettings
from satcross.answer.sources import language_model
from satcross.answer.sources.language_model import LanguageModelSource, question
from satcross.answer.sources.registry import open_source
from satcross.errors import InputError
from satcross.support import packages
from satcross.vocabulary import Vocabulary

TOKENS = {" camel": 0.2, " Camel": 0.1, "camel": 0.3, " goat": 0.2, " horse": 0.1, " é": 0.1}
WORDS = Vocabulary(["CAMEL", "GOAT", "HORSE", "LLAMA"])


def next_tokens(text: str) -> Mapping[str, float]:
    assert text.endswith("Answer:")
    return {token: log(share) for token, share in TOKENS.items()}


def source(prior: Mapping[str, float]) -> LanguageModelSource:
    return LanguageModelSource(next_tokens, prior, WORDS)


def test_whole_words_of_the_list_are_proposed_once() -> None:
    found = {p.word: p for p in source({}).candidates(Clue("1A", "Desert animal", 5), 5)}
    assert set(found) == {"CAMEL", "HORSE"}
    assert found["CAMEL"].score > found["HORSE"].score
    assert found["CAMEL"].features["language-model.rank"] == 1


def test_what_is_likely_for_any_clue_counts_less() -> None:
    prior = {" camel": log(0.5), " Camel": log(0.5), " horse": log(0.01)}
    found = {p.word: p for p in source(prior).candidates(Clue("1A", "Animal", 5), 5)}
    assert found["HORSE"].score > found["CAMEL"].score


@pytest.mark.parametrize("text", ["", "___", "?!", "\u201cÀ la ___\u201d", "x" * 3000])
def test_any_clue_makes_a_short_question_in_ascii(text: str) -> None:
    asking = question(text)
    assert asking.isascii()
    assert len(asking) < 800
    list(source({}).candidates(Clue("1A", text, 5), 5))


def test_set_up_joins_the_parts_and_learns_what_is_likely_anyway(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def parts(wanted: list[packages.Package], *_: object) -> Iterator[Path]:
        (tmp_path / wanted[0].wanted[0]).write_bytes(wanted[0].name[-1:].encode())
        yield tmp_path

    monkeypatch.setattr(packages, "package_files", parts)
    monkeypatch.setattr(language_model, "open_model", lambda path: next_tokens)
    path = language_model.make(None, lambda line: None)
    assert path.read_bytes().startswith(b"1234")
    found = open_source("language-model", SourceSettings(WORDS))
    assert {p.word for p in found.candidates(Clue("1A", "Animal", 4), 4)} == {"GOAT"}
    path.write_bytes(b"12345")
    with pytest.raises(InputError, match="setup language-model --again"):
        open_source("language-model", SourceSettings(WORDS))


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.gguf").write_bytes(b"rubbish" * 100)
    with pytest.raises(InputError, match=r"no\.gguf: no language model"):
        language_model.open_model(tmp_path / "no.gguf")
