"""Jobs that make a layout, a pattern or a printed puzzle, answer clues, or set a dictionary up."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.clues import parse_clued_words
from satcross.formats.drawing.layout import PAPERS
from satcross.formats.drawing.sheet import Sheet, printed_cell
from satcross.formats.entries import letters_of
from satcross.formats.files import Text
from satcross.formats.words import DEFAULT_LIST
from satcross.grid import Grid
from satcross.grid.styles import MIN_WORD_LENGTH, Style
from satcross.make.layout.layout import Layout
from satcross.make.layout.layout import describe as describe_layout
from satcross.make.layout.smallest import lay_out, lay_out_for_page
from satcross.make.pattern.demands import Demands, Symmetry, default_words
from satcross.make.pattern.fillable import make_grids
from satcross.make.pattern.library import standard_grid, standard_names
from satcross.make.pattern.report import find_advice, why_none
from satcross.make.puzzles.arrow_clues import read_clue_book, read_clued_list
from satcross.make.puzzles.arrow_making import make_arrowword, read_picture
from satcross.make.puzzles.codeword import make_codeword
from satcross.make.puzzles.files import parse_puzzle, puzzle_to_data, write_puzzle
from satcross.make.puzzles.fill_in import make_fill_in
from satcross.make.puzzles.printed import Printed, filled, is_filled
from satcross.run_settings import STOPPED, TIME_LIMIT, Deadline, OnProgress, RunSettings, TimeUp
from satcross.vocabulary import Vocabulary
from satcross.web import schema
from satcross.web.files import crossword_from_data, crossword_to_data
from satcross.web.limits import MAX_ROWS
from satcross.web.protocol import for_the_page

_PICTURE = "4x4@top-right"


def make_layout(request: schema.Layout, on_progress: OnProgress) -> dict[str, object]:
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
    request: schema.Pattern, vocabulary: Vocabulary, on_progress: OnProgress
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


def _demands(request: schema.Pattern) -> Demands:
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
    request: schema.Answer, vocabulary: Vocabulary, on_progress: OnProgress
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


def set_up(request: schema.SetUp, on_progress: OnProgress) -> dict[str, object]:
    """Set a dictionary up, as ``satcross sources setup`` does; return what is ready then."""
    from satcross.answer.dictionaries.prepare import DICTIONARIES

    path = DICTIONARIES[request.source].make(None, on_progress)
    return {"ready": request.source, "megabytes": round(path.stat().st_size / 1e6, 1)}


def make_printable(
    request: schema.PrintedJob, vocabulary: Vocabulary, on_progress: OnProgress
) -> schema.PrintedPuzzle:
    """Make a puzzle of the request. Raises InputError, also when none is found in time."""
    settings = RunSettings(request.seconds, request.seed, on_progress=on_progress)
    try:
        if isinstance(request, schema.Arrowword):
            return _arrowword(request, settings)
        return _of_crossword(request, vocabulary, settings)
    except TimeUp:
        raise InputError(
            "the time was over before the proof that there is one solution", "allow more seconds"
        ) from None


def _of_crossword(
    request: schema.Codeword | schema.FillIn, vocabulary: Vocabulary, settings: RunSettings
) -> schema.PrintedPuzzle:
    is_own = request.grid == schema.OWN_GRID
    if is_own:
        if request.crossword is None:
            raise InputError("the request has no crossword", "send one, or name a standard grid")
        given = crossword_from_data(request.crossword)
    else:
        grid = Grid(standard_grid(standard_names(request.grid, request.seed)[0]))
        given = Crossword.of(grid, {})
    if not (request.lists or is_filled(given)):
        raise InputError("there is no word list to fill the grid from", "choose or add one")
    crossword, remark = filled(given, vocabulary, settings, plain=request.plain)
    if not request.lists and isinstance(request, schema.Codeword):
        remark = "the proof knows no words but those of the crossword, since no list is chosen"
    title, language = request.title or crossword.title, request.language or crossword.language
    crossword = replace(crossword, title=title, language=language)
    puzzle: Printed
    if isinstance(request, schema.Codeword):
        level = None if request.level == "any" else request.level
        puzzle = make_codeword(crossword, vocabulary, settings, level=level)
    else:
        numbers, half = request.numbers, request.diagramless
        puzzle = make_fill_in(crossword, settings, numbers=numbers, diagramless=half)
    return _made(puzzle, [remark] if remark else [], None if is_own else crossword)


def _made(
    puzzle: Printed, remarks: Iterable[str], crossword: Crossword | None
) -> schema.PrintedPuzzle:
    """Return the answer about a puzzle; ``crossword`` is what it was made of, if that is new."""
    said = [puzzle.summary, *(f"{remark[0].upper()}{remark[1:]}." for remark in remarks)]
    made = None if crossword is None else crossword_to_data(crossword)
    return schema.PrintedPuzzle(" ".join(said), puzzle_to_data(puzzle), made)


def _arrowword(request: schema.Arrowword, settings: RunSettings) -> schema.PrintedPuzzle:
    size = request.rows, request.columns
    given = Text("the list", request.words) if request.words.strip() else None
    words = given or read_clued_list(DEFAULT_LIST)
    book = read_clue_book(words, size, request.paper, capitals=request.capitals)
    picture = read_picture(_PICTURE, size) if request.picture else frozenset()
    made = make_arrowword(size, book, settings, picture)
    if made is None:
        raise InputError(
            "no arrowword was found in time",
            "give more words with clues, of two letters above all, or a smaller size",
        )
    crossword = replace(made.crossword, title=request.title, language=request.language)
    return _made(replace(made, crossword=crossword), book.notes, crossword)


def puzzle_files(request: schema.PuzzleFiles) -> dict[str, bytes]:
    """Return the files of a puzzle by their extensions. Raises InputError for what is none."""
    puzzle = parse_puzzle(request.puzzle, "the puzzle")
    if faults := puzzle.faults():
        raise InputError(f"the puzzle is no {puzzle.kind}: {faults[0]}", "make it again")
    # The pattern that a diagramless puzzle hides would be seen on screen.
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for extension in (".pdf",) if puzzle.hides_pattern else (".html", ".pdf"):
            path = Path(folder, f"puzzle{extension}")
            write_puzzle(puzzle, str(path), paper=request.paper)
            found[extension] = path.read_bytes()
    return found
