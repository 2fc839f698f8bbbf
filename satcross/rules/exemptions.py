"""Words that rules make exceptions for; only data say them, and explanations need them."""

from __future__ import annotations

from satcross.rules.rule import WORDS, WORDS_BY_SLOT, Key, Rule


class Exemptions(Rule):
    keys = (
        Key("own", "setter_words", WORDS),
        Key("also", "extra_words", WORDS_BY_SLOT),
    )
