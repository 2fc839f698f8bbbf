"""Comparison of backends, SAT solvers and students' programs on the same puzzles."""

from satcross.compare.verdict import Verdict, judge

__all__ = ["Verdict", "judge"]
