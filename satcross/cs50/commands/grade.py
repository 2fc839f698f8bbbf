"""``satcross grade``."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.cli import FILLED, WRONG
from satcross.cli.options import argument, json_option, make_command, time_limit_option
from satcross.cli.output import print_json, print_line, printing

if TYPE_CHECKING:
    from satcross.cs50.grading import CheckResult


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``grade``."""

    path: Path = argument("PATH", "A generate.py, or its folder.", type=Path)
    time_limit: float = time_limit_option("Time for one check.", heading="Options", default=60.0)
    as_json: bool = json_option(heading="Options")


@make_command(Request, examples="satcross grade ~/cs50/crossword/generate.py")
def command(request: Request) -> int:
    """Try the generate.py at PATH on the behaviors that CS50 AI's Crossword project asks for.

    The program is tried in a copy, every check in a process of its
    own: only the .py files of the folder are copied, and crossword.py is replaced. After the
    course's behaviors come harder puzzles, which need a search with inference.

    Exit code: 0 if all checks pass, 20 if one fails, 2 if there is no such file, 30 after Ctrl-C.
    """
    from satcross.cs50.grading import NOT_RUN, run_checks

    begin = time.monotonic()
    results: list[CheckResult] = []
    errors: dict[str, str] = {}
    interrupted = False
    try:
        for result in run_checks(request.path, time_limit=request.time_limit):
            results.append(result)
            if not request.as_json and result.message != NOT_RUN:
                with printing():
                    _print_result(result, errors)
    except KeyboardInterrupt:
        interrupted = True
    failed = sum(not result.passed for result in results)
    passed = len(results) - failed
    with printing():
        if request.as_json:
            checks = [asdict(result) for result in results]
            print_json(
                {"path": str(request.path), "passed": passed, "failed": failed, "checks": checks}
            )
        else:
            seconds = time.monotonic() - begin
            tried = f"{len(results)} checks" + (" run so far" if interrupted else "")
            print_line(f"\n{passed} of {tried} pass ({seconds:.1f} s)")
            if left := sum(result.message == NOT_RUN for result in results):
                print_line(f"{left} checks were {NOT_RUN}")
            elif failed:
                print_line("Begin with the first that fails: others often follow from it.")
    if interrupted:
        raise KeyboardInterrupt
    return WRONG if failed else FILLED


def _print_result(result: CheckResult, errors: dict[str, str]) -> None:
    """Print a result; ``errors`` maps the errors printed before to their checks."""
    mark = "pass" if result.passed else "FAIL"
    print_line(f"{mark}  {result.name}: {result.description} ({result.seconds:.1f} s)")
    _, raised, error = result.message.rpartition(" raised ")
    if raised and (earlier := errors.setdefault(error, result.name)) != result.name:
        print_line(f"      The same error as in {earlier}: {error}")
        return
    if result.message:
        print_line(f"      {result.message}")
    if result.hint:
        print_line(f"      Hint: {result.hint}")
