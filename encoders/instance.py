"""What every encoding states, one word per slot that agrees with all others, and its variables."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Cell = tuple[int, int]


def no_pause() -> None:
    """Do nothing: the default for ``pause``, which may raise an exception to end the encoding."""


@dataclass(frozen=True, slots=True)
class ConflictGroup:
    """At most one of ``words`` may be used, and none of them together with an ``exempt`` word.

    Exempt words may be used side by side. ``label`` says what the words have in common.
    """

    label: str
    words: tuple[str, ...]
    exempt: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least ``minimum`` (one or more) of these different words must be used."""

    words: tuple[str, ...]
    minimum: int


@dataclass(frozen=True, slots=True)
class Instance:
    """One word per slot, crossings agree, and no word twice unless ``allow_repeats``.

    ``slots`` has the cells of each slot, in order; ``candidates`` the different words that each
    slot may take, all as long as the slot. ``conflict_groups`` and ``at_least`` are rules about
    which words may or must be used. With ``distinct_letters`` no two cells have the same letter, as
    in a codeword, whose cells are its numbers; the support encoding and CP-SAT state it. Raises
    ValueError when a word does not fit its slot.
    """

    slots: tuple[tuple[Cell, ...], ...]
    candidates: tuple[tuple[str, ...], ...]
    allow_repeats: bool = False
    conflict_groups: tuple[ConflictGroup, ...] = ()
    at_least: AtLeast | None = None
    distinct_letters: bool = False
    checked: frozenset[Cell] = field(init=False, compare=False)
    """The cells that lie in more than one slot; all cells where letters are distinct."""

    def __post_init__(self) -> None:
        for cells, words in zip(self.slots, self.candidates, strict=True):
            for word in words:
                if len(word) != len(cells):
                    raise ValueError(f"{word!r} does not fit a slot of {len(cells)} cells")
        everywhere = frozenset(cell for cells in self.slots for cell in cells)
        checked = everywhere if self.distinct_letters else checked_cells(self.slots)
        object.__setattr__(self, "checked", checked)

    def letters(self, pause: Callable[[], None] = no_pause) -> dict[Cell, list[str]]:
        """Return, for every checked cell in order, the letters of its candidates there, sorted.

        ``pause`` is called before each slot.
        """
        possible: dict[Cell, set[str]] = {cell: set() for cell in sorted(self.checked)}
        for cells, words in zip(self.slots, self.candidates, strict=True):
            pause()
            for position, cell in enumerate(cells):
                if cell in possible:
                    possible[cell].update(word[position] for word in words)
        return {cell: sorted(letters) for cell, letters in possible.items()}

    def sharing(self, letters: Mapping[Cell, Mapping[str, int]]) -> Iterable[list[int]]:
        """Return, for each letter, its variables in all cells, of which at most one is true.

        ``letters`` has the variables of each cell. Nothing unless ``distinct_letters``.
        """
        users: defaultdict[str, list[int]] = defaultdict(list)
        for variables in letters.values() if self.distinct_letters else ():
            for letter, variable in variables.items():
                users[letter].append(variable)
        return users.values()


@dataclass(frozen=True, slots=True)
class Block:
    """A run of variables of one kind: ``first`` means ``labels[0]``, ``first + 1`` the next.

    | kind        | key                        | a label is                                        |
    |-------------|----------------------------|---------------------------------------------------|
    | "word"      | slot                       | the slot's word                                   |
    | "letter"    | cell                       | the cell's letter                                 |
    | "extension" | slot                       | "more": a word that the slot has not been given   |
    | "level"     | slot                       | a lower bound on the weight of the slot's word    |
    | "auxiliary" | what is counted            | i: one of the first i counted sets has a true one |
    | "used"      | what the words are         | a word that some slot takes                       |
    | "count"     | what is counted            | "j of the first i"                                |
    | "code"      | the choice                 | a bit, bound, row, column or prefix of it         |
    """

    first: int
    kind: str
    key: int | Cell | str
    labels: tuple[str, ...]


class VariableMap:
    """Allocate variables in order, and remember what each of them means."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.count = 0

    def meaning(self, variable: int) -> tuple[str, int | Cell | str, str]:
        """Return (kind, key, label) of a variable. Raises IndexError when it is not in use."""
        if not 1 <= variable <= self.count:
            raise IndexError(f"variable {variable} is not in use")
        index = bisect_right(self.blocks, variable, key=lambda block: block.first) - 1
        block = self.blocks[index]
        return block.kind, block.key, block.labels[variable - block.first]

    def allocate(self, kind: str, key: int | Cell | str, labels: Iterable[str]) -> range:
        """Allocate a variable for each label; the kinds and their keys are those of ``Block``."""
        labels = tuple(labels)
        first = self.count + 1
        if labels:
            self.blocks.append(Block(first, kind, key, labels))
            self.count += len(labels)
        return range(first, self.count + 1)


def checked_cells(slots: Sequence[Sequence[Cell]]) -> frozenset[Cell]:
    """Return the cells that lie in more than one slot."""
    slots_of = Counter(cell for cells in slots for cell in cells)
    return frozenset(cell for cell, number in slots_of.items() if number > 1)


def users_of_words(slots: Iterable[Mapping[str, int]]) -> dict[str, list[int]]:
    """Return, for each word, its variables in all slots that may take it."""
    users: defaultdict[str, list[int]] = defaultdict(list)
    for words in slots:
        for word, variable in words.items():
            users[word].append(variable)
    return users


def crossings(slots: Sequence[Sequence[Cell]]) -> list[tuple[int, int, int, int]]:
    """Return (slot, position, other slot, other position) of every cell that two slots share."""
    seen: dict[Cell, tuple[int, int]] = {}
    found = []
    for slot, cells in enumerate(slots):
        for position, cell in enumerate(cells):
            if cell in seen:
                found.append((*seen[cell], slot, position))
            else:
                seen[cell] = (slot, position)
    return found
