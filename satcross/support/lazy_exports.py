"""The public names of a package, imported when they are used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType


def lazy_exports(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` (PEP 562) for the ``__init__`` of a package.

    ``homes`` maps each public name to the module that defines it, relative to the package or from
    ``satcross`` on; to ``MODULE:NAME`` when it has another name there. A public name hides a module
    of the same name: ``satcross.answer`` is the function, and ``from satcross.answer import ...``
    still works.
    """

    class Package(ModuleType):
        def __setattr__(self, name: str, value: object) -> None:
            # Importing a submodule sets it as an attribute of its package.
            if not (name in homes and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    sys.modules[package].__class__ = Package

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, there = homes[name].partition(":")
        home = module if module.startswith("satcross.") else f"{package}.{module}"
        value: object = getattr(import_module(home), there or name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        special = (name for name in vars(sys.modules[package]) if name.startswith("__"))
        return sorted({*special, *homes})

    return load, names
