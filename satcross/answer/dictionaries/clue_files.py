"""Read old clues from files: tables of clues, and published crosswords with their solutions.

A table has one clue per line, as the xd project publishes them: publication, year, answer and clue,
separated by tabs, with or without a line of headings, gzipped or not.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from satcross.answer.language.tokens import letters
from satcross.errors import InputError
from satcross.formats.files import missing_file
from satcross.formats.readers import READERS, import_crossword
from satcross.support.wording import counted

_LONGEST = 60
_LONGEST_LINE = 10_000  # characters
MAX_CHARACTERS = 1_000_000_000
"""Maximum number of characters of a file of clues, unpacked: some twenty million clues."""
_MAX_BAD = 0.5
"""Share of lines without four columns from which a file is no table of clues."""
_REMEDY = "write publication, year, answer, clue"

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class OldClue:
    """A clue and its answer, which is as in a grid; ``year`` is 0 when unknown."""

    answer: str
    text: str
    year: int


def clue_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files named, and those in the folders named. Raises InputError for neither."""
    found = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if _is_known(file))
            if not inside:
                raise InputError("the folder has no file of clues", _REMEDY, file=str(path))
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise missing_file(str(path))
    return found


def _is_known(file: Path) -> bool:
    name = file.name.lower().removesuffix(".gz")
    return file.is_file() and name.endswith((".tsv", *READERS))


def read_clues(file: Path, note: Note = lambda line: None) -> Iterator[OldClue]:
    """Yield the clues of a file that have an answer of two letters or more.

    ``note`` receives a line on what is left out. Raises InputError for a file that can't be read,
    for one that has no clue, and for a line or table above the size limits.
    """
    read = _read_crossword if file.suffix.lower() in READERS else _read_table
    is_empty = True
    for clue in read(file, note):
        if clue.text and 1 < len(clue.answer) <= _LONGEST:
            is_empty = False
            yield clue
    if is_empty:
        raise InputError("has no clue", f"{_REMEDY} on every line", file=str(file))


def _read_crossword(file: Path, note: Note) -> Iterator[OldClue]:
    crossword = import_crossword(str(file)).crossword
    for slot, word in crossword.words.items():
        text = " ".join(crossword.clues.get(slot, "").split())
        yield OldClue(letters(word), text, _year(crossword.date))
    if missing := len(crossword.grid.slots) - len(crossword.words):
        note(f"{file}: {counted(missing, 'slot')} without a solution left out")


def _read_table(file: Path, note: Note) -> Iterator[OldClue]:
    bad, first_bad, number = 0, 0, 0
    try:
        for number, line in enumerate(_lines(file), 1):
            fields = line.rstrip("\r\n").split("\t", 3)
            if len(fields) == 4:
                if number > 1 or fields[2].strip().lower() != "answer":
                    answer, text = fields[2].strip(), fields[3].strip()
                    yield OldClue(letters(answer), text, _year(fields[1].strip()))
            elif line.strip():
                bad, first_bad = bad + 1, first_bad or number
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"can't be read ({reason})", "check the file", file=str(file)) from None
    if bad > _MAX_BAD * number:
        raise InputError(
            "not four columns separated by tabs", _REMEDY, file=str(file), line=first_bad
        )
    if bad:
        lines = f"{counted(bad, 'line')} without four columns left out"
        note(f"{file}: {lines}, the first is line {first_bad}; {_REMEDY}")


def _year(date: str) -> int:
    return int(date[:4]) if date[:4].isdecimal() else 0


def _lines(file: Path) -> Iterator[str]:
    """Yield the lines of a file, gzipped or not. Raises InputError above the size limits."""
    with file.open("rb") as raw:
        opener = gzip.open if raw.read(2) == b"\x1f\x8b" else open
    characters = 0
    with opener(file, "rt", encoding="utf-8", errors="replace", newline="\n") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(_LONGEST_LINE), ""), 1):
            if len(line) == _LONGEST_LINE:
                problem = f"has {_LONGEST_LINE:,} characters or more"
                raise InputError(problem, _REMEDY, file=str(file), line=number)
            characters += len(line)
            if characters > MAX_CHARACTERS:  # a small gzipped file may unpack to any size
                problem = f"has more than {MAX_CHARACTERS:,} characters, the most that is read"
                raise InputError(problem, "give a smaller file", file=str(file))
            yield line
