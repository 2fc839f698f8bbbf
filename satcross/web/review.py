"""Review of an unfinished crossword: its complete words, and what is unusual in its pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satcross.formats.words import enumeration
from satcross.grid.lint import LintWarning, grid_statistics, lint
from satcross.grid.styles import Style
from satcross.puzzle import Puzzle
from satcross.solving.quality import judge
from satcross.web.schema import PlacedWord

_BRITISH_BELOW = 0.8
"""Share of checked cells below which a grid is a lattice and held against British customs."""

Letters = Sequence[Sequence[str | None]]


def placed_words(
    puzzle: Puzzle, letters: Letters | None, written: Mapping[str, str]
) -> list[PlacedWord]:
    """Return the complete words of the grid, of given letters and those of a fill.

    ``written`` maps words to how the lists write them, where that is more than their letters.
    """
    found = []
    grid = puzzle.grid
    for slot in grid.slots:
        word = [
            puzzle.fixed_letters.get(cell) or (letters[cell[0]][cell[1]] if letters else None)
            for cell in slot.cells
        ]
        if all(word):
            text = "".join(filter(None, word))
            listed = text in puzzle.vocabulary
            score = puzzle.vocabulary.score(text) if listed else None
            parts = enumeration(written.get(text, text))
            found.append(PlacedWord(slot.name, text, score, parts))
    return found


def quality_of(puzzle: Puzzle, words: Sequence[PlacedWord]) -> str:
    """Judge a fill in a phrase; "" while a slot has no word."""
    if len(words) < len(puzzle.grid.slots):
        return ""
    judged = str(judge(puzzle, {placed.slot: placed.word for placed in words}))
    return f"apart from locked words: {judged}" if puzzle.fixed_words else judged


def warnings(puzzle: Puzzle) -> list[LintWarning]:
    """Return what is unusual in the pattern or makes it hard to fill."""
    figures = grid_statistics(puzzle.grid)
    is_lattice = figures.checked < _BRITISH_BELOW * max(1, figures.open_cells)
    style = Style.BRITISH if is_lattice else Style.AMERICAN
    return lint(puzzle.grid, puzzle.vocabulary, style, puzzle.min_score)
