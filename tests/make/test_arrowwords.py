"""Arrowwords: every word clued once, arrows, clues in their cells, files, and bad input."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from arrowword_faults import FORMS, answers, faults, picture_faults, read_clues
from browser import Browser, Page
from helpers import read_puzzle, run
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from satcross import read_crossword
from satcross.cli import BAD_INPUT, FILLED, UNFILLABLE, UNKNOWN
from satcross.errors import InputError
from satcross.formats.drawing.shapes import text_width
from satcross.grid import Grid
from satcross.make.puzzles.arrow_drawing import ClueFitter
from satcross.make.puzzles.arrow_making import (
    ClueBook,
    assign_arrows,
    make_arrowword,
    read_picture,
)
from satcross.make.puzzles.arrowword import ARROWS, Arrowword, PlacedClue
from satcross.make.puzzles.files import puzzle_to_data, write_puzzle
from satcross.run_settings import RunSettings

FRENCH, GERMAN = map(read_clues, ("fr", "de"))


def data_of(puzzle: Arrowword) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(puzzle_to_data(puzzle)))
    return made


def first_clues(clues: dict[str, list[str]]) -> ClueBook:
    return ClueBook({word: given[0] for word, given in clues.items()})


def make_french(seed: int) -> dict[str, Any]:
    puzzle = make_arrowword((6, 6), first_clues(FRENCH), RunSettings(seed=seed))
    assert puzzle is not None
    return data_of(puzzle)


@pytest.fixture(scope="module")
def french() -> dict[str, Any]:
    return make_french(1)


@pytest.mark.parametrize("place", [(0, 0), (6, 6), (3, 3), (0, 3)])
def test_the_rectangle_of_a_picture_is_free_and_all_words_are_clued(place: tuple[int, int]) -> None:
    picture = read_picture("3x3@r{}c{}".format(*(n + 1 for n in place)), (9, 9))
    puzzle = make_arrowword((9, 9), first_clues(GERMAN), RunSettings(), picture)
    assert puzzle is not None
    data = data_of(puzzle)
    assert faults(data, GERMAN) == []
    assert picture_faults(data, *place, (3, 3)) == []
    arrows = {clue.arrow for clue in puzzle.clues}
    assert arrows <= {"right", "down", "right-down", "down-right"}  # the four of newspapers


def test_the_same_seed_gives_the_same_puzzle_and_another_seed_another(
    french: dict[str, Any],
) -> None:
    assert faults(french, FRENCH) == []
    assert make_french(1) == french != make_french(2)


def test_planted_faults_are_found(french: dict[str, Any]) -> None:
    double = next(
        n for n, cell in enumerate(french["puzzle"]["clue_cells"]) if len(cell["clues"]) == 2
    )

    def changed(change: Any) -> list[str]:
        data = copy.deepcopy(french)
        change(data["puzzle"]["clue_cells"])
        return faults(data, FRENCH)

    assert changed(lambda cells: cells[double]["clues"].pop())
    assert changed(lambda cells: cells[double]["clues"].append(cells[0]["clues"][0]))
    assert changed(lambda cells: cells.pop())
    assert changed(lambda cells: cells[double]["clues"][0].update(arrow="left-down"))
    assert changed(lambda cells: cells[double]["clues"][0].update(clue="something else"))
    assert faults(french, dict(list(FRENCH.items())[:200]))


_WORDS = st.lists(st.text("ABC", min_size=2, max_size=5), min_size=30, max_size=120, unique=True)


@given(_WORDS, st.integers(4, 7), st.integers(4, 7), st.integers(0, 99))
@settings(max_examples=15, deadline=None)
def test_whatever_is_made_of_random_words_has_one_answer_and_no_fault(
    words: list[str], height: int, width: int, seed: int
) -> None:
    clues = {word: f"clue of {word[:-1]}" for word in words}  # several words share one
    limits = RunSettings(seed=seed, time_limit=0.4)
    puzzle = make_arrowword((height, width), ClueBook(clues), limits)
    if puzzle is not None:
        written = {word: [text] for word, text in clues.items()}
        assert faults(data_of(puzzle), written) == []
        assert answers(data_of(puzzle), written) == 1


@given(st.lists(st.text("#_", min_size=4, max_size=4), min_size=3, max_size=4))
@settings(max_examples=150, deadline=None)
def test_arrows_are_assigned_wherever_that_is_possible(rows: list[str]) -> None:
    grid = Grid(tuple(rows))
    cells = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"}
    ways = [
        [
            cell
            for arrow in ARROWS.values()
            if arrow.direction == slot.direction
            and (cell := (slot.row - arrow.down, slot.column - arrow.right)) in cells
        ]
        for slot in grid.slots
    ]
    possible = any(
        set(chosen) == cells and all(chosen.count(cell) <= 2 for cell in cells)
        for chosen in product(*ways)
    )
    try:
        assigned = assign_arrows(grid)
    except InputError:
        assert not all(ways)
        return
    assert (assigned is not None) == possible
    if assigned is not None:
        clued = [cell for cell, _ in assigned.values()]
        assert set(clued) == cells
        assert max(map(clued.count, cells), default=0) <= 2


def test_the_eight_forms() -> None:
    ways = {"across": (0, 1), "down": (1, 0)}
    forms = {name: ((a.down, a.right), ways[a.direction]) for name, a in ARROWS.items()}
    assert forms == FORMS
    assert len(forms) == 8


@given(st.text("abcdefghij -é", min_size=1, max_size=60), st.floats(25, 45))
@settings(max_examples=200, deadline=None)
def test_a_clue_is_broken_into_lines_that_fit(text: str, cell: float) -> None:
    fitter = ClueFitter(cell)
    chosen = fitter.choose([text])
    if chosen is None:
        return
    size, (lines,) = fitter.set([chosen])
    assert size >= fitter.min_size
    assert all(text_width(line, size) <= cell for line in lines)
    assert len(lines) * size <= cell
    letters = "".join(lines).replace("-", "").replace(" ", "")
    assert letters == chosen.replace("-", "").replace(" ", "")
    both, pair = fitter.set([chosen, chosen])
    assert len(pair) == 2
    assert 2 * len(pair[0]) * both <= cell


def test_the_shorter_clue_is_preferred_and_one_that_is_too_long_left_out() -> None:
    fitter = ClueFitter(40)
    long = "a very long and winding explanation that nobody could print in a cell"
    assert fitter.choose([long, "not so short", "short"]) == "short"
    assert fitter.choose([long]) is None
    assert ClueFitter(40, capitals=True).choose(["été"]) == "ÉTÉ"


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a puzzle of German words."""
    folder = tmp_path_factory.mktemp("german")
    line = "puzzle arrowword default --size 6 --language de --time-limit 1200 -o a.json --json"
    result = run(folder, *line.split(), "--title", "Rätsel")
    assert (result.returncode, faults(json.loads(result.stdout), GERMAN)) == (FILLED, [])
    return folder / "a.json"


