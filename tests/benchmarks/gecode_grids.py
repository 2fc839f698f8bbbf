"""The 72 grids of Gecode's crossword example with its own words, as a suite of ``satcross bench``.

    git clone https://github.com/Gecode/gecode
    python tests/benchmarks/gecode_grids.py gecode/examples FOLDER
    satcross bench FOLDER/gecode.toml -o runs.jsonl --backend backtrack --cpu-limit 300

``crossword.cpp`` has the grids, ``scowl.hpp`` the words, a part of SCOWL.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

PUZZLE = """
[[puzzle]]
name = "{}"
structure = '''
{}
'''
words = ["gecode.txt"]
"""


def words(path: Path) -> list[str]:
    """Return the words of two or more letters of the example's list."""
    # Older releases are in Latin-1; words with accents are left out in either encoding.
    return sorted(set(re.findall(r'"([a-z]{2,})"', path.read_text(encoding="latin-1"))))


def grids(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the example's grids by name: each has its size and its blocks as (column, row)."""
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"Name: (\S+),.*?const int g\d+\[\] = \{(.*?)\};", text, re.DOTALL)
    for name, body in named:
        width, height, number, *rest = map(int, re.findall(r"\d+", re.sub(r"//.*", "", body)))
        blocks = set(zip(rest[: 2 * number : 2], rest[1 : 2 * number : 2], strict=True))
        rows = (
            "".join("#" if (column, row) in blocks else "_" for column in range(width))
            for row in range(height)
        )
        yield name, "\n".join(rows)


def main() -> None:
    examples, folder = map(Path, sys.argv[1:])
    folder.mkdir(exist_ok=True)
    (folder / "gecode.txt").write_text("\n".join(words(examples / "scowl.hpp")), "ascii")
    suite = 'suite = 1\ntitle = "grids of Gecode"\n'
    suite += "".join(PUZZLE.format(*grid) for grid in grids(examples / "crossword.cpp"))
    (folder / "gecode.toml").write_text(suite, "utf-8")


if __name__ == "__main__":
    main()
