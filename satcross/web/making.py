"""Jobs that make a pattern of blocks or a layout of words, or answer clues."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.clues import parse_clued_words
from satcross.formats.drawing.layout import PAPERS
from satcross.formats.drawing.sheet import Sheet, printed_cell
from satcross.formats.entries import letters_of
from satcross.formats.files import Text
from satcross.grid.styles import MIN_WORD_LENGTH, Style
from satcross.make.layout.layout import Layout
from satcross.make.layout.layout import describe as describe_layout
from satcross.make.layout.smallest import lay_out, lay_out_for_page
from satcross.make.pattern.demands import Demands, Symmetry, default_words
from satcross.make.pattern.fillable import make_grids
from satcross.make.pattern.report import find_advice, why_none
from satcross.run_settings import STOPPED, TIME_LIMIT, Deadline, OnProgress, RunSettings
from satcross.vocabulary import Vocabulary
from satcross.web.files import crossword_from_data, crossword_to_data
from satcross.web.limits import MAX_ROWS
from satcross.web.protocol import for_the_page
from satcross.web.schema import Answer, Pattern, SetUp
from satcross.web.schema import Layout as LayoutRequest


def make_layout(request: LayoutRequest, on_progress: OnProgress) -> dict[str, object]:
    """Interlock the words of a text with one word, and perhaps its clue, per line.

    Returns ``reason``, a sentence, and ``crossword``, or None if there is none. Raises
    InputError for a line without a word, and for a layout that is larger than the page's grids.
    """
    given = parse_clued_words(Text("the list", request.words, ()))

    def crossword_of(layout: Layout) -> Crossword:
        return replace(layout.crossword(given.clues), language=request.language)

    def size_of_cells(layout: Layout) -> float:
        return printed_cell(crossword_of(layout), PAPERS[request.paper or "a4"], Sheet())

    way = lay_out if request.paper is None else partial(lay_out_for_page, cell_of=size_of_cells)
    settings = RunSettings(request.seconds, request.seed, on_progress=on_progress)
    found = way(list(given.clues), settings)
    layout = found.layout
    if layout is not None and max(layout.height, layout.width) > MAX_ROWS:
        raise InputError(
            f"the layout has {layout.height} rows and {layout.width} columns",
            f"use fewer words: this page has grids of at most {MAX_ROWS} rows and columns",
        )
    return {
        "reason": describe_layout(found),
        "crossword": None if layout is None else crossword_to_data(crossword_of(layout)),
        "notes": list(map(for_the_page, given.notes)),
    }


def make_pattern(
    request: Pattern, vocabulary: Vocabulary, on_progress: OnProgress
) -> dict[str, object]:
    """Make a pattern of blocks with the entries of the request that the vocabulary can fill.

    Returns ``reason``, a sentence if there is none, and ``rows`` with the letters of the entries,
    or None. Raises InputError for entries that no such grid has.
    """
    demands, deadline = _demands(request), Deadline.after(request.seconds)
    # On a busy computer, the limit by processor time comes after the server's by the clock.
    result = make_grids(
        demands,
        vocabulary,
        min_score=request.min_score,
        seed=request.seed,
        time_limit=request.seconds,
        should_stop=lambda: deadline.passed,
        on_progress=on_progress,
    )
    if result.reason == STOPPED:
        result = replace(result, reason=TIME_LIMIT)
    reason = why_none(demands, result, find_advice(demands, result, on_progress))
    rows = list(result.grids[0].pattern.rows_with_entries()) if result.grids else None
    return {"reason": reason, "rows": rows}


def _demands(request: Pattern) -> Demands:
    height, width = request.height, request.width
    style = Style(request.style)
    entries = tuple(letters_of(entry, fold=True) for entry in request.entries)
    for word in entries:
        if not word.isalpha() or not MIN_WORD_LENGTH <= len(word) <= max(height, width):
            raise InputError(
                f"{word!r} is no entry of this grid",
                f"give words of {MIN_WORD_LENGTH} to {max(height, width)} letters",
            )
    if len(set(entries)) < len(entries):
        raise InputError("an entry is given twice", "drop one of the two")
    min_words, max_words = default_words(style, height, width)
    if request.max_words is not None:  # a symmetric pattern may need an even number of words
        min_words, max_words = min(min_words, request.max_words - 2), request.max_words
    return Demands(
        height,
        width,
        (min_words, max_words),
        entries=entries,
        style=style,
        symmetry=Symmetry(request.symmetry),
        max_blocks=request.max_blocks,
        keep_symmetry=True,
    )


def answer_clues(
    request: Answer, vocabulary: Vocabulary, on_progress: OnProgress
) -> dict[str, object]:
    """Answer a crossword from its clues, as ``satcross answer --json`` prints it."""
    from satcross.answer.clue import SourceSettings
    from satcross.answer.report.json import session_to_data
    from satcross.answer.session import AnswerSettings, answer_crossword

    crossword = crossword_from_data(request.crossword)
    if not any(crossword.clues.values()):
        raise InputError("the crossword has no clues", "write some under Clues, or import a puzzle")
    session = answer_crossword(
        crossword,
        SourceSettings(vocabulary),
        AnswerSettings(
            locks=request.locks,
            source_seconds=request.seconds * 0.75,
            seconds=request.seconds * 0.25,
            on_progress=on_progress,
        ),
    )
    return session_to_data(session, crossword, None, top=request.max_candidates)


def set_up(request: SetUp, on_progress: OnProgress) -> dict[str, object]:
    """Set a dictionary up, as ``satcross sources setup`` does; return what is ready then."""
    from satcross.answer.dictionaries.prepare import DICTIONARIES

    path = DICTIONARIES[request.source].make(None, on_progress)
    return {"ready": request.source, "megabytes": round(path.stat().st_size / 1e6, 1)}
