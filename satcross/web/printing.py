"""Print a crossword of the page as PDF."""

from __future__ import annotations

import tempfile
from pathlib import Path

from satcross.formats.drawing import layout, sheet
from satcross.formats.drawing.pdf import write_pages
from satcross.web.files import crossword_from_data
from satcross.web.protocol import Written
from satcross.web.schema import Sheet


def print_pages(order: Sheet) -> Written:
    """Return the PDF of a sheet. Raises InputError for an invalid crossword."""
    crossword, paper = crossword_from_data(order.crossword), layout.PAPERS[order.paper]
    how = sheet.Sheet(order.large, order.name_line, order.word_bank, order.answer_key)
    if order.show == "submission":
        drawings = sheet.submission_pages(crossword, paper, order.address, how)
    else:
        style = "newspaper" if any(crossword.clues.values()) else "puzzle"
        shown = style if order.show == "puzzle" else order.show
        drawings = sheet.puzzle_pages(crossword, shown, paper, how)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pages.pdf")
        write_pages(drawings, path, crossword.title, crossword.author)
        return Written(path.read_bytes(), [])
