"""Encodings of text files: Unicode, and those of one byte a letter, told apart by their letters."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from satcross.errors import InputError

_NAMES = {"cp125": "Windows-125", "mac_roman": "Mac Roman"}
"""Names of Python, or how they begin, and what these encodings are called."""
_WESTERN = "cp1252"
_TOKEN = rb"(?<![A-Za-z])[A-Za-z]*+[\x80-\xff][A-Za-z\x80-\xff]*"
_DIVIDED = r"(?<=\w)[\u2013\u2014\u201c-\u201e\u2026\u00ab\u00bb](?=\w)"
"""Dashes and quotes within a word, which come of letters of another encoding."""
_TOKENS = 5000
"""Words of a file that are looked at."""
_MIN_SHARE = 0.5
_FREQUENT = frozenset("оеаинтαοιετσיוהלאמاليمن")
"""Frequent letters, which tell encodings apart that have the same letters in other places."""
_OTHER_SCRIPTS = "\u0370"  # from here on, letters are not Latin


def read_charset(name: str) -> str:
    """Return the name of an encoding as Python knows it. Raises InputError for an unknown one."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        problem = f"--charset {name} is not known"
        raise InputError(problem, "name one such as utf-8, cp1250 or mac-roman") from None


def decode_bytes(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file that is not UTF-8, and a note on its encoding."""
    line = 1
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    charset = find_charset(data)
    more = "" if charset == _WESTERN else "; --charset names another"
    name = charset
    for start, called in _NAMES.items():
        name = name.replace(start, called)
    note = f"line {line} is not UTF-8; the file is read as {name}{more}"
    return data.decode(charset, "replace"), (note,)


def decode_wide(data: bytes) -> str | None:
    """Return the text of a UTF-16 file without a byte order mark; None for any other file."""
    for charset in ("utf-16-le", "utf-16-be"):
        try:
            text = data.decode(charset)
        except UnicodeDecodeError:
            continue
        if "\n" in text and all(c.isprintable() or c in "\r\n\t" for c in set(text)):
            return text
    return None


def find_charset(data: bytes) -> str:
    """Return the encoding whose letters are those of a language, Windows-1252 if there is none."""
    from satcross.formats.languages import languages

    tokens = [found[0] for _, found in zip(range(_TOKENS), re.finditer(_TOKEN, data), strict=False)]
    sample = b"\n".join(tokens)
    best, best_score = _WESTERN, (_MIN_SHARE, 0.0)
    tables = [(frozenset(t.get("signs", ())), t.get("charsets", ())) for t in languages().values()]
    choices = [(place, name, signs) for signs, names in tables for place, name in enumerate(names)]
    for _, charset, signs in sorted(choices, key=lambda choice: choice[0]):
        score = _score(sample.decode(charset, "replace"), signs)
        if score > best_score:
            best, best_score = charset, score
    return best


def _score(text: str, signs: frozenset[str]) -> tuple[float, float]:
    """Return the share of letters that a language has, and how many are frequent ones."""
    letters = Counter(c for c in text if not c.isascii())
    known = sum(n for c, n in letters.items() if c in signs or c.lower() in signs)
    slips = sum(map(_is_slip, text, text[1:])) + len(re.findall(_DIVIDED, text))
    total = letters.total() or 1
    return (known - slips) / total, sum(n for c, n in letters.items() if c in _FREQUENT) / total


def _is_slip(before: str, after: str) -> bool:
    """Whether two characters hardly stand side by side: a capital in a word, or two scripts."""
    if before.islower() and after.isupper():
        return True
    is_word = before.isalpha() and after.isalpha()
    return is_word and (before < _OTHER_SCRIPTS) != (after < _OTHER_SCRIPTS)
