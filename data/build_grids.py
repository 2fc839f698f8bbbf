"""Make the library of standard grids, each with a fill as proof: satcross/resources/grids.txt.

Run ``python data/build_grids.py`` from the root of the repository; it takes some ten minutes. A
line of the file is the name of a grid and the rows of its fill. Names have the kind, the size, the
number of words and a letter. No two grids are the same but for a turn or a reflection, and none has
anything that ``satcross check`` warns of.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from satcross.formats.json import grid_rows
from satcross.grid.lint import lint
from satcross.grid.styles import Style, usual_limits
from satcross.make.pattern import Demands, make_grids
from satcross.vocabulary import Vocabulary

OUT = Path("satcross/resources/grids.txt")

WANTED = {
    Style.AMERICAN: {5: 2, 7: 4, 9: 5, 11: 6, 13: 9, 15: 26, 17: 3, 19: 2, 21: 3},
    Style.BRITISH: {7: 2, 9: 4, 11: 8, 13: 16, 15: 26, 17: 2, 21: 2},
}
"""Kind -> size -> how many grids."""
_SECONDS = 60
_TRIES = 12
"""Seeds that are tried for each grid."""


def main() -> None:
    """Make the grids and write the file."""
    vocabulary = Vocabulary.read()
    lines = [
        line
        for kind, sizes in WANTED.items()
        for size, number in sizes.items()
        for line in library(kind, size, number, vocabulary)
    ]
    OUT.write_text("\n".join(lines) + "\n")


def library(kind: Style, size: int, number: int, vocabulary: Vocabulary) -> list[str]:
    """Return the lines of so many grids, those with fewer words first."""
    seen: set[tuple[str, ...]] = set()
    found: list[tuple[int, list[str]]] = []
    limits = usual_limits(kind, size, size)
    spread = max(1, (limits.max_words - limits.min_words) // 2)
    for seed in range(number * _TRIES):
        if len(found) == number:
            break
        high = limits.max_words - seed % (spread + 1)
        words = (min(limits.min_words, high), high if size > 5 else 10)
        result = make_grids(
            Demands(size, size, words, style=kind), vocabulary, seed=seed, time_limit=_SECONDS
        )
        for made in result.grids:
            rows = made.pattern.rows
            assert made.outcome is not None
            if made.loosened or seen & images(rows) or list(lint(made.grid, vocabulary, kind)):
                continue
            seen.add(rows)
            fill = grid_rows(made.grid, made.outcome.fill)
            found.append((len(made.grid.slots), fill))
            print(kind.value, size, seed, len(found), len(made.grid.slots), flush=True)
    letters: Counter[int] = Counter()
    lines = []
    for count, fill in sorted(found):
        lines.append(f"{kind.value}-{size}-{count}{chr(97 + letters[count])} {'/'.join(fill)}")
        letters[count] += 1
    return lines


def images(rows: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return the pattern turned and reflected in all eight ways."""
    found = set()
    for _ in range(4):
        rows = tuple("".join(row) for row in zip(*rows[::-1], strict=True))
        found |= {rows, rows[::-1]}
    return found


if __name__ == "__main__":
    main()
