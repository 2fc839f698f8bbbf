"""What the commands have in common: reading the question from files and flags."""

from __future__ import annotations

from collections.abc import Sequence

import click

from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, read_text
from satcross.formats.text import parse_structure
from satcross.formats.words import Dropped, WordList, default_list, parse_words
from satcross.grid import Grid


def read_structure(path: str, *, letters: bool, quiet: bool) -> Grid:
    """Read a structure file; what is odd about it is noted on stderr."""
    structure = parse_structure(read_text(path), letters=letters)
    if not quiet:
        for note in structure.notes:
            _note(path, note)
    return structure.grid


def read_lists(paths: Sequence[str], *, quiet: bool) -> WordList:
    """Read word lists into one; none: the default list."""
    if list(paths).count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")
    words = parse_words(map(read_text, paths) if paths else [default_list()])
    if not quiet:
        for name, note in words.notes:
            _note(name, note)
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
            _note(name, f"1 line dropped, {reason} ({example})")
        else:
            _note(name, f"{len(lines)} lines dropped, {reason} (first {example})")


def read_locks(locks: Sequence[str]) -> dict[str, str]:
    """``14A=WORD`` flags as slot name -> word, in upper case."""
    read: dict[str, str] = {}
    for lock in locks:
        name, equals, word = lock.partition("=")
        name, word = name.strip().upper(), word.strip().upper()
        if not (equals and name and word):
            raise InputError(f"bad lock {lock!r}", "write it as 14A=WORD")
        if read.setdefault(name, word) != word:
            raise InputError(
                f"{name} is locked twice, as {read[name]} and as {word}", "drop one of the two"
            )
    return read


def read_excluded(values: Sequence[str]) -> frozenset[str]:
    """Words, or files of words, that may not be used."""
    from pathlib import Path

    excluded: set[str] = set()
    for value in values:
        if Path(value).is_file():
            excluded.update(parse_words([read_text(value)]).vocabulary)
        else:
            excluded.add(value.strip().upper())
    return frozenset(excluded)


def _note(name: str, note: str) -> None:
    click.echo(f"satcross: note: {name}: {note}", err=True)
