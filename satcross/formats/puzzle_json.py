"""A puzzle as plain values, for JSON, and the hash that identifies it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary


def puzzle_to_data(puzzle: Puzzle) -> dict[str, Any]:
    """The puzzle as plain values, with those of its words that some slot could take."""
    lengths = {slot.length for slot in puzzle.grid.slots}
    left_out = sorted(puzzle.grid.left_out)
    return {
        "rows": list(puzzle.grid.rows),
        **({"left_out": left_out} if left_out else {}),
        "words": {
            word: puzzle.vocabulary.score(word)
            for word in puzzle.vocabulary
            if len(word) in lengths
        },
        "locks": dict(puzzle.locks),
        "min_score": puzzle.min_score,
        "excluded": sorted(puzzle.excluded),
        "allow_repeats": puzzle.allow_repeats,
        **_later_rules(puzzle),
    }


def _later_rules(puzzle: Puzzle) -> dict[str, Any]:
    """Rules that not every puzzle has: without them its data, and so its hash, are as before."""
    theme: dict[str, Any] = {"theme": sorted(puzzle.theme), "theme_least": puzzle.min_theme_words}
    rules = {
        "min_scores": {str(length): least for length, least in sorted(puzzle.min_scores.items())},
        "max_shared": puzzle.max_shared_substring,
        "endings": list(puzzle.stem_endings),
        "preferred": sorted(puzzle.preferred),
        "own": sorted(puzzle.setter_words),
        "also": dict(sorted(puzzle.extra_words.items())),
        **(theme if puzzle.theme else {}),
    }
    return {name: value for name, value in rules.items() if value not in (None, [], {})}


def puzzle_from_data(data: Mapping[str, Any]) -> Puzzle:
    """The puzzle that ``puzzle_to_data`` has written."""
    return Puzzle(
        Grid(tuple(data["rows"]), frozenset(data.get("left_out", ()))),
        Vocabulary(data["words"]),
        data["locks"],
        data["min_score"],
        frozenset(data["excluded"]),
        data["allow_repeats"],
        {int(length): least for length, least in data.get("min_scores", {}).items()},
        frozenset(data.get("theme", ())),
        data.get("theme_least"),
        data.get("max_shared"),
        tuple(data.get("endings", ())),
        frozenset(data.get("preferred", ())),
        frozenset(data.get("own", ())),
        data.get("also", {}),
    )


def puzzle_hash(puzzle: Puzzle) -> str:
    """What identifies a puzzle: the same for the same grid, words, scores and rules.

    16 hexadecimal digits of the SHA-256 of the puzzle's data in canonical JSON. The order of the
    words, and words of a length that the grid does not have, make no difference.
    """
    text = json.dumps(
        puzzle_to_data(puzzle), ensure_ascii=True, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
