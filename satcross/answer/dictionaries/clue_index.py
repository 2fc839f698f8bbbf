"""Index of old clues: for every length of answer, which clues share which words.

Clues are copied to a temporary table, grouped by the length of their answers, and the postings of
each token are written as arrays. Everything is in one SQLite file.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, islice
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.answer.dictionaries.clue_files import OldClue, read_clues
from satcross.answer.language.tokens import normalise_clue, tokens
from satcross.errors import InputError
from satcross.formats.files import forget_old, write_atomically
from satcross.support.cache import CHECKED, DIGEST_BYTES, is_intact, seal_file
from satcross.vocabulary import Vocabulary

LAYOUT = 5
DAMAGED = "its index in the cache was damaged, or another version's, and is made anew"
_SUFFIX = ".clues"
_MAX_FILES = 3
_BATCH = 20_000
"""Number of clues that are read between two messages."""
_CACHE_KIB = 65_536  # of SQLite's memory while indexing
_FADING = 10.0
"""Years after which a use of an answer counts half: newspapers return to their recent answers."""
_TABLES = """
    CREATE TABLE clue (number INTEGER PRIMARY KEY, text TEXT, answer TEXT, year INTEGER,
                       times INTEGER);
    CREATE TABLE token (text TEXT PRIMARY KEY, number INTEGER, clues INTEGER) WITHOUT ROWID;
    CREATE TABLE part (length INTEGER, name TEXT, data BLOB, PRIMARY KEY (length, name));
    CREATE TABLE file (name TEXT);
    CREATE TEMPORARY TABLE raw (answer TEXT, text TEXT, year INTEGER, times INTEGER);
    """
_ALWAYS = 1 << 30
"""A year after all clues."""
_ARRAYS = {
    "keys": np.uint64,
    "answers": np.int32,
    "times": np.int32,
    "norms": np.float32,
    "starts": np.int64,
    "rows": np.int32,
}

Floats = NDArray[np.float32]
Progress = Callable[[str], None]


@dataclass(frozen=True)
class LengthPart:
    """The clues whose answers have one length, as arrays over clues, in the order of ``keys``.

    ``keys`` are sorted checksums of the normalised texts; ``answers`` are indices into ``words``,
    ``times`` how often clue and answer occurred together, ``norms`` the lengths of the clues as
    vectors of token weights. ``rows[starts[t]:starts[t + 1]]`` are the clues with token ``t``.
    """

    words: tuple[str, ...]
    uses: Floats
    """Uses of each word, of which older ones count less."""
    keys: NDArray[np.uint64]
    answers: NDArray[np.int32]
    times: NDArray[np.int32]
    norms: Floats
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    first: int
    """Number of the first clue in the table of texts."""

    @cached_property
    def clues(self) -> NDArray[np.float64]:
        """The number of clues of each word."""
        times = self.times.astype(np.float64)
        count = np.bincount(self.answers, weights=times, minlength=len(self.words))
        return np.asarray(count, dtype=np.float64)

    def posting(self, token: int) -> NDArray[np.int32]:
        """Return the clues with a token, ascending."""
        return self.rows[self.starts[token] : self.starts[token + 1]]

    def same(self, key: int) -> slice:
        """Return the clues whose texts have this checksum."""
        wanted = np.uint64(key)
        return slice(
            int(self.keys.searchsorted(wanted)), int(self.keys.searchsorted(wanted, "right"))
        )


@dataclass
class ClueIndex:
    """An opened index; its parts are read when they are needed.

    Methods and properties raise InputError when the file can't be read any more.
    """

    connection: sqlite3.Connection
    notes: tuple[str, ...] = ()
    """Remarks for the user about how the index was made."""
    _parts: dict[int, LengthPart | None] = field(default_factory=dict)

    @cached_property
    def size(self) -> int:
        """Number of different clues."""
        return int(self._rows("SELECT count(*) FROM clue")[0][0])

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Path, size and time of change of the files that were indexed."""
        return tuple(name for (name,) in self._rows("SELECT name FROM file"))

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the answers, ascending."""
        rows = self._rows("SELECT DISTINCT length FROM part ORDER BY length")
        return tuple(length for (length,) in rows)

    def part(self, length: int) -> LengthPart | None:
        """Return the clues with answers of a length; None if there are none."""
        if length not in self._parts:
            query = "SELECT name, data FROM part WHERE length = ?"
            found = dict(self._rows(query, length))
            if not found:
                self._parts[length] = None
            else:
                arrays = {name: np.frombuffer(found[name], kind) for name, kind in _ARRAYS.items()}
                text = found["words"].decode()
                words = tuple(text[at : at + length] for at in range(0, len(text), length))
                uses = np.frombuffer(found["uses"], np.float32)
                first = int.from_bytes(found["first"], "big")
                self._parts[length] = LengthPart(words, uses, first=first, **arrays)
        return self._parts[length]

    def weighted_tokens(self, text: str) -> list[tuple[int, float]]:
        """Return (token, weight) for the known tokens of a clue, and (-1, weight) for others.

        The weight is the inverse document frequency: log(number of clues / clues with it).
        """
        found = []
        for token in dict.fromkeys(tokens(text)):
            rows = self._rows("SELECT number, clues FROM token WHERE text = ?", token)
            number, clues = rows[0] if rows else (-1, 1)
            found.append((int(number), token_weight(self.size, clues)))
        return found

    def text(self, number: int) -> str:
        """Return the text of a clue by its number."""
        query = "SELECT text FROM clue WHERE number = ?"
        return str(self._rows(query, number)[0][0])

    def texts(self) -> Iterator[str]:
        """Yield the texts of all clues, by their numbers."""
        yield from (text for (text,) in self._rows("SELECT text FROM clue ORDER BY number"))

    @cached_property
    def path(self) -> Path | None:
        """The file of the index; None in memory."""
        (_, _, name), *_ = self._rows("PRAGMA database_list")
        return Path(name) if name else None

    @cached_property
    def identity(self) -> str:
        """A digest that other content would change; "" for an index in memory."""
        if self.path is None:
            return ""
        with self.path.open("rb") as file:
            file.seek(-DIGEST_BYTES, 2)
            return file.read().hex()

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The years of the clues, ascending; 0 stands for an unknown year."""
        rows = self._rows("SELECT DISTINCT year FROM clue ORDER BY year")
        return tuple(year for (year,) in rows)

    def clues_since(self, year: int) -> list[OldClue]:
        """Return the clues of a year and of later ones, in the order of the index."""
        query = "SELECT answer, text, year FROM clue WHERE year >= ? ORDER BY number"
        return [OldClue(*row) for row in self._rows(query, year)]

    def clues_of(self, answer: str, number: int) -> list[tuple[str, int, int]]:
        """Return (text, year, times) of the clues of an answer, the most used first."""
        part = self.part(len(answer))
        if part is None or answer not in part.words:
            return []
        numbers = np.flatnonzero(part.answers == part.words.index(answer))
        # A stable order: of clues that were used equally often, the first of the index.
        chosen = numbers[np.argsort(-part.times[numbers], kind="stable")][:number]
        query = "SELECT text, year, times FROM clue WHERE number = ?"
        return [self._rows(query, part.first + int(place))[0] for place in chosen]

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self.connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise InputError(
                f"the index of clues can't be read ({error})", "check the disk"
            ) from None

    def extend(self, vocabulary: Vocabulary) -> Vocabulary:
        """Return a vocabulary with the answers of the index, scored by how often and how lately.

        Words of the list alone keep their order and get scores up to 20; the answers get scores
        from 25 to 100, by the logarithm of their uses.
        """
        scores = {
            word: score // 5
            for _, words, values in vocabulary.groups()
            for word, score in zip(words, values, strict=True)
        }
        for length in self.lengths:
            part = self.part(length)
            if part is not None:
                values = np.clip(25 + 75 * np.log1p(part.uses) / log(61), 25, 100).astype(int)
                scores.update(zip(part.words, values.tolist(), strict=True))
        return Vocabulary(scores)


