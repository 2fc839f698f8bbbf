"""The vocabulary: the available words with their scores, and a bitset index of their letters."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, groupby, repeat
from os import PathLike

from satcross import engine
from satcross.errors import InputError
from satcross.support.arguments import check_each, check_texts
from satcross.support.hooks import call
from satcross.support.letters import pack, repacked, spellings
from satcross.support.wording import counted

DEFAULT_SCORE = 50

_MAX_SCANS = 100
"""Look-ups of words in a group that scan its text; later look-ups use a mapping."""

Masks = Mapping[str, int]
"""Letter -> bitset of the words that have it at one position."""


class WordGroup:
    """All words of one length, highest score first, then alphabetically.

    A set of these words is an int, a bitset: bit ``i`` stands for ``words[i]``.
    """

    def __init__(self, length: int, words: Iterable[str], scores: Iterable[int]) -> None:
        """Make a group of words, the best first."""
        self._begin(length)
        self.words, self.scores = tuple(words), tuple(scores)

    def _begin(self, length: int) -> None:
        self.length = length
        self._octets: memoryview | None = None
        self._masks: dict[int, Masks] = {}
        self._best: dict[int, WordGroup] = {}
        self._scans = 0
        self._taken: tuple[WordGroup, Sequence[int]] | None = None

    @classmethod
    def from_text(
        cls, length: int, text: str | memoryview, runs: Iterable[tuple[int, int]]
    ) -> WordGroup:
        """Make a group from its concatenated words and runs of (score, number of words).

        The text may be a part of a file in ASCII. It is decoded and split into words on first use.
        Nothing is checked or sorted.
        """
        group = cls.__new__(cls)
        group._begin(length)
        group.runs = tuple(runs)
        if isinstance(text, str):
            group.text = text
        else:
            group._octets = text
        return group

    def part(self, bitset: int) -> WordGroup:
        """Return a group of the words of a bitset."""
        indices: Sequence[int]
        if engine.available():
            from satcross.engine.words import chosen_words

            text, indices = chosen_words(self.text, self.length, bitset)
        else:
            indices = [index for index, bit in enumerate(bin(bitset)[:1:-1]) if bit == "1"]
            text = "".join(map(self.words.__getitem__, indices))
        runs, start = [], 0
        for score, size in self.runs:
            number = (bitset >> start & ((1 << size) - 1)).bit_count()
            runs += [(score, number)] if number else []
            start += size
        chosen = WordGroup.from_text(self.length, text, runs)
        origin, known = self.origin
        chosen._taken = origin, indices if known is None else [known[k] for k in indices]
        return chosen

    @property
    def origin(self) -> tuple[WordGroup, Sequence[int] | None]:
        """The group of which this is a part, and the indices there; None for the whole."""
        return self._taken or (self, None)

    def values_of(self, values: array[float]) -> array[float]:
        """Return the numbers of this group's words, given those of its origin's words."""
        indices = self.origin[1]
        if indices is None:
            return values
        if isinstance(indices, array):
            from satcross.engine.words import chosen_values

            return chosen_values(values, indices)
        return array("d", map(values.__getitem__, indices))

    def bits_of(self, bitset: int) -> int:
        """Return the bitset of those words of this group that a bitset of its origin has."""
        whole, indices = self.origin
        if indices is None:
            return bitset
        if isinstance(indices, array):
            from satcross.engine.words import chosen_bits

            return chosen_bits(bitset, len(whole), indices)
        return sum(1 << place for place, index in enumerate(indices) if bitset >> index & 1)

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """The scores, in the order of ``words``."""
        return tuple(chain.from_iterable(repeat(score, n) for score, n in self.runs))

    @cached_property
    def runs(self) -> tuple[tuple[int, int], ...]:
        """Runs of words with equal score: (score, number of words)."""
        return tuple((score, len(tuple(same))) for score, same in groupby(self.scores))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words, highest score first, then alphabetically."""
        text, length = self.text, self.length
        return tuple([text[start : start + length] for start in range(0, len(text), length)])

    def word(self, index: int) -> str:
        """Return the word of bit ``index`` without splitting the whole text."""
        if "words" in self.__dict__:
            return self.words[index]
        return self.text[index * self.length : (index + 1) * self.length]

    @cached_property
    def text(self) -> str:
        """The concatenated words."""
        octets = self._octets
        return "".join(self.words) if octets is None else str(octets, "ascii")

    @cached_property
    def _ends(self) -> list[int]:
        return [*accumulate(size for _, size in self.runs)]

    def __len__(self) -> int:
        return self._ends[-1] if self.runs else 0

    def best(self, score: int) -> WordGroup:
        """Return the group of the words with at least that score; cached."""
        size = self._size_of(score)
        if size == len(self):
            return self
        if size not in self._best:
            runs = [run for run in self.runs if run[0] >= score]
            text = self.text[: size * self.length]
            self._best[size] = WordGroup.from_text(self.length, text, runs)
        return self._best[size]

    def _size_of(self, score: int) -> int:
        """Return the number of words with at least that score."""
        return sum(size for run, size in self.runs if run >= score)

    def score(self, word: str) -> int | None:
        """Return the word's score; None if it is not in the group."""
        index = self._index(word)
        if index is None:
            return None
        return self.runs[bisect_right(self._ends, index)][0]

    def __contains__(self, word: str) -> bool:
        return self._index(word) is not None

    @cached_property
    def score_of(self) -> Mapping[str, int]:
        """The mapping of words to scores; made on first use."""
        return dict(zip(self.words, self.scores, strict=True))

    def bit_of(self, word: str) -> int:
        """Return the bitset of this word alone; 0 if it is not in the group."""
        index = self._index(word)
        return 0 if index is None else 1 << index

    def _index(self, word: str) -> int | None:
        if len(word) != self.length:
            return None
        self._scans += 1
        if self._scans > _MAX_SCANS:
            return self._indices.get(word)
        # Scanning the text for a few words is faster than making a mapping of all words.
        start = self.text.find(word)
        while start % self.length and start >= 0:
            start = self.text.find(word, start + 1)
        return None if start < 0 else start // self.length

    @cached_property
    def _indices(self) -> Mapping[str, int]:
        return {word: index for index, word in enumerate(self.words)}

    @property
    def everything(self) -> int:
        """The bitset of all words."""
        return (1 << len(self)) - 1

    def at_least(self, score: int) -> int:
        """Return the bitset of the words with at least that score."""
        return (1 << self._size_of(score)) - 1

    def masks(self, position: int) -> Masks:
        """Map each letter to the bitset of the words with it at ``position`` (0-based); cached."""
        if position not in self._masks:
            self._masks[position] = _letter_masks(self, position)
        return self._masks[position]

    def later_masks(self, position: int, letters: Collection[str]) -> Masks:
        """Return ``masks`` that are made when they are looked at: compiled code makes its own.

        ``letters`` are all that words have at the position, and perhaps others.
        """
        return _LaterMasks(self, position, letters) if engine.available() else self.masks(position)


