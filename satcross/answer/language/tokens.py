"""Tokens of a clue for comparing it with other clues: stems of its words, and words at a blank."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_NO_SIGN = re.compile(r"[^\w]+")
_BLANK = "blank"
LEFT_OUT = dict.fromkeys(map(ord, " -'.,/!\u2019"))
"""Signs that a grid leaves out."""
_ENDINGS = ("ing", "ies", "ied", "es", "ed", "s")
_SHORTEST = 3
"""Shortest stem that is left when an ending is cut off."""


def normalise_clue(text: str) -> str:
    """Return a clue without punctuation and capitals, which differ between newspapers.

    >>> normalise_clue("It's ___ and void!")
    'its blank and void'
    """
    plain = unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'").replace("'", "")
    if "_" in plain:
        plain = re.sub(r"_[_ -]*", f" {_BLANK} ", plain)
    return " ".join(_NO_SIGN.sub(" ", plain).split())


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return a stem that most regular forms of a lower-case word share.

    >>> [stem(word) for word in ("cities", "city", "hopping", "hops", "glass")]
    ['citi', 'citi', 'hop', 'hop', 'glas']
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)] + ("y" if ending in ("ies", "ied") else "")
            break
    if len(word) > _SHORTEST and word[-1] == "e":
        word = word[:-1]
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] + "i" if word[-1] == "y" and len(word) > 2 else word


def tokens(text: str) -> Iterator[str]:
    """Yield the tokens of a clue: stems, and the pairs of a blank and the word beside it.

    >>> list(tokens("___ and void"))
    ['blank', 'and', 'void', 'blank and']
    """
    words = normalise_clue(text).split()
    yield from map(stem, words)
    for left, right in itertools.pairwise(words):
        if _BLANK in (left, right):
            yield f"{left} {right}"


@lru_cache(maxsize=100_000)
def letters(text: str) -> str:
    """Return a word or phrase as a grid has it; "" if it contains digits or other symbols.

    >>> letters("café au lait"), letters("catch-22")
    ('CAFEAULAIT', '')
    """
    if not text.isascii():
        signs = unicodedata.normalize("NFKD", text)
        text = "".join(sign for sign in signs if not unicodedata.combining(sign))
    plain = text.translate(LEFT_OUT).upper()
    return plain if plain.isalpha() else ""
