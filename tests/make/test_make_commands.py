"""``satcross grid``, ``layout``, ``lint`` and ``words`` as somebody at a shell sees them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from helpers import DATA, interrupt_at_work, run, started
from make import plain

from satcross import Grid, Vocabulary
from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.formats.drawing.layout import PAPERS
from satcross.formats.drawing.sheet import Sheet, printed_cell
from satcross.formats.json import crossword_from_data
from satcross.grid.lint import lint
from satcross.grid.styles import Style
from satcross.make.commands.grid import FillFlags
from satcross.make.pattern.library import standard_fills, standard_grid

WORDS = "cat\tIt purrs\nrote\tBy heart\ntea;Hot drink\nice age\tCold time\nace\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.txt").write_text(WORDS)
    (tmp_path / "list.txt").write_text("cat;5\ncat;9\nice cream\nbat;80\nhouse\n")
    return tmp_path


def test_a_grid_can_be_solved(folder: Path) -> None:
    result = run(folder, "grid", "--size", "9", "--entry", "crossword", "g.txt", "--fill", "g.png")
    assert result.returncode == FILLED
    written = (folder / "g.txt").read_text()
    assert result.stdout.decode().splitlines() == written.splitlines()
    assert written.startswith("satcross grid\n")
    assert (folder / "g.png").read_bytes().startswith(b"\x89PNG")
    solved = run(folder, "solve", "g.txt", "--quiet", "-o", "fill.txt")  # keeps the entry
    assert solved.returncode == FILLED
    filled = (folder / "fill.txt").read_text("utf-8").replace("█", "#")
    assert "CROSSWORD" in plain.words(filled.splitlines())


def test_entries_that_leave_no_grid_after_half_a_turn(tmp_path: Path) -> None:
    words = ("".join(word) for length in (3, 4, 5) for word in product("ABC", repeat=length))
    (tmp_path / "abc.txt").write_text("\n".join(words))
    entries = ["--entry", "CABAC@r1c1", "--entry", "BAB@r5c2", "-w", "abc.txt"]
    made = run(tmp_path, "grid", "--size", "5", *entries, "--fill", "fill.txt")
    assert made.returncode == FILLED
    rows = (tmp_path / "fill.txt").read_text("utf-8").replace("█", "#").split()
    assert (rows[0], rows[-1]) == ("CABAC", "#BAB#")
    pattern = ["".join("_#"[letter == "#"] for letter in row) for row in rows]
    assert pattern == [row[::-1] for row in pattern] != plain.half_turn(pattern)
    assert b"until this was allowed: " in made.stderr
    assert b"left-right symmetry" in made.stderr
    kept = run(tmp_path, "grid", "--size", "5", *entries, "--symmetry", "rotation")
    assert (kept.returncode, b"rotationally symmetric" in kept.stdout) == (UNFILLABLE, True)


def test_several_grids_as_data(folder: Path) -> None:
    flags = ["--size", "5x6", "--word-count", "8..14", "--count", "2", "--json"]
    result = run(folder, "grid", *flags, "g.txt")
    data = json.loads(result.stdout)
    assert (result.returncode, data["status"], len(data["grids"])) == (FILLED, "made", 2)
    for number, one in enumerate(data["grids"], 1):
        rows = (folder / f"g-{number}.txt").read_text().splitlines()
        assert rows == one["structure"]
        assert one["words"] == len(plain.words(rows)) == len(plain.words(one["grid"]))
        assert "_" not in "".join(one["grid"])


def test_a_standard_grid(folder: Path) -> None:
    names = json.loads(run(folder, "grid", "--from", "list", "--json").stdout)
    for name, fill in standard_fills().items():
        kind, size, number = name.split("-")
        grid = Grid(standard_grid(name))
        assert (grid.height, grid.width, f"{len(grid.slots)}") == (*[int(size)] * 2, number[:-1])
        assert {found.kind for found in lint(grid, Vocabulary(()), Style(kind))} <= {"coverage"}
        words = plain.words(fill)
        assert len(set(words)) == len(words) == len(grid.slots)
    assert names == list(standard_fills())
    flags = ["--from", "american-5", "--count", "1", "g.txt", "--fill", "f.ipuz", "--json"]
    result = run(folder, "grid", *flags)
    assert result.returncode == FILLED
    assert tuple((folder / "g.txt").read_text().split()) == standard_grid("american-5-10a")
    assert json.loads(result.stdout)["grids"][0]["words"] == 10
    assert (folder / "f.ipuz").exists()
    result = run(folder, "grid", "--from", "american-5", "-w", "list.txt")
    assert (result.returncode, b"the list fills no" in result.stdout) == (UNFILLABLE, True)


@pytest.mark.parametrize("style", [Style.AMERICAN, Style.BRITISH])
def test_the_list_follows_the_kind_of_grid(style: Style) -> None:
    words = FillFlags().read(style, quiet=True)
    assert words is not None
    assert "HONOUR" in words.vocabulary
    assert ("HONOR" in words.vocabulary) == (style is Style.AMERICAN)


def test_a_grid_that_cannot_be(folder: Path) -> None:
    result = run(folder, "grid", "--size", "3", "--word-count", "4", "g.txt")
    assert result.returncode == UNFILLABLE
    assert result.stdout.startswith(b"No such grid: CP-SAT has proved")
    assert not (folder / "g.txt").exists()
    result = run(folder, "grid", "--size", "4", "-w", "list.txt", "--word-count", "8")
    assert result.returncode == UNFILLABLE
    assert b"the list fills no" in result.stdout
    (folder / "w.txt").write_text("übung\nüben\nmär\n", encoding="utf-8")
    result = run(folder, "grid", "--size", "5", "--entry", "Übung", "-w", "w.txt")
    assert "the entries ÜBUNG;" in result.stdout.decode()


def test_ctrl_c_while_grids_are_made(folder: Path) -> None:
    with started(folder, "grid", "--size", "21", "--count", "99", "--unchecked-fill") as process:
        out, err = interrupt_at_work(process)
    assert process.returncode == UNKNOWN
    assert b"interrupted" in out + err


def test_a_layout(folder: Path) -> None:
    result = run(folder, "layout", "mine.txt", "l.png")
    out = result.stdout.decode()
    assert result.returncode == FILLED
    assert "Cold time (3,3)" in out
    assert "(no clue)" in out
    assert "proved: no layout has a smaller area" in out
    assert (folder / "l.png").read_bytes().startswith(b"\x89PNG")


def test_a_layout_for_the_page(folder: Path) -> None:
    words = ["BIRNE", "KIRSCHE", "PFLAUME", "TRAUBE", "ERDBEERE", "HIMBEERE", "BANANE"]
    (folder / "fruit.txt").write_text("".join(f"{word}\tA fruit of {word[:2]}\n" for word in words))
    flags = ["--time-limit", "1", "--json", "--word-bank"]
    sizes = {}
    for shape in ("area", "page"):
        result = run(folder, "layout", "fruit.txt", f"{shape}.pdf", "--shape", shape, *flags)
        data = json.loads(result.stdout)
        assert sorted(slot["word"] for slot in data["slots"]) == sorted(words)
        crossword = crossword_from_data(data, "it", [])
        sizes[shape] = printed_cell(crossword, PAPERS["a4"], Sheet(word_bank=True))
    assert sizes["page"] >= sizes["area"]


def test_the_most_valuable_words_fit_a_box(folder: Path) -> None:
    for value in ("toe", "ear"):
        (folder / "worth.txt").write_text(f"cat;20;Pet\n{value};90\ntoe\near\n")
        result = run(folder, "layout", "worth.txt", "--box", "3x4", "--json")
        data = json.loads(result.stdout)
        assert data["left_over"] == ["CAT"]
        assert value.upper() in {slot["word"] for slot in data["slots"]}


def test_no_layout(folder: Path) -> None:
    (folder / "apart.txt").write_text("cat\ntea\ndug\n")
    result = run(folder, "layout", "apart.txt", "l.txt")
    assert result.returncode == UNFILLABLE
    assert result.stdout == b"No layout: DUG shares no letter with any other word.\n"
    assert not (folder / "l.txt").exists()


def test_a_structure_alone_is_checked(folder: Path) -> None:
    result = run(folder, "check", str(DATA / "structure1.txt"), "-w", str(DATA / "words1.txt"))
    assert result.returncode == FILLED
    assert b"warning: not rotationally symmetric" in result.stdout
    data = json.loads(run(folder, "check", str(DATA / "grids" / "15x15-66.txt"), "--json").stdout)
    assert (data["words"], data["symmetries"], data["warnings"]) == (66, ["half turn"], [])


def test_looking_into_a_list(folder: Path) -> None:
    result = run(folder, "words", "list.txt", "--png", "w.png")
    out = result.stdout.decode()
    assert result.returncode == FILLED
    assert "list.txt: CAT on lines 1, 2, scores 5, 9" in out
    assert "none dropped" in out
    assert (folder / "w.png").read_bytes().startswith(b"\x89PNG")
    (folder / "fill.txt").write_text("CAT\nU#O\nBED\n")
    (folder / "theme.txt").write_text("b-ed\n")
    given = ("words", "list.txt", "--fill", "fill.txt", "--theme", "theme.txt")
    bed, cub, *_ = json.loads(run(folder, *given, "--json").stdout)["words"]
    assert (bed["own"], bed["weak"], "own" in cub, cub["weak"]) == (True, False, False, True)
    assert b"your own" in run(folder, *given).stdout
