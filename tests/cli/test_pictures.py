"""Pictures and pages from the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import run
from pypdf import PdfReader


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "clues.tsv").write_text("CAT\tIt purrs\n", encoding="utf-8")
    return folder


def test_from_the_grid_to_the_page_and_on(folder: Path) -> None:
    wanted = ("--backend", "backtrack", "--clues", "clues.tsv", "--title", "Monday", "--quiet")
    for name in ("monday.html", "monday.pdf", "monday.svg", "monday.png"):
        answer = run(folder, "solve", "s.txt", "w.txt", name, *wanted, "--paper", "letter")
        assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")
    page, solution = PdfReader(folder / "monday.pdf").pages
    assert page.mediabox.width == 612
    assert "It purrs" in page.extract_text()
    assert "Monday: solution" in solution.extract_text()
    again = run(folder, "convert", "monday.html", "again.svg", "--style", "newspaper", "--quiet")
    assert again.returncode == 0
    assert "It purrs" in (folder / "again.svg").read_text(encoding="utf-8")


def test_a_worksheet(folder: Path) -> None:
    more = ("--word-bank", "--name-line", "--large-print", "--language", "de", "--quiet")
    for name in ("sheet.pdf", "sheet.html"):
        answer = run(folder, "solve", "s.txt", "w.txt", name, *more, "--answer-key", "no")
        assert (answer.returncode, answer.stderr) == (0, b"")
    (page,) = (page.extract_text() for page in PdfReader(folder / "sheet.pdf").pages)
    html = (folder / "sheet.html").read_text(encoding="utf-8")
    for text in ("Datum ___", "BED · CAT · CUB · TOD"):
        assert (text in page, text in re.sub("<[^>]+>", "", html)) == (True, True)
    assert ("Lösung" in html, 'class="large"' in html) == (False, True)
    key = run(folder, "solve", "s.txt", "w.txt", "key.html", "--answer-key", "yes")
    assert key.returncode == 0
    assert "<h2>Solution</h2>" in (folder / "key.html").read_text(encoding="utf-8")
    picture = run(folder, "convert", "key.html", "key.png", "--word-bank")
    assert b"--word-bank: only .pdf and .html are printed" in picture.stderr


def test_a_submission_form(folder: Path) -> None:
    asked = ("solve", "s.txt", "w.txt", "--clues", "clues.tsv", "--title", "Monday")
    form = ("--submission", "Ann Setter; 1 Grid Lane")
    assert run(folder, *asked, "-o", "form.pdf", *form, "--quiet").returncode == 0
    grid, clues = (page.extract_text() for page in PdfReader(folder / "form.pdf").pages)
    assert {"Ann Setter", "1 Grid Lane", "3x3, 4 words"} <= set(grid.splitlines())
    assert "It purrs" in clues
    assert "CAT" in clues
    answer = run(folder, *asked, "-o", "form.html", *form)
    assert b"--submission: only a .pdf is a submission form" in answer.stderr
    refused = run(folder, *asked, "-o", "form.pdf", *form, "--word-bank")
    assert (refused.returncode, refused.stdout) == (2, b"")


def test_colours_only_when_asked_for(folder: Path) -> None:
    plain = run(folder, "solve", "s.txt", "w.txt")
    assert b"\x1b" not in plain.stdout
    colours = run(folder, "solve", "s.txt", "w.txt", "--color", encoding="ascii")
    assert colours.returncode == 0
    assert colours.stdout.count(b"\x1b[0m\n") == 6
