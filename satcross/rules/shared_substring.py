"""Two different words may not share more than a given number of consecutive letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from satcross.puzzle import Puzzle
from satcross.rules.rule import NUMBER, Flag, Key, Mark, Relaxation, Rule
from satcross.vocabulary import WordGroup


class SharedSubstring(Rule):
    label = "shared letters"
    unset: ClassVar = {"max_shared_substring": None}
    keys = (Key("max_shared", "max_shared_substring", NUMBER, minimum=1),)
    flags = (
        Flag(
            "--max-shared-substring",
            "max_shared_substring",
            "N",
            "No two different words may share more than N letters in a row (locked words and theme "
            "words among themselves may).",
            key="max_shared",
            minimum=1,
        ),
    )

    def phrase(self, puzzle: Puzzle) -> str:
        return (
            "the rule that two words may not share more than "
            f"{puzzle.max_shared_substring} letters in a row"
        )

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        longest = max((slot.length for slot in puzzle.grid.slots), default=0)
        yield [
            Relaxation(
                replace(puzzle, max_shared_substring=number),
                f"let words share {number} letters (--max-shared-substring {number})",
                {"kind": "max-shared", "max_shared": number},
            )
            for number in range((puzzle.max_shared_substring or 0) + 1, longest + 1)
        ]

    def marker(self, puzzle: Puzzle) -> _Runs | None:
        longest = puzzle.max_shared_substring
        return None if longest is None else _Runs(longest + 1)


RULE = SharedSubstring()


class _Runs:
    """Marks each word with its substrings of one length."""

    relation: ClassVar[str] = "with"

    def __init__(self, length: int) -> None:
        self._length = length

    def marks(self, word: str) -> set[Mark]:
        length = self._length
        return {Mark(word[start : start + length]) for start in range(len(word) - length + 1)}

    def having(self, text: str, lexicon: WordGroup) -> int:
        found = 0
        for start in range(lexicon.length - len(text) + 1):
            found |= _with(text, start, lexicon)
        return found


def _with(text: str, start: int, lexicon: WordGroup) -> int:
    """Return the bitset of the words that have ``text`` at position ``start``."""
    bits = lexicon.everything
    for position, letter in enumerate(text, start):
        bits &= lexicon.masks(position).get(letter, 0)
        if not bits:
            return 0
    return bits
