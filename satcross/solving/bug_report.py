"""Reports of internal errors: everything needed to run a puzzle again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satcross.outcome import Outcome
from satcross.puzzle import Puzzle


def write_report(
    puzzle: Puzzle, outcomes: Sequence[Outcome], settings: Mapping[str, object]
) -> str:
    """Write puzzle, settings and outcomes to a JSON file; return a line that names the file."""
    from satcross.formats.json import outcome_to_data

    answers = [outcome_to_data(puzzle.grid, outcome) for outcome in outcomes]
    return write_answers(puzzle, answers, settings)


def write_answers(
    puzzle: Puzzle, answers: Sequence[Mapping[str, object]], settings: Mapping[str, object]
) -> str:
    """Write puzzle, settings and plain answers to a file; return a line that names the file."""
    import json
    import tempfile

    from satcross.formats.json import puzzle_to_data

    data = {
        **puzzle_to_data(puzzle),
        "settings": dict(settings),
        "outcomes": [dict(answer) for answer in answers],
    }
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="satcross-report-", suffix=".json", delete=False
    ) as file:
        json.dump(data, file, ensure_ascii=False, indent=1)
    return f"everything needed to reproduce it is in {file.name}"
