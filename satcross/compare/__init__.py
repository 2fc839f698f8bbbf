"""Comparing backends on the same puzzle."""

from satcross.compare.crosscheck import cross_check

__all__ = ["cross_check"]
