"""Why a puzzle has no fill: a minimal set of slots, locks, letters and rules, in puzzle words."""

from satcross.explain.explaining import Explanation, explain
from satcross.explain.parts import Kind, Part
from satcross.explain.reason import Reason
from satcross.explain.suggest import Suggestion
from satcross.explain.telling import Telling

__all__ = ["Explanation", "Kind", "Part", "Reason", "Suggestion", "Telling", "explain"]
