"""``satcross grade``."""

from __future__ import annotations

import csv
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import click

from satcross.cli import FILLED, WRONG
from satcross.cli.messages import printing
from satcross.cli.options import (
    argument,
    did_you_mean,
    json_option,
    make_command,
    option,
    time_limit_option,
)
from satcross.cli.output import check_output, print_json, print_line
from satcross.cs50.grading import PROGRAM, CheckResult, check_names, find_class, run_checks
from satcross.formats.files import write_stream
from satcross.support.wording import counted

_FEW = 5
"""Checks that are named, where more are counted."""

_EXAMPLES = """
satcross grade ~/cs50/crossword/generate.py
satcross grade ~/cs50/crossword --skip-optional
satcross grade submissions --csv class.csv
"""


@dataclass(frozen=True, slots=True)
class GradeRequest:
    path: Path = argument(
        "PATH", "A generate.py, its folder, or the folder of a class: a folder each.", type=Path
    )
    only: str | None = option(
        "--only NAME[,NAME...]",
        "Only these checks, and import.",
        heading="Options",
        excludes=["--skip-optional"],
    )
    skip_optional: bool = option("--skip-optional", "Only what the course requires.")
    table: str | None = option(
        "--csv FILE.csv", "Write a table with a row for each program and a column for each check."
    )
    time_limit: float = time_limit_option(
        "Time for one check; a fifth of it for an optional one.", heading="Options", default=60.0
    )
    as_json: bool = json_option(heading="Options")


@dataclass(slots=True)
class _Grading:
    """The results of a program so far, and why they are not all."""

    path: Path
    results: list[CheckResult] = field(default_factory=list)
    missing: str = "interrupted"

    def count(self, *, required: bool) -> tuple[int, int]:
        """The numbers of checks that have passed, and of all, of a category."""
        chosen = [result for result in self.results if result.required == required]
        return sum(result.passed for result in chosen), len(chosen)

    @property
    def passed(self) -> bool:
        """Whether all required checks have passed, and import."""
        return not self.missing and all(item.passed for item in self.results if item.required)

    @property
    def points(self) -> int:
        """The points of the course."""
        return sum(result.points for result in self.results if result.passed)

    @property
    def first(self) -> str:
        """What to look at first, or ""."""
        failed = (result.name for result in self.results if result.message)
        return self.missing or next(failed, "")

    def to_data(self) -> dict[str, Any]:
        passed = sum(result.passed for result in self.results)
        return {
            "path": str(self.path),
            "passed": passed,
            "failed": len(self.results) - passed,
            "required_passed": self.passed,
            "points": self.points,
            "checks": [asdict(result) for result in self.results],
        } | ({"missing": self.missing} if self.missing else {})


@make_command(GradeRequest, examples=_EXAMPLES)
def command(request: GradeRequest) -> int:
    """Try the generate.py at PATH on the behaviors that CS50 AI's Crossword project asks for.

    The program is tried in a copy, every check in a process of its
    own: only the .py files of the folder are copied, and crossword.py is replaced. After the
    course's behaviors, which are required, come optional checks: what else its text says, and
    harder puzzles, which need a search with inference.

    Exit code: 0 if all required checks pass, 20 if one fails, 2 if there is no such file, 30 after
    Ctrl-C.
    """
    if request.table is not None:
        inputs = [str(request.path)] if request.path.is_file() else []
        check_output(request.table, inputs, (".csv", ".gz"))
    begin, members = time.monotonic(), find_class(request.path)
    gradings, interrupted = _grade(request, members)
    if request.table is not None:
        write_stream(request.table, partial(_write_csv, gradings))
    with printing():
        if request.as_json:
            data = [grading.to_data() for grading in gradings]
            print_json({"path": str(request.path), "programs": data} if members else data[0])
        elif not members:
            _print_end(gradings[0], time.monotonic() - begin, interrupted=interrupted)
    if interrupted:
        raise KeyboardInterrupt
    return FILLED if all(grading.passed for grading in gradings) else WRONG


