"""The house stands as docs/architecture.md says: what import contracts can't see is held here."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from helpers import PATIENCE, ROOT

from satcross.cli import COMMANDS, HOMES
from satcross.support.hooks import HOOKS

BY_NAME = {
    "satcross/answer/sources/registry.py",
    "satcross/backends/registry.py",
    "satcross/cli/__init__.py",
    "satcross/formats/readers.py",
    "satcross/formats/writers.py",
    "satcross/rules/__init__.py",
    "satcross/support/hooks.py",
    "satcross/support/lazy_exports.py",
}
"""The registries: the only modules that import one of ours by a name in a string."""

NOT_OURS = {
    "satcross/cs50/grading/subject.py",  # the student's program
    "satcross/cs50/grading/worker.py",  # in a package of its own
}


def test_only_registries_import_by_name() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "satcross").rglob("*.py")
        if re.search(r"\bimport_module\(|\b__import__\(", path.read_text("utf-8"))
    }
    assert found - NOT_OURS <= BY_NAME


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_leads_to_a_function(name: str) -> None:
    assert callable(getattr(import_module(HOOKS[name]), name))


def test_hooks_are_called_by_a_name_in_their_table() -> None:
    called = set()
    for path in (ROOT / "satcross").rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if re.search(r"\bcall\(", text) else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "call":
                assert isinstance(node.args[0], ast.Constant), path
                called.add(node.args[0].value)
    assert called == set(HOOKS)


def test_every_command_has_a_home() -> None:
    assert {name for commands in COMMANDS.values() for name in commands} == set(HOMES)
    for name, home in HOMES.items():
        assert Path(ROOT, "satcross", home, "commands", f"{name}.py").is_file()


def test_filling_a_grid_loads_the_core_alone(tmp_path: Path) -> None:
    (tmp_path / "grid.txt").write_text("___\n_#_\n___\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("cat\ncub\nbed\ntod\n", encoding="utf-8")
    program = """
import sys
from satcross.cli import cli
line = "solve grid.txt words.txt fill.png --backend sat,cpsat,backtrack --quiet"
try:
    cli.main(line.split(), standalone_mode=False)
except SystemExit:
    print(*(name for name in sys.modules if name.startswith("satcross.")))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    wings = {name.split(".")[1] for name in done.stdout.split()} & {
        *("answer", "compare", "cs50", "make", "web")
    }
    assert wings == set()
