"""The texts of a drawing, and the direction in which it is read."""

from __future__ import annotations

from satcross.crossword import Crossword
from satcross.formats.drawing.shapes import clean, runs_left
from satcross.formats.languages import languages, phrase
from satcross.grid import BLOCKED, OPEN
from satcross.support.texts import texts as text_settings


def reads_leftwards(crossword: Crossword) -> bool:
    """Whether the crossword's language runs from right to left, or else its letters do."""
    language = text_settings().language
    if language:
        return bool(languages()[language].get("right_to_left"))
    letters = "".join(letter for row in crossword.solution for letter in row if letter)
    return runs_left(letters or " ".join(crossword.clues.values()))


def texts(crossword: Crossword, style: str) -> list[str]:
    """Return the texts that a drawing of the crossword may contain."""
    letters = [clean(letter) for row in crossword.solution for letter in row if letter]
    cells = [cell for row in crossword.grid.rows for cell in row if cell not in (BLOCKED, OPEN)]
    prefilled = list(map(clean, cells))
    if style != "newspaper":
        return [*letters, *prefilled]
    about = (
        crossword.title,
        crossword.author,
        crossword.copyright,
        crossword.notes,
        crossword.date,
    )
    headings = [phrase(key) for key in ("across", "down", "crossword", "solution")]
    return [*letters, *prefilled, *headings, *map(clean, (*about, *crossword.clues.values()))]
