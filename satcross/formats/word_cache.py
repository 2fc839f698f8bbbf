"""Word lists kept ready to use in the user's cache directory.

Reading a list of 400,000 words takes several times as long as filling an easy grid with it. What
was read is therefore kept, sorted and checked, under a name that depends on the files' content, on
how they are read, on this program's own files, and on Python's version, so that nothing in the
cache is ever out of date. A file of the cache holds a digest of its name and content: one that is
damaged, or was another list's, is made anew with a note. Everything about it may fail: without a
cache, or with a damaged one, lists are read as they are. The default list is packed and needs no
cache.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, replace
from pathlib import Path

from satcross import errors, vocabulary
from satcross.errors import InputError
from satcross.formats import files, packed, words
from satcross.formats.files import Data, decode_text, forget_old, read_data, write_atomically
from satcross.formats.words import (
    AUTO,
    Dropped,
    Reading,
    WordList,
    default_list,
    default_list_path,
    parse_words,
)
from satcross.support.cache import cache_folder
from satcross.vocabulary import Vocabulary

MIN_BYTES = 100_000
"""The least size of word lists, in all, that are cached."""
MAX_FILES = 20
"""The most entries that are kept; the oldest are removed."""
_SUFFIX = ".words"
SOURCE_FILES = (
    *(str(one.__file__) for one in (words, packed, files, vocabulary, errors)),
    __file__,
)
"""The files of all our modules that have a say in how a list is read."""

DAMAGED = "its entry in the cache was damaged and is made anew"


def read_words(paths: Sequence[str], reading: Reading = AUTO) -> WordList:
    """Read word lists into one, as ``parse_words`` does, from the cache where they are in it.

    Raises InputError as reading and parsing do.
    """
    if list(paths) == [default_list_path()]:
        return parse_words([default_list()], reading)
    data = [read_data(path) for path in paths]
    path = _place(data, reading) if sum(len(file.data) for file in data) >= MIN_BYTES else None
    if path is None:
        return parse_words(map(decode_text, data), reading)
    found = _load(path)
    if isinstance(found, WordList):
        return found
    parsed = parse_words(map(decode_text, data), reading)
    _keep(path, parsed)
    if found is DAMAGED:
        notes = [(file.name, DAMAGED) for file in data[:1]]
        return replace(parsed, notes=(*parsed.notes, *notes))
    return parsed


def _place(data: Sequence[Data], reading: Reading) -> Path | None:
    """Where these lists are kept, or would be; None when nothing is to be kept."""
    folder = cache_folder()
    try:
        return None if folder is None else folder / (_key(data, reading) + _SUFFIX)
    except OSError:  # no files of our own to look at
        return None


def _key(data: Sequence[Data], reading: Reading) -> str:
    key = hashlib.blake2b(digest_size=16)
    own = [(stat.st_size, stat.st_mtime_ns) for stat in map(os.stat, SOURCE_FILES)]
    lists = [(file.name, len(file.data)) for file in data]
    python = (sys.implementation.name, sys.version_info[:3])
    how = (reading.marks, reading.accents, sorted(reading.tiers))
    key.update(repr((own, python, lists, how)).encode("utf-8", "backslashreplace"))
    for file in data:
        key.update(file.data)
    return key.hexdigest()


def _load(path: Path) -> WordList | str | None:
    """Return the content of a cache file; DAMAGED for another format, None for no file."""
    try:
        content = path.read_bytes()
        body = memoryview(content)[_DIGEST:]
        if content[:_DIGEST] != _digest(path, body):
            return DAMAGED
        # Our own, and whole: the digest says so.
        runs, dropped, notes, written = marshal.loads(body)
        with suppress(OSError):
            os.utime(path)
    except OSError:
        return None
    return WordList(
        Vocabulary.from_runs(runs),
        tuple(Dropped(*line) for line in dropped),
        tuple(notes),
        written,
    )


def _keep(path: Path, found: WordList) -> None:
    dropped = [astuple(line) for line in found.dropped]
    parts = (found.vocabulary.runs(), dropped, list(found.notes), dict(found.written))
    body = marshal.dumps(parts)
    with suppress(OSError, InputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Writers of the same name write the same; the last one's file stays.
        write_atomically(str(path), lambda beside: _write(beside, _digest(path, body) + body))
        forget_old(path.parent, _SUFFIX, MAX_FILES)


def _write(beside: Path, content: bytes) -> None:
    beside.write_bytes(content)


_DIGEST = 16


def _digest(path: Path, body: bytes | memoryview) -> bytes:
    """Of the content and of what it is for, so that another list's file is not taken for it."""
    digest = hashlib.blake2b(path.stem.encode("ascii"), digest_size=_DIGEST)
    digest.update(body)
    return digest.digest()
