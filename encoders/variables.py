"""The map between variables (1, 2, 3 ...) and what they mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from encoders.instance import Cell


@dataclass(frozen=True, slots=True)
class Block:
    """A run of variables of one kind: ``first`` means ``labels[0]`` and so on.

    ``kind`` is "word" (``key``: slot; labels: words), "letter" (``key``: cell; labels: letters),
    "extension" (``key``: slot), "level" (``key``: slot; labels: what its word is worth at least),
    "auxiliary" (``key``: the word, or what words have in common, that they count: somewhere among
    the first so many), "used" (``key``: what words are; labels: words) or "count" (``key``: what is
    counted; labels: how many among how many).
    """

    first: int
    kind: str
    key: int | Cell | str
    labels: tuple[str, ...]


class VariableMap:
    """Hands out variables in order and remembers what each means."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.count = 0

    def words(self, slot: int, words: Sequence[str]) -> range:
        return self._add("word", slot, tuple(words))

    def letters(self, cell: Cell, letters: Sequence[str]) -> range:
        return self._add("letter", cell, tuple(letters))

    def extension(self, slot: int) -> int:
        return self._add("extension", slot, ("more",))[0]

    def levels(self, slot: int, labels: Sequence[str]) -> range:
        return self._add("level", slot, tuple(labels))

    def auxiliary(self, word: str, number: int) -> range:
        return self._add("auxiliary", word, tuple(map(str, range(1, number + 1))))

    def used(self, what: str, words: Sequence[str]) -> range:
        return self._add("used", what, tuple(words))

    def counts(self, what: str, labels: Sequence[str]) -> range:
        return self._add("count", what, tuple(labels))

    def meaning(self, variable: int) -> tuple[str, int | Cell | str, str]:
        """(kind, key, label) of a variable. Raises IndexError when it has none."""
        if not 1 <= variable <= self.count:
            raise IndexError(f"variable {variable} is not in use")
        place = bisect_right(self.blocks, variable, key=lambda block: block.first) - 1
        block = self.blocks[place]
        return block.kind, block.key, block.labels[variable - block.first]

    def _add(self, kind: str, key: int | Cell | str, labels: tuple[str, ...]) -> range:
        first = self.count + 1
        if labels:
            self.blocks.append(Block(first, kind, key, labels))
            self.count += len(labels)
        return range(first, self.count + 1)
