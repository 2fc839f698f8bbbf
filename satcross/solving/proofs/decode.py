"""Read the grid back from what a solver says of a formula that ``satcross encode`` has written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from satcross.errors import InputError
from satcross.formats.files import Data, decode_text, read_data, read_text

_COMMENT = re.compile(r"(?:c|\*|%|#|<!--) (.*?)(?: -->)?")
_GRID = "grid "
_OLD_SLOT = re.compile(r"slot (\d+[AD]): (across|down) from r(\d+)c(\d+), .*")
"""Version 0.2.0 counts rows and columns from 0, and has no comments about cells."""
_CELLS = re.compile(r"cells (\d+[AD]):(( r\d+c\d+(\+\d+)?)+)")
_REBUS = re.compile(r"rebus r(\d+)c(\d+)=(.+)")
_CELL = re.compile(r"r(\d+)c(\d+)")
_WORD = re.compile(r"(\d+) (\d+[AD])=(.+)")
_NAMED = re.compile(r"^(\d+[AD])=(\S+)(?:\s*[ =:]\s*1)?$", re.MULTILINE)
"""A variable of CP-SAT's model that is true: its name on a line, perhaps with its value."""
_NUMBERED = re.compile(r"words (\d+): (.+)")
_LITERALS = re.compile(r"[-\d\s]+")
_NO_MODEL = re.compile(r"(s |=+)?UNSAT(ISFIABLE)?=*|(s |=+)?UNKNOWN=*")
_COLOURS = re.compile(b"\x1b\\[[0-9;]*m")
"""Sequences by which a program colours its output on a terminal, or anywhere (ACE)."""
_MAX_DIGITS = 10
"""Maximum number of digits of a variable."""
_END = "----------"
"""The line with which MiniZinc's solvers end a solution."""
_VALUE = re.compile(r"^(w\d+) ?= ?(\d+);?$", re.MULTILINE)
_INSTANTIATION = re.compile(r"<list>([^<]*)</list>\s*(?:v\s*)?<values>([^<]*)</values>")


def literals(text: str, *, weighted: bool = False) -> list[int]:
    """Return the literals of a ``v`` line: numbers, or (MaxSAT) a digit for each variable.

    The digits stand together. In an answer to a formula that is not known to be ``weighted``, fewer
    digits than a number may have are a number. Raises ValueError for anything else.
    """
    bits = text.strip()
    if (weighted or len(bits) > _MAX_DIGITS) and bits and not bits.strip("01"):
        return [number if bit == "1" else -number for number, bit in enumerate(bits, 1)]
    return list(map(int, text.split()))


def last_solution(text: str) -> str:
    """Return the last of the solutions that a solver of MiniZinc has printed, to the text's end."""
    *solutions, rest = text.split(_END)
    return solutions[-1] + rest if solutions else rest


def true_values(text: str) -> set[str]:
    """Return what is true in the last solution that a solver of OPB or of a model has printed.

    These are variables ("x12") or values of the slots' variables ("w0=17").
    """
    if found := _INSTANTIATION.findall(text):
        values = []
        for value in found[-1][1].split():  # 3x5 stands for 3 3 3 3 3
            number, _, times = value.partition("x")
            values += [number] * int(times or 1)
        return set(map("=".join, zip(found[-1][0].split(), values, strict=False)))
    lines = (line[2:].split() for line in text.splitlines() if line.startswith("v "))
    chosen = {token for tokens in lines for token in tokens if re.fullmatch(r"x\d+", token)}
    return chosen or set(map("=".join, _VALUE.findall(last_solution(text))))


