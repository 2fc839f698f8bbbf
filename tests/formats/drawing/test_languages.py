"""Pages in other languages: headings, scripts that run from right to left, fonts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from satcross import Crossword, Grid, InputError, write_crossword
from satcross.formats.drawing.layout import newspaper_pages, style_drawing
from satcross.formats.drawing.lettering import use_font
from satcross.formats.drawing.shapes import TextLine
from satcross.formats.drawing.terminal import draw_terminal
from satcross.formats.html import crossword_page
from satcross.formats.languages import languages, phrase, read_language
from satcross.formats.readers import read_crossword
from satcross.support.texts import TextSettings, use_texts

GRID = Grid.from_rows(["___", "_##"])
TEXTS = re.compile(r">[^<]+<|=\"[^\"]*\"")
"""Texts and values of attributes."""

LATIN = Crossword.of(GRID, {"1A": "CAT", "1D": "CO"}, {"1A": "It purrs"})
HEBREW = Crossword.of(GRID, {"1A": "ילד", "1D": "ים"}, {"1A": "לא מבוגר"})
HINDI = Crossword.of(GRID, {"1A": "हिन्दी", "1D": "हिल"})


@pytest.mark.parametrize(
    ("code", "across", "down"),
    [("", "ACROSS", "DOWN"), ("de", "WAAGERECHT", "SENKRECHT"), ("tr", "SOLDAN SAĞA", "AŞAĞIYA")],
)
def test_headings_follow_the_language(code: str, across: str, down: str) -> None:
    use_texts(TextSettings(code))
    [page] = newspaper_pages(LATIN, (600.0, 800.0))
    texts = [item.text for item in page.items if isinstance(item, TextLine)]
    assert across in texts
    assert any(text.endswith(down) for text in texts)
    assert f'<html lang="{code or "en"}">' in crossword_page(LATIN)
    assert f"<h2>{phrase('down')}</h2>" in crossword_page(LATIN)


def test_every_language_has_headings() -> None:
    assert len(languages()) >= 15
    for code in languages():
        use_texts(TextSettings(code))
        assert "{}" in phrase("letters")
        assert phrase("across") != phrase("down")
    assert read_language("de-AT") == "de"
    with pytest.raises(InputError, match="choose one of ar, az"):
        read_language("xx")


def test_a_page_to_solve_speaks_its_language() -> None:
    tables = {code: table["solving"] for code, table in languages().items() if "solving" in table}
    assert {"de", "fr", "es", "it", "nl"} <= tables.keys()
    assert len({tuple(table) for table in tables.values()}) == 1
    for code, table in tables.items():
        use_texts(TextSettings(code))
        shown = crossword_page(LATIN).partition('id="phrases"')[0]
        for english, own in table.items():
            assert english == own or not {f">{english}<", f'="{english}"'} & {*TEXTS.findall(shown)}


def test_hebrew_runs_from_right_to_left() -> None:
    drawing = style_drawing(HEBREW, "solution")
    letters = {item.text: item.x for item in drawing.items if isinstance(item, TextLine)}
    first, second, third = (letters[letter] for letter in HEBREW.words["1A"])
    row = draw_terminal(HEBREW).splitlines()[1]
    assert [c for c in row if c in HEBREW.words["1A"]] == list(reversed(HEBREW.words["1A"]))
    assert first > second > third
    [number] = [item for item in drawing.items if isinstance(item, TextLine) and item.text == "1"]
    assert number.anchor == "end"
    assert number.x > first
    assert letters["ם"] == first
    assert '<html lang="en" dir="rtl">' in crossword_page(HEBREW)
    use_texts(TextSettings("de"))
    assert ' dir="rtl"' not in crossword_page(HEBREW)


@pytest.mark.parametrize("extension", ["ipuz", "jpz", "json", "html", "exolve", "xd", "txt"])
def test_letters_of_several_characters_keep_their_cells(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a.{extension}"
    write_crossword(HINDI, path)
    assert "दी" in path.read_text("utf-8") or extension == "html"
    read = read_crossword(path)
    assert read.solution == HINDI.solution
    assert len(read.words["1A"]) == 3


def test_what_a_font_lacks_is_said(tmp_path: Path) -> None:
    [lost] = write_crossword(HINDI, tmp_path / "a.png", "solution")
    assert lost == "characters that the embedded font lacks: ह ि न ् द ी ल; --font names another"
    (tmp_path / "no.ttf").write_text("no font")
    with pytest.raises(InputError, match=r"no\.ttf: can't be read as a font"):
        use_font(str(tmp_path / "no.ttf"))
