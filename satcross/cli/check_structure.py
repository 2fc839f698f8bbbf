"""``check STRUCTURE`` without a fill: list unusual and hard-to-fill features of a structure."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from satcross.cli.options import option
from satcross.cli.output import Report, check_standard_input, print_line
from satcross.cli.read_puzzle import FlagReader, PuzzleInput, read_structure
from satcross.cli.tables import print_table
from satcross.rules.single_words import MinScores
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.grid.lint import GridStatistics

_MOST_SLOTS = 6


def kind_option(heading: str) -> Any:
    """``--kind``: whose customs a structure is measured by."""
    return option(
        "--kind",
        "Whose customs the structure is measured by.",
        heading=heading,
        choices=("american", "british", "barred"),
        default="american",
    )


def check_structure(given: PuzzleInput, kind: str, report: Report) -> None:
    """Print facts about the structure and warnings, measured by the word lists."""
    from satcross.grid.lint import grid_statistics, lint
    from satcross.grid.styles import Style

    check_standard_input(given.files)
    scores = MinScores().parse_flags(given.flags.rules, FlagReader())
    min_score = scores["min_score"]
    if scores["min_scores"] or scores["slot_min_scores"]:
        raise click.UsageError("of a STRUCTURE alone --min-score takes one number.")
    letters = given.flags.letters or None
    grid = read_structure(given.structure, letters=letters, quiet=report.quiet).grid
    vocabulary = given.flags.lists.read(given.lists, quiet=report.quiet).vocabulary
    facts = grid_statistics(grid)
    warnings = lint(grid, vocabulary, Style(kind), min_score)
    coverage = {
        length: {"slots": slots, "words": _count(vocabulary.group(length).scores, min_score)}
        for length, slots in facts.lengths.items()
    }

    def to_data() -> dict[str, object]:
        lengths = {str(length): row for length, row in coverage.items()}
        found = [asdict(warning) for warning in warnings]
        data = asdict(facts) if facts.bars else {**asdict(facts), "bars": None}
        known = {key: value for key, value in data.items() if value is not None}
        return {"style": kind, **known, "lengths": lengths, "warnings": found}

    def show() -> None:
        _print_facts(facts)
        rows = [(f"{n}", f"{row['slots']}", f"{row['words']:,}") for n, row in coverage.items()]
        print_table(("length", "slots", "words in the list"), rows, left=0)
        for line in [f"warning: {warning.text}" for warning in warnings] or ["No warnings."]:
            print_line(line)

    report.show(to_data, show)


def _count(scores: tuple[int, ...], min_score: int | None) -> int:
    return sum(min_score is None or score >= min_score for score in scores)


def _print_facts(facts: GridStatistics) -> None:
    area = facts.open_cells + facts.blocks
    more = " ..." if len(facts.longest) > _MOST_SLOTS else ""
    longest = ", ".join(facts.longest[:_MOST_SLOTS]) + more
    rows, columns = facts.height, facts.width
    size = f"{rows}x{columns}" if rows == columns else f"{rows} rows of {columns} columns"
    print_line(
        f"{size}: {counted(facts.words, 'word')}, "
        f"{counted(facts.blocks, 'block')} "
        f"({100 * facts.blocks / area:.0f}% of the cells), "
        f"{counted(facts.bars, 'bar') + ', ' if facts.bars else ''}"
        f"{100 * facts.checked / max(1, facts.open_cells):.0f}% of the letters checked"
    )
    print_line(f"symmetry: {', '.join(facts.symmetries) or 'none'}")
    print_line(f"longest: {max(facts.lengths)} letters ({longest})")
