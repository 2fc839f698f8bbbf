"""Analysis of an unfinished puzzle: heat, and ranked candidates of a slot."""

from __future__ import annotations

import time
from math import log10

from satcross.drawing.tightness import heat_to_data
from satcross.formats.json import UNKNOWN_LETTER
from satcross.network.arc_consistency import Candidates, arc_consistent, bits, unpropagated
from satcross.network.tightness import heat_of
from satcross.puzzle import Puzzle
from satcross.web.schema import Candidate, CandidateList, SlotState, View

TRY_SECONDS = 0.25
"""Seconds for testing whether candidates, best first, are dead ends."""


def inspect_puzzle(puzzle: Puzzle, slot: str | None, rank: str, max_candidates: int) -> View:
    """Count the candidates of each slot, and rank the candidates of ``slot`` if the grid has it."""
    candidates = arc_consistent(puzzle)
    alone = unpropagated(puzzle)
    grid = puzzle.grid
    heat = heat_of(candidates)
    data = heat_to_data(grid, heat)
    index = None if slot is None else grid.slot_named(slot)
    ranked = None
    if index is not None:
        source = alone if candidates.wiped_out else candidates
        ranked = _ranked_candidates(source, index, rank, max_candidates)
    return View(
        slots=[
            SlotState(
                one.name, one.row, one.column, one.direction, one.length, heat.slots[one.name]
            )
            for one in grid.slots
        ],
        cells=data["cells"],  # type: ignore[arg-type]
        forced=_forced(candidates),
        empty=[
            one.name for one, size in zip(grid.slots, alone.root.sizes, strict=True) if not size
        ],
        wiped_out=heat.wiped_out,
        unlisted=[
            grid.slots[index].name
            for index, word in sorted(puzzle.fixed_words.items())
            if not _is_listed(puzzle, word)
        ],
        candidates=ranked,
    )


def _is_listed(puzzle: Puzzle, word: str) -> bool:
    too_low = puzzle.min_score is not None and puzzle.vocabulary.score(word) < puzzle.min_score
    return word in puzzle.vocabulary and word not in puzzle.excluded and not too_low


def _forced(candidates: Candidates) -> list[str]:
    """Return rows with the letters that arc consistency proves to be in every fill."""
    grid = candidates.network.puzzle.grid
    rows = [["#" if cell == "#" else UNKNOWN_LETTER for cell in row] for row in grid.rows]
    if not candidates.wiped_out:
        for (row, column), letter in candidates.network.letters(candidates.root).items():
            rows[row][column] = letter
    return ["".join(row) for row in rows]


def _ranked_candidates(
    candidates: Candidates, slot: int, rank: str, max_candidates: int
) -> CandidateList:
    network, root = candidates.network, candidates.root
    grid = network.puzzle.grid
    lexicon = network.lexicons[slot]
    tables = []  # one per crossing: position, crossing slot, letter -> number of its words with it
    for crossing, position, _, other, other_masks in network.links[slot]:
        letters = root.letters[crossing]
        counts = {one: (root.domains[other] & other_masks[one]).bit_count() for one in letters}
        tables.append((position, grid.slots[other].name, counts))
    logs = [
        (position, {c: log10(n) for c, n in counts.items() if n}) for position, _, counts in tables
    ]
    rooms: dict[int, float] = {}
    for index in bits(root.domains[slot]):
        word = lexicon.words[index]
        # A letter that leaves no word counts as a thousandth of a word, as log10(0) is infinite.
        rooms[index] = sum(table.get(word[position], -3.0) for position, table in logs)
    scores = lexicon.scores
    if rank == "score":
        order = sorted(rooms, key=lambda one: (-scores[one], -rooms[one]))
    elif rank == "room":
        order = sorted(rooms, key=lambda one: (-rooms[one], -scores[one]))
    else:
        value = _score_and_room(rooms, scores)
        order = sorted(rooms, key=lambda one: -value[one])
    testing_ends = time.monotonic() + TRY_SECONDS
    words = []
    for index in order[:max_candidates]:
        word = lexicon.words[index]
        remaining = [(counts.get(word[position], 0), name) for position, name, counts in tables]
        fewest = min(remaining, default=None)
        dead_end = None
        if time.monotonic() < testing_ends:
            dead_end = _is_dead_end(candidates, slot, index)
        words.append(
            Candidate(
                word,
                scores[index],
                round(rooms[index], 2),
                fewest[1] if fewest else None,
                fewest[0] if fewest else None,
                dead_end,
            )
        )
    return CandidateList(grid.slots[slot].name, len(rooms), words)


def _score_and_room(rooms: dict[int, float], scores: tuple[int, ...]) -> dict[int, float]:
    """Return the sum of score and room, each scaled to 0 to 1 over the candidates of the slot."""
    values = [scores[one] for one in rooms]
    low, high = min(values, default=0), max(values, default=0)
    smallest, largest = min(rooms.values(), default=0.0), max(rooms.values(), default=0.0)
    return {
        one: (scores[one] - low) / ((high - low) or 1)
        + (room - smallest) / ((largest - smallest) or 1.0)
        for one, room in rooms.items()
    }


def _is_dead_end(candidates: Candidates, slot: int, index: int) -> bool:
    state = candidates.root.copy()
    if state.domains[slot] == 1 << index:
        return bool(candidates.wiped_out)
    state.domains[slot], state.sizes[slot] = 1 << index, 1
    return candidates.network.propagate(state, (slot,)) is not None
