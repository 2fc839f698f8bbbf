"""Find words by pattern, regular expression, anagram, length and score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from satcross.formats.words import normalise
from satcross.vocabulary import Vocabulary, WordGroup

ANY, ANY_NUMBER, VOWEL, CONSONANT = "?", "*", "@", "#"
"""What stands for a letter, for any number of letters, for a vowel, for any other letter."""

_ONE = {ANY: ".", VOWEL: "[AEIOU]", CONSONANT: "[^AEIOU]"}
_MANY = ".*"
_CLASS = re.compile(r"\[(?P<negated>[!^]?)(?P<letters>(?:\w-\w|[^]\[\s-])+)\]")

Lengths = tuple[int, int | None]
"""The least and the greatest number of letters; None is no limit."""


@dataclass(frozen=True, slots=True)
class WordQuery:
    """What words must be like; a condition that is empty or None holds for every word.

    ``pattern`` is for the whole word: ``?`` is any letter, ``*`` any number of letters, ``@`` a
    vowel, ``#`` another letter, ``[AEI]`` and ``[A-M]`` one of these letters, ``[!AEI]`` one of the
    others. ``anagram`` are the letters of the word in any order, with ``?`` for any further letter
    and ``*`` for any number of them. ``regex`` is a regular expression of Python's that is found
    anywhere in the word.
    """

    pattern: str = ""
    anagram: str = ""
    regex: str = ""
    lengths: Lengths = (0, None)
    min_score: int | None = None

    def search(self, vocabulary: Vocabulary) -> list[tuple[str, int]]:
        """Return the words with their scores: highest score first, then alphabetically.

        Raises ValueError for a pattern, anagram or regular expression that is none.
        """
        conditions = list(self._conditions())
        tests = [one.test for one in conditions]
        limits = [self.lengths, *(one.lengths for one in conditions)]
        found = [
            (word, score)
            for length in vocabulary.lengths
            if all(low <= length and (high is None or length <= high) for low, high in limits)
            for word, score in _words(vocabulary.group(length), self.min_score)
            if all(test(word) for test in tests)
        ]
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def _conditions(self) -> Iterator[_Condition]:
        if self.pattern:
            yield _matches(self.pattern)
        if self.anagram:
            yield _is_anagram(self.anagram)
        if self.regex:
            try:
                yield _Condition(re.compile(self.regex, re.IGNORECASE).search)
            except (re.error, OverflowError, RecursionError) as error:
                raise ValueError(f"{self.regex!r} is no regular expression ({error})") from None


@dataclass(frozen=True, slots=True)
class _Condition:
    """A test of words, and the lengths of the words that can pass it."""

    test: Callable[[str], object]
    lengths: Lengths = (0, None)


def _words(group: WordGroup, min_score: int | None) -> Iterable[tuple[str, int]]:
    if min_score is not None:
        group = group.best(min_score)
    return zip(group.words, group.scores, strict=True)


def _matches(written: str) -> _Condition:
    pattern = normalise(written)
    parts, place = [], 0
    while place < len(pattern):
        letter = pattern[place]
        found = _CLASS.match(pattern, place)
        if found is not None:
            parts.append(f"[{'^' if found['negated'] else ''}{_escaped(found['letters'])}]")
            place = found.end()
            continue
        if letter in "[]" or letter.isspace():
            raise ValueError(f"{pattern!r} is no pattern")
        if letter == ANY_NUMBER:
            parts += [_MANY] if parts[-1:] != [_MANY] else []
        else:
            parts.append(_ONE.get(letter) or re.escape(letter))
        place += 1
    least = len(parts) - parts.count(_MANY)
    regex = re.compile("".join(parts), re.DOTALL)
    return _Condition(regex.fullmatch, (least, None if _MANY in parts else least))


def _escaped(letters: str) -> str:
    """The content of a class, of which only ranges such as A-M mean more than themselves."""
    parts = re.findall(r"(\w)-(\w)|(.)", letters)
    for first, last, _ in parts:
        if first > last:
            raise ValueError(f"the range {first}-{last} is empty")
    return "".join(f"{first}-{last}" if first else re.escape(one) for first, last, one in parts)


def _is_anagram(anagram: str) -> _Condition:
    tiles = normalise(anagram)
    letters = "".join(filter(str.isalnum, tiles))
    if not tiles or set(tiles) - {*letters, *" -'", ANY, ANY_NUMBER}:
        raise ValueError(f"{anagram!r} are no letters for an anagram")
    needed = tuple(Counter(letters).items())
    length = len(letters) + tiles.count(ANY)

    def test(word: str) -> bool:
        return all(word.count(letter) >= number for letter, number in needed)

    return _Condition(test, (length, None if ANY_NUMBER in tiles else length))
