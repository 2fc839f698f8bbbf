"""A puzzle as JSON values, and the hash that identifies a puzzle."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from satcross.formats.json import bars_from_data, bars_to_data, rebus_to_data
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.rules import build_puzzle, rules_to_data
from satcross.vocabulary import Vocabulary


def puzzle_to_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return the puzzle as JSON values; words of other lengths than the slots' are omitted."""
    lengths = {slot.length for slot in puzzle.grid.slots}
    left_out = sorted(puzzle.grid.left_out)
    return {
        "rows": list(puzzle.grid.rows),
        **({"left_out": left_out} if left_out else {}),
        **({"rebus": rebus_to_data(puzzle.grid.rebus)} if puzzle.grid.rebus else {}),
        **({"bars": bars_to_data(puzzle.grid)} if puzzle.grid.bars else {}),
        "words": {
            word: puzzle.vocabulary.score(word)
            for word in puzzle.vocabulary
            if len(word) in lengths
        },
        **rules_to_data(puzzle),
    }


def puzzle_from_data(data: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle that ``puzzle_to_data`` turned into ``data``."""
    bars = frozenset(bars_from_data(data.get("bars", {})))
    left_out = frozenset(data.get("left_out", ()))
    rebus = frozenset(((row, column), letters) for row, column, letters in data.get("rebus", ()))
    grid = Grid(tuple(data["rows"]), left_out, bars, rebus=rebus)
    return build_puzzle(grid, Vocabulary(data["words"]), data)


def puzzle_hash(puzzle: Puzzle) -> str:
    """Return a hash that is equal for puzzles with equal grids, words, scores and rules.

    The hash is the first 16 hexadecimal digits of the SHA-256 of ``puzzle_to_data`` in canonical
    JSON. It ignores the order of the words, and words of other lengths than the slots'.
    """
    text = json.dumps(
        puzzle_to_data(puzzle), ensure_ascii=True, sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