class Vocabulary:
    """An immutable collection of words with scores; supports iteration, ``in`` and ``len``.

    Words are used as they are, with one character a letter (``support.letters``): readers
    normalise them (``formats.entries``). Words given without scores have ``DEFAULT_SCORE``.
    Iteration is by length, then by score, highest first, then alphabetical.

    Vocabularies with the same words and scores are equal. One that is a list that comes with
    satcross (``known_as``) is pickled as the list's name and a digest, any other as its words.
    Raises TypeError for words that are no texts and for scores that are no whole numbers.
    """

    __slots__ = ("_groups", "known_as")

    def __init__(self, words: Mapping[str, int] | Iterable[str]) -> None:
        check_texts(words, "the words")
        given = words if isinstance(words, Mapping) else dict.fromkeys(words, DEFAULT_SCORE)
        check_texts(given, "the words")
        check_each(given.values(), int, "the scores", "whole numbers")
        if not "".join(given).isascii():
            given = {pack(word): score for word, score in given.items()}
        self._groups = _groups(given, given.values())
        self.known_as: tuple[str, ...] = ()

    @classmethod
    def from_scores(cls, words: Iterable[str], scores: Iterable[int]) -> Vocabulary:
        """Make a vocabulary of different words and their scores; nothing is checked."""
        made = cls(())
        made._groups = _groups(words, scores)
        return made

    @classmethod
    def from_runs(
        cls, runs: Iterable[tuple[int, str | memoryview, Iterable[tuple[int, int]]]]
    ) -> Vocabulary:
        """Make a vocabulary from the result of ``runs``; nothing is checked or sorted.

        The words of a length may be a part of a file, as for ``WordGroup.from_text``.
        """
        made = cls(())
        made._groups = {
            length: WordGroup.from_text(length, text, scores) for length, text, scores in runs
        }
        return made

    @classmethod
    def read(cls, *paths: str | PathLike[str]) -> Vocabulary:
        """Read word lists into one vocabulary; without a path, the default list.

        Lines that can't be used are skipped. Raises InputError for a file that can't be read or
        has no word.
        """
        vocabulary: Vocabulary = call("read_words", *paths)
        return vocabulary

    def changed(self, scores: Mapping[str, int | None]) -> Vocabulary:
        """Return a vocabulary with other scores for some words; None removes a word.

        Words that are not in the vocabulary are added. Only the runs of words that the changes
        concern are split and sorted.
        """
        by_length: defaultdict[int, dict[str, int | None]] = defaultdict(dict)
        for word, score in scores.items():
            by_length[len(word)][word] = score
        groups = dict(self._groups)
        for length, changes in by_length.items():
            runs = _changed_runs(self.group(length), changes)
            groups[length] = WordGroup.from_text(length, *runs)
        made = Vocabulary(())
        made._groups = {length: group for length, group in sorted(groups.items()) if len(group)}
        return made

    def runs(self) -> list[tuple[int, str, list[tuple[int, int]]]]:
        """Return (length, concatenated words, [(score, number of words)]) for each length."""
        return [(length, group.text, list(group.runs)) for length, group in self._groups.items()]

    def groups(self) -> list[tuple[int, tuple[str, ...], tuple[int, ...]]]:
        """Return (length, words, scores) for each length."""
        return [(length, group.words, group.scores) for length, group in self._groups.items()]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self is other or sorted(self.runs()) == sorted(other.runs())

    def __hash__(self) -> int:
        return hash(frozenset(self.lengths.items()))

    def __reduce__(self) -> tuple[object, ...]:
        if self.known_as:
            return _known_list, (self.known_as, self._digest())
        import zlib

        runs = [(n, zlib.compress(text.encode()), sizes) for n, text, sizes in self.runs()]
        return _unpacked, (runs, spellings())

    def _digest(self) -> str:
        import hashlib

        return hashlib.sha256(repr(sorted(self.runs())).encode()).hexdigest()

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str) or len(word) not in self._groups:
            return False
        return word in self._groups[len(word)]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(group.words for group in self._groups.values())

    def __len__(self) -> int:
        return sum(self.lengths.values())

    def __repr__(self) -> str:
        return f"<Vocabulary of {counted(len(self), 'word')}>"

    @property
    def lengths(self) -> dict[int, int]:
        """The number of words of each length."""
        return {length: len(group) for length, group in self._groups.items()}

    def score(self, word: str) -> int:
        """Return the word's score; ``DEFAULT_SCORE`` for a word not in the vocabulary."""
        score = self.group(len(word)).score(word)
        return DEFAULT_SCORE if score is None else score

    def is_scored(self, lengths: Iterable[int]) -> bool:
        """Whether the words of these lengths have different scores."""
        return len({score for length in lengths for score, _ in self.group(length).runs}) > 1

    def group(self, length: int) -> WordGroup:
        """Return the words of that length; an empty group if there are none."""
        found = self._groups.get(length)
        return WordGroup(length, (), ()) if found is None else found


