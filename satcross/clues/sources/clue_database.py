"""A database of old clues as a source: answers to the same clue and to similar clues.

The file is text with a clue a line, as the xd project publishes them: publication, year, answer and
clue, separated by tabs, with a line of headings or without, gzipped or not. It is indexed once, in
the cache folder, under a name that depends on the file's place, size and time of change.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import sqlite3
import tempfile
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import log
from pathlib import Path

from satcross.clues.clue import Clue, Proposal, SourceSettings
from satcross.clues.dictionaries import store
from satcross.clues.dictionaries.full_text import match_any
from satcross.clues.language.parse_clue import STOPWORDS, parse_clue
from satcross.clues.sources.proposals import Proposals, letters
from satcross.errors import InputError, UnavailableError
from satcross.formats.files import forget_old, write_atomically
from satcross.vocabulary import Vocabulary

NAME = "clues-db"

LAYOUT = 2
_SUFFIX = ".clues"
_MAX_FILES = 3
_LENGTHS_APART = (
    32  # the length is in a row's number above this bit, so that search can narrow to it
)
_LONGEST = 60
_MAX_LIKE = 300
_MAX_WORDS = 7
_COMMON = 0.02  # of all clues: a word in more of them tells little and costs time
_CACHE_KIB = 65_536  # of SQLite's memory while indexing
_LONGEST_LINE = 10_000  # characters
_MAX_CHARACTERS = 1_000_000_000  # of the whole file: some twenty million clues
_NO_SIGN = re.compile(r"[^\w]+")


class CluesDatabase:
    """Proposes the answers to the same clue in the past, and to similar clues."""

    name = NAME

    def __init__(self, connection: sqlite3.Connection, vocabulary: Vocabulary) -> None:
        self._connection = connection
        self._vocabulary = vocabulary
        (self._size,) = connection.execute("SELECT count(*) FROM old").fetchone()

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        parsed = parse_clue(clue)
        found = Proposals(NAME, clue, parsed, self._vocabulary)
        if not parsed.words:
            return []
        self._same(clue, length, found)
        self._like(clue, length, found)
        return found.scored()

    def _same(self, clue: Clue, length: int, found: Proposals) -> None:
        query = "SELECT answer, sum(times) FROM old WHERE key = ? GROUP BY answer"
        rows = self._connection.execute(query, (_key(clue.text),)).fetchall()
        total = sum(times for answer, times in rows if len(answer) == length)
        for answer, times in rows:
            if len(answer) == length:
                note = f"the same clue, {times} of {total} times"
                found.add(answer, "clues-db.same", times / total, note, inflect=False)
                found.add(answer, "clues-db.times", log(1 + times), note, inflect=False)

    def _like(self, clue: Clue, length: int, found: Proposals) -> None:
        words = self._rare_words(clue)
        if not words:
            return
        start = length << _LENGTHS_APART
        query = (
            "SELECT answer, old.text, times FROM search JOIN old ON number = search.rowid"
            " WHERE search MATCH ? AND search.rowid BETWEEN ? AND ? ORDER BY rank LIMIT ?"
        )
        bounds = (start, start + (1 << _LENGTHS_APART) - 1)
        rows = self._connection.execute(query, (match_any(words), *bounds, _MAX_LIKE))
        counts: Counter[str] = Counter()
        own = Counter(_tokens(clue.text))
        for answer, text, times in rows:
            other = Counter(_tokens(text))
            shared = (own & other).total()
            likeness = 2 * shared / max(1, own.total() + other.total())
            found.add(answer, "clues-db.like", likeness, f"{text!r}", inflect=False)
            counts[answer] += times if likeness > 0.5 else 0
        for answer, count in counts.items():
            if count:
                note = f"{count} similar clues"
                found.add(answer, "clues-db.likes", log(1 + count), note, inflect=False)

    def _rare_words(self, clue: Clue) -> list[str]:
        """Return the clue's rarest words among the old clues; a common word only if alone."""
        parsed = parse_clue(clue)
        asked = [word for word in dict.fromkeys(parsed.words) if word not in STOPWORDS]
        counted = [(self._count(word), word) for word in asked or dict.fromkeys(parsed.words)]
        known = sorted((count, word) for count, word in counted if count)
        rare = [word for count, word in known if count <= max(1000, _COMMON * self._size)]
        return (rare or [word for _, word in known[:1]])[:_MAX_WORDS]

    def _count(self, word: str) -> int:
        """Count the old clues with the word, up to the limit at which it counts as common."""
        query = "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"
        most = int(max(1000, _COMMON * self._size)) + 1
        (count,) = self._connection.execute(query, (match_any([word]), most)).fetchone()
        return int(count)


def open_source(settings: SourceSettings) -> CluesDatabase:
    if settings.clues_db is None:
        raise UnavailableError("no clue database was given; name one with --clues-db FILE")
    connection = open_index(Path(settings.clues_db), store.source_cache_folder(settings))
    return CluesDatabase(connection, settings.vocabulary)


