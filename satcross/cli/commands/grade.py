"""satcross grade: try somebody's generate.py on the course's checks and on harder puzzles."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli.options import output, parse_seconds

if TYPE_CHECKING:
    from satcross.cs50.grading import CheckResult


_EPILOG = """\b
Example:
  satcross grade ~/cs50/crossword/generate.py
"""


_CHECKS_FAILED = 20


@click.command(name="grade", epilog=_EPILOG)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--time-limit",
    type=float,
    callback=parse_seconds,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for one check.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def command(path: Path, time_limit: float, as_json: bool) -> None:
    """Try the generate.py at PATH on the behaviors that CS50 AI's Crossword project asks for.

    PATH is the file or its folder. The program is tried in a copy, every check in a process of its
    own: only the .py files of the folder come along, and crossword.py is replaced. After the
    course's behaviors come harder puzzles, which want a search with inference.

    Exit code: 0 if all checks pass, 20 if one fails, 2 if there is no such file.
    """
    from satcross.cs50.grading import run_checks

    results: list[CheckResult] = []
    for result in run_checks(path, time_limit=time_limit):
        results.append(result)
        if not as_json:
            with output():
                _print_result(result)

    failed = sum(not result.passed for result in results)
    with output():
        if as_json:
            click.echo(
                json.dumps(
                    {
                        "path": str(path),
                        "passed": len(results) - failed,
                        "failed": failed,
                        "checks": [asdict(result) for result in results],
                    },
                    indent=2,
                )
            )
        else:
            seconds = sum(result.seconds for result in results)
            click.echo(f"\n{len(results) - failed} of {len(results)} checks pass ({seconds:.1f} s)")
    raise SystemExit(_CHECKS_FAILED if failed else 0)


def _print_result(result: CheckResult) -> None:
    mark = "pass" if result.passed else "FAIL"
    click.echo(f"{mark}  {result.name}: {result.description} ({result.seconds:.1f} s)")
    if result.message:
        click.echo(f"      {result.message}")
    if result.hint:
        click.echo(f"      Hint: {result.hint}")
