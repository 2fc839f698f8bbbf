"""The map between variables (1, 2, 3 ...) and what they mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
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
