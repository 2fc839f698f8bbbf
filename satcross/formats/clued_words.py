"""Words with their clues in one file: what a teacher has at hand."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from satcross.errors import InputError
from satcross.formats.files import Text

_SEPARATOR = re.compile(r"[\t;]")
_HYPHEN = "\N{HYPHEN}"
_JOINS = f" -'.{_HYPHEN}\N{RIGHT SINGLE QUOTATION MARK}"
"""What may stand between the letters of an answer, and is not written into cells."""


@dataclass(frozen=True, slots=True)
class CluedWords:
    """Word -> clue ("" where there is none), in the order of the file, and what was odd in it."""

    clues: dict[str, str]
    notes: tuple[str, ...]


def parse_clued_words(source: Text) -> CluedWords:
    """Read ``word``, ``word<tab>clue`` or ``word;clue`` lines.

    A clue that is a whole number is a score, as word lists have them, and no clue. Blanks, hyphens
    and apostrophes in a word are left out of the grid, and how many letters its parts have is told
    after the clue: ``ICE CREAM`` is ICECREAM, "... (3,5)". A word given twice is taken once. Raises
    InputError for anything else that is no letter, a single letter, and when there is no word.
    """
    clues: dict[str, str] = {}
    notes = list(source.notes)
    for number, line in enumerate(source.text.splitlines(), 1):
        if not line.strip():
            continue
        written, *rest = (part.strip() for part in _SEPARATOR.split(line, maxsplit=1))
        answer = unicodedata.normalize("NFC", written.upper())
        word = "".join(letter for letter in answer if letter not in _JOINS)
        if not word.isalpha() or len(word) < 2:
            raise InputError(
                f"{written!r} is no word of two letters or more",
                "write WORD, or WORD, a tab and its clue",
                file=source.name,
                line=number,
            )
        clue = "" if not rest or rest[0].lstrip("+-").isdigit() else rest[0]
        if clue and word != answer:
            clue += f" ({_lengths(answer)})"
        if word in clues:
            notes.append(f"line {number}: {word} is there already; taken once")
        clues[word] = clues.get(word) or clue
    if not clues:
        raise InputError("there is no word in it", "write one word a line", file=source.name)
    return CluedWords(clues, tuple(notes))


def _lengths(answer: str) -> str:
    """``3,5`` for ICE CREAM, ``4-2`` for MAKE-UP; other marks don't divide a word."""
    text = re.sub(r"[^\w\s-]", "", answer.replace(_HYPHEN, "-")).strip()
    return re.sub(r"[^\W\d_]+", lambda part: str(len(part[0])), re.sub(r"\s+", ",", text))
