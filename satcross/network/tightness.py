"""Tightness of a puzzle: the number of candidates of each slot and cell after arc consistency."""

from __future__ import annotations

from satcross.grid import Cell
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.outcome import Heat
from satcross.puzzle import Puzzle


def heat(puzzle: Puzzle) -> Heat:
    """Count the candidates of the puzzle's slots and cells after arc consistency."""
    return heat_of(arc_consistent(puzzle))


def heat_of(candidates: Candidates) -> Heat:
    """Count the candidates of slots and cells that are arc consistent, or infeasible."""
    domains = list(candidates.root.domains)
    grid = candidates.network.puzzle.grid
    wiped_out = None
    if candidates.wiped_out:
        domains[candidates.wiped_out[-1]] = 0
        wiped_out = grid.slots[candidates.wiped_out[-1]].name
    letters: dict[Cell, set[str]] = {}
    for slot, lexicon, domain in zip(grid.slots, candidates.network.lexicons, domains, strict=True):
        for position, cell in enumerate(slot.cells):
            masks = lexicon.masks(position)
            possible = {letter for letter, mask in masks.items() if mask & domain}
            letters[cell] = possible & letters.get(cell, possible)
    return Heat(
        {slot.name: domain.bit_count() for slot, domain in zip(grid.slots, domains, strict=True)},
        {cell: len(possible) for cell, possible in letters.items()},
        wiped_out,
        candidates.lacking,
    )
