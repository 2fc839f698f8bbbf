"""What ``import satcross`` offers for making grids: functions that take a ``RunSettings``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from satcross.run_settings import RunOptions, RunSettings
from satcross.support.arguments import check_texts, check_type
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from satcross.make.layout import LayoutResult
    from satcross.make.pattern.fillable import GridResult


def make_grid(
    size: int | tuple[int, int],
    vocabulary: Vocabulary | None = None,
    settings: RunSettings | None = None,
    *,
    number: int = 1,
    min_score: int | None = None,
    demands: Mapping[str, Any] | None = None,
    **changes: Unpack[RunOptions],
) -> GridResult:
    """Make block patterns that the words of the vocabulary can fill, and fill them.

    With ``demands={"entries": ("WORD", ...)}`` the grids are made around these words; on Ctrl-C or
    at the time limit, the result holds the grids made by then. ``size`` is the number of rows and
    columns, or both as a pair; ``vocabulary`` is the default list when it is None. ``demands`` are
    fields of ``satcross.make.Demands``; the number of words is, by default, what is usual at
    that size. Raises ValueError for demands that make no sense.
    """
    from satcross.make import Demands, Style, default_words, make_grids

    vocabulary = Vocabulary.read() if vocabulary is None else vocabulary
    remedy = "make one with Vocabulary(words); for a size, give (height, width)"
    check_type(vocabulary, Vocabulary, "the vocabulary", remedy)
    settings = RunSettings.of(settings, changes)
    height, width = (size, size) if isinstance(size, int) else size
    fields = {"style": Style.AMERICAN, **(demands or {})}
    fields.setdefault("words", default_words(fields["style"], height, width))
    return make_grids(
        Demands(height, width, **fields), vocabulary, settings, number=number, min_score=min_score
    )


def lay_out(
    words: Sequence[str],
    settings: RunSettings | None = None,
    *,
    box: tuple[int, int] | None = None,
    square: bool = False,
    values: Mapping[str, float] | None = None,
    **changes: Unpack[RunOptions],
) -> LayoutResult:
    """Interlock distinct words in a box of the smallest area, with a proved lower bound.

    With ``square``, in the smallest square instead. With ``box`` (rows, columns), as many of the
    words as possible in that box, or those of the greatest total value; a word that ``values``
    lacks is worth 1. Without a time limit the proof may take hours. Ctrl-C gives the best layout so
    far. Raises ValueError for no words, and for a box and a square at once.
    """
    from satcross.make import Goal, lay_out

    check_texts(words, "the words")
    if not words:
        raise ValueError("there are no words to lay out")
    if box is not None and square:
        raise ValueError("a layout has a box or a square, not both")
    return lay_out(words, settings, goal=Goal(box, square, values or {}), **changes)
