"""The problem that every encoding states: one word per slot, crossings agree, no word twice."""

from __future__ import annotations

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
