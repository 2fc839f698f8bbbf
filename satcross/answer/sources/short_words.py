"""Source of abbreviations, codes, letters, cries and Roman numerals, which dictionaries lack.

The list (``resources/short-words.txt``) comes with satcross: each line has a word and words that
clues use for it. A clue matches a line by the words they share, weighted by their rarity.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import log

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.language.parse_clue import STOPWORDS, ParsedClue
from satcross.answer.sources.proposals import Proposals
from satcross.formats.resources import read_resource
from satcross.solving.inflections import possible_bases
from satcross.vocabulary import Vocabulary

NAME = "short-words"

_ROMAN = {"roman", "rome", "caesar", "nero", "sundial", "forum", "romans", "latin", "romulus"}
_SIGNS = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"]
_VALUES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
_UP_TO_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen twenty"
)
_ABOVE = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100, "thousand": 1000}
_NUMBERS = {word: number for number, word in enumerate(_UP_TO_TWENTY.split())} | _ABOVE
_PLACES = {
    "spanish": "spain mexican mexico madrid barcelona juan pedro",
    "french": "france paris nice cannes marseille pierre",
    "italian": "italy rome milan venice",
    "latin": "caesar ancient",
    "german": "germany berlin",
}
_LANGUAGES = {place: name for name, places in _PLACES.items() for place in places.split()}
"""Word of a clue that may call for a foreign answer -> the language."""


@dataclass(frozen=True, slots=True)
class _Line:
    word: str
    words: frozenset[str]


@cache
def _lines() -> tuple[_Line, ...]:
    text = read_resource("short-words.txt").decode()
    parts = (line.partition(";") for line in text.splitlines())
    return tuple(
        _Line(word, frozenset(map(_stem, about.split()))) for word, _, about in parts if about
    )


@cache
def _weights() -> Mapping[str, float]:
    """Return word -> inverse document frequency: log(number of lines / lines with the word)."""
    counts = Counter(word for line in _lines() for word in line.words)
    return {word: log(len(_lines()) / count) for word, count in counts.items()}


def _stem(word: str) -> str:
    """Return a stem that the singular and the plural of a word share."""
    plain = word.lower().strip(".,'\u2019").removesuffix("'s")
    found = [base for base, form in possible_bases(plain) if form == "s" and len(base) > 2]
    return min(found, key=len) if found else plain


def roman(number: int) -> str:
    """Return a number from 1 to 3,999 in Roman numerals.

    >>> roman(1904)
    'MCMIV'
    """
    text = ""
    for value, sign in zip(_VALUES, _SIGNS, strict=True):
        text += sign * (number // value)
        number %= value
    return text


class ShortWordsSource:
    """Proposes words of the list that share words with the clue, and Roman numerals."""

    name = NAME

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._by_word: defaultdict[str, list[_Line]] = defaultdict(list)
        for line in _lines():
            for word in line.words:
                self._by_word[word].append(line)

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        found = Proposals(NAME, clue, self._vocabulary, inflect=False)
        parsed = found.parsed
        wanted = {_stem(word) for word in parsed.words if word not in STOPWORDS}
        wanted |= {word for word in parsed.words if word in _weights()}
        wanted |= {_LANGUAGES[word] for word in parsed.words if word in _LANGUAGES}
        wanted.discard("")
        unknown = log(len(_lines()))
        total = sum(_weights().get(word, unknown) for word in sorted(wanted))
        lines = {id(line): line for word in wanted for line in self._by_word.get(word, ())}
        for line in lines.values():
            if len(line.word) != length:
                continue
            shared = sorted(wanted & line.words)
            share = sum(_weights()[word] for word in shared) / total
            note = "listed for " + ", ".join(shared)
            found.add(line.word, "short-words.share", share, note)
            if len(shared) > 1:
                found.add(line.word, "short-words.several", share, note)
        if _ROMAN & set(parsed.words):
            for number in _numbers(parsed):
                found.add(roman(number), "short-words.roman", 1.0, str(number))
        return found.scored()


def _numbers(parsed: ParsedClue) -> Iterable[int]:
    for word in parsed.text.replace(",", "").split():
        digits = word.strip("():;.")
        if digits.isdigit() and 0 < int(digits) < 4000:
            yield int(digits)
    for word in parsed.words:
        if _NUMBERS.get(word, 0) > 0:
            yield _NUMBERS[word]


def open_source(name: str, settings: SourceSettings) -> ShortWordsSource:
    return ShortWordsSource(settings.vocabulary)
