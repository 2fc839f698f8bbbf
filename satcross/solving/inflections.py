"""English inflection: the forms of a word, the base forms that a word may come from, and its roots.

Forms are named by their regular endings: ``s`` (plural, third person), ``ed`` (past, participle),
``ing``, ``er``, ``est``, ``ly``. Regular forms follow the spelling rules of school grammars;
``resources/irregular.txt`` lists the most common irregular forms, ``resources/related.txt``
compounds and derived words with their parts, and ``resources/unrelated.txt`` words that only look
like a form of another one, or derived from it: corner, remark.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from satcross.formats.resources import read_resource

IsWord = Callable[[str], bool]

FORMS = ("s", "ed", "ing", "er", "est", "ly")
MIN_ROOT = 3
"""Shortest root: AS is no plural, and BED no form of a shorter word."""

_NO_PLURAL = ("SS", "US", "IS")

_VOWELS = "aeiou"
_AFTER_ONE = ("ying", "ies", "ied", "ier", "iest", "ily")
"""Endings that include the end of the base, so a single letter may precede them (die, dying)."""
NEVER_S = ("ss", "us", "is", "as", "os")
"""Endings of words that are no regular plurals."""
MIN_LENGTHS = {"s": 3, "ed": 4, "ing": 5, "er": 4, "est": 5, "ly": 4}
"""Form -> length from which a word with that ending counts as one."""


@cache
def irregular() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return (base, form) -> irregular forms."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    text = read_resource("irregular.txt").decode()
    for line in text.splitlines():
        if line and not line.startswith("#"):
            form, base, *others = line.split()
            for other in others:
                found[base, form].append(other)
    return MappingProxyType({key: tuple(value) for key, value in found.items()})


@cache
def irregular_bases() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return irregular form -> its (base, form) pairs."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for (base, form), others in irregular().items():
        for other in others:
            found[other].append((base, form))
    return MappingProxyType({key: tuple(value) for key, value in found.items()})


def inflected(base: str, form: str) -> tuple[str, ...]:
    """Return the possible spellings of a form of a lower-case word, most likely first.

    In a phrase, ``ed`` and ``ing`` inflect the first word ("give up"), and ``s`` the last or the
    first. Where no rule decides (does the last letter double?), both spellings are returned.

    >>> inflected("city", "s"), inflected("stop", "ing"), inflected("go", "ed")
    (('cities',), ('stopping', 'stoping'), ('went', 'gone'))
    """
    head, blank, tail = base.partition(" ")
    if blank:
        if form in ("ed", "ing"):
            return tuple(f"{word} {tail}" for word in inflected(head, form))
        if form != "s":
            return ()
        start, _, last = base.rpartition(" ")
        both = [f"{start} {word}" for word in inflected(last, "s")]
        both += [f"{word} {tail}" for word in inflected(head, "s")]
        return tuple(both)
    if len(base) < 2 or not base.isalpha():
        return ()
    if (base, form) in irregular():
        return irregular()[base, form]
    return _REGULAR[form](base)


def possible_bases(word: str) -> tuple[tuple[str, str], ...]:
    """Return the (base, form) pairs that a lower-case word may come from, by spelling alone.

    Most of these bases are no words; the caller looks them up.

    >>> ("run", "ing") in possible_bases("running"), possible_bases("geese")
    (True, (('goose', 's'),))
    """
    found = list(irregular_bases().get(word, ()))
    for ending, form, replacements in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + (ending not in _AFTER_ONE):
            stem = word[: -len(ending)]
            if form == "s" and word.endswith(NEVER_S):
                continue
            found += [(stem + tail, form) for tail in replacements]
            if form != "s" and _doubled(stem):
                found.append((stem[:-1], form))
    return tuple(dict.fromkeys(found))


def roots(word: str, is_word: IsWord) -> set[str]:
    """Return the words that a word in capitals may be a form of or derived from, itself included.

    UNRATED gives RATED and RATE, SUNNIER SUNNY and SUN. By inflection, only what ``is_word`` knows.
    """
    found, waiting = set[str](), [word]
    while waiting:
        form = waiting.pop()
        if form not in found:
            found.add(form)
            waiting += _bases(form, is_word)
    return found


def _bases(word: str, is_word: IsWord) -> list[str]:
    """Return the words that a word is a form of, derived from or made of."""
    bases = [] if word in _unrelated() else list(_inflected_from(word))
    known = [base for base in bases if len(base) >= MIN_ROOT and is_word(base)]
    return known + related().get(word, "").split()


def _inflected_from(word: str) -> Iterator[str]:
    lower = word.lower()
    # No rule of inflection gives these: ERAS of ERA, and the possessives of LIFE'S and CHILD'S.
    if word.endswith(("AS", "OS")) or (word[-1] == "S" and (lower[:-1], "s") in irregular()):
        yield word[:-1]
    for base, form in possible_bases(lower):
        regular = (base, form) not in irregular()
        if regular and base.endswith("s") and not base.upper().endswith(_NO_PLURAL):
            continue  # a plural: ERASES comes from ERASE, not from ERAS
        spelled = inflected(base, form)
        # A short word that may double its last letter always does: HOPED comes from HOPE alone.
        if lower in (spelled[:1] if spelled[:1] == (base + base[-1] + form,) else spelled):
            yield base.upper()


@cache
def related() -> Mapping[str, str]:
    """Return word -> what it is a compound of or derived from: DOVECOTE -> COTE DOVE."""
    lines = read_resource("related.txt").decode("ascii").splitlines()
    return MappingProxyType(dict(line.split(" ", 1) for line in lines))


def may_begin(stem: str) -> str:
    """Return a regular expression for the beginnings of words of which ``stem`` is a root."""
    irregulars = (
        form for (base, _), forms in irregular().items() if base == stem.lower() for form in forms
    )
    beginnings = {form[: max(2, len(form) - 2)].upper() for form in (stem, *irregulars)}
    return f"(?:{'|'.join(sorted(map(re.escape, beginnings)))})"


def is_plain_plural(word: str, is_word: IsWord) -> bool:
    """Whether the word is another one with S, ES or IES: a plural, or a verb's third person."""
    if not word.endswith("S") or word.endswith(_NO_PLURAL) or word in _unrelated():
        return False
    endings = (("S", ""), ("ES", ""), ("IES", "Y"))
    singulars = (word.removesuffix(end) + more for end, more in endings if word.endswith(end))
    return any(len(singular) >= MIN_ROOT and is_word(singular) for singular in singulars)


