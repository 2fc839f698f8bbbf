"""Which entries repeat a word: AREA MAP and AREAS do, AREA MAP and STREETS do not.

Two entries repeat a word if a form of it, or a word derived from it, is a word of both as they are
written: EYE and EYE FOR AN EYE, EATEN and EAT UP, RATED and OVERRATED, ICECAP and ICE.
Little words (AT, THE, ON) don't count beside others of a phrase. This is the only notion of it:
``solve``, ``--best``, ``grid``, ``check --quality`` and the page use this module.

How entries are written is part of the default list (``english-parts.txt``): from its sources,
or the likeliest split by the frequencies of words (``data/segment.py``). An entry that it does not
have is one word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Set

from satcross.formats.entries import letters_of
from satcross.formats.written import default_split, default_splits
from satcross.solving.inflections import MIN_ROOT, IsWord, may_begin, related, roots
from satcross.vocabulary import Vocabulary

_LITTLE_WORDS = frozenset(
    re.findall(
        r"\w+",
        "ABOUT ALL AND ANY ARE AWAY BACK BUT COULD DID DOES DONT DOWN FOR FROM HAD HAS HAVE HER "
        "HIM HIS HOW INTO ITS JUST MAY NOT NOW OFF ONTO OUR OUT SHE SOME THAT THATS THE THEIR THEM "
        "THEN THERE THESE THEY THIS THOSE TOO UPON WAS WERE WHAT WHEN WHERE WHO WILL WITH WONT "
        "WOULD YOU YOUR",
    )
)
"""Words that one does not notice twice in a grid."""


def words_of(entry: str) -> tuple[str, ...]:
    """Return the words that an entry of the default list consists of; itself if it is one."""
    split = default_split(entry)
    return (entry,) if split is None else tuple(split.split())


def repeated(entry: str, is_word: IsWord) -> frozenset[str]:
    """Return what no two entries should have in common: the roots of the entry's words."""
    return _roots(words_of(entry), is_word)


def _roots(words: Iterable[str], is_word: IsWord) -> frozenset[str]:
    words = list(words)
    if len(words) > 1:
        words = [word for word in words if len(word) >= MIN_ROOT]
        words = [word for word in words if word not in _LITTLE_WORDS] or words
    return frozenset(root for word in words for root in roots(word, is_word))


def entries_that_repeat(written: Collection[str], vocabulary: Vocabulary) -> frozenset[str]:
    """Return the entries of a vocabulary that repeat a word of these phrases.

    With GIN AND TONIC these are GIN, GINS, TONIC, TONICS, GIN RUMMY ...
    """
    if not written:
        return frozenset()
    is_word = vocabulary.__contains__
    stems: set[str] = set()
    for phrase in written:
        parts = re.split(r"[^\w'\N{RIGHT SINGLE QUOTATION MARK}]+", phrase)
        words = [letters_of(part, fold=True) for part in parts if part]
        stems |= _roots((part for word in words for part in words_of(word)), is_word)
    family = stems
    while not family.issuperset(more := _descendants(family)):
        family |= more
    beginnings = "|".join(sorted(set(map(may_begin, family)))) or "$"
    likely = re.findall(rf"^.*\b(?:{beginnings}).*$", default_splits(), re.MULTILINE)
    words_alone = re.findall(rf"^(?:{beginnings}).*$", "\n".join(vocabulary), re.MULTILINE)
    candidates = {*words_alone, *(split.replace(" ", "") for split in likely)}
    return frozenset(
        entry
        for entry in candidates
        if entry in vocabulary and not stems.isdisjoint(repeated(entry, is_word))
    )


def _descendants(words: Set[str]) -> set[str]:
    """Return the compounds of the words, and what is derived from them."""
    return {word for word, parts in related().items() if not words.isdisjoint(parts.split())}
