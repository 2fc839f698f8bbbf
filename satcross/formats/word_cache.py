"""Word lists kept ready to use in the user's cache directory.

Reading a list of 134,760 words takes several times as long as filling an easy grid with it. What
was read is therefore kept, sorted and checked, under a name that depends on the files' content, on
this program's own files, and on Python's version, so that nothing in the cache is ever out of date.
Everything about it may fail: without a cache, or with a damaged one, lists are read as they are.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

from satcross import vocabulary
from satcross.cache import cache_folder
from satcross.errors import InputError
from satcross.formats import words
from satcross.formats.files import Data, decode_text, read_data, write_atomically
from satcross.formats.words import Dropped, WordList, parse_words
from satcross.vocabulary import Vocabulary

_WORTHWHILE = 100_000  # bytes of lists
_MOST_FILES = 20
_SUFFIX = ".words"
_SOURCES = (words.__file__, vocabulary.__file__, __file__)


def read_words(paths: Sequence[str]) -> WordList:
    """Read word lists into one, as ``parse_words`` does, from the cache where they are in it.

    Raises InputError as reading and parsing do.
    """
    data = [read_data(path) for path in paths]
    path = _place(data) if sum(len(file.data) for file in data) >= _WORTHWHILE else None
    if path is None:
        return parse_words(map(decode_text, data))
    found = _load(path)
    if found is None:
        found = parse_words(map(decode_text, data))
        _keep(path, found)
    return found


def _place(data: Sequence[Data]) -> Path | None:
    """Where these lists are kept, or would be; None when nothing is to be kept."""
    folder = cache_folder()
    try:
        return None if folder is None else folder / (_key(data) + _SUFFIX)
    except OSError:  # no files of our own to look at
        return None


def _key(data: Sequence[Data]) -> str:
    key = hashlib.blake2b(digest_size=16)
    own = [(stat.st_size, stat.st_mtime_ns) for stat in map(os.stat, _SOURCES)]
    lists = [(file.name, len(file.data)) for file in data]
    python = (sys.implementation.name, sys.version_info[:3])
    key.update(repr((own, python, lists)).encode("utf-8", "backslashreplace"))
    for file in data:
        key.update(file.data)
    return key.hexdigest()


def _load(path: Path) -> WordList | None:
    try:
        content = path.read_bytes()
        body = memoryview(content)[_DIGEST:]
        if content[:_DIGEST] != _digest(body):
            return None
        groups, dropped, notes = marshal.loads(body)  # our own, and whole: the digest says so
        with suppress(OSError):
            os.utime(path)
    except OSError:
        return None
    return WordList(
        Vocabulary.from_groups(groups), tuple(Dropped(*line) for line in dropped), tuple(notes)
    )


def _keep(path: Path, found: WordList) -> None:
    dropped = [astuple(line) for line in found.dropped]
    body = marshal.dumps((found.vocabulary.groups(), dropped, list(found.notes)))
    with suppress(OSError, InputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Writers of the same name write the same; the last one's file stays.
        write_atomically(str(path), lambda beside: _write(beside, _digest(body) + body))
        kept = sorted(path.parent.glob("*" + _SUFFIX), key=lambda file: file.stat().st_mtime)
        for old in kept[:-_MOST_FILES]:
            old.unlink()


def _write(beside: Path, content: bytes) -> None:
    beside.write_bytes(content)


_DIGEST = 16


def _digest(body: bytes | memoryview) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST).digest()
