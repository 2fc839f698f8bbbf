"""The SAT backend: clauses for PySAT's solvers.

``backend`` has the backend itself, ``Sat``; ``formulas`` the clauses it hands to a solver,
``letter_solver`` those that a solver asks for, ``enumerate`` counting and listing, ``rc2`` the best
fill by MaxSAT. ``solver`` is how every solver is called, ``refute`` what proofs and their check
need (satcross.solving.proofs).
"""
