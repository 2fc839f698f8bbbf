"""The letters of drawings: which can be shown, and which way they run."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from satcross.crossword import Crossword
from satcross.formats.drawing.font import is_packaged, lacking
from satcross.grid import BLOCKED, OPEN
from satcross.support.letters import spell
from satcross.support.texts import texts as text_settings

_NO_CHARACTER = "\N{REPLACEMENT CHARACTER}"
_SHAPED = "[\u0590-\u1cff\ua840-\uabff\ufb1d-\ufdff\ufe70-\ufeff]"
"""Scripts whose letters join, change places or run from right to left."""


def needs_shaping(text: str) -> bool:
    """Whether the letters of a text join, change places or run from right to left."""
    return not text.isascii() and re.search(_SHAPED, text) is not None


def runs_left(text: str) -> bool:
    """Whether most letters of a text belong to scripts that run from right to left."""
    if text.isascii():
        return False
    classes = [unicodedata.bidirectional(c) for c in text if c.isalpha()]
    return 2 * sum(item in ("R", "AL") for item in classes) > len(classes)


@lru_cache(maxsize=1_000)
def clean(text: str) -> str:
    """Return the text with single spaces, and U+FFFD for characters that can't be in XML."""
    joined = " ".join(unicodedata.normalize("NFC", spell(text)).split())
    return "".join(_NO_CHARACTER if _is_invalid(c) else c for c in joined)


def printable(text: str) -> str:
    """Return the text with U+FFFD, or a question mark, for each character that the font lacks."""
    absent = missing_glyphs(text)
    if not absent:
        return text
    sign = "?" if lacking(_NO_CHARACTER, packaged=is_packaged(text)) else _NO_CHARACTER
    return "".join(sign if c in absent else c for c in text)


def missing_glyphs(text: str) -> list[str]:
    """Return the characters of a line that its font lacks, each once, in order of appearance."""
    return lacking(text, packaged=is_packaged(text))


def _is_invalid(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs", "Cn") or character in "\ufffe\uffff"


def reads_leftwards(crossword: Crossword) -> bool:
    """Whether the crossword's language runs from right to left, or else its letters do."""
    language = text_settings().language
    if language:
        from satcross.formats.languages import languages

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
    from satcross.formats.languages import phrase

    about = [getattr(crossword, key) for key in ("title", "author", "copyright", "notes", "date")]
    headings = [phrase(key) for key in ("across", "down", "crossword", "solution")]
    return [*letters, *prefilled, *headings, *map(clean, (*about, *crossword.clues.values()))]
