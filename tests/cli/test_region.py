"""``satcross solve --keep``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import answer, run

GRID = "____#\n_#__#\n_____\n#__#_\n#____\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("region")
    (folder / "grid.txt").write_text(GRID)
    done = run(folder, "solve", "grid.txt", "fill.json", "--min-score", "20")
    assert done.returncode == 0, done.stderr
    return folder


def fill(folder: Path, name: str) -> dict[str, Any]:
    return dict(json.loads((folder / name).read_text()))


def refill(folder: Path, *arguments: str) -> tuple[int, str, str]:
    return answer(folder, "solve", "grid.txt", *arguments)


def test_only_the_region_changes(folder: Path) -> None:
    before = fill(folder, "fill.json")
    code, _, errors = refill(
        folder, "new.json", "--keep", "fill.json", "--region", "r1-2c2-4", "--best"
    )
    assert code == 0, errors
    after = fill(folder, "new.json")
    assert after["score"] >= before["score"]
    assert after["optimal"] is True
    for row, (old, new) in enumerate(zip(before["grid"], after["grid"], strict=True)):
        for column, (item, other) in enumerate(zip(old, new, strict=True)):
            if not (row <= 1 and 1 <= column <= 3):
                assert item == other
    done = run(folder, "check", "grid.txt", "new.json")
    assert done.stdout == b"Right.\n"


def test_a_kept_word_that_no_list_has(folder: Path) -> None:
    rows = fill(folder, "fill.json")["grid"]
    # 1A stays; 8A is outside of the region and becomes nonsense.
    (folder / "fill.txt").write_text("\n".join([*rows[:4], "#QQQQ"]))
    code, _, errors = refill(folder, "--keep", "fill.txt", "--region", "r1-2c1-4")
    assert code == 20  # the words that cross it are in no list either
    (folder / "apart.txt").write_text("___\n###\n___\n")
    (folder / "apart-fill.txt").write_text("CAT\n###\nQQQ\n")
    done = run(folder, "solve", "apart.txt", "--keep", "apart-fill.txt", "--region", "r1c1-3")
    assert done.returncode == 0, errors
    assert done.stdout.decode().splitlines()[-1] == "QQQ"
    assert b"your own QQQ" in done.stderr


def test_the_note_is_about_the_whole_fill(tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text("___\n###\n___\n")
    (tmp_path / "words.txt").write_text("cat;60\ndog;60\nzax;20\n")
    (tmp_path / "fill.txt").write_text("CAT\n###\nZAX\n")
    keep = ("--keep", "fill.txt", "--region", "r1c1-3")
    done = run(tmp_path, "solve", "grid.txt", "words.txt", *keep)
    assert b"1 word below 50: ZAX" in done.stderr


def test_cells_without_a_letter_outside_of_the_region_are_told(folder: Path) -> None:
    flags = ("--keep", "grid.txt", "--region", "r1-5c1-5")
    assert "outside" not in refill(folder, *flags)[2]
    code, _, errors = refill(folder, *flags[:3], "r1-2c1-4")
    outside = sum(line[4 * (row < 2) :].count("_") for row, line in enumerate(GRID.splitlines()))
    assert code == 0
    assert f"grid.txt: {outside} cells outside of the region without a letter" in errors


def test_a_region_that_is_filled_as_before_is_told(folder: Path) -> None:
    flags = ("--keep", "fill.json", "--region", "r1c1-4")
    word = "".join(fill(folder, "fill.json")["grid"][0][:4])
    said = "fill.json: the region is filled as before"
    assert said in refill(folder, *flags, "--lock", f"1A={word}")[2]
    assert said not in refill(folder, "--keep", "grid.txt", *flags[2:])[2]


def test_the_kept_fill_may_be_standard_input(folder: Path) -> None:
    rows = "\n".join(fill(folder, "fill.json")["grid"])
    flags = ("--keep", "-", "--region", "r1c1-4")
    done = run(folder, "solve", "grid.txt", *flags, given=rows.encode())
    assert done.returncode == 0, done.stderr


def test_several_fills_of_a_region(folder: Path) -> None:
    code, output, errors = refill(
        folder,
        "new.json",
        *("--keep", "fill.json", "--region", "r1-2c1-4", "--region", "r5c2-5"),
        *("--count", "3", "--diverse"),
    )
    assert code == 0, errors
    grids = {tuple(fill(folder, f"new-{number}.json")["grid"]) for number in (1, 2, 3)}
    assert len(grids) == 3
    assert output.count("\n\n") == 2
