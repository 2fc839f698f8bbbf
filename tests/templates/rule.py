"""A template of a rule about single words: no word has the same letter twice in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from satcross.puzzle import Puzzle
from satcross.rules.rule import SWITCH, Flag, Key, Relaxation, Rule
from satcross.vocabulary import WordGroup


class NoDoubles(Rule):
    label = "no doubled letters"
    unset: ClassVar = {"no_doubles": False}
    keys = (Key("no_doubles", "no_doubles", SWITCH),)
    flags = (
        Flag(
            "--no-doubles",
            "no_doubles",
            None,
            "No word has the same letter twice in a row.",
            key="no_doubles",
        ),
    )

    def phrase(self, puzzle: Puzzle) -> str:
        return "the rule that no word has a doubled letter"

    def allowed(self, puzzle: Puzzle, lexicon: WordGroup, slot: str | None, words: int) -> int:
        if not puzzle.no_doubles:
            return words
        for left in range(lexicon.length - 1):
            later = lexicon.masks(left + 1)
            for letter, having in lexicon.masks(left).items():
                words &= ~(having & later.get(letter, 0))
        return words

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        text = "let words have doubled letters"
        yield [Relaxation(replace(puzzle, no_doubles=False), text, {"kind": "allow-doubles"})]
