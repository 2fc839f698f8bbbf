"""Odd lists and flags: a mistake is one line and exit code 2, and the commands agree."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from satcross.cli import BAD_INPUT, FILLED, UNFILLABLE, main


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def call(*arguments: str) -> tuple[int, str, str]:
    """The command line, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["satcross", *arguments])
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main()
                code = 0
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else 0
    return code, out.getvalue(), err.getvalue()


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, str, list[str]]:
    """A structure, a list and flags, as a careless person might give them."""
    row = st.text("____#", min_size=2, max_size=4) | st.text("_#AB", max_size=4)
    structure = "\n".join(draw(st.lists(row, min_size=1, max_size=4)))
    odd = st.lists(st.text("ABCabé ;1-", max_size=5), max_size=3)
    word = st.text("AB", min_size=2, max_size=4)
    words = "\n".join(draw(st.lists(word, min_size=1, max_size=20)) + draw(odd))
    usual = [["--letters"], ["--allow-repeats"], ["--min-score", "50"], ["--exclude", "AB"]]
    unusual = [
        *(["--min-score", "51"], ["--exclude", ""], ["--lock", "1A"]),
        *(["--lock", f"{name}={word}"] for name in ("1A", "2D") for word in ("AB", "bab")),
    ]
    flags = draw(st.lists(st.sampled_from(usual), max_size=2))
    flags += draw(st.lists(st.sampled_from(unusual), max_size=1)) if draw(st.booleans()) else []
    return structure, words, [flag for pair in flags for flag in pair]


@given(question=questions())
def test_the_commands_agree(folder: Path, question: tuple[str, str, Sequence[str]]) -> None:
    structure, words, flags = question
    (folder / "s.txt").write_text(structure, encoding="utf-8")
    (folder / "w.txt").write_text(words, encoding="utf-8")
    files = (str(folder / "s.txt"), str(folder / "w.txt"), "--quiet", "--json")
    solved, out, err = call("solve", *files, "--backend", "backtrack", *flags)
    event(str(solved))
    counted = call("count", *files, "--at-least", "1", *flags)
    explained = call("explain", *files, "--no-suggestions", *flags)
    if solved == BAD_INPUT:
        assert out == ""
        assert len(err.splitlines()) == 1
        assert counted == explained == (BAD_INPUT, "", err)
        return
    assert solved in (FILLED, UNFILLABLE)
    assert (counted[0], explained[0], err) == (FILLED, FILLED, "")
    filled = solved == FILLED
    assert json.loads(counted[1])["at_least"]["answer"] is filled
    said = json.loads(explained[1])
    assert said["status"] == ("fillable" if filled else "unfillable")
    assert filled or said["minimal"]
    if filled:
        (folder / "fill.json").write_text(out, encoding="utf-8")
        assert call("check", *files, str(folder / "fill.json"), *flags)[0] == FILLED
