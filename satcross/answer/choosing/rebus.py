"""Rebus cells: several letters in one cell, where the answers that clues ask for don't fit.

For doubtful slots, the database of old clues is asked for answers that are longer than the slot.
Two of them may stand if their slots cross and the letters in the shared cell are the same. These
become a single letter (``support.letters``), so that such words are chosen as all others are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest

from satcross.answer.clue import Clue, Proposal
from satcross.grid import Cell, Grid
from satcross.support.letters import one_letter

AskLonger = Callable[[Clue, int], Iterable[Proposal]]
"""Returns proposals for a clue that have a number of letters."""

_MAX_MORE = 4
"""Letters that an answer may have more than its slot has cells."""
_TRIED = 5
_MIN_SCORE = -4.0
"""Log-probability below which an answer is not tried."""


def rebus_words(
    grid: Grid,
    clues: Sequence[Clue],
    slots: Iterable[int],
    longer: AskLonger,
    only: frozenset[str] = frozenset(),
) -> dict[int, dict[str, float]]:
    """Return slot -> word with a rebus cell -> its log-probability, for some slots.

    With ``only``, the cell has one of these letters, since a puzzle mostly repeats its rebus.
    """
    found: defaultdict[tuple[Cell, str], dict[int, tuple[str, float]]] = defaultdict(dict)
    for slot in slots:
        clue, cells = clues[slot], grid.slots[slot].cells
        for more in range(1, _MAX_MORE + 1) if clue.text else ():
            proposals = longer(clue, clue.length + more)
            for proposal in nlargest(_TRIED, proposals, key=lambda proposal: proposal.score):
                word, score = proposal.word, proposal.score
                for at, cell in enumerate(cells) if score >= _MIN_SCORE else ():
                    letter = one_letter(word[at : at + more + 1])
                    if grid.given(cell) is None and (letter in only or not only):
                        squeezed = word[:at] + letter + word[at + more + 1 :]
                        found[cell, letter].setdefault(slot, (squeezed, score))
    words: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for crossing in found.values():
        for slot, (word, score) in crossing.items() if len(crossing) == 2 else ():
            words[slot][word] = score
    return words