def _grade(request: GradeRequest, members: Sequence[Path]) -> tuple[list[_Grading], bool]:
    """Grade the programs, print results as they come, and say whether Ctrl-C ended it."""
    names, gradings = _names(request), list(map(_Grading, members or [request.path]))
    try:
        for grading in gradings:
            if members and not (grading.path / PROGRAM).is_file():
                grading.missing = f"no {PROGRAM}"
            else:
                _check(grading, request, names, alone=not members)
                grading.missing = ""
            if members and not request.as_json:
                first = grading.first if grading.results else ""
                begin = f"; begin with {first}" if first else ""
                with printing():
                    print_line(f"{grading.path.name}: {_summary(grading)}{begin}")
    except KeyboardInterrupt:
        return gradings, True
    return gradings, False


def _check(grading: _Grading, request: GradeRequest, names: list[str], *, alone: bool) -> None:
    errors = dict[str, str]()
    for result in run_checks(grading.path, time_limit=request.time_limit, names=names):
        grading.results.append(result)
        if alone and not request.as_json and result.was_run:
            with printing():
                _print_result(result, errors)


def _names(request: GradeRequest) -> list[str]:
    known = check_names(optional=not request.skip_optional)
    if request.only is None:
        return known
    names = [name.strip() for name in request.only.split(",")]
    for name in names:
        if name not in known:
            raise click.UsageError(
                f"--only: there is no check {name!r}.{did_you_mean(name, known)}"
            )
    return ["import", *names]


def _summary(grading: _Grading) -> str:
    if not grading.results and grading.missing:
        return grading.missing
    required, optional = (grading.count(required=value) for value in (True, False))
    text = f"{required[0]} of {required[1]} required checks pass"
    return text + (f", {optional[0]} of {optional[1]} optional" if optional[1] else "")


def _print_end(grading: _Grading, seconds: float, *, interrupted: bool) -> None:
    results = grading.results
    print_line(f"\n{_summary(grading)}{' so far' if interrupted else ''} ({seconds:.1f} s)")
    left = [result for result in results if not result.was_run]
    for text in dict.fromkeys(result.message for result in left):
        names = [result.name for result in left if result.message == text]
        shown = f": {', '.join(names)}" if len(names) <= _FEW else ""
        print_line(f"{counted(len(names), 'check')} {text}{shown}")
    if not left and any(not result.passed for result in results):
        print_line("Begin with the first that fails: others often follow from it.")


def _print_result(result: CheckResult, errors: dict[str, str]) -> None:
    """Print a result; ``errors`` maps the errors printed before to their checks."""
    mark = "pass" if result.passed else "FAIL" if result.required else "fail"
    about = result.description if result.required else f"{result.description}, optional"
    print_line(f"{mark}  {result.name}: {about} ({result.seconds:.1f} s)")
    if result.passed and result.message:
        print_line("      The course's grader does not notice what follows.")
    _, raised, error = result.message.rpartition(" raised ")
    if raised and (earlier := errors.setdefault(error, result.name)) != result.name:
        print_line(f"      The same error as in {earlier}: {error}")
        return
    if result.message:
        print_line(f"      {result.message}")
    if result.hint:
        print_line(f"      Hint: {result.hint}")


def _write_csv(gradings: Sequence[_Grading], stream: TextIO) -> None:
    """Write a row for each program: its counts and points, and 1 or 0 for each check."""
    names = list(dict.fromkeys(result.name for grading in gradings for result in grading.results))
    writer = csv.writer(stream)
    headings = ("program", "required", "required of", "optional", "optional of", "points")
    writer.writerow([*headings, "first to look at", *names])
    for grading in gradings:
        passed = {result.name: int(result.passed) for result in grading.results}
        counts = (*grading.count(required=True), *grading.count(required=False), grading.points)
        checks = (passed.get(name, "") for name in names)
        writer.writerow([grading.path.resolve().name, *counts, grading.first, *checks])
