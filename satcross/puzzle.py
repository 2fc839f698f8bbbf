"""The puzzle: grid + vocabulary + rules, one immutable question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from satcross.errors import InputError
from satcross.grid import Cell, Grid, Slot
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary, WordGroup


@dataclass(frozen=True, slots=True, eq=False)
class Puzzle:
    """One question: put a word in every slot of the grid so that all crossings agree.

    ``locks`` maps slot names to words that must stand there; a locked word is legal even when the
    vocabulary lacks it, and so is the word of a slot whose cells all carry given letters.
    ``min_score`` and ``excluded`` narrow the vocabulary for the other slots. All words must differ
    unless ``allow_repeats``.

    Puzzles are equal only to themselves. Raises InputError when the locks are contradictory by
    themselves.
    """

    grid: Grid
    vocabulary: Vocabulary
    locks: Mapping[str, str] = field(default_factory=dict)
    min_score: int | None = None
    excluded: frozenset[str] = frozenset()
    allow_repeats: bool = False
    fixed_words: Mapping[int, str] = field(init=False, repr=False, compare=False)
    fixed_letters: Mapping[Cell, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        words = _fixed_words(self.grid, self.locks)
        locks = {name.upper(): word for name, word in self.locks.items()}
        object.__setattr__(self, "locks", MappingProxyType(locks))
        object.__setattr__(self, "excluded", frozenset(self.excluded))
        object.__setattr__(self, "fixed_words", MappingProxyType(words))
        object.__setattr__(
            self, "fixed_letters", MappingProxyType(_fixed_letters(self.grid, words))
        )
        if not self.allow_repeats:
            _check_fixed_words_differ(self.grid, words)

    def __reduce__(self) -> tuple[object, ...]:
        # A mappingproxy can't be pickled; a puzzle must be, to reach another process.
        return (
            Puzzle,
            (
                self.grid,
                self.vocabulary,
                dict(self.locks),
                self.min_score,
                self.excluded,
                self.allow_repeats,
            ),
        )

    def allowed(self, length: int) -> int:
        """The bitset, over ``vocabulary.group(length)``, of the words the rules leave."""
        group = self.vocabulary.group(length)
        bits = group.everything if self.min_score is None else group.at_least(self.min_score)
        if self.excluded:
            for index, word in enumerate(group.words):
                if word in self.excluded:
                    bits &= ~(1 << index)
        return bits

    def lexicon(self, length: int) -> WordGroup:
        """The vocabulary's words of that length, followed by locked words it lacks."""
        group = self.vocabulary.group(length)
        extra = {
            word: None
            for word in self.fixed_words.values()
            if len(word) == length and word not in self.vocabulary
        }
        if not extra:
            return group
        scores = group.scores + (DEFAULT_SCORE,) * len(extra)
        return WordGroup(length, group.words + tuple(extra), scores)


def _fixed_words(grid: Grid, locks: Mapping[str, str]) -> dict[int, str]:
    words: dict[int, str] = {}
    for index, slot in enumerate(grid.slots):
        letters = [grid.given(cell) for cell in slot.cells]
        if None not in letters:
            words[index] = "".join(filter(None, letters))
    for name, word in locks.items():
        found = grid.slot_named(name)
        if found is None:
            names = ", ".join(slot.name for slot in grid.slots)
            raise InputError(f"lock {name}={word}: the grid has no slot {name}", f"it has {names}")
        slot = grid.slots[found]
        if len(word) != slot.length:
            raise InputError(
                f"lock {name}={word}: {slot.name} takes {slot.length} letters, not {len(word)}",
                "lock a word of that length",
            )
        for cell, letter in zip(slot.cells, word, strict=True):
            given = grid.given(cell)
            if given is not None and given != letter:
                raise InputError(
                    f"lock {name}={word} contradicts the letter {given} given at {_place(cell)}",
                    "drop one of the two",
                )
        if words.setdefault(found, word) != word:
            raise InputError(
                f"{slot.name} is locked twice, as {words[found]} and as {word}", "drop one"
            )
    return words


def _fixed_letters(grid: Grid, words: Mapping[int, str]) -> dict[Cell, str]:
    letters: dict[Cell, str] = {}
    source: dict[Cell, Slot] = {}
    for slot in grid.slots:
        for cell in slot.cells:
            given = grid.given(cell)
            if given is not None:
                letters[cell] = given
    for index, word in words.items():
        slot = grid.slots[index]
        for cell, letter in zip(slot.cells, word, strict=True):
            if letters.setdefault(cell, letter) != letter:
                other = source[cell].name
                raise InputError(
                    f"the locks of {other} and {slot.name} contradict each other: "
                    f"{letters[cell]} and {letter} at {_place(cell)}",
                    "drop one of the two",
                )
            source[cell] = slot
    return letters


def _check_fixed_words_differ(grid: Grid, words: Mapping[int, str]) -> None:
    first: dict[str, str] = {}
    for index, word in words.items():
        name = grid.slots[index].name
        if word in first:
            raise InputError(
                f"{first[word]} and {name} are both locked to {word}, and a word may stand only "
                "once",
                "change one of the two (locks or given letters), or allow repeats",
            )
        first[word] = name


def _place(cell: Cell) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"
