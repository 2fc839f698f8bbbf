"""Functions that numba compiles to machine code, and how programs load them."""
