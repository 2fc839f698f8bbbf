"""Readers and writers of the file formats, one module each.

``readers`` and ``writers`` hold the tables that choose the module by a file's extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satcross.support.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from satcross.formats.clues import ClueList, add_clues, read_clues
    from satcross.formats.common import ImportedCrossword
    from satcross.formats.fills import UncheckedFill, read_fills
    from satcross.formats.readers import import_crossword, read_crossword, read_structure
    from satcross.formats.registry import PAPERS, STYLES
    from satcross.formats.writers import write_crossword

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

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "PAPERS": "registry",
        "STYLES": "registry",
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
    },
)