@dataclass(frozen=True, slots=True)
class DecodedModel:
    """The cells of a grid, row by row, and the words by slot.

    A cell has its letters, several if it is a rebus cell; ``?`` if it is in no slot; or is a block.
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


def decode_model(formula: str, model: str) -> DecodedModel:
    """Return the grid of a model; ``formula`` and ``model`` are paths. The fill is not verified.

    The formula is in any format of ``satcross encode`` that has comments. The model is what a
    solver of that format has printed, or lines of literals as MiniSat writes them, or (CP-SAT) the
    names of true variables. Of several
    solutions the last counts; of several true words of a slot, which agree in all crossings, the
    first. Raises InputError if the formula does not say what its variables mean, if there is no
    model, or if it leaves a slot without a word or a crossing with two letters.
    """
    text = read_text(formula).text.splitlines()
    lines = [found[1] for found in map(_COMMENT.fullmatch, text) if found]
    weighted = any(line.startswith("h ") for line in text)
    rows = [list(line.removeprefix(_GRID)) for line in lines if line.startswith(_GRID)]
    if not rows:
        raise InputError(
            "has no comments about its grid", "give a file that satcross encode wrote", file=formula
        )
    for rebus in filter(None, map(_REBUS.fullmatch, lines)):
        rows[int(rebus[1]) - 1][int(rebus[2]) - 1] = rebus[3]
    places = dict(_cells_of_slots(lines))
    words = _chosen_words(lines, list(places), _read_model(model, weighted=weighted))
    given: dict[tuple[int, int], str] = {}
    for name, cells in places.items():
        taken: dict[tuple[int, int], str] = {}
        for cell, letter in zip(cells, words.get(name, ""), strict=name in words):
            taken[cell] = taken.get(cell, "") + letter
        if not taken or any(given.get(cell, taken[cell]) != taken[cell] for cell in taken):
            found = f"{words[name]}, which its crossings contradict" if taken else "no word"
            raise InputError(f"gives {name} {found}", f"give the answer to {formula}", file=model)
        given |= taken
    for (row, column), letters in given.items():
        rows[row][column] = letters
    return DecodedModel(
        tuple(tuple("?" if cell == "_" else cell for cell in row) for row in rows), words
    )


def _chosen_words(lines: Sequence[str], slots: Sequence[str], chosen: set[str]) -> dict[str, str]:
    """Return the words, by slot, of variables or values that are true."""
    words: dict[str, str] = {}
    for token in sorted(chosen):
        if named := _NAMED.fullmatch(token):
            words.setdefault(named[1], named[2])
    for found in filter(None, map(_WORD.fullmatch, lines)):
        if {found[1], f"x{found[1]}"} & chosen:
            words.setdefault(found[2], found[3])
    numbered = {
        (length, str(number)): word
        for found in filter(None, map(_NUMBERED.fullmatch, lines))
        for length, listed in [(found[1], found[2].split())]
        for number, word in enumerate(listed, 1)
    }
    lengths = {
        found[1]: str(found[2].count(" r")) for found in filter(None, map(_CELLS.fullmatch, lines))
    }
    for slot, name in enumerate(slots):
        prefix = f"w{slot}="
        numbers = [text.removeprefix(prefix) for text in chosen if text.startswith(prefix)]
        if numbers and (lengths[name], numbers[0]) in numbered:
            words[name] = numbered[lengths[name], numbers[0]]
    return words


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


def _read_model(path: str, *, weighted: bool) -> set[str]:
    """Return what is true in the model that a solver has printed into a file."""
    file = read_data(path)
    plain_data = _COLOURS.sub(b"", file.data)
    text = decode_text(Data(file.name, plain_data)).text
    lines = text.splitlines()
    if any(line.startswith(("p ", f"c {_GRID}")) for line in lines):
        raise InputError("is a formula", "give what a solver has printed of it", file=path)
    if any(_NO_MODEL.fullmatch(line.strip()) for line in lines):
        raise InputError("says that there is no model", "there is no grid to decode", file=path)
    named = {f"{slot}={word}" for slot, word in _NAMED.findall(text)}
    if chosen := named or true_values(text):
        return chosen
    printed = [line[1:] for line in lines if line.startswith("v ")]
    plain = [line for line in lines if _LITERALS.fullmatch(line)]
    try:
        found = [
            literal for line in printed or plain for literal in literals(line, weighted=weighted)
        ]
    except ValueError:
        found = []
    if not found:
        raise InputError("has no model", "give what the solver printed, with v lines", file=path)
    return {str(literal) for literal in found if literal > 0}
