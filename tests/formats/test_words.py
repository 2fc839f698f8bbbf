"""Reading word lists."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcross import InputError, Vocabulary
from satcross.formats import words as words_format
from satcross.formats.files import Text, read_text
from satcross.formats.words import Dropped, WordList, parse_words
from satcross.vocabulary import DEFAULT_SCORE


def parse(*texts: str) -> WordList:
    return parse_words(Text(f"list{number}.txt", text) for number, text in enumerate(texts))


def scores(vocabulary: Vocabulary) -> dict[str, int]:
    return {word: vocabulary.score(word) for word in vocabulary}


def test_case_blanks_and_line_ends() -> None:
    found = parse("cat\r\nDOG\n\n  emu \nCat")
    assert sorted(found.vocabulary) == ["CAT", "DOG", "EMU"]
    assert found.dropped == ()


def test_scores() -> None:
    assert scores(parse("cat;10\ndog\nCAT; 70\nemu;-3").vocabulary) == {
        "CAT": 70,
        "DOG": 50,
        "EMU": -3,
    }


def test_a_comma_before_the_score_is_told() -> None:
    found = parse("cat;10\nCAT,50\ne-mail\n")
    assert scores(found.vocabulary) == {"CAT": 10, "E-MAIL": DEFAULT_SCORE}
    assert [(one.line, one.reason) for one in found.dropped] == [
        (2, "a comma before the score; write word;score")
    ]


def test_several_lists_keep_the_best_score() -> None:
    found = parse("cat;10\ndog;90\n", "cat;30\ndog;20\nemu;1\n").vocabulary
    assert scores(found) == {"CAT": 30, "DOG": 90, "EMU": 1}


@pytest.mark.parametrize(
    "score", ["x", "", "1.5", "1000001", "5;6", "1e3", "1_000", "\u0661\u0662"]
)
def test_a_bad_score(score: str) -> None:
    with pytest.raises(InputError, match=r"list0\.txt:2: bad score .*; write word;score"):
        parse(f"cat;1\ndog;{score}\n")


@pytest.mark.parametrize("text", ["", "\n\n", "  \n", "a\nb\n"])
def test_a_list_without_words(text: str) -> None:
    with pytest.raises(InputError, match=r"list0\.txt: the list has no word"):
        parse(text)


def test_punctuation_counts_as_letters() -> None:
    assert set(parse("n't\ne-mail\n").vocabulary) == {"N'T", "E-MAIL"}


def test_letters_beyond_a_to_z() -> None:
    found = parse("straße\ncafe\N{COMBINING ACUTE ACCENT}\nñandú\n")
    assert set(found.vocabulary) == {"STRASSE", "CAFÉ", "ÑANDÚ"}


def test_what_is_dropped_and_why() -> None:
    found = parse("cat\nice cream\nx\nbell\x7f\n;5\n")
    assert [(line.line, line.reason) for line in found.dropped] == [
        (2, "blank inside the word"),
        (3, "a single letter fits no slot"),
        (4, "control character inside the word"),
        (5, "no word"),
    ]
    assert set(found.vocabulary) == {"CAT"}


@given(
    st.lists(
        st.tuples(
            st.text("abB\r'7", max_size=3),
            st.sampled_from(["", ";1", ";12", ";0012", ";1234567", ";", ";1;2"]),
        ),
        max_size=6,
    )
)
def test_the_short_cut_agrees_with_the_general_way(lines: list[tuple[str, str]]) -> None:
    text = "".join(f"{word}{score}\n" for word, score in lines)
    quick = words_format._parse_simple(text)
    dropped: list[Dropped] = []
    if quick is not None:
        assert quick == words_format._parse_lines(Text("list", text), dropped)
        assert dropped == []


def test_files(tmp_path: Path) -> None:
    plain = tmp_path / "bom.txt"
    plain.write_bytes(b"\xef\xbb\xbfcat\r\ndog\r\n")
    text = read_text(str(plain))
    assert text.notes == ("the byte order mark is ignored",)
    assert set(parse_words([text]).vocabulary) == {"CAT", "DOG"}

    packed = tmp_path / "list.gz"
    packed.write_bytes(gzip.compress("émeu\n".encode("latin-1")))
    text = read_text(str(packed))
    assert text.notes == ("line 1 is not UTF-8; the file is read as Windows-1252",)
    assert set(parse_words([text]).vocabulary) == {"ÉMEU"}

    wide = tmp_path / "utf16.txt"
    wide.write_text("cat\n", encoding="utf-16")
    assert set(parse_words([read_text(str(wide))]).vocabulary) == {"CAT"}


def test_the_default_list(default_vocabulary: Vocabulary) -> None:
    assert len(default_vocabulary) >= 100_000
    assert all(word.isascii() and word.isalpha() and word.isupper() for word in default_vocabulary)
    assert default_vocabulary.score("HOUSE") > default_vocabulary.score("ABRI")
    assert len({default_vocabulary.score(word) for word in default_vocabulary}) > 5
