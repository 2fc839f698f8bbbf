"""Entries of word lists, and the words that they become in a grid.

*By letters* (constructors' lists): only letters and digits fill cells. Blanks, hyphens,
apostrophes and all other marks are dropped, ``&`` is spelled AND, and the entry as it was written
is kept: ``Rock 'n' roll`` is the word ROCKNROLL.

*Literally* (CS50's lists): every character is a letter, including marks, so that ``N'T`` fills
three cells. An entry with a blank inside is dropped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Literal

from satcross.support.frozen import frozen
from satcross.support.letters import only_letters, pack, upper
from satcross.support.texts import texts
from satcross.vocabulary import Vocabulary

MAX_SCORE = 1_000_000
COMMENT = "a comment"
"""The reason why lines that begin with # or // are dropped."""
_SHORT = 7  # digits of a number that may exceed MAX_SCORE
_SCORE = r"[+-]?[0-9]{1,12}"
_SPELT_OUT = str.maketrans({"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D"})
_UMLAUTS = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE", "Å": "AA", "Ø": "OE"})
SPELLED: Literal["spelled"] = "spelled"
Fold = bool | Literal["spelled"]
"""Whether accents are folded, or umlauts spelled out with an E."""


class Marks(StrEnum):
    """How hyphens, apostrophes, blanks and other punctuation in entries are treated."""

    AUTO = "auto"
    """Dropped, unless the list looks like the course's."""
    DROP = "drop"
    KEEP = "keep"
    """Each is a letter of its own, as in CS50; entries with blanks are dropped."""


class Accents(StrEnum):
    """How letters with diacritics, such as É, Ñ and Ö, are treated."""

    AUTO = "auto"
    """Folded to E, N, O in a list where at most one entry in twenty has one (in a list of five
    entries or more, at least one may); kept otherwise."""
    FOLD = "fold"
    KEEP = "keep"
    SPELL = "spell"
    """Folded, but Ä, Ö, Ü and Å become AE, OE, UE and AA."""


@frozen
class Reading:
    """Options for reading word lists."""

    marks: Marks = Marks.AUTO
    accents: Accents = Accents.AUTO
    tiers: frozenset[str] = frozenset()
    """The tiers of offensive words to take from lists that have them (``packed.TIERS``)."""
    language: str = ""
    """The language of the list, where it is known; "" for that of the settings or its letters."""


AUTO = Reading()


def companion(vocabulary: Vocabulary, reading: Reading = AUTO) -> Reading:
    """Return how to read a list, such as a theme, so that its words match a vocabulary.

    The list is read by letters, unless the vocabulary has words with marks. Accents are folded if
    the vocabulary has none. Options of ``reading`` that are not AUTO are retained.
    """
    texts = [vocabulary.group(length).text for length in vocabulary.lengths]
    marks, accents = reading.marks, reading.accents
    if marks is Marks.AUTO:
        marks = Marks.DROP if all(map(str.isalnum, texts)) else Marks.KEEP
    if accents is Accents.AUTO and texts:
        accents = Accents.FOLD if all(map(str.isascii, texts)) else Accents.KEEP
    return Reading(marks, accents, reading.tiers, language_of(vocabulary))


@frozen
class Dropped:
    """A line that was dropped because it gives no usable word, and the reason."""

    file: str
    line: int
    text: str
    reason: str


@frozen
class ListEntry:
    """A line of a list: its number, its word ("" if it has none), and its entry and score as
    written."""

    line: int
    word: str
    written: str
    score: str = ""


def normalise(word: str, language: str = "") -> str:
    """Return a word in upper case, composed (NFC), without blanks around it."""
    return pack(upper(word, language)).strip()


def letters_of(entry: str, *, fold: Fold, language: str = "") -> str:
    """Return the letters and digits of an entry, in upper case; "" if it has none.

    With ``fold``, letters of A to Z lose their accents, and Æ, Œ, Ø, Ł and Đ are spelled out;
    SPELLED writes Ä, Ö, Ü and Å as AE, OE, UE and AA before. Letters that the language counts as
    its own, such as Ñ in Spanish, keep theirs.
    """
    capitals = upper(entry, language)
    if capitals.isascii() and capitals.isalnum() and not texts().digraphs:
        return capitals
    capitals = capitals.replace("&", "AND")
    if fold and not capitals.isascii():
        keeps = habits_of(language or texts().language).get("keeps", "")
        table = _SPELT_OUT | _UMLAUTS if fold == SPELLED else _SPELT_OUT
        folded = (c if c in keeps else _folded(c.translate(table)) for c in capitals)
        capitals = "".join(folded)
    return only_letters(capitals)


def habits_of(language: str) -> Mapping[str, str]:
    """Return what the table of languages says of letters in a language; nothing for no language."""
    if not language:
        return {}
    from satcross.formats.languages import languages

    return languages()[language]


def language_of(vocabulary: Vocabulary) -> str:
    """Return ``tr`` for a vocabulary with the capital of a dotted i; "" for all others."""
    groups = map(vocabulary.group, vocabulary.lengths)
    return "tr" if any("\u0130" in group.text for group in groups) else ""


def read_word(entry: str, vocabulary: Vocabulary) -> str:
    """Normalise an entry written by a person to the form of the vocabulary.

    The result is the literal entry if the vocabulary has it (``E-MAIL`` in the course's list);
    otherwise its letters, without accents if the vocabulary has that word or has no accents.
    """
    language = language_of(vocabulary)
    literal = normalise(entry, language)
    if literal in vocabulary:
        return literal
    kept, folded, spelled = (
        letters_of(entry, fold=fold, language=language) for fold in (False, True, SPELLED)
    )
    found = next((word for word in (kept, folded, spelled) if word in vocabulary), None)
    if found is not None or kept == folded:
        return found or kept
    lengths = [len(kept)] if len(kept) in vocabulary.lengths else [*vocabulary.lengths]
    plain = [vocabulary.group(length).text.isascii() for length in lengths]
    return folded if plain and all(plain) else kept


_DIVIDERS = r"[\s/]+"
_HYPHENS = r"[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}]+"


def enumeration(written: str, *, fold: bool = True) -> str:
    """Return the lengths of an entry's parts as printed clues do: ``3,5`` for ice cream.

    Blanks and slashes give a comma, hyphens a hyphen (``1-5`` for T-shirt); other marks do not
    divide. The numbers add up to the length of ``letters_of(entry)``. The result is "" for an entry
    without letters.
    """
    parts = []
    for word in re.split(_DIVIDERS, written):
        lengths = [len(letters_of(part, fold=fold)) for part in re.split(_HYPHENS, word)]
        text = "-".join(str(length) for length in lengths if length)
        if text:
            parts.append(text)
    return ",".join(parts)


@cache
def _folded(letter: str) -> str:
    """Return a letter without its accents if that is one of A to Z or Greek; else the letter."""
    base = unicodedata.normalize("NFD", letter)[:1]
    is_plain = "A" <= base <= "Z" or "\u0391" <= base <= "\u03a9"
    return base if len(letter) == 1 and is_plain else letter


def parse_score(text: str) -> int | None:
    """Return a whole number from -MAX_SCORE to MAX_SCORE; None for any other text."""
    if text.isdecimal() and text.isascii() and len(text) < _SHORT:
        return int(text)
    if not re.fullmatch(_SCORE, text):
        return None
    score = int(text)
    return score if abs(score) <= MAX_SCORE else None
