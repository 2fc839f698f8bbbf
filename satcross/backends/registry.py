"""The names of the backends and of their options.

A new backend is a module and a line here; another package adds one by an entry point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from satcross.errors import UnavailableError
from satcross.support.plug_ins import BACKENDS as PLUGGED_IN
from satcross.support.plug_ins import load_plug_in, plug_ins

if TYPE_CHECKING:  # options and help texts need the names only
    from satcross.backends.base import Backend, CountingBackend, OptimisingBackend

BACKENDS = {  # name: "module:class"
    "auto": "satcross.backends.auto:Auto",
    "sat": "satcross.backends.sat.backend:Sat",
    "cpsat": "satcross.backends.cpsat:CpSat",
    "backtrack": "satcross.backends.search.backend:Backtrack",
    "letters": "satcross.backends.letters:Letters",
}

SOLVERS = (
    *("cadical153", "cadical195", "glucose3", "glucose4", "glucose42"),
    *("maplechrono", "maplecm", "maplesat", "minicard", "minisat22"),
)
"""PySAT's solvers that can be stopped after a number of conflicts and that return a core."""

DEFAULT_SOLVER = "glucose4"

ENCODINGS = ("lazy", "full", "direct", "log", "order", "product", "regular")
"""How the SAT backend writes clauses: the support encoding for a growing vocabulary or for every
candidate, the direct encoding, or a variant of the support encoding (docs/encoders.md). The first
is the default."""

PARALLEL = ("auto", "cpsat", "letters")
"""The backends that use several workers; the others use one processor, whatever they are given."""

OPTIONS = {"solver": "sat", "encoding": "sat", "narrowing": "backtrack, sat, cpsat, letters"}
"""The options of backends, and the backends that read each; other backends ignore it."""


class KnownBackends(Collection[str]):
    """The names of the backends, those of other packages included, and ``more`` names.

    To look for one of ours needs no look at what is installed.
    """

    def __init__(self, *more: str) -> None:
        self._more = more

    def __contains__(self, name: object) -> bool:
        return name in BACKENDS or name in self._more or name in plug_ins(PLUGGED_IN)

    def __iter__(self) -> Iterator[str]:
        return iter((*BACKENDS, *plug_ins(PLUGGED_IN, BACKENDS), *self._more))

    def __len__(self) -> int:
        return len(tuple(self))


def plugged_in_files(name: str) -> list[Path]:
    """Return the file of the module that adds this backend; [] for one of ours."""
    entry = None if name in BACKENDS else plug_ins(PLUGGED_IN).get(name)
    spec = None if entry is None else find_spec(entry.module)
    return [] if spec is None or spec.origin is None else [Path(spec.origin)]


def get_backend(name: str) -> Backend:
    """Return the backend with this name.

    Raises UnavailableError when there is none, or when a library that it needs is missing.
    """
    if name not in BACKENDS:
        added = plug_ins(PLUGGED_IN, BACKENDS)
        if name in added:
            plugged_in: Backend = load_plug_in(added[name])()
            return plugged_in
        known = ", ".join(KnownBackends())
        raise UnavailableError(f"there is no backend {name!r}; choose from {known}")
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
    """Return the backend with this name. Raises UnavailableError when it can't count fills."""
    return cast("CountingBackend", _able(name, "count", "count or list fills"))


def get_optimising_backend(name: str) -> OptimisingBackend:
    """Return the backend with this name. Raises UnavailableError when it has no ``best``."""
    return cast("OptimisingBackend", _able(name, "best", "find the best fill"))


def _able(name: str, capability: str, work: str) -> Backend:
    backend = get_backend(name)
    if not getattr(backend.capabilities, capability):
        able = ", ".join(backends_that(capability))
        raise UnavailableError(f"backend {name} can't {work}; choose from {able}")
    return backend


def backends_that(capability: str) -> tuple[str, ...]:
    """Return our backends that can be imported and declare a field of ``Capabilities``."""

    def can(name: str) -> bool:
        try:
            return bool(getattr(get_backend(name).capabilities, capability))
        except UnavailableError:
            return False

    return tuple(filter(can, BACKENDS))
