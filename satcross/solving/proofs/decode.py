"""Read the grid back from a model of a CNF or WCNF that ``satcross encode`` has written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from satcross.errors import InputError
from satcross.formats.files import read_text

_GRID = "c grid "
_SLOT = re.compile(r"c slot (\d+[AD]): (across|down) (from|at) r(\d+)c(\d+), .*")
_WORD = re.compile(r"c (\d+) (\d+[AD])=(.+)")
_LITERALS = re.compile(r"[-\d\s]+")
_NO_MODEL = ("s UNSATISFIABLE", "UNSAT", "s UNKNOWN")


@dataclass(frozen=True, slots=True)
class DecodedModel:
    """The rows of a grid, with ``?`` in cells without a word, and the words by slot."""

    rows: tuple[str, ...]
    words: Mapping[str, str]


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
    chosen = _true_variables(model)
    words: dict[str, str] = {}
    for found in filter(None, map(_WORD.fullmatch, lines)):
        if int(found[1]) in chosen:
            words.setdefault(found[2], found[3])
    for found in filter(None, map(_SLOT.fullmatch, lines)):
        # Formulas of version 0.2.0 say "from", and count rows and columns from 0.
        first, down = found[3] == "at", found[2] == "down"
        row, column = int(found[4]) - first, int(found[5]) - first
        for place, letter in enumerate(words.get(found[1], "")):
            rows[row + place * down][column + place * (not down)] = letter
    return DecodedModel(tuple("".join(row).replace("_", "?") for row in rows), words)


def _true_variables(path: str) -> set[int]:
    lines = read_text(path).text.splitlines()
    if any(line.strip() in _NO_MODEL for line in lines):
        raise InputError("says that there is no model", "there is no grid to decode", file=path)
    printed = [line[1:] for line in lines if line.startswith("v ")]
    plain = [line for line in lines if _LITERALS.fullmatch(line)]
    try:
        literals = [int(one) for line in printed or plain for one in line.split()]
    except ValueError:
        literals = []
    if not literals:
        raise InputError("has no model", "give what the solver printed, with v lines", file=path)
    return {one for one in literals if one > 0}
