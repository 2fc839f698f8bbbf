"""The template of a backend in CONTRIBUTING.md works as it is printed there."""

from __future__ import annotations

import re
import sys
from types import ModuleType

import pytest
from helpers import PATIENCE, ROOT

from satcross import Grid, Puzzle, Status, Vocabulary, solve
from satcross.backends import registry


def test_the_template_fills_a_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r'```python\n("""The guess backend.*?)```', text, re.DOTALL)
    assert found is not None
    module = ModuleType("guess_backend")
    monkeypatch.setitem(sys.modules, "guess_backend", module)
    exec(found[1], module.__dict__)
    monkeypatch.setitem(registry.BACKENDS, "guess", "guess_backend:Guess")
    grid = Grid.from_rows(["___", "_#_", "___"])
    puzzle = Puzzle(grid, Vocabulary(["CAT", "CUB", "BED", "TOD"]))
    assert solve(puzzle, "guess", time_limit=PATIENCE).status is Status.FILLED
