"""Comparing backends, SAT solvers and students' programs on the same puzzles."""

from satcross.compare.crosscheck import Verdict, cross_check, judge

__all__ = ["Verdict", "cross_check", "judge"]
