"""Words that may not be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from satcross.errors import InputError
from satcross.puzzle import Puzzle
from satcross.rules.rule import WORDS, Flag, FlagReader, Key, Relaxation, Rule
from satcross.vocabulary import WordGroup

MAX_SINGLE_WORDS = 40
"""Maximum number of excluded words for which relaxations allow single words again."""


class Excluded(Rule):
    label = "exclusions"
    unset: ClassVar = {"excluded": frozenset()}
    keys = (Key("excluded", "excluded", WORDS, always=True),)
    flags = (
        Flag(
            "--exclude",
            "exclude",
            "WORDS|FILE",
            "Words not to use, with commas between them; repeatable.",
            multiple=True,
            names_files=True,
        ),
    )

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        excluded: set[str] = set()
        for value in given["exclude"]:
            if not value.strip():
                raise InputError("--exclude has an empty value", "name a word or a file")
            if reader.is_file(value):
                excluded.update(reader.read_words([value]))
                continue
            for part in filter(str.strip, value.split(",")):
                word = reader.read_word(part)
                excluded.add(word)
                if word not in reader.vocabulary:
                    reader.note("no list has this word", f"--exclude {part.strip()}")
        return {"excluded": sorted(excluded)}

    def phrase(self, puzzle: Puzzle) -> str:
        return "the excluded words"

    def allowed(self, puzzle: Puzzle, lexicon: WordGroup, slot: str | None, words: int) -> int:
        for word in _of_length(puzzle.excluded, lexicon.length):
            words &= ~lexicon.bit_of(word)
        return words

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        known = sorted(word for word in puzzle.excluded if word in puzzle.vocabulary)
        if 1 < len(known) <= MAX_SINGLE_WORDS:
            for word in known:
                yield [
                    Relaxation(
                        replace(puzzle, excluded=puzzle.excluded - {word}),
                        f"allow {word} again",
                        {"kind": "include", "words": [word]},
                    )
                ]
        text = f"allow {known[0]} again" if len(known) == 1 else "drop all exclusions"
        data: dict[str, object] = {"kind": "include", "words": known}
        yield [Relaxation(replace(puzzle, excluded=frozenset()), text, data)]


@lru_cache(maxsize=32)
def _of_length(words: frozenset[str], length: int) -> tuple[str, ...]:
    """Return the words of that length; every slot of a grid asks, and words may be thousands."""
    return tuple(word for word in words if len(word) == length)


RULE = Excluded()
