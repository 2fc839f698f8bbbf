"""Encodings of crossword filling for SAT, MaxSAT and CP-SAT solvers, usable by themselves.

One word per slot, crossings agree, no word twice: an ``Instance`` states the problem in plain
values, an encoding turns it into clauses or into a CP-SAT model and reads the answer back.

>>> from encoders import Instance, encode
>>> square = Instance(
...     slots=(((0, 0), (0, 1)), ((0, 0), (1, 0))),
...     candidates=(("AB", "CD"), ("CE", "XY")),
... )
>>> clauses, encoding = encode(square)
>>> from pysat.solvers import Solver
>>> with Solver(bootstrap_with=clauses) as solver:
...     solver.solve()
...     encoding.decode(solver.get_model())
True
['CD', 'CE']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from encoders.cardinality import Clause
    from encoders.cnf import encode, generate
    from encoders.cpsat import CpSatEncoding
    from encoders.dimacs import DimacsError, read_dimacs, write_dimacs, write_wcnf
    from encoders.direct import direct_size, encode_direct, generate_direct
    from encoders.encoding import Encoding
    from encoders.instance import AtLeast, Cell, ConflictGroup, Instance, VariableMap
    from encoders.lazy import LazyEncoding
    from encoders.variants import VARIANTS
    from encoders.weighted import (
        Spelling,
        WeightedFill,
        WeightedInstance,
        WeightedModel,
        maximise,
        weight_levels,
    )
    from encoders.word_rules import at_least_clauses, conflict_clauses

__all__ = [
    "VARIANTS",
    "AtLeast",
    "Cell",
    "Clause",
    "ConflictGroup",
    "CpSatEncoding",
    "DimacsError",
    "Encoding",
    "Instance",
    "LazyEncoding",
    "Spelling",
    "VariableMap",
    "WeightedFill",
    "WeightedInstance",
    "WeightedModel",
    "at_least_clauses",
    "conflict_clauses",
    "direct_size",
    "encode",
    "encode_direct",
    "generate",
    "generate_direct",
    "maximise",
    "read_dimacs",
    "weight_levels",
    "write_dimacs",
    "write_wcnf",
]

_HOMES = {
    "cardinality": "Clause",
    "variants": "VARIANTS",
    "cnf": "encode generate",
    "cpsat": "CpSatEncoding",
    "dimacs": "DimacsError read_dimacs write_dimacs write_wcnf",
    "direct": "direct_size encode_direct generate_direct",
    "encoding": "Encoding",
    "instance": "AtLeast Cell ConflictGroup Instance VariableMap",
    "lazy": "LazyEncoding",
    "weighted": "Spelling WeightedFill WeightedInstance WeightedModel maximise weight_levels",
    "word_rules": "at_least_clauses conflict_clauses",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is used (PEP 562)."""
    for module, names in _HOMES.items():
        if name in names.split():
            value: object = getattr(import_module(f"encoders.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'encoders' has no attribute {name!r}")
