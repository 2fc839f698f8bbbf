"""The public face: names, one style of calls, reading and writing, printing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import PATIENCE

import satcross
from satcross import Crossword, Grid, Puzzle, RunSettings, Vocabulary

GRID = Grid.from_rows(["___", "_#_", "___"])
WORDS = ["CAT", "CUB", "BED", "TOD"]
PUZZLE = Puzzle(GRID, Vocabulary(WORDS))


def test_dir_shows_every_public_name() -> None:
    assert set(satcross.__all__) <= set(dir(satcross))
    for name in satcross.__all__:
        assert getattr(satcross, name) is not None


def test_functions_hide_modules_of_their_name_however_these_are_imported() -> None:
    program = (
        "import satcross.verify, satcross.answer, satcross.solving.solve\n"
        "from satcross.verify import verify\nfrom satcross.answer.api import answer\n"
        "from satcross.solving.solve import solve\nimport satcross\n"
        "assert satcross.verify is verify and satcross.answer is answer\n"
        "assert satcross.solve is solve\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE)


def test_importing_the_package_is_light() -> None:
    program = (
        "import sys, satcross\n"
        "loaded = [name for name in sys.modules if name.startswith('satcross.')]\n"
        "light = {f'satcross.support{end}' for end in ('', '.lazy_exports')}\n"
        "assert set(loaded) == light, loaded\n"
        "assert 'email' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE)


def test_one_value_runs_them_all() -> None:
    settings = RunSettings(time_limit=30, seed=1, workers=1)
    outcome = satcross.solve(PUZZLE, "backtrack", settings)
    assert outcome.fill is not None
    assert satcross.verify(PUZZLE, outcome.fill) == []
    assert satcross.count(PUZZLE, "backtrack", settings).count == 2
    assert satcross.best(PUZZLE, "total", "backtrack", settings).optimal
    assert len(satcross.several(PUZZLE, 5, "backtrack", settings).outcomes) == 2
    hard = Puzzle(GRID, Vocabulary(WORDS[:3]))
    assert satcross.explain(hard, "backtrack", settings).reason is not None
    proof = satcross.prove(hard, settings=settings)
    assert proof is not None
    assert proof.lines[-1] == "0"
    layout = satcross.lay_out(["CAT", "TOD"], settings).layout
    assert layout is not None
    made = satcross.make_grid((5, 5), Vocabulary.read(), settings)
    assert len(made.grids) == 1
    answers = satcross.answer(
        Crossword.of(GRID, None, {"1A": "It purrs"}),
        Vocabulary(WORDS),
        settings,
        sources=[],
        method="bp",
    ).answers
    assert len(answers.words) == 4


def test_the_encoding_has_a_variable_for_each_word_of_each_slot() -> None:
    clauses, encoding = satcross.encode(PUZZLE)
    assert [sorted(words) for words in encoding.words] == [sorted(WORDS)] * 4
    assert clauses


def test_files_are_read_and_written_by_the_types(tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text("___\n_#_\n_A_\n")
    (tmp_path / "words.txt").write_text("CAT\nCUB\n")
    assert Grid.read(tmp_path / "grid.txt").rows == ("___", "_#_", "_#_")
    assert Grid.read(tmp_path / "grid.txt", letters=True).rows[2] == "_A_"
    assert list(Vocabulary.read(tmp_path / "words.txt")) == ["CAT", "CUB"]
    assert len(Vocabulary.read()) > 100_000
    fill = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}
    crossword = Crossword.of(GRID, fill, {"1A": "It purrs"})
    assert crossword.write(tmp_path / "a.ipuz") == []
    assert Crossword.read(tmp_path / "a.ipuz") == crossword


def test_what_prints() -> None:
    outcome = satcross.solve(PUZZLE, "backtrack")
    *drawing, summary = str(outcome).splitlines()
    assert drawing == ["CAT", "U\N{FULL BLOCK}O", "BED"]
    assert summary.startswith("filled; 4 words; score 200; backtrack, ")
    assert repr(outcome) == "<Outcome: filled, 4 words, score 200, by backtrack>"
    none = satcross.solve(Puzzle(GRID, Vocabulary(["CAT"])), "backtrack")
    assert str(none).startswith("unfillable; ")
    assert len(str(none).splitlines()) == 1
    assert str(satcross.count(PUZZLE, "backtrack")) == "2 fills"
    assert str(satcross.several(PUZZLE, 9, "sat")).endswith("\n\n2 fills; there are no others")
    assert str(GRID) == "___\n_\N{FULL BLOCK}_\n___"
    assert str(Crossword.of(GRID, outcome.fill)) == "\n".join(drawing)


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'satcross' has no attribute 'sovle'"):
        _ = satcross.sovle


UNTYPED: Any = satcross


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: UNTYPED.Grid.from_rows("___"), "the rows are one text; give a list of texts"),
        (lambda: UNTYPED.Vocabulary("CAT"), "the words are one text; give a list of texts"),
        (
            lambda: UNTYPED.Puzzle("___", Vocabulary(WORDS)),
            "the grid is a str; make one with Grid.from_rows",
        ),
        (lambda: UNTYPED.Puzzle(GRID, WORDS), "the vocabulary is a list; make one with Vocabulary"),
        (lambda: UNTYPED.Puzzle(GRID, Vocabulary(WORDS), WORDS), "locks is a list; give a dict"),
        (
            lambda: UNTYPED.Puzzle(GRID, Vocabulary(WORDS), theme="CAT"),
            "the words of theme are one text; give",
        ),
        (
            lambda: UNTYPED.Puzzle(GRID, Vocabulary(WORDS), min_score="9"),
            "min_score is a str; give a whole number or None",
        ),
        (
            lambda: UNTYPED.Puzzle(GRID, Vocabulary(WORDS), theme=[1]),
            "the words of theme are texts, but 1 is an int",
        ),
        (lambda: UNTYPED.solve(GRID), "the puzzle is a Grid; make one with Puzzle"),
        (lambda: UNTYPED.explain(GRID), "the puzzle is a Grid; make one with Puzzle"),
        (lambda: UNTYPED.encode(GRID), "the puzzle is a Grid; make one with Puzzle"),
        (lambda: UNTYPED.several(PUZZLE, "2"), "the number of fills is a str; give a whole"),
        (lambda: UNTYPED.verify(PUZZLE, "CAT"), "the fill is a str; give a dict"),
        (lambda: UNTYPED.make_grid(5, 5), "the vocabulary is an int; make one with Vocab"),
        (lambda: UNTYPED.lay_out("CAT"), "the words are one text; give a list of texts"),
        (lambda: UNTYPED.answer("a.puz"), "the crossword is a str; read one with Crossword.read"),
    ],
)
def test_arguments_of_other_types_are_refused_in_a_sentence(call: Any, sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).startswith(sentence)


def test_representations_are_short() -> None:
    assert repr(GRID) == "Grid(rows=('___', '_#_', '___'))"
    assert repr(PUZZLE) == f"Puzzle(grid={GRID!r}, vocabulary=<Vocabulary of 4 words>)"
    assert repr(satcross.several(PUZZLE, 9, "sat")) == "<FillList: 2 fills, complete>"
    assert repr(satcross.RunSettings(seed=3)) == "RunSettings(seed=3)"
    assert not {"annotations", "lazy_exports", "TYPE_CHECKING"} & set(dir(satcross))
    result = satcross.lay_out(["CAT", "TOD"])
    assert str(result).startswith("C##\nA##\nTOD\n2 words in 3x3 = 9 cells")
