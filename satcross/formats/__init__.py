"""Readers and writers of the file formats, one module each.

``readers`` and ``writers`` hold the tables that choose the module by a file's extension.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satcross.formats.clues import ClueList, add_clues, read_clues
    from satcross.formats.common import ImportedCrossword
    from satcross.formats.fills import UncheckedFill, read_fills
    from satcross.formats.readers import import_crossword, read_crossword, read_structure
    from satcross.formats.writers import PAPERS, STYLES, write_crossword

_MODULES = {
    "PAPERS": "writers",
    "STYLES": "writers",
    "ClueList": "clues",
    "ImportedCrossword": "common",
    "UncheckedFill": "fills",
    "add_clues": "clues",
    "import_crossword": "readers",
    "read_clues": "clues",
    "read_crossword": "readers",
    "read_fills": "fills",
    "read_structure": "readers",
    "write_crossword": "writers",
}

__all__ = [
    "PAPERS",
    "STYLES",
    "ClueList",
    "ImportedCrossword",
    "UncheckedFill",
    "add_clues",
    "import_crossword",
    "read_clues",
    "read_crossword",
    "read_fills",
    "read_structure",
    "write_crossword",
]


def __getattr__(name: str) -> object:
    """Import the module of a public name when the name is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
