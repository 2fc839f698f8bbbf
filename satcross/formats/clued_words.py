"""Files with one word per line, and perhaps its clue, as ``satcross layout`` reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from satcross.errors import InputError
from satcross.formats.files import Text
from satcross.formats.words import enumeration, letters_of, normalise
from satcross.vocabulary import DEFAULT_SCORE

_LINE = re.compile(r"([^\t;]*)(?:([\t;])(?: *([+-]?\d+) *(?:\2|$))?(.*))?")
"""The word, a tab or semicolon, a score, and the clue after the same sign."""


@dataclass(frozen=True, slots=True)
class CluedWords:
    """The words of a file with their clues, in file order.

    ``clues`` maps each word to its clue, or to "" when it has none. ``scores`` has the words with a
    score. ``notes`` are remarks about the file, one line each.
    """

    clues: dict[str, str]
    scores: dict[str, int]
    notes: tuple[str, ...]

    def values(self) -> dict[str, float]:
        """Return what each word is worth: its score, at least 1; ``DEFAULT_SCORE`` for others.

        Without scores, the words are worth the same.
        """
        if not self.scores:
            return {}
        return {word: max(1, self.scores.get(word, DEFAULT_SCORE)) for word in self.clues}


def parse_clued_words(source: Text) -> CluedWords:
    """Read ``word``, ``word<tab>clue`` or ``word;clue`` lines.

    An integer in place of the clue is a score, as in word lists; the clue may follow it after
    another tab or semicolon, the same as before. Spaces, hyphens
    and other marks get no cell; the lengths of the parts are appended to the clue:
    ``ICE CREAM`` becomes ICECREAM, "... (3,5)". A repeated word counts once.

    Raises InputError for a word with any other character, for a word of one letter, and for a file
    without words.
    """
    clues: dict[str, str] = {}
    scores: dict[str, int] = {}
    notes = list(source.notes)
    for number, line in enumerate(source.text.splitlines(), 1):
        if not line.strip():
            continue
        written, score, clue = _split(line)
        word = letters_of(written, fold=False)
        if not word.isalpha() or len(word) < 2:
            raise InputError(
                f"{written!r} is not a word of two or more letters",
                "write WORD, or WORD, a tab and the clue",
                file=source.name,
                line=number,
            )
        if clue and word != normalise(written):
            clue += f" ({enumeration(written, fold=False)})"
        if word in clues:
            notes.append(f"line {number}: {word} is repeated; it is used once")
        clues[word] = clues.get(word) or clue
        if score is not None:
            scores.setdefault(word, score)
    if not clues:
        raise InputError("the file contains no words", "write one word per line", file=source.name)
    return CluedWords(clues, scores, tuple(notes))


def _split(line: str) -> tuple[str, int | None, str]:
    """Return the word as it is written, its score and its clue."""
    match = _LINE.fullmatch(line)
    assert match is not None
    word, _, score, clue = (part and part.strip() for part in match.groups())
    return word or "", int(score) if score else None, clue or ""
