"""Two different words may not have the same stem, like CAR and CARS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from satcross.errors import InputError
from satcross.puzzle import Puzzle
from satcross.rules.rule import ENDINGS, Flag, FlagReader, Key, Mark, Relaxation, Rule, join_phrases
from satcross.vocabulary import WordGroup

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


RULE = SameStem()


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
