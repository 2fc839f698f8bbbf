"""``satcross answer``, run from a shell."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import puz
import pytest
from helpers import DATA, run

from satcross.answer.clue import SourceSettings
from satcross.answer.report.json import session_to_data
from satcross.answer.report.text import percent
from satcross.answer.session import AnswerSettings, answer_crossword, measure_accuracy
from satcross.formats.ipuz import write_crossword
from satcross.formats.readers import read_crossword
from satcross.vocabulary import Vocabulary

MINI = DATA / "minis" / "dev" / "01.xd"
SOURCES = ("--sources", "clues-db", "--clues-db", "old.tsv", "--min-sure", "0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a mini, a list with its words and some others, and old clues of them."""
    (tmp_path / "mini.xd").write_text(MINI.read_text("utf-8"), "utf-8")
    mini = read_crossword(MINI)
    words = [*mini.words.values(), "CAB", "ELDER", "HAT", "SALSA", "GRAND", "SAP"]
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n", "utf-8")
    old = [
        f"xx\t1999\t{other}\t{mini.clues[slot]}\n"
        for slot, word in mini.words.items()
        for other in words
        if len(other) == len(word) and (other == word or other not in mini.words.values())
        for _ in range(1 + 8 * (other == word))
    ]
    (tmp_path / "old.tsv").write_text("".join(old), "utf-8")
    return tmp_path


def data_of(folder: Path, *arguments: str) -> Any:
    done = run(folder, "answer", *arguments, "-w", "words.txt", *SOURCES, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_grids_side_by_side_and_a_line_a_clue(folder: Path) -> None:
    done = run(folder, "answer", "mini.xd", "-w", "words.txt", *SOURCES, "--top", "2")
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "Sea Breeze, by The satcross authors, 2025-01-06"
    assert lines[2].split() == ["proposed", "official"]
    assert lines[3] == "# H A S #      # H A S #"
    assert "right: 21 of 21 letters (100%), 10 of 10 words" in lines
    (line,) = [line for line in lines if line.startswith("6A")]
    assert line.split()[:3] == ["6A", "ARGUE", "+"]
    assert line.endswith("Go back and forth, angrily")
    assert sum(line.strip().startswith("2. ") for line in lines) == 10
    assert done.stderr == b""


@pytest.mark.parametrize("method", ["cpsat", "bp", "crosswind"])
def test_the_solution_does_not_matter(method: str) -> None:
    """The answer is the same with the solution, without it, and with a wrong one."""
    crossword = read_crossword(MINI)
    words = [*crossword.words.values(), "CAB", "ELDER", "HAT", "SALSA", "GRAND", "SAP"]
    settings = SourceSettings(Vocabulary(words))
    none = tuple((None,) * 5 for _ in range(5))
    wrong = tuple(tuple(letter and "Q" for letter in row) for row in crossword.solution)
    found = []
    for solution in (crossword.solution, none, wrong):
        shown = replace(crossword, solution=solution)
        session = answer_crossword(shown, settings, AnswerSettings(["short-words"], method))
        data = session_to_data(session, crossword, measure_accuracy(session, crossword), top=5)
        del data["seconds"]
        found.append(data)
    assert found[0] == found[1] == found[2]


def test_a_puzzle_without_solution_is_answered(folder: Path) -> None:
    crossword = read_crossword(MINI)
    hidden = replace(crossword, solution=tuple((None,) * 5 for _ in range(5)))
    write_crossword(hidden, folder / "hidden.ipuz", "fill")
    data = data_of(folder, "hidden.ipuz")
    assert data["official"] is None
    assert data["right"] is None
    assert data["grid"] == ["#HAS#", "SALTY", "ARGUE", "GRANT", "#YES#"]


def test_locks_hold_and_are_not_counted(folder: Path) -> None:
    data = data_of(folder, "mini.xd", "--lock", "1A=CAB")
    assert data["grid"][0] == "#CAB#"
    assert data["right"]["of_letters"] == 18
    assert (data["slots"][0]["word"], data["slots"][0]["source"]) == ("CAB", "lock")


def test_why_an_answer_stands(folder: Path) -> None:
    done = run(folder, "answer", "mini.xd", "-w", "words.txt", *SOURCES, "--explain", "1a")
    text = done.stdout.decode()
    assert "# H A S #      # H A S #" in text
    assert "\n\n1A: HAS  Owns\n" in text
    for part in (
        "Best by the clue alone:",
        "from 1D HARRY",
        "Sure, with all crossings: HAS",
        "Next best whole answer with another word here:",
    ):
        assert part in text
    reasons = data_of(folder, "mini.xd", "--explain", "1A")["reasons"]
    assert reasons["slot"] == "1A"
    assert reasons["next_best"]["log_ratio"] > 0


def test_a_picture_of_both_grids(folder: Path) -> None:
    from PIL import Image

    data_of(folder, "mini.xd", "--png", "answer.png")
    with Image.open(folder / "answer.png") as picture:
        assert picture.width > 2 * 5 * 72
        colours = {colour for _, colour in picture.getcolors(1 << 20) or []}
    assert (0xCF, 0xEC, 0xCF) in colours  # right letters
    data_of(folder, "mini.xd", "-o", "answer.pdf")
    assert (folder / "answer.pdf").read_bytes().startswith(b"%PDF-")
    data_of(folder, "mini.xd", "-o", "answer.html")
    page = (folder / "answer.html").read_text("utf-8")
    assert "<svg" in page
    assert "<tr><th>1A<td>Owns<td>HAS<td>" in page


def test_guesses_are_left_blank(folder: Path) -> None:
    """Without a word that fits, letters are guesses: they are blank, and said to be guesses."""
    (folder / "words.txt").write_text("QUIZ\nELEPHANT\n", "utf-8")
    done = run(folder, "answer", "mini.xd", "-w", "words.txt", "--sources", "short-words")
    lines = done.stdout.decode().splitlines()
    assert lines[3].startswith("# . . . #")
    assert "0 of 10 answers are better than guesses" in lines
    assert any(line.startswith("21 cells are blank: no word there is 50% sure") for line in lines)
    assert "right: 0 of 0 letters, 0 of 0 words shown" in lines
    assert not [line for line in lines if line.startswith("1A")]
    again = data_of(folder, "mini.xd")
    assert "." not in "".join(again["grid"])


def test_what_is_wrong_is_a_line_and_the_rest_is_answered(folder: Path) -> None:
    text = (folder / "mini.xd").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("A6.")]
    lines += ["D77. Nowhere ~ X", "D1. Once more ~ HARRY"]
    text = "\n".join(lines).replace("\nSALTY", "\nSALT1").replace("Date:", "Rebus: 1=HEART\nDate:")
    (folder / "mini.xd").write_text(text + "\n", "utf-8")
    (folder / "words.txt").write_text("CAB\nHAS\nSAG\n", "utf-8")
    done = run(folder, "answer", "mini.xd", "-w", "words.txt", "--sources", "short-words")
    assert done.returncode == 0
    notes = done.stderr.decode().splitlines()
    assert all(note.startswith("satcross: note: mini.xd: ") for note in notes)
    assert any("no clue for 6A" in note for note in notes)
    assert any("77D" in note for note in notes)
    assert any("has two clues: 1D" in note for note in notes)
    assert any("4A: no source and no list has a word of 5 letters" in note for note in notes)
    assert "right:" in done.stdout.decode()


