"""PNG pictures are those of CS50, pixel for pixel."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from PIL import ImageChops

from satcross import Grid
from satcross.formats.drawing.png import draw, draw_letters
from satcross.formats.drawing.shapes import Drawing, TextLine

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def test_the_known_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the font is found from any folder
    grid = Grid.from_rows(["_" * 26, "#" * 26, "_" * 26])
    picture = draw_letters(grid.structure, grid.letters([ALPHABET, ALPHABET[::-1]]))
    assert (picture.mode, picture.size) == ("RGBA", (2600, 300))
    assert (
        hashlib.sha256(picture.tobytes()).hexdigest()
        == "3e1d3a76e303e6e72a455ab6f9bdd381ad8aa5e59e00e72438236e6c7667972a"
    )


def test_bold_text_is_a_little_wider() -> None:
    def width(bold: bool) -> int:
        picture = draw(Drawing(100, 100, (TextLine(10, 80, "I", 60, bold=bold),)))
        left, _, right, _ = ImageChops.invert(picture).getbbox() or (0, 0, 0, 0)
        return right - left

    assert width(bold=True) - width(bold=False) == 6  # 3 % of 60 points, in pixels
