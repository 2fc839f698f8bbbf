"""The files that come with satcross are used only as they were built."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from satcross import InputError
from satcross.answer.model import model_content, shipped_network
from satcross.answer.sources.short_words import _lines
from satcross.formats import resources
from satcross.formats.packed import default_list
from satcross.formats.resources import default_list_path, read_resource, resource_path
from satcross.formats.word_cache import read_words
from satcross.formats.written import _source_text, default_splits
from satcross.make.pattern.library import standard_fills
from satcross.make.puzzles.arrow_clues import LANGUAGES
from satcross.solving.inflections import _unrelated, irregular, related
from satcross.solving.preferences import listed_words

LISTED = ("abbreviations", "american-spellings", "british-spellings", "names", "partials")
READERS: dict[str, Callable[[], object]] = {
    **{f"{name}.txt": partial(listed_words.__wrapped__, f"{name}.txt") for name in LISTED},
    **{name: partial(read_resource, name) for name in map("arrowword-{}.tsv".format, LANGUAGES)},
    "clue-model.json": model_content.__wrapped__,
    "clue-network.json": shipped_network,
    "english-parts.txt": default_splits.__wrapped__,
    "english-written.txt.gz": _source_text.__wrapped__,
    "english.txt": default_list,
    "grids.txt": standard_fills.__wrapped__,
    "irregular.txt": irregular.__wrapped__,
    "related.txt": related.__wrapped__,
    "short-words.txt": _lines.__wrapped__,
    "unrelated.txt": _unrelated.__wrapped__,
}


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with copies of the files, which are read in the place of the installed ones."""
    for name in (*READERS, "digests.txt"):
        (tmp_path / name).write_bytes(resource_path(name).read_bytes())
    monkeypatch.setattr(resources, "_FOLDER", tmp_path)
    return tmp_path


def test_every_file_has_a_digest_but_licences_and_fonts() -> None:
    others = ("-LICENSE.txt", "digests.txt", ".ttf", ".py", ".toml")
    files = (path.name for path in resource_path("").iterdir() if path.is_file())
    assert {name for name in files if not name.endswith(others)} == set(READERS)
    assert all(read_resource(name) for name in READERS)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes().replace(b"A", b"B", 1) + b"\n"),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes((path.parent / "digests.txt").read_bytes()),
        lambda path: path.unlink(),
        lambda path: (path.parent / "digests.txt").write_bytes(b"\xff"),
        lambda path: (path.parent / "digests.txt").unlink(),
    ],
)
def test_a_file_that_was_changed_gives_no_answer(
    name: str, spoil: Callable[[Path], object], copies: Path
) -> None:
    READERS[name]()
    spoil(copies / name)
    with pytest.raises(InputError, match="install satcross again"):
        READERS[name]()


def test_the_default_list_is_verified_beside_others(copies: Path) -> None:
    mine = copies / "mine.txt"
    mine.write_text("cat\n")
    both = [default_list_path(), str(mine)]
    assert read_words(both)
    spoilt = (copies / "english.txt").read_bytes().replace(b"CAT", b"CAX", 1)
    (copies / "english.txt").write_bytes(spoilt)
    for lists in (both, both[:1]):
        with pytest.raises(InputError, match="install satcross again"):
            read_words(lists)


def test_the_default_list_of_a_country() -> None:
    default = read_words([]).vocabulary
    listed = {*default}
    for country, home, foreign in (
        ("british", "WORDOFHONOUR LABELLED METER", "WORDOFHONOR LABELED CENTER"),
        ("american", "BLACKHUMOR OFFENSE AIRPLANE", "BLACKHUMOUR HONOUR AEROPLANE METRE"),
    ):
        found = read_words([country]).vocabulary
        assert {*found} <= listed
        assert all(word in found for word in home.split())
        assert all(word in default and word not in found for word in foreign.split())
        first, other = home.split()[0], foreign.split()[0]
        assert found.score(first) == default.score(other) > default.score(first)
    with pytest.raises(InputError, match="brittish: no such file; did you mean british"):
        read_words(["brittish"])


def test_line_ends_of_windows_are_no_change(copies: Path) -> None:
    for name in READERS:
        if not name.endswith(".gz"):
            (copies / name).write_bytes(read_resource(name).replace(b"\n", b"\r\n"))
        assert READERS[name]()
