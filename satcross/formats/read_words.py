"""Reading word lists in one call."""

from __future__ import annotations

from os import PathLike, fspath

from satcross.vocabulary import Vocabulary


def read_words(*paths: str | PathLike[str]) -> Vocabulary:
    """Read word lists (``word`` or ``word;score`` a line) into one vocabulary; none: the default.

    Lines that can't be used are passed over, as ``satcross solve`` does with a note. Raises
    InputError for files that can't be read or hold no word at all.
    """
    from satcross.formats import word_cache
    from satcross.formats.words import default_list_path

    return word_cache.read_words(
        [fspath(path) for path in paths] or [default_list_path()]
    ).vocabulary
