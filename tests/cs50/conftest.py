"""Fixtures that make puzzles from rows and words, for all tests of the CS50 classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from satcross.cs50 import Crossword, CrosswordCreator

collect_ignore = ["right"]  # programs for the grader, not for pytest

Make = Callable[..., CrosswordCreator]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Crossword]:
    """A Crossword from the text of two files."""

    def make(structure: str, words: str = "") -> Crossword:
        structure_file, words_file = tmp_path / "structure.txt", tmp_path / "words.txt"
        for file, text in ((structure_file, structure), (words_file, words)):
            try:
                # newline="": the file has exactly the text of the test.
                file.write_text(text, newline="")
            except UnicodeEncodeError:
                pytest.skip("the default encoding lacks a character of this test")
        return Crossword(str(structure_file), str(words_file))

    return make


@pytest.fixture
def make(read: Callable[..., Crossword]) -> Make:
    """A CrosswordCreator from rows and words, with the textbook search unless told otherwise."""

    def create(
        rows: Iterable[str], words: Iterable[str] = (), backend: str | None = None
    ) -> CrosswordCreator:
        return CrosswordCreator(read("\n".join(rows) + "\n", "\n".join(words) + "\n"), backend)

    return create
