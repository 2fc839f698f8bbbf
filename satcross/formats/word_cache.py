"""A cache of parsed word lists in the user's cache folder.

Reading a list of 400,000 words takes several times as long as filling an easy grid with it. The
result of reading is therefore stored, sorted and checked. The name of the stored file depends on
the content of the lists, on the options for reading, on satcross's own files and on Python's
version, so that it is never out of date. The file is sealed (``support.cache``): a damaged file, or
one of another list, is replaced, with a note. When the cache can't be read or written, lists are
read without it. The default list is packed and needs no cache, alone
or as spelt in one country.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, replace
from pathlib import Path

from satcross.formats import words
from satcross.formats.entries import AUTO, Dropped, Reading
from satcross.formats.files import Data, keep_in_cache, read_data
from satcross.formats.resources import default_list_path
from satcross.formats.sniff import decode_list
from satcross.support.letters import has_packed
from satcross.support.texts import texts
from satcross.vocabulary import Vocabulary

MIN_BYTES = 100_000
"""Minimum total size of word lists that are cached."""
MAX_FILES = 20
"""Maximum number of files in the cache; the oldest are removed."""
_SUFFIX = ".words"
_MODULES = (
    "errors vocabulary support/letters support/texts formats/charsets formats/entries "
    "formats/files formats/kinds formats/languages formats/list_parser formats/list_table "
    "formats/packed formats/registry formats/resources formats/signs formats/sniff formats/words "
    "support/plug_ins"
)
_FOLDER = Path(__file__).parents[1]
SOURCE_FILES = (*(f"{_FOLDER}{os.sep}{name}.py" for name in _MODULES.split()), __file__)
"""The files of all modules of satcross that determine how a list is read."""

DAMAGED = "its entry in the cache was damaged and is made anew"


def read_words(
    paths: Sequence[str], reading: Reading = AUTO, folder: Path | None = None
) -> words.WordList:
    """Read word lists as ``parse_words`` does, from the cache if they are in it.

    ``NAMED_LISTS`` need no file; the default list is read if there is no path. The cache is in
    ``folder``, by default in the user's cache folder.
    Raises InputError when a file can't be read or the lists have no word.
    """
    ours, paths = default_list_path(), paths or [words.DEFAULT_LIST]
    paths = [ours if item == words.DEFAULT_LIST else item for item in paths]
    if paths == [ours]:
        return words.read_default(reading)
    if len(paths) == 1 and paths[0] in words.NAMED_LISTS:
        return words.parse_words([words.read_list(paths[0])], reading)
    data = [_read(path) for path in paths]
    is_large = sum(len(file.data) for file in data) >= MIN_BYTES
    path = _place(data, reading, folder) if is_large else None
    if path is None:
        return words.parse_words(map(decode_list, data), reading)
    found = _load(path)
    if isinstance(found, words.WordList):
        return found
    parsed = words.parse_words(map(decode_list, data), reading)
    _keep(path, parsed)
    if found is DAMAGED:
        notes = [(file.name, DAMAGED) for file in data[:1]]
        return replace(parsed, notes=(*parsed.notes, *notes))
    return parsed


def _read(path: str) -> Data:
    """Return the content of a list; those of satcross's own are verified."""
    if path in (default_list_path(), *words.NAMED_LISTS):
        name = words.DEFAULT_LIST if path == default_list_path() else path
        return Data(path, words.read_list(name).text.encode("ascii"))
    words.check_list(path)
    return read_data(path)


def _place(data: Sequence[Data], reading: Reading, folder: Path | None) -> Path | None:
    """Return the path of these lists in the cache; None when nothing is to be cached."""
    from satcross.support.cache import cache_folder

    folder = folder or cache_folder()
    try:
        return None if folder is None else folder / (_key(data, reading) + _SUFFIX)
    except OSError:  # the program's own files can't be examined
        return None


def _key(data: Sequence[Data], reading: Reading) -> str:
    import hashlib

    key = hashlib.blake2b(digest_size=16)
    own = [(stat.st_size, stat.st_mtime_ns) for stat in map(os.stat, SOURCE_FILES)]
    lists = [(file.name, len(file.data)) for file in data]
    python = (sys.implementation.name, sys.version_info[:3])
    how = (reading.marks, reading.accents, sorted(reading.tiers), reading.language)
    key.update(repr((own, python, lists, how, texts())).encode("utf-8", "backslashreplace"))
    for file in data:
        key.update(file.data)
    return key.hexdigest()


def _load(path: Path) -> words.WordList | str | None:
    """Return the content of a file of the cache; DAMAGED if it is damaged, None without a file."""
    from satcross.support.cache import read_sealed

    body = read_sealed(path, path.stem)
    if body is None:
        return DAMAGED if path.exists() else None
    # marshal trusts its input, which is safe: only the user can write into the folder.
    runs, dropped, notes, written = marshal.loads(body)
    with suppress(OSError):
        os.utime(path)
    return words.WordList(
        Vocabulary.from_runs(runs), tuple(Dropped(*line) for line in dropped), tuple(notes), written
    )


def _keep(path: Path, found: words.WordList) -> None:
    if any(has_packed(text) for _, text, _ in found.vocabulary.runs()):
        return  # such letters have a meaning within this process only
    dropped = [astuple(line) for line in found.dropped]
    parts = (found.vocabulary.runs(), dropped, list(found.notes), dict(found.written))
    keep_in_cache(path, marshal.dumps(parts), MAX_FILES)
