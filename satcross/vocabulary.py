"""The vocabulary: the words one may use, each with a score, and their bitset index."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import lt, neg
from os import PathLike

from satcross.lazy_exports import resolve

DEFAULT_SCORE = 50

Masks = dict[str, int]
"""Letter -> bitset of the words that have it at one position."""


@dataclass(frozen=True, slots=True)
class Column:
    """The letters of all words of a group at one position, a byte a word."""

    letters: bytes
    alphabet: str
    """The letters that occur, in order."""
    is_ascii: bool

    def code(self, letter: str) -> int:
        """The byte that stands for a letter of the alphabet."""
        return ord(letter) if self.is_ascii else self.alphabet.index(letter)


class WordGroup:
    """All words of one length, best score first, then alphabetical.

    A set of them is an int: bit ``i`` stands for ``words[i]``.
    """

    __slots__ = ("_masks", "_places", "_score_of", "_text", "length", "scores", "words")

    def __init__(self, length: int, words: Iterable[str], scores: Iterable[int]) -> None:
        self.length = length
        self.words = tuple(words)
        self.scores = tuple(scores)
        self._masks: dict[int, Masks] = {}
        self._text: str | None = None
        self._score_of: dict[str, int] | None = None
        self._places: dict[str, int] | None = None

    @property
    def score_of(self) -> Mapping[str, int]:
        """Word -> score; made on first use."""
        if self._score_of is None:
            self._score_of = dict(zip(self.words, self.scores, strict=True))
        return self._score_of

    def bit_of(self, word: str) -> int:
        """The bitset of this word alone; of no word, if it is not among them."""
        if self._places is None:
            self._places = {word: place for place, word in enumerate(self.words)}
        place = self._places.get(word)
        return 0 if place is None else 1 << place

    @property
    def everything(self) -> int:
        """The bitset of all words."""
        return (1 << len(self.words)) - 1

    def at_least(self, score: int) -> int:
        """The bitset of the words with at least that score."""
        return (1 << bisect_right(self.scores, -score, key=neg)) - 1

    def masks(self, position: int) -> Masks:
        """Letter -> bitset of the words with that letter at ``position`` (0-based); cached."""
        if position not in self._masks:
            self._masks[position] = _letter_masks(self, position)
        return self._masks[position]

    def column(self, position: int) -> Column | None:
        """The words' letters at ``position``; None when more than 255 different ones occur."""
        if self._text is None:
            self._text = "".join(self.words)
        letters = self._text[position :: self.length]
        alphabet = "".join(sorted(set(letters)))
        if letters.isascii():
            return Column(letters.encode("ascii"), alphabet, True)
        if len(alphabet) > 255:
            return None
        table = {ord(letter): code for code, letter in enumerate(alphabet)}
        return Column(letters.translate(table).encode("latin-1"), alphabet, False)


class Vocabulary:
    """Words with scores, immutable. Iterating gives the words, ``in`` and ``len`` work.

    The words are used as they are: readers normalise them (``satcross.formats.words``). Given
    without scores, every word has ``DEFAULT_SCORE``. They come by length, best score first, then
    alphabetically.
    """

    __slots__ = ("_groups",)

    def __init__(self, words: Mapping[str, int] | Iterable[str]) -> None:
        given = words if isinstance(words, Mapping) else dict.fromkeys(words, DEFAULT_SCORE)
        by_length: defaultdict[int, list[str]] = defaultdict(list)
        scores: defaultdict[int, list[int]] = defaultdict(list)
        for word, score in given.items():
            length = len(word)
            by_length[length].append(word)
            scores[length].append(score)
        self._groups = {
            length: _sorted_group(length, by_length[length], scores[length])
            for length in sorted(by_length)
        }

    @classmethod
    def from_groups(cls, groups: Iterable[tuple[int, Sequence[str], Sequence[int]]]) -> Vocabulary:
        """A vocabulary from what ``groups`` gave; nothing is checked or sorted."""
        made = cls(())
        made._groups = {
            length: WordGroup(length, words, scores) for length, words, scores in groups
        }
        return made

    @classmethod
    def read(cls, *paths: str | PathLike[str]) -> Vocabulary:
        """Read word lists into one vocabulary; without a path, the default list.

        Lines that can't be used are passed over. Raises InputError for files that can't be read or
        hold no word at all.
        """
        vocabulary: Vocabulary = resolve("satcross.formats.read_words:read_words")(*paths)
        return vocabulary

    def groups(self) -> list[tuple[int, tuple[str, ...], tuple[int, ...]]]:
        """(length, words, scores) of every length, as plain values."""
        return [(length, group.words, group.scores) for length, group in self._groups.items()]

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str) or len(word) not in self._groups:
            return False
        return word in self._groups[len(word)].score_of

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(group.words for group in self._groups.values())

    def __len__(self) -> int:
        return sum(self.lengths.values())

    def __repr__(self) -> str:
        return f"<Vocabulary of {len(self)} words>"

    @property
    def lengths(self) -> dict[int, int]:
        """Length -> number of words of that length."""
        return {length: len(group.words) for length, group in self._groups.items()}

    def score(self, word: str) -> int:
        """The word's score; ``DEFAULT_SCORE`` for a word that is not in the vocabulary."""
        return self.group(len(word)).score_of.get(word, DEFAULT_SCORE)

    def group(self, length: int) -> WordGroup:
        """The words of that length (perhaps none)."""
        return self._groups.get(length) or WordGroup(length, (), ())


def _sorted_group(length: int, words: list[str], scores: list[int]) -> WordGroup:
    if any(map(lt, scores, scores[1:])):
        score_of = dict(zip(words, scores, strict=True))
        words.sort(key=score_of.__getitem__, reverse=True)
        scores.sort(reverse=True)
    # Runs of equal score, each put in alphabetical order: at once where it is already.
    start = 0
    while start < len(words):
        end = bisect_right(scores, -scores[start], key=neg)
        words[start:end] = sorted(words[start:end])
        start = end
    return WordGroup(length, words, scores)


def _letter_masks(group: WordGroup, position: int) -> Masks:
    # Bitsets are written as text in base two, which C parses in linear time: measured on 196,000
    # words this takes 0.12 s for all lengths and positions, without the 0.18 s of importing numpy.
    column = group.column(position)
    if column is None:
        return _letter_masks_of_many(group.words, position)
    backwards = column.letters[::-1]
    flags = bytearray(b"0" * 256)
    masks = {}
    for letter in column.alphabet:
        code = column.code(letter)
        flags[code] = ord("1")
        masks[letter] = int(backwards.translate(flags), 2)
        flags[code] = ord("0")
    return masks


def _letter_masks_of_many(words: tuple[str, ...], position: int) -> Masks:
    size = (len(words) + 7) // 8
    sets: defaultdict[str, bytearray] = defaultdict(lambda: bytearray(size))
    for index, word in enumerate(words):
        sets[word[position]][index >> 3] |= 1 << (index & 7)
    return {letter: int.from_bytes(bits, "little") for letter, bits in sorted(sets.items())}
