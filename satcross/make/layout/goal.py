"""What a layout is to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Goal:
    """The least area, or with ``square`` the smallest square around the layout.

    With a ``box`` of rows and columns, the layout lies within it, and may lack words; the words
    that it has are worth as much as possible together. ``values`` has what words are worth, where
    that is not 1.
    """

    box: tuple[int, int] | None = None
    square: bool = False
    values: Mapping[str, float] = field(default_factory=dict)

    def missing(self, words: Sequence[str]) -> float:
        """Return what the words are worth together."""
        return sum(self.values.get(word, 1) for word in words)

    def measure(self, height: int, width: int) -> int:
        """Return the number of cells of the box, or of the square around it.

        Of boxes in the same square, a flat one is better, as it grows least.
        """
        if self.square:
            return max(height, width) ** 2 + min(height, width)
        return height * width
