"""What the user says about the texts of a run: language, encoding, font and key, in one place.

The settings are those of a process, on purpose. A letter of several characters is packed into one
that has a meaning within this process only (``support.letters``), so one process can't read lists
by two languages side by side; and words are read and compared everywhere, in the threads of
backends and sources, too, where a value of one call or context would not arrive. A program that
reads texts in turn sets them in turn; one that serves several languages at once has a process for
each, as the page has for each job.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from satcross.support.frozen import frozen


@frozen
class TextSettings:
    """How texts are read and drawn.

    ``language`` is a code such as ``de``, "" for no language; ``digraphs`` are letters of two
    characters or more that take one cell. ``charset`` is the encoding of all files, None to find
    it out; ``font`` a file, None for Open Sans; ``key`` the four digits that unscramble the
    solution of a .puz file, None to try all.
    """

    language: str = ""
    digraphs: tuple[str, ...] = ()
    charset: str | None = None
    font: str | None = None
    key: str | None = None


_settings = TextSettings()


def use_texts(settings: TextSettings) -> None:
    """Let all texts that this process reads and draws from now on follow these settings."""
    global _settings
    _settings = settings


def texts() -> TextSettings:
    """Return the settings that texts follow."""
    return _settings


def language_or(code: str) -> str:
    """Return the language that the user has named, or else the one with this code."""
    return _settings.language or code


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Let texts follow a language in this block, unless the user has named one for all."""
    before = texts()
    use_texts(replace(before, language=language_or(code)))
    try:
        yield
    finally:
        use_texts(before)
