"""Tools for puzzle makers: patterns, layouts, codewords, fill-ins, structure warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satcross.support.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from satcross.grid.lint import GridStatistics, LintWarning, grid_statistics
    from satcross.grid.styles import Style, usual_limits
    from satcross.make.layout import Goal, Layout, LayoutResult, check_layout, lay_out
    from satcross.make.pattern.demands import Demands, Pattern, Symmetry, default_words
    from satcross.make.pattern.fillable import GridResult, MadeGrid, find_relaxations, make_grids
    from satcross.make.puzzles.codeword import Codeword, make_codeword
    from satcross.make.puzzles.files import write_puzzle
    from satcross.make.puzzles.fill_in import FillIn, make_fill_in

__all__ = [
    "Codeword",
    "Demands",
    "FillIn",
    "Goal",
    "GridResult",
    "GridStatistics",
    "Layout",
    "LayoutResult",
    "LintWarning",
    "MadeGrid",
    "Pattern",
    "Style",
    "Symmetry",
    "check_layout",
    "default_words",
    "find_relaxations",
    "grid_statistics",
    "lay_out",
    "make_codeword",
    "make_fill_in",
    "make_grids",
    "usual_limits",
    "write_puzzle",
]

_HOMES = {
    "layout": ("Goal", "Layout", "LayoutResult", "check_layout", "lay_out"),
    "satcross.grid.lint": ("GridStatistics", "LintWarning", "grid_statistics"),
    "satcross.grid.styles": ("Style", "usual_limits"),
    "pattern.demands": ("Demands", "Pattern", "Symmetry", "default_words"),
    "pattern.fillable": ("GridResult", "MadeGrid", "find_relaxations", "make_grids"),
    "puzzles.codeword": ("Codeword", "make_codeword"),
    "puzzles.files": ("write_puzzle",),
    "puzzles.fill_in": ("FillIn", "make_fill_in"),
}
# ortools is slow to import, and ``satcross lint`` and ``satcross words`` do not need it.
__getattr__, __dir__ = lazy_exports(
    __name__, {name: home for home, names in _HOMES.items() for name in names}
)
