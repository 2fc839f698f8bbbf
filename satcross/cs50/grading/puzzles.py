"""Hard puzzles for the grader: grids as text, and words from a small generator.

The words, such as BANOLI, alternate consonants and vowels. With them, every crossing has a chance,
so that a wrong choice shows only later, and a search which draws no consequences wanders off. The
generator is our own, so that the puzzles are the same under every version of Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TypeVar

from .data import DATA

Item = TypeVar("Item")

CONSONANTS = "TNRSLDCMPBGHKFVWZJ"
VOWELS = "EAIOUY"


class Dice:
    """A linear congruential generator (Knuth's MMIX constants)."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % limit

    def pick(self, letters: str) -> str:
        """Return one of the letters; earlier letters are more likely."""
        return letters[min(self.below(len(letters)), self.below(len(letters)))]

    def shuffled(self, items: list[Item]) -> list[Item]:
        """Return the items in random order; all orders are equally likely."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


@dataclass(frozen=True, slots=True)
class Hard:
    """A puzzle with ``count`` words: ``planted`` with those of a fill, and else without any."""

    name: str
    title: str
    rows: tuple[str, ...]
    seed: int
    count: int
    planted: bool

    @property
    def description(self) -> str:
        """What the graded program does when it passes."""
        return f"{self.title} from {self.count:,} words"

    def words(self) -> list[str]:
        """Return ``count`` different words of the lengths of the grid's slots."""
        dice = Dice(self.seed)
        slots = list(runs(self.rows))
        words: dict[str, None] = {}
        if self.planted:
            cells = sorted({cell for run in slots for cell in run})
            letters = {cell: dice.pick(VOWELS if sum(cell) % 2 else CONSONANTS) for cell in cells}
            words.update(dict.fromkeys("".join(letters[cell] for cell in run) for run in slots))
        for run in cycle(slots):
            if len(words) == self.count:
                break
            first = dice.below(2)
            spelled = (dice.pick((CONSONANTS, VOWELS)[(first + k) % 2]) for k in range(len(run)))
            words["".join(spelled)] = None
        return sorted(words)


def runs(rows: Sequence[str]) -> Iterator[list[tuple[int, int]]]:
    """Return the cells of all slots."""
    lines = [[(i, j) for j in range(len(rows[0]))] for i in range(len(rows))]
    lines += [[(i, j) for i in range(len(rows))] for j in range(len(rows[0]))]
    for line in lines:
        run: list[tuple[int, int]] = []
        for i, j in [*line, (-1, -1)]:
            if i >= 0 and rows[i][j] == "_":
                run.append((i, j))
                continue
            if len(run) > 1:
                yield run
            run = []


HARD = tuple(Hard(**{**entry, "rows": tuple(entry["rows"])}) for entry in DATA["hard"])