def test_files(german: Path, tmp_path: Path) -> None:
    puzzle = read_puzzle(german)
    assert isinstance(puzzle, Arrowword)
    (tmp_path / "a.json").write_bytes(german.read_bytes())
    assert "form of the arrows" in write_puzzle(puzzle, str(tmp_path / "a.ipuz"))[0]
    ipuz = json.loads((tmp_path / "a.ipuz").read_text(encoding="utf-8"))
    assert (ipuz["kind"], ipuz["clueplacement"]) == (
        ["http://ipuz.org/crossword/arrowword#1"],
        "blocks",
    )
    assert ipuz["locale"] == "de"
    located = {tuple(clue["location"]) for clues in ipuz["clues"].values() for clue in clues}
    assert located == {(cell.column + 1, cell.row + 1) for cell in puzzle.clue_cells}
    for name in ("a.pdf", "a.svg", "a.png", "a.html", "a.xd"):
        write_puzzle(puzzle, str(tmp_path / name))
    expected = read_crossword(tmp_path / "a.ipuz")
    for name in ("a.html", "a.json", "a.xd"):
        crossword = read_crossword(tmp_path / name)
        assert (crossword.words, crossword.clues) == (expected.words, expected.clues)
    pages = [page.extract_text() for page in PdfReader(tmp_path / "a.pdf").pages]
    assert len(pages) == 2
    assert all("Rätsel" in page for page in pages)
    result = run(tmp_path, "check", "a.json")
    assert (result.returncode, result.stdout[:20]) == (FILLED, b"Exactly one solution")
    written = (tmp_path / "a.json").read_text(encoding="utf-8")
    (tmp_path / "b.json").write_text(written.replace('"right-down"', '"down"', 1))
    result = run(tmp_path, "check", "b.json")
    assert result.returncode not in (FILLED, BAD_INPUT)
    assert b"does not point at the first letter" in result.stdout
    (tmp_path / "b.json").write_text(written.replace('"slot"', '"word"'))
    assert run(tmp_path, "check", "b.json").returncode == BAD_INPUT
    words, spoilt = puzzle.crossword.words, puzzle.crossword.grid.slots[0].cells[0]
    slots = {slot.name: slot.cells for slot in puzzle.crossword.grid.slots}

    def planted(clue: PlacedClue) -> PlacedClue:
        spelled = zip(slots[clue.slot], words[clue.slot], strict=True)
        other = "".join("?" if cell == spoilt else own for cell, own in spelled)
        return msgspec.structs.replace(clue, alike=(other,))

    cells = (
        msgspec.structs.replace(cell, clues=tuple(map(planted, cell.clues)))
        for cell in puzzle.clue_cells
    )
    write_puzzle(replace(puzzle, clue_cells=tuple(cells)), str(tmp_path / "b.json"))
    result = run(tmp_path, "check", "b.json")
    assert (result.returncode, result.stdout[:36]) == (20, b"Two solutions, which differ in 1 cel")
    written = (tmp_path / "b.json").read_text(encoding="utf-8")
    (tmp_path / "b.json").write_text(written.replace('"alike": ["', '"alike": ["LONGER', 1))
    assert b"does not fit" in run(tmp_path, "check", "b.json").stdout
    picture = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert picture.count("<polygon") == len(expected.words)
    assert "clue cells and arrows" in write_puzzle(puzzle, str(tmp_path / "b.puz"))[0]


