"""Personal edits of words: the file, and what they do to a vocabulary."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from satcross import InputError, Vocabulary
from satcross.formats.word_edits import Action, Edit, Keyword, edit_word, read_edits
from satcross.support.user_folder import EDITS_VARIABLE, edits_path

NEVER, ALWAYS = Keyword.NEVER, Keyword.ALWAYS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "edits.txt"


def test_edits_are_kept_replaced_and_forgotten(path: Path) -> None:
    assert read_edits(path).edits == ()
    assert edit_word("T-shirt", 80, path) is None
    assert edit_word("emu", NEVER, path) is None
    assert edit_word("TSHIRT", ALWAYS, path) == Edit("T-shirt", 80)
    assert read_edits(path).edits == (Edit("emu", NEVER), Edit("TSHIRT", ALWAYS))
    assert read_edits(path).get("t shirt") == Edit("TSHIRT", ALWAYS)
    assert edit_word("Emu", None, path) == Edit("emu", NEVER)
    assert edit_word("emu", None, path) is None
    assert read_edits(path).edits == (Edit("TSHIRT", ALWAYS),)


def test_comments_and_the_order_of_lines_stay(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("# mine\nzebra;5\n\n# dull\nemu; Never \n")
    edit_word("cat", 7, path)
    edit_word("zebra", None, path)
    assert path.read_text() == "# mine\n\n# dull\nemu; Never \ncat;7\n"


@pytest.mark.parametrize("line", ["cat", "cat;", "cat;maybe", "cat;1.5", ";5", "x;never", "c;t;1"])
def test_a_line_that_is_no_edit_is_named(path: Path, line: str) -> None:
    path.parent.mkdir()
    path.write_text(f"emu;5\n{line}\n")
    with pytest.raises(InputError, match=r"edits\.txt:2"):
        read_edits(path)
    with pytest.raises(InputError, match=r"edits\.txt:2"):
        edit_word("dog", 3, path)
    assert path.read_text() == f"emu;5\n{line}\n"


@pytest.mark.parametrize("entry", ["x", "", "--", "a;b", "a\nb\x00c"])
def test_what_is_no_word_is_refused(path: Path, entry: str) -> None:
    with pytest.raises(InputError, match="not a word"):
        edit_word(entry, NEVER, path)
    assert not path.exists()


def edited(path: Path, vocabulary: Vocabulary, **edits: Action) -> tuple[dict[str, int], str]:
    for entry, action in edits.items():
        edit_word(entry.replace("_", " "), action, path)
    found, text = read_edits(path).apply(vocabulary)
    assert list(found) == list(Vocabulary({word: found.score(word) for word in found}))
    return {word: found.score(word) for word in found}, text


def test_what_edits_do(path: Path) -> None:
    vocabulary = Vocabulary({"CAT": 50, "DOG": 60, "EMU": 50, "ICECREAM": 40, "OWL": 20})
    found, text = edited(path, vocabulary, emu=NEVER, dog=5, ice_cream=ALWAYS, yak=70, gnu=ALWAYS)
    assert found == {"CAT": 50, "DOG": 5, "GNU": 100, "ICECREAM": 100, "OWL": 20}
    assert text == "1 word left out, 1 word added, 2 words with another score"


def test_edits_follow_the_vocabulary(path: Path) -> None:
    assert edited(path, Vocabulary({"CAT": 9_000}), gnu=ALWAYS)[0]["GNU"] == 9_000
    vocabulary = Vocabulary({"N'T": 1, "BÄR": 2, "CAFE": 3, "OWL": 4})
    edit_word("gnu", None, path)
    edits: dict[str, Action] = {"n't": NEVER, "Bär": 7, "cafe": 8}
    assert edited(path, vocabulary, **edits)[0] == {"BÄR": 7, "CAFE": 8, "OWL": 4}


def test_without_an_edit_that_matters_the_vocabulary_stays(path: Path) -> None:
    vocabulary = Vocabulary({"CAT": 50})
    edit_word("cat", 50, path)
    edit_word("emu", NEVER, path)
    assert read_edits(path).apply(vocabulary) == (vocabulary, "")


def test_where_edits_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert edits_path() is None  # as tests/conftest.py has it
    with pytest.raises(InputError, match=EDITS_VARIABLE):
        edit_word("cat", NEVER)
    monkeypatch.setenv(EDITS_VARIABLE, str(tmp_path / "mine.txt"))
    edit_word("cat", NEVER)
    assert read_edits().edits == (Edit("cat", NEVER),)
    monkeypatch.delenv(EDITS_VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert edits_path() == tmp_path / "satcross" / "edits.txt"


def test_edits_at_the_same_time_are_all_kept(path: Path) -> None:
    entries = [f"{letter}at" for letter in "bcefhmop"]
    threads = [Thread(target=edit_word, args=(entry, NEVER, path)) for entry in entries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [one.entry for one in read_edits(path).edits] == entries
