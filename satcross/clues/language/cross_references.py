"""The clues of a crossword, as sources are asked them."""

from __future__ import annotations

import re

from satcross.clues.clue import Clue
from satcross.crossword import Crossword

_LISTED = re.compile(
    r"\b(\d{1,3})-?((?:\s*(?:,|/|and|&|or)+\s*\d{1,3}-?)*)[\s-]*(across|down|a|d)\b", re.IGNORECASE
)
"""``5-Across``, ``5A``, ``5- and 7-Across``, ``5, 7 and 9 Down``."""
_NUMBER = re.compile(r"\d{1,3}")
_ENUMERATION = re.compile(r"\s*\((\d{1,2}(?:\s*[,\-']\s*\d{1,2})*)\)\s*$")


def clues_of(crossword: Crossword) -> list[Clue]:
    """A clue for every slot of the grid, in order; text "" where the crossword has none.

    Nothing of the crossword's solution goes into them.
    """
    return [
        _clue(slot.name, slot.length, crossword.clues.get(slot.name, ""), crossword)
        for slot in crossword.grid.slots
    ]


def _clue(name: str, length: int, printed: str, crossword: Crossword) -> Clue:
    text, enumeration = " ".join(printed.split()), ""
    found = _ENUMERATION.search(text)
    if found and sum(map(int, _NUMBER.findall(found[1]))) == length:
        text, enumeration = text[: found.start()], re.sub(r"\s", "", found[1])
    return Clue(
        name, text, length, enumeration, crossword.date, references_in(text, name, crossword)
    )


def references_in(text: str, name: str, crossword: Crossword) -> dict[str, str]:
    """The other slots that a clue names, with their clues."""
    known = {slot.name for slot in crossword.grid.slots} - {name}
    found: dict[str, str] = {}
    for one in _LISTED.finditer(text):
        for number in (one[1], *_NUMBER.findall(one[2])):
            other = f"{int(number)}{one[3][0].upper()}"
            if other in known:
                found[other] = crossword.clues.get(other, "")
    return found
