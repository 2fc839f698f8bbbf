"""PNG pictures are those of CS50, pixel for pixel."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from satcross import Grid
from satcross.formats.drawing.png import draw, draw_letters
from satcross.formats.drawing.shapes import Drawing, TextLine

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def test_the_known_picture() -> None:
    grid = Grid.from_rows(["_" * 26, "#" * 26, "_" * 26])
    picture = draw_letters(grid.structure, grid.letters([ALPHABET, ALPHABET[::-1]]))
    assert (picture.mode, picture.size) == ("RGBA", (2600, 300))
    assert (
        hashlib.sha256(picture.tobytes()).hexdigest()
        == "3e1d3a76e303e6e72a455ab6f9bdd381ad8aa5e59e00e72438236e6c7667972a"
    )


def test_works_from_any_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    grid = Grid.from_rows(["__#"])
    draw_letters(grid.structure, grid.letters(["HI"])).save(tmp_path / "out.png")
    with Image.open(tmp_path / "out.png") as picture:
        assert picture.size == (300, 100)
        pixels = picture.convert("RGBA")
        assert pixels.getpixel((1, 50)) == (0, 0, 0, 255)
        assert pixels.getpixel((2, 2)) == (255, 255, 255, 255)
        assert pixels.getpixel((98, 98)) == (255, 255, 255, 255)
        assert pixels.getpixel((99, 99)) == (0, 0, 0, 255)
        assert pixels.getpixel((250, 50)) == (0, 0, 0, 255)


def test_bold_text_is_a_little_wider() -> None:
    def width(bold: bool) -> int:
        picture = draw(Drawing(100, 100, (TextLine(10, 80, "I", 60, bold=bold),)))
        left, _, right, _ = ImageChops.invert(picture).getbbox() or (0, 0, 0, 0)
        return right - left

    assert width(bold=True) - width(bold=False) == 6  # 3 % of 60 points, in pixels
