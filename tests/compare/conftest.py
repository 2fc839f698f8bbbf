"""A folder with small puzzles, and figures that are drawn but not written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from satcross.compare import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

collect_ignore = ["planted"]  # registers wrong backends wherever it is imported

FILES = {
    "s.txt": "___\n_#_\n___\n",
    "t.txt": "__\n__\n",
    "w.txt": "cat;50\ncub;60\nbed;70\ntod;80\n",
    "none.txt": "cat\ndog\nelk\nfox\nab\nba\naa\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that are drawn, not made to files, which takes most of the time."""
    found: list[Figure] = []
    monkeypatch.setattr(plots, "to_plot", lambda figure, *text: found.append(figure))
    return found
