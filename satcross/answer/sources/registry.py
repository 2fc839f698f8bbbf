"""Registry of the sources: a new source is one module in this package and one entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from satcross.answer.clue import Source, SourceSettings
from satcross.errors import UnavailableError


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """Registration of a source, whose ``module`` has a function ``open_source(settings)``.

    A ``default`` source runs when the user names no sources, the others only by name. An ``extra``
    default source runs only if it is set up. ``setup`` is the remedy that makes the source
    available, "" when nothing is needed. Where the source ``replaced_by`` runs, this one runs only
    by name.
    """

    module: str
    summary: str
    default: bool = True
    setup: str = ""
    extra: bool = False
    replaced_by: str = ""


_SETUP = "run: satcross sources setup"

SOURCES: dict[str, SourceEntry] = {
    "wordnet": SourceEntry(
        "satcross.answer.sources.wordnet", "WordNet: related words, gloss search", True, _SETUP
    ),
    "moby": SourceEntry("satcross.answer.sources.moby", "the Moby thesaurus", True, _SETUP),
    "gcide": SourceEntry(
        "satcross.answer.sources.gcide", "GCIDE: definition search, synonyms", True, _SETUP
    ),
    "phrases": SourceEntry(
        "satcross.answer.sources.phrases", "phrases with a blank in them", True, _SETUP
    ),
    "foreign": SourceEntry(
        "satcross.answer.sources.foreign", "French, Italian, Latin, Spanish", True, _SETUP
    ),
    "meaning": SourceEntry(
        "satcross.answer.sources.meaning",
        "nearness in meaning, by sentence embeddings",
        True,
        f"{_SETUP} meaning",
        extra=True,
    ),
    "language-model": SourceEntry(
        "satcross.answer.sources.language_model",
        "what a small language model says next: names and associations",
        True,
        f"{_SETUP} language-model",
        extra=True,
        replaced_by="clues-db",  # 98.7% of the letters of 12 puzzles, not 98.6%, in twice the time
    ),
    "clues-db": SourceEntry(
        "satcross.answer.sources.clue_database",
        "answers to the same clue and to similar clues in the past",
        True,
        "run: satcross sources add-clues FILE",
        extra=True,
    ),
    "merriam-webster": SourceEntry(
        "satcross.answer.sources.merriam_webster", "Merriam-Webster's thesaurus (network)", False
    ),
    "wikipedia": SourceEntry(
        "satcross.answer.sources.wikipedia", "Wikipedia's search (network)", False
    ),
    "short-words": SourceEntry(
        "satcross.answer.sources.short_words", "abbreviations, codes, cries, numerals"
    ),
    "vocabulary": SourceEntry(
        "satcross.answer.sources.vocabulary", "every word of the vocabulary, by its score"
    ),
}


def open_source(name: str, settings: SourceSettings) -> Source:
    """Open the named source. Raises UnavailableError if it is unknown or can't work."""
    if name not in SOURCES:
        raise UnavailableError(unknown_source_message(name))
    entry = SOURCES[name]
    try:
        make: Callable[[SourceSettings], Source] = import_module(entry.module).open_source
    except ImportError as error:
        remedy = entry.setup or "install satcross with its dependencies"
        raise UnavailableError(f"a library is missing ({error}); {remedy}") from error
    return make(settings)


def unknown_source_message(name: str) -> str:
    """Return the error message for an unknown source."""
    return f"there is no source {name!r}; choose from {', '.join(SOURCES)}"
