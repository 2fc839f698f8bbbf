"""Formulas for other people's programs, proofs that a puzzle has no fill, and their checking."""

from satcross.proofs.check import CHECKERS, Verdict, check_proof
from satcross.proofs.formula import Formula
from satcross.proofs.prove import NO_PROOFS, PROVERS, Proof, prove

__all__ = [
    "CHECKERS",
    "NO_PROOFS",
    "PROVERS",
    "Formula",
    "Proof",
    "Verdict",
    "check_proof",
    "prove",
]
