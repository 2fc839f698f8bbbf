"""Fills and answers of ``solve``, printed as a grid or as JSON, and written into a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.cli.best_option import best_text
from satcross.cli.output import Report, grid_text, print_json, print_line, print_table, write_text
from satcross.cli.publishing import Publishing
from satcross.crossword import Crossword
from satcross.outcome import Outcome, Status

if TYPE_CHECKING:
    from satcross.grid import Grid
    from satcross.outcome import FillList

_HEADINGS = ("backend", "status", "encode s", "solve s")


def print_outcome(
    crossword: Crossword,
    outcome: Outcome,
    outcomes: Sequence[Outcome],
    report: Report,
    *,
    color: bool,
    more: Mapping[str, dict[str, object] | None],
) -> None:
    """Print the chosen outcome, and a table of all where several backends ran.

    ``more`` are further entries of the JSON, None for those that are left out.
    """
    if report.as_json:
        from satcross.formats.json import add_crossword, outcome_to_data

        data = add_crossword(outcome_to_data(crossword.grid, outcome, outcomes), crossword)
        print_json(data | {key: value for key, value in more.items() if value is not None})
    elif not report.quiet:
        if outcome.fill is not None:
            _print_grid(crossword, color)
        elif outcome.status is Status.UNFILLABLE:
            print_line(f"No solution: {outcome.reason}.")
        else:
            print_line(f"Unknown: {outcome.reason}.")
        if len(outcomes) > 1:
            print_line()
            _print_outcomes(outcomes)


def print_fills(
    grid: Grid,
    found: FillList,
    report: Report,
    load_seconds: float,
    *,
    color: bool,
    heat: dict[str, object] | None,
) -> None:
    """Print several fills."""
    if report.as_json:
        from satcross.formats.json import fill_list_to_data

        data = fill_list_to_data(grid, found, load_seconds)
        print_json(data if heat is None else {**data, "heat": heat})
    elif not report.quiet:
        for position, outcome in enumerate(found.outcomes):
            if position:
                print_line()
            _print_grid(Crossword.of(grid, outcome.fill), color)
        if found.complete and not found.outcomes:
            print_line("No solution: there is no fill.")


def write_outcome(
    crossword: Crossword, outcome: Outcome, path: str, publishing: Publishing, report: Report
) -> None:
    """Write the fill by the file's extension; .json holds the outcome, too."""
    if Path(path).suffix.lower() != ".json":
        publishing.write(crossword, path, report)
        return
    from satcross.formats.json import add_crossword, dump, outcome_to_data

    write_text(path, dump(add_crossword(outcome_to_data(crossword.grid, outcome), crossword)))


def _print_grid(crossword: Crossword, color: bool) -> None:
    if color:
        from satcross.drawing.terminal import draw_terminal

        text = draw_terminal(crossword)
    else:
        text = grid_text(crossword.grid.structure, crossword.solution)
    # click removes colours where the output is no terminal, unless told otherwise.
    print_line(text, end="", color=color or None)


def _print_outcomes(outcomes: Sequence[Outcome]) -> None:
    judged = any(one.objective is not None and one.fill is not None for one in outcomes)
    rows = [
        (
            one.backend,
            one.status.value,
            f"{one.seconds['encode']:.3f}",
            f"{one.seconds['solve']:.3f}",
            *(_best_cell(one) if judged else ()),
        )
        for one in outcomes
    ]
    print_table((*_HEADINGS, "best") if judged else _HEADINGS, rows, left=2)


def _best_cell(outcome: Outcome) -> tuple[str]:
    return (best_text(outcome) if outcome.objective and outcome.fill else "",)
