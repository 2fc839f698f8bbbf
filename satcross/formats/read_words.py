"""Reading word lists in one call."""

from __future__ import annotations

from functools import cache
from os import PathLike, fspath

from satcross.vocabulary import Vocabulary


def read_words(*paths: str | PathLike[str]) -> Vocabulary:
    """Read word lists, one ``word`` or ``word;score`` per line, into one vocabulary.

    Without a path, the default list is read; among others, "default" names it, and "american" and
    "british" name it without the other country's spellings. Lines that can't be used are passed
    over, as ``satcross solve`` does with a note. Raises InputError for files that can't be read or
    hold no word at all.
    """
    from satcross.formats import word_cache

    return word_cache.read_words([fspath(path) for path in paths]).vocabulary


@cache
def known_list(known_as: tuple[str, ...]) -> Vocabulary:
    """Return the default list with the tiers of words that follow its name; the same every time."""
    from satcross.formats.entries import Reading
    from satcross.formats.words import read_default

    _, *tiers = known_as
    return read_default(Reading(tiers=frozenset(tiers))).vocabulary
