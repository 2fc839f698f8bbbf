"""Suites: puzzles with names, families and known answers, in one TOML file.

docs/comparing.md describes the format.
"""

from __future__ import annotations

import hashlib
import heapq
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from satcross.compare.records import FILLED, UNFILLABLE, Record
from satcross.compare.runs import Instance
from satcross.errors import InputError
from satcross.formats.files import read_text
from satcross.formats.text import parse_structure
from satcross.formats.words import default_list, normalise, parse_words
from satcross.grid import Grid
from satcross.rules import all_keys, build_puzzle
from satcross.vocabulary import Vocabulary

SUITE_VERSION = 1
_DEFAULT_LIST = "(default list)"


@dataclass(frozen=True, slots=True)
class Entry:
    """One ``[[puzzle]]`` of a suite; ``line`` is where it begins.

    ``words`` are paths, none: the default list. ``min_score`` and ``sample`` narrow the list, the
    latter to so many words of each length. ``rules`` are plain values by key
    (``satcross.rules.all_keys``). ``expected`` is a status or None, ``how`` says what it rests on.
    Paths are relative to the suite's folder.
    """

    name: str
    structure: str
    line: int
    family: str = ""
    words: tuple[str, ...] = ()
    min_score: int | None = None
    sample: int | None = None
    sample_seed: int = 0
    letters: bool = False
    rules: Mapping[str, Any] = field(default_factory=dict)
    expected: str | None = None
    how: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite as its file has it; nothing that it names has been read."""

    path: str
    title: str
    entries: tuple[Entry, ...]


def read_suite(path: str) -> Suite:
    """Read a suite file. Raises InputError, which names the line, for what is no suite."""
    text = read_text(path).text
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"no TOML ({error})", "see docs/comparing.md", file=path) from None
    if data.get("suite") != SUITE_VERSION:
        raise InputError(
            "no suite of this version",
            f"begin the file with suite = {SUITE_VERSION}",
            file=path,
        )
    for name in data:
        if name not in ("suite", "title", "puzzle"):
            raise InputError(f"{name!r} is nothing a suite has", "drop it", file=path)
    title, puzzles = data.get("title", ""), data.get("puzzle", [])
    if not isinstance(title, str):
        raise InputError("the title is no text", "write it in quotes", file=path)
    if not puzzles or not isinstance(puzzles, list):
        raise InputError("the suite has no puzzle", "add a [[puzzle]]", file=path)
    # tomllib tells no lines; where a table begins is enough to find it by.
    lines = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.replace(" ", "").startswith("[[puzzle]]")
    ]
    lines += [0] * (len(puzzles) - len(lines))
    entries = tuple(
        _entry(puzzle, path, line) for puzzle, line in zip(puzzles, lines, strict=False)
    )
    first: dict[str, int] = {}
    for entry in entries:
        if first.setdefault(entry.name, entry.line) != entry.line:
            raise InputError(
                f"the name {entry.name!r} is taken (line {first[entry.name]})",
                "give every puzzle a name of its own",
                file=path,
                line=entry.line,
            )
    return Suite(path, title, entries)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (lambda value: _is_text(value) and bool(value.strip()), "a text"),
    "family": (_is_text, "a text"),
    "structure": (lambda value: _is_text(value) and bool(value), "a path"),
    "words": (_is_texts, "a list of paths"),
    "min_score": (_is_number, "a whole number"),
    "sample": (lambda value: _is_number(value) and value > 0, "a whole number above 0"),
    "sample_seed": (_is_number, "a whole number"),
    "letters": (lambda value: isinstance(value, bool), "true or false"),
    "expected": (lambda value: value in (FILLED, UNFILLABLE), f"{FILLED!r} or {UNFILLABLE!r}"),
    "how": (_is_text, "a text"),
}
# A suite's ``min_score`` narrows its list, which it then shares with other puzzles.
_RULES = {name: key for name, key in all_keys().items() if name not in _FIELDS}


def _entry(data: object, path: str, line: int) -> Entry:
    if not isinstance(data, dict):
        raise InputError("a puzzle is no table", "write [[puzzle]]", file=path)
    for name in ("name", "structure"):
        if name not in data:
            raise InputError(f"the puzzle has no {name}", "give it one", file=path, line=line)
    for name, value in data.items():
        if name not in _FIELDS and name not in _RULES:
            known = ", ".join((*_FIELDS, *_RULES))
            raise InputError(
                f"{name!r} is nothing a puzzle has", f"it has {known}", file=path, line=line
            )
        if name in _RULES:
            shape = _RULES[name].shape
            is_right, wanted = shape.accepts, shape.wanted
        else:
            is_right, wanted = _FIELDS[name]
        if not is_right(value):
            raise InputError(f"{name} is {value!r}", f"give {wanted}", file=path, line=line)
    values = {name: value for name, value in data.items() if name in _FIELDS}
    rules = {name: value for name, value in data.items() if name in _RULES}
    values["words"] = tuple(data.get("words", ()))
    return Entry(**values, rules=rules, line=line)


def read_questions(suite: Suite, entries: Sequence[Entry]) -> list[Instance]:
    """Read the files that entries of the suite name, each once.

    Raises InputError for them, and for two entries that ask the same: they would share their runs.
    """
    reader = _Reader(suite.path)
    questions = [reader.question(entry) for entry in entries]
    first: dict[str, Entry] = {}
    for entry, question in zip(entries, questions, strict=True):
        other = first.setdefault(question.hash, entry)
        if other is not entry:
            raise InputError(
                f"{entry.name!r} is the same puzzle as {other.name!r} (line {other.line})",
                "drop one of them",
                file=suite.path,
                line=entry.line,
            )
    return questions


def as_in(question: Instance, record: Record) -> Record:
    """The record with what the suite says of its puzzle now."""
    return replace(record, name=question.name, family=question.family, expected=question.expected)


class _Reader:
    """Keeps what has been read: many puzzles share a list."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = Path(path).parent
        self._grids: dict[tuple[str, bool], Grid] = {}
        self._lists: dict[tuple[str, ...], Vocabulary] = {}
        self._narrowed: dict[object, Vocabulary] = {}

    def question(self, entry: Entry) -> Instance:
        try:
            puzzle = build_puzzle(
                self._grid(entry), self._vocabulary(entry), entry.rules, normalise
            )
        except InputError as error:
            if error.file is not None:
                raise
            raise InputError(
                error.problem, error.remedy, file=self._path, line=entry.line
            ) from None
        words = ", ".join(Path(one).name for one in entry.words) or _DEFAULT_LIST
        if entry.min_score is not None:
            words += f" from {entry.min_score}"
        if entry.sample is not None:
            words += f", {entry.sample} a length"
        return Instance(puzzle, entry.structure, words, entry.name, entry.family, entry.expected)

    def _grid(self, entry: Entry) -> Grid:
        key = (entry.structure, entry.letters)
        if key not in self._grids:
            text = read_text(str(self._folder / entry.structure))
            self._grids[key] = parse_structure(text, letters=entry.letters).grid
        return self._grids[key]

    def _vocabulary(self, entry: Entry) -> Vocabulary:
        if entry.words not in self._lists:
            texts = [read_text(str(self._folder / one)) for one in entry.words]
            self._lists[entry.words] = parse_words(texts or [default_list()]).vocabulary
        words = self._lists[entry.words]
        if entry.min_score is None and entry.sample is None:
            return words
        lengths = {slot.length for slot in self._grid(entry).slots}
        sampled = frozenset(lengths) if entry.sample is not None else None
        key = (entry.words, entry.min_score, entry.sample, entry.sample_seed, sampled)
        if key not in self._narrowed:
            self._narrowed[key] = _narrow(words, entry, sampled)
        return self._narrowed[key]


def _narrow(vocabulary: Vocabulary, entry: Entry, lengths: frozenset[int] | None) -> Vocabulary:
    words = {
        word: vocabulary.score(word)
        for word in vocabulary
        if (entry.min_score is None or vocabulary.score(word) >= entry.min_score)
        and (lengths is None or len(word) in lengths)
    }
    if entry.sample is None:
        return Vocabulary(words)

    def rank(word: str) -> bytes:
        return hashlib.sha256(f"{entry.sample_seed}:{word}".encode()).digest()

    by_length: dict[int, list[str]] = {}
    for word in words:
        by_length.setdefault(len(word), []).append(word)
    return Vocabulary(
        {
            word: words[word]
            for its in by_length.values()
            for word in heapq.nsmallest(entry.sample, its, key=rank)
        }
    )
