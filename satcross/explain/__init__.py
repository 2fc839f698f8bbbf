"""Explain why a puzzle has no fill: a minimal set of slots, locks, letters and rules, in words."""

from satcross.explain.explain import Explanation, explain
from satcross.explain.json import explanation_to_data
from satcross.explain.minimal_core import Reason
from satcross.explain.parts import Part, PartKind, all_parts, sub_puzzle, without
from satcross.explain.suggest import Suggestion
from satcross.explain.wording import Wording

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
