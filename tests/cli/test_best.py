"""``satcross solve --best`` as somebody at a shell uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import DATA, interrupt_at_work, run, started


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "grid.txt").write_text("___\n_#_\n___\n")
    (tmp_path / "words.txt").write_text(
        "CAT;10\nCUB;90\nBED;20\nTED;80\nTOD;30\nBUD;40\nCOT;70\nTAB;15\n"
    )
    return tmp_path


def data(folder: Path, *arguments: str) -> dict[str, Any]:
    done = run(folder, "solve", *arguments, "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


# The fills: CUB/CAT/BED/TOD and CUB/COT/BED/TED ... which is best depends on what by.


def test_the_best_is_better_than_any_other(folder: Path) -> None:
    found = data(folder, "grid.txt", "words.txt", "--best", "total")
    assert found["optimal"] is True
    assert found["score"] == found["bound"]
    assert found["objective"] == "total"
    assert found["goals"] == [{"goal": "total", "value": found["score"], "bound": found["score"]}]
    several = run(folder, "solve", "grid.txt", "words.txt", "--count", "99", "--json")
    totals = [fill["score"] for fill in json.loads(several.stdout)["fills"]]
    assert len(totals) > 1
    assert max(totals) == found["score"] > min(totals)


@pytest.mark.parametrize(
    "best",
    [
        ["--best", "grid.txt", "words.txt"],
        ["grid.txt", "--best", "words.txt"],
        ["--best", "quality", "grid.txt", "words.txt"],
        ["--best", "total", "grid.txt", "words.txt"],
        ["--best=mean", "grid.txt", "words.txt"],
        ["--best", "min", "grid.txt", "words.txt"],
        ["--best", "freshness", "used.txt", "grid.txt", "words.txt"],
        ["grid.txt", "words.txt", "--best", "freshness=used.txt"],
    ],
)
def test_where_the_option_may_stand(folder: Path, best: list[str]) -> None:
    (folder / "used.txt").write_text("CAT\nTOD\n")
    assert data(folder, *best)["optimal"] is True


def test_unfillable_and_unproved_say_so(folder: Path) -> None:
    done = run(folder, "solve", "grid.txt", "words.txt", "--best", "--min-score", "85")
    assert done.returncode == 20
    assert done.stdout.startswith(b"No solution")
    (folder / "open.txt").write_text("_____\n" * 5)
    words = str(DATA / "bench" / "lists" / "scowl70.txt.gz")
    for limit in ("0.5", "5", "20", "200"):  # a busy machine may find no fill in a short time
        done = run(folder, "solve", "open.txt", words, "--best", "total", "--time-limit", limit)
        if done.returncode == 0:
            break
    assert done.returncode == 0
    assert b"not proved to be the best" in done.stderr
    assert b", no fill exceeds 1,000)" in done.stderr


@pytest.mark.parametrize("backend", ["auto", "sat"])
def test_ctrl_c_leaves_the_best_so_far(folder: Path, backend: str) -> None:
    grid = str(DATA / "grids" / "9x9-a.txt")
    with started(folder, "solve", grid, "out.json", "--best", "--backend", backend) as process:
        output, errors = interrupt_at_work(process)
        assert process.returncode == 0
    assert len(output.decode().splitlines()) == 9
    assert b"not proved to be the best" in errors
    found = json.loads((folder / "out.json").read_text())
    assert found["optimal"] is False
    assert found["reason"] == "interrupted"
    assert 1600 < found["score"] <= 3000
    # A slow machine may be interrupted before any bound is known.
    assert found["bound"] is None or found["score"] < found["bound"] <= 3000
