"""Index of old clues: for every length of answer, which clues share which words.

A file of clues has one clue per line, as the xd project publishes them: publication, year, answer
and clue, separated by tabs, with or without a line of headings, gzipped or not. Lines are first
copied to an unfinished index, with a record of how far that went, so that an interrupted run is
continued; then clues are grouped by the length of their answers and the postings of each token are
written as arrays. Everything is in one SQLite file.
"""

from __future__ import annotations

import gzip
import hashlib
import sqlite3
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, islice
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.answer.language.tokens import letters, normalise_clue, tokens
from satcross.errors import InputError
from satcross.formats.files import forget_old, write_atomically
from satcross.support.cache import CHECKED, DIGEST_BYTES, is_intact, seal_file
from satcross.vocabulary import Vocabulary

LAYOUT = 4
DAMAGED = "its index in the cache was damaged, or another version's, and is made anew"
_SUFFIX = ".clues"
_UNFINISHED = ".unfinished"
_MAX_FILES = 3
_NEVER = 1 << 32  # a year
_LONGEST = 60
_LONGEST_LINE = 10_000  # characters
MAX_CHARACTERS = 1_000_000_000
"""Maximum number of characters of a file of clues, unpacked: some twenty million clues."""
BATCH = 20_000
"""Number of clues that are indexed between two records of progress."""
_CACHE_KIB = 65_536  # of SQLite's memory while indexing
_FADING = 10.0
"""Years after which a use of an answer counts half: newspapers return to their recent answers."""
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
_Row = tuple[str, str, int, int]
"""Answer, clue, year, and how often they occurred together."""


@dataclass(frozen=True, slots=True)
class OldClue:
    """A line of a file of clues; ``answer`` is as in a grid, ``year`` is 0 when unknown."""

    answer: str
    text: str
    year: int


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

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The years of the clues, ascending; 0 stands for an unknown year."""
        rows = self._rows("SELECT DISTINCT year FROM clue ORDER BY year")
        return tuple(year for (year,) in rows)

    def clues_since(self, year: int) -> list[OldClue]:
        """Return the clues of a year and of later ones, in the order of the index."""
        query = "SELECT answer, text, year FROM clue WHERE year >= ? ORDER BY number"
        return [OldClue(*row) for row in self._rows(query, year)]

    def clues_of(self, answer: str, most: int) -> list[tuple[str, int, int]]:
        """Return (text, year, times) of the clues of an answer, the most used first."""
        part = self.part(len(answer))
        if part is None or answer not in part.words:
            return []
        numbers = np.flatnonzero(part.answers == part.words.index(answer))
        # A stable order: of clues that were used equally often, the first of the index.
        chosen = numbers[np.argsort(-part.times[numbers], kind="stable")][:most]
        query = "SELECT text, year, times FROM clue WHERE number = ?"
        return [self._rows(query, part.first + int(number))[0] for number in chosen]

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

    An interrupted run is continued by the next one. An index in the cache that is damaged is made
    again, with a note. Without a cache folder, or when that can't be written, the index is kept for
    this run only. Raises InputError when a file can't be read or is none of clues.
    """
    named = f"{LAYOUT} " + " ".join(map(identity, files))
    key = hashlib.blake2b(named.encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()
    notes: tuple[str, ...] = ()
    if cache is not None:
        place = Path(cache) / (key + _SUFFIX)
        index = open_file(place)
        if index is None and place.exists():
            notes = (f"{', '.join(map(str, files))}: {DAMAGED}",)
        # An error of SQLite: the cache can't be written, or another program is writing this index.
        with suppress(OSError, sqlite3.Error):
            if index is None:
                place.parent.mkdir(parents=True, exist_ok=True)
                make_index(place, files, on_progress)
                forget_old(place.parent, _SUFFIX, _MAX_FILES)
                forget_old(place.parent, _SUFFIX + CHECKED, _MAX_FILES)
                index = open_file(place)
        if index is not None:
            return replace(index, notes=notes)
    with tempfile.TemporaryDirectory(prefix="satcross-", ignore_cleanup_errors=True) as folder:
        place = Path(folder) / (key + _SUFFIX)
        make_index(place, files, on_progress)
        memory = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(sqlite3.connect(place)) as connection:
            connection.backup(memory)
        return ClueIndex(memory, notes)


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
    place: Path, files: Sequence[Path], on_progress: Progress, kept: ClueIndex | None = None
) -> None:
    """Make the index of files, and of the clues of another index, at ``place``."""
    unfinished = place.with_suffix(_UNFINISHED)
    try:
        copy_clues(unfinished, files, on_progress, kept)
    except InputError:
        unfinished.unlink(missing_ok=True)
        raise
    write_atomically(
        str(place), lambda beside: write_index(unfinished, beside, place.stem, on_progress)
    )
    unfinished.unlink(missing_ok=True)
    forget_old(place.parent, _UNFINISHED, 1)


def older_index(index: ClueIndex, year: int, folder: Path, on_progress: Progress) -> ClueIndex:
    """Make and open the index of the clues before a year, in a folder."""
    place = folder / f"before-{year}{_SUFFIX}"
    raw = place.with_suffix(_UNFINISHED)
    with closing(_start(raw)) as connection:
        _copy_index(connection, index, year)
    write_index(raw, place, place.stem, on_progress)
    older = open_file(place)
    assert older is not None
    return older


