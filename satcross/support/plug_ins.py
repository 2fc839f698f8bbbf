"""What other packages add to satcross: commands, backends and formats, by entry points.

A package declares them in its ``pyproject.toml``, NAME = "module:object", in the groups below. A
name that satcross itself has can't be taken. Looking for entry points takes longer than starting
satcross, so it happens only for a name that satcross does not know, and for help texts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from satcross.errors import UnavailableError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

COMMANDS = "satcross.commands"
"""A command: an object of click."""

BACKENDS = "satcross.backends"
"""A backend: a class as ``satcross.backends.base.Backend`` describes it."""

FORMATS = "satcross.formats"
"""A format, named by its extension (``.grille``): a module with the functions that
``satcross.formats.registry`` describes."""


def plug_ins(group: str, taken: Collection[str] = ()) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group by name, without those whose name is ``taken``."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=group) if entry.name not in taken}


def load_plug_in(entry: EntryPoint) -> Any:
    """Return the object of an entry point. Raises UnavailableError, whatever goes wrong in it."""
    try:
        return entry.load()
    except Exception as error:
        owner = entry.dist.name if entry.dist else "?"
        raise UnavailableError(
            f"{entry.name}, which the package {owner} adds, can't be loaded "
            f"({type(error).__name__}: {error}); repair or remove that package"
        ) from error
