"""Letters: what fills one cell, in every script.

A letter is a base character with its marks: हिन्दी has three, हि न् दी, and தமிழ் has three. Some
languages also write two characters in a cell (IJ, DŽ). The whole program counts on one character a
letter; therefore letters of several characters are *packed* where text comes in, each into a single
character of a script that nobody writes crosswords in (Tangut), and *spelled* where text goes out.
Packed characters have a meaning within one process only; what is pickled carries the spellings
along (``spellings``, ``repacked``).

Marks are taken from Unicode's categories, not from its rules for grapheme clusters: since version
15.1 these join consonants that a crossword divides (न् दी).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from satcross.support.texts import texts

_PLACES = range(0x17000, 0x187F8), range(0x2CEB0, 0x2EBE0)
"""Characters that packed letters become: letters to Python, printable, the same in upper case.

These are 13,609, Tangut and rare Chinese ones; languages have some thousands at most."""
_POINTS = "[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u200b\u200c\ufeff]"
"""Points and vowel signs of Hebrew and Arabic, which crosswords leave out, and zero widths."""
_SPACING = "\u0e33\u0eb3"  # vowels of Thai and Lao that stand with the consonant before them
_JOINER = "\u200d"
_CAN_COMBINE = "[\u0300-\u036f\u0483-\u1cff\u1dc0-\u1dff\u200d\u20d0-\u20f0\ua66f-\uabff]"
"""What texts with letters of several characters have, among others."""

_GREEK = "[\u0386-\u03ce]"
_MOST_FOREIGN = 0.1
"""Share of entries with letters of one language in lists of another."""

_codes: dict[str, str] = {}
_spellings: dict[int, str] = {}


def upper(text: str, language: str = "") -> str:
    """Return a text in upper case, composed (NFC); ß and ẞ are SS.

    In Turkish and Azeri (``tr``, ``az``) i and dotless i have two capitals. Without a
    language, that of the texts' settings counts.
    """
    if (language or texts().language) in ("tr", "az"):
        text = unicodedata.normalize("NFC", text).replace("i", "\u0130")
    text = text.upper()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text).replace("\u1e9e", "SS")


def guess_language(entries: Sequence[str]) -> str:
    """Return ``tr`` or ``el`` where the letters of a list say so; "" for all other lists."""
    foreign = [entry for entry in entries if not entry.isascii()]
    for code, test in (("tr", _turkish), ("el", lambda entry: bool(re.search(_GREEK, entry)))):
        if sum(map(test, foreign)) > _MOST_FOREIGN * len(entries):
            return code
    return ""


def _turkish(entry: str) -> int:
    """Return 1 for an entry with letters of Turkish, -1 for one with letters of another language.

    Romanian, Kurdish and Turkmen have \u015f, too.
    """
    signs = set(entry.lower())
    if not signs.isdisjoint("\u0131\u0307\u011f"):
        return 1
    return (
        "\u015f" in signs if signs.isdisjoint("\u0103\u0163\u021b\u00ea\u00fd\u0148\u017e") else -1
    )


def pack(text: str) -> str:
    """Return a text, composed, with one character for each letter."""
    if text.isascii() or not re.search(_CAN_COMBINE, text):
        return text
    text = unicodedata.normalize("NFC", text)
    letters = split_letters(text)
    if len(letters) == len(text):
        return text
    for letter in sorted({letter for letter in letters if len(letter) > 1}):
        one_letter(letter)  # in alphabetical order, so that packed words are sorted like others
    return "".join(map(one_letter, letters))


def split_letters(text: str) -> list[str]:
    """Return the letters of a text: each character with the marks behind it."""
    letters: list[str] = []
    for character in text:
        is_mark = character in _SPACING or unicodedata.category(character)[0] == "M"
        after = letters and letters[-1][0].isalnum()
        joins = character == _JOINER and after and unicodedata.category(letters[-1][-1]) == "Mn"
        if after and (is_mark or joins):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def one_letter(spelling: str) -> str:
    """Return the single character that stands for a letter of one or more characters."""
    if len(spelling) == 1:
        return spelling
    if spelling not in _codes:
        (first, second), number = _PLACES, len(_codes)
        place = first[number] if number < len(first) else second[number - len(first)]
        _codes[spelling] = chr(place)
        _spellings[place] = spelling
    return _codes[spelling]


def load_packed(text: str) -> Any:
    """Return the values of a JSON text, with packed texts. Raises ValueError and RecursionError."""
    import json

    data = json.loads(spell(text))
    return data if text.isascii() and "\\u" not in text else _packed(data)


def _packed(data: Any) -> Any:
    if isinstance(data, str):
        return pack(data)
    if isinstance(data, list):
        return [_packed(value) for value in data]
    if isinstance(data, dict):
        return {pack(key): _packed(value) for key, value in data.items()}
    return data


def spell(text: str) -> str:
    """Return a text with packed letters written out."""
    return text.translate(_spellings) if _spellings and not text.isascii() else text


def spellings() -> dict[int, str]:
    """Return what packed characters stand for in this process, by their code points."""
    return dict(_spellings)


def repacked(value: Any, packed: Mapping[int, str]) -> Any:
    """Return texts, and collections of them, that a process with these spellings has packed."""
    if packed == _spellings:
        return value
    table = {place: one_letter(spelling) for place, spelling in packed.items()}

    def translated(part: Any) -> Any:
        if isinstance(part, str):
            return part.translate(table)
        if isinstance(part, Mapping):
            return {translated(key): translated(item) for key, item in part.items()}
        if isinstance(part, list | tuple | frozenset):
            return type(part)(map(translated, part))
        return part

    return translated(value)


def has_packed(text: str) -> bool:
    """Whether a text has a letter of several characters."""
    return bool(_spellings) and not _spellings.keys().isdisjoint(map(ord, set(text)))


def only_letters(text: str) -> str:
    """Return the letters and digits of a text, packed, without points and marks of punctuation.

    The digraphs of the texts' settings are letters.
    """
    if not text.isascii():
        text = pack(re.sub(_POINTS, "", spell(text)))
    letters = "".join(filter(str.isalnum, text))
    for digraph in sorted(texts().digraphs, key=len, reverse=True):
        letters = letters.replace(digraph, one_letter(digraph))
    return letters
