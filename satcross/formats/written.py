"""How the default list's entries are written: with blanks, hyphens and small letters."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
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


class WithDefault(Mapping[str, str]):
    """How some words are written, and all others as ``default_written`` says.

    A few words are looked up in half the time that ``default_written`` takes.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self._own = {**written_by_sources(), **own}
        self._phrases = default_splits().splitlines()
        self._words = default_splits().replace(" ", "").splitlines()

    def __getitem__(self, word: str) -> str:
        if word in self._own:
            return self._own[word]
        place = bisect_left(self._words, word)
        if self._words[place : place + 1] != [word]:
            raise KeyError(word)
        return self._phrases[place].lower()

    def __iter__(self) -> Iterator[str]:
        return iter({**default_written(), **self._own})

    def __len__(self) -> int:
        return len({**default_written(), **self._own})


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
