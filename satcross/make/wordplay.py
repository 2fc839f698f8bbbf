"""What a setter of cryptic clues can make of an answer: anagrams, reversals, parts, hiding places.

All words come from a vocabulary, the best known first; nothing is asked of a dictionary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from satcross.vocabulary import Vocabulary

_MIN_SCORE = 50
"""Parts and hiding places are words that solvers know."""
_PART = range(2, 16)
_AROUND = range(3, 9)
"""Lengths of the two words between which an answer hides."""


@dataclass(frozen=True, slots=True)
class Wordplay:
    """A device of cryptic clues, and the words that it uses: ``CAR + PET``, ``osCAR PETal``."""

    device: str
    text: str


def wordplay(answer: str, vocabulary: Vocabulary, number: int = 5) -> list[Wordplay]:
    """List at most ``number`` examples of each device for an answer, a word of capital letters.

    The devices are those that every guide to cryptic crosswords has: an anagram, a reversal, a
    charade (one word after another), a container (one word in another), a hidden answer (in two
    words that follow each other; its own letters are capital).
    """
    devices = {
        "anagram": _anagrams,
        "reversal": _reversals,
        "charade": _charades,
        "container": _containers,
        "hidden": _hidden,
    }
    return [
        Wordplay(device, text)
        for device, find in devices.items()
        for text in islice(find(answer, vocabulary), number)
    ]


def _anagrams(answer: str, vocabulary: Vocabulary) -> Iterator[str]:
    letters = sorted(answer)
    words = vocabulary.group(len(answer)).words
    return (word for word in words if word != answer and sorted(word) == letters)


def _reversals(answer: str, vocabulary: Vocabulary) -> Iterator[str]:
    if answer[::-1] != answer and answer[::-1] in vocabulary:
        yield answer[::-1]


def _by_worst(answer: str, found: Iterable[tuple[str, str]], vocabulary: Vocabulary) -> list[str]:
    """Sort pairs of words by the lower of their scores; keep those of known words."""
    scored = [
        (min(map(vocabulary.score, pair)), pair)
        for pair in found
        if answer not in pair and all(len(word) in _PART and word in vocabulary for word in pair)
    ]
    known = [(score, pair) for score, pair in scored if score >= _MIN_SCORE]
    return [" ".join(pair) for _, pair in sorted(known, key=lambda entry: -entry[0])]


def _charades(answer: str, vocabulary: Vocabulary) -> Iterator[str]:
    pairs = ((answer[:cut], answer[cut:]) for cut in range(2, len(answer) - 1))
    return (text.replace(" ", " + ") for text in _by_worst(answer, pairs, vocabulary))


def _containers(answer: str, vocabulary: Vocabulary) -> Iterator[str]:
    size = len(answer)
    pairs = (
        (answer[start:end], answer[:start] + answer[end:])
        for start in range(1, size - 1)
        for end in range(start + 2, size)
    )
    return (text.replace(" ", " in ") for text in _by_worst(answer, pairs, vocabulary))


def _hidden(answer: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield for each cut the best known word that ends, and the best that begins, with a part."""
    groups = (vocabulary.group(length).best(_MIN_SCORE) for length in _AROUND)
    scored = chain.from_iterable(zip(each.scores, each.words, strict=True) for each in groups)
    known = sorted(scored, key=lambda pair: -pair[0])
    pairs = []
    for cut in range(1, len(answer)):
        head, tail = answer[:cut], answer[cut:]
        before = next((it for it in known if it[1].endswith(head) and it[1] != head), None)
        after = next((it for it in known if it[1].startswith(tail) and it[1] != tail), None)
        if before and after:
            first, second = before[1][:-cut].lower(), after[1][len(tail) :].lower()
            pairs.append((min(before[0], after[0]), f"{first}{head} {tail}{second}"))
    for _, text in sorted(pairs, key=lambda pair: -pair[0]):
        yield text
