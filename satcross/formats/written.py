"""How the default list's entries are written: with blanks, hyphens and small letters."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
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


class _SortedEntries:
    """The lines of a text, sorted by what ``letters`` returns for each, to be looked up by it.

    The text stays whole: splitting 200,000 lines would take longer than filling an easy grid.
    """

    def __init__(self, text: str, letters: Callable[[str], str]) -> None:
        self._text, self._letters = text, letters
        self._letters_at = cache(self._find_letters)  # each look-up begins at the same places

    def get(self, word: str) -> str | None:
        """Return the line with these letters; None if there is none."""
        places = range(len(self._text))
        place = bisect_left(places, word, key=self._letters_at)
        is_there = place < len(places) and self._letters_at(place) == word
        return self._line_at(place) if is_there else None

    def _line_at(self, place: int) -> str:
        text = self._text
        return text[text.rfind("\n", 0, place) + 1 : text.find("\n", place)]

    def _find_letters(self, place: int) -> str:
        return self._letters(self._line_at(place))


@cache
def _split_entries() -> _SortedEntries:
    return _SortedEntries(default_splits(), lambda line: line.replace(" ", ""))


@cache
def _source_entries() -> _SortedEntries:
    return _SortedEntries(_source_text(), lambda line: letters_of(line, fold=True))


def default_split(entry: str) -> str | None:
    """Return the words of an entry of ``default_splits``; None if it is not there."""
    return _split_entries().get(entry)


class WithDefault(Mapping[str, str]):
    """How some words are written, and all others as ``default_written`` says.

    A few words are looked up in less time than ``default_written`` takes.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self._own = own

    def __getitem__(self, word: str) -> str:
        if word in self._own:
            return self._own[word]
        entry = _source_entries().get(word)
        if entry is not None:
            return entry
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
    text = _source_text()
    # All plain entries at once, which takes half of the time.
    capitals = text.upper().replace("&", "AND")
    plain = re.sub("[^A-Z0-9\n]", "", capitals).split("\n")
    known = ((word, entry) for word, entry in zip(plain, text.split("\n"), strict=True) if entry)
    return {w if entry.isascii() else letters_of(entry, fold=True): entry for w, entry in known}


@cache
def _source_text() -> str:
    return decode_text(Data("english-written.txt.gz", read_resource("english-written.txt.gz"))).text


@cache
def default_splits() -> str:
    """Return the default list's phrases, split by blanks, a line each, sorted by letters."""
    return read_resource("english-parts.txt").decode("ascii")
