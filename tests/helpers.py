"""Where the data is, reading it, and running the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from satcross.formats.files import read_text
from satcross.formats.text import parse_structure
from satcross.formats.words import parse_words
from satcross.grid import Grid
from satcross.vocabulary import Vocabulary

ROOT = Path(__file__).parent.parent
DATA = ROOT / "data"


def load_grid(path: Path) -> Grid:
    return parse_structure(read_text(str(path))).grid


def load_words(path: Path) -> Vocabulary:
    return parse_words([read_text(str(path))]).vocabulary


def run(
    folder: Path, *arguments: str, given: bytes | None = None, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    """``satcross`` as somebody at a shell in that folder runs it."""
    return subprocess.run(
        [sys.executable, "-m", "satcross", *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=120,
        check=False,
    )
