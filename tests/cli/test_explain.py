"""``satcross explain`` as somebody at a shell sees it."""

from __future__ import annotations

import json
from pathlib import Path

from helpers import DATA, answer
from PIL import Image

from satcross.cli import FILLED, UNKNOWN
from satcross.solving.explain.picture import AT_CROSSING, IN_SLOT, LETTER

UNFILLABLE = DATA / "unfillable"


def example(name: str) -> tuple[str, str]:
    return str(UNFILLABLE / f"{name}.structure.txt"), str(UNFILLABLE / f"{name}.words.txt")


def test_an_explanation(tmp_path: Path) -> None:
    assert answer(tmp_path, "explain", *example("no-support"), "--png", "why.png") == (
        FILLED,
        """\
1A and 2D can't be filled together.

  1A can only be CABIN, MUSIC, ROBOT or TABLE.
  2D needs a word of 4 letters with B or S in position 1 (because of 1A): there is none.

Each part is needed: leave out any one, and the remaining parts can be met.

What would help (each tried, and then there is a fill):
  block r1c5
""",
        "",
    )
    with Image.open(tmp_path / "why.png") as picture:
        assert picture.size == (500, 400)
        assert picture.getpixel((50, 90)) == IN_SLOT
        assert picture.getpixel((250, 90)) == AT_CROSSING
        assert picture.getpixel((50, 150)) == (0, 0, 0)


def test_json(tmp_path: Path) -> None:
    code, out, _ = answer(tmp_path, "explain", *example("needs-a-repeat"), "--json")
    data = json.loads(out)
    assert code == FILLED
    assert (data["status"], data["minimal"]) == ("unfillable", True)
    assert [(part["kind"], part.get("slot")) for part in data["parts"]] == [
        ("slot", "1A"),
        ("slot", "1D"),
        ("no repeats", None),
    ]
    assert data["parts"][2]["fill_without_it"]["1A"] == data["parts"][2]["fill_without_it"]["1D"]
    assert data["suggestions"][0]["kind"] == "allow-repeats"
    assert len(set(data["suggestions"][0]["fill"].values())) == 3


def test_locks_and_letters(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("___\n_#_\n__E\n")
    (tmp_path / "w.txt").write_text("cat\ncub\nbed\ntod\n")
    code, out, _ = answer(tmp_path, "explain", "s.txt", "w.txt", "--letters", "--png", "why.png")
    assert code == FILLED
    assert "given the given letter" not in out
    assert "the letter E given in r3c3" in out
    assert "drop the given letter E in r3c3" in out
    with Image.open(tmp_path / "why.png") as picture:
        assert picture.getpixel((210, 210)) == LETTER
    (tmp_path / "s.txt").write_text("___\n_#_\n___\n")
    code, out, _ = answer(
        tmp_path, "explain", "s.txt", "w.txt", "--lock", "1a=tod", "--no-suggestions"
    )
    assert "1A locked to TOD" in out
    assert "What would help" not in out


def test_a_fillable_puzzle_is_said_to_be(tmp_path: Path) -> None:
    files = (str(DATA / "structure1.txt"), str(DATA / "words1.txt"))
    code, out, _ = answer(tmp_path, "explain", *files, "--png", "why.png")
    assert (code, out.startswith("There is nothing to explain")) == (FILLED, True)
    assert not (tmp_path / "why.png").exists()


def test_unknown(tmp_path: Path) -> None:
    grid = str(DATA / "grids" / "15x15-72.txt")
    code, out, _ = answer(tmp_path, "explain", grid, "--time-limit", "0.001")
    assert (code, out) == (UNKNOWN, "Unknown: time limit.\n")
