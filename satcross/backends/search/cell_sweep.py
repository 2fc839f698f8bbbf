"""Fill a dense grid, or count its fills, letter by letter in compiled code.

Each slot has a trie of its candidates. Cells are visited row by row (column by column where columns
are longer), and a cell gets, in turn, each letter that continues the words of both its slots, which
takes one AND: 20 to 60 million of these steps take a second. A sweep is worth it if every cell is
checked and contradictions appear within a few rows; in a grid with many slots it is far slower than
a search that chooses the next slot. Where the last slots have far fewer candidates than the first
ones, the sweep goes backwards, and so do the words. In a full square, where mirroring a fill at the
diagonal gives another one, only half of the fills are searched.

A sweep has no heuristics for words, so that fills are as rare along its way as they are anywhere.
Among the words that make up, say, half of each slot's share, they are far less rare: an open 7x7
grid with 42,562 words took 550 to more than 3,000 million letters before, and 74 to 236 million
after the estimate had left out 45 % of each share. The estimate of the number of fills says how
much can be left out so that some remain, and whether it is worth trying at all.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, chain
from random import Random
from typing import Any

from satcross.backends.search.narrowed import NarrowedSearch
from satcross.grid import ACROSS, DOWN, Cell, Slot
from satcross.network.arc_consistency import Candidates, bits
from satcross.network.belief_propagation import Marginals
from satcross.outcome import Status
from satcross.run_settings import Deadline
from satcross.vocabulary import WordGroup

_LETTERS_A_CALL = 100_000
"""Letters tried between two checks of the deadline: a few milliseconds."""

_NO_LIMIT = 2**63 - 1
_FILLED, _EXHAUSTED = 1, 2
"""What ``Sweep.run`` returns if it is not 0."""

WANTED = 1.0
"""The first narrowed puzzle is about the smallest with e to this power fills, by the estimate."""

_STEP = 2.0
"""How much more is wanted of the next one, if a narrowed puzzle has no fill after all."""

_LEFT_OUT = tuple(step / 20 for step in range(16, 0, -1))
"""The shares that may be left out of each slot."""


class CellSweep:
    """A sweep over a puzzle's candidates; ``run`` and ``count_on`` may be called again to continue.

    ``seed`` determines the order of letters.
    """

    def __init__(self, candidates: Candidates, seed: int = 0) -> None:
        from satcross.engine.cells import Sweep

        self._candidates = candidates
        alphabet = sorted({letter for here in candidates.root.letters for letter in here})
        Random(seed).shuffle(alphabet)
        self._alphabet = alphabet
        cells = _cells_in_order(candidates)
        step = -1 if _is_tighter_at_the_end(candidates, cells) else 1
        self._cells = cells[::step]
        tries, trie = _tries(candidates, alphabet, step)
        found = {**_slots(candidates, self._cells, step), "tries": tries, "trie": trie}
        self._sweep = Sweep(found)
        self.words: tuple[str, ...] | None = None

    @property
    def nodes(self) -> int:
        """Number of letters tried."""
        return self._sweep.tried

    @property
    def count(self) -> int:
        """Number of fills found so far."""
        return self._sweep.count

    def run(self, deadline: Deadline, max_nodes: int) -> Status:
        """Sweep until an answer, the deadline, or ``max_nodes`` more letters.

        Sets ``words`` when FILLED.
        """
        status = self._advance(deadline, max_nodes, 1)
        if status is Status.FILLED:
            self.words = self._read()
        return status

    def count_on(self, deadline: Deadline, max_nodes: int, enough: int | None = None) -> bool:
        """Count on; return whether all fills are counted.

        Counting stops at the deadline, after ``max_nodes`` more letters, or at ``enough`` fills.
        """
        limit = _NO_LIMIT if enough is None else enough
        return self._advance(deadline, max_nodes, limit) is Status.UNFILLABLE

    def _advance(self, deadline: Deadline, max_nodes: int, limit: int) -> Status:
        last = self.nodes + max_nodes
        while self.nodes < last and not deadline.passed:
            result = self._sweep.run(min(_LETTERS_A_CALL, last - self.nodes), limit)
            if result == _EXHAUSTED:
                return Status.UNFILLABLE
            if result == _FILLED:
                return Status.FILLED
        return Status.UNKNOWN

    def _read(self) -> tuple[str, ...]:
        numbers = zip(self._cells, self._sweep.letters(), strict=True)
        letters = {cell: self._alphabet[number] for cell, number in numbers}
        slots = self._candidates.network.puzzle.grid.slots
        return tuple("".join(letters[cell] for cell in slot.cells) for slot in slots)


def _slots(candidates: Candidates, cells: list[Cell], step: int) -> dict[str, Any]:
    """Return the slots of each cell, the cells before it, and which words it must not repeat."""
    grid = candidates.network.puzzle.grid
    number_of = {cell: number for number, cell in enumerate(cells)}
    slot_at: dict[str, list[int]] = {kind: [-1] * len(cells) for kind in (ACROSS, DOWN)}
    before: dict[str, list[int]] = {kind: [-1] * len(cells) for kind in (ACROSS, DOWN)}
    ends: dict[str, list[bool]] = {kind: [False] * len(cells) for kind in (ACROSS, DOWN)}
    end_of: list[tuple[int, int]] = []
    for index, slot in enumerate(grid.slots):
        numbers = [number_of[cell] for cell in slot.cells[::step]]
        for number, earlier in zip(numbers, [-1, *numbers], strict=False):
            slot_at[slot.direction][number] = index
            before[slot.direction][number] = earlier
        ends[slot.direction][numbers[-1]] = True
        # Where both slots of a cell end, the across slot is visited first.
        end_of.append((numbers[-1], slot.direction == DOWN))
    peers: dict[str, list[list[int]]] = {kind: [[] for _ in cells] for kind in (ACROSS, DOWN)}
    for index, slot in enumerate(grid.slots):
        peers[slot.direction][end_of[index][0]] = [
            peer for peer in candidates.network.peers[index] if end_of[peer] < end_of[index]
        ]
    first, second = -1, -1
    if is_its_own_mirror(candidates) and grid.height > 1:
        corner = 0 if step > 0 else grid.height - 1
        first, second = sorted((number_of[corner, corner + step], number_of[corner + step, corner]))
    found: dict[str, Any] = {"first_mirrored": first, "second_mirrored": second}
    for kind, name in ((ACROSS, "across"), (DOWN, "down")):
        found[name], found[f"before_{name}"] = slot_at[kind], before[kind]
        found[f"ends_{name}"] = ends[kind]
        found[f"{name}_peer_start"] = [0, *accumulate(map(len, peers[kind]))]
        found[f"{name}_peers"] = list(chain.from_iterable(peers[kind]))
    return found


def _cells_in_order(candidates: Candidates) -> list[Cell]:
    """Return the open cells in the direction that has fewer slots."""
    slots = candidates.network.puzzle.grid.slots
    cells = {cell for slot in slots for cell in slot.cells}
    across = sum(slot.direction == ACROSS for slot in slots)
    if across <= len(slots) - across:
        return sorted(cells)
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))


def _is_tighter_at_the_end(candidates: Candidates, cells: list[Cell]) -> bool:
    """Return whether the last cell's slots have fewer than half as many candidates as the first's.

    A sweep from there, backwards, then tries fewer letters. Where the slots have about as many, it
    tries more, since the ends of English words are more alike than their beginnings.
    """
    first, last = (
        sum(
            size
            for slot, size in zip(
                candidates.network.puzzle.grid.slots, candidates.root.sizes, strict=True
            )
            if cell in slot.cells
        )
        for cell in (cells[0], cells[-1])
    )
    return last < first / 2


def is_its_own_mirror(candidates: Candidates) -> bool:
    """Return whether the grid is a full square with equal candidates for rows and columns."""
    grid, root = candidates.network.puzzle.grid, candidates.root
    # Every cell open: the cut compares the cells beside the corner, so it needs the corner, too.
    if grid.height != grid.width or len(grid.crossings) != grid.height**2:
        return False

    def place(slot: Slot) -> Cell:
        return slot.cells[0] if slot.direction == ACROSS else slot.cells[0][::-1]

    words: dict[Cell, set[tuple[str, int]]] = {}
    for slot, lexicon, domain in zip(
        grid.slots, candidates.network.lexicons, root.domains, strict=True
    ):
        words.setdefault(place(slot), set()).add((lexicon.text, domain))
    return len(words) == grid.height and all(len(same) == 1 for same in words.values())


def _tries(
    candidates: Candidates, alphabet: list[str], step: int
) -> tuple[list[tuple[list[str], list[int]]], list[int]]:
    """Return the words and their numbers of each trie, in order, and the trie of each slot.

    Slots with the same candidates share a trie. A letter is the character with its number in the
    alphabet. A word has the same number in all tries of its length. With a ``step`` of -1, words
    are read backwards.
    """
    network, code = candidates.network, {ord(item): number for number, item in enumerate(alphabet)}
    numbers: dict[int, dict[str, int]] = {}
    known: dict[tuple[WordGroup, int], int] = {}
    tries: list[tuple[list[str], list[int]]] = []
    of_slots = []
    for lexicon, domain in zip(network.lexicons, candidates.root.domains, strict=True):
        key = (lexicon, domain)
        if key not in known:
            known[key] = len(tries)
            number = numbers.setdefault(lexicon.length, {})
            words = [lexicon.word(index) for index in bits(domain)]
            coded = "\n".join(words).translate({**code, 10: 127})[::step].split("\x7f")[::step]
            ids = [number.setdefault(word, len(number)) for word in words]
            both = sorted(zip(coded, ids, strict=True))
            tries.append(([word for word, _ in both], [item for _, item in both]))
        of_slots.append(known[key])
    return tries, of_slots


class NarrowedSweep(NarrowedSearch):
    """Sweeps of narrowed puzzles, from the smallest on; ``nodes`` are letters tried."""

    def __init__(self, candidates: Candidates, seed: int, deadline: Deadline) -> None:
        self._seed = seed
        self._marginals = Marginals(candidates, deadline)
        self._whole = self._marginals.log_fills()
        self._wanted, self._first = WANTED, 0
        self._widen(deadline)

    def _widen(self, deadline: Deadline) -> None:
        super()._widen(deadline)
        if self._whole < self._wanted or deadline.passed:
            return
        narrowed: dict[float, Candidates | None] = {}

        def has_enough(left_out: float) -> bool:
            if deadline.passed:
                return False
            narrowed[left_out] = found = self._marginals.narrowed(left_out)
            if found is None or deadline.passed:
                return False
            return Marginals(found, deadline).log_fills() >= self._wanted

        place = bisect_left(_LEFT_OUT, True, lo=self._first, key=has_enough)
        if place == len(_LEFT_OUT) or deadline.passed:
            return
        self._wanted, self._first = self._wanted + _STEP, place + 1
        chosen = narrowed[_LEFT_OUT[place]]
        assert chosen is not None
        self._search = CellSweep(chosen, self._seed)
