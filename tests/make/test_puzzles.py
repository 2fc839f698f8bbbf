"""Codewords and fill-ins: one solution by brute force, the fewest givens, levels, files, check."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from browser import Page
from helpers import read_puzzle, run
from hypothesis import assume, given
from hypothesis import strategies as st
from make.plain_readings import arrangements, readings, runs
from pypdf import PdfReader

from satcross import Crossword, Grid, Vocabulary
from satcross.errors import InputError
from satcross.formats.drawing.sheet import Sheet
from satcross.grid.lint import moves
from satcross.make.puzzles.codeword import Codeword, codeword_question, deduce, make_codeword
from satcross.make.puzzles.files import check_puzzle, puzzle_to_data, write_puzzle
from satcross.make.puzzles.fill_in import FillIn, make_fill_in
from satcross.make.puzzles.printed import printed_letters
from satcross.run_settings import NEVER, TimeUp


def crossword(rows: Sequence[str]) -> Crossword:
    grid = Grid.from_rows(["".join("#" if cell == "#" else "_" for cell in row) for row in rows])
    return Crossword(
        grid, tuple(tuple(None if cell == "#" else cell for cell in row) for row in rows)
    )


SQUARE = ["CAT", "O#O", "BED"]


@st.composite
def filled_grids(draw: st.DrawFn, letters: str = "ABCDE") -> list[str]:
    """Rows of letters and blocks with at least one word."""
    height, width = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    cell = st.sampled_from(letters + "#")
    rows = ["".join(draw(cell) for _ in range(width)) for _ in range(height)]
    assume(runs(rows))
    return rows


@given(filled_grids(), st.integers(0, 2**31 - 1), st.sampled_from([None, "easy", "hard"]))
def test_a_codeword_has_one_reading_and_no_given_letter_too_many(
    rows: list[str], seed: int, level: str | None
) -> None:
    random = Random(seed)
    words = {"".join(rows[r][c] for r, c in run) for run in runs(rows)}
    lengths = sorted({len(word) for word in words})
    more = {"".join(random.choices("ABCDEF", k=random.choice(lengths))) for _ in range(30)}
    listed = words | more
    made = make_codeword(crossword(rows), Vocabulary(listed), seed=seed, level=level)
    assert list(readings(rows, made.numbers, listed, made.given)) == [rows]
    assert set(made.numbers.values()) == set(range(1, len(made.numbers) + 1))
    for fewer in combinations(made.given, max(0, len(made.given) - 1)) if made.given else ():
        if level == "easy":  # deduction, not reading, is what ends with a letter less
            question = codeword_question(made.crossword, made.numbers, Vocabulary(listed))
            known = {(0, made.numbers[letter]): letter for letter in fewer}
            assert len(deduce(question, known, 0.5)) < len(made.numbers)
    if level != "easy" and made.given:
        for some in combinations(sorted(made.numbers), len(made.given) - 1):
            assert len(list(readings(rows, made.numbers, listed, some))) > 1


@given(filled_grids("ABC"), st.integers(0, 99))
def test_a_fill_in_has_one_arrangement_with_as_few_words_as_possible(
    rows: list[str], seed: int
) -> None:
    words = ["".join(rows[r][c] for r, c in run) for run in runs(rows)]
    assume(len(set(words)) == len(words) and len(words) < 8)
    made = make_fill_in(crossword(rows), seed=seed)
    grid = made.crossword.grid
    printed = printed_letters(grid)
    assert list(arrangements(rows, printed)) == [rows]
    inside = {cell for run in runs(rows) for cell in run}
    lonely = {cell: letter for cell, letter in printed.items() if cell not in inside}
    for some in combinations(grid.slots, len(made.placed) - 1) if made.placed else ():
        cells = {cell for slot in some for cell in slot.cells}
        fewer = lonely | {(r, c): rows[r][c] for r, c in cells}
        assert len(list(arrangements(rows, fewer))) > 1


def test_deduction_goes_word_by_word() -> None:
    words = Vocabulary(["CAT", "COB", "TOD", "BED", "DOT", "BAT", "COD", "ROB"])
    made = make_codeword(crossword(SQUARE), words, level="easy")
    assert made.level == "easy"
    assert made.deduced == len(made.numbers) - len(made.given)
    question = codeword_question(made.crossword, made.numbers, words)
    assert deduce(question, {}, 0.5) == {}  # half of no word is known


def test_levels_give_more_letters_the_easier_they_are(
    filled: Crossword, default_vocabulary: Vocabulary
) -> None:
    near = [word for length in (5, 7) for word in default_vocabulary.group(length).words[::20]]
    vocabulary = Vocabulary([*near, *filled.words.values()])
    levels = ("easy", "medium", "hard")
    easy, medium, hard = (make_codeword(filled, vocabulary, level=level) for level in levels)
    assert (easy.level, medium.level) == ("easy", "medium")
    assert len(easy.given) >= len(medium.given) >= len(hard.given)
    assert len(make_codeword(filled, vocabulary, given=4).given) == 4


@pytest.fixture(scope="module")
def filled() -> Crossword:
    """A grid of common words with few crossings."""
    rows = ["PICKLES", "L#H#O#A", "ADAPTER", "N#P#U#D", "EXTENDS"]
    return crossword(rows)


@pytest.mark.parametrize("numbers", [False, True])
def test_a_fill_in_of_words_or_numbers(filled: Crossword, numbers: bool) -> None:
    made = make_fill_in(filled, numbers=numbers, seed=3)
    words = made.crossword.words
    assert all(word.isdecimal() == numbers for word in words.values())
    assert sorted(words.values()) == sorted(word for own in made.words.values() for word in own)
    assert len(set(words.values())) == len(words)


def test_half_of_a_pattern(filled: Crossword) -> None:
    made = make_fill_in(filled, diagramless=True)
    assert made.half == "half a turn"
    rows, mirror = made.shown.grid.rows, moves(made.crossword.grid)["half turn"]
    blocks = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"}
    mirrored = set(map(mirror, blocks))
    assert blocks != mirrored
    whole = made.crossword.grid.structure
    assert blocks | mirrored == {
        (r, c) for r, row in enumerate(whole) for c, x in enumerate(row) if not x
    }


def plant(folder: Path, data: dict[str, object]) -> Path:
    path = folder / "puzzle.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_check_shows_a_planted_second_reading_that_is_near(tmp_path: Path) -> None:
    words = ["CAT", "COB", "TOD", "BED"]
    made = make_codeword(crossword(SQUARE), Vocabulary(words))
    path = plant(tmp_path, puzzle_to_data(made))
    assert check_puzzle(str(path), lambda: Vocabulary(words), NEVER)[0]["second"] is None
    # BID as well: E may be I, in one cell; and all of another square, farther away.
    more = [*words, "BID", "FIN", "FUR", "NUS", "RXS"]
    found, _ = check_puzzle(str(path), lambda: Vocabulary(more), NEVER)
    assert (found["second"], found["differences"]) == (["CAT", "O#O", "BID"], 1)


def test_check_shows_two_arrangements_that_are_near(tmp_path: Path) -> None:
    made = make_fill_in(crossword(["CAT", "O#O", "BED"]))
    data = puzzle_to_data(made)
    data["puzzle"] = {"kind": "fill-in", "placed": [], "half": ""}
    data.pop("given", None)
    found, _ = check_puzzle(str(plant(tmp_path, data)), lambda: Vocabulary([]), NEVER)
    assert found["second"] == ["COB", "A#E", "TOD"]
    assert found["differences"] == 6


def test_files_hold_the_puzzle_and_not_its_answers(tmp_path: Path, filled: Crossword) -> None:
    made: list[Codeword | FillIn]
    made = [make_codeword(filled, Vocabulary([]), given=2), make_fill_in(filled)]
    for puzzle in made:
        for suffix in (".json", ".txt", ".html", ".svg", ".pdf", ".png"):
            write_puzzle(puzzle, str(tmp_path / f"out{suffix}"))
        assert len(PdfReader(tmp_path / "out.pdf").pages) == 2
        write_puzzle(puzzle, str(tmp_path / "alone.pdf"), sheet=Sheet(name_line=True))
        (page,) = PdfReader(tmp_path / "alone.pdf").pages
        assert "Name ____" in page.extract_text()
        assert puzzle_to_data(read_puzzle(tmp_path / "out.json")) == puzzle_to_data(puzzle)
        assert "ADAPTER" in (tmp_path / "out.txt").read_text().partition("Solution:")[2]
    assert made[0].rule.endswith("Not every letter of the alphabet occurs.")
    write_puzzle(make_fill_in(replace(filled, language="de")), str(tmp_path / "out.txt"))
    assert "7 Buchstaben: " in (tmp_path / "out.txt").read_text().partition("Lösung:")[0]
    svg = tmp_path / "out.svg"
    write_puzzle(make_codeword(filled, Vocabulary([]), given=0), str(svg))
    shown = {line for line in svg.read_text().split("font-size=") if line.startswith('"18.6"')}
    assert shown == set()  # no letter in the grid


def open_puzzle(page: Page, puzzle: Codeword | FillIn, folder: Path) -> None:
    write_puzzle(puzzle, str(folder / "puzzle.html"))
    page.open(folder / "puzzle.html")
    page.evaluate("localStorage.clear()")
    page.reload()


def test_on_screen_a_letter_goes_into_all_squares_of_its_number(page: Page, tmp_path: Path) -> None:
    open_puzzle(page, make_codeword(crossword(SQUARE), Vocabulary([]), level="hard"), tmp_path)
    page.click('#grid input[data-row="1"][data-column="0"]')
    page.type("o")
    letters = "[...document.querySelectorAll('#grid input')].map((it) => it.value || '.').join('')"
    assert page.evaluate(letters) == "...OO..."
    code = page.evaluate("document.querySelector('#grid input[data-row=\"1\"]').dataset.code")
    known = "[...document.querySelectorAll('#codes span')].map((it) => it.textContent)"
    assert [each for each in page.evaluate(known) if each.endswith("O")] == [f"{code}O"]
    assert page.text("#codes p") == "A B C D E F G H I J K L M N P Q R S T U V W X Y Z"
    assert page.text("#clue") == "Down: 3 letters"
    for row, word in ((0, "cat"), (2, "bed")):
        for column, letter in enumerate(word):
            page.click(f'#grid input[data-row="{row}"][data-column="{column}"]')
            page.type(letter)
    assert page.text("#status").startswith("Solved in 0:")
    assert page.complaints == []


def test_on_screen_a_word_that_stands_in_the_grid_is_struck_out(page: Page, tmp_path: Path) -> None:
    made = make_fill_in(crossword(SQUARE), given=1)
    open_puzzle(page, made, tmp_path)
    struck = "[...document.querySelectorAll('#words .used')].map((it) => it.textContent)"
    assert page.evaluate(struck) == sorted(made.placed_words)
    row = next(row for row in (0, 2) if not made.crossword.grid.given((row, 1)))
    page.click(f'#grid input[data-row="{row}"][data-column="0"]')
    page.press("ArrowRight", "ArrowLeft")
    page.type(SQUARE[row])  # its given letter, too
    assert page.evaluate(struck) == sorted({*made.placed_words, SQUARE[row]})
    page.press("z", "z", "z", control=True)
    assert page.evaluate(struck) == sorted(made.placed_words)
    assert made.placed == ("1D",)
    for row, letter in enumerate("COB"):
        page.click(f'#grid input[data-row="{row}"][data-column="2"]')
        page.type(letter)
    doubled = "[...document.querySelectorAll('#words .doubled')].map((it) => it.textContent)"
    assert page.evaluate(doubled) == ["COB"]
    assert page.complaints == []


def test_the_time_limit() -> None:
    with pytest.raises(TimeUp):
        make_codeword(crossword(SQUARE), Vocabulary([]), should_stop=lambda: True)


@pytest.mark.parametrize(
    ("rows", "given", "message"),
    [
        (["CAT", "O#A", "BIT"], 0, "would not be enough for one arrangement"),
        (["A#", "#B"], None, "has no words"),
    ],
)
def test_what_makes_no_fill_in(rows: list[str], given: int | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_fill_in(crossword(rows), given=given)


def test_what_makes_no_codeword(filled: Crossword, default_vocabulary: Vocabulary) -> None:
    with pytest.raises(InputError, match=r"lacks .* Q"):
        make_codeword(filled, Vocabulary([]), pangram=True)
    with pytest.raises(InputError, match="would not be enough for level easy; give"):
        make_codeword(filled, default_vocabulary, level="easy", given=0)
    with pytest.raises(InputError, match="can't be given"):
        make_codeword(filled, Vocabulary([]), given=27)


def test_pangram_fill_a_grid(tmp_path: Path) -> None:
    rows = ["_________", "_#_#_#_#_"] * 4 + ["_________"]
    rows[2] = rows[6] = "____#____"
    (tmp_path / "grid.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    line = "puzzle codeword grid.txt --pangram --json --quiet --level easy"
    result = run(tmp_path, *line.split())
    assert result.returncode == 0, result.stderr
    data = json.loads(result.stdout)
    assert len(data["puzzle"]["numbers"]) == 26
    assert data["puzzle"]["level"] == "easy"


def test_plain_words_fill_a_grid_where_they_can(tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text("___\n_#_\n___\n")
    for words, word, remark in (
        ("cat;50\ncob;50\ntim;99\ntum;50\nbum;50\n", "TUM", b""),
        ("cat;50\ncob;50\ntim;99\nbum;50\n", "TIM", b"its fill needs phrases or names"),
    ):
        (tmp_path / "list.txt").write_text(words)
        for kind in ("codeword", "fill-in"):
            line = f"puzzle {kind} grid.txt -w list.txt --plain-words -o out.txt"
            result = run(tmp_path, *line.split())
            assert (result.returncode, remark in result.stderr) == (0, True)
            assert bool(remark) == bool(result.stderr)
            rows = (tmp_path / "out.txt").read_text().partition("Solution:")[2].split()
            assert word in [*rows, *map("".join, zip(*rows, strict=True))]


def test_a_cell_in_no_word(tmp_path: Path) -> None:
    rows = ["CAT#X", "O#O##", "BED##"]
    codeword = make_codeword(crossword(rows), Vocabulary([]))
    assert "X" in codeword.given  # no word tells it
    assert "X" in "".join(make_fill_in(crossword(rows)).crossword.grid.rows)
    grid = Grid.from_rows(["___#_", "_#_##", "___##"])
    filled = Crossword.of(grid, {"1A": "CAT", "1D": "COB", "2D": "TOD", "3A": "BED"})
    assert (0, 4) not in make_codeword(filled, Vocabulary([])).labels
    assert make_fill_in(filled).crossword.grid.rows[0][4] == "#"
