"""Gecode's own crossword example, built so that it reads its grid from a file.

The example (``examples/crossword.cpp`` and ``examples/scowl.hpp`` in Gecode's source) contains its
grids. The copy that is compiled here reads one from the file that the environment variable
``CROSSWORD_GRID`` names; everything else is the example's. Compiling needs g++ and Gecode's headers
(Debian: libgecode-dev) of the same version.
"""

from __future__ import annotations

import subprocess
from collections import defaultdict
from pathlib import Path

from satcross.grid import Grid

_LIBRARIES = ("driver", "gist", "minimodel", "search", "int", "kernel", "support")
_GRIDS = "namespace {\n\n  /*\n   * The Grid data has been provided by Peter Van Beek"
_READER = """
#include <cstdlib>
#include <fstream>
#include <vector>

namespace {
  const int* read_grid(void) {
    static std::vector<int> numbers;
    std::ifstream file(std::getenv("CROSSWORD_GRID"));
    for (int number; file >> number;)
      numbers.push_back(number);
    return numbers.data();
  }
  const int* grids[] = { read_grid() };
  const unsigned int n_grids = 1;
}
"""


def build(source: Path, program: Path) -> None:
    """Compile the example in Gecode's source folder. Raises CalledProcessError when that fails."""
    text = (source / "examples" / "crossword.cpp").read_text(encoding="utf-8")
    own = program.with_suffix(".cpp")
    own.write_text(text[: text.index(_GRIDS)] + _READER, encoding="utf-8")
    libraries = [f"-lgecode{name}" for name in _LIBRARIES]
    command = ["g++", "-O2", f"-I{source}", "-I/usr/include", str(own), "-o", str(program)]
    subprocess.run([*command, *libraries], check=True, capture_output=True, text=True)


def grid_numbers(grid: Grid) -> str:
    """The grid as the example has it: size, blocked cells, then slots by length, (x, y, down)."""
    blocked = [
        (x, y) for y, row in enumerate(grid.rows) for x, cell in enumerate(row) if cell == "#"
    ]
    numbers = [grid.width, grid.height, len(blocked), *(n for cell in blocked for n in cell)]
    slots: defaultdict[int, list[int]] = defaultdict(list)
    for slot in grid.slots:
        row, column = slot.cells[0]
        slots[slot.length] += [column, row, int(slot.direction == "down")]
    for length, its in sorted(slots.items(), reverse=True):
        numbers += [length, len(its) // 3, *its]
    return " ".join(map(str, [*numbers, 0]))
