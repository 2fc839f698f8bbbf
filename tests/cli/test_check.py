"""``satcross check`` as somebody at a shell sees it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers import answer, run, small_puz

from satcross import Crossword, Grid, write_crossword
from satcross.cli import BAD_INPUT, FILLED, WRONG
from satcross.formats.registry import FORMATS, WRITE_ONLY

RIGHT = "CAT\nU█O\nBED\n"


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "w.txt").write_text("cat;50\ncub;50\nbed;10\ntod;50\n")
    return folder


def check(folder: Path, fill: str, *flags: str, name: str = "f.txt") -> tuple[int, str, str]:
    (folder / name).write_text(fill, encoding="utf-8")
    return answer(folder, "check", "s.txt", "w.txt", name, *flags)


@pytest.mark.parametrize(
    ("fill", "flags", "problems"),
    [
        ("CAT\nU█O\nBAD", (), ["3A: BAD is not in the vocabulary"]),
        (RIGHT, ("--min-score", "20"), ["3A: BED scores less than 20"]),
        (RIGHT, ("--exclude", "bed"), ["3A: BED is excluded"]),
        (RIGHT, ("--lock", "1A=CUB"), ["1A: CAT stands where CUB is locked"]),
        ("CAT\nU█O\nBE", (), ["r3c3: no letter"]),
        ("CAT\nU█O", (), ["the fill has 2x3 cells, the structure 3x3 (rows x columns)"]),
        ("CUB\nU█E\nBED", (), ["1A and 1D repeat CUB", "2D and 3A repeat BED"]),
    ],
)
def test_wrong(folder: Path, fill: str, flags: tuple[str, ...], problems: list[str]) -> None:
    code, out, _ = check(folder, fill, *flags)
    assert (code, out.splitlines()) == (WRONG, problems)


def test_everything_wrong_is_listed(folder: Path) -> None:
    _, out, _ = check(folder, "CUB\nUXE\nBE ", "--min-score", "20", "--exclude", "CUB")
    assert out.splitlines() == [
        "r2c2: the letter X where the structure is blocked",
        "r3c3: no letter",
        "1A: CUB is excluded",
        "1D: CUB is excluded",
        "1A and 1D repeat CUB",
    ]
    assert check(folder, "CUB\nU█E\nBED", "--allow-repeats")[0] == FILLED
    assert check(folder, "\n\nC A T\nU # O\nB E D\n\n")[0] == FILLED  # as programs print it


def test_several_fills(folder: Path) -> None:
    printed = run(folder, "solve", "s.txt", "w.txt", "--json", "--count", "2").stdout.decode()
    assert check(folder, printed, name="f.json")[:2] == (FILLED, "All 2 fills are right.\n")
    data = json.loads(printed)
    data["fills"][1]["grid"] = ["CAT", "U#O", "BET"]
    code, out, _ = check(folder, json.dumps(data), name="f.json")
    assert code == WRONG
    assert all(line.startswith("fill 2: ") for line in out.splitlines())


def ipuz(rows: Sequence[object], **more: object) -> str:
    return json.dumps({"kind": ["http://ipuz.org/crossword#1"], "solution": rows, **more})


def test_ipuz(folder: Path) -> None:
    rows = [["C", "A", "T"], ["U", "#", "O"], ["B", "E", "D"]]
    for text in (
        ipuz(rows),
        ipuz([["C", "A", "T"], ["U", None, "O"], [{"value": "B"}, {"cell": "E"}, "d"]]),
        ipuz([["C", "A", "T"], ["U", "X", "O"], ["B", "E", "D"]], block="X"),
        f"ipuz({ipuz([], saved=rows)});",
    ):
        assert check(folder, text, name="f.ipuz") == (FILLED, "Right.\n", "")
        code, out, _ = check(folder, text.replace('"T"', '"P"'), name="f.ipuz")
        assert code == WRONG
        assert "CAP" in out
    assert "no letter" in check(folder, ipuz([*rows[:2], ["B", 0, "D"]]), name="f.ipuz")[1]


def test_puz(folder: Path) -> None:
    puzzle = small_puz()

    def checked(data: bytes) -> tuple[int, str, str]:
        (folder / "f.puz").write_bytes(data)
        return answer(folder, "check", "s.txt", "w.txt", "f.puz")

    assert checked(puzzle.tobytes())[0] == FILLED
    puzzle.solution, puzzle.fill = "----.----", "CATU.OBE-"  # no solution: what was filled in
    code, out, _ = checked(puzzle.tobytes())
    assert (code, "no letter" in out) == (WRONG, True)
    puzzle.solution = "CATU.OBED"
    puzzle.lock_solution(1234)
    assert checked(puzzle.tobytes())[0] == FILLED
    code, _, err = checked(puzzle.tobytes()[:-10])
    assert (code, err.count("\n")) == (BAD_INPUT, 1)


def test_composed_letters(folder: Path) -> None:
    (folder / "s.txt").write_text("_____\n")
    (folder / "w.txt").write_text("\u00e9cole\n", encoding="utf-8")
    written = "E\u0301COLE"  # an E and an accent that combines with it
    assert check(folder, written)[0] == FILLED
    assert check(folder, json.dumps({"grid": [written]}), name="f.json")[0] == FILLED
    assert check(folder, json.dumps({"grid": [written]}, ensure_ascii=False), name="f.json")[0] == 0


def test_quality_of_clues_and_rebus_cells_in_every_format(folder: Path) -> None:
    rows = (("S", "HEART", "S"), ("U", None, "I"), ("B", "E", "T"))
    clues = {"1A": "See 9-Across", "1D": "Boat", "2D": "Not stand", "3A": "Wager (4)"}
    crossword = Crossword(Grid(("___", "_#_", "___")), rows, clues)
    (folder / "w.txt").write_text("shearts\nsub\nsit\nbet\n")
    for extension in (e for e in FORMATS if e not in WRITE_ONLY):
        lost = write_crossword(crossword, folder / f"a{extension}")
        result = run(folder, "check", f"a{extension}", "w.txt", f"a{extension}", "--quality")
        assert (result.returncode, result.stdout.startswith(b"Right.\n")) == (FILLED, True)
        text = b"clue of 1A: refers to 9A" in result.stdout and b"says (4)" in result.stdout
        assert text == ("the clues" not in lost)
        if text:  # a printed grid alone is a structure
            alone = run(folder, "check", f"a{extension}", "-w", "w.txt", "--quality")
            assert (alone.returncode, alone.stdout) == (result.returncode, result.stdout)
