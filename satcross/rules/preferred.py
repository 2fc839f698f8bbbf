"""Preferred words: they are tried first and count more in totals; they exclude no fill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from satcross.rules.rule import WORDS, Flag, FlagReader, Key, Rule


class Preferred(Rule):
    keys = (Key("preferred", "preferred", WORDS),)
    flags = (
        Flag(
            "--prefer",
            "prefer",
            "FILE",
            "Words to try first, where the lists have them; with --quality any, even before good "
            "words. Repeatable.",
            multiple=True,
            names_files=True,
        ),
    )

    def parse_flags(self, given: Mapping[str, Any], reader: FlagReader) -> dict[str, Any]:
        words = reader.read_words(given["prefer"]) if given["prefer"] else []
        unknown = sorted(word for word in words if word not in reader.vocabulary)
        if unknown:
            single = len(unknown) == 1
            some = f"{unknown[0]} is" if single else f"{len(unknown)} of these words are"
            why = "no list has it" if single else "no list has them"
            reader.note(f"{some} not used: {why}, or your edits say never", "--prefer")
        return {"preferred": words}


RULE = Preferred()
