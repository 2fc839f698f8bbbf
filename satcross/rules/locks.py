"""Locks: words and letters that given slots and cells must have.

In an explanation, each locked slot and each given letter is a part by itself; this rule is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from satcross.errors import InputError
from satcross.grid import cell_name, read_cell
from satcross.rules.rule import WORDS_BY_SLOT, Flag, FlagReader, Key, Rule

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
    )

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        words: dict[str, str] = {}
        letters: dict[tuple[int, int], str] = {}
        for lock in given["locks"]:
            name, equals, word = lock.partition("=")
            name, entry = name.strip().upper(), word.strip().upper()
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
        return {"locks": words, LETTERS: letters}


RULE = Locks()
