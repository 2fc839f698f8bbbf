"""A cache of what the sources propose for a puzzle, in the user's cache folder.

Asking the dictionaries takes most of the time of an answer, and people ask about one puzzle more
than once: with a lock, for reasons, with another method. The name of a stored file depends on the
clues, the vocabulary, the sources with their files and weights, and on all of satcross's own files,
so that it is never out of date; a damaged file, or one of another puzzle, is replaced. What a
source could not finish, or has from the network, is not kept.
"""

from __future__ import annotations

import hashlib
import os
import sys
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from satcross.answer.clue import Candidate, Clue, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.gather import Gathered, default_sources
from satcross.answer.model import fitted_model_path, load_model
from satcross.answer.sources.registry import SOURCES
from satcross.errors import SatcrossError
from satcross.formats.files import keep_in_cache
from satcross.support.cache import file_facts, read_sealed

PACKAGE = Path(__file__).parents[1]
MAX_FILES = 20
"""Puzzles that are kept, of one to three megabytes each."""
DAMAGED = "what the sources proposed before was damaged in the cache; they were asked again"
_SUFFIX = ".gathered"
_Kept = tuple[dict[str, list[Candidate]], tuple[str, ...], tuple[str, ...]]
"""Candidates by slot, notes, and the names of the sources that could be used."""


def cache_place(
    clues: Sequence[Clue], settings: SourceSettings, sources: Sequence[str] | None
) -> Path | None:
    """Return the file that caches what these sources propose for these clues; None for no cache."""
    names = default_sources(settings) if sources is None else sources
    folder = store.source_cache_folder(settings.cache)
    known = [SOURCES[name] for name in names if name in SOURCES]
    if folder is None or len(known) < len(names) or not all(entry.default for entry in known):
        return None
    digest = hashlib.blake2b(digest_size=12)
    for part in (sys.version, clues, sources, *_files(settings)):
        digest.update(repr(part).encode("utf-8", "backslashreplace"))
    for length in settings.vocabulary.lengths:
        group = settings.vocabulary.group(length)
        digest.update(f"{length} {group.runs} {group.text}".encode("utf-8", "backslashreplace"))
    return Path(folder) / (digest.hexdigest() + _SUFFIX)


def _files(settings: SourceSettings) -> list[bytes | str]:
    """Return the facts of all files that determine what sources propose."""
    files = [*sorted(PACKAGE.rglob("*.py")), *sorted(PACKAGE.glob("resources/*"))]
    files += [store.dictionary_path(name) for name in SOURCES]
    files.append(fitted_model_path())
    if settings.clues_db is not None:
        files.append(Path(settings.clues_db))
    found: list[bytes | str] = []
    for file in files:
        try:
            found.append(file_facts(file))
        except OSError:
            found.append("none")
    return found


def read_gathered(place: Path) -> Gathered | None:
    """Return the proposals cached in a file; None if there are none that can be used."""
    body = read_sealed(place, place.stem)
    if body is None:
        return None
    with suppress(OSError):
        os.utime(place)
    try:
        found = msgspec.msgpack.decode(zlib.decompress(body), type=_Kept)
        candidates, notes, used = found
        return Gathered(candidates, notes, {}, model=load_model(used), used=used)
    except (msgspec.MsgspecError, zlib.error, SatcrossError):
        return None


def keep_gathered(place: Path, gathered: Gathered) -> None:
    """Cache complete proposals in a file; do nothing where it can't be written."""
    if not gathered.complete:
        return
    kept = gathered.candidates, gathered.notes, gathered.used
    keep_in_cache(place, zlib.compress(msgspec.msgpack.encode(kept), 1), MAX_FILES)
