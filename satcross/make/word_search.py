"""Find words by pattern, regular expression, anagram, length and score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from satcross.formats.entries import language_of, normalise
from satcross.formats.languages import sort_key
from satcross.support.alarms import cpu_alarm
from satcross.vocabulary import Vocabulary, WordGroup

ANY, ANY_NUMBER, VOWEL, CONSONANT = "?", "*", "@", "#"
"""What stands for a letter, for any number of letters, for a vowel, for any other letter."""

_ONE = {ANY: ".", VOWEL: "[AEIOU]", CONSONANT: "[^AEIOU]"}
_PART = re.compile(r"\[(?P<negated>[!^]?)(?P<letters>(?:\w-\w|[^]\[\s-])+)\]|(?P<one>[^]\[\s])")
"""A class of letters, or another sign of a pattern."""

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
    time_limit: float | None = None

    def search(self, vocabulary: Vocabulary) -> list[tuple[str, int]]:
        """Return the words with their scores: highest score first, then alphabetically.

        Raises ValueError for a pattern, anagram or regular expression that is none, and
        TimeoutError after ``time_limit`` seconds of CPU time.
        """
        with cpu_alarm(self.time_limit):
            return self._search(vocabulary)

    def _search(self, vocabulary: Vocabulary) -> list[tuple[str, int]]:
        conditions = list(self._conditions(language_of(vocabulary)))
        tests = [condition.test for condition in conditions]
        limits = [self.lengths, *(condition.lengths for condition in conditions)]
        found = [
            (word, score)
            for length in vocabulary.lengths
            if all(low <= length and (high is None or length <= high) for low, high in limits)
            for word, score in _words(vocabulary.group(length), self.min_score)
            if all(test(word) for test in tests)
        ]
        return sorted(found, key=lambda pair: (-pair[1], sort_key(pair[0])))

    def _conditions(self, language: str) -> Iterator[_Condition]:
        if self.pattern:
            yield _matches(normalise(self.pattern, language))
        if self.anagram:
            yield _is_anagram(normalise(self.anagram, language))
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


def _matches(pattern: str) -> _Condition:
    """Return the condition of a pattern.

    Its parts between the stars are looked for one after the other, each as far left as it goes:
    unlike with repetitions that can be tried anew, this takes linear time.
    """
    if not re.fullmatch(f"(?:{_PART.pattern})*", pattern):
        raise ValueError(f"{pattern!r} is no pattern")
    parts: list[list[str]] = [[]]
    for found in _PART.finditer(pattern):
        if found["letters"]:
            parts[-1].append(f"[{'^' if found['negated'] else ''}{_escaped(found['letters'])}]")
        elif found["one"] == ANY_NUMBER:
            parts.append([])
        else:
            parts[-1].append(_ONE.get(found["one"]) or re.escape(found["one"]))
    first, *middle = map("".join, parts)
    last = f".*{middle.pop()}" if middle else ""
    regex = first + "".join(f"(?>.*?{part})" for part in middle) + last
    length = sum(map(len, parts))
    return _Condition(
        re.compile(regex, re.DOTALL).fullmatch, (length, None if len(parts) > 1 else length)
    )


def _escaped(letters: str) -> str:
    """The content of a class, of which only ranges such as A-M mean more than themselves."""
    parts = re.findall(r"(\w)-(\w)|(.)", letters)
    for first, last, _ in parts:
        if first > last:
            raise ValueError(f"the range {first}-{last} is empty")
    return "".join(f"{first}-{last}" if first else re.escape(part) for first, last, part in parts)


def _is_anagram(tiles: str) -> _Condition:
    letters = "".join(filter(str.isalnum, tiles))
    if not tiles or set(tiles) - {*letters, *" -'", ANY, ANY_NUMBER}:
        raise ValueError(f"{tiles!r} are no letters for an anagram")
    needed = tuple(Counter(letters).items())
    length = len(letters) + tiles.count(ANY)

    def test(word: str) -> bool:
        return all(word.count(letter) >= number for letter, number in needed)

    return _Condition(test, (length, None if ANY_NUMBER in tiles else length))
