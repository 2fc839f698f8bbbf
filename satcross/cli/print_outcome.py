"""Fills and answers of ``solve``, printed as a grid or as JSON, and written into a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from satcross.cli.messages import note
from satcross.cli.output import Report, grid_text, print_json, print_line, write_text
from satcross.cli.publishing import Publishing
from satcross.crossword import Crossword
from satcross.grid import Grid
from satcross.outcome import FillList, Outcome, Status
from satcross.run_settings import TIME_LIMIT
from satcross.support.frozen import frozen

_HEADINGS = ("backend", "status", "encode s", "solve s")


@frozen
class Printer:
    """How answers are printed and written.

    ``read_written`` returns how the word lists write words; JSON has it for the words of a fill.
    ``heat`` is a further entry of the JSON, or None.
    """

    report: Report
    color: bool
    read_written: Callable[[], Mapping[str, str]]
    heat: dict[str, object] | None

    def print_outcome(
        self,
        crossword: Crossword,
        outcome: Outcome,
        outcomes: Sequence[Outcome],
        proof: dict[str, object] | None,
    ) -> None:
        """Print the chosen outcome, and a table of all where several backends ran."""
        if self.report.as_json:
            data = self._to_data(crossword, outcome, outcomes)
            print_json(data | ({} if proof is None else {"proof": proof}) | self._heat())
        elif not self.report.quiet:
            if outcome.fill is not None:
                _print_grid(crossword, self.color)
            elif outcome.status is Status.UNFILLABLE:
                print_line(f"No solution: {outcome.reason}.")
                note("satcross explain says why, and what would help")
            else:
                print_line(f"Unknown: {outcome.reason}.")
                if outcome.reason == TIME_LIMIT:
                    note("the puzzle may have a fill; a higher --time-limit may find it")
            if len(outcomes) > 1:
                print_line()
                _print_outcomes(outcomes)

    def print_fills(self, grid: Grid, found: FillList, load_seconds: float) -> None:
        if self.report.as_json:
            from satcross.formats.json import add_written, fill_list_to_data

            data = fill_list_to_data(grid, found, load_seconds)
            print_json(add_written(data, self.read_written()) | self._heat())
        elif not self.report.quiet:
            for position, outcome in enumerate(found.outcomes):
                if position:
                    print_line()
                _print_grid(Crossword.of(grid, outcome.fill), self.color)
            if found.complete and not found.outcomes:
                print_line("No solution: there is no fill.")

    def write_outcome(
        self, crossword: Crossword, outcome: Outcome, path: str, publishing: Publishing
    ) -> None:
        """Write the fill by the file's extension; .json holds the outcome, too."""
        if Path(path).suffix.lower() != ".json":
            publishing.write(crossword, path, self.report)
            return
        from satcross.formats.json import dump

        write_text(path, dump(self._to_data(crossword, outcome, ())))

    def _to_data(
        self, crossword: Crossword, outcome: Outcome, outcomes: Sequence[Outcome]
    ) -> dict[str, object]:
        from satcross.formats.json import add_crossword, add_written, outcome_to_data

        data = outcome_to_data(crossword.spelled_grid, outcome, outcomes)
        data = add_crossword(data, crossword)
        return data if outcome.fill is None else add_written(data, self.read_written())

    def _heat(self) -> dict[str, object]:
        return {} if self.heat is None else {"heat": self.heat}


def _print_grid(crossword: Crossword, color: bool) -> None:
    if color:
        from satcross.formats.drawing.terminal import draw_terminal

        text = draw_terminal(crossword)
    else:
        text = grid_text(crossword)
    # click removes colours where the output is no terminal, unless told otherwise.
    print_line(text, end="", color=color or None)


def _print_outcomes(outcomes: Sequence[Outcome]) -> None:
    from satcross.cli.tables import print_table

    judged = any(outcome.objective is not None and outcome.fill is not None for outcome in outcomes)
    rows = [
        (
            outcome.backend,
            outcome.status.value,
            f"{outcome.seconds['encode']:.3f}",
            f"{outcome.seconds['solve']:.3f}",
            *(_best_cell(outcome) if judged else ()),
        )
        for outcome in outcomes
    ]
    print_table((*_HEADINGS, "best") if judged else _HEADINGS, rows, left=2)


def _best_cell(outcome: Outcome) -> tuple[str]:
    from satcross.cli.best_text import best_text

    return (best_text(outcome) if outcome.objective and outcome.fill else "",)
