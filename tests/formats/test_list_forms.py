"""Lists as other programs and spreadsheets write them, in many languages, through every door."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from satcross import InputError
from satcross.formats.charsets import read_charset
from satcross.formats.clues import parse_clued_words, read_clues
from satcross.formats.entries import Accents, Reading
from satcross.formats.files import Data, Text, decode_text
from satcross.formats.words import parse_words
from satcross.support.letters import spell
from satcross.support.texts import TextSettings, use_texts

TABLE = tomllib.loads(Path(__file__).with_name("list_forms.toml").read_text("utf-8"))
LISTS, LAYOUTS = ({one["name"]: one for one in TABLE[kind]} for kind in ("list", "layout"))


@pytest.mark.parametrize("name", LISTS)
def test_lists(name: str) -> None:
    case = LISTS[name]
    data = case["text"].encode(case.get("charset", "utf-8"))
    found = parse_words([decode_text(Data("list", data))])
    scores = {spell(word): found.vocabulary.score(word) for word in found.vocabulary}
    assert scores == case["words"]
    assert found.written == case.get("written", found.written)
    assert [[line.line, line.reason] for line in found.dropped] == case.get("dropped", [])
    notes = [note for _, note in found.notes]
    noted = case.get("noted", "")
    assert all(part in "; ".join(notes) for part in noted.split("; "))
    assert bool(noted) or notes == case.get("notes", [])


@pytest.mark.parametrize("name", LAYOUTS)
def test_lists_for_layouts(name: str, tmp_path: Path) -> None:
    text, clues, scores = (LAYOUTS[name].get(key, {}) for key in ("text", "clues", "scores"))
    found = parse_clued_words(Text("list", text))
    assert found.clues == clues
    assert found.scores == scores
    assert len(found.notes) == LAYOUTS[name].get("notes", len(found.notes))
    assert found.values() == {word: scores.get(word, 50) or 1 for word in clues if scores}
    if all(clues.values()) and not scores:  # as a file of clues, it says the same
        (tmp_path / "clues").write_text(text, encoding="utf-8")
        lines = read_clues(tmp_path / "clues").clues
        parts = re.compile(r" \(\d([-,]\d)?\)$")
        assert {line.key.replace("-", ""): parts.sub("", line.text) for line in lines} == {
            word: parts.sub("", clue) for word, clue in clues.items()
        }


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Title: T\n\n\nCAT\nU#O\nBED\n\n\nA1. It purrs ~ CAT\n", "is an .xd crossword"),
        ('{"version": "http://ipuz.org/v2", "kind": ["x"]}', "is an .ipuz crossword"),
        ("___\n_#_\n___\n", "is a structure"),
        ("<words><w>cat</w><w>dog</w></words>", "is an XML file"),
        ("SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n", r"is an affix file of hunspell \(\.aff\)"),
    ],
)
def test_what_is_no_list_is_refused_by_name(text: str, kind: str) -> None:
    for read in (parse_clued_words, lambda source: parse_words([source])):
        with pytest.raises(InputError, match=f"list: {kind}; give a list, one word per line"):
            read(Text("list", text))


@pytest.mark.parametrize(
    ("language", "accents", "words"),
    [
        ("", "fold", {"BAR", "CAFE", "NINO"}),
        ("", "keep", {"BÄR", "CAFÉ", "NIÑO"}),
        ("de", "auto", {"BÄR", "CAFE", "NINO"}),
        ("de", "spell", {"BÄR", "CAFE", "NINO"}),
        ("", "spell", {"BAER", "CAFE", "NINO"}),
        ("es", "auto", {"BAR", "CAFE", "NIÑO"}),
        ("fr", "auto", {"BAR", "CAFE", "NINO"}),
        ("pl", "auto", {"BÄR", "CAFÉ", "NIÑO"}),
    ],
)
def test_accents_follow_the_language(language: str, accents: str, words: set[str]) -> None:
    use_texts(TextSettings(language))
    text = Text("list", "Bär\ncafe\N{COMBINING ACUTE ACCENT}\nniño\n")
    found = parse_words([text], Reading(accents=Accents(accents)))
    assert set(found.vocabulary) == words
    assert accents == "auto" or not found.notes


def test_capitals_follow_the_language() -> None:
    use_texts(TextSettings("tr"))
    assert {*parse_words([Text("list", "isim\nsirk\n")]).vocabulary} == {"İSİM", "SİRK"}


def test_digraphs_are_letters_on_demand() -> None:
    use_texts(TextSettings("hr", ("LJ", "NJ", "DŽ")))
    found = parse_words([Text("list", "ljubav\ndžep\nkonj\n")]).vocabulary
    assert found.lengths == {3: 2, 5: 1}
    assert {spell(word) for word in found} == {"LJUBAV", "DŽEP", "KONJ"}


def test_an_encoding_is_named() -> None:
    use_texts(TextSettings(charset=read_charset("cp1257")))
    source = decode_text(Data("list", "šuo\nėda\n".encode("cp1257")))
    assert set(parse_words([source]).vocabulary) == {"ŠUO", "ĖDA"}
