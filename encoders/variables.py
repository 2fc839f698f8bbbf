"""The map between variables (1, 2, 3 ...) and what they mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from encoders.instance import Cell


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

    def words(self, slot: int, words: Sequence[str]) -> range:
        """Allocate a variable for each word of a slot."""
        return self._allocate("word", slot, tuple(words))

    def letters(self, cell: Cell, letters: Sequence[str]) -> range:
        """Allocate a variable for each letter of a cell."""
        return self._allocate("letter", cell, tuple(letters))

    def extension(self, slot: int) -> int:
        """Allocate the variable for "a word that this slot has not been given"."""
        return self._allocate("extension", slot, ("more",))[0]

    def levels(self, slot: int, labels: Sequence[str]) -> range:
        """Allocate a variable for each level of weight of a slot's word."""
        return self._allocate("level", slot, tuple(labels))

    def auxiliary(self, label: str, number: int) -> range:
        """Allocate ``number`` variables of a sequential counter."""
        return self._allocate("auxiliary", label, tuple(map(str, range(1, number + 1))))

    def used(self, label: str, words: Sequence[str]) -> range:
        """Allocate a variable for each word, for "some slot takes it"."""
        return self._allocate("used", label, tuple(words))

    def counts(self, label: str, labels: Sequence[str]) -> range:
        """Allocate a variable for each "j of the first i"."""
        return self._allocate("count", label, tuple(labels))

    def meaning(self, variable: int) -> tuple[str, int | Cell | str, str]:
        """Return (kind, key, label) of a variable. Raises IndexError when it is not in use."""
        if not 1 <= variable <= self.count:
            raise IndexError(f"variable {variable} is not in use")
        index = bisect_right(self.blocks, variable, key=lambda block: block.first) - 1
        block = self.blocks[index]
        return block.kind, block.key, block.labels[variable - block.first]

    def _allocate(self, kind: str, key: int | Cell | str, labels: tuple[str, ...]) -> range:
        first = self.count + 1
        if labels:
            self.blocks.append(Block(first, kind, key, labels))
            self.count += len(labels)
        return range(first, self.count + 1)
