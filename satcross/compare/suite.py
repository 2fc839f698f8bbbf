"""Suites: puzzles with names, families and known answers, in one TOML file.

docs/comparing.md describes the format.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from satcross.compare.certify import convert_tables
from satcross.compare.command_lines import CommandTable
from satcross.compare.contender_files import read_toml
from satcross.compare.contenders import Instance, Sample
from satcross.compare.records import Record
from satcross.errors import InputError, located
from satcross.formats.entries import normalise
from satcross.formats.files import Text, read_text
from satcross.formats.readers import parse_any_structure
from satcross.formats.words import DEFAULT_LIST, NAMED_LISTS, parse_words, read_list
from satcross.grid import Grid
from satcross.rules import all_keys, build_puzzle
from satcross.vocabulary import Vocabulary

SUITE_VERSION = 1
_PARTS = ("suite", "title", "puzzle", "contender")
_DEFAULT_LIST = "(default list)"


@dataclass(frozen=True, slots=True)
class SuitePuzzle:
    """One ``[[puzzle]]`` of a suite; ``line`` is the line on which it begins.

    ``structure`` is the path of a structure file or, if it has several lines, the text of one.
    ``words`` are the paths of lists, or ``default``, which an empty tuple stands for; ``min_score``
    and ``sample``, a number of words of each length, select from them. ``rules`` maps keys of
    ``satcross.rules.all_keys`` to JSON values, ``digest`` is the ``puzzle_hash`` that the puzzle
    must have, and ``how`` says how the ``expected`` status was established; ``hardness`` is for
    readers. Paths are relative to the suite.
    """

    name: Annotated[str, msgspec.Meta(pattern=r"\S")]
    structure: Annotated[str, msgspec.Meta(min_length=1)]
    line: int
    family: str = ""
    words: tuple[str, ...] = ()
    min_score: int | None = None
    sample: Annotated[int, msgspec.Meta(ge=1)] | None = None
    sample_seed: int = 0
    letters: bool = False
    rules: Mapping[str, Any] = field(default_factory=dict)
    digest: str | None = None
    expected: Literal["filled", "unfillable"] | None = None
    how: str = ""
    hardness: str = ""

    @property
    def is_inline(self) -> bool:
        """Whether ``structure`` is the text of a structure, not the path of a file."""
        return "\n" in self.structure


@lru_cache(maxsize=256)
def draw_order(words: Vocabulary, length: int, seed: int) -> list[str]:
    """Return the words of a length in the order in which samples draw them.

    It is that of the SHA-256 of "SEED:WORD", the same on every machine; a larger sample contains
    every smaller one.
    """

    def key(word: str) -> bytes:
        return hashlib.sha256(f"{seed}:{word}".encode()).digest()

    return sorted(words.group(length).words, key=key)


@lru_cache(maxsize=256)
def draw(words: Vocabulary, lengths: frozenset[int], sample: Sample) -> Vocabulary:
    """Return a sample of the words of these lengths."""
    orders = (draw_order(words, length, sample.seed) for length in sorted(lengths))
    return Vocabulary({word: words.score(word) for own in orders for word in own[: sample.words]})


@dataclass(frozen=True, slots=True)
class Suite:
    """The content of a suite file, before the files that it names are read.

    ``contenders`` are its ``[[contender]]`` tables (``contender_files``), whose programs may be
    missing.
    """

    path: str
    entries: tuple[SuitePuzzle, ...]
    contenders: tuple[CommandTable, ...] = ()


def read_suite(path: str) -> Suite:
    """Read a suite file. Raises InputError, with the line if known, for an invalid suite."""
    text, data = read_toml(path)
    with located(path):
        if data.get("suite") != SUITE_VERSION:
            remedy = f"begin the file with suite = {SUITE_VERSION}"
            raise InputError("not a suite of a known version", remedy)
        puzzles, contenders = data.get("puzzle"), data.get("contender", [])
        if not isinstance(puzzles, list) or not puzzles:
            raise InputError("the suite has no puzzles", "add a [[puzzle]]")
        if unknown := data.keys() - _PARTS:
            known = ", ".join(_PARTS)
            raise InputError(f"a suite has no field {min(unknown)!r}", f"choose from {known}")
        tables = convert_tables(contenders, CommandTable)
    # tomllib reports no line numbers, so the headers of the tables are searched for in the text.
    bare = enumerate(text.replace(" ", "").splitlines(), 1)
    lines = [number for number, line in bare if line.startswith("[[puzzle]]")]
    lines += [0] * (len(puzzles) - len(lines))
    entries = tuple(_entry(puzzle, path, lines[n]) for n, puzzle in enumerate(puzzles))
    first: dict[str, int] = {}
    for entry in entries:
        if first.setdefault(entry.name, entry.line) != entry.line:
            raise InputError(
                f"the name {entry.name!r} is also used on line {first[entry.name]}",
                "give every puzzle a unique name",
                file=path,
                line=entry.line,
            )
    return Suite(path, entries, tables)


def _entry(table: Mapping[str, Any], path: str, line: int) -> SuitePuzzle:
    rules, own = all_keys(), {item.name for item in fields(SuitePuzzle)} - {"line", "rules"}
    with located(path, line or None):
        for key, value in table.items():
            if key not in own | rules.keys():
                known = ", ".join([*own, *rules])
                raise InputError(f"a puzzle has no field {key!r}", f"choose from {known}")
            # In a suite, ``min_score`` is not a rule but shortens the word list.
            if key not in own and not rules[key].shape.accepts(value):
                raise InputError(f"{key} is {value!r}", f"give {rules[key].shape.wanted}")
        given = {key: value for key, value in table.items() if key not in own}
        try:
            return msgspec.convert({**table, "rules": given, "line": line}, SuitePuzzle)
        except msgspec.ValidationError as error:
            raise InputError(f"a puzzle is wrong: {error}", "see docs/comparing.md") from None


def read_puzzles(suite: Suite, entries: Sequence[SuitePuzzle]) -> list[Instance]:
    """Read the puzzles of ``entries``; each file is read once.

    Raises InputError for a file that can't be read, and for two entries with the same puzzle, whose
    runs could not be distinguished.
    """
    reader = _Reader(suite.path)
    puzzles = [reader.read(entry) for entry in entries]
    first: dict[str, SuitePuzzle] = {}
    for entry, puzzle in zip(entries, puzzles, strict=True):
        other = first.setdefault(puzzle.hash, entry)
        if other is not entry:
            raise InputError(
                f"{entry.name!r} is the same puzzle as {other.name!r} (line {other.line})",
                "remove one of the two",
                file=suite.path,
                line=entry.line,
            )
    return puzzles


def read_chosen(
    suite: Suite, families: Collection[str] = (), puzzles: Collection[str] = ()
) -> list[Instance]:
    """Read the puzzles of a suite that are of these families and have these names (none: any).

    Raises InputError for a family or name that the suite lacks, and when no puzzle is left.
    """
    known_families = list(dict.fromkeys(entry.family for entry in suite.entries if entry.family))
    for family in families:
        if family not in known_families:
            raise InputError(
                f"there is no family {family!r}",
                f"it has {', '.join(known_families) or 'none'}",
                file=suite.path,
            )
    for puzzle in puzzles:
        if puzzle not in {entry.name for entry in suite.entries}:
            problem = f"there is no puzzle {puzzle!r}"
            raise InputError(problem, "look the names up in it", file=suite.path)
    chosen = [
        entry
        for entry in suite.entries
        if (not families or entry.family in families) and (not puzzles or entry.name in puzzles)
    ]
    if not chosen:
        raise InputError("no puzzle is left", "drop --family or --puzzle", file=suite.path)
    return read_puzzles(suite, chosen)


def update_record(puzzle: Instance, record: Record) -> Record:
    """Return the record with the name, family and expected answer that the suite has now."""
    return replace(record, name=puzzle.name, family=puzzle.family, expected=puzzle.expected)


class _Reader:
    """Reads puzzles of a suite, each grid and word list only once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder = Path(path).parent
        self._grid = cache(self._read_grid)
        self._list = cache(self._read_list)

    def read(self, entry: SuitePuzzle) -> Instance:
        """Read the puzzle of an entry; errors without a file name the line of the entry."""
        with located(self._path, entry.line):
            grid = self._grid(entry.name if entry.is_inline else "", entry.structure, entry.letters)
            words, drawn = self._list(entry.words, entry.min_score), None
            if entry.sample is not None:
                drawn = Sample(entry.sample, entry.sample_seed)
                words = draw(words, frozenset(slot.length for slot in grid.slots), drawn)
            puzzle = build_puzzle(grid, words, entry.rules, normalise)
        name = ", ".join(Path(path).name for path in entry.words) or _DEFAULT_LIST
        if entry.min_score is not None:
            name += f" from {entry.min_score}"
        if entry.sample is not None:
            name += f", {entry.sample} per length"
        structure = entry.name if entry.is_inline else entry.structure
        about = (entry.name, entry.family, entry.expected, drawn)
        instance = Instance(puzzle, structure, name, *about)
        if entry.digest is not None and entry.digest != instance.hash:
            raise InputError(
                f"the digest of {entry.name!r} is {instance.hash}, not {entry.digest}",
                "restore the word lists and the structure that the suite was made with",
                file=self._path,
                line=entry.line,
            )
        return instance

    def _read_grid(self, inline: str, structure: str, letters: bool) -> Grid:
        """Return a grid; ``inline`` is the name of the entry that has it as text, or ""."""
        if inline:
            text = Text(f"{self._path}: {inline}", structure)
        else:
            text = read_text(str(self._folder / structure))
        return parse_any_structure(text, letters=letters).grid

    def _read_list(self, words: tuple[str, ...], min_score: int | None) -> Vocabulary:
        if min_score is not None:
            listed = self._list(words, None)
            scores = ((word, listed.score(word)) for word in listed)
            return Vocabulary({word: score for word, score in scores if score >= min_score})
        names = words or (DEFAULT_LIST,)
        paths = [name if name in NAMED_LISTS else str(self._folder / name) for name in names]
        return parse_words(map(read_list, paths)).vocabulary
