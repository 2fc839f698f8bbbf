"""The open .ipuz format, version 2 (ipuz.org): JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from satcross.errors import InputError
from satcross.formats.files import read_text

_WRAPPED = re.compile(r"\s*ipuz\s*\((.*)\)\s*;?\s*", re.DOTALL)  # as a script would call it


def read_solution(path: str) -> list[str]:
    """The rows of the solution, ``#`` for blocked and ``_`` for a cell without a letter.

    A puzzle without a solution gives what its solver has saved. Raises InputError for anything
    that is no .ipuz crossword with one of them, and for cells of several letters.
    """
    source = read_text(path)
    wrapped = _WRAPPED.fullmatch(source.text)
    try:
        data = json.loads(wrapped[1] if wrapped else source.text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON ({error})", file=source.name) from None
    try:
        kinds = " ".join(map(str, data["kind"]))
        grid = data.get("solution") or data["saved"]
        rows = ["".join(_read_row(row, data)) for row in grid]
    except (KeyError, TypeError, AttributeError):
        raise InputError(
            "no .ipuz crossword with a solution",
            "it takes a kind, and rows under solution or saved",
            file=source.name,
        ) from None
    except ValueError as error:
        raise InputError(str(error), "write one letter a cell", file=source.name) from None
    if "crossword" not in kinds.lower():
        raise InputError(f"no crossword but {kinds}", "give a crossword", file=source.name)
    return rows


def _read_row(row: object, data: dict[str, object]) -> Iterator[str]:
    if not isinstance(row, list):
        raise TypeError
    block, empty = str(data.get("block", "#")), str(data.get("empty", "0"))
    for entry in row:
        cell = entry.get("value", entry.get("cell")) if isinstance(entry, dict) else entry
        if isinstance(cell, list | dict):
            raise TypeError
        if cell is None or str(cell) == block:  # null: there is no cell
            yield "#"
        elif str(cell) in (empty, "", "_", " "):
            yield "_"
        elif len(str(cell)) == 1:
            yield str(cell)
        else:
            raise ValueError(f"has a cell of several letters, {cell}")
