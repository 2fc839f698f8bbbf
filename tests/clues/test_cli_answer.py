"""``satcross answer``, run from a shell."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import DATA, run

from satcross.clues.answer import answer_crossword, measure_accuracy
from satcross.clues.clue import SourceSettings
from satcross.clues.report.json import session_to_data
from satcross.clues.report.text import percent
from satcross.formats.ipuz import write_crossword
from satcross.formats.readers import read_crossword
from satcross.vocabulary import Vocabulary

MINI = DATA / "minis" / "dev" / "01.xd"
SOURCES = ("--sources", "vocabulary,short-words")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a mini, and a list with its words and some others."""
    (tmp_path / "mini.xd").write_text(MINI.read_text("utf-8"), "utf-8")
    words = [*read_crossword(MINI).words.values(), "CAB", "ELDER", "HAT", "SALSA", "GRAND", "SAP"]
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n", "utf-8")
    return tmp_path


def data_of(folder: Path, *arguments: str) -> dict[str, object]:
    done = run(folder, "answer", *arguments, "-w", "words.txt", *SOURCES, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


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


@pytest.mark.parametrize("method", ["cpsat", "rc2", "bp", "crosswind"])
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
        session = answer_crossword(shown, settings, sources=["vocabulary"], method=method)
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
    grid, right = data["grid"], data["right"]
    assert isinstance(grid, list)
    assert grid[0] == "#CAB#"
    assert isinstance(right, dict)
    assert right["of_letters"] == 18
    slots = data["slots"]
    assert isinstance(slots, list)
    assert (slots[0]["word"], slots[0]["source"]) == ("CAB", "lock")


def test_why_an_answer_stands(folder: Path) -> None:
    done = run(folder, "answer", "mini.xd", "-w", "words.txt", *SOURCES, "--explain", "1a")
    text = done.stdout.decode()
    assert text.startswith("1A: HAS  Owns\n")
    for part in (
        "Best by the clue alone:",
        "from 1D HARRY",
        "With all crossings: HAS",
        "Next best here:",
    ):
        assert part in text
    reasons = data_of(folder, "mini.xd", "--explain", "1A")["reasons"]
    assert isinstance(reasons, dict)
    assert reasons["slot"] == "1A"
    assert reasons["next_best"]["log_ratio"] > 0


def test_a_picture_of_both_grids(folder: Path) -> None:
    from PIL import Image

    data_of(folder, "mini.xd", "--png", "answer.png")
    with Image.open(folder / "answer.png") as picture:
        assert picture.width > 2 * 5 * 72
        colours = {colour for _, colour in picture.getcolors(1 << 20) or []}
    assert (0xCF, 0xEC, 0xCF) in colours  # right letters


def test_what_is_wrong_is_a_line_and_the_rest_is_answered(folder: Path) -> None:
    text = (folder / "mini.xd").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("A6.")]
    (folder / "mini.xd").write_text("\n".join(lines) + "\nD77. Nowhere ~ X\n", "utf-8")
    (folder / "words.txt").write_text("CAB\nHAS\nSAG\n", "utf-8")
    done = run(folder, "answer", "mini.xd", "-w", "words.txt", "--clues-db", "no.tsv", *SOURCES)
    assert done.returncode == 0
    notes = done.stderr.decode().splitlines()
    assert all(note.startswith("satcross: note: mini.xd: ") for note in notes)
    assert any("no clue for 6A" in note for note in notes)
    assert any("77" in note for note in notes)
    assert any("4A: no source and no list has a word of 5 letters" in note for note in notes)
    assert "right:" in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.xd"], "no.xd: no such file"),
        ([], "give PUZZLE, or --evaluate DIR"),
        (["bare.txt"], "bare.txt: has no clues"),
        (["mini.xd", "--lock", "1A=LONG"], "1A takes 3 letters, not 4"),
        (["mini.xd", "--lock", "9Z=CAT"], "has no slot 9Z"),
        (["mini.xd", "--lock", "r1c2=A"], "--lock r1c2: answer takes no single letters"),
        (["mini.xd", "--explain", "9Z"], "no slot '9Z' to explain"),
        (["mini.xd", "--sources", "nope"], "'nope' is none of"),
        (["mini.xd", "--method", "magic"], "'magic' is none of auto, cpsat"),
        (["mini.xd", "--method", "bp,rc2"], "go with --evaluate"),
        (["mini.xd", "--png", "x.gif"], "choose .png"),
        (["mini.xd", "--out", "x"], "go with --evaluate"),
        (["--evaluate", "nowhere"], "no such folder"),
        (["--evaluate", ".", "mini.xd"], "does not go with --evaluate"),
    ],
)
def test_mistakes_are_one_line(folder: Path, arguments: list[str], said: str) -> None:
    (folder / "bare.txt").write_text("___\n_#_\n___\n", "utf-8")
    done = run(folder, "answer", *arguments)
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert said in line
    assert done.stdout == b""


def test_a_folder_is_evaluated(folder: Path) -> None:
    (folder / "many").mkdir()
    (folder / "mini.xd").rename(folder / "many" / "mini.xd")
    (folder / "many" / "broken.ipuz").write_text("{", "utf-8")
    done = run(
        folder, "answer", "--evaluate", "many", "-w", "words.txt", "--method", "cpsat,crosswind",
        "--sources", "vocabulary", "--sources", "vocabulary,short-words",
        "--out", "runs.jsonl", "--plot", "bars.svg",
    )  # fmt: skip
    assert done.returncode == 0
    heading, *rows = done.stdout.decode().splitlines()
    assert heading.split()[:4] == ["sources", "method", "puzzles", "letters"]
    assert [row.split()[:3] for row in rows] == [
        ["vocabulary", "cpsat", "1"],
        ["vocabulary", "crosswind", "1"],
        ["vocabulary,short-words", "cpsat", "1"],
        ["vocabulary,short-words", "crosswind", "1"],
    ]
    records = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    assert [one["of_letters"] for one in records] == [21] * 4
    assert "<svg" in (folder / "bars.svg").read_text("utf-8")
    (note,) = done.stderr.decode().splitlines()
    assert "broken.ipuz" in note


def test_probabilities_for_people() -> None:
    shares = (1.0, 0.9994, 0.9951, 0.994, 0.1, 0.0994, 0.0009)
    assert [percent(share) for share in shares] == [
        *(">99.9%", "99.9%", "99.5%", "99%", "10%", "9.9%", "<0.1%")
    ]
