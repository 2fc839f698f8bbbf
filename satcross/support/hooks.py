"""Calls up the layers, all of them here: what a package asks for that stands on it.

Data types offer methods that read files (``Grid.read``) and draw themselves in notebooks,
``solve`` runs races of ``compare`` and traces of ``cs50``, and ``check`` looks at puzzles of
``make``. A test holds this table against the code: no other module may import upwards, or by a name
in a string, but for the registries of commands, backends, formats and sources.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

HOOKS = {
    "read_crossword": "satcross.formats.readers",
    "read_structure": "satcross.formats.readers",
    "write_crossword": "satcross.formats.writers",
    "crossword_svg": "satcross.formats.drawing.svg",
    "notebook_svg": "satcross.formats.drawing.svg",
    "read_words": "satcross.formats.read_words",
    "known_list": "satcross.formats.read_words",
    "race_on_cluster": "satcross.compare.cluster",
    "write_trace": "satcross.cs50.trace",
    "check_puzzle": "satcross.make.puzzles.files",
}
"""The function that is called, and the module that defines it."""


def call(name: str, *arguments: Any, **options: Any) -> Any:
    """Call the function of that name in ``HOOKS``."""
    return getattr(import_module(HOOKS[name]), name)(*arguments, **options)
