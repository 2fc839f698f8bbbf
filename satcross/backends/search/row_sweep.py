"""Fill a dense grid row by row: the search for open rectangles.

The slots of one direction are filled in reading order, so that the letters in a slot of the other
direction are always a prefix of its word. For each prefix, the letters that can follow are computed
once and cached (a trie, built as needed); the words that fit a slot then take one AND per crossing.
A step costs about a hundredth of maintaining arc consistency, which is worth it if every cell is
checked and contradictions appear within a few rows. The sweep is complete, but in a grid with many
slots it is far slower than a search that chooses the next slot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from satcross.grid import ACROSS, BLOCKED, DOWN, Cell, Slot
from satcross.network.arc_consistency import Candidates, bits
from satcross.outcome import Status
from satcross.run_settings import Deadline
from satcross.vocabulary import Masks, WordGroup

_CLOCK_EVERY = 1 << 12
MOST_STEPS = 16
"""Largest number of slots in the sweeping direction for which a sweep is worth trying."""


@dataclass(slots=True)
class Beginning:
    """The words of a crossing slot that begin with certain letters; one node of a trie."""

    domain: int
    group: WordGroup
    depth: int
    children: dict[str, Beginning] = field(default_factory=dict)
    fitting: dict[int, int] = field(default_factory=dict)
    """Key of a step's position -> bitset of the step's words with a letter that can follow."""

    def child(self, letter: str) -> Beginning:
        domain = self.domain & self.group.masks(self.depth)[letter]
        node = self.children[letter] = Beginning(domain, self.group, self.depth + 1)
        return node

    def fit(self, key: int, masks: Masks) -> int:
        fitting = 0
        for letter, own in self.group.masks(self.depth).items():
            if self.domain & own:
                fitting |= masks.get(letter, 0)
        self.fitting[key] = fitting
        return fitting


@dataclass(frozen=True, slots=True)
class Step:
    """A slot to fill, or a cell that lies in no slot of the sweeping direction."""

    slot: int | None
    words: tuple[str, ...]
    domain: int
    ends: tuple[tuple[int, int, int, Masks], ...]
    """Per crossing: position, the crossing slot's number, a key for ``fitting``, own masks."""


class RowSteps:
    """The state of a sweep: the words placed, the words still to try at each step, beginnings."""

    def __init__(self, candidates: Candidates) -> None:
        self._word_rules = candidates.network.word_rules
        self._steps, self._crossing = plan(candidates)
        self._iterators: list[Iterator[int]] = []
        self._nodes: list[list[Beginning]] = [roots(candidates, self._crossing)]
        self._current: list[int] = []
        self.nodes = 0

    def _go_back(self) -> bool:
        """Go back to the step before; False at the first step, where the sweep is complete."""
        self._iterators.pop()
        if not self._iterators:
            return False
        self._nodes.pop()
        self._current.pop()
        return True

    def _descend(self, index: int, nodes: list[Beginning], following: int) -> None:
        """Keep a placed word, and go on to the next step with the words that fit there."""
        self._current.append(index)
        self._nodes.append(nodes)
        self._iterators.append(bits(following))

    def _fill(self, last: int, nodes: list[Beginning]) -> tuple[str, ...]:
        """Return the words of a whole fill, in the order of the grid's slots."""
        words: dict[int, str] = {}
        for step, index in zip(self._steps, [*self._current, last], strict=True):
            if step.slot is not None:
                words[step.slot] = step.words[index]
        for slot, node in zip(self._crossing, nodes, strict=True):
            words[slot] = node.group.words[node.domain.bit_length() - 1]
        return tuple(words[slot] for slot in range(len(words)))


