"""Downloading word lists, from a server of this test."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from dictionaries import as_tgz, as_wheel
from local_server import Reply, serve

from satcross.errors import InputError, UnavailableError
from satcross.make.list_download import (
    FREE_LISTS,
    FreeList,
    counted_list,
    fetch_list,
    scowl_list,
)

CONTENT = b"".join(b"WORD%05d;50\n" % number for number in range(9_000))
DIGEST = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"


@dataclass
class Place:
    """A list on a server, which sends CONTENT from where a client asks for it.

    ``breaks_at`` ends the first answer early; ``starts`` are the first bytes asked for.
    """

    folder: Path
    wanted: FreeList
    status: int = 200
    breaks_at: int | None = None
    starts: list[int] = field(default_factory=list)

    @property
    def part(self) -> Path:
        return self.folder / "list.dict.part"

    def reply(self, request: BaseHTTPRequestHandler) -> Reply:
        """Answer a request, also of a range to the end."""
        found = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range", ""))
        start = int(found[1]) if found else 0
        self.starts.append(start)
        status = 416 if start >= len(CONTENT) else 206 if start else self.status
        rest = CONTENT[start:]
        end, self.breaks_at = self.breaks_at, None
        return status, rest[:end], len(rest)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    wanted = FreeList("A list", "", DIGEST, 0.1, "free", "CWL-LICENSE.txt", "list.dict")
    made = Place(tmp_path / "lists", wanted)
    with serve(made.reply) as url:
        made.wanted = replace(wanted, origin=f"{url}/list.dict")
        yield made


def test_a_list_is_downloaded_once(place: Place) -> None:
    sizes: list[int] = []
    path = fetch_list(place.wanted, place.folder, on_progress=sizes.append)
    assert path.read_bytes() == CONTENT
    assert sizes[-1] == len(CONTENT)
    assert fetch_list(place.wanted, place.folder) == path
    assert place.starts == [0]
    fetch_list(place.wanted, place.folder, again=True)
    assert place.starts == [0, 0]
    assert not place.part.exists()


def test_a_kept_list_is_verified(place: Place) -> None:
    path = fetch_list(place.wanted, place.folder)
    proof = place.folder / "list.dict.digest"
    path.write_bytes(CONTENT.replace(b"WORD00007;50", b"WORD00007;99"))
    with pytest.raises(InputError, match=r"list\.dict: is not the list as it was .*--again"):
        fetch_list(place.wanted, place.folder)
    fetch_list(place.wanted, place.folder, again=True)
    assert path.read_bytes() == CONTENT
    with pytest.raises(InputError, match="another version"):
        fetch_list(replace(place.wanted, digest="sha256:00"), place.folder)
    proof.write_bytes(b"\xff")
    with pytest.raises(InputError, match="changed or damaged"):
        fetch_list(place.wanted, place.folder)
    proof.unlink()
    with pytest.raises(InputError, match="changed or damaged"):
        fetch_list(place.wanted, place.folder)


def test_an_interrupted_download_is_continued(place: Place) -> None:
    place.breaks_at = 70_000
    with pytest.raises(UnavailableError, match="broke off after 70,000 of 117,000 bytes"):
        fetch_list(place.wanted, place.folder)
    assert not (place.folder / "list.dict").exists()
    assert fetch_list(place.wanted, place.folder).read_bytes() == CONTENT
    assert place.starts == [0, 70_000]
    # A whole part that was not checked before the program was killed is taken as it is.
    place.part.write_bytes(CONTENT)
    assert fetch_list(place.wanted, place.folder, again=True).read_bytes() == CONTENT


def test_other_bytes_are_refused_and_not_kept(place: Place) -> None:
    other = replace(place.wanted, digest="sha256:00")
    with pytest.raises(InputError, match="not the expected version"):
        fetch_list(other, place.folder)
    assert not place.part.exists()
    place.part.write_bytes(b"of another version")
    with pytest.raises(InputError, match="not the expected version"):
        fetch_list(place.wanted, place.folder)
    assert fetch_list(place.wanted, place.folder).read_bytes() == CONTENT


def test_digests_of_git(place: Place) -> None:
    digest = hashlib.sha1(b"blob 117000\0" + CONTENT).hexdigest()
    wanted = replace(place.wanted, digest=f"git:{digest}")
    assert fetch_list(wanted, place.folder).read_bytes() == CONTENT


def test_a_server_that_refuses_or_is_not_there(place: Place) -> None:
    place.status = 404
    with pytest.raises(UnavailableError, match="answers 404"):
        fetch_list(place.wanted, place.folder)
    nobody = replace(place.wanted, origin="http://127.0.0.1:1/list.dict")
    with pytest.raises(UnavailableError, match=r"can't be reached .*--from"):
        fetch_list(nobody, place.folder)


def test_a_copy_and_another_address_are_taken_instead(place: Place, tmp_path: Path) -> None:
    nobody = replace(place.wanted, origin="http://127.0.0.1:1/list.dict")
    copy = tmp_path / "copy.dict"
    copy.write_bytes(CONTENT)
    assert fetch_list(nobody, place.folder, source=str(copy)).read_bytes() == CONTENT
    path = fetch_list(nobody, place.folder, source=str(place.wanted.origin), again=True)
    assert path.read_bytes() == CONTENT
    with pytest.raises(InputError, match="no such file"):
        fetch_list(nobody, place.folder, source="missing.dict", again=True)


def test_scowl_scores_words_by_their_smallest_size() -> None:
    files = {
        "final/english-words.10": b"cat\ncat's\na\n",
        "final/english-words.35": "cat\nétude\n".encode("latin-1"),
        "final/british-upper.50": b"Ealing\n",
        "final/english-abbreviations.20": b"etc\n",
        "README": b"many words\n",
    }
    packed = as_tgz({f"scowl-1/{name}": content for name, content in files.items()})
    assert scowl_list(packed) == b"CAT;90\nEALING;50\nETUDE;65\n"
    with pytest.raises(ValueError, match="no word list"):
        scowl_list(as_tgz({"README": b"nothing"}))


def wheel_of(language: str, counts: dict[str, int]) -> bytes:
    packed = gzip.compress(json.dumps(counts).encode())
    return as_wheel({f"spellchecker/resources/{language}.json.gz": packed})


@pytest.mark.parametrize(
    ("language", "counts", "expected"),
    [
        ("de", {"groß": 90, "äpfel": 50, "o'zapft": 70}, "GROSS;100 ÄPFEL;30"),
        ("es", {"año": 90, "ano": 50, "ánodo": 70, "y": 99}, "ANO;30 ANODO;100 AÑO;100"),
        ("fr", {"été": 90, "ete": 50, "cœur": 60, "abat-jour": 99}, "COEUR;100 ETE;100"),
    ],
)
def test_words_of_a_language_as_its_crosswords_write_them(
    language: str, counts: dict[str, int], expected: str
) -> None:
    wheel = wheel_of(language, counts)
    assert counted_list(wheel, language).decode().split() == expected.split()


def test_the_rank_of_a_word_of_a_language_gives_its_score() -> None:
    common = {chr(97 + n % 26) * (n // 26 + 2): 1_000_000 - n for n in range(1_250)}
    lines = counted_list(wheel_of("de", {**common, "selten": 50}), "de").decode().split()
    assert {"AA;100", f"{list(common)[-1].upper()};70", "SELTEN;30"} <= set(lines)


@pytest.mark.parametrize("name", FREE_LISTS)
def test_every_list_names_a_version_a_digest_and_its_licence(name: str) -> None:
    wanted = FREE_LISTS[name]
    assert wanted.origin_name.startswith(("https://", "pip download"))
    assert re.fullmatch("git:[0-9a-f]{40}|sha256:[0-9a-f]{64}", wanted.digest)
    assert wanted.licence_path.read_text("utf-8")