def open_index(file: Path, cache: str | None) -> sqlite3.Connection:
    """The index of a file of clues, made when there is none.

    Without a cache folder, or when that can't be written, it is kept for this run only.

    Raises InputError when the file can't be read or is none of clues.
    """
    try:
        facts = file.stat()
    except OSError as error:
        raise InputError(
            f"can't be read ({error.strerror})", "check the name", file=str(file)
        ) from None
    named = f"{LAYOUT} {file.resolve()} {facts.st_size} {facts.st_mtime_ns}"
    key = hashlib.blake2b(named.encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()
    if cache is not None:
        place = Path(cache) / (key + _SUFFIX)
        connection = _opened(place)
        if connection is not None:
            return connection
        # InputError: no place for the index, or no clues. The latter comes again below.
        with suppress(OSError, sqlite3.Error, InputError):
            place.parent.mkdir(parents=True, exist_ok=True)
            # Two that index at once each write a file of their own; the last one's stays.
            write_atomically(str(place), lambda beside: _index(file, beside, place.stem))
            forget_old(place.parent, _SUFFIX, _MAX_FILES)
            connection = _opened(place)
            if connection is not None:
                return connection
    with tempfile.TemporaryDirectory(prefix="satcross-", ignore_cleanup_errors=True) as folder:
        place = Path(folder) / (key + _SUFFIX)
        _index(file, place, place.stem)
        connection = _opened(place)  # stays readable when its name is gone
        if connection is None:
            raise InputError("can't be indexed", "try again", file=str(file))
        if not _may_unlink_open_files():
            memory = sqlite3.connect(":memory:")
            connection.backup(memory)
            connection.close()
            return memory
        return connection


def _may_unlink_open_files() -> bool:
    import os

    return os.name == "posix"


def _opened(place: Path) -> sqlite3.Connection | None:
    if not place.exists():
        return None
    try:
        connection = sqlite3.connect(f"{place.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT number FROM old LIMIT 1").fetchone()
        # An index that was copied over another one is not that file's.
        (name,) = connection.execute("SELECT name FROM made_for").fetchone()
        connection.execute("SELECT rowid FROM search WHERE search MATCH 'a' LIMIT 1").fetchone()
    except sqlite3.Error:
        return None
    with suppress(OSError):
        place.touch()
    return connection if (layout, name) == (LAYOUT, place.stem) else None


def _index(file: Path, place: Path, name: str) -> None:
    """Write the index of a file; the memory it takes does not grow with the file.

    ``name`` says what it is the index of; ``_opened`` asks for it.
    """
    connection = sqlite3.connect(place)
    try:
        connection.executescript(
            f"""
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA temp_store = FILE;
            PRAGMA cache_size = -{_CACHE_KIB};
            CREATE TABLE made_for (name TEXT);
            CREATE TABLE raw (answer TEXT, text TEXT);
            CREATE TABLE old (number INTEGER PRIMARY KEY, answer TEXT, text TEXT, key TEXT,
                              times INTEGER);
            CREATE VIRTUAL TABLE search USING fts5
                (text, content = 'old', content_rowid = 'number', tokenize = 'porter unicode61');
            """
        )
        connection.execute("INSERT INTO made_for VALUES (?)", (name,))
        connection.executemany("INSERT INTO raw VALUES (?, ?)", read_clues(file))
        connection.create_function("clue_key", 1, _key, deterministic=True)
        connection.executescript(
            f"""
            INSERT INTO old (number, answer, text, key, times)
                SELECT (length(answer) << {_LENGTHS_APART}) + row_number() OVER (), answer, text,
                       clue_key(text), times
                FROM (SELECT answer, text, count(*) AS times FROM raw
                      GROUP BY length(answer), answer, text);
            DROP TABLE raw;
            INSERT INTO search (search) VALUES ('rebuild');
            CREATE INDEX old_by_key ON old (key);
            PRAGMA user_version = {LAYOUT};
            """
        )
        connection.commit()
    finally:
        connection.close()


def read_clues(file: Path) -> Iterator[tuple[str, str]]:
    """Yield (answer as it stands in a grid, clue) for every line with both.

    Answers that no grid has (with digits) are left out. Raises InputError for lines with fewer
    columns, when no line has a clue, and for a line or file above the size limits.
    """
    some = False
    try:
        for number, line in enumerate(_lines(file), 1):
            fields = line.rstrip("\r\n").split("\t", 3)
            if len(fields) < 4:
                if not line.strip():
                    continue
                raise InputError(
                    "not four columns separated by tabs", _REMEDY, file=str(file), line=number
                )
            if number == 1 and fields[2].strip().lower() == "answer":
                continue
            answer, text = letters(fields[2].strip()), fields[3].strip()
            if text and 1 < len(answer) <= _LONGEST:
                some = True
                yield answer, text
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"can't be read ({reason})", "check the file", file=str(file)) from None
    if not some:
        raise InputError("has no clue", f"{_REMEDY} on every line", file=str(file))


_REMEDY = "write publication, year, answer, clue"


def _lines(file: Path) -> Iterator[str]:
    """Yield the lines of a file, gzipped or not. Raises InputError above the size limits."""
    with file.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    opener = gzip.open if packed else open
    characters = 0
    with opener(file, "rt", encoding="utf-8", errors="replace", newline="\n") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(_LONGEST_LINE), ""), 1):
            if len(line) == _LONGEST_LINE:
                raise InputError(
                    f"has {_LONGEST_LINE:,} characters or more",
                    _REMEDY,
                    file=str(file),
                    line=number,
                )
            characters += len(line)
            if characters > _MAX_CHARACTERS:  # a small gzipped file may unpack to any size
                raise InputError(
                    f"has more than {_MAX_CHARACTERS:,} characters, the most that is read",
                    "give a smaller file",
                    file=str(file),
                )
            yield line


def _tokens(text: str) -> list[str]:
    return [word for word in _key(text).split() if word]


def _key(text: str) -> str:
    """Normalise a clue: no punctuation or capitals, which differ between newspapers."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'").replace("'", "")
    if "_" in plain:
        plain = re.sub(r"_[_ -]*", " blank ", plain)
    return " ".join(_NO_SIGN.sub(" ", plain).split())
