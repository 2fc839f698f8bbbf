"""Read the WordNet database (versions 3.0 and 3.1); see wndb(5WN).

The files are data.*, index.* and *.exc. No library reads them from
the packages: NLTK accepts only its own folders and needs files that Debian's package lacks, and
``wn`` reads another format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from satcross.errors import InputError

Record = TypeVar("Record")

PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
"""File name -> part of speech."""

_SIGNS = {
    "hypernym": "@",
    "instance-hypernym": "@i",
    "hyponym": "~",
    "instance": "~i",
    "antonym": "!",
    "similar": "&",
    "also": "^",
    "derived": "+",
    "pertainym": "\\",
    "participle": "<",
    "attribute": "=",
    "entails": "*",
    "causes": ">",
    "group": "$",
    "part": "#m #s #p %m %s %p",
    "domain": ";c ;r ;u",
    "domain-member": "-c -r -u",
}
POINTERS = {sign: name for name, signs in _SIGNS.items() for sign in signs.split()}
"""Pointer symbol -> name of the relation; part and whole share one name."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A relation to the synset with the key ``synset``.

    ``source`` and ``target`` are 1-based word numbers if the relation holds between two words, and
    0 if it holds between the synsets.
    """

    relation: str
    synset: str
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Synset:
    """A set of synonyms; ``key`` is part of speech and offset, such as n02437136."""

    key: str
    lemmas: tuple[str, ...]
    pointers: tuple[Pointer, ...]
    gloss: str


def synsets(folder: Path) -> Iterator[Synset]:
    """Yield all synsets of the database. Raises InputError for missing and damaged files."""
    return _records(folder, "data", _synset, "WordNet synset")


def exceptions(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (form, base, part of speech) of irregular forms; nothing for missing files."""
    for name, part in PARTS.items():
        path = folder / f"{name}.exc"
        if not path.exists():
            continue
        for line in _lines(path):
            form, *found = line.split()
            for base in found:
                yield form.replace("_", " "), base.replace("_", " "), part


def sense_order(folder: Path) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (lemma, part of speech, keys of its synsets, most common first)."""
    return _records(folder, "index", _senses, "line of a WordNet index")


def _records(
    folder: Path, kind: str, parse: Callable[[str, str], Record], name: str
) -> Iterator[Record]:
    for place, part in PARTS.items():
        path = folder / f"{kind}.{place}"
        for number, line in enumerate(_lines(path), 1):
            if line.startswith("  "):  # the licence
                continue
            try:
                yield parse(line, part)
            except (ValueError, IndexError, KeyError):
                raise InputError(f"not a {name}", file=str(path), line=number) from None


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            yield from file
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", file=str(path)) from None


def _senses(line: str, part: str) -> tuple[str, str, tuple[str, ...]]:
    lemma, _, count, pointers, *rest = line.split()
    offsets = rest[int(pointers) + 2 :]
    if len(offsets) != int(count):
        raise ValueError
    return lemma.replace("_", " "), part, tuple(part + offset for offset in offsets)


def _synset(line: str, part: str) -> Synset:
    data, _, gloss = line.partition("| ")
    fields = data.split()
    count = int(fields[3], 16)
    words = fields[4 : 4 + 2 * count : 2]
    start = 4 + 2 * count
    pointers = []
    for place in range(start + 1, start + 1 + 4 * int(fields[start]), 4):
        symbol, offset, kind, numbers = fields[place : place + 4]
        source, target = int(numbers[:2], 16), int(numbers[2:], 16)
        other = ("a" if kind == "s" else kind) + offset
        pointers.append(Pointer(POINTERS[symbol], other, source, target))
    lemmas = tuple(_lemma(word) for word in words)
    return Synset(part + fields[0], lemmas, tuple(pointers), gloss.strip())


def _lemma(word: str) -> str:
    if word.endswith(")"):  # the syntactic position of an adjective: (a) (p) (ip)
        word = word[: word.rindex("(")]
    return word.replace("_", " ")
