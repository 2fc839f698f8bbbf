"""Index of old clues: for every length of answer, which clues share which words.

Clues are counted, grouped by the length of their answers, and the postings of each token are
written as arrays. Everything is in one file of arrays, which are read when they are needed.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.answer.dictionaries.clue_files import read_clues
from satcross.answer.dictionaries.store import packed_lines, unpacked_lines, write_arrays
from satcross.answer.language.tokens import normalise_clue, tokens
from satcross.errors import InputError
from satcross.formats.files import forget_old
from satcross.support.cache import CHECKED, DIGEST_BYTES, is_intact
from satcross.vocabulary import Vocabulary

LAYOUT = 6
DAMAGED = "its index in the cache was damaged, or another version's, and is made anew"
_SUFFIX = ".clues"
_MAX_FILES = 3
_BATCH = 20_000
"""Number of clues that are read between two messages."""
_FADING = 10.0
"""Years after which a use of an answer counts half: newspapers return to their recent answers."""
_ARRAYS = ("uses", "keys", "answers", "times", "norms", "starts", "rows")

Floats = NDArray[np.float32]
Arrays = dict[str, NDArray[Any]]
Progress = Callable[[str], None]
_Uses = Counter[tuple[str, str, int]]
"""How often an answer, a text and a year occurred together."""


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
    """Number of the first clue among all."""

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


class ClueIndex:
    """An opened index; its arrays are read when they are needed.

    ``path`` is its file, None in memory; ``notes`` are remarks for the user about how it was made.
    Methods and properties raise InputError when the file can't be read any more.
    """

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        path: Path | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.path = path
        self.notes = tuple(notes)
        self._arrays = arrays
        self._known: Arrays = {}
        self._parts: dict[int, LengthPart] = {}

    def beside(self, suffix: str) -> Path:
        """Return where what is learnt from the index is kept; it must have a file."""
        assert self.path is not None
        return self.path.with_suffix(suffix)

    def _array(self, name: str) -> NDArray[Any]:
        if name not in self._known:
            try:
                self._known[name] = self._arrays[name]
            except (OSError, ValueError, zipfile.BadZipFile, zlib.error) as error:
                raise InputError(
                    f"the index of clues can't be read ({error})", "check the disk"
                ) from None
        return self._known[name]

    @cached_property
    def size(self) -> int:
        """Number of different clues."""
        return len(self._array("years"))

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Path, size and time of change of the files that were indexed."""
        return tuple(unpacked_lines(self._array("files")))

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the answers, ascending."""
        return tuple(self._array("lengths").tolist())

    @cached_property
    def _tokens(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(unpacked_lines(self._array("tokens")))}

    def part(self, length: int) -> LengthPart | None:
        """Return the clues with answers of a length; None if there are none."""
        if length not in self.lengths:
            return None
        if length not in self._parts:
            text = _text(self._array(f"words{length}"))
            words = tuple(text[at : at + length] for at in range(0, len(text), length))
            first = int(self._array("firsts")[self.lengths.index(length)])
            arrays = {name: self._array(f"{name}{length}") for name in _ARRAYS}
            self._parts[length] = LengthPart(words, first=first, **arrays)
        return self._parts[length]

    def parts(self) -> list[LengthPart]:
        """Return the clues by the length of their answers."""
        return [part for part in map(self.part, self.lengths) if part is not None]

    def weighted_tokens(self, text: str) -> list[tuple[int, float]]:
        """Return (token, weight) for the known tokens of a clue, and (-1, weight) for others.

        The weight is the inverse document frequency: log(number of clues / clues with it).
        """
        found = []
        for token in dict.fromkeys(tokens(text)):
            number = self._tokens.get(token, -1)
            clues = 1 if number < 0 else int(self._array("spread")[number])
            found.append((number, log((self.size + 1) / clues)))
        return found

    def text(self, number: int) -> str:
        """Return the text of a clue by its number."""
        ends = self._array("ends")
        return _text(self._array("texts")[ends[number - 1] if number else 0 : ends[number]])

    def texts(self) -> Iterator[str]:
        """Yield the texts of all clues, by their numbers."""
        yield from map(self.text, range(self.size))

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
        return tuple(np.unique(self._array("years")).tolist())

    def uses(self) -> _Uses:
        """Return how often each answer, text and year occurred together."""
        years = self._array("years").tolist()
        found = _Uses()
        for part in self.parts():
            for place, (answer, times) in enumerate(
                zip(part.answers.tolist(), part.times.tolist(), strict=True), part.first
            ):
                found[part.words[answer], self.text(place), years[place]] = times
        return found

    def clues_of(self, answer: str, number: int) -> list[tuple[str, int, int]]:
        """Return (text, year, times) of the clues of an answer, the most used first."""
        part = self.part(len(answer))
        if part is None or answer not in part.words:
            return []
        numbers = np.flatnonzero(part.answers == part.words.index(answer))
        # A stable order: of clues that were used equally often, the first of the index.
        chosen = numbers[np.argsort(-part.times[numbers], kind="stable")][:number].tolist()
        years = self._array("years")
        return [
            (self.text(part.first + at), int(years[part.first + at]), int(part.times[at]))
            for at in chosen
        ]

    def answers(self) -> dict[str, float]:
        """Return the number of clues of every answer."""
        return {
            word: clues
            for part in self.parts()
            for word, clues in zip(part.words, part.clues.tolist(), strict=True)
        }

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
        for part in self.parts():
            values = np.clip(25 + 75 * np.log1p(part.uses) / log(61), 25, 100).astype(int)
            scores.update(zip(part.words, values.tolist(), strict=True))
        return Vocabulary(scores)


def _text(content: NDArray[np.uint8]) -> str:
    return content.tobytes().decode()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _bytes(content: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(content, np.uint8)


def clue_key(text: str) -> int:
    """Return a checksum of 64 bits of a clue's normalised text."""
    digest = hashlib.blake2b(_encoded(normalise_clue(text)), digest_size=8)
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
    place = None if cache is None else Path(cache) / (key + _SUFFIX)
    index = None if place is None else open_file(place)
    if index is not None:
        return index
    is_damaged = place is not None and place.exists()
    arrays, notes = _read(files, on_progress)
    if is_damaged:
        notes.insert(0, f"{', '.join(map(str, files))}: {DAMAGED}")
    if place is not None:
        with suppress(OSError, InputError):
            place.parent.mkdir(parents=True, exist_ok=True)
            write_arrays(place, _name(place), arrays)
            forget_old(place.parent, _SUFFIX, _MAX_FILES)
            forget_old(place.parent, _SUFFIX + CHECKED, _MAX_FILES)
            index = open_file(place, notes)
    return index or ClueIndex(arrays, notes=notes)


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
) -> list[str]:
    """Make the index of files, and of the clues of another index, at ``place``; return notes."""
    arrays, notes = _read(files, on_progress, kept)
    write_arrays(place, _name(place), arrays)
    return notes


