"""Clues in a file of their own, beside the word list: a word and its clue a line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import clean, shown
from satcross.formats.files import Text, read_text
from satcross.formats.words import normalise

_SLOT = re.compile(r"\d+[AD]", re.ASCII)
_HEADER = (("word", "answer", "slot"), ("clue", "hint"))


@dataclass(frozen=True, slots=True)
class Clue:
    """A clue, for a word or for a slot (``14A``), and its line in the file."""

    key: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class ClueList:
    """The clues of a file, one a word or slot, and what was odd about the file."""

    name: str
    clues: tuple[Clue, ...]
    notes: tuple[str, ...]


def read_clues(path: str | PathLike[str]) -> ClueList:
    """Read ``WORD<TAB>clue`` lines, or CSV with commas or semicolons.

    ``14A<TAB>clue`` is for that slot, whatever stands in it. A clue may hold the character that
    separates; in CSV it may be quoted. The first clue of a word counts. Raises InputError for a
    file that can't be read or has no clue at all.
    """
    source = read_text(fspath(path))
    found: dict[str, Clue] = {}
    again: list[Clue] = []
    bare: list[int] = []
    for line, fields in _read_fields(source):
        key, text = "".join(normalise(fields[0]).split()), clean(fields[1]).strip()
        if not key and not text:
            continue
        if not found and fields[0].lower() in _HEADER[0] and text.lower() in _HEADER[1]:
            continue
        if not key:
            raise InputError(
                f"the clue {shown(text)} has no word",
                "write WORD, a tab, and the clue",
                file=source.name,
                line=line,
            )
        if not text:
            bare.append(line)
        elif key not in found:
            found[key] = Clue(key, text, line)
        elif found[key].text != text:
            again.append(Clue(key, text, line))
    if not found and not bare:
        raise InputError("no clue in it", "write WORD, a tab, and the clue", file=source.name)
    notes = list(source.notes)
    if again:
        notes.append(_some(again, "second clue left out", "second clues left out"))
    if bare:
        what = "line has no clue" if len(bare) == 1 else "lines have no clue"
        notes.append(f"{len(bare)} {what} (line {bare[0]})")
    return ClueList(source.name, tuple(found.values()), tuple(notes))


def _read_fields(source: Text) -> Iterator[tuple[int, tuple[str, str]]]:
    """The line, and what stands before and behind the first separator in it."""
    if "\t" in source.text or not re.search("[,;]", source.text):
        for number, line in enumerate(re.split("\r\n|\r|\n", source.text), 1):
            before, _, behind = line.partition("\t")
            yield number, (before.strip(), behind)
        return
    separator = next(character for character in source.text if character in ",;")
    reader = csv.reader(source.text.splitlines(keepends=True), delimiter=separator, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, (row[0].strip(), separator.join(row[1:]))
    except csv.Error as error:
        raise InputError(
            f"not CSV ({error})",
            'quote a clue as a whole, with "" for a quote in it; or use a tab',
            file=source.name,
            line=reader.line_num,
        ) from None


def add_clues(crossword: Crossword, given: ClueList) -> tuple[Crossword, list[str]]:
    """The crossword with those clues, and what was noticed. A slot's own clue beats its word's."""
    names = {slot.name for slot in crossword.grid.slots}
    words = crossword.words
    by_key = {clue.key: clue for clue in given.clues}
    for_slots = {key for key in by_key if _SLOT.fullmatch(key)}
    clues = dict(crossword.clues)
    for name, word in words.items():
        if word in by_key and word not in for_slots:
            clues[name] = by_key[word].text
    for key in for_slots & names:
        clues[key] = by_key[key].text
    used = (for_slots & names) | (set(words.values()) - for_slots)
    unused = [clue for clue in given.clues if clue.key not in used]
    notes = []
    if unused:
        notes.append(
            _some(
                unused, "clue is for a word not in the fill", "clues are for words not in the fill"
            )
        )
    return replace(crossword, clues=clues), notes


def missing(crossword: Crossword) -> str:
    """Which slots have no clue, in one line; "" when all have."""
    names = crossword.missing_clues
    if not names:
        return ""
    words = crossword.words
    listed = ", ".join(f"{name} {words[name]}" if name in words else name for name in names)
    return f"{len(names)} of {len(crossword.grid.slots)} slots have no clue: {listed}"


def template(crossword: Crossword) -> str:
    """A clue file with a line for each clue that is missing, for somebody to write them in."""
    words = crossword.words
    keys = dict.fromkeys(words.get(name, name) for name in crossword.missing_clues)
    return "".join(f"{key}\t\n" for key in keys)


def _some(clues: Sequence[Clue], one: str, several: str) -> str:
    first = f"{shown(clues[0].key)}, line {clues[0].line}"
    return f"1 {one} ({first})" if len(clues) == 1 else f"{len(clues)} {several} (first {first})"
