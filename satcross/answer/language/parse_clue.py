"""Parse a clue: its words, its head, and cues about the form of the answer.

Crossword setters follow conventions: answer and clue agree in number and tense, an abbreviation in
the clue calls for one in the answer, a blank or quotation marks call for spoken phrases. These cues
do not give the answer, but restrict its form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from satcross.answer.clue import Clue
from satcross.solving.inflections import apparent_forms, possible_bases


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


STOPWORDS = _set_of(
    "a an the of in on at to for with by from as or and is are was be it its that this "
    "these those one ones some any his her their your my our you i we he she they who whose "
    "which what when where how into than then s t not no do does did has have had so such "
    "very can may might e g eg i.e ie etc say says perhaps maybe often like about up out "
    "off over it's example instance kind sort type them him me us being there if but more "
    "most many much"
)
"""Words that carry no meaning for the answer."""

_BLANK = re.compile(r"_+(?:[ -]_+)*|(?<!\w)-{2,}(?!\w)|(?<=\W)\.{4,}|\u2014{2,}")
_ABBREVIATED = re.compile(
    r"\babbr(?:\.|\b|eviat)|for short\b|\bbriefly\b|in brief\b|\bshort(?:ened)? form|: ?abbr"
    r"|\binits?\.|\binitials\b|\bacronym\b|\bfamiliarly\b|\binformally\b|\btexter's\b|\btext(?:ing)?\b"
    r"|\bin a text\b|\borg\.|\bgrp\.|\bassn\.|\bdept\.|\bgovt\.",
    re.IGNORECASE,
)
_SHORT_WORD = re.compile(
    r"\b(?!Mr|Mrs|Ms|Dr|St|vs|Jr|Sr|etc|e\.g|i\.e)[A-Za-z]{2,5}\.(?=[\s,;:)]|$)"
)
_EXAMPLE = re.compile(
    r"\be\.g\.|\bfor (?:one|example|instance|two)\b|, say\b|\bperhaps\b|\bmaybe\b|\bamong others\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'^\W*["\u201c].*["\u201d]\W*$')
_BRACKETED = re.compile(r"^\[.*\]$")
_REFERENCE = re.compile(
    # A list of numbers is tried from its first one only, or each would look at all that follow.
    r"(?:\b(?:see|with|and|or|part \d of) )?(?<!\d)(?<!\d[-, /])(?<!\d, )\d++-?"
    r"(?:(?:(?:,| and| or|/)+ ?| |(?<=-))\d++-?)*[ -]?(?:across|down)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+")


@dataclass(frozen=True, slots=True)
class ParsedClue:
    """The words of a clue, and what they say about the form of the answer.

    ``words`` are all words in lower case; ``content`` are those with meaning, each once, without
    the words of cues such as "for short". ``head`` is the word that the others describe, guessed as
    the last before a preposition. ``cues`` are the conventions found: ``s ed ing er est ly`` (forms
    that the answer should have), ``abbreviation blank quoted bracketed example pun name short
    number``.
    """

    text: str
    words: tuple[str, ...]
    content: tuple[str, ...]
    head: str
    cues: frozenset[str]

    @property
    def phrase(self) -> str:
        """The words of the clue without leading articles, as a dictionary may list them."""
        words = self.words
        while len(words) > 1 and words[0] in ("a", "an", "the", "to", "some", "kind"):
            words = words[1:]
        return " ".join(words)


@lru_cache(maxsize=1024)
def parse_text(text: str) -> ParsedClue:
    """Parse the text of a clue.

    >>> parsed = parse_text("Desert animals")
    >>> parsed.head, sorted(parsed.cues)
    ('animals', ['s'])
    """
    blank = _BLANK.search(text)
    plain = _BLANK.sub(" ", text)
    words = _words(plain)
    cues = _cues(text, plain)
    stripped = _words(_EXAMPLE.sub(" ", _ABBREVIATED.sub(" ", plain)))
    content = tuple(dict.fromkeys(word for word in stripped if word not in STOPWORDS))
    if not content:
        content = tuple(dict.fromkeys(stripped or words))
    head = _head(stripped)
    if not blank:
        cues |= _forms(stripped, head)
    if len(content) == 1:
        cues.add("short")
    return ParsedClue(text, words, content, head, frozenset(cues))


def parse_clue(clue: Clue) -> ParsedClue:
    """Parse a clue without its references to other slots; if nothing else is left, parse these.

    >>> parse_clue(Clue("9A", "See 5-Across", 3, references={"5A": "Frozen treat"})).head
    'treat'
    """
    if not clue.references:
        return parse_text(clue.text)
    own = _REFERENCE.sub(" ", clue.text)
    if any(word not in STOPWORDS for word in _words(own)):
        return parse_text(" ".join(own.split()).lstrip(",;: "))
    return parse_text("; ".join(filter(None, clue.references.values())))


def _cues(text: str, plain: str) -> set[str]:
    """Return the conventions of the text except forms; ``plain`` is the text without blanks."""
    blank = plain != text
    signs = {
        "blank": blank,
        "abbreviation": _ABBREVIATED.search(plain) or _SHORT_WORD.search(plain),
        "example": _EXAMPLE.search(plain),
        "pun": plain.rstrip().endswith("?"),
        "quoted": not blank and _QUOTED.match(text),
        "bracketed": _BRACKETED.match(text.strip()),
        "name": any(word[0].isupper() for word in _WORD.findall(plain)[1:]),
        "number": any(word.isdigit() for word in _words(plain)),
    }
    return {cue for cue, sign in signs.items() if sign}


def _words(text: str) -> tuple[str, ...]:
    found = (word.lower().replace("\u2019", "'") for word in _WORD.findall(text))
    return tuple(word.removesuffix("'s") for word in found)


_ENDS_HEAD = _set_of(
    "of in on at to for with by from as or and that who whose which when where into than is "
    "are before after over under between about without against through during near up out "
    "off like used made found worn seen"
)


def _head(words: tuple[str, ...]) -> str:
    for place, word in enumerate(words):
        if word in _ENDS_HEAD and place:
            return words[place - 1]
    return words[-1] if words else ""


def _forms(words: tuple[str, ...], head: str) -> set[str]:
    """Return the forms that the answer should have, from the first word and the head."""
    if not words:
        return set()
    first, is_alone = words[0], len(words) == 1
    found = {
        form
        for word in (first, head)
        for form in apparent_forms(word)
        if word == first or form not in ("er", "est", "ly")
    }
    if not is_alone and first in ("more", "less"):
        found.add("er")
    if not is_alone and first in ("most", "least"):
        found.add("est")
    return found


def base_forms(word: str) -> tuple[str, ...]:
    """Return the word, then its possible base forms, most of which are no words."""
    return (word, *(base for base, _ in possible_bases(word)))
