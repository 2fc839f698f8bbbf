"""What a contender of a comparison is: it takes a puzzle and a ``RunDirectory``, and answers.

Its kinds are backends (``backend_contenders``), SAT solvers and other programs
(``command_lines``), and students' generate.py (``student_programs``). Contenders consist of plain
values, so that they can be pickled for other machines.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar, Protocol

from satcross.compare.limits import ExitInfo, RunFiles, RunLimits, StopSignal, run_limited
from satcross.compare.records import CRASHED, NOT_AVAILABLE, UNKNOWN
from satcross.formats.json import puzzle_to_data
from satcross.puzzle import Puzzle
from satcross.rules import RULES
from satcross.support.wording import signal_name

CRASH = "crash"
UNREADABLE = "unreadable answer"
GAVE_UP = "gave up"

_GRACE_SECONDS = 1.0
"""Seconds beyond the time limit in which a backend may stop by itself and write its answer."""

WORKER = Path(__file__).with_name("worker.py").resolve()


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """The unverified answer of a contender; the fields have the meaning they have in ``Record``.

    ``fill`` maps slot names to words. ``ended`` says how the contender's program ended. ``proved``
    says whether a proof was checked and found right or wrong; None for no such check.
    """

    status: str
    ended: ExitInfo
    reason: str = ""
    detail: str = ""
    fill: Mapping[str, str] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    stats: Mapping[str, int | float | str] = field(default_factory=dict)
    proved: bool | None = None
    claim: bool = False
    bound: int | None = None
    trace: tuple[tuple[float, int], ...] = ()


class RunRequest(Protocol):
    """What a contender may ask of its run, a ``runs.Run``."""

    @property
    def seed(self) -> int: ...
    @property
    def repeat(self) -> int: ...
    @property
    def workers(self) -> int: ...
    @property
    def solver_alone(self) -> bool: ...
    @property
    def certify(self) -> bool: ...
    @property
    def check_seconds(self) -> float | None: ...
    @property
    def goal(self) -> str: ...


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """The temporary folder of a run, its settings, and a signal to end it early.

    ``limits`` are those of ``run``, or what is left of them.
    """

    folder: Path
    run: RunRequest
    limits: RunLimits
    stop: StopSignal | None = None

    @property
    def stdout(self) -> Path:
        return self.folder / "stdout"

    @property
    def stderr(self) -> Path:
        return self.folder / "stderr"

    def execute(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        grace: float = 0.0,
    ) -> ExitInfo:
        """Run a program and end it ``grace`` seconds after the time limit at the latest.

        The environment has another size in each repeat, so that what the layout of memory does to
        times is part of the noise (Mytkowicz et al., ASPLOS 2009).
        """
        limits = self.limits
        if limits.wall is not None:
            limits = replace(limits, wall=limits.wall + grace)
        files = RunFiles(folder or self.folder, self.stdout, self.stderr, self.folder)
        own = os.environ if environment is None else environment
        padded = {**own, "SATCROSS_PADDING": "." * (self.run.repeat * 1009 % 4096)}
        return run_limited(command, limits, files, environment=padded, stop=self.stop)

    def failure(self, ended: ExitInfo, success: Sequence[int] = (0,)) -> RunAnswer | None:
        """Return the answer for a program that was ended or failed; None for a success."""
        if ended.reason:
            return RunAnswer(UNKNOWN, ended, ended.reason)
        if ended.exit_code not in success:
            return RunAnswer(CRASHED, ended, CRASH, self.describe_failure(ended))
        return None

    def describe_failure(self, ended: ExitInfo) -> str:
        """Return one line about a failed program: how it ended and its last line on stderr."""
        if ended.failure:
            return ended.failure
        how = ""
        if ended.exit_code is not None:
            how = f"exit code {ended.exit_code}"
            if ended.exit_code < 0:
                how = f"ended by {signal_name(-ended.exit_code)}"
        with self.stderr.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - 4096))
            lines = file.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ": ".join(filter(None, [how, last[:200]]))


@dataclass(frozen=True, slots=True)
class Description:
    """The fields of ``Record`` that identify a contender."""

    backend: str | None = None
    solver: str | None = None
    encoding: str | None = None
    command: str | None = None
    program: str | None = None
    against: str = ""
    version: str = ""


class Contender(Protocol):
    """A program that answers puzzles; ``name`` is unique within a comparison."""

    kind: ClassVar[str]

    def processors(self, workers: int) -> int:
        """The number of processors that the contender may use, at most ``workers``."""
        ...

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> Description: ...

    def attempt(self, puzzle: Puzzle, run_directory: RunDirectory) -> RunAnswer: ...


def run_worker(
    task: str,
    puzzle: Puzzle,
    request: Mapping[str, Any],
    run_directory: RunDirectory,
    program: Sequence[str] = (sys.executable, "-P", str(WORKER)),
    environment: Mapping[str, str] | None = None,
) -> tuple[ExitInfo, dict[str, Any], RunAnswer | None]:
    """Run ``worker``, or another ``program`` like it, on a task.

    Returns how it ended, its data, and an answer if it failed.
    """
    question, answer = run_directory.folder / "question.json", run_directory.folder / "answer.json"
    question.write_text(json.dumps({"puzzle": puzzle_to_data(puzzle), **request}), encoding="utf-8")
    answer.unlink(missing_ok=True)
    command = [*program, task, str(question), str(answer)]
    ended = run_directory.execute(command, grace=_GRACE_SECONDS, environment=environment)
    failure = run_directory.failure(ended)
    if failure is not None:
        return ended, {}, replace(failure, **_known(answer))
    try:
        data = json.loads(answer.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ended, {}, RunAnswer(CRASHED, ended, UNREADABLE)
    if data["error"]:
        return ended, {}, RunAnswer(UNKNOWN, ended, NOT_AVAILABLE, data["error"])
    return ended, data, None


def _known(answer: Path) -> dict[str, Any]:
    """Return the stages and counters that ``worker`` had recorded when it was ended."""
    try:
        data = json.loads(answer.with_suffix(".known").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {"seconds": data["seconds"], "stats": data["stats"]}


def hash_files(paths: Iterable[Path], folder: Path | None = None) -> str:
    """Return a 16-digit hexadecimal hash of files and, if ``folder`` is given, of their names."""
    digest = hashlib.sha256()
    for path in paths:
        name = "" if folder is None else path.relative_to(folder).as_posix()
        try:
            inner = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            inner = "unreadable"  # a program may be executable but unreadable
        digest.update(f"{name}:{inner}\n".encode())
    return digest.hexdigest()[:16]


class Demand(IntEnum):
    """What a puzzle has beyond a structure and a list of words, each with all that comes before."""

    NOTHING = 0
    BARS = 1
    ABOUT_SLOTS = 2
    """Repeats, given letters, or minimum scores of slots."""
    ABOUT_WORDS = 3
    """A theme, or a rule about pairs of words."""

    @classmethod
    def of(cls, puzzle: Puzzle) -> Demand:
        """Return the highest demand of a puzzle."""
        if puzzle.theme or any(rule.marker(puzzle) is not None for rule in RULES):
            return cls.ABOUT_WORDS
        if puzzle.allow_repeats or puzzle.fixed_letters or puzzle.slot_min_scores:
            return cls.ABOUT_SLOTS
        return cls.BARS if puzzle.grid.bars else cls.NOTHING


def allowed_words(puzzle: Puzzle) -> list[str]:
    """Return the words that exclusions and minimum scores allow."""
    words = []
    for length in puzzle.vocabulary.lengths:
        min_score = puzzle.min_score_of(length)
        for word, score in puzzle.vocabulary.group(length).score_of.items():
            if word not in puzzle.excluded and (min_score is None or score >= min_score):
                words.append(word)
    return words
