"""``on_partial`` sees the letters of a search and does not change its result."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from helpers import DATA, load_grid, load_words, take_turns_of

from satcross import Grid, Puzzle, Status, Vocabulary, solve
from satcross.backends.search import portfolio
from satcross.grid import Cell
from satcross.network.arc_consistency import arc_consistent
from satcross.run_settings import Deadline, ignore_partial


@pytest.mark.parametrize("backend", ["auto", "backtrack"])
def test_looking_on_changes_nothing(default_vocabulary: Vocabulary, backend: str) -> None:
    puzzle = Puzzle(load_grid(DATA / "grids" / "15x15-78.txt"), default_vocabulary)
    seen: list[Mapping[Cell, str]] = []
    watched = solve(puzzle, backend, seed=3, workers=1, on_partial=seen.append)
    alone = solve(puzzle, backend, seed=3, workers=1)
    assert watched.fill == alone.fill
    assert watched.stats == alone.stats
    assert len(seen) > 2
    rows = puzzle.grid.rows
    assert all(rows[row][column] == "_" for letters in seen for row, column in letters)


def test_turns_are_as_long_when_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    take_turns_of(50, monkeypatch)
    words = load_words(DATA / "bench" / "lists" / "scowl70.txt.gz")
    puzzle = Puzzle(load_grid(DATA / "grids" / "15x15-72.txt"), words)
    found = []
    for on_partial in (ignore_partial, lambda letters: None):
        searches = portfolio.Portfolio(arc_consistent(puzzle))
        searches.run(Deadline(), 3, on_partial)
        assert searches.stats["nodes"] == 50
        found.append(int(searches.stats["narrowed_nodes"]))
    assert found[0] == found[1] > 50


def test_what_is_forced_is_seen_at_once() -> None:
    puzzle = Puzzle(Grid.from_rows(["_____", "_####"]), Vocabulary(["ABOUT", "AT"]))
    seen: list[Mapping[Cell, str]] = []
    solve(puzzle, "sat", on_partial=seen.append)
    letters = {(0, column): letter for column, letter in enumerate("ABOUT")}
    assert seen[0] == {**letters, (1, 0): "T"}


def test_a_race_shows_one_of_its_searches(default_vocabulary: Vocabulary) -> None:
    hard = Grid.from_rows([*["________"] * 8, "_#######"])
    seen: list[Mapping[Cell, str]] = []
    lines: list[tuple[str, int]] = []

    def on_partial(letters: Mapping[Cell, str]) -> None:
        seen.append(letters)
        racing = next((number for line, number in lines if "racing" in line), None)
        if racing is not None and len(seen) > racing:
            raise KeyboardInterrupt  # the callback has seen what it needs

    outcome = solve(
        Puzzle(hard, default_vocabulary),
        workers=2,
        quality="any",
        on_progress=lambda line: lines.append((line, len(seen))),
        on_partial=on_partial,
    )
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "interrupted")
