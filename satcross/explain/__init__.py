"""Why a puzzle has no fill: a minimal set of slots, locks, letters and rules, in puzzle words."""

from satcross.explain.explain import Explanation, explain
from satcross.explain.minimal_core import Reason
from satcross.explain.parts import Kind, Part
from satcross.explain.suggest import Suggestion
from satcross.explain.wording import Wording

__all__ = ["Explanation", "Kind", "Part", "Reason", "Suggestion", "Wording", "explain"]