def test_other_peoples_clues_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("ice age\nca\ncb\nat\nbt\nabc\nbcde\n")
    (tmp_path / "clues.tsv").write_text(
        "ca\tlong clue\nca\tclue\ncb\tb\nbt\tc\nat\td\nabc\te\nbcde\tf\n"
    )
    (tmp_path / "grid.txt").write_text("####\n##__\n##__\n")
    flags = ("puzzle", "arrowword", "list.txt", "--clues", "clues.tsv", "--pattern", "grid.txt")
    result = run(tmp_path, *flags)
    assert result.returncode == BAD_INPUT
    assert b"grid.txt: its words can't all be clued" in result.stderr
    (tmp_path / "grid.txt").write_text("_#_\n___\n")
    result = run(tmp_path, *flags)
    assert (result.returncode, result.stderr.count(b"\n")) == (BAD_INPUT, 2)
    assert b"r2c1 has no clue cell" in result.stderr
    (tmp_path / "grid.txt").write_text("#_#_\n____\n#___\n____\n")
    assert run(tmp_path, *flags).returncode == UNFILLABLE
    words = ["".join(word) for length in (3, 4) for word in product("ab", repeat=length)]
    (tmp_path / "list.txt").write_text("\n".join(words))
    (tmp_path / "clues.tsv").write_text("".join(f"{word}\tclue of {word}\n" for word in words))
    result = run(tmp_path, *flags, "--json", "--capitals")
    data = json.loads(result.stdout)
    used = {word.upper(): [f"CLUE OF {word.upper()}"] for word in words}
    assert (result.returncode, faults(data, used)) == (FILLED, [])
    assert {clue["arrow"] for cell in data["puzzle"]["clue_cells"] for clue in cell["clues"]} == {
        "right",
        "down",
        "right-down",
        "down-right",
    }
    (tmp_path / "clues.tsv").write_text("".join(f"{word}\tsame\n" for word in words))
    result = run(tmp_path, *flags, "--quiet")
    assert (result.returncode, result.stderr.count(b"\n")) == (BAD_INPUT, 1)
    assert b"have the same clue, and either fits; give them different clues" in result.stderr


def test_without_an_answer_in_time(tmp_path: Path) -> None:
    words = ["".join(word) + "\tclue" for word in product("BCDF", "GHJK", "LMNP")]
    (tmp_path / "hard.txt").write_text("\n".join(words))
    result = run(tmp_path, "puzzle", "arrowword", "hard.txt", "--size", "6", "--time-limit", "0.2")
    assert result.returncode == UNKNOWN
    assert b"more words with clues" in result.stderr


def test_in_a_browser(browser: Browser, german: Path, tmp_path: Path) -> None:
    puzzle = read_puzzle(german)
    write_puzzle(puzzle, str(tmp_path / "a.html"))
    page = Page(browser, 700, 900)
    page.open(tmp_path / "a.html")
    rows = json.loads(page.evaluate("sheet.textContent"))["grid"]
    letters = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "#"]
    assert page.count("#grid input") == len(letters)
    # Each cell of a letter lies on its cell of the drawing.
    assert page.evaluate(
        """(() => {
          const drawn = document.querySelector(".sheet svg").getBoundingClientRect();
          const table = document.getElementById("grid").getBoundingClientRect();
          return Math.abs(drawn.width - table.width) + Math.abs(drawn.height - table.height) < 2;
        })()"""
    )
    # A click on a clue leads to its word.
    leads = "[...document.querySelectorAll('[data-leads]')].map((cell) => cell.dataset.leads)"
    two = next(names for names in page.evaluate(leads) if " " in names).split()
    box = f"document.querySelector('[data-leads=\"{' '.join(two)}\"]')"
    for name, place in zip(two, (0.25, 0.75), strict=True):
        page.evaluate(
            f"""(() => {{
              const cell = {box}, {{ top, height }} = cell.getBoundingClientRect();
              const clientY = top + {place} * height;
              cell.dispatchEvent(new MouseEvent("click", {{ bubbles: true, clientY }}));
            }})()"""
        )
        assert page.evaluate("document.querySelector('#clues .now').dataset.name") == name
    for row, column in letters:
        page.click(f"[data-row='{row}'][data-column='{column}']")
        page.type(rows[row][column])
    page.wait_for("document.getElementById('status').textContent.startsWith('Gelöst')")
    clues = {clue["clue"] for clue in json.loads(page.evaluate("sheet.textContent"))["slots"]}
    assert page.text("#clue").split(": ", 1)[1] in clues
    assert page.complaints == []
