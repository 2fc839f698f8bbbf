"""Words that may not be used: excluded ones, and those that score too little."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from satcross.errors import InputError
from satcross.puzzle import Puzzle
from satcross.rules.rule import (
    NUMBER,
    NUMBERS_BY_LENGTH,
    NUMBERS_BY_SLOT,
    WORDS,
    Flag,
    FlagReader,
    Key,
    Relaxation,
    Rule,
)
from satcross.support.wording import join_phrases
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


_PART = r"(?i)(?:(?:([0-9]{1,4})|([0-9]{1,4}[AD])):)?([+-]?[0-9]{1,9})"


class MinScores(Rule):
    label = "minimum score"
    unset: ClassVar = {"min_score": None, "min_scores": {}, "slot_min_scores": {}}
    keys = (
        Key("min_score", "min_score", NUMBER, always=True),
        Key("min_scores", "min_scores", NUMBERS_BY_LENGTH),
        Key("slot_min_scores", "slot_min_scores", NUMBERS_BY_SLOT),
    )
    flags = (
        Flag(
            "--min-score",
            "min_score",
            "N[,LENGTH|SLOT:N...]",
            "Only words with at least this score; 50,3:60,14A:80 requires 60 of words of 3 letters "
            "and 80 in 14A.",
        ),
    )

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        value = given["min_score"]
        found: dict[str, int] = {}
        for part in value.split(",") if value is not None else ():
            match = re.fullmatch(_PART, part.strip())
            if match is None:
                raise InputError(
                    f"bad --min-score {value!r}", "write a score, or several as in 50,3:60,14A:80"
                )
            where = str(int(match[1])) if match[1] else (match[2] or "").upper()
            if where in found:
                raise InputError(
                    f"--min-score {value!r} gives two minimum scores for "
                    f"{f'length {where}' if match[1] else where or 'all words'}",
                    "drop one of the two",
                )
            found[where] = int(match[3])
        return {
            "min_score": found.pop("", None),
            "min_scores": {where: score for where, score in found.items() if where.isdecimal()},
            "slot_min_scores": {
                where: score for where, score in found.items() if not where.isdecimal()
            },
        }

    def check_flags(self, puzzle: Puzzle, reader: FlagReader) -> None:
        for name in puzzle.slot_min_scores:
            if puzzle.grid.slot_named(name) is None:
                raise InputError(
                    f"--min-score {name}:{puzzle.slot_min_scores[name]}: no slot has this name",
                    f"it has {', '.join(slot.name for slot in puzzle.grid.slots)}",
                )
        lengths = {slot.length for slot in puzzle.grid.slots}
        for length in sorted(puzzle.min_scores.keys() - lengths):
            about = f"--min-score {length}:{puzzle.min_scores[length]}"
            reader.note(f"no slot has {length} letters", about)

    def phrase(self, puzzle: Puzzle) -> str:
        scores = [] if puzzle.min_score is None else [f"of {puzzle.min_score}"]
        scores += [
            f"of {score} for {length} letters"
            for length, score in sorted(puzzle.min_scores.items())
        ]
        scores += [
            f"of {score} for {name}" for name, score in sorted(puzzle.slot_min_scores.items())
        ]
        return f"the minimum score{'s' if len(scores) > 1 else ''} {join_phrases(scores)}"

    def allowed(self, puzzle: Puzzle, lexicon: WordGroup, slot: str | None, words: int) -> int:
        min_score = puzzle.min_score_of(lexicon.length, slot)
        if min_score is None:
            return words
        return words & puzzle.listed(lexicon.length).best(min_score).everything

    def relaxations(self, puzzle: Puzzle) -> Iterator[Sequence[Relaxation]]:
        for length, score in sorted(puzzle.min_scores.items()):
            rest = {key: score for key, score in puzzle.min_scores.items() if key != length}
            text = f"drop the minimum score of {score} for words of {length} letters"
            data: dict[str, object] = {"kind": "min-score", "length": length}
            yield [Relaxation(replace(puzzle, min_scores=rest), text, data)]
        for name, score in sorted(puzzle.slot_min_scores.items()):
            others = {key: score for key, score in puzzle.slot_min_scores.items() if key != name}
            yield [
                Relaxation(
                    replace(puzzle, slot_min_scores=others),
                    f"drop the minimum score of {score} for {name}",
                    {"kind": "min-score", "slot": name},
                )
            ]
        required = puzzle.min_score
        if required is None:
            return
        lengths = {slot.length for slot in puzzle.grid.slots} - puzzle.min_scores.keys()
        scores = {item for length in lengths for item in puzzle.vocabulary.group(length).scores}
        yield [
            Relaxation(
                replace(puzzle, min_score=score),
                f"accept words with a score of {score} (--min-score {score})",
                {"kind": "min-score", "min_score": score},
            )
            for score in sorted(scores, reverse=True)
            if score < required
        ]
