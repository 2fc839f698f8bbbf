"""Registry of the sources: a new source is one module in this package and one entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from satcross.answer.clue import Source, SourceSettings
from satcross.errors import UnavailableError


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """Registration of a source, opened by ``module.function(name, settings)``.

    A ``default`` source runs when the user names no sources, the others only by name. An ``extra``
    default source runs only if it is set up. ``setup`` is the remedy that makes the source
    available, "" when nothing is needed. Where the source ``replaced_by`` runs, this one runs only
    by name, unless the clue database has less than ``replaced_from`` clues.
    """

    opener: str
    summary: str
    default: bool = True
    setup: str = ""
    extra: bool = False
    replaced_by: str = ""
    replaced_from: int = 0


_SETUP = "run: satcross sources setup"

SOURCES: dict[str, SourceEntry] = {
    "wordnet": SourceEntry(
        "dictionaries:open_book", "WordNet: related words, gloss search", setup=_SETUP
    ),
    "moby": SourceEntry("dictionaries:open_book", "the Moby thesaurus", setup=_SETUP),
    "gcide": SourceEntry(
        "dictionaries:open_book",
        "GCIDE: definition search, synonyms",
        setup=_SETUP,
        replaced_by="clues-db",
        replaced_from=100_000,
    ),
    "meaning": SourceEntry(
        "meaning:open_source",
        "nearness in meaning, by sentence embeddings",
        setup=f"{_SETUP} meaning",
        extra=True,
        replaced_by="clues-db",
    ),
    "language-model": SourceEntry(
        "language_model:open_source",
        "what a small language model says next: names and associations",
        setup=f"{_SETUP} language-model",
        extra=True,
        replaced_by="clues-db",
    ),
    "clues-db": SourceEntry(
        "clue_database:open_source",
        "answers to the same clue and to similar clues in the past",
        setup="run: satcross sources add-clues FILE",
        extra=True,
    ),
    "merriam-webster": SourceEntry(
        "web:open_source", "Merriam-Webster's thesaurus (network)", default=False
    ),
    "wikipedia": SourceEntry("web:open_source", "Wikipedia's search (network)", default=False),
    "short-words": SourceEntry("short_words:open_source", "abbreviations, codes, cries, numerals"),
}


def open_source(name: str, settings: SourceSettings) -> Source:
    """Open the named source. Raises UnavailableError if it is unknown or can't work."""
    if name not in SOURCES:
        raise UnavailableError(unknown_source_message(name))
    make: Callable[[str, SourceSettings], Source] = load(SOURCES[name].opener)
    try:
        return make(name, settings)
    except ImportError as error:
        raise UnavailableError(
            f"a library is missing ({error}); install it with pip install 'satcross[answer]'"
        ) from error


def load(place: str) -> Any:
    """Return what MODULE:NAME stands for; a module of this folder goes by its last name."""
    module, _, name = place.rpartition(":")
    return getattr(import_module(module if "." in module else f"{__package__}.{module}"), name)


def unknown_source_message(name: str) -> str:
    """Return the error message for an unknown source."""
    return f"there is no source {name!r}; choose from {', '.join(SOURCES)}"
