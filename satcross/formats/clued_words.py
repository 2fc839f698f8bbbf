"""Files with one word per line, and perhaps its clue, as ``satcross layout`` reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from satcross.errors import InputError
from satcross.formats.files import Text
from satcross.formats.words import enumeration, letters_of, normalise

_SEPARATOR = re.compile(r"[\t;]")


@dataclass(frozen=True, slots=True)
class CluedWords:
    """The words of a file with their clues, in file order.

    ``clues`` maps each word to its clue, or to "" when it has none. ``notes`` are remarks about the
    file, one line each.
    """

    clues: dict[str, str]
    notes: tuple[str, ...]


def parse_clued_words(source: Text) -> CluedWords:
    """Read ``word``, ``word<tab>clue`` or ``word;clue`` lines.

    An integer in place of the clue is a score, as in word lists, and is ignored. Spaces, hyphens
    and other marks get no cell; the lengths of the parts are appended to the clue:
    ``ICE CREAM`` becomes ICECREAM, "... (3,5)". A repeated word counts once.

    Raises InputError for a word with any other character, for a word of one letter, and for a file
    without words.
    """
    clues: dict[str, str] = {}
    notes = list(source.notes)
    for number, line in enumerate(source.text.splitlines(), 1):
        if not line.strip():
            continue
        written, *rest = (part.strip() for part in _SEPARATOR.split(line, maxsplit=1))
        word = letters_of(written, fold=False)
        if not word.isalpha() or len(word) < 2:
            raise InputError(
                f"{written!r} is not a word of two or more letters",
                "write WORD, or WORD, a tab and the clue",
                file=source.name,
                line=number,
            )
        clue = "" if not rest or rest[0].lstrip("+-").isdigit() else rest[0]
        if clue and word != normalise(written):
            clue += f" ({enumeration(written, fold=False)})"
        if word in clues:
            notes.append(f"line {number}: {word} is repeated; it is used once")
        clues[word] = clues.get(word) or clue
    if not clues:
        raise InputError("the file contains no words", "write one word per line", file=source.name)
    return CluedWords(clues, tuple(notes))