class Sweep(RowSteps):
    """A sweep over a puzzle's candidates; ``run`` may be called again to continue."""

    def __init__(self, candidates: Candidates) -> None:
        super().__init__(candidates)
        self._mirrored = is_its_own_mirror(candidates)
        self.words: tuple[str, ...] | None = None

    @staticmethod
    def suits(candidates: Candidates) -> bool:
        """Return whether the grid is dense and small enough for a sweep to be worth trying.

        Never with rebus cells: there two slots cross in several letters, of which each restricts
        the next, while a step looks at the letters before it only.
        """
        grid = candidates.network.puzzle.grid
        if grid.rebus:
            return False
        across = sum(slot.direction == ACROSS for slot in grid.slots)
        opened = sum(cell != BLOCKED for row in grid.rows for cell in row)
        return len(grid.crossings) == opened and min(across, len(grid.slots) - across) <= MOST_STEPS

    def run(self, deadline: Deadline, max_nodes: int) -> Status:
        """Sweep until an answer, the deadline, or ``max_nodes`` more words have been placed.

        Sets ``words`` when FILLED.
        """
        last = self.nodes + max_nodes
        iterators, steps, levels = self._iterators, self._steps, self._nodes
        if not iterators:
            iterators.append(bits(fit(steps[0], levels[0])))
        while self.nodes < last:
            if self.nodes % _CLOCK_EVERY == 0 and deadline.passed:
                return Status.UNKNOWN
            level = len(iterators) - 1
            index = next(iterators[level], None)
            if index is None:
                if self._go_back():
                    continue
                return Status.UNFILLABLE
            self.nodes += 1
            word = steps[level].words[index]
            nodes = extend(steps[level], word, levels[level])
            if level + 1 < len(steps):
                following = fit(steps[level + 1], nodes)
                if level == 0 and self._mirrored:
                    following &= not_before(steps[1], word[1])
                if following:
                    self._descend(index, nodes, following)
            else:
                words = self._fill(index, nodes)
                if self._word_rules.holds(words):
                    self.words = words
                    return Status.FILLED
        return Status.UNKNOWN


def extend(step: Step, word: str, nodes: list[Beginning]) -> list[Beginning]:
    """Return the beginnings of the crossing slots once a word is placed at a step."""
    nodes = nodes[:]
    for position, crossing, _, _ in step.ends:
        letter = word[position]
        node = nodes[crossing]
        nodes[crossing] = node.children.get(letter) or node.child(letter)
    return nodes


def fit(step: Step, nodes: list[Beginning]) -> int:
    """Return the words of a step that fit the beginnings of the crossing slots, as a bitset."""
    fitting = step.domain
    for _, crossing, key, masks in step.ends:
        node = nodes[crossing]
        own = node.fitting.get(key)
        fitting &= node.fit(key, masks) if own is None else own
        if not fitting:
            return 0
    return fitting


def not_before(second: Step, letter: str) -> int:
    """Return the words of the second step that begin with ``letter`` or a later one, as a bitset.

    Mirroring a fill of a square at the diagonal gives another fill, so only those have to be
    searched whose first row is not after their first column in the second letter.
    """
    masks = second.ends[0][3]
    return sum(mask for first, mask in masks.items() if first >= letter)


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


def plan(candidates: Candidates) -> tuple[list[Step], list[int]]:
    """Return the steps, in the direction of the longer words, and the crossing slots."""
    grid = candidates.network.puzzle.grid
    along = {
        direction: [i for i, slot in enumerate(grid.slots) if slot.direction == direction]
        for direction in (ACROSS, DOWN)
    }
    direction = min((ACROSS, DOWN), key=lambda one: len(along[one]))
    crossing = along[DOWN if direction == ACROSS else ACROSS]
    number_at: dict[Cell, int] = {
        cell: number for number, slot in enumerate(crossing) for cell in grid.slots[slot].cells
    }
    loose = set(number_at)
    steps: list[tuple[Cell, Step]] = []
    keys: dict[tuple[int, int], int] = {}

    def add(slot: int | None, group: WordGroup, domain: int, cells: tuple[Cell, ...]) -> None:
        ends = tuple(
            (
                position,
                number_at[cell],
                keys.setdefault((id(group), position), len(keys)),
                group.masks(position),
            )
            for position, cell in enumerate(cells)
            if cell in number_at
        )
        row, column = cells[0]
        place = (row, column) if direction == ACROSS else (column, row)
        steps.append((place, Step(slot, group.words, domain, ends)))

    for slot in along[direction]:
        cells = grid.slots[slot].cells
        loose.difference_update(cells)
        add(slot, candidates.network.lexicons[slot], candidates.root.domains[slot], cells)
    if loose:
        puzzle = candidates.network.puzzle
        known = {letter for word in (*puzzle.vocabulary, *puzzle.theme) for letter in word}
        letters = sorted(known.union(puzzle.fixed_letters.values()))
        single = WordGroup(1, letters, [0] * len(letters))
        for cell in loose:
            add(None, single, single.everything, (cell,))
    steps.sort(key=lambda pair: pair[0])
    return [step for _, step in steps], crossing


def roots(candidates: Candidates, crossing: list[int]) -> list[Beginning]:
    shared: dict[tuple[int, int], Beginning] = {}
    roots = []
    for slot in crossing:
        domain, group = candidates.root.domains[slot], candidates.network.lexicons[slot]
        roots.append(shared.setdefault((group.length, domain), Beginning(domain, group, 0)))
    return roots
