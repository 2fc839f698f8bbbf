"""The words that entries of several words consist of, which a fill should not repeat."""

from __future__ import annotations

import re
from collections.abc import Iterable

from satcross.formats.words import letters_of
from satcross.solving.inflections import MIN_ROOT, roots
from satcross.vocabulary import Vocabulary

_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "ALL AND ANY ARE BUT CAN DID FOR FROM HAD HAS HER HIM HIS HOW INTO ITS MAY NOT OFF ONE OUR "
        "OUT OVER SHE THAT THE THEIR THEM THEY THIS TOO WAS WHO WITH YOU YOUR",
    )
)
"""Words that one does not notice twice in a grid."""


def repeated_words(written: Iterable[str], vocabulary: Vocabulary) -> frozenset[str]:
    """Return the words that are forms of a word of these phrases.

    With GIN AND TONIC these are GIN, GINS, TONIC and TONICS. Words of fewer than three letters and
    function words don't count; a phrase of one word has nothing to repeat but itself.
    """
    parts = {
        letters_of(part, fold=True)
        for phrase in written
        for part in re.split(r"[^\w'\N{RIGHT SINGLE QUOTATION MARK}]+", phrase)
    }
    parts = {part for part in parts if len(part) >= MIN_ROOT} - _FUNCTION_WORDS
    stems = {root for part in parts for root in roots(part, vocabulary.__contains__)}
    # Only an ending of a word differs from its root: the first two letters are the same.
    beginnings = {stem[:2] for stem in stems}
    return frozenset(
        word
        for length in vocabulary.lengths
        if length >= MIN_ROOT
        for word in vocabulary.group(length).words
        if word[:2] in beginnings and not stems.isdisjoint(roots(word, vocabulary.__contains__))
    )
