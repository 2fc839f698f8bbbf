"""Locks, words and letters that given slots and cells must have; and exemptions from other rules.

In an explanation, each locked slot and each given letter is a part by itself; these rules are none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from satcross.errors import InputError
from satcross.grid import Cell, cell_name, read_cell
from satcross.rules.rule import WORDS, WORDS_BY_SLOT, Flag, FlagReader, Key, Rule

_SLOT = r"^(\d+)[ -]?(A|D)(?:CROSS|OWN)?$"
_NINA = r"(?i)(?P<cell>r\d+c\d+)-(?P<steps>[a-z-]+)[ =](?P<text>.+)"
_STEPS = {
    "right": (0, 1),
    "left": (0, -1),
    "down": (1, 0),
    "up": (-1, 0),
    "down-right": (1, 1),
    "down-left": (1, -1),
    "up-right": (-1, 1),
    "up-left": (-1, -1),
}
LETTERS = "letters"
"""Key of the letters in cells, (row, column) -> letter; JSON and suites give them in the grid."""


class Locks(Rule):
    keys = (Key("locks", "locks", WORDS_BY_SLOT, always=True),)
    flags = (
        Flag(
            "--lock",
            "locks",
            "14A=WORD|r3c4=Q",
            "A word that must stand in a slot, whether or not a list has it, or a letter in a cell "
            "(row 3, column 4; both count from 1); repeatable.",
            multiple=True,
        ),
        Flag(
            "--nina",
            "ninas",
            '"r1c1-right TEXT"',
            "A message hidden in the grid: its letters stand in the cells from row 1, column 1 to "
            "the right (or left, up, down, down-right ...), one after the other; repeatable.",
            multiple=True,
        ),
    )

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        words: dict[str, str] = {}
        letters: dict[tuple[int, int], str] = {}
        for lock in given["locks"]:
            name, equals, word = lock.partition("=")
            name, entry = re.sub(_SLOT, r"\1\2", name.strip().upper()), word.strip()
            if not (equals and name and entry):
                raise InputError(f"bad --lock {lock!r}", "write it as 14A=WORD or r3c4=Q")
            wrong = sorted({c for c in entry if c in "_#?*" or not c.isprintable()})
            word = reader.read_word(entry)
            if wrong or not word:
                shown = wrong[0] if wrong else entry
                raise InputError(f"--lock: {shown!r} is not a letter", "lock a whole word")
            cell = read_cell(name)
            if cell is None:
                before = words.setdefault(name, word)
            elif len(word) == 1:
                before = letters.setdefault(cell, word)
                name = cell_name(cell)
            else:
                raise InputError(
                    f"--lock {lock}: a cell takes one letter", "lock a word as 14A=WORD"
                )
            if before != word:
                raise InputError(
                    f"{name} is locked twice, as {before} and as {word}", "drop one of the two"
                )
        for nina in given.get("ninas", ()):  # a command may know locks alone
            for cell, letter in read_nina(nina, reader).items():
                if letters.setdefault(cell, letter) != letter:
                    raise InputError(
                        f"{cell_name(cell)} is locked twice, as {letters[cell]} and as {letter}",
                        "drop one of the two",
                    )
        return {"locks": words, LETTERS: letters}


def read_nina(text: str, reader: FlagReader) -> dict[Cell, str]:
    """Return the letters in cells of a hidden message. Raises InputError."""
    found = re.fullmatch(_NINA, text.strip())
    cell = read_cell(found["cell"]) if found else None
    steps = _STEPS.get(found["steps"].lower()) if found else None
    word = reader.read_word(found["text"]) if found else ""
    if cell is None or steps is None or not word:
        raise InputError(
            f"bad --nina {text!r}", f"write it as 'r1c1-right TEXT'; it runs {', '.join(_STEPS)}"
        )
    (row, column), (down, right) = cell, steps
    return {(row + at * down, column + at * right): letter for at, letter in enumerate(word)}


class Exemptions(Rule):
    """Words that are free of rules for single words; only explanations use them, without flags."""

    keys = (Key("own", "setter_words", WORDS), Key("also", "extra_words", WORDS_BY_SLOT))
