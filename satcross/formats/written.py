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


def _line_at(place: int) -> str:
    phrases = default_splits()
    return phrases[phrases.rfind("\n", 0, place) + 1 : phrases.find("\n", place)]


@cache  # the first steps of each look-up are the same
def _letters_at(place: int) -> str:
    return _line_at(place).replace(" ", "")


def default_split(entry: str) -> str | None:
    """Return the words of an entry of ``default_splits``; None if it is not there."""
    # Cutting the text into 200,000 lines would take longer than to fill an easy grid.
    places = range(len(default_splits()))
    place = bisect_left(places, entry, key=_letters_at)
    return _line_at(place) if place < len(places) and _letters_at(place) == entry else None


class WithDefault(Mapping[str, str]):
    """How some words are written, and all others as ``default_written`` says.

    A few words are looked up in less time than ``default_written`` takes.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self._own = {**written_by_sources(), **own}

    def __getitem__(self, word: str) -> str:
        if word in self._own:
            return self._own[word]
        split = default_split(word)
        if split is None:
            raise KeyError(word)
        return split.lower()

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