def test_probabilities_for_people() -> None:
    shares = (1.0, 0.9994, 0.9951, 0.994, 0.1, 0.0994, 0.0009)
    assert [percent(share) for share in shares] == [
        *(">99.9%", "99.9%", "99.5%", "99%", "10%", "9.9%", "<0.1%")
    ]


def test_a_scrambled_solution_is_said(tmp_path: Path) -> None:
    puzzle = puz.Puzzle()
    puzzle.width, puzzle.height = 3, 3
    puzzle.fill, puzzle.solution = "----.----", "CATA.EBET"
    puzzle.clues = ["It purrs", "Taxi", "Consumed", "Wager"]
    puzzle.lock_solution(1234)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    done = run(tmp_path, "answer", "a.puz", "--sources", "short-words", "--method", "bp")
    assert done.returncode == 0
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("satcross: note: a.puz: the solution was scrambled with the key ")


def test_the_puzzles_of_a_folder_are_evaluated(folder: Path) -> None:
    puzzles = folder / "puzzles"
    puzzles.mkdir()
    mini = (folder / "mini.xd").read_text("utf-8")
    (puzzles / "a.xd").write_text(mini, "utf-8")
    (puzzles / "b.xd").write_text("nonsense", "utf-8")
    (puzzles / "c.xd").write_text(mini.replace("HAS", "HAD", 1), "utf-8")
    command = ("answer", "--evaluate", "puzzles", "-w", "words.txt", *SOURCES)
    done = run(folder, *command)
    assert done.returncode == 0, done.stderr
    first, second, total = done.stdout.decode().splitlines()
    assert first == "puzzles/a.xd: 21 of 21 letters (100%), 10 of 10 words"
    assert second.startswith("puzzles/c.xd: 20 of 21 letters (95%)")
    assert total.startswith("all: 41 of 42 letters (98%), ")
    assert total.endswith(", 1 of 2 puzzles without a fault")
    assert done.stderr.count(b"\n") == 1
    assert b"note: left out: puzzles/b.xd" in done.stderr
    assert json.loads(run(folder, *command, "--json").stdout)[0]["words"] == 10
