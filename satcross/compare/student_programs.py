"""Students' programs as contenders: CS50's generate.py."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from satcross.compare.contenders import (
    UNREADABLE,
    Description,
    RunAnswer,
    RunDirectory,
    allowed_words,
    hash_files,
    states_more_than_words,
)
from satcross.compare.limits import ExitInfo
from satcross.compare.read_answers import read_text
from satcross.compare.records import CRASHED, FILLED, UNFILLABLE, UNKNOWN, UNSUPPORTED
from satcross.cs50.grading.runner import copy_program, environment, find_program
from satcross.formats.text import parse_printed
from satcross.grid import FULL_BLOCK
from satcross.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class StudentProgram:
    """A student's generate.py, run in a copy as ``python generate.py STRUCTURE WORDS``.

    ``path`` is the file or its folder; raises InputError if it does not exist. The words are
    written in upper case and without scores. As in ``satcross grade``, the program runs with the
    course's crossword.py and without installed packages.
    """

    kind: ClassVar[str] = "student"
    path: str
    number: int = 1
    program: str = field(init=False)
    """Hash of the Python files that are run."""

    def __post_init__(self) -> None:
        with tempfile.TemporaryDirectory(prefix="satcross-run-") as name:
            trial = Path(name) / "trial"
            copy_program(find_program(self.path), trial)
            (trial / "crossword.py").unlink()  # not part of the student's work
            files = sorted(path for path in trial.rglob("*.py") if path.is_file())
            object.__setattr__(self, "program", hash_files(files, trial))

    @property
    def name(self) -> str:
        program = find_program(self.path).absolute()
        name = f"{program.parent.name}/{program.name}"
        return name if self.number == 1 else f"{name}#{self.number}"

    @property
    def description(self) -> Description:
        command = f"python {self.path} STRUCTURE WORDS"
        return Description(command=command, program=self.program)

    def processors(self, workers: int) -> int:
        return 1

    def attempt(self, puzzle: Puzzle, run_directory: RunDirectory) -> RunAnswer:
        if states_more_than_words(puzzle):
            detail = "the course's program supports only a structure and a word list"
            return RunAnswer(UNKNOWN, ExitInfo(None), UNSUPPORTED, detail)
        folder = run_directory.folder
        trial, structure, words = folder / "trial", folder / "structure.txt", folder / "words.txt"
        copy_program(find_program(self.path), trial)
        rows = (row.replace("#", FULL_BLOCK) for row in puzzle.grid.rows)
        structure.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        words.write_text("".join(f"{word}\n" for word in allowed_words(puzzle)), encoding="utf-8")
        ended = run_directory.run(
            [sys.executable, "-S", "generate.py", str(structure), str(words)],
            folder=trial,
            environment={**environment(), "PYTHONUTF8": "1"},
        )
        return run_directory.failure(ended) or _read(puzzle, read_text(run_directory.stdout), ended)


def _read(puzzle: Puzzle, text: str, ended: ExitInfo) -> RunAnswer:
    seconds = {"solve": ended.wall}
    if any(line.strip() == "No solution." for line in text.splitlines()):
        detail = "the program prints No solution."
        return RunAnswer(UNFILLABLE, ended, detail=detail, seconds=seconds)
    fill = parse_printed(puzzle.grid, text)
    if fill is None:
        detail = "the program prints neither a grid nor No solution."
        return RunAnswer(CRASHED, ended, UNREADABLE, detail)
    return RunAnswer(FILLED, ended, fill=fill, seconds=seconds)