@cache
def _unrelated() -> frozenset[str]:
    return frozenset(read_resource("unrelated.txt").decode("ascii").split())


@lru_cache(maxsize=100_000)
def apparent_forms(word: str) -> frozenset[str]:
    """Return the forms that a lower-case word appears to have.

    >>> [sorted(apparent_forms(word)) for word in ("cities", "ran", "glass")]
    [['s'], ['ed'], []]
    """
    found = {
        form
        for form, min_length in MIN_LENGTHS.items()
        if len(word) >= min_length and word.endswith(form)
    }
    if word.endswith(NEVER_S):
        found.discard("s")
    return frozenset(found | {form for _, form in irregular_bases().get(word, ())})


def _doubled(stem: str) -> bool:
    return len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS


def _doubles(base: str) -> bool:
    """Return whether the last letter may double: a single consonant after a single vowel."""
    return (
        len(base) > 2
        and base[-1] not in _VOWELS + "wxyh"
        and base[-2] in _VOWELS
        and base[-3] not in _VOWELS
    ) or base[-3:] in ("uip", "uiz", "uit")


def _ends_in_y(base: str) -> bool:
    return base.endswith("y") and base[-2] not in _VOWELS


def _s(base: str) -> tuple[str, ...]:
    if _ends_in_y(base):
        return (base[:-1] + "ies",)
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return (base + "es",)
    if base.endswith("o") and base[-2] not in _VOWELS:
        return (base + "es", base + "s")
    return (base + "s",)


def _vowel_ending(base: str, ending: str) -> tuple[str, ...]:
    """Return the base with -ed, -er or -est."""
    if base.endswith("e"):
        return (base + ending[1:],)
    if _ends_in_y(base):
        return (base[:-1] + "i" + ending,)
    return _perhaps_doubled(base, ending)


def _perhaps_doubled(base: str, ending: str) -> tuple[str, ...]:
    if not _doubles(base):
        return (base + ending,)
    doubled, plain = base + base[-1] + ending, base + ending
    short = sum(letter in _VOWELS for letter in base) == 1
    return (doubled, plain) if short else (plain, doubled)


def _ing(base: str) -> tuple[str, ...]:
    if base.endswith("ie"):
        return (base[:-2] + "ying",)
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and len(base) > 2:
        return (base[:-1] + "ing",)
    return _perhaps_doubled(base, "ing")


def _ly(base: str) -> tuple[str, ...]:
    if len(base) > 2 and base.endswith("le") and base[-3] not in _VOWELS:
        return (base[:-1] + "y",)
    if _ends_in_y(base):
        return (base[:-1] + "ily",)
    return (base + "ally",) if base.endswith("ic") else (base + "ly",)


_REGULAR = {
    "s": _s,
    "ed": lambda base: _vowel_ending(base, "ed"),
    "ing": _ing,
    "er": lambda base: _vowel_ending(base, "er"),
    "est": lambda base: _vowel_ending(base, "est"),
    "ly": _ly,
}
_ENDINGS = (
    ("ies", "s", ("y", "ie")),
    ("es", "s", ("", "e")),
    ("s", "s", ("",)),
    ("ied", "ed", ("y", "ie")),
    ("ed", "ed", ("", "e")),
    ("ying", "ing", ("ie", "y")),
    ("ing", "ing", ("", "e")),
    ("ier", "er", ("y",)),
    ("er", "er", ("", "e")),
    ("iest", "est", ("y",)),
    ("est", "est", ("", "e")),
    ("ily", "ly", ("y",)),
    ("ly", "ly", ("", "le")),
)
