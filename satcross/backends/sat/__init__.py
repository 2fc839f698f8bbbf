"""The SAT backend: clauses for PySAT's solvers.

``backend`` has the backend itself, ``Sat``. ``formulas`` writes all clauses before a solver begins;
``letter_solver`` makes clauses while a solver searches. ``enumerate`` counts and lists fills,
``rc2`` finds the best one by MaxSAT. ``solver`` calls every solver, and ``refute`` has what proofs
and their check need (satcross.solving.proofs).
"""
