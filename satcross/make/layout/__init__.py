"""Interlock words in the smallest grid."""

from satcross.make.layout.layout import Goal, Layout, LayoutResult, check_layout
from satcross.make.layout.smallest import lay_out

__all__ = ["Goal", "Layout", "LayoutResult", "check_layout", "lay_out"]
