"""What a layout is to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Goal:
    """The least area, or with ``square`` the smallest square around the layout.

    With an ``aspect``, width by height, the smallest box of that aspect around it counts.

    With a ``box`` of rows and columns, the layout lies within it, and may lack words; the words
    that it has are worth as much as possible together. ``values`` has what words are worth, where
    that is not 1.
    """

    box: tuple[int, int] | None = None
    square: bool = False
    values: Mapping[str, float] = field(default_factory=dict)
    aspect: float = 0.0

    @property
    def ratio(self) -> float:
        """The aspect, 1 for a square; 0 where the least area counts."""
        return 1.0 if self.square else self.aspect

    def missing(self, words: Sequence[str]) -> float:
        """Return what the words are worth together."""
        return sum(self.values.get(word, 1) for word in words)

    def measure(self, height: int, width: int) -> int:
        """Return the number of cells of the box, or of the box of the aspect around it.

        Of boxes in the same square, a flat one is better, as it grows least.
        """
        if self.ratio:
            taller = max(height, width / self.ratio)
            return int(taller * taller * self.ratio) + min(height, width)
        return height * width
