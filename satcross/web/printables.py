"""Jobs that make a codeword, a fill-in or an arrowword, or its page to solve and its PDF."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import Text
from satcross.formats.words import DEFAULT_LIST
from satcross.grid import Grid
from satcross.make.pattern.library import standard_grid, standard_names
from satcross.make.puzzles.arrow_clues import read_clue_book, read_clued_list
from satcross.make.puzzles.arrow_making import make_arrowword, read_picture
from satcross.make.puzzles.codeword import make_codeword
from satcross.make.puzzles.files import parse_puzzle, puzzle_to_data, write_puzzle
from satcross.make.puzzles.fill_in import make_fill_in
from satcross.make.puzzles.printed import Printed, filled, is_filled
from satcross.run_settings import OnProgress, RunSettings, TimeUp
from satcross.vocabulary import Vocabulary
from satcross.web import schema
from satcross.web.files import crossword_from_data, crossword_to_data

_PICTURE = "4x4@top-right"


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
