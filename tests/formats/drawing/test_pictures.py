"""Crosswords as pictures and printed pages: positions and contents of what is drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from helpers import DATA, load_grid
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops
from pypdf import PdfReader
from strategies import crosswords

from satcross import Crossword, Grid, InputError, write_crossword
from satcross.crossword import ITALIC, UPRIGHT, Clue
from satcross.formats.drawing.bars import draw_bars
from satcross.formats.drawing.cells import draw_cells
from satcross.formats.drawing.layout import (
    A4,
    LETTER,
    newspaper_drawing,
    newspaper_pages,
    style_drawing,
)
from satcross.formats.drawing.lettering import clean
from satcross.formats.drawing.png import draw
from satcross.formats.drawing.shapes import BLACK, Box, Drawing, Item, TextLine, text_width, wrap
from satcross.formats.drawing.sheet import bank
from satcross.formats.drawing.svg import crossword_svg, describe
from satcross.formats.drawing.terminal import draw_terminal
from satcross.formats.html import crossword_page
from satcross.formats.registry import STYLES
from satcross.support.texts import in_language

GOLDEN = Path(__file__).parent / "golden"

SAMPLE = Crossword(
    Grid(("#___#", "_É___", "_____", "_____", "#___#"), circled=frozenset({(0, 1), (2, 2)})),
    ((None, *"BAR", None), (*"SÉMEY",), (*"ABU", None, "E"), (*"YESES",), (None, *"SET", None)),
    {"1A": "Where drinks are <served> & drunk", "4A": "Like this one", "2D": "Beaten at chess"},
    title="A Sample",
    author="N. N.",
    copyright="\N{COPYRIGHT SIGN} nobody",
    notes="Mind the circles.",
    date="2024-02-29",
)

CLUES = (
    "Sea eagle",
    "One whose work is taxing?",
    "Lump in the throat",
    "What a student might pull before a big exam, informally",
    "Stop on a long railway, and the largest city east of a deep lake",
)


def large(name: str, clues: tuple[str, ...] = CLUES) -> Crossword:
    """Return an included grid with clues as long as those of newspapers."""
    grid = load_grid(DATA / "grids" / f"{name}.txt")
    asked = {slot.name: clues[n % len(clues)] for n, slot in enumerate(grid.slots)}
    letters = tuple(tuple(None if c == "#" else "E" for c in row) for row in grid.rows)
    return Crossword(grid, letters, asked, title="Large", author="N. N.")


# SVG


@pytest.mark.parametrize("style", STYLES)
def test_golden_svg(style: str) -> None:
    golden = (GOLDEN / f"sample-{style}.svg").read_text(encoding="utf-8")
    assert crossword_svg(SAMPLE, style) == golden


def test_the_text_alternative_gives_away_no_more_than_the_picture() -> None:
    assert "Row 2: empty, É, 3 empty." in describe(SAMPLE, "puzzle")
    assert "Row 3: 2 empty, empty circled, 2 empty." in describe(SAMPLE, "newspaper")
    assert "Row 3: A, B, U circled, empty, E." in describe(SAMPLE, "solution")
    assert "1. Where drinks are <served> & drunk;" in describe(SAMPLE, "newspaper")
    assert "drinks" not in describe(SAMPLE, "puzzle")


# What is drawn


def words_of(items: tuple[Item, ...]) -> str:
    """Return all text in drawing order, without blanks, because lines may break anywhere."""
    return "".join("".join(item.text for item in items if isinstance(item, TextLine)).split())


def test_styles_show_what_they_say() -> None:
    drawn = {style: words_of(style_drawing(SAMPLE, style).items) for style in STYLES}
    assert drawn["fill"] == "BARSÉMEYABUEYESESSET"
    assert drawn["puzzle"] == "1234É5678"
    assert drawn["solution"] == "1B2A3R4SÉME5Y6ABUE7YESES8SET"
    assert "1Wheredrinksare<served>&drunk" in drawn["newspaper"]
    assert "5(3letters)" in drawn["newspaper"]  # this slot has no clue
    assert "BAR" not in drawn["newspaper"]


def test_notes_keep_their_lines() -> None:
    noted = replace(SAMPLE, notes="First.\n\nSecond.")
    lines = [item.text for item in newspaper_drawing(noted).items if isinstance(item, TextLine)]
    assert lines.index("Second.") == lines.index("First.") + 1


def test_text_is_measured_as_it_is_drawn() -> None:
    for character in "\N{GRINNING FACE}\u4e2d\u05d0":
        assert text_width(character, 10) == text_width("\N{REPLACEMENT CHARACTER}", 10)


def test_bold_text_is_a_little_wider() -> None:
    def width(bold: bool) -> int:
        picture = draw(Drawing(100, 100, (TextLine(10, 80, "I", 60, bold=bold),)))
        left, _, right, _ = ImageChops.invert(picture).getbbox() or (0, 0, 0, 0)
        return right - left

    assert width(bold=True) - width(bold=False) == 6  # 3 % of 60 points, in pixels


def test_blocks_are_left_out_where_they_are_most_cells() -> None:
    loose = Crossword.of(Grid(("_____", "_####", "_####", "_####")))
    boxes = [item for item in style_drawing(loose, "puzzle").items if isinstance(item, Box)]
    assert len(boxes) == 8
    filled = [item for item in style_drawing(SAMPLE, "puzzle").items if isinstance(item, Box)]
    assert len(filled) == 25


def test_a_hole_among_words_is_black_and_not_left_out() -> None:
    loose = Crossword.of(Grid(("___####", "_#_####", "___####")))
    boxes = [item for item in style_drawing(loose, "puzzle").items if isinstance(item, Box)]
    assert len(boxes) == 8 + 1
    assert sum(box.fill == BLACK for box in boxes) == 1
    assert crossword_page(loose).count('class="block"') == 1


def check_inside(drawing: Drawing, margin: float = 0) -> None:
    """Check that nothing lies outside the page and no clue runs into the next column."""
    for item in drawing.items:
        if isinstance(item, TextLine) and item.anchor == "start":
            assert item.x >= margin
            assert item.x + text_width(item.text, item.size) <= drawing.width - margin + 0.01
            assert item.size <= item.y <= drawing.height
        elif isinstance(item, Box):
            assert min(item.x, item.y) >= margin
            assert item.x + item.width <= drawing.width - margin + 0.01
            assert item.y + item.height <= drawing.height - margin + 0.01


def columns(drawing: Drawing) -> tuple[TextLine, ...]:
    """Return the clues and their numbers; numbers are the right-aligned texts."""
    texts = [item for item in drawing.items if isinstance(item, TextLine)]
    sizes = {item.size for item in texts if item.anchor == "end"}
    return tuple(item for item in texts if item.size in sizes)


@pytest.mark.parametrize(
    ("name", "paper"),
    [("9x9-a", A4), ("15x15-78", LETTER), ("15x15-66", A4), ("21x21-140", LETTER)],
)
@pytest.mark.parametrize("clues", [CLUES, (" ".join(CLUES), *CLUES), ("Short",)])
def test_pages_hold_every_clue_once_and_nothing_overlaps(
    name: str, clues: tuple[str, ...], paper: tuple[float, float]
) -> None:
    crossword = large(name, clues)
    pages = newspaper_pages(crossword, paper)
    for page in pages:
        check_inside(page, margin=40)
        boxes = [item for item in page.items if isinstance(item, Box)]
        lines = [item for item in columns(page) if item.anchor == "start"]
        assert lines
        for line in lines:
            right = line.x + text_width(line.text, line.size)
            for box in boxes:
                below = line.y - line.size > box.y + box.height or line.y < box.y
                assert below or right <= box.x or line.x >= box.x + box.width
        places = sorted((line.x, line.y) for line in lines)
        for (x, y), (other_x, other_y) in pairwise(places):
            assert other_x - x > 1 or other_y - y >= 7.5
    text = "".join(words_of(columns(page)) for page in pages)
    for slot in crossword.grid.slots:
        asked = "".join(crossword.clues[slot.name].split())
        assert f"{slot.name[:-1]}{asked}" in text


def test_a_small_crossword_takes_a_page_and_a_hundred_long_clues_take_more() -> None:
    assert len(newspaper_pages(SAMPLE, A4)) == 1
    [page] = newspaper_pages(large("15x15-78"), A4)
    left = min(item.x for item in page.items if isinstance(item, Box))
    numbers = {item.x for item in columns(page) if item.anchor == "end"}
    assert any(left - 42.5 + min(numbers) == pytest.approx(x) for x in numbers)  # above a column
    assert len(newspaper_pages(large("15x15-78"), (400.0, 400.0))) > 2


@settings(max_examples=40)
@given(crossword=crosswords(text=st.text(max_size=3000)))
def test_any_crossword_can_be_set(crossword: Crossword) -> None:
    for drawing in (newspaper_drawing(crossword), *newspaper_pages(crossword, LETTER)):
        check_inside(drawing)


@given(text=st.text(max_size=60), width=st.floats(12, 200))
def test_broken_lines_fit_and_lose_nothing(text: str, width: float) -> None:
    lines = wrap(text, 10, width)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())
    assert all(text_width(line, 10) <= width or len(line) == 1 for line in lines)


# Files


def test_png_pixels(folder: Path) -> None:
    write_crossword(SAMPLE, folder / "sample.png", "puzzle")
    with Image.open(folder / "sample.png") as picture:
        assert picture.size == (507, 507)  # 100 pixels per cell, and a border
        assert picture.getpixel((50, 50)) == (0, 0, 0)
        assert picture.getpixel((250, 50)) == (255, 255, 255)
        ring = [picture.getpixel((x, 253)) for x in range(203, 215)]
        assert any(pixel not in ((255, 255, 255), (0, 0, 0)) for pixel in ring)
        for left, inked in ((103, True), (253, False)):  # a number's corner; the middle of a cell
            area = picture.crop((left + 5, 5, left + 30, 40)).convert("L")
            assert (min(area.tobytes()) < 60) == inked


@settings(max_examples=25)
@given(crossword=crosswords(text=st.text(max_size=40)), style=st.sampled_from(STYLES))
def test_any_crossword_can_be_written(folder: Path, crossword: Crossword, style: str) -> None:
    for extension in (".png", ".pdf", ".svg"):
        lost = write_crossword(crossword, folder / f"any{extension}", style)
        assert all("lacks" in remark or "satcross[scripts]" in remark for remark in lost)
    with Image.open(folder / "any.png") as picture:
        picture.load()
    root = ET.parse(folder / "any.svg").getroot()
    assert root.get("role") == "img"
    title, text = (root.find(f"{{http://www.w3.org/2000/svg}}{tag}") for tag in ("title", "desc"))
    assert title is not None
    assert text is not None
    assert root.get("aria-labelledby") == f"{title.get('id')} {text.get('id')}"
    assert f"{crossword.grid.height} rows" in (text.text or "")
    known = any(letter for row in crossword.solution for letter in row)
    assert len(PdfReader(folder / "any.pdf").pages) == 1 + (style == "newspaper" and known)


@pytest.mark.parametrize(("paper", "size"), [("a4", A4), ("letter", LETTER)])
def test_pdf_has_the_puzzle_and_then_the_solution(
    folder: Path, paper: str, size: tuple[float, float]
) -> None:
    path = folder / f"{paper}.pdf"
    assert write_crossword(SAMPLE, path, paper=paper) == []
    puzzle, solution = PdfReader(path).pages
    assert [float(side) for side in puzzle.mediabox[2:]] == pytest.approx(size, abs=0.01)
    text = puzzle.extract_text()
    assert "Where drinks are <served> & drunk" in " ".join(text.split())
    assert "É" in text
    assert "Solution" not in text
    text = solution.extract_text()
    assert "A Sample: solution" in text
    assert sum(text.count(letter) for letter in "BRY") == 5
    first = path.read_bytes()
    write_crossword(SAMPLE, path, paper=paper)
    assert path.read_bytes() == first


def test_italics_are_printed(folder: Path) -> None:
    title = Clue(f"{ITALIC}{'The long title of a play ' * 4}{UPRIGHT}, briefly")
    crossword = replace(SAMPLE, clues={"1A": title})
    page = newspaper_drawing(crossword)
    lines = [item for item in page.items if isinstance(item, TextLine) and ITALIC in item.text]
    assert len(lines) > 1
    for line in lines:
        first, *others = line.pieces()
        assert (first.text, first.italic, first.x) == ("", False, line.x)
        assert [piece.italic for piece in others] == [True, False]
        assert [piece.x for piece in others] == sorted(piece.x for piece in others)
    assert crossword_svg(crossword, "newspaper").count('font-style="italic"') == len(lines)
    write_crossword(crossword, folder / "leaning.pdf", "newspaper")
    text = " ".join(PdfReader(folder / "leaning.pdf").pages[0].extract_text().split())
    assert str(title) in text
    pictures = []
    for name, clue in (("leaning", title), ("upright", str(title))):
        path = folder / f"{name}.png"
        write_crossword(replace(crossword, clues={"1A": clue}), path, "newspaper")
        pictures.append(path.read_bytes())
    assert pictures[0] != pictures[1]


def test_a_word_bank_is_sorted_as_its_language_sorts() -> None:
    words = {"1A": "ÄPFEL", "2A": "APRIL", "3A": "ZUG"}
    crossword = Crossword.of(Grid(("_____#_____#___",)), words)
    for language, expected in (("de", "ÄPFEL APRIL ZUG"), ("sv", "APRIL ZUG ÄPFEL")):
        with in_language(language):
            assert bank(crossword) == expected.split()


def test_what_the_font_lacks_is_told(folder: Path) -> None:
    crossword = replace(SAMPLE, clues={"1A": "A star: ★", "4A": "Ελληνικά, русский, Việt: “ok”"})
    for extension in (".png", ".pdf"):
        lost = write_crossword(crossword, folder / f"font{extension}", "newspaper")
        assert lost == ["characters that the embedded font lacks: ★; --font names another"]
    assert write_crossword(crossword, folder / "font.svg", "newspaper") == []


def test_a_paper_or_style_we_do_not_know(folder: Path) -> None:
    with pytest.raises(InputError, match=r"there is no paper 'a9'; choose a4, letter$"):
        write_crossword(SAMPLE, folder / "a.pdf", paper="a9")
    with pytest.raises(InputError, match="there is no style 'postcard'; choose fill, puzzle"):
        write_crossword(SAMPLE, folder / "a.pdf", "postcard")
    assert not (folder / "a.pdf").exists()


# Other formats


def test_terminal() -> None:
    lines = draw_terminal(SAMPLE).splitlines()
    plain = ["".join(part.partition("m")[2] for part in line.split("\x1b[")) for line in lines]
    assert plain[:4] == [
        "    1   2   3       ",
        "     B   A   R      ",
        "4               5   ",
        " S   É   M   E   Y  ",
    ]


def test_bars_are_as_high_as_their_values_and_labelled_in_four_characters() -> None:
    def bars(*values: int) -> Image.Image:
        return draw_bars([("Words", [("", value) for value in values])])

    whole, half, nothing = (
        bytes(bars(1000, 500, 0).crop((x, 0, x + 1, 420)).tobytes()).count(bytes((0, 114, 178)))
        for x in (180, 500, 820)
    )
    assert whole // 2 == pytest.approx(half, abs=1)
    assert nothing == 0 < half
    assert bars(0).size == (1000, 420)
    assert bars(9000) != bars(9400) == bars(9440)
    assert bars(10_000) == bars(10_400)


def test_letters_are_white_on_dark_cells() -> None:
    for red, white in ((169, True), (170, False)):  # a brightness below 110, and of 110
        picture = draw_cells(Grid(("__",)), {(0, 0): (red, 100, 0)}, {(0, 0): "A"}, {})
        inside = picture.crop((5, 5, 90, 90)).convert("L").tobytes()
        assert (max(inside) > 200, min(inside) < 60) == (white, not white)


def test_notebooks() -> None:
    from satcross import Puzzle, Vocabulary, solve

    grid = Grid.from_rows(["___", "_#_", "___"])
    assert "Row 1: 3 empty." in grid._repr_svg_()
    assert "Row 1: B, A, R." not in SAMPLE._repr_svg_()  # with clues it is a page to solve
    assert "Where drinks are" in SAMPLE._repr_svg_()
    outcome = solve(Puzzle(grid, Vocabulary(["CAT", "CUB", "BED", "TOD"]), {"1A": "CUB"}))
    assert "Row 1: C, U, B." in (outcome._repr_svg_() or "")
    assert Crossword.of(grid, outcome.fill)._repr_svg_() == outcome._repr_svg_()
    nothing = solve(Puzzle(grid, Vocabulary(["CAT"])), "backtrack")
    assert nothing._repr_svg_() is None
