"""Interlock words in the smallest grid."""

from satcross.construct.layout.goal import Goal
from satcross.construct.layout.layout import Layout, check_layout
from satcross.construct.layout.result import LayoutResult
from satcross.construct.layout.smallest import lay_out

__all__ = ["Goal", "Layout", "LayoutResult", "check_layout", "lay_out"]
