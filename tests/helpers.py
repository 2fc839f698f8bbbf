"""Where the data is, and reading it."""

from __future__ import annotations

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
