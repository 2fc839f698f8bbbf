"""Review of an unfinished crossword: its whole words, and what is unusual in its pattern."""

from __future__ import annotations

from collections.abc import Mapping

from satcross.crossword import Crossword
from satcross.formats.entries import enumeration
from satcross.grid.lint import LintWarning, grid_statistics, lint
from satcross.grid.styles import Style
from satcross.puzzle import Puzzle
from satcross.solving.clue_faults import ClueFault, clue_faults
from satcross.solving.quality import judge
from satcross.web.schema import PlacedWord

_BRITISH_BELOW = 0.8
"""Share of checked cells below which a grid is a lattice and held against British customs."""


def placed_words(
    puzzle: Puzzle, words: Mapping[str, str], written: Mapping[str, str]
) -> list[PlacedWord]:
    """Return the whole words of the grid (slot name -> word) with what is known about them.

    ``written`` maps words to how the lists write them, where that is more than their letters.
    """
    listed = puzzle.vocabulary
    return [
        PlacedWord(
            name,
            word,
            listed.score(word) if word in listed else None,
            enumeration(written.get(word, word)),
        )
        for name, word in words.items()
    ]


def quality_of(puzzle: Puzzle, words: Mapping[str, str]) -> str:
    """Judge a fill in a phrase, as every command does; "" while a slot has no word."""
    return str(judge(puzzle, words)) if len(words) == len(puzzle.grid.slots) else ""


def faults_of(
    puzzle: Puzzle, words: Mapping[str, str], clues: Mapping[str, str]
) -> list[ClueFault]:
    """Return the faults of clues while they are written: a clue that is missing is none yet."""
    known = {name: clues[name] for name in clues if puzzle.grid.slot_named(name) is not None}
    found = clue_faults(Crossword.of(puzzle.grid, words, known))
    return [fault for fault in found if fault.kind != "missing"]


def warnings(puzzle: Puzzle) -> list[LintWarning]:
    """Return what is unusual in the pattern or makes it hard to fill."""
    figures = grid_statistics(puzzle.grid)
    is_lattice = figures.checked < _BRITISH_BELOW * max(1, figures.open_cells)
    style = Style.BRITISH if is_lattice else Style.AMERICAN
    return lint(puzzle.grid, puzzle.vocabulary, style, puzzle.min_score)
