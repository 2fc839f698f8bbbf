"""A user's own file of old clues."""

from __future__ import annotations

import gzip
import threading
from pathlib import Path

import pytest

from satcross.clues.clue import Clue, Proposal, SourceSettings
from satcross.clues.sources import clue_database
from satcross.clues.sources.registry import open_source
from satcross.errors import InputError, UnavailableError
from satcross.vocabulary import Vocabulary

LINES = """pubid\tyear\tanswer\tclue
xx\t1999\tCAMEL\tHumped beast of the desert
xx\t2001\tCAMEL\tHumped beast of the desert
xx\t2001\tLLAMA\tHumped beast of the desert
xx\t2002\tHOT DOG\tPicnic fare, "for one"
xx\t2003\tR2D2\tRobot of film
xx\t2004\tOASIS\tDesert spot with water
xx\t2005\tNULL\t___ and void
"""


def opened(file: Path, cache: Path | None) -> clue_database.CluesDatabase:
    settings = SourceSettings(Vocabulary(["CAMEL"]), str(file), "" if cache is None else str(cache))
    return clue_database.open_source(settings)


def ask(source: clue_database.CluesDatabase, text: str, length: int) -> dict[str, Proposal]:
    return {one.word: one for one in source.candidates(Clue("1A", text, length), length)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "clues.tsv"
    path.write_text(LINES, "utf-8")
    return path


@pytest.mark.parametrize("cached", [True, False])
def test_the_same_clue_and_one_like_it(file: Path, tmp_path: Path, cached: bool) -> None:
    source = opened(file, tmp_path / "cache" if cached else None)
    found = ask(source, "Humped beast of the desert!", 5)
    assert found["CAMEL"].features["clues-db.same"] == pytest.approx(2 / 3)
    assert found["LLAMA"].features["clues-db.same"] == pytest.approx(1 / 3)
    assert found["CAMEL"].score > found["LLAMA"].score
    assert set(ask(source, "Beast with a hump", 5)) == {"CAMEL", "LLAMA"}
    assert set(ask(source, "picnic fare for one", 6)) == {"HOTDOG"}
    assert set(ask(source, "----- and void", 4)) == {"NULL"}
    assert ask(source, "Robot of film", 4) == {}
    assert ask(source, "Nothing of the kind", 5) == {}


@pytest.mark.parametrize("text", ["", "___", '"""', "* OR NOT (", "\0", "\ud83d\ude00"])
def test_strange_clues(file: Path, text: str) -> None:
    ask(opened(file, None), text, 5)


def test_the_index_is_kept_until_the_file_changes(file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    opened(file, cache)
    (kept,) = cache.iterdir()
    opened(file, cache)
    assert list(cache.iterdir()) == [kept]
    file.write_text(LINES + "xx\t2006\tTEPEE\tPlains home\n", "utf-8")
    assert set(ask(opened(file, cache), "Plains home", 5)) == {"TEPEE"}


def test_a_damaged_index_is_made_again(file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    opened(file, cache)
    (kept,) = cache.iterdir()
    kept.write_bytes(b"rubbish" * 1000)
    assert "CAMEL" in ask(opened(file, cache), "Humped beast of the desert", 5)


def test_a_cache_that_cant_be_written_is_done_without(file: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", "utf-8")
    assert "CAMEL" in ask(opened(file, blocked / "cache"), "Humped beast of the desert", 5)


def test_the_index_of_another_file_in_its_place_is_made_anew(file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    ask(opened(file, cache), "Humped beast of the desert", 5)
    (index,) = cache.iterdir()
    other = tmp_path / "other.tsv"
    other.write_text(LINES.replace("CAMEL", "ZEBRA"), "utf-8")
    ask(opened(other, cache), "Humped beast of the desert", 5)
    (theirs,) = set(cache.iterdir()) - {index}
    index.write_bytes(theirs.read_bytes())
    found = ask(opened(file, cache), "Humped beast of the desert", 5)
    assert "CAMEL" in found
    assert "ZEBRA" not in found


def test_a_line_without_end_is_told(tmp_path: Path) -> None:
    path = tmp_path / "clues.tsv.gz"
    path.write_bytes(gzip.compress(b"x" * 1_000_000))
    with pytest.raises(InputError, match="has 10,000 characters or more"):
        opened(path, None)


def test_a_file_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clue_database, "_MAX_CHARACTERS", 10_000)
    path = tmp_path / "clues.tsv.gz"
    path.write_bytes(gzip.compress(LINES.encode() + b"xx\t1999\tCAMEL\tHumped beast\n" * 1000))
    with pytest.raises(InputError, match="has more than 10,000 characters, the most that is read"):
        opened(path, tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("*"))


def test_damaged_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "clues.tsv.gz"
    packed = bytearray(gzip.compress(LINES.encode() * 100))
    packed[len(packed) // 2] ^= 0xFF
    path.write_bytes(packed)
    with pytest.raises(InputError, match="can't be read"):
        opened(path, None)


def test_two_may_index_at_once(file: Path, tmp_path: Path) -> None:
    found: list[dict[str, Proposal]] = []

    def run() -> None:
        found.append(ask(opened(file, tmp_path / "cache"), "Humped beast of the desert", 5))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [set(one) for one in found] == [{"CAMEL", "LLAMA", "OASIS"}] * 4


def test_no_heading_and_gzip(tmp_path: Path) -> None:
    path = tmp_path / "clues.tsv.gz"
    path.write_bytes(gzip.compress(b"\n".join(LINES.encode().splitlines()[1:])))
    assert "CAMEL" in ask(opened(path, None), "Humped beast of the desert", 5)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LINES + "CAMEL;Humped beast\n", "clues.tsv:9: not four columns"),
        ("", "has no clue"),
        ("pubid\tyear\tanswer\tclue\n", "has no clue"),
        ("\x1f\x8bno gzip at all", "can't be read"),
    ],
)
def test_bad_files(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "clues.tsv"
    path.write_text(content, "latin-1")
    with pytest.raises(InputError, match=message) as caught:
        opened(path, tmp_path / "cache")
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "cache").glob("*"))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read"):
        opened(tmp_path / "missing.tsv", None)
    with pytest.raises(UnavailableError, match="--clues-db FILE"):
        open_source("clues-db", SourceSettings(Vocabulary(["CAMEL"])))
