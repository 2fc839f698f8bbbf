"""Writing crosswords, and reading structures from them, as somebody at a shell sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import puz
import pytest
from helpers import PATIENCE, answer, small_puz

from satcross import read_crossword
from satcross.cli import BAD_INPUT, FILLED, UNFILLABLE

FILL = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "c.tsv").write_text("CAT\tIt purrs\n2D\tFox \u201cTodd\u201d\nDOG\tIt barks\n")
    return folder


LOCK = ("--lock", "1A=CAT")


def test_from_the_empty_grid_to_every_format(folder: Path) -> None:
    about = ("--title", "T", "--author", "A", "--copyright", "C", "--date", "2024-02-29")
    said = (
        "satcross: note: c.tsv: 1 clue is for a word not in the fill (DOG, line 3)\n"
        "satcross: note: c.tsv: 2 of 4 slots have no clue: 1D CUB, 3A BED\n"
    )
    solve = ("solve", "s.txt", "w.txt", "o.puz", *LOCK, "--clues", "c.tsv", *about)
    code, _, err = answer(folder, *solve, "--clue-template", "t.tsv")
    assert code == FILLED
    assert err == said + "satcross: note: o.puz: the format does not keep the date\n"
    assert (folder / "t.tsv").read_text() == "BED\t\nCUB\t\n"
    puzzle = puz.read(str(folder / "o.puz"))
    assert (puzzle.title, puzzle.author, puzzle.copyright) == ("T", "A", "C")
    assert puzzle.clues == ["It purrs", "", "Fox \u201cTodd\u201d", ""]

    crossword = read_crossword(folder / "o.puz")
    assert crossword.words == FILL
    for extension in ("ipuz", "xd", "json", "puz"):
        assert answer(folder, "convert", "o.puz", f"p.{extension}") == (0, "", "")
        assert read_crossword(folder / f"p.{extension}") == crossword
        assert answer(folder, "check", "s.txt", "w.txt", f"p.{extension}")[1] == "Right.\n"
        solved = answer(folder, "solve", f"p.{extension}", "w.txt", *LOCK)
        assert solved == (FILLED, "CAT\nU█O\nBED\n", "")
    assert answer(folder, "convert", "p.ipuz", "p.png") == (0, "", "")
    for extension in ("ipuz", "xd", "json", "exolve", "html"):
        name = f"l.{extension}"
        assert answer(folder, "convert", "p.ipuz", name, "--language", "de") == (0, "", "")
        assert read_crossword(folder / name).language == "de"
    lost = "p.txt: the format does not keep the clues; the title; the author; the copyright"
    assert answer(folder, "convert", "p.ipuz", "p.txt") == (0, "", f"satcross: note: {lost}\n")
    assert answer(folder, "solve", "p.txt", "w.txt", *LOCK) == solved
    assert (folder / "p.txt").read_text(encoding="utf-8") == "CAT\nU█O\nBED\n"
    assert (folder / "p.puz").read_bytes() == (folder / "o.puz").read_bytes()

    data = json.loads(answer(folder, *solve[:3], *solve[4:], "--json")[1])
    assert (data["title"], data["date"]) == ("T", "2024-02-29")
    assert [slot["clue"] for slot in data["slots"]] == ["It purrs", None, "Fox “Todd”", None]
    assert answer(folder, *solve[:3], "q.json", *solve[4:])[0] == FILLED
    assert read_crossword(folder / "q.json").clues == crossword.clues


def test_several_fills(folder: Path) -> None:
    code, _, _ = answer(
        folder, "solve", "s.txt", "w.txt", "o.xd", "--count", "2", "--clues", "c.tsv"
    )
    assert code == FILLED
    both = [read_crossword(folder / f"o-{number}.xd") for number in (1, 2)]
    assert both[0].words != both[1].words
    assert all("It purrs" in crossword.clues.values() for crossword in both)


def test_given_letters(folder: Path) -> None:
    (folder / "l.txt").write_text("_A_\n_#_\n___\n")
    assert answer(folder, "convert", "l.txt", "l.puz", "--letters") == (0, "", "")
    assert puz.read(str(folder / "l.puz")).fill == "-A--.----"
    code, out, err = answer(folder, "solve", "l.puz", "w.txt", "--lock", "1A=CUB")
    assert (code, out) == (FILLED, "CUB\nA█E\nTOD\n")
    assert err.startswith("satcross: note: l.puz: 1 letter is ignored; with --letters")
    assert answer(folder, "solve", "l.puz", "w.txt", "--letters")[1] == "CAT\nU█O\nBED\n"
    code, _, err = answer(folder, "solve", "l.puz", "w.txt", "--letters", "--lock", "1A=CUB")
    assert (code, err.count("\n")) == (BAD_INPUT, 1)


def test_an_unfinished_solution_is_kept_under_letters(folder: Path) -> None:
    (folder / "u.xd").write_text("Title: T\n\n\nC..\nA#.\nT..\n")
    assert answer(folder, "solve", "u.xd", "w.txt", "--letters")[1] == "CUB\nA█E\nTOD\n"
    (folder / "u.xd").write_text("Title: T\n\n\nCZ.\n.#.\n...\n")
    assert answer(folder, "solve", "u.xd", "w.txt", "--letters")[0] == UNFILLABLE
    (folder / "u.xd").write_text("Title: T\n\n\nCAT\nZ#O\nBED\n")  # finished: not taken
    assert answer(folder, "solve", "u.xd", "w.txt", "--letters")[0] == FILLED


def test_what_is_left_out_is_told(folder: Path) -> None:
    puzzle = small_puz()
    puzzle.lock_solution(1234)
    (folder / "a.puz").write_bytes(puzzle.tobytes())
    code, out, err = answer(folder, "convert", "a.puz", "a.xd")
    assert (code, out) == (0, "")
    note = "satcross: note: a.puz: the solution was scrambled with the key "
    assert err.startswith(note)
    assert answer(folder, "convert", "a.puz", "a.xd", "--quiet") == (0, "", "")
    assert answer(folder, "convert", "a.puz", "a.xd", "--key", "1234") == (0, "", "")
    assert read_crossword(folder / "a.xd").words["1A"] == "CAT"
    assert answer(folder, "solve", "a.puz", "w.txt")[0] == FILLED


def test_an_output_is_replaced_although_an_excluded_word_is_no_file(folder: Path) -> None:
    (folder / "a.xd").write_text("Title: T\n\n\nRAT\nU#O\nBED\n")
    assert answer(folder, "solve", "s.txt", "w.txt", "a.xd", "--exclude", "EERIE")[0] == FILLED
    assert "CAT" in (folder / "a.xd").read_text()


def test_a_structure_from_a_crossword(folder: Path) -> None:
    (folder / "a.xd").write_text("Title: T\n\n\nCAT\nU#O\nBED\n")
    said = "satcross: note: g.txt: the format does not keep the title\n"
    assert answer(folder, "convert", "a.xd", "g.txt", "--no-solution") == (0, "", said)
    assert (folder / "g.txt").read_text() == "___\n_#_\n___\n"


def test_files_are_written_though_nobody_reads_the_notes(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    convert = [sys.executable, "-m", "satcross", "convert", "s.txt", "a.xd", "--clues", "c.tsv"]
    ended = subprocess.run(convert, cwd=folder, stderr=writing, timeout=PATIENCE, check=False)
    os.close(writing)
    assert ended.returncode == 0
    assert (folder / "a.xd").exists()


def test_rows_without_a_letter_are_missing_letters_and_not_rows(folder: Path) -> None:
    (folder / "gaps.txt").write_text("CAT\n   \n   \n")
    (folder / "open.txt").write_text("___\n___\n___\n")
    code, out, _ = answer(folder, "check", "open.txt", "w.txt", "gaps.txt")
    assert code == UNFILLABLE
    assert out.splitlines()[0] == "r2c1: no letter"