def _start(place: Path) -> sqlite3.Connection:
    """Open an unfinished index; no other program can write it until it is closed."""
    connection = _connect(place)
    try:
        connection.executescript(
            "PRAGMA locking_mode = EXCLUSIVE;"
            "CREATE TABLE IF NOT EXISTS raw (answer TEXT, text TEXT, year INTEGER, times INTEGER);"
            "CREATE TABLE IF NOT EXISTS batch"
            " (file TEXT, clues INTEGER, size INTEGER, digest BLOB);"
        )
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _continue(place: Path, names: Collection[str], on_progress: Progress) -> sqlite3.Connection:
    """Open an unfinished index of files of those names, emptied if it is of others or damaged."""
    try:
        connection = _start(place)
        begun = _files_begun(connection)
    except (sqlite3.DatabaseError, TypeError, OverflowError) as error:
        if isinstance(error, sqlite3.OperationalError):  # another program is writing it
            raise
        place.unlink()
        connection, begun = _start(place), None
    if begun is None:
        on_progress(f"{place}: damaged, and made again")
    if begun is None or not begun <= {*names}:
        connection.executescript("DELETE FROM raw; DELETE FROM batch;")
    return connection


def _files_begun(connection: sqlite3.Connection) -> set[str] | None:
    """Return the files of an unfinished index; None if it is not as it was written."""
    files = set()
    rows = connection.execute("SELECT * FROM raw ORDER BY rowid")
    digest = b""
    for file, clues, size, found in connection.execute("SELECT * FROM batch ORDER BY rowid"):
        digest = _batch_digest(digest, file, clues, rows.fetchmany(size) if size else [])
        if digest != found:
            return None
        files.add(file)
    return files if rows.fetchone() is None else None


def _batch_digest(before: bytes, file: str, clues: int, rows: list[_Row]) -> bytes:
    """Return a digest of a batch and, by the digest before, of all batches before it."""
    content = repr((before, file, clues, rows)).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()


def _add_batch(connection: sqlite3.Connection, file: str, clues: int, rows: list[_Row]) -> None:
    """Store a batch, with which ``clues`` clues of the file have been copied."""
    query = "SELECT digest FROM batch ORDER BY rowid DESC LIMIT 1"
    (before,) = connection.execute(query).fetchone() or (b"",)
    connection.executemany("INSERT INTO raw VALUES (?, ?, ?, ?)", rows)
    batch = (file, clues, len(rows), _batch_digest(before, file, clues, rows))
    connection.execute("INSERT INTO batch VALUES (?, ?, ?, ?)", batch)


def _copy_index(connection: sqlite3.Connection, index: ClueIndex, before: int) -> None:
    query = "SELECT answer, text, year, times FROM clue WHERE year < ?"
    rows = index.connection.execute(query, (before,))
    with connection:
        for file in index.files:
            while batch := rows.fetchmany(BATCH):
                _add_batch(connection, file, index.size, batch)
            _add_batch(connection, file, index.size, [])


def copy_clues(
    place: Path, files: Sequence[Path], on_progress: Progress, kept: ClueIndex | None = None
) -> None:
    """Copy the lines of files to an unfinished index, and continue where an earlier run ended.

    An unfinished index that is damaged is made again; ``on_progress`` gets a line about it. Raises
    InputError for a file that can't be read or has no clue.
    """
    names = {file: identity(file) for file in files}
    old = () if kept is None else kept.files
    with closing(_continue(place, [*names.values(), *old], on_progress)) as connection:
        if kept is not None and not connection.execute("SELECT 1 FROM batch").fetchone():
            _copy_index(connection, kept, _NEVER)
        for file, name in names.items():
            query = "SELECT max(clues) FROM batch WHERE file = ?"
            (found,) = connection.execute(query, (name,)).fetchone()
            done = found or 0
            clues = islice(read_clues(file), done, None)
            while batch := list(islice(clues, BATCH)):
                done += len(batch)
                rows = [(one.answer, one.text, one.year, 1) for one in batch]
                with connection:
                    _add_batch(connection, name, done, rows)
                on_progress(f"reading {file.name}: {done:,} clues")


def write_index(raw: Path, place: Path, name: str, on_progress: Progress) -> None:
    """Write the index of copied clues; memory grows with the clues of the commonest length."""
    with closing(_connect(place)) as connection:
        connection.executescript(
            """
            CREATE TABLE clue (number INTEGER PRIMARY KEY, text TEXT, answer TEXT, year INTEGER,
                               times INTEGER);
            CREATE TABLE token (text TEXT PRIMARY KEY, number INTEGER, clues INTEGER)
                WITHOUT ROWID;
            CREATE TABLE part (length INTEGER, name TEXT, data BLOB, PRIMARY KEY (length, name));
            """
        )
        connection.execute("ATTACH ? AS raw", (str(raw),))
        connection.execute("CREATE TABLE file AS SELECT DISTINCT file AS name FROM raw.batch")
        (newest,) = connection.execute("SELECT max(year) FROM raw.raw").fetchone()
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
        connection.commit()
    seal_file(place, name)


def _grouped(connection: sqlite3.Connection) -> Iterable[tuple[str, str, int, int]]:
    """Return (answer, text, newest year, times), by length of the answer."""
    return connection.execute(
        "SELECT answer, text, max(year), sum(times) FROM raw.raw"
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
    connection.executescript(
        f"PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -{_CACHE_KIB};"
    )
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


def read_clues(file: Path) -> Iterator[OldClue]:
    """Yield every line with an answer and a clue.

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
                year = fields[1].strip()[:4]
                yield OldClue(answer, text, int(year) if year.isdecimal() else 0)
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
            if characters > MAX_CHARACTERS:  # a small gzipped file may unpack to any size
                raise InputError(
                    f"has more than {MAX_CHARACTERS:,} characters, the most that is read",
                    "give a smaller file",
                    file=str(file),
                )
            yield line
