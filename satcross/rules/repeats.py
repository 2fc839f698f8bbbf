"""No word is used twice, unless repeats are allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from satcross.puzzle import Puzzle
from satcross.rules.rule import SWITCH, Flag, Key, Relaxation, Rule


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


RULE = Repeats()
