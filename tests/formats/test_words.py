"""Reading word lists."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcross import InputError, Vocabulary
from satcross.formats import words as words_format
from satcross.formats.entries import (
    AUTO,
    Accents,
    Marks,
    Reading,
    companion,
    enumeration,
    letters_of,
    read_word,
)
from satcross.formats.files import Text, read_data, read_text
from satcross.formats.packed import default_list
from satcross.formats.read_words import read_words
from satcross.formats.sniff import decode_list
from satcross.formats.words import WordList, parse_words
from satcross.formats.written import (
    WithDefault,
    default_splits,
    default_written,
    written_by_sources,
)

COURSE = Path(__file__).with_name("course.txt")
SOURCES = Path(__file__).parents[2] / "data" / "sources"


def parse(*texts: str, reading: Reading = AUTO) -> WordList:
    sources = (Text(f"list{number}.txt", text) for number, text in enumerate(texts))
    return parse_words(sources, reading)


def scores(vocabulary: Vocabulary) -> dict[str, int]:
    return {word: vocabulary.score(word) for word in vocabulary}


def test_several_lists_keep_the_best_score() -> None:
    found = parse("cat;10\ndog;90\n", "cat;30\ndog;20\nemu;1\n").vocabulary
    assert scores(found) == {"CAT": 30, "DOG": 90, "EMU": 1}


def test_a_line_with_a_bad_score_is_dropped() -> None:
    for score in ("1000001", "1e3"):
        found = parse(f"cat;1\ndog;{score}\nemu;2\n")
        assert scores(found.vocabulary) == {"CAT": 1, "EMU": 2}
        assert [(line.line, "score" in line.reason) for line in found.dropped] == [(2, True)]


@pytest.mark.parametrize("text", ["", "\n\n", "  \n", "a\nb\n", "cat;\ndog;7_0\n"])
def test_a_list_without_words(text: str) -> None:
    with pytest.raises(InputError, match=r"list0\.txt: the list has no word"):
        parse(text)


def test_a_list_like_the_courses_is_taken_literally() -> None:
    text = COURSE.read_text()
    found = parse(text)
    assert "E-MAIL" in found.vocabulary
    assert found.written == {}
    assert [note for _, note in found.notes] == [
        "hyphens and apostrophes fill cells, as in CS50 (1 of 131 words have one); "
        "--marks drop leaves them out"
    ]
    dropped = parse(text, reading=Reading(Marks.DROP))
    assert "EMAIL" in dropped.vocabulary
    assert "E-MAIL" not in dropped.vocabulary
    assert len(dropped.vocabulary) == len(found.vocabulary)
    # A score, or an entry with a blank, shows that a list is not like the course's.
    assert "EMAIL" in parse(text + "zebra;60\n").vocabulary
    assert "EMAIL" in parse(text + "ice cream\n").vocabulary


def test_marks_are_kept_on_demand() -> None:
    found = parse("n't\ne-mail\nice cream\n", reading=Reading(Marks.KEEP))
    assert set(found.vocabulary) == {"N'T", "E-MAIL"}
    assert [(line.line, line.reason) for line in found.dropped] == [(3, "blank inside the word")]


def test_letters_without_accents_in_other_alphabets_stay() -> None:
    text = "straße\n\u0451\u0436\n\u043c\u043e\u0439\n"
    found = parse(text, reading=Reading(accents=Accents.FOLD))
    assert set(found.vocabulary) == {"STRASSE", "\u0401\u0416", "\u041c\u041e\u0419"}


def test_a_word_is_looked_for_as_the_vocabulary_has_it() -> None:
    course, plain = Vocabulary(["E-MAIL", "CAT"]), Vocabulary(["EMAIL", "CAFE"])
    german = Vocabulary(["BÄR", "KÜHE", "CAFÉ"])
    assert read_word("e-mail", course) == "E-MAIL"
    assert read_word("e-mail", plain) == "EMAIL"
    assert read_word("café", plain) == "CAFE"
    assert read_word("café", german) == "CAFÉ"
    assert read_word("Breakfast Club", plain) == "BREAKFASTCLUB"
    assert read_word("Ñu", Vocabulary(())) == "ÑU"
    assert [read_word(letter, german) for letter in "üx"] == ["Ü", "X"]  # no word is as long
    turkish = Vocabulary(["İSİM", "IŞIK"])
    assert [read_word(entry, turkish) for entry in ("isim", "i")] == ["İSİM", "İ"]
    assert companion(turkish).language == "tr"
    assert [*parse("isim\n", reading=companion(turkish)).vocabulary] == ["İSİM"]
    assert companion(course).marks is Marks.KEEP
    assert companion(plain) == Reading(Marks.DROP, Accents.FOLD)
    assert companion(german) == Reading(Marks.DROP, Accents.KEEP)


@pytest.mark.parametrize(
    ("written", "lengths"),
    [
        ("ice cream", "3,5"),
        ("T-shirt", "1-5"),
        ("Rock 'n' roll", "4,1,4"),
        ("mother-in-law", "6-2-3"),
        ("AC/DC", "2,2"),
        ("R&B", "5"),
        ("A.S.A.P.", "4"),
        ("Please, sir, I want some more", "6,3,1,4,4,4"),
        ("emu", "3"),
        ("- !", ""),
    ],
)
def test_enumerations(written: str, lengths: str) -> None:
    assert enumeration(written) == lengths


PARTS = st.text("abzéÆ7'.&", min_size=1, max_size=6).filter(
    lambda part: bool(letters_of(part, fold=True))
)


@given(st.lists(st.tuples(PARTS, st.sampled_from([" ", "  ", "-", "/", " - "])), min_size=1))
def test_an_enumeration_follows_the_parts_and_adds_up(parts: list[tuple[str, str]]) -> None:
    written = "".join(part + join for part, join in parts[:-1]) + parts[-1][0]
    word = letters_of(written, fold=True)
    lengths = enumeration(written)
    assert [int(number) for number in lengths.replace("-", ",").split(",")] == [
        len(letters_of(part, fold=True)) for part, _ in parts
    ]
    if len(word) > 1:
        found = parse(f"{written};60\n", reading=Reading(accents=Accents.FOLD))
        assert list(found.vocabulary) == [word]
        assert enumeration(found.written.get(word, word)) == lengths


@given(
    st.lists(
        st.tuples(
            st.text("abB\r", max_size=3),
            st.sampled_from(["", ";1", ";12", ";0012", ";1234567", ";", ";1;2"]),
        ),
        max_size=6,
    )
)
def test_the_short_cut_agrees_with_the_general_way(lines: list[tuple[str, str]]) -> None:
    for first in ("cat\n", "cat;1\n"):
        text = Text("list", first + "".join(f"{word}{score}\n" for word, score in lines))
        quick = parse_words([text])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(words_format, "parse_simple", lambda _: None)
            slow = parse_words([text])
        assert scores(quick.vocabulary) == scores(slow.vocabulary)
        assert (quick.dropped, quick.notes) == (slow.dropped, slow.notes)
        assert quick.written == slow.written


def test_files(tmp_path: Path) -> None:
    packed = tmp_path / "list.gz"
    packed.write_bytes(gzip.compress("émeu\n".encode("latin-1")))
    text = read_text(str(packed))
    assert text.notes == ("line 1 is not UTF-8; the file is read as Windows-1252",)
    assert set(parse_words([text], Reading(accents=Accents.KEEP)).vocabulary) == {"ÉMEU"}

    with zipfile.ZipFile(archive := tmp_path / "lists.zip", "w") as files:
        files.writestr("a.txt", "cat;60\n// dog\n")
        files.writestr("b.txt", "owl\n")
    found = parse_words([decode_list(read_data(str(archive)))])
    assert scores(found.vocabulary) == {"CAT": 60}
    assert [line.reason for line in found.dropped] == ["a comment"]
    assert found.notes == ((str(archive), "the archive has 2 files; a.txt is read"),)
    archive.write_bytes(archive.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"lists\.zip: is a damaged zip archive"):
        decode_list(read_data(str(archive)))


def test_the_default_list(default_vocabulary: Vocabulary) -> None:
    assert len(default_vocabulary) >= 350_000
    groups = [default_vocabulary.group(length) for length in default_vocabulary.lengths]
    text = "".join(group.text for group in groups)
    assert text.isascii()
    assert text.isalpha()
    assert text.isupper()
    assert default_vocabulary.score("HOUSE") > default_vocabulary.score("ABRI")
    assert default_vocabulary.score("PIECEOFCAKE") >= 80
    assert all(word in default_vocabulary for word in ("COLOUR", "COLOR", "ORGANISE", "ORGANIZE"))
    assert len({score for group in groups for score in group.scores}) > 5


def test_the_default_list_is_one_of_several(tmp_path: Path, default_vocabulary: Vocabulary) -> None:
    (tmp_path / "mine.txt").write_text("zqzx;20\n")
    both = read_words("default", tmp_path / "mine.txt")
    assert len(both) == len(default_vocabulary) + 1
    assert both.score("ZQZX") == 20


def test_offensive_words_are_in_the_default_list_on_demand(default_vocabulary: Vocabulary) -> None:
    mild = parse_words([default_list()], Reading(tiers=frozenset(["mild"]))).vocabulary
    both = parse_words([default_list()], Reading(tiers=frozenset(["mild", "offensive"]))).vocabulary
    assert len(default_vocabulary) < len(mild) < len(both)
    assert "CRAP" not in default_vocabulary
    assert "CRAP" in mild
    assert "SLUT" not in mild
    assert "SLUT" in both
    group = both.group(4)
    assert list(group.scores) == sorted(group.scores, reverse=True)
    places = list(zip((-score for score in group.scores), group.words, strict=True))
    assert places == sorted(places)


def read_data_words(name: str, section: str = "") -> set[str]:
    """The words of a file of data/sources without its comments, or of one of its sections."""
    lines = (SOURCES / name).read_text("ascii").splitlines()
    text = "\n".join(line.partition("#")[0] for line in lines)
    _, found, rest = text.partition(f"[{section}]\n") if section else ("", "", text)
    assert found or not section
    return set(rest.partition("\n[")[0].split())


def test_no_word_of_public_lists_of_offensive_words_is_without_a_tier(
    default_vocabulary: Vocabulary,
) -> None:
    offensive = read_data_words("public-offensive.txt")
    ordinary = read_data_words("tiers.txt", "ordinary")
    assert len(offensive) > 500
    assert {word for word in offensive if word in default_vocabulary} <= ordinary


def test_how_words_of_the_default_list_are_written(default_vocabulary: Vocabulary) -> None:
    written, looked_up = default_written(), WithDefault({"ICEAGE": "ice-age"})
    assert {*looked_up} == {*written}
    for words in ([*written_by_sources()], default_splits().replace(" ", "").split()):
        assert words == sorted(words)  # so that each is found as some are
    assert all(letters_of(entry, fold=True) == w for w, entry in written_by_sources().items())
    expected = {**written, "ICEAGE": "ice-age"}
    some = ["ICEAGE", *[*written][:: len(written) // 5000]]
    assert [looked_up[word] for word in some] == [expected[word] for word in some]
    assert "ICEAGEX" not in looked_up
    assert written["ICEAGE"] == "ice age"
    assert enumeration(written["PIECEOFCAKE"]) == "5,2,4"
    tiers = Reading(tiers=frozenset(["mild", "offensive"]))
    known = parse_words([default_list()], tiers).vocabulary
    assert all(word in known for word in written)