def open_file(place: Path, notes: Sequence[str] = ()) -> ClueIndex | None:
    """Open a finished index; None when there is none, or one that can't be used."""
    return ClueIndex(np.load(place), place, notes) if is_intact(place, _name(place)) else None


def _name(place: Path) -> str:
    """Return the name under which an index is sealed, which has the version of its arrays."""
    return f"{LAYOUT} {place.stem}"


def _read(
    files: Sequence[Path], on_progress: Progress, kept: ClueIndex | None = None
) -> tuple[Arrays, list[str]]:
    """Return the index of files and of another's clues, and notes on the files."""
    notes: list[str] = []
    uses = _Uses() if kept is None else kept.uses()
    names = [*(() if kept is None else kept.files), *map(identity, files)]
    for file in files:
        for number, clue in enumerate(read_clues(file, notes.append), 1):
            uses[clue.answer, clue.text, clue.year] += 1
            if number % _BATCH == 0:
                on_progress(f"reading {file.name}: {number:,} clues")
    return {"files": packed_lines(names), **_index_arrays(uses, on_progress)}, notes


def _index_arrays(uses: _Uses, on_progress: Progress) -> Arrays:
    newest = max((year for _, _, year in uses), default=0)
    numbers: dict[str, int] = {}
    found: Arrays = {}
    texts: list[bytes] = []
    years: list[int] = []
    firsts: dict[int, int] = {}
    tokens_of = {}
    by_length = sorted(uses, key=lambda use: len(use[0]))
    for length, some in groupby(by_length, lambda use: len(use[0])):
        on_progress(f"indexing the answers of {length} letters")
        rows = sorted((clue_key(use[1]), *use, uses[use]) for use in some)
        keys, answers, own_texts, own_years, times = zip(*rows, strict=True)
        words, places = np.unique(answers, return_inverse=True)
        # Older uses count less.
        fresh = 0.5 ** ((newest - np.array(own_years)) / _FADING) * times
        firsts[length] = len(texts)
        texts += map(_encoded, own_texts)
        years += own_years
        found |= {
            f"words{length}": _bytes("".join(words.tolist()).encode()),
            f"uses{length}": np.bincount(places, weights=fresh).astype(np.float32),
            f"keys{length}": np.array(keys, np.uint64),
            f"answers{length}": places.astype(np.int32),
            f"times{length}": np.array(times, np.int32),
        }
        split = [list(dict.fromkeys(tokens(text))) for text in own_texts]
        places_of = [numbers.setdefault(token, len(numbers)) for some in split for token in some]
        tokens_of[length] = np.array(list(map(len, split))), np.array(places_of, np.int32)
    spread = np.zeros(len(numbers), np.int64)
    for _, flat in tokens_of.values():
        spread += np.bincount(flat, minlength=len(numbers))
    weights = np.log((len(texts) + 1) / spread) ** 2
    for length, (sizes, flat) in tokens_of.items():
        owner = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        norms = np.sqrt(np.bincount(owner, weights=weights[flat], minlength=len(sizes)))
        ends = np.cumsum(np.bincount(flat, minlength=len(numbers)))
        found |= {
            f"norms{length}": np.maximum(norms, 1e-6).astype(np.float32),
            f"starts{length}": np.concatenate([[0], ends]),
            f"rows{length}": owner[flat.argsort(kind="stable")],
        }
    return found | {
        "tokens": packed_lines(numbers),
        "spread": spread,
        "texts": _bytes(b"".join(texts)),
        "ends": np.cumsum([len(text) for text in texts], dtype=np.int64),
        "years": np.array(years, np.int32),
        "lengths": np.array(list(firsts), np.int64),
        "firsts": np.array(list(firsts.values()), np.int64),
    }
