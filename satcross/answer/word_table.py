"""Words of one length as arrays: letters, apparent forms and scores, for fast scoring of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from satcross.solving.inflections import FORMS, MIN_LENGTHS, NEVER_S, irregular_bases

if TYPE_CHECKING:
    from satcross.vocabulary import WordGroup

Floats = NDArray[np.float64]
_MAX_TABLES = 64
ALPHABET = 0x180
"""Code points with a column of their own in arrays of letters; the last stands for all others."""


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """The words of a group, in its order.

    ``codes`` has the shape (words, letters) and holds code points below ``ALPHABET``; ``scores``
    are from 0 to 1.
    """

    group: WordGroup
    index: Mapping[str, int]
    codes: NDArray[np.uint16]
    scores: Floats
    kinds: Sequence[tuple[int, frozenset[str]]]
    """The pairs of score, as in the list, and apparent forms (``FORMS``) that words have."""
    kind_of: NDArray[np.intp]
    """The place in ``kinds`` of each word."""

    def fitting(self, known: Mapping[int, str]) -> NDArray[np.bool_]:
        """Return a mask of the words with these letters, by position."""
        mask = np.ones(len(self.codes), dtype=np.bool_)
        for position, letter in known.items():
            mask &= self.codes[:, position] == min(ord(letter), ALPHABET - 1)
        return mask


Numbers = TypeVar("Numbers", np.int64, np.float64)


def letter_sums(values: NDArray[Numbers], codes: NDArray[np.integer]) -> NDArray[Numbers]:
    """Return, for every word, the sum of ``values[position, code]`` over its letters."""
    total = np.zeros(len(codes), dtype=values.dtype)
    for position in range(codes.shape[1]):
        total += values[position][codes[:, position]]
    return total


def highest(scores: Floats, number: int) -> NDArray[np.intp]:
    """Return the places of the highest scores, in no order: those of all if there are no more."""
    if len(scores) <= number:
        return np.arange(len(scores))
    return np.argpartition(-scores, number)[:number]


def letter_logs(alphabet: str, probabilities: Floats, floor: float = 1e-6) -> Floats:
    """Return log-probabilities of letters in the form that ``letter_sums`` takes.

    ``probabilities`` has the shape (positions, letters of ``alphabet``).
    """
    logs = np.full((len(probabilities), ALPHABET), np.log(floor))
    columns = [min(ord(letter), ALPHABET - 1) for letter in alphabet]
    logs[:, columns] = np.log(np.maximum(probabilities, floor))
    return logs


_tables: dict[int, WordTable] = {}


def word_table(group: WordGroup) -> WordTable:
    """Return the table of a group, which is made once."""
    kept = _tables.get(id(group))
    if kept is None or kept.group is not group:
        if len(_tables) >= _MAX_TABLES:
            _tables.clear()
        kept = _tables[id(group)] = _build(group)
    return kept


def letter_codes(words: Sequence[str], length: int) -> NDArray[np.uint16]:
    """Return the letters of words of one length as numbers, of shape (words, letters)."""
    raw = np.frombuffer("".join(words).encode("utf-32-le"), np.uint32)
    small = np.minimum(raw, ALPHABET - 1).astype(np.uint16)
    return np.asfortranarray(small.reshape(len(words), length))


def _build(group: WordGroup) -> WordTable:
    codes = letter_codes(group.words, group.length)
    index = {word: at for at, word in enumerate(group.words)}
    shapes = np.zeros((len(codes), len(FORMS)), dtype=np.bool_)
    for at, form in enumerate(FORMS):
        if group.length >= MIN_LENGTHS[form]:
            shapes[:, at] = _ends(codes, form)
    for ending in NEVER_S if group.length > 1 else ():
        shapes[_ends(codes, ending), FORMS.index("s")] = False
    for word, bases in irregular_bases().items():
        place = index.get(word.upper())
        if place is not None:
            for _, form in bases:
                shapes[place, FORMS.index(form)] = True
    listed = np.array(group.scores, dtype=np.int64)
    marks = (listed << len(FORMS)) + shapes @ (1 << np.arange(len(FORMS)))
    found, kind_of = np.unique(marks, return_inverse=True)
    kinds = [
        (mark >> len(FORMS), frozenset(form for at, form in enumerate(FORMS) if mark >> at & 1))
        for mark in found.tolist()
    ]
    return WordTable(group, index, codes, np.clip(listed / 100, 0, 1), kinds, kind_of)


def _ends(codes: NDArray[np.uint16], ending: str) -> NDArray[np.bool_]:
    wanted = np.array([ord(letter) for letter in ending.upper()])
    return np.asarray((codes[:, -len(ending) :] == wanted).all(axis=1))
