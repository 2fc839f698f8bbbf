"""Clues with answers for fitting and measuring, and what the sources propose for them.

``clues.tsv`` was written for this purpose by the authors of satcross, in the style of newspaper
minis; every fifth answer (by a checksum) is held out from fitting, with all its clues.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from satcross.clues.clue import Clue, Proposal, Source, SourceSettings
from satcross.clues.sources.registry import open_source
from satcross.formats.word_cache import read_words
from satcross.formats.words import default_list_path
from satcross.vocabulary import Vocabulary

FITTED = ("wordnet", "moby", "gcide", "short-words", "phrases", "foreign")
"""The sources whose weights are fitted together; once more with ``meaning``, which is an extra."""
OWN = Path(__file__).parent / "clues.tsv"


@dataclass(frozen=True, slots=True)
class Pair:
    """A clue and its answer."""

    clue: Clue
    answer: str

    @property
    def held_out(self) -> bool:
        """Return whether the pair must not be used for fitting."""
        return zlib.crc32(self.answer.encode()) % 5 == 0


def read_pairs(path: Path = OWN) -> list[Pair]:
    """Return the pairs of a file with the columns publication, year, answer, clue."""
    pairs = []
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        _, _, answer, text = line.split("\t")[:4]
        if number or answer != "answer":
            pairs.append(Pair(Clue(f"{number}A", text, len(answer)), answer))
    return pairs


def default_vocabulary() -> Vocabulary:
    """Return the default list."""
    return read_words([default_list_path()]).vocabulary


def opened(names: Sequence[str], vocabulary: Vocabulary) -> list[Source]:
    """Return the sources of these names, all of which must be set up."""
    return [open_source(name, SourceSettings(vocabulary)) for name in names]


def incoming(sources: Sequence[Source], pair: Pair) -> Iterator[Proposal]:
    """Return the proposals of all sources for a clue."""
    for source in sources:
        yield from source.candidates(pair.clue, pair.clue.length)


def merged(found: Sequence[Proposal]) -> Mapping[str, dict[str, float]]:
    """Return word -> its features from all sources."""
    features: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for one in found:
        features[one.word].update(one.features)
    return features
