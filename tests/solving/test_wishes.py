"""What a setter may wish for: every letter, hidden messages, words that are fresh."""

from __future__ import annotations

from pathlib import Path
from string import ascii_uppercase

from helpers import run

from satcross import Grid, Puzzle, Vocabulary
from satcross.cli import BAD_INPUT, FILLED, UNFILLABLE, UNKNOWN
from satcross.outcome import Status
from satcross.run_settings import STOPPED
from satcross.solving.pangram import fill_pangram

LETTERS = ["ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXY"]


def lines(*more: str) -> tuple[Grid, Vocabulary]:
    """A grid of five words of five letters and one of four, apart from each other."""
    rows = [row for _ in range(5) for row in ("_____", "#####")]
    return Grid.from_rows([*rows, "____#"]), Vocabulary([*LETTERS, *more])


def test_every_letter_is_used() -> None:
    grid, words = lines("ZOOM", "ROOM", "BOOM", "AAAAA", "BBBBB", "CCCCC", "DDDDD")
    for seed in range(3):
        outcome = fill_pangram(Puzzle(grid, words), seed=seed, workers=1)
        assert outcome.fill is not None
        assert set("".join(outcome.fill.values())) == set(ascii_uppercase)
        assert outcome.grid == grid


def test_a_letter_without_a_place_is_proved_to_lack() -> None:
    outcome = fill_pangram(Puzzle(*lines("ROOM")), workers=1)
    assert (outcome.status, outcome.reason) == (Status.UNFILLABLE, "no word with Z fits anywhere")
    small = Puzzle(Grid.from_rows(["___"]), Vocabulary(["CAT"]))
    assert "fewer than 26 cells" in fill_pangram(small).reason


def test_it_goes_on_until_it_is_stopped() -> None:
    grid, _ = lines()
    fills: list[str] = []
    outcome = fill_pangram(
        Puzzle(grid, Vocabulary([*LETTERS[:4], "VWXYY", "ZOOM", "UMMM"])),
        workers=1,
        on_progress=lambda text: fills.append(text) if "another fill" in text else None,
        should_stop=lambda: len(fills) == 12,
    )
    assert (outcome.status, outcome.reason, len(fills)) == (Status.UNKNOWN, STOPPED, 12)


def test_where_it_is_not_found(tmp_path: Path) -> None:
    grid, words = lines("ZOOM")
    (tmp_path / "grid.txt").write_text("\n".join(grid.rows))
    (tmp_path / "words.txt").write_text("\n".join(words))
    asked = ("solve", "grid.txt", "words.txt", "--pangram", "--quiet")
    assert run(tmp_path, *asked).returncode == FILLED
    (tmp_path / "words.txt").write_text("\n".join([*LETTERS[:4], "VWXYY", "ZOOM", "UMMM"]))
    assert run(tmp_path, *asked, "--time-limit", "1").returncode == UNKNOWN
    (tmp_path / "words.txt").write_text("\n".join([*LETTERS, "ROOM"]))
    assert run(tmp_path, *asked).returncode == UNFILLABLE


def test_used_words_come_back_only_where_they_must(tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text("___\n")
    (tmp_path / "words.txt").write_text("cat;70\ndog;55\n")
    asked = ("solve", "grid.txt", "words.txt", "--quiet")
    assert run(tmp_path, *asked, "used/cat.ipuz").returncode == BAD_INPUT
    (tmp_path / "used").mkdir()
    (tmp_path / "used/broken.puz").write_text("?")
    assert run(tmp_path, *asked, "used/cat.ipuz").returncode == FILLED
    (tmp_path / "used.txt").write_text("cat\n")
    for used in ("used", "used/cat.ipuz", "used.txt"):
        result = run(tmp_path, "solve", "grid.txt", "words.txt", "--fresh", used)
        assert (result.returncode, result.stdout) == (FILLED, b"DOG\n"), used
        assert (b"broken.puz: no crossword could be read" in result.stderr) == (used == "used")
    both = ("--fresh", "used.txt", "--exclude", "dog")
    assert run(tmp_path, "solve", "grid.txt", "words.txt", *both).stdout == b"CAT\n"
    made = run(tmp_path, "grid", "--size", "5", "-w", "words.txt", "--fresh", "gone")
    assert b"gone: no such file" in made.stderr
