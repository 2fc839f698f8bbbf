"""Rules about two words of a fill: they differ, have different stems, share few letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from satcross.errors import InputError
from satcross.puzzle import Puzzle
from satcross.rules.rule import (
    ENDINGS,
    NUMBER,
    SWITCH,
    Flag,
    FlagReader,
    Key,
    Mark,
    Relaxation,
    Rule,
)
from satcross.support.wording import join_phrases
from satcross.vocabulary import WordGroup


class Repeats(Rule):
    label = "no repeats"
    unset: ClassVar = {"allow_repeats": True}
    keys = (Key("allow_repeats", "allow_repeats", SWITCH, always=True),)
    flags = (
        Flag(
            "--allow-repeats",
            "allow_repeats",
            None,
            "A word may stand in several slots.",
            key="allow_repeats",
        ),
    )

    def phrase(self, puzzle: Puzzle) -> str:
        return "the rule that no word may appear twice"

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        text = "let a word stand in several slots (--allow-repeats)"
        yield [Relaxation(replace(puzzle, allow_repeats=True), text, {"kind": "allow-repeats"})]


MIN_STEM = 2
"""Minimum length of a stem, which is that of the shortest word."""


class SameStem(Rule):
    label = "same stem"
    unset: ClassVar = {"stem_endings": ()}
    keys = (Key("endings", "stem_endings", ENDINGS),)
    flags = (
        Flag(
            "--no-same-stem",
            "no_same_stem",
            "ENDING,...",
            "No two different words may differ only by one of these endings, as CAR and CARS do "
            "with S,ES (locked words and theme words among themselves may).",
        ),
    )

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        value = given["no_same_stem"]
        endings = [] if value is None else [reader.read_word(part) for part in value.split(",")]
        if not all(ending.isalpha() for ending in endings):
            raise InputError(f"bad --no-same-stem {value!r}", "name endings, as in S,ES")
        return {"endings": endings}

    def phrase(self, puzzle: Puzzle) -> str:
        endings = join_phrases(puzzle.stem_endings, "or")
        return f"the rule that two words may not differ only by the ending {endings}"

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        text = "let words have the same stem (without --no-same-stem)"
        yield [Relaxation(replace(puzzle, stem_endings=()), text, {"kind": "same-stem"})]

    def marker(self, puzzle: Puzzle) -> _Stems | None:
        return _Stems(puzzle.stem_endings) if puzzle.stem_endings else None


class _Stems:
    """Marks each word with its stems: the word without each of the endings, and the word itself."""

    relation: ClassVar[str] = "of the stem"

    def __init__(self, endings: tuple[str, ...]) -> None:
        self._endings = endings

    def marks(self, word: str) -> set[Mark]:
        stems = {
            word[: -len(ending)]
            for ending in self._endings
            if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM
        }
        return {Mark(stem, 1, self.relation) for stem in (word, *stems)}

    def having(self, text: str, lexicon: WordGroup) -> int:
        found = 0
        for ending in ("", *self._endings):
            found |= lexicon.bit_of(text + ending)
        return found


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
