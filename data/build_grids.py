"""Make the library of standard grids, each with a fill as proof: satcross/resources/grids.txt.

Run ``python data/build_grids.py`` from the root of the repository; it takes some ten minutes. A
line of the file is the name of a grid and the rows of its fill. Names have the kind, the size, the
number of words and a letter. No two grids are the same but for a turn or a reflection, and none has
anything that ``satcross check`` warns of.
"""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase

from build_default_list import record_digests

from satcross.formats.json import grid_rows
from satcross.grid import BLOCKED, OPEN
from satcross.grid.lint import lint
from satcross.grid.styles import Style, usual_limits
from satcross.make import Demands, make_grids
from satcross.vocabulary import Vocabulary

OUT = Path("satcross/resources/grids.txt")

WANTED = {
    Style.AMERICAN: {5: 1, 7: 2, 9: 6, 11: 6, 13: 9, 15: 26, 17: 4, 19: 2, 21: 4},
    Style.BRITISH: {7: 1, 9: 3, 11: 8, 13: 16, 15: 26, 17: 3, 21: 3},
}
"""Kind -> size -> how many grids."""
_SECONDS = 60
_TRIES = 12
"""Seeds that are tried for each grid."""


def main() -> None:
    """Make the standard grids that the file lacks; grids that it has keep their names."""
    vocabulary = Vocabulary.read()
    lines = OUT.read_text().splitlines() if OUT.exists() else []
    for kind, sizes in WANTED.items():
        for size, number in sizes.items():
            lines = with_more(lines, kind, size, number, vocabulary)
            lines.sort(key=_by_size)
            OUT.write_text("\n".join(lines) + "\n")
    record_digests({OUT.name: OUT.read_bytes()}, OUT.parent / "digests.txt")


def _by_size(line: str) -> tuple[str, int, int, str]:
    kind, size, words = line.split()[0].split("-")
    return kind, int(size), int(words[:-1]), words


def with_more(
    lines: list[str], kind: Style, size: int, number: int, vocabulary: Vocabulary
) -> list[str]:
    """Return the lines with so many grids of a kind and size."""
    start = f"{kind.value}-{size}-"
    names = {line.split()[0] for line in lines}
    fills = [line.split()[1] for line in lines if line.startswith(start)]
    seen = {pattern(fill.split("/")) for fill in fills}
    limits = usual_limits(kind, size, size)
    spread = max(1, (limits.max_words - limits.min_words) // 2)
    first = len(seen) * _TRIES
    for seed in range(first, number * _TRIES):
        if len(seen) >= number:
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
            count = f"{start}{len(made.grid.slots)}"
            name = next(count + letter for letter in ascii_lowercase if count + letter not in names)
            names.add(name)
            lines = [*lines, f"{name} {'/'.join(grid_rows(made.grid, made.outcome.fill))}"]
            print(name, seed, flush=True)
    return lines


def pattern(fill: list[str]) -> tuple[str, ...]:
    """Return the pattern of a fill."""
    return tuple("".join(BLOCKED if cell == BLOCKED else OPEN for cell in row) for row in fill)


def images(rows: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return the pattern turned and reflected in all eight ways."""
    found = set()
    for _ in range(4):
        rows = tuple("".join(row) for row in zip(*rows[::-1], strict=True))
        found |= {rows, rows[::-1]}
    return found


if __name__ == "__main__":
    main()
