"""How the default list's entries are written: with blanks, hyphens and small letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from satcross.formats.entries import letters_of
from satcross.formats.files import Data, decode_text
from satcross.formats.resources import read_resource


@cache
def default_written() -> Mapping[str, str]:
    """Return how the default list's phrases and hyphenated words are written, by word.

    Where its sources do not say, that is the likeliest split into words.
    """
    splits = default_splits()
    return {
        **dict(zip(splits.replace(" ", "").split(), splits.lower().splitlines(), strict=True)),
        **written_by_sources(),
    }


@cache
def written_by_sources() -> Mapping[str, str]:
    """Return how dictionaries among the default list's sources write its entries, by word."""
    text = decode_text(Data("english-written.txt.gz", read_resource("english-written.txt.gz"))).text
    # All plain entries at once, which takes half of the time.
    capitals = text.upper().replace("&", "AND")
    plain = re.sub("[^A-Z0-9\n]", "", capitals).split("\n")
    known = ((word, entry) for word, entry in zip(plain, text.split("\n"), strict=True) if entry)
    return {w if entry.isascii() else letters_of(entry, fold=True): entry for w, entry in known}


@cache
def default_splits() -> str:
    """Return the default list's phrases, split by blanks, a line each, sorted by letters."""
    return read_resource("english-parts.txt").decode("ascii")
