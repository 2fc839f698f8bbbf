"""Make the clues of a crossword, with enumerations split off and cross-references resolved."""

from __future__ import annotations

import re

from satcross.answer.clue import Clue
from satcross.crossword import Crossword
from satcross.solving.clue_faults import named_slots

_NUMBER = re.compile(r"\d{1,3}")
_ENUMERATION = re.compile(r"\s*\((\d{1,2}(?:\s*[,\-']\s*\d{1,2})*)\)\s*$")


def crossword_clues(crossword: Crossword) -> list[Clue]:
    """Return a clue for every slot of the grid, in order; its text is "" for slots without a clue.

    The solution of the crossword is not used.
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
    """Return slot name -> clue for the other slots that a clue names."""
    known = {slot.name for slot in crossword.grid.slots} - {name}
    return {other: crossword.clues.get(other, "") for other in named_slots(text) if other in known}
