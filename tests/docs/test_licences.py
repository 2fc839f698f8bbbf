"""Every data file has a row in data/LICENSES.md that says where it comes from."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "data", ROOT / "satcross" / "resources", ROOT / "satcross" / "web" / "static")
OURS = {".py", ".md", ".toml", ".js", ".html", ".css", ".svg", ".jsonl"}
"""Code, documentation and records: under the project's licence unless a row says otherwise."""


def test_every_data_file_has_a_licence() -> None:
    rows = (ROOT / "data" / "LICENSES.md").read_text("utf-8").splitlines()
    named = [name for row in rows if row.startswith("|") for name in _names(row.split("|")[1])]
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in OURS and "__pycache__" not in path.parts
    ]
    assert len(files) > 50
    assert not [file for file in files if not any(fnmatch(file, name) for name in named)]


def _names(cell: str) -> list[str]:
    """Return the paths in the first cell of a row; names without a folder are in the one before."""
    folder, paths = "", []
    for name in re.findall(r"`([^`]+)`", cell):
        if "/" in name:
            folder = name.rpartition("/")[0]
        paths.append(name if "/" in name else f"{folder}/{name}")
    if "the other files of" in cell:
        paths[0] += "*"
    return paths
