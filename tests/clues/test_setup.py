"""Getting and preparing dictionaries, and the sources command."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from dictionaries import as_deb, as_tgz, write_dictd, write_wordnet
from helpers import run

from satcross.clues import fetch, store, wndb
from satcross.clues.dictd import read_dictd
from satcross.errors import InputError, UnavailableError

FILES = {"./usr/share/x/a.index": b"one", "./usr/share/x/a.dict.dz": b"two", "./other": b"three"}
PACKAGE = fetch.Package("http://127.0.0.1:9/a_1.deb", "", 1, ("a.index", "a.dict.dz"))


def quiet(line: str) -> None:
    pass


@pytest.mark.parametrize("content", [as_deb(FILES), as_tgz(FILES)], ids=["deb", "tgz"])
def test_packages_are_unpacked(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a_2-1_all.deb").write_bytes(content)
    with fetch.unpacked(PACKAGE, tmp_path, quiet) as folder:
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
            "a.index": b"one",
            "a.dict.dz": b"two",
        }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no package", "damaged"),
        (as_deb({"other": b""}), "has no a.dict.dz"),
        (as_deb(FILES)[:150], "damaged"),
        (b"!<arch>\n", "damaged"),
    ],
)
def test_damaged_packages(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "a_1.deb").write_bytes(content)
    with (
        pytest.raises(InputError, match=message),
        fetch.unpacked(PACKAGE, tmp_path, quiet),
    ):
        pass


def test_a_package_that_cant_be_had_says_where_it_is(tmp_path: Path) -> None:
    with (
        pytest.raises(UnavailableError, match="download it from"),
        fetch.unpacked(PACKAGE, tmp_path, quiet),
    ):
        pass
    with (
        pytest.raises(UnavailableError, match=r"can't be had .*--from"),
        fetch.unpacked(PACKAGE, None, quiet),
    ):
        pass


def test_downloads_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "a_1.deb"
    path.write_bytes(as_deb(FILES))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    package = replace(PACKAGE, url=path.as_uri(), sha256=digest)
    with fetch.unpacked(package, None, quiet) as folder:
        assert (folder / "a.index").read_bytes() == b"one"
    with (
        pytest.raises(UnavailableError, match="not the file it should be"),
        fetch.unpacked(replace(package, sha256="0" * 64), None, quiet),
    ):
        pass


def test_dictd(tmp_path: Path) -> None:
    long = "y" * 5000
    write_dictd(tmp_path, "d", [("a", "first"), ("b", long), ("é", "third é")])
    assert list(read_dictd(tmp_path / "d.index")) == [("a", "first"), ("b", long), ("é", "third é")]


@pytest.mark.parametrize("line", ["no tabs", "a\t!\tB", "a\tA\tZZZZ"])
def test_damaged_dictd(line: str, tmp_path: Path) -> None:
    write_dictd(tmp_path, "d", [("a", "first")])
    index = tmp_path / "d.index"
    index.write_text(index.read_text() + line + "\n")
    with pytest.raises(InputError, match=r"d\.index:2: "):
        list(read_dictd(index))


def test_wordnet_is_read(tmp_path: Path) -> None:
    write_wordnet(tmp_path)
    synsets = {synset.key: synset for synset in wndb.synsets(tmp_path)}
    named = {lemma: synset for synset in synsets.values() for lemma in synset.lemmas}
    assert named["hot dog"].gloss == "a sausage in a roll"
    (pointer,) = named["camel"].pointers
    assert pointer.relation == "hypernym"
    assert synsets[pointer.synset] is named["animal"]
    assert ("camel", "n", (named["camel"].key,)) in list(wndb.sense_order(tmp_path))
    assert list(wndb.exceptions(tmp_path)) == [("geese", "goose", "n")]
    assert wndb.counts(tmp_path) == {("camel", "n"): 7}


def test_a_damaged_wordnet(tmp_path: Path) -> None:
    write_wordnet(tmp_path)
    (tmp_path / "data.verb").write_text("this is no synset\n")
    with pytest.raises(InputError, match=r"data\.verb:1: "):
        list(wndb.synsets(tmp_path))


def test_nothing_is_left_of_a_dictionary_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "prepared"))

    def fail(connection: object) -> None:
        raise InputError("no good")

    with pytest.raises(InputError):
        store.prepare("x", fail)
    assert list((tmp_path / "prepared").iterdir()) == []


def test_the_command_sets_up_and_asks(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, store.VARIABLE, str(tmp_path / "prepared"))
    done = run(tmp_path, "sources", "setup", "--from", str(published))
    assert done.returncode == 0, done.stderr
    assert b"wordnet: ready" in done.stdout
    assert b"wordnet: ready (WordNet 3.0)" in run(tmp_path, "sources", "setup", "wordnet").stdout
    listed = json.loads(run(tmp_path, "sources", "--json").stdout)
    missing = {row["name"]: row["missing"] for row in listed}
    assert missing["wordnet"] == "" != missing["clues-db"]
    done = run(tmp_path, "sources", "ask", "Humped ruler", "5", "--sources", "wordnet", "--json")
    assert "CAMEL" in [row["word"] for row in json.loads(done.stdout)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("setup", "wrdnet"), b"'wrdnet' is none of wordnet, moby"),
        (("setup", "moby", "--from", "nowhere"), b"nowhere: no such folder"),
        (("setup", "moby", "--from", "."), b"has no moby-1.1.2.tgz"),
        (("ask", "Clue", "1"), b"1 is not in the range"),
        (("ask", "Clue", "5", "--sources", "nobody"), b"there is no source 'nobody'"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], message: bytes, tmp_path: Path) -> None:
    done = run(tmp_path, "sources", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith(b"satcross:")]) == 1
