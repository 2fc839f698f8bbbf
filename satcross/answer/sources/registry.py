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
    default source runs only if it is set up. Where the source ``replaced_by`` runs, this one runs
    only by name, unless the clue database has less than ``replaced_from`` clues.
    """

    opener: str
    summary: str
    default: bool = True
    extra: bool = False
    replaced_by: str = ""
    replaced_from: int = 0


SOURCES: dict[str, SourceEntry] = {
    "wordnet": SourceEntry("dictionaries:open_book", "WordNet: related words, gloss search"),
    "moby": SourceEntry("dictionaries:open_book", "the Moby thesaurus"),
    "gcide": SourceEntry(
        "dictionaries:open_book",
        "GCIDE: definition search, synonyms",
        replaced_by="clues-db",
        replaced_from=100_000,
    ),
    "meaning": SourceEntry(
        "meaning:open_source",
        "nearness in meaning, by sentence embeddings",
        extra=True,
        replaced_by="clues-db",
    ),
    "language-model": SourceEntry(
        "language_model:open_source",
        "what a small language model says next: names and associations",
        extra=True,
        replaced_by="clues-db",
    ),
    "clues-db": SourceEntry(
        "clue_database:open_source",
        "answers to the same clue and to similar clues in the past",
        extra=True,
    ),
    "merriam-webster": SourceEntry(
        "web:open_source", "Merriam-Webster's thesaurus (network)", default=False
    ),
    "wikipedia": SourceEntry("web:open_source", "Wikipedia's search (network)", default=False),
    "short-words": SourceEntry("short_words:open_source", "abbreviations, codes, cries, numerals"),
}


def check_source(name: str) -> None:
    """Raise UnavailableError for an unknown source."""
    if name not in SOURCES:
        raise UnavailableError(f"there is no source {name!r}; choose from {', '.join(SOURCES)}")


def open_source(name: str, settings: SourceSettings) -> Source:
    """Open the named source. Raises UnavailableError if it is unknown or can't work."""
    check_source(name)
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
