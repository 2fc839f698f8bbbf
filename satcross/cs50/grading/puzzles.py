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
    """A puzzle with ``count`` words. If ``planted``, they include those of a fill."""

    name: str
    title: str
    rows: tuple[str, ...]
    seed: int
    count: int
    planted: bool
    fillable: bool

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
            letters = {
                cell: dice.pick(VOWELS if sum(cell) % 2 else CONSONANTS)
                for cell in sorted({cell for run in slots for cell in run})
            }
            words.update(dict.fromkeys("".join(letters[cell] for cell in run) for run in slots))
        for run in cycle(slots):
            if len(words) == self.count:
                break
            first = dice.below(2)
            words[
                "".join(dice.pick((CONSONANTS, VOWELS)[(first + k) % 2]) for k in range(len(run)))
            ] = None
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


BARS = (
    "____#____",
    "____#____",
    "____#____",
    "______###",
    "#_______#",
    "###______",
    "____#____",
    "____#____",
    "____#____",
)
BLOCKS = (
    "#___#___#",
    "____#____",
    "____#____",
    "____#____",
    "###___###",
    "____#____",
    "____#____",
    "____#____",
    "#___#___#",
)
LATTICE = ("_______", *(("_#_#_#_", "_______") * 3))
SQUARE = ("_____",) * 5

HARD = (
    Hard("hard_lattice", "fills a 7x7 lattice", LATTICE, 7, 2999, True, True),
    Hard("hard_9x9", "fills a 9x9 grid", BARS, 7, 1407, True, True),
    Hard("hard_9x9_blocks", "fills a 9x9 grid with more blocks", BLOCKS, 7, 2330, True, True),
    Hard("hard_square", "fills an open 5x5 square", SQUARE, 3, 496, True, True),
    Hard("hard_none", "proves that a 9x9 grid cannot be filled", BARS, 1, 1135, False, False),
)
