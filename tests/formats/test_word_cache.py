"""Cached word lists equal the lists that were read."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from helpers import DATA, answer

from satcross.formats import word_cache
from satcross.formats.entries import Accents, Reading
from satcross.formats.files import read_text
from satcross.formats.word_cache import read_words
from satcross.formats.words import WordList, parse_words
from satcross.support.cache import VARIABLE

TEXT = "cat;70\nDOG;20\ndog;90\nice cream\nöl\nx\n\nemu\n"

READ_LISTS = """
import sys
from satcross.formats.files import Data, Text, decode_text
from satcross.formats.entries import (Accents, Marks, Reading)
from satcross.formats.words import (parse_words)
packed = Text("packed", "#packed words 2\\n3 mild 70:1 ANT\\n3 - 60:1 EMU\\n")
for text in ("CAT;50", "CAT\\nT-shirt;3\\nhot dog,4", "\u00e9t\u00e9 5\\nno!\\nx;9;9\\n# comment"):
    for accents in Accents:
        for marks in Marks:
            parse_words([Text("list", text), packed], Reading(marks, accents, frozenset(["mild"])))
parse_words([packed])
decode_text(Data("list", b"\\xe9t\\xe9\\n"))
for name, module in sys.modules.items():
    if name.startswith("satcross"):
        print(name, module.__file__, sep="\\t")
"""
WITHOUT_A_SAY = {
    "satcross",
    "satcross.engine",
    "satcross.formats",
    "satcross.grid",
    "satcross.support",
    *map("satcross.support.{}".format, ("arguments", "frozen", "hooks", "lazy_exports", "wording")),
}
"""Modules that reading a list imports but that do not change what is read."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "not" / "there yet"
    monkeypatch.setenv(VARIABLE, str(folder))
    monkeypatch.setattr(word_cache, "MIN_BYTES", 0)
    return folder


def write(folder: Path, text: str = TEXT, name: str = "w.txt") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def content(found: WordList) -> tuple[Any, ...]:
    return found.vocabulary.groups(), found.dropped, found.written, found.notes


def no_parsing(*_: object) -> WordList:
    raise AssertionError("the list was read anew")


@pytest.mark.parametrize("text", [TEXT, "\ufeffcat\ndog\n"])
def test_the_second_reading_gives_the_same_without_parsing(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    path = write(tmp_path, text)
    expected = content(parse_words([read_text(path)]))
    assert content(read_words([path])) == expected
    monkeypatch.setattr("satcross.formats.words.parse_words", no_parsing)
    found = read_words([path])
    assert content(found) == expected
    assert {word: found.vocabulary.score(word) for word in found.vocabulary}["CAT"] > 0


def test_the_key_covers_every_module_of_ours_that_reading_uses() -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ_LISTS], capture_output=True, text=True, check=True
    )
    used = dict(line.split("\t") for line in done.stdout.splitlines())
    assert {name for name in used if used[name] not in word_cache.SOURCE_FILES} == WITHOUT_A_SAY
    assert set(used.values()) >= set(word_cache.SOURCE_FILES) - {word_cache.__file__}


def test_a_module_that_was_changed_has_lists_read_anew(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, module = write(tmp_path), tmp_path / "reader.py"
    module.write_text("old = 1\n")
    monkeypatch.setattr(word_cache, "SOURCE_FILES", (*word_cache.SOURCE_FILES, str(module)))
    read_words([path])
    monkeypatch.setattr("satcross.formats.words.parse_words", no_parsing)
    read_words([path])
    module.write_text("newer = 2\n")
    with pytest.raises(AssertionError, match="read anew"):
        read_words([path])


def test_what_others_are_writing_is_left_alone(tmp_path: Path, cache: Path) -> None:
    cache.mkdir(parents=True)
    theirs = [cache / f".satcross-{number}.words" for number in range(30)]
    for file in theirs:
        file.touch()
    for number in range(25):
        read_words([write(tmp_path, f"word{number}\n".replace("1", "x"))])
    assert all(file.exists() for file in theirs)
    assert len(list(cache.iterdir())) == len(theirs) + 20


def test_other_content_or_another_way_of_reading_makes_another_list(
    tmp_path: Path, cache: Path
) -> None:
    path = write(tmp_path)
    for accents, word in ((Accents.KEEP, "ÖL"), (Accents.FOLD, "OL")):
        vocabulary = read_words([path], Reading(accents=accents)).vocabulary
        assert {"ÖL", "OL"} & {*vocabulary} == {word}
    write(tmp_path, TEXT + "gnu\n")
    assert "GNU" in read_words([path]).vocabulary
    assert "GNU" not in read_words([write(tmp_path)]).vocabulary
    assert "YAK" in read_words([path, write(tmp_path, "yak\n", "other.txt")]).vocabulary
    assert "YAK" not in read_words([path]).vocabulary


def test_a_damaged_or_another_lists_entry_is_made_anew_with_a_note(
    tmp_path: Path, cache: Path
) -> None:
    path = write(tmp_path)
    expected = content(read_words([path]))
    [kept] = cache.iterdir()
    whole = kept.read_bytes()
    read_words([write(tmp_path, "yak\n", "other.txt")])
    [other] = {*cache.iterdir()} - {kept}
    last = bytes([whole[-1] ^ 1])
    for spoilt in (b"", whole[:10], whole[:-1], whole[:-1] + last, other.read_bytes()):
        kept.write_bytes(spoilt)
        noted = content(read_words([path]))
        assert noted == (*expected[:3], (*expected[3], (path, word_cache.DAMAGED)))
        assert kept.read_bytes() == whole
        assert content(read_words([path])) == expected


def test_a_cache_that_cannot_be(tmp_path: Path, cache: Path) -> None:
    cache.parent.write_text("a file where the folder's parent should be")
    assert "CAT" in read_words([write(tmp_path)]).vocabulary


def test_an_entry_that_cannot_be_written(tmp_path: Path, cache: Path) -> None:
    path = write(tmp_path)
    expected = content(read_words([path]))
    [entry] = cache.iterdir()
    entry.unlink()
    (entry / "in its place").mkdir(parents=True)
    assert content(read_words([path]))[:3] == expected[:3]


def test_none_is_kept_when_the_variable_is_empty_or_the_list_short(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_cache, "MIN_BYTES", len(TEXT.encode()) + 1)
    read_words([write(tmp_path)])
    assert not cache.exists()
    monkeypatch.setattr(word_cache, "MIN_BYTES", 0)
    monkeypatch.setenv(VARIABLE, "")
    read_words([write(tmp_path)])
    assert not cache.exists()


def test_commands_say_the_same_without_cache_all_at_once_and_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = (str(DATA / "grids" / "9x9-a.txt"), str(DATA / "bench/lists/scowl70.txt.gz"))
    without = answer(tmp_path, "solve", *puzzle)
    assert without[0] == 0
    monkeypatch.setenv(VARIABLE, str(tmp_path / "c"))
    with ThreadPoolExecutor() as pool:
        at_once = [pool.submit(answer, tmp_path, "solve", *puzzle) for _ in range(3)]
    assert [command.result() for command in at_once] == [without] * 3
    assert len(list((tmp_path / "c").glob("*.words"))) == 1
    assert answer(tmp_path, "solve", *puzzle) == without
