"""Words that should be used: theme words, which must, and preferred ones, which are tried first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from satcross.errors import InputError
from satcross.puzzle import Puzzle
from satcross.rules.rule import (
    MAX_LISTED_WORDS,
    NUMBER,
    WORDS,
    Flag,
    FlagReader,
    Key,
    Relaxation,
    Rule,
)
from satcross.support.wording import counted, join_phrases
from satcross.vocabulary import WordGroup


class Theme(Rule):
    label = "theme words"
    unset: ClassVar = {"min_theme_words": 0}
    keys = (Key("theme", "theme", WORDS), Key("theme_least", "min_theme_words", NUMBER, minimum=0))
    flags = (
        Flag(
            "--theme",
            "theme",
            "FILE",
            "Words that must all stand in the grid, whether or not a list has them; repeatable.",
            multiple=True,
            names_files=True,
        ),
        Flag(
            "--theme-any",
            "theme_any",
            "N",
            "At least N of the --theme words must stand in the grid, not all.",
            key="theme_least",
            minimum=1,
        ),
    )

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        if given["theme_any"] is not None and not given["theme"]:
            raise InputError("--theme-any needs --theme", "name a file of theme words")
        words = reader.read_words(given["theme"], strict=True) if given["theme"] else []
        return {"theme": words, **super().parse_flags(given, reader)}

    def check_flags(self, puzzle: Puzzle, reader: FlagReader) -> None:
        lengths = {slot.length for slot in puzzle.grid.slots}
        fixed = puzzle.fixed_words.values()
        possible = {
            word
            for word in puzzle.theme
            if len(word) in lengths and (word not in puzzle.excluded or word in fixed)
        }
        if len(possible) < puzzle.required_theme()[1]:
            word = min(puzzle.theme - possible)
            if word in puzzle.excluded:
                raise InputError(f"the theme word {word} is excluded", "drop one of the two")
            raise InputError(
                f"the theme word {word} has {len(word)} letters, and no slot has as many",
                "drop it, or ask for fewer with --theme-any",
            )

    def to_data(self, puzzle: Puzzle) -> dict[str, Any]:
        return super().to_data(puzzle) if puzzle.theme else {}

    def is_set(self, puzzle: Puzzle) -> bool:
        return bool(puzzle.required_theme()[1])

    def phrase(self, puzzle: Puzzle) -> str:
        words, required = puzzle.required_theme()
        if required == 1 == len(words):
            return f"the rule that {next(iter(words))} must appear in the grid"
        others = len(words) - MAX_LISTED_WORDS
        more = [counted(others, "other")] if others > 0 else []
        shown = join_phrases([*sorted(words)[:MAX_LISTED_WORDS], *more])
        number = "" if required == len(words) else f"at least {required} of "
        return f"the rule that {number}{shown} must appear in the grid"

    def allowed(self, puzzle: Puzzle, lexicon: WordGroup, slot: str | None, words: int) -> int:
        for word in puzzle.theme - puzzle.excluded:
            if len(word) == lexicon.length:
                words |= lexicon.bit_of(word)
        return words

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        required = len(puzzle.theme) if puzzle.min_theme_words is None else puzzle.min_theme_words
        yield [
            Relaxation(
                replace(puzzle, min_theme_words=number),
                f"ask for fewer theme words (--theme-any {number})"
                if number  # the flag takes no 0
                else "require no theme word: give their file by --words, not by --theme",
                {"kind": "theme-any", "theme_any": number},
            )
            for number in range(required - 1, -1, -1)
        ]


class Preferred(Rule):
    keys = (Key("preferred", "preferred", WORDS),)
    flags = (
        Flag(
            "--prefer",
            "prefer",
            "FILE",
            "Words to try first, where the lists have them; with --quality any, even before good "
            "words. Repeatable.",
            multiple=True,
            names_files=True,
        ),
    )

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        words = reader.read_words(given["prefer"]) if given["prefer"] else []
        unknown = sorted(word for word in words if word not in reader.vocabulary)
        if unknown:
            single = len(unknown) == 1
            some = f"{unknown[0]} is" if single else f"{len(unknown)} of these words are"
            why = "no list has it" if single else "no list has them"
            reader.note(f"{some} not used: {why}, or your edits say never", "--prefer")
        return {"preferred": words}
