"""Functions of the public face that put together what several packages do.

``import satcross`` exports them. Each takes a ``RunSettings``, or its fields as keyword arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from satcross.crossword import Crossword
from satcross.deadline import Deadline, TimeUp
from satcross.puzzle import Puzzle
from satcross.run_settings import RunOptions, RunSettings
from satcross.solving.run import MAKE_PUZZLE
from satcross.support.arguments import check_texts, check_type
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from encoders import Clause, Encoding
    from satcross.clues.answer import Session
    from satcross.construct.layout import LayoutResult
    from satcross.construct.pattern import GridResult
    from satcross.proofs import Proof


def answer(
    crossword: Crossword,
    vocabulary: Vocabulary | None = None,
    settings: RunSettings | None = None,
    *,
    sources: Sequence[str] | None = None,
    method: str | None = None,
    locks: Mapping[str, str] | None = None,
    **changes: Unpack[RunOptions],
) -> Session:
    """Answer a crossword from its clues, without looking at its solution.

    ``vocabulary`` (None: the default list) scores candidate words; ``sources`` names where they
    come from (None: those that need no set-up or are set up). The time limit is for choosing words.
    Raises InputError for locks that do not fit and UnavailableError for unknown sources or methods.
    """
    from satcross.clues.answer import AnswerSettings, answer_crossword
    from satcross.clues.choosing.methods import DEFAULT_METHOD
    from satcross.clues.clue import SourceSettings

    check_type(crossword, Crossword, "the crossword", "read one with Crossword.read(path)")
    settings = RunSettings.of(settings, changes)
    return answer_crossword(
        crossword,
        SourceSettings(vocabulary or Vocabulary.read()),
        AnswerSettings(
            sources,
            method or DEFAULT_METHOD,
            locks or {},
            seconds=settings.time_limit,
            on_progress=settings.on_progress,
        ),
    )


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
    fields of ``satcross.construct.Demands``; the number of words is, by default, what is usual at
    that size. Raises ValueError for demands that make no sense.
    """
    from satcross.construct import Demands, Style, default_words, make_grids

    vocabulary = Vocabulary.read() if vocabulary is None else vocabulary
    remedy = "make one with Vocabulary(words); for a size, give (height, width)"
    check_type(vocabulary, Vocabulary, "the vocabulary", remedy)
    settings = RunSettings.of(settings, changes)
    height, width = (size, size) if isinstance(size, int) else size
    fields = {"style": Style.AMERICAN, **(demands or {})}
    fields.setdefault("words", default_words(fields["style"], height, width))
    return make_grids(
        Demands(height, width, **fields),
        vocabulary,
        settings,
        number=number,
        min_score=min_score,
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
    from satcross.construct import Goal, lay_out

    check_texts(words, "the words")
    if not words:
        raise ValueError("there are no words to lay out")
    if box is not None and square:
        raise ValueError("a layout has a box or a square, not both")
    settings = RunSettings.of(settings, changes)
    return lay_out(
        words,
        seed=settings.seed,
        time_limit=settings.time_limit,
        on_progress=settings.on_progress,
        goal=Goal(box, square, values or {}),
    )


def encode(puzzle: Puzzle) -> tuple[list[Clause], Encoding]:
    """Return the support encoding of the puzzle in clauses, and what its variables mean.

    Every word of a slot takes part that its letters and the rules about single words leave.
    ``encoders`` has other encodings.
    """
    check_type(puzzle, Puzzle, "the puzzle", MAKE_PUZZLE)
    from encoders import encode
    from satcross.network.arc_consistency import unpropagated
    from satcross.network.to_encoder import to_instance

    return encode(to_instance(unpropagated(puzzle)))


def prove(
    puzzle: Puzzle,
    prover: str = "search",
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Proof | None:
    """Prove, in the DRAT format, that the puzzle has no fill; None when the time limit passes.

    Raises UnavailableError for an unknown prover, and InternalError when the puzzle has a fill.
    """
    from satcross.proofs import Formula, prove

    check_type(puzzle, Puzzle, "the puzzle", MAKE_PUZZLE)
    settings = RunSettings.of(settings, changes)
    deadline = Deadline.after(settings.time_limit)
    try:
        formula = Formula(puzzle, deadline=deadline)
    except TimeUp:
        return None
    left = None if settings.time_limit is None else deadline.left
    return prove(formula, prover, replace(settings, time_limit=left))
