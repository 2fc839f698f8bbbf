"""Formulas for other programs, proofs that a puzzle has no fill, and a checker of proofs."""

from satcross.solving.proofs.check import CHECKERS, ProofCheck, check_proof
from satcross.solving.proofs.formula import Formula
from satcross.solving.proofs.prove import NO_PROOFS, PROVERS, Proof, prove

__all__ = [
    "CHECKERS",
    "NO_PROOFS",
    "PROVERS",
    "Formula",
    "Proof",
    "ProofCheck",
    "check_proof",
    "prove",
]
