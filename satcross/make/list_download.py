"""Download free word lists by name, checked by their digest and kept in the user's data folder."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from math import log2
from pathlib import Path
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
    """A word list on the web that everybody may use.

    ``origin`` is an address that names one version for ever, or a package; ``digest`` is that of
    its bytes: ``sha256:`` or ``git:`` (the SHA-1 that git names a file by) and hexadecimal digits.
    ``licence_file``, in ``satcross/resources``, has the licence's text. ``convert`` makes the list
    that is kept of the bytes.
    """

    title: str
    origin: str | Package
    digest: str
    megabytes: float
    licence: str
    licence_file: str
    file: str
    convert: Callable[[bytes], bytes] = bytes

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
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            match = name.fullmatch(member.name)
            content = files.extractfile(member) if match and member.isfile() else None
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
    with zipfile.ZipFile(io.BytesIO(wheel)) as files:
        info = files.getinfo(f"spellchecker/resources/{language}.json.gz")
        with files.open(info) as packed, gzip.open(packed) as file:
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


_SPELLCHECKER = Package(
    "pip",
    "pyspellchecker",
    7.2,
    wanted=(),
    version="0.9.1",
    digest="c79b144b4bad20024bf489ad3ffd96b76f3f53439e9fa59ac607896352852f3d",
)


def _counted(language: str, name: str, words: str) -> FreeList:
    return FreeList(
        f"{name} words of pyspellchecker 0.9.1, scored by frequency; for --language {language}",
        _SPELLCHECKER,
        f"sha256:{_SPELLCHECKER.digest}",
        _SPELLCHECKER.megabytes,
        f"MIT licence, copyright 2018-2021 Tyler Barrus; the words are those of Debian's {words}",
        "PYSPELLCHECKER-LICENSE.txt",
        f"{name.lower()}.txt",
        partial(counted_list, language=language),
    )


_GITHUB = "https://raw.githubusercontent.com"
_CWL = f"{_GITHUB}/Crossword-Nexus/collaborative-word-list/b51b2ad6876c1dc3f9df212e1ed8535fc9e4770a"
_CROISEUR = f"{_GITHUB}/super7ramp/croiseur/eca25ac463772227dd0a4d169deb8781d1a88136"

FREE_LISTS = {
    "cwl": FreeList(
        "Collaborative Word List of Crossword Nexus, all scores, state of January 2024",
        f"{_CWL}/xwordlist.dict",
        "git:59d82fc400052c266e33a0f4488b12116b378d1f",
        8,
        "MIT licence, copyright 2021 Crossword-Nexus",
        "CWL-LICENSE.txt",
        "cwl.dict",
    ),
    "ukacd": FreeList(
        "UK Advanced Cryptics Dictionary 18 by J Ross Beresford, without scores",
        f"{_CROISEUR}/croiseur-dictionary/croiseur-dictionary-txt-data/ukacd/UKACD18plus.txt",
        "sha256:387fd4180e779213458469045caa1247aca2b26445b9ee7ca6f423c60a783d28",
        2.7,
        "BSD licence, copyright 2009 J Ross Beresford",
        "UKACD18-LICENSE.txt",
        "ukacd.txt",
    ),
    "scowl": FreeList(
        "SCOWL 2020.12.07 by Kevin Atkinson, all sizes; the score is 100 less the size",
        "https://downloads.sourceforge.net/wordlist/scowl-2020.12.07.tar.gz",
        "sha256:5587667caa20c4891390c2d42dbb4d5c4c3f41bee77af1457ece3ba23fb859cc",
        2.6,
        "free for any purpose with its notices, copyright 2000-2018 Kevin Atkinson and others",
        "SCOWL-LICENSE.txt",
        "scowl.txt",
        scowl_list,
    ),
    "french": _counted("fr", "French", "wfrench (GPL 2 or later)"),
    "german": _counted("de", "German", "wngerman (GPL 2 or later)"),
    "italian": _counted("it", "Italian", "witalian (GPL 3 or later)"),
    "spanish": _counted("es", "Spanish", "wspanish (public domain)"),
}
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
        if not _is_intact(wanted, path, proof):
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
        if not _has_digest(data, wanted.digest):
            part.unlink(missing_ok=True)
            raise InputError(
                f"is not the expected version (its {wanted.digest.partition(':')[0]} digest "
                "differs)",
                f"give a copy of {wanted.origin_name} with --from",
                file=name,
            )
        try:
            content = wanted.convert(data)
        except _DAMAGES as error:
            raise InputError(f"is damaged ({error})", "get a fresh copy", file=name) from None
        write_atomically(str(path), lambda beside: beside.write_bytes(content))
        digests = _digests(wanted, content).encode()
        write_atomically(str(proof), lambda beside: beside.write_bytes(digests))
        part.unlink(missing_ok=True)
    return path


def _digests(wanted: FreeList, content: bytes) -> str:
    return f"{wanted.digest}\nsha256:{hashlib.sha256(content).hexdigest()}\n"


def _is_intact(wanted: FreeList, path: Path, proof: Path) -> bool:
    try:
        return proof.read_text("utf-8") == _digests(wanted, path.read_bytes())
    except (OSError, UnicodeDecodeError):
        return False


def _has_digest(data: bytes, digest: str) -> bool:
    kind, _, digits = digest.partition(":")
    if kind == "git":
        return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() == digits
    return hashlib.sha256(data).hexdigest() == digits


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