def token_weight(size: int, clues: int) -> float:
    return log((size + 1) / clues)


def clue_key(text: str) -> int:
    """Return a checksum of 64 bits of a clue's normalised text."""
    digest = hashlib.blake2b(normalise_clue(text).encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(digest.digest(), "big")


def open_index(
    files: Sequence[Path], cache: str | None, on_progress: Progress = lambda line: None
) -> ClueIndex:
    """Open the index of files of clues, and make it first when there is none.

    An index in the cache that is damaged is made again, with a note. Without a cache folder, or
    when that can't be written, the index is kept for this run only. Raises InputError when a file
    can't be read or is none of clues.
    """
    named = f"{LAYOUT} " + " ".join(map(identity, files))
    key = hashlib.blake2b(named.encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()
    notes: list[str] = []
    if cache is not None:
        place = Path(cache) / (key + _SUFFIX)
        index = open_file(place)
        if index is None and place.exists():
            notes.append(f"{', '.join(map(str, files))}: {DAMAGED}")
        with suppress(OSError, sqlite3.Error):
            if index is None:
                place.parent.mkdir(parents=True, exist_ok=True)
            if index is None and os.access(place.parent, os.W_OK):
                notes += make_index(place, files, on_progress)
                forget_old(place.parent, _SUFFIX, _MAX_FILES)
                forget_old(place.parent, _SUFFIX + CHECKED, _MAX_FILES)
                index = open_file(place)
        if index is not None:
            return replace(index, notes=tuple(notes))
    with tempfile.TemporaryDirectory(prefix="satcross-", ignore_cleanup_errors=True) as folder:
        place = Path(folder) / (key + _SUFFIX)
        notes = make_index(place, files, on_progress)
        memory = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(sqlite3.connect(place)) as connection:
            connection.backup(memory)
        return ClueIndex(memory, tuple(notes))


def identity(file: Path) -> str:
    """Return path, size and time of change of a file. Raises InputError if there is none."""
    try:
        facts = file.stat()
    except OSError as error:
        raise InputError(
            f"can't be read ({error.strerror})", "check the name", file=str(file)
        ) from None
    return f"{file.resolve()} {facts.st_size} {facts.st_mtime_ns}"


def make_index(
    place: Path,
    files: Sequence[Path],
    on_progress: Progress,
    kept: ClueIndex | None = None,
    before: int = _ALWAYS,
) -> list[str]:
    """Make the index of files, and of another index's clues before a year, at ``place``.

    Returns notes on what is left out. Raises InputError as ``read_clues`` does.
    """
    notes: list[str] = []

    def write(beside: Path) -> None:
        with closing(_connect(beside)) as connection:
            connection.executescript(_TABLES)
            if kept is not None:
                query = f"SELECT answer, text, year, times FROM clue WHERE year < {before}"
                rows = kept.connection.execute(query)
                connection.executemany("INSERT INTO raw VALUES (?, ?, ?, ?)", rows)
            names = [*(() if kept is None else kept.files), *map(identity, files)]
            connection.executemany("INSERT INTO file VALUES (?)", ((name,) for name in names))
            for file in files:
                _copy_clues(connection, file, notes, on_progress)
            _write_index(connection, on_progress)
            connection.commit()
        seal_file(beside, place.stem)

    write_atomically(str(place), write)
    return notes


def older_index(index: ClueIndex, year: int, folder: Path, on_progress: Progress) -> ClueIndex:
    """Make and open the index of the clues before a year, in a folder."""
    place = folder / f"before-{year}{_SUFFIX}"
    make_index(place, (), on_progress, index, year)
    older = open_file(place)
    assert older is not None
    return older


def _copy_clues(
    connection: sqlite3.Connection, file: Path, notes: list[str], on_progress: Progress
) -> None:
    done, clues = 0, read_clues(file, notes.append)
    while batch := list(islice(clues, _BATCH)):
        done += len(batch)
        rows = ((clue.answer, clue.text, clue.year, 1) for clue in batch)
        connection.executemany("INSERT INTO raw VALUES (?, ?, ?, ?)", rows)
        on_progress(f"reading {file.name}: {done:,} clues")


def _write_index(connection: sqlite3.Connection, on_progress: Progress) -> None:
    """Write the index of copied clues; memory grows with the clues of the commonest length."""
    (newest,) = connection.execute("SELECT max(year) FROM raw").fetchone()
    numbers: dict[str, int] = {}
    clues: Counter[int] = Counter()
    waiting = []
    first = 1
    for length, some in groupby(_grouped(connection), lambda row: len(row[0])):
        on_progress(f"indexing the answers of {length} letters")
        rows = sorted((clue_key(text), *row) for row in some for text in (row[1],))
        postings = [
            np.fromiter(
                (
                    numbers.setdefault(token, len(numbers))
                    for token in dict.fromkeys(tokens(row[2]))
                ),
                np.int32,
            )
            for row in rows
        ]
        for posting in postings:
            clues.update(posting.tolist())
        connection.executemany(
            "INSERT INTO clue VALUES (?, ?, ?, ?, ?)",
            ((first + at, row[2], row[1], row[3], row[4]) for at, row in enumerate(rows)),
        )
        waiting.append(_write_part(connection, length, first, rows, postings, newest))
        first += len(rows)
    connection.executemany(
        "INSERT INTO token VALUES (?, ?, ?)",
        sorted((text, number, clues[number]) for text, number in numbers.items()),
    )
    counts = np.array([clues[number] for number in range(len(numbers))], dtype=np.float64)
    weights = np.log(first / counts) ** 2  # first - 1 is the number of clues
    for length, sizes, flat in waiting:
        _write_postings(connection, length, sizes, flat, weights)
    connection.execute(f"PRAGMA user_version = {LAYOUT}")


def _grouped(connection: sqlite3.Connection) -> Iterator[tuple[str, str, int, int]]:
    """Return (answer, text, newest year, times), by length of the answer."""
    return connection.execute(
        "SELECT answer, text, max(year), sum(times) FROM raw"
        " GROUP BY length(answer), answer, text, year"
    )


def _write_part(
    connection: sqlite3.Connection,
    length: int,
    first: int,
    rows: Sequence[tuple[int, str, str, int, int]],
    postings: Sequence[NDArray[np.int32]],
    newest: int,
) -> tuple[int, NDArray[np.int64], NDArray[np.int32]]:
    words = sorted({answer for _, answer, _, _, _ in rows})
    place = {word: at for at, word in enumerate(words)}
    answers = np.array([place[answer] for _, answer, _, _, _ in rows], np.int32)
    times = np.array([times for *_, times in rows], np.int32)
    years = np.array([year for _, _, _, year, _ in rows])
    fresh = 0.5 ** ((newest - years) / _FADING) * times
    uses = np.bincount(answers, weights=fresh, minlength=len(words)).astype(np.float32)
    _store(
        connection,
        length,
        {
            "words": "".join(words).encode(),
            "uses": uses.tobytes(),
            "keys": np.array([key for key, *_ in rows], np.uint64).tobytes(),
            "answers": answers.tobytes(),
            "times": times.tobytes(),
            "first": first.to_bytes(8, "big"),
        },
    )
    sizes = np.array([len(posting) for posting in postings], np.int64)
    return length, sizes, np.concatenate(postings)


def _write_postings(
    connection: sqlite3.Connection,
    length: int,
    sizes: NDArray[np.int64],
    flat: NDArray[np.int32],
    weights: NDArray[np.float64],
) -> None:
    """Write the clues of every token, and the norm of every clue."""
    owner = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    norms = np.sqrt(np.bincount(owner, weights=weights[flat], minlength=len(sizes)))
    order = flat.argsort(kind="stable")
    starts = np.zeros(len(weights) + 1, np.int64)
    np.cumsum(np.bincount(flat, minlength=len(weights)), out=starts[1:])
    _store(
        connection,
        length,
        {
            "norms": np.maximum(norms, 1e-6).astype(np.float32).tobytes(),
            "starts": starts.tobytes(),
            "rows": owner[order].tobytes(),
        },
    )


def _store(connection: sqlite3.Connection, length: int, arrays: Mapping[str, bytes]) -> None:
    rows = ((length, name, data) for name, data in arrays.items())
    connection.executemany("INSERT INTO part VALUES (?, ?, ?)", rows)


def _connect(place: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(place)
    connection.executescript(f"PRAGMA temp_store = FILE; PRAGMA cache_size = -{_CACHE_KIB};")
    return connection


def open_file(place: Path) -> ClueIndex | None:
    """Open a finished index; None when there is none, or one that can't be used."""
    if not is_intact(place, place.stem):
        return None
    try:
        connection = sqlite3.connect(
            f"{place.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return None
    return ClueIndex(connection) if layout == LAYOUT else None
