"""Read the grid back from a model of a CNF or WCNF that ``satcross encode`` has written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from satcross.errors import InputError
from satcross.formats.files import read_text

_GRID = "c grid "
_OLD_SLOT = re.compile(r"c slot (\d+[AD]): (across|down) from r(\d+)c(\d+), .*")
"""Version 0.2.0 counts rows and columns from 0, and has no comments about cells."""
_CELLS = re.compile(r"c cells (\d+[AD]):(( r\d+c\d+(\+\d+)?)+)")
_REBUS = re.compile(r"c rebus r(\d+)c(\d+)=(.+)")
_CELL = re.compile(r"r(\d+)c(\d+)")
_WORD = re.compile(r"c (\d+) (\d+[AD])=(.+)")
_LITERALS = re.compile(r"[-\d\s]+")
_NO_MODEL = ("s UNSATISFIABLE", "UNSAT", "s UNKNOWN")


@dataclass(frozen=True, slots=True)
class DecodedModel:
    """The cells of a grid, row by row, and the words by slot.

    A cell has its letters, several if it is a rebus cell; ``?`` if it has no word; or is a block.
    """

    cells: tuple[tuple[str, ...], ...]
    words: Mapping[str, str]

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows as ``solve --json`` has them, with the first letter of a rebus cell."""
        return tuple("".join(cell[0] for cell in row) for row in self.cells)

    @property
    def text(self) -> tuple[str, ...]:
        """The rows, or the lines of a decorated structure if there is a rebus cell."""
        if all(len(cell) == 1 for row in self.cells for cell in row):
            return self.rows
        lines = (
            " ".join(f"{{{cell}}}" if len(cell) > 1 else cell for cell in row) for row in self.cells
        )
        return ("satcross grid", *lines)


def decode_model(cnf: str, model: str) -> DecodedModel:
    """Return the grid of a model; ``cnf`` and ``model`` are paths. The fill is not verified.

    The model is on the ``v`` lines of a SAT solver, or in lines of literals as MiniSat writes them.
    Where several words of a slot are true, which agree in all crossings, the first counts. Raises
    InputError if the formula does not say what its variables mean, or if there is no model.
    """
    lines = read_text(cnf).text.splitlines()
    rows = [list(line.removeprefix(_GRID)) for line in lines if line.startswith(_GRID)]
    if not rows:
        raise InputError(
            "has no comments about its grid", "give a file that satcross encode wrote", file=cnf
        )
    for found in filter(None, map(_REBUS.fullmatch, lines)):
        rows[int(found[1]) - 1][int(found[2]) - 1] = found[3]
    chosen = _true_variables(model)
    words: dict[str, str] = {}
    for found in filter(None, map(_WORD.fullmatch, lines)):
        if int(found[1]) in chosen:
            words.setdefault(found[2], found[3])
    for name, cells in _cells_of_slots(lines):
        if name in words:
            for row, column in set(cells):
                rows[row][column] = ""
            for (row, column), letter in zip(cells, words[name], strict=True):
                rows[row][column] += letter
    return DecodedModel(
        tuple(tuple("?" if cell == "_" else cell for cell in row) for row in rows), words
    )


def _cells_of_slots(lines: Iterable[str]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the name of each slot and the printed cell of each of its letters."""
    for line in lines:
        if found := _CELLS.fullmatch(line):
            yield (
                found[1],
                [(int(row) - 1, int(column) - 1) for row, column in _CELL.findall(found[2])],
            )
        elif found := _OLD_SLOT.fullmatch(line):
            row, column, down = int(found[3]), int(found[4]), found[2] == "down"
            length = int(line.split(", ")[1].split()[0])
            yield found[1], [(row + i * down, column + i * (not down)) for i in range(length)]


def _true_variables(path: str) -> set[int]:
    lines = read_text(path).text.splitlines()
    if any(line.strip() in _NO_MODEL for line in lines):
        raise InputError("says that there is no model", "there is no grid to decode", file=path)
    printed = [line[1:] for line in lines if line.startswith("v ")]
    plain = [line for line in lines if _LITERALS.fullmatch(line)]
    try:
        literals = [int(part) for line in printed or plain for part in line.split()]
    except ValueError:
        literals = []
    if not literals:
        raise InputError("has no model", "give what the solver printed, with v lines", file=path)
    return {literal for literal in literals if literal > 0}
