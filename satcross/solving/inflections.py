"""Which words are forms of the same word, and which are plain plurals, by their endings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

IsWord = Callable[[str], bool]

MIN_ROOT = 3
"""Shortest root: AS is no plural, and BED no form of a shorter word."""

# Ending -> what may stand in its place in the root.
_ENDINGS = (
    ("S", ("",)),
    ("ES", ("",)),
    ("IES", ("Y",)),
    ("ED", ("", "E")),
    ("IED", ("Y",)),
    ("ING", ("", "E")),
    ("ER", ("", "E")),
    ("IER", ("Y",)),
    ("ERS", ("", "E")),
    ("EST", ("", "E")),
    ("IEST", ("Y",)),
    ("LY", ("",)),
)
_DOUBLED = frozenset(("ED", "ING", "ER", "ERS", "EST"))
_NO_PLURAL = ("SS", "US", "IS")


def roots(word: str, is_word: IsWord) -> set[str]:
    """Return the words that ``word`` may be a form of, itself included.

    TEED gives TEED and TEE; USING gives USING and USE; PINNED gives PINNED and PIN. A root counts
    only if ``is_word`` knows it. Endings alone decide, so that BEER also gives BEE.
    """
    return {word, *(root for root in _stripped(word) if len(root) >= MIN_ROOT and is_word(root))}


def is_plain_plural(word: str, is_word: IsWord) -> bool:
    """Whether the word is another one with S, ES or IES: a plural, or a verb's third person."""
    if not word.endswith("S") or word.endswith(_NO_PLURAL):
        return False
    singulars = (word[:-1], word.removesuffix("ES"), word.removesuffix("IES") + "Y")
    return any(
        len(singular) >= MIN_ROOT and singular != word and is_word(singular)
        for singular in singulars
    )


def _stripped(word: str) -> Iterator[str]:
    for ending, replacements in _ENDINGS:
        if not word.endswith(ending) or (ending == "S" and word.endswith(_NO_PLURAL)):
            continue
        stem = word.removesuffix(ending)
        for replacement in replacements:
            yield stem + replacement
        if ending in _DOUBLED and len(stem) > 2 and stem[-1] == stem[-2]:
            yield stem[:-1]
