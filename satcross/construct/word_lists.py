"""Looking into word lists: what is in them, what is in them twice, what fits, what is weak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from satcross.formats.files import Text
from satcross.formats.words import normalise, parse_words
from satcross.vocabulary import Vocabulary

ANY = "?"
MOST_BARS = 20


@dataclass(frozen=True, slots=True)
class Repeat:
    """A word that a file has several times: where, and with which scores, as they are written."""

    file: str
    word: str
    lines: tuple[int, ...]
    scores: tuple[str, ...]


def repeats(sources: Iterable[Text]) -> list[Repeat]:
    """The words that stand in a file more than once."""
    found = []
    for source in sources:
        places: dict[str, list[tuple[int, str]]] = {}
        for number, line in enumerate(source.text.splitlines(), 1):
            word, _, score = line.partition(";")
            if word.strip():
                places.setdefault(normalise(word), []).append((number, score.strip()))
        for word, there in places.items():
            if len(there) > 1:
                lines, scores = zip(*there, strict=True)
                found.append(Repeat(source.name, word, lines, scores))
    return found


@dataclass(frozen=True, slots=True)
class Bar:
    """How many words score from ``low`` to ``high``."""

    low: int
    high: int
    words: int


def score_bars(scores: Iterable[int]) -> list[Bar]:
    """A histogram of at most MOST_BARS bars of equal, round width (1, 2 or 5 times 10, 100 ...)."""
    counted = Counter(scores)
    if not counted:
        return []
    low, high = min(counted), max(counted)
    step = next(
        factor * 10**power
        for power in range(8)
        for factor in (1, 2, 5)
        if high // (factor * 10**power) - low // (factor * 10**power) < MOST_BARS
    )
    bars: Counter[int] = Counter()
    for score, words in counted.items():
        bars[score // step] += words
    return [
        Bar(number * step, number * step + step - 1, bars[number])
        for number in range(low // step, high // step + 1)
    ]


@dataclass(frozen=True, slots=True)
class Length:
    """The words of one length: how many, their scores, and how often each letter is where.

    ``letters`` has a mapping a place, most frequent letter first.
    """

    length: int
    words: int
    lowest: int
    mean: float
    highest: int
    letters: tuple[Mapping[str, int], ...]


def lengths_of(vocabulary: Vocabulary) -> list[Length]:
    """What there is of each length."""
    return [
        Length(
            length,
            len(words),
            min(scores),
            sum(scores) / len(scores),
            max(scores),
            tuple(dict(Counter(place).most_common()) for place in zip(*words, strict=True)),
        )
        for length, words, scores in vocabulary.groups()
    ]


def matching(vocabulary: Vocabulary, pattern: str) -> Iterator[tuple[str, int]]:
    """The words like ``?A?E``, best first, with their scores; ``?`` is any letter."""
    pattern = normalise(pattern)
    group = vocabulary.group(len(pattern))
    fixed = [(place, letter) for place, letter in enumerate(pattern) if letter != ANY]
    for word, score in zip(group.words, group.scores, strict=True):
        if all(word[place] == letter for place, letter in fixed):
            yield word, score


class Priority(StrEnum):
    """Whose score a word gets when several lists have it."""

    FIRST = "first"
    MAX = "max"


def merge(sources: Sequence[Text], priority: Priority) -> Vocabulary:
    """One vocabulary of several lists. Raises InputError as ``parse_words`` does."""
    merged: dict[str, int] = {}
    for source in sources:
        for _, words, scores in parse_words([source]).vocabulary.groups():
            for word, score in zip(words, scores, strict=True):
                if priority is Priority.MAX:
                    merged[word] = max(score, merged.get(word, score))
                else:
                    merged.setdefault(word, score)
    return Vocabulary(merged)


@dataclass(frozen=True, slots=True)
class Used:
    """A word of a fill, with its score; None when no list has it."""

    word: str
    score: int | None


def weakest_first(rows: Sequence[str], vocabulary: Vocabulary) -> list[Used]:
    """The words of a filled grid, those in no list first, then from the lowest score up.

    ``rows`` are as ``formats.fills`` gives them; words with a letter missing are left out.
    """
    lines = [*rows, *map("".join, zip(*rows, strict=True))]
    words = {
        run
        for line in lines
        for run in line.split("#")
        if len(run) > 1 and not any(map(str.isspace, run))
    }
    used = [Used(word, vocabulary.score(word) if word in vocabulary else None) for word in words]
    return sorted(used, key=lambda one: (one.score is not None, one.score or 0, one.word))
