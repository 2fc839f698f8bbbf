"""Explain why a puzzle has no fill: a minimal set of slots, locks, letters and rules, in words."""

from satcross.solving.explain.explanation import Explanation, explain, explanation_to_data
from satcross.solving.explain.minimal_core import Reason
from satcross.solving.explain.parts import Part, PartKind, all_parts, sub_puzzle, without
from satcross.solving.explain.suggest import Suggestion
from satcross.solving.explain.wording import Wording

__all__ = [
    "Explanation",
    "Part",
    "PartKind",
    "Reason",
    "Suggestion",
    "Wording",
    "all_parts",
    "explain",
    "explanation_to_data",
    "sub_puzzle",
    "without",
]
