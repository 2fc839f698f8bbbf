"""The SAT backend: clauses for PySAT's solvers."""
