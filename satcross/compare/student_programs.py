"""Students' programs as contenders: CS50's generate.py."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from satcross.compare.command_lines import structure_text, words_text
from satcross.compare.contenders import Demand, Description, RunAnswer, RunDirectory, hash_files
from satcross.compare.limits import ExitInfo
from satcross.compare.read_answers import read_program
from satcross.compare.records import UNKNOWN, UNSUPPORTED
from satcross.cs50.grading.runner import copy_program, environment, find_program
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
        if Demand.of(puzzle) > Demand.NOTHING:
            detail = "the course's program supports only a structure and a word list"
            return RunAnswer(UNKNOWN, ExitInfo(None), UNSUPPORTED, detail)
        folder = run_directory.folder
        trial, structure, words = folder / "trial", folder / "structure.txt", folder / "words.txt"
        copy_program(find_program(self.path), trial)
        structure.write_text(structure_text(puzzle), encoding="utf-8")
        words.write_text(words_text(puzzle), encoding="utf-8")
        ended = run_directory.execute(
            [sys.executable, "-S", "generate.py", str(structure), str(words)],
            folder=trial,
            environment={**environment(), "PYTHONUTF8": "1"},
        )
        failure = run_directory.failure(ended)
        answer = failure or read_program(puzzle, run_directory, ended, None)
        return replace(answer, seconds={} if failure else {"solve": ended.wall})
