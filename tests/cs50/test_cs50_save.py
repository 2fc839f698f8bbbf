"""save: the picture, pixel for pixel."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import ROOT

from satcross.cs50 import CrosswordCreator, Variable

Image = pytest.importorskip("PIL.Image")

Make = Callable[..., CrosswordCreator]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLACK, WHITE = (0, 0, 0, 255), (255, 255, 255, 255)


@pytest.mark.skipif(
    tuple(map(int, Image.__version__.split(".")[:2])) < (9, 4),
    reason="Pillow placed letters differently before 9.4",
)
def test_the_known_picture(make: Make, tmp_path: Path) -> None:
    creator = make(["_" * 26, "#" * 26, "_" * 26])
    name = tmp_path / "sample.png"
    creator.save(
        {Variable(0, 0, "across", 26): LETTERS, Variable(2, 0, "across", 26): LETTERS[::-1]},
        str(name),
    )
    with Image.open(name) as picture:
        assert (picture.size, picture.mode) == ((2600, 300), "RGBA")
        assert (
            hashlib.sha256(picture.tobytes()).hexdigest()
            == "3e1d3a76e303e6e72a455ab6f9bdd381ad8aa5e59e00e72438236e6c7667972a"
        )


def test_cells_without_letters(make: Make, tmp_path: Path) -> None:
    name = tmp_path / "blank.png"
    make(["__", "#_"]).save({}, str(name))
    with Image.open(name) as picture:
        assert (picture.size, picture.mode) == ((200, 200), "RGBA")
        # An open cell is white from 2 to 98, both included; between two of them lie three pixels.
        line = [picture.getpixel((x, 50)) for x in range(200)]
        assert line == [WHITE if 2 <= x % 100 <= 98 else BLACK for x in range(200)]
        assert {picture.getpixel((x, 150)) for x in range(100)} == {BLACK}
        column = [picture.getpixel((150, y)) for y in range(200)]
        assert column == [WHITE if 2 <= y % 100 <= 98 else BLACK for y in range(200)]


def test_the_working_directory_does_not_matter(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    creator = make(["__"])
    monkeypatch.chdir(tmp_path)
    creator.save({Variable(0, 0, "across", 2): "AB"}, "here.png")
    assert (tmp_path / "here.png").exists()


def test_without_our_font_the_course_s_own_copy_serves(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satcross.formats.drawing import lettering as fonts_module

    creator = make(["__"])
    fill = {Variable(0, 0, "across", 2): "AB"}
    creator.save(fill, str(tmp_path / "ours.png"))
    monkeypatch.setattr(fonts_module, "files", lambda package: tmp_path / "only .py files")
    monkeypatch.chdir(tmp_path)
    fonts_module.use_font(None)  # forgets the fonts that are open
    try:
        fonts = tmp_path / "assets" / "fonts"
        fonts.mkdir(parents=True)
        font = "OpenSans-Regular.ttf"
        shutil.copy(ROOT / "satcross" / "resources" / font, fonts / font)
        creator.save(fill, "theirs.png")
    finally:
        fonts_module.use_font(None)  # forgets the fonts that are open
    with Image.open("ours.png") as ours, Image.open("theirs.png") as theirs:
        assert ours.tobytes() == theirs.tobytes()


def test_the_extension_chooses_the_format(make: Make, tmp_path: Path) -> None:
    creator = make(["__"])
    creator.save({}, str(tmp_path / "grid.gif"))
    with Image.open(tmp_path / "grid.gif") as picture:
        assert picture.format == "GIF"
    with pytest.raises(OSError, match="JPEG"):  # JPEG has no transparency
        creator.save({}, str(tmp_path / "grid.jpg"))
    with pytest.raises(ValueError, match="extension"):
        creator.save({}, str(tmp_path / "grid.unknown"))


def test_pillow_is_imported_by_save_only() -> None:
    code = "import sys, satcross.cs50; sys.exit('PIL' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
