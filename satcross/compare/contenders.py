"""What a run and a contender are: the contender takes a puzzle and a ``RunDirectory``, and answers.

Its kinds are backends (``backend_contenders``), SAT solvers and other programs
(``command_lines``), and students' generate.py (``student_programs``). Contenders consist of plain
values, so that they can be pickled for other machines.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar, Protocol

from satcross.compare.limits import ExitInfo, RunLimits, StopSignal, run_limited
from satcross.compare.records import CRASHED, FILLED, NOT_AVAILABLE, UNKNOWN, Record
from satcross.formats.json import grid_rows, puzzle_hash, puzzle_to_data
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


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of a word list: at most ``words`` words of each length, drawn with a seed."""

    words: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A puzzle with the names of its structure and word list; ``hash`` identifies the puzzle.

    ``name``, ``family``, ``expected``, a status or None, and ``sample`` come from a suite.
    """

    puzzle: Puzzle
    structure: str
    words: str
    name: str = ""
    family: str = ""
    expected: str | None = None
    sample: Sample | None = None
    hash: str = field(init=False)
    size: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        grid, words = self.puzzle.grid, self.puzzle.vocabulary
        lengths = {slot.length for slot in grid.slots}
        size = {
            "slots": len(grid.slots),
            "cells": len({cell for slot in grid.slots for cell in slot.cells}),
            "words": sum(len(words.group(length).words) for length in lengths),
        }
        if self.sample is not None:
            size |= {"sample": self.sample.words, "sample_seed": self.sample.seed}
        object.__setattr__(self, "hash", puzzle_hash(self.puzzle))
        object.__setattr__(self, "size", size)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A run to execute: puzzle, contender and settings, which can be pickled.

    ``solver_alone`` says that limits and measurements are of an external solver alone, without
    writing its formula. ``call`` is the command line of the comparison.
    ``certify`` says that "unfillable" counts only with a proof, checked in ``check_seconds``.
    ``goal`` is that of ``Record``.
    """

    instance: Instance
    contender: Contender
    limits: RunLimits = field(default_factory=RunLimits)
    seed: int = 0
    workers: int = 1
    repeat: int = 0
    solver_alone: bool = False
    call: str = ""
    certify: bool = False
    check_seconds: float | None = None
    goal: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """The ``key`` that the record of this run will have, known before the run."""
        return self.record(RunAnswer(UNKNOWN, ExitInfo(None))).key

    def record(
        self,
        answer: RunAnswer,
        seconds: Mapping[str, float] | None = None,
        verified: bool | None = None,
    ) -> Record:
        """Return the record of this run with an answer, whose fill or proof may be ``verified``."""
        instance, ended = self.instance, answer.ended
        description, limits = asdict(self.contender.description), asdict(self.limits)
        stats = dict(answer.stats)
        sizes = {name: int(stats.pop(name)) for name in _SIZES if name in stats}
        counts: dict[str, Any] = {name: stats.pop(name) for name in _COUNTS if name in stats}
        copied: dict[str, Any] = {
            name: getattr(source, name)
            for source, names in zip((instance, self, answer), _COPIED, strict=True)
            for name in names.split()
        }
        rows = grid_rows(instance.puzzle.grid, answer.fill) if answer.status == FILLED else None
        return Record(
            puzzle=instance.hash,
            contender=self.contender.name,
            kind=self.contender.kind,
            verified=verified,
            **copied,
            program_version=description.pop("version"),
            **description,
            **counts,
            cores=limits.pop("cores"),
            limits=limits,
            seconds={stage: round(value, 6) for stage, value in (seconds or {}).items()},
            wall=round(ended.wall, 6),
            cpu=round(ended.cpu, 6),
            memory=round(ended.memory, 1),
            stats={k: v for k, v in stats.items() if k not in ("solver", "encoding")},
            fill=None if rows is None else tuple(rows),
            processors=self.contender.processors(self.workers),
            certified=self.certify,
            size={**instance.size, **sizes},
        )


_COPIED = (
    "structure words name family expected",
    "seed workers repeat solver_alone call goal",
    "status reason detail bound claim trace",
)
"""The fields that a record has from the puzzle, the run and the answer."""
_SIZES = ("candidates", "consistent")
_COUNTS = ("variables", "clauses", "conflicts")
"""Counters that have their own place in a record, as the solver and the encoding do."""


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """The temporary folder of a run, its settings, and a signal to end it early.

    ``limits`` are those of ``run``, or what is left of them.
    """

    folder: Path
    run: Run
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
        own = os.environ if environment is None else environment
        padded = {**own, "SATCROSS_PADDING": "." * (self.run.repeat * 1009 % 4096)}
        return run_limited(
            command, limits, self.folder, folder=folder, environment=padded, stop=self.stop
        )

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
        code = ended.exit_code or 0
        how = f"ended by {signal_name(-code)}" if code < 0 else f"exit code {code}"
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
        return ended, {}, replace(failure, seconds=_stages(answer))
    try:
        data = json.loads(answer.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ended, {}, RunAnswer(CRASHED, ended, UNREADABLE)
    if data["error"]:
        return ended, {}, RunAnswer(UNKNOWN, ended, NOT_AVAILABLE, data["error"])
    return ended, data, None


def _stages(answer: Path) -> dict[str, float]:
    """Return the seconds of the stages that ``worker`` had recorded when it was ended."""
    with contextlib.suppress(OSError, ValueError):
        return dict(json.loads(answer.with_suffix(".stages").read_text("utf-8")))
    return {}


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
    listed = (puzzle.listed(length).words for length in puzzle.vocabulary.lengths)
    return [word for words in listed for word in words if word not in puzzle.excluded]
