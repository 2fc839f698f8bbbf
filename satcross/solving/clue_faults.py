"""What an editor would object to in the clues of a crossword; no solver and no list is asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from satcross.crossword import Clue, Crossword
from satcross.grid import Slot

_LISTED = re.compile(
    r"\b(\d{1,3})-?((?:\s*(?:,|/|and|&|or)+\s*\d{1,3}-?)*)[\s-]*(across|down|ac|dn|a|d)\b",
    re.IGNORECASE,
)
"""``5-Across``, ``5A``, ``5- and 7-Across``, ``5, 7 and 9 Down``."""
_NUMBER = re.compile(r"\d{1,3}")
_ALONE = re.compile(r"\s*see\s+(\d{1,3})\.?\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_MIN_LETTERS = 3
"""Minimum length of an answer for which a clue that contains it is a fault."""


@dataclass(frozen=True, slots=True)
class ClueFault:
    """A fault of the clue of a slot: its kind, which is a key in JSON, and a sentence about it."""

    slot: str
    kind: str
    text: str


def named_slots(text: str) -> list[str]:
    """Return the names of the slots that a clue names, ``5A`` for ``5-Across``, in order."""
    return [
        f"{int(number)}{match[3][0].upper()}"
        for match in _LISTED.finditer(text)
        for number in (match[1], *_NUMBER.findall(match[2]))
    ]


def clue_faults(crossword: Crossword) -> list[ClueFault]:
    """List the faults of the clues: missing ones, equal ones, references, lengths, answers.

    A crossword without any clue has no fault.
    """
    if not any(crossword.clues.values()):
        return []
    missing = [ClueFault(name, "missing", "has no clue") for name in crossword.missing_clues]
    slots = {slot.name: slot for slot in crossword.grid.slots}
    return [
        *missing,
        *_equal(crossword),
        *(
            ClueFault(name, kind, text)
            for name, clue in crossword.clues.items()
            for kind, text in _faults(slots[name], Clue.of(clue), crossword, slots)
        ),
    ]


def _equal(crossword: Crossword) -> Iterator[ClueFault]:
    first: dict[str, str] = {}
    for name, clue in crossword.clues.items():
        text = " ".join(Clue.of(clue).bare.casefold().split())
        if not text or _ALONE.fullmatch(text) or named_slots(text):
            continue
        if (other := first.setdefault(text, name)) and other != name:
            yield ClueFault(name, "equal", f"has the same clue as {other}")


def _faults(
    slot: Slot, clue: Clue, crossword: Crossword, slots: dict[str, Slot]
) -> Iterator[tuple[str, str]]:
    numbers = {name[:-1] for name in slots}
    for name in named_slots(clue.bare):
        if name not in slots:
            yield "reference", f"refers to {name}, which the grid lacks"
        elif name == slot.name:
            yield "reference", "refers to itself"
    alone = _ALONE.fullmatch(clue.bare)
    if alone and alone[1] not in numbers:
        yield "reference", f"refers to {alone[1]}, which the grid lacks"
    lengths = _lengths(slot, clue, crossword, slots)
    if clue.enumeration and sum(map(int, _NUMBER.findall(clue.enumeration))) not in lengths:
        letters = min(lengths)
        yield "enumeration", f"says ({clue.enumeration}), but the answer has {letters} letters"
    word = crossword.words.get(slot.name, "")
    if len(word) >= _MIN_LETTERS and _contains(clue.bare, word):
        yield "answer", f"contains its answer, {word}"


def _lengths(
    slot: Slot, clue: Clue, crossword: Crossword, slots: dict[str, Slot]
) -> tuple[int, int]:
    """Return the length of an answer in cells and in letters, with the slots it continues in."""
    parts = [slot, *(slots[name] for name in clue.also if name in slots)]
    words = crossword.words
    cells = sum(len(part.places) for part in parts)
    return cells, sum(len(words.get(part.name, part.places)) for part in parts)


def _contains(text: str, word: str) -> bool:
    """Whether words of the text, one or several in a row, spell the word."""
    words = [_folded(found) for found in _WORD.findall(text)]
    target = _folded(word)
    for start in range(len(words)):
        joined = ""
        for part in words[start:]:
            joined += part
            if joined == target:
                return True
            if len(joined) > len(target):
                break
    return False


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
