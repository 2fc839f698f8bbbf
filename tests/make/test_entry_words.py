"""Words of an entry of several words are not repeated in the fill."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helpers import run

from satcross import Vocabulary, make_grid
from satcross.grid.styles import Style
from satcross.solving.repeats import entries_that_repeat

WORDS = Vocabulary(
    ["GIN", "GINS", "TONIC", "TONICS", "AND", "KNEE", "KNEED", "KNEEL", "WOUND", "LIFE", "LIVES"]
)


def fill_words(demands: Mapping[str, Any], words: Vocabulary | None = None) -> set[str]:
    made = make_grid(len(demands["entries"][0]), words, seed=3, demands=demands).grids[0]
    assert made.outcome is not None
    assert made.outcome.fill is not None
    return set(made.outcome.fill.values())


@pytest.mark.parametrize(
    ("phrase", "repeated"),
    [
        ("gin and tonic", {"GIN", "GINS", "TONIC", "TONICS"}),
        ("Wounded Knee", {"KNEE", "KNEED", "WOUND"}),
        ("Gin-Gin", {"GIN", "GINS"}),
        ("life's too short", {"LIFE", "LIVES"}),
        ("and so on", {"AND"}),
        ("", set()),
    ],
)
def test_forms_of_the_words_of_a_phrase(phrase: str, repeated: set[str]) -> None:
    assert entries_that_repeat([phrase], WORDS) == repeated


@pytest.mark.usefixtures("quickly_made_grids")
@pytest.mark.parametrize(
    ("style", "entry"),
    [(Style.AMERICAN, "PLANETARY"), (Style.BRITISH, "PLANETS"), (Style.BARRED, "PLANE")],
)
def test_a_fill_does_not_repeat_a_word_of_an_entry(style: Style, entry: str) -> None:
    """A word of the fill is declared to be part of the entry: the same seed then does without."""
    demands = {"entries": (entry,), "style": style, "words": (4, 60)}
    before = fill_words(demands)
    word = next(word for word in sorted(before - {entry}) if len(word) > 3)
    assert word not in fill_words({**demands, "written": {entry: f"planet {word}"}})


def test_words_are_repeated_where_there_is_no_other_fill() -> None:
    fill = ["ABCD", "EFGH", "IJKL", "MNOP"]
    fill += ["".join(column) for column in zip(*fill, strict=True)]
    demands = {"entries": ("ABCD",), "words": (8, 8), "written": {"ABCD": "ab efgh"}}
    assert fill_words(demands, Vocabulary(fill)) == set(fill)


@pytest.mark.parametrize(("entry", "third"), [("ABCDEF", "DEF"), ("abc-def", "DJP")])
def test_the_command_reads_how_an_entry_is_written(tmp_path: Path, entry: str, third: str) -> None:
    """The better one of two fills repeats a part of the entry."""
    better = ["ABCDEF", "GHIEKL", "MNOFQR", "AGM", "BHN", "CIO", "DEF", "EKQ", "FLR"]
    lines = [*(f"{word};60" for word in better), "GHIJKL;50", "MNOPQR;50", "DJP;50"]
    (tmp_path / "list.txt").write_text("\n".join(lines))
    line = f"grid --size 3x6 --word-count 9 --symmetry none -w list.txt --entry {entry}@r1c1 --json"
    rows = json.loads(run(tmp_path, *line.split()).stdout)["grids"][0]["grid"]
    assert "".join(row[3] for row in rows) == third
