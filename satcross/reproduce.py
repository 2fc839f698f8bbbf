"""Writing down all it takes to run a puzzle again, for the day when something is wrong."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence

from satcross.outcome import Outcome
from satcross.puzzle import Puzzle


def write_report(
    puzzle: Puzzle, outcomes: Sequence[Outcome], settings: Mapping[str, object]
) -> str:
    """Write puzzle, settings and outcomes to a JSON file; returns a line that names it."""
    from satcross.formats.json import outcome_to_data

    lengths = {slot.length for slot in puzzle.grid.slots}
    data = {
        "rows": puzzle.grid.rows,
        "words": {
            word: puzzle.vocabulary.score(word)
            for word in puzzle.vocabulary
            if len(word) in lengths
        },
        "locks": dict(puzzle.locks),
        "min_score": puzzle.min_score,
        "excluded": sorted(puzzle.excluded),
        "allow_repeats": puzzle.allow_repeats,
        "settings": dict(settings),
        "outcomes": [outcome_to_data(puzzle.grid, outcome) for outcome in outcomes],
    }
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="satcross-report-", suffix=".json", delete=False
    ) as file:
        json.dump(data, file, ensure_ascii=False, indent=1)
    return f"everything needed to reproduce it is in {file.name}"
