"""The names of the backends. A new one is a file beside this one and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from satcross.backends.base import Backend, CountingBackend, OptimisingBackend
from satcross.errors import UnavailableError

BACKENDS = {
    "auto": "satcross.backends.auto:Auto",
    "sat": "satcross.backends.sat.backend:Sat",
    "cpsat": "satcross.backends.cpsat:CpSat",
    "backtrack": "satcross.backends.search.backend:Backtrack",
}

SOLVERS = (
    "cadical153",
    "cadical195",
    "glucose3",
    "glucose4",
    "glucose42",
    "maplechrono",
    "maplecm",
    "maplesat",
    "minicard",
    "minisat22",
)
"""PySAT's solvers that stop after a number of conflicts and name a core."""

DEFAULT_SOLVER = "glucose4"

ENCODINGS = ("lazy", "full", "direct")
"""How the SAT backend writes clauses: supports for a growing vocabulary, supports for every
candidate, or a clause for every two words that disagree. The first is the default."""

OPTIONS = {
    "solver": "sat",
    "encoding": "sat",
    "narrowing": "backtrack",
}
"""The options of backends, and the backend that reads each; other backends ignore it."""


def get_backend(name: str) -> Backend:
    """The backend of that name.

    Raises UnavailableError when there is none, or when the library it needs is missing.
    """
    if name not in BACKENDS:
        raise UnavailableError(f"there is no backend {name!r}; choose from {', '.join(BACKENDS)}")
    module, _, attribute = BACKENDS[name].partition(":")
    try:
        backend: Backend = getattr(import_module(module), attribute)()
    except ImportError as error:
        raise UnavailableError(
            f"backend {name} needs a library that can't be imported ({error}); "
            "install satcross with its dependencies"
        ) from error
    return backend


def get_counting_backend(name: str) -> CountingBackend:
    """The backend of that name, which can count. Raises UnavailableError when it can't."""
    backend = get_backend(name)
    if not backend.capabilities.count:
        able = ", ".join(one for one in BACKENDS if _can(one, "count"))
        raise UnavailableError(f"backend {name} can't count fills; choose from {able}")
    return cast(CountingBackend, backend)


def get_optimising_backend(name: str) -> OptimisingBackend:
    """The backend of that name, which can find the best fill. Raises UnavailableError otherwise."""
    backend = get_backend(name)
    if not backend.capabilities.best:
        able = ", ".join(one for one in BACKENDS if _can(one, "best"))
        raise UnavailableError(f"backend {name} can't look for the best fill; choose from {able}")
    return cast(OptimisingBackend, backend)


def _can(name: str, capability: str) -> bool:
    try:
        return bool(getattr(get_backend(name).capabilities, capability))
    except UnavailableError:
        return False