def _known_list(known_as: tuple[str, ...], digest: str) -> Vocabulary:
    vocabulary: Vocabulary = call("known_list", known_as)
    if vocabulary._digest() != digest:
        raise InputError(
            "what was pickled has the default list of another version of satcross",
            "make it again, with this version",
        )
    return vocabulary


def _unpacked(
    packed_runs: Iterable[tuple[int, bytes, list[tuple[int, int]]]], packed: Mapping[int, str]
) -> Vocabulary:
    import zlib

    runs = [(n, zlib.decompress(text).decode(), sizes) for n, text, sizes in packed_runs]
    found = Vocabulary.from_runs(runs)
    if not packed:
        return found
    pairs = [
        pair for _, words, scores in found.groups() for pair in zip(words, scores, strict=True)
    ]
    return Vocabulary(repacked(dict(pairs), packed))


def _groups(words: Iterable[str], scores: Iterable[int]) -> dict[int, WordGroup]:
    """Return the words of each length, highest score first, then alphabetically."""
    runs: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for word, score in zip(words, scores, strict=True):
        runs[len(word), -score].append(word)
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    scores_of: defaultdict[int, list[int]] = defaultdict(list)
    for (length, negated), same in sorted(runs.items()):
        by_length[length] += sorted(same)
        scores_of[length] += [-negated] * len(same)
    return {
        length: WordGroup(length, found, scores_of[length]) for length, found in by_length.items()
    }


