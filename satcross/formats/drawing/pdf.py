"""PDF pages of a crossword, written with fpdf2 (LGPL-3.0), which is imported when used."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from satcross.crossword import Crossword
from satcross.formats.drawing import layout, lettering, shapes
from satcross.formats.drawing.lettering import font_bytes, is_packaged
from satcross.formats.drawing.sheet import Sheet, puzzle_pages

if TYPE_CHECKING:
    from fpdf import FPDF

_FONT, _OWN_FONT = "Open Sans", "Own"
_BOLD_STROKE = 0.03  # in ems
_SLANT = 12.0  # of italics, in degrees
_BASELINE = 0.3  # of a cell without height, below its top, in ems


def write_crossword(
    crossword: Crossword, path: Path, style: str, *, paper: str = "a4", sheet: Sheet | None = None
) -> None:
    """Write the pages of a crossword to a PDF file.

    ``style`` is one of ``registry.STYLES``; without a ``sheet``, the style "newspaper" ends with a
    page for the solution if the crossword has any letter. ``paper`` is a key of ``layout.PAPERS``.
    The same crossword always gives the same bytes.
    """
    sheet = sheet or Sheet(answer_key=style == "newspaper")
    drawings = puzzle_pages(crossword, style, layout.PAPERS[paper], sheet)
    write_pages(drawings, path, crossword.title, crossword.author)


def write_pages(drawings: list[shapes.Drawing], path: Path, title: str, author: str) -> None:
    """Write drawings to a PDF file, one page for each."""
    from fpdf import FPDF

    pdf = FPDF(unit="pt")
    pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))  # so that equal input gives equal bytes
    pdf.set_title(title or "Crossword")
    if author:
        pdf.set_author(author)
    pdf.set_creator("satcross")
    pdf.set_auto_page_break(False)
    pdf.c_margin = 0
    with TemporaryDirectory() as folder:  # fpdf takes a font only from a file
        for name, packaged in ((_FONT, True), *([] if is_packaged() else [(_OWN_FONT, False)])):
            font = Path(folder) / f"{name}.ttf"
            font.write_bytes(font_bytes(packaged=packaged))
            pdf.add_font(name, fname=str(font))
        for drawing in drawings:
            pdf.add_page(format=(drawing.width, drawing.height))
            for item in drawing.items:
                _draw(pdf, item)
        pdf.output(str(path))


def _draw(pdf: FPDF, item: shapes.Item) -> None:
    if isinstance(item, shapes.Box):
        pdf.set_fill_color(item.fill)
        if item.edge is None:
            pdf.rect(item.x, item.y, item.width, item.height, style="F")
        else:
            pdf.set_draw_color(item.edge)
            pdf.set_line_width(item.line)
            pdf.rect(item.x, item.y, item.width, item.height, style="DF")
    elif isinstance(item, shapes.Ring):
        pdf.set_draw_color(item.colour)
        pdf.set_line_width(item.line)
        pdf.circle(item.x, item.y, item.radius)
    elif isinstance(item, shapes.Stroke):
        pdf.set_draw_color(item.colour)
        pdf.set_line_width(item.line)
        pdf.line(item.x1, item.y1, item.x2, item.y2)
    elif isinstance(item, shapes.Polygon):
        pdf.set_fill_color(item.fill)
        pdf.polygon(list(item.points), style="F")
    else:
        for piece in item.pieces():
            _draw_text(pdf, piece)


def _draw_text(pdf: FPDF, item: shapes.TextLine) -> None:
    text = lettering.printable(item.text)
    x = item.x - item.share_before * shapes.text_width(text, item.size)
    pdf.set_font(_FONT if is_packaged(item.text) else _OWN_FONT, size=item.size)
    pdf.set_text_color(item.colour)
    with ExitStack() as stack:
        if item.bold:
            pdf.set_draw_color(item.colour)
            pdf.set_line_width(item.size * _BOLD_STROKE)
            stack.enter_context(pdf.local_context(text_mode="FILL_STROKE"))
        if item.italic:
            stack.enter_context(pdf.skew(ax=_SLANT, x=x, y=item.y))
        _write(pdf, x, item, text)


def _write(pdf: FPDF, x: float, item: shapes.TextLine, text: str) -> None:
    """Write a line of text, with its letters joined and in order if uharfbuzz is installed."""
    if not lettering.needs_shaping(text) or find_spec("uharfbuzz") is None:
        pdf.text(x, item.y, text)
        return
    pdf.set_text_shaping(True, direction="rtl" if lettering.runs_left(text) else None)
    pdf.set_xy(x, item.y - _BASELINE * item.size)
    pdf.cell(0, 0, text)
    pdf.set_text_shaping(False)
