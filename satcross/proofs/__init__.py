"""Formulas for other programs, proofs that a puzzle has no fill, and a checker of proofs."""

from satcross.proofs.check import CHECKERS, ProofCheck, check_proof
from satcross.proofs.formula import Formula
from satcross.proofs.prove import NO_PROOFS, PROVERS, Proof, prove

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