def _changed_runs(
    group: WordGroup, changes: Mapping[str, int | None]
) -> tuple[str, list[tuple[int, int]]]:
    """Return the text and the runs of a group after changes of scores; None removes a word."""
    texts: dict[int, str] = {}
    start = 0
    for score, size in group.runs:
        end = start + size * group.length
        texts[score] = group.text[start:end]
        start = end
    leaving: defaultdict[int, set[str]] = defaultdict(set)
    coming: defaultdict[int, set[str]] = defaultdict(set)
    for word, new in changes.items():
        old = group.score(word)
        if old is not None:
            leaving[old].add(word)
        if new is not None:
            coming[new].add(word)
    for score in {*leaving, *coming}:
        old_run = WordGroup.from_text(group.length, texts.get(score, ""), ())
        words = {*old_run.words} - leaving[score] | coming[score]
        texts[score] = "".join(sorted(words))
    scores = sorted((score for score, text in texts.items() if text), reverse=True)
    return "".join(texts[score] for score in scores), [
        (score, len(texts[score]) // group.length) for score in scores
    ]


class _LaterMasks(Mapping[str, int]):
    """The result of ``WordGroup.later_masks``."""

    __slots__ = ("_group", "_letters", "_position")

    def __init__(self, group: WordGroup, position: int, letters: Collection[str]) -> None:
        self._group, self._position, self._letters = group, position, letters

    def __getitem__(self, letter: str) -> int:
        return self._group.masks(self._position).get(letter, 0)

    def __iter__(self) -> Iterator[str]:
        return iter(self._letters)

    def __len__(self) -> int:
        return len(self._letters)


def _letter_masks(group: WordGroup, position: int) -> Masks:
    if len(group) > _FEW_WORDS and engine.available():
        from satcross.engine.words import letter_masks

        masks: Masks | None = letter_masks(group.text, group.length, position)
        if masks is not None:
            return masks
    column = group.text[position :: group.length]
    letters = sorted(set(column))
    if len(letters) > _MANY_LETTERS:
        size = (len(column) + 7) // 8
        sets = {letter: bytearray(size) for letter in letters}
        for index, letter in enumerate(column):
            sets[letter][index >> 3] |= 1 << (index & 7)
        return {letter: int.from_bytes(words, "little") for letter, words in sets.items()}
    # A bitset is parsed from a text in base two, which is linear in C.
    backwards, zeros = column[::-1], dict.fromkeys(map(ord, letters), "0")
    return {letter: int(backwards.translate({**zeros, ord(letter): "1"}), 2) for letter in letters}


_FEW_WORDS = 200
"""Words up to which it is not worth loading compiled code."""

_MANY_LETTERS = 100
"""Letters above which, as in Chinese, a text for each takes longer than one look at each word."""
