"""Encodings of the crossword-filling question, usable by themselves.

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

from encoders.cnf import (
    SupportEncoding,
    WordChoice,
    direct_size,
    encode,
    encode_direct,
    generate,
    generate_direct,
)
from encoders.dimacs import DimacsError, read_dimacs, write_dimacs, write_wcnf
from encoders.instance import AtLeast, Group, Instance
from encoders.levels import weight_levels
from encoders.variables import VariableMap

__all__ = [
    "AtLeast",
    "DimacsError",
    "Group",
    "Instance",
    "SupportEncoding",
    "VariableMap",
    "WordChoice",
    "direct_size",
    "encode",
    "encode_direct",
    "generate",
    "generate_direct",
    "read_dimacs",
    "weight_levels",
    "write_dimacs",
    "write_wcnf",
]
