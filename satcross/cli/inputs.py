"""What the commands have in common: reading the question from files and flags."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from satcross.cli.options import note
from satcross.errors import InputError
from satcross.formats import readers
from satcross.formats.compiled import read_words
from satcross.formats.files import STANDARD_INPUT
from satcross.formats.words import Dropped, WordList, default_list_path, normalise
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary


def read_puzzle(
    structure: str,
    lists: Sequence[str],
    *,
    locks: Sequence[str] = (),
    letters: bool = False,
    min_score: int | None = None,
    exclude: Sequence[str] = (),
    allow_repeats: bool = False,
    quiet: bool = False,
) -> Puzzle:
    """Read the question: files as named on the command line, and ``options.puzzle_options``."""
    if structure == STANDARD_INPUT and STANDARD_INPUT in lists:
        raise InputError("standard input can be read only once", "name a file instead of -")
    grid = read_structure(structure, letters=letters, quiet=quiet)
    vocabulary = read_lists(lists, quiet=quiet).vocabulary
    excluded = read_excluded(exclude, vocabulary, quiet=quiet)
    return Puzzle(grid, vocabulary, read_locks(locks), min_score, excluded, allow_repeats)


def read_structure(path: str, *, letters: bool, quiet: bool) -> Grid:
    """Read a structure, or take that of a published crossword; oddities are noted on stderr."""
    structure = readers.read_structure(path, letters=letters)
    if not quiet:
        for text in structure.notes:
            note(path, text)
    return structure.grid


def read_lists(paths: Sequence[str], *, quiet: bool) -> WordList:
    """Read word lists into one; none: the default list."""
    if list(paths).count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")
    words = read_words(list(paths) or [default_list_path()])
    if not quiet:
        for name, text in words.notes:
            note(name, text)
        _note_dropped(words.dropped)
    return words


def _note_dropped(dropped: Sequence[Dropped]) -> None:
    by_cause: dict[tuple[str, str], list[Dropped]] = {}
    for line in dropped:
        by_cause.setdefault((line.file, line.reason), []).append(line)
    for (name, reason), lines in by_cause.items():
        first = lines[0]
        example = f"line {first.line}: {first.text.strip()!r}"
        if len(lines) == 1:
            note(name, f"1 line dropped, {reason} ({example})")
        else:
            note(name, f"{len(lines)} lines dropped, {reason} (first {example})")


def read_locks(locks: Sequence[str]) -> dict[str, str]:
    """``14A=WORD`` flags as slot name -> word, normalised as lists are."""
    read: dict[str, str] = {}
    for lock in locks:
        name, equals, word = lock.partition("=")
        name, word = name.strip().upper(), normalise(word)
        if not (equals and name and word):
            raise InputError(f"bad lock {lock!r}", "write it as 14A=WORD")
        wrong = sorted({c for c in word if c in "_#.?*" or c.isspace() or not c.isprintable()})
        if wrong:
            raise InputError(f"lock {name}={word}: {wrong[0]!r} is no letter", "lock a whole word")
        if read.setdefault(name, word) != word:
            raise InputError(
                f"{name} is locked twice, as {read[name]} and as {word}", "drop one of the two"
            )
    return read


def read_excluded(values: Sequence[str], vocabulary: Vocabulary, *, quiet: bool) -> frozenset[str]:
    """Words, or files of words, that may not be used; a value with a dot or slash is a file."""
    excluded: set[str] = set()
    for value in values:
        if not value.strip():
            raise InputError("--exclude has an empty value", "name a word or a file")
        if "." in value or "/" in value or (normalise(value) not in vocabulary and _exists(value)):
            excluded.update(read_lists([value], quiet=quiet).vocabulary)
        else:
            word = normalise(value)
            excluded.add(word)
            if word not in vocabulary and not quiet:
                note(f"--exclude {value}", "no list has this word")
    return frozenset(excluded)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # a name no file can have
        return False
