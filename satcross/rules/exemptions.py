"""Exemptions from rules for single words; only explanations use them, so they have no flags."""

from __future__ import annotations

from satcross.rules.rule import WORDS, WORDS_BY_SLOT, Key, Rule


class Exemptions(Rule):
    keys = (Key("own", "setter_words", WORDS), Key("also", "extra_words", WORDS_BY_SLOT))


RULE = Exemptions()
