"""What satcross knows of languages, from one table: ``resources/languages.toml``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from satcross.errors import InputError
from satcross.formats.resources import resource_path
from satcross.support.letters import spell
from satcross.support.texts import texts

ENGLISH = "en"


@cache
def languages() -> Mapping[str, Mapping[str, Any]]:
    """Return the table: code -> field -> value. The file describes the fields."""
    import tomllib

    return tomllib.loads(resource_path("languages.toml").read_text(encoding="utf-8"))


def writing_directions() -> dict[str, str]:
    """Return in which direction each language is written: code -> ``ltr`` or ``rtl``."""
    sides = {code: table.get("right_to_left") for code, table in languages().items()}
    return {code: "rtl" if is_leftward else "ltr" for code, is_leftward in sides.items()}


def phrase(key: str) -> str:
    """Return a heading of a page in the language in use, in English where the table has none."""
    text: str = languages()[texts().language or ENGLISH].get(key) or languages()[ENGLISH][key]
    return text


def solving_phrases() -> Mapping[str, str]:
    """Return the texts of a page to solve in the language in use; none if the table has none."""
    found: Mapping[str, str] = languages()[texts().language or ENGLISH].get("solving", {})
    return found


def translated(text: str) -> str:
    """Return a text of a page to solve, given in English, in the language in use."""
    return solving_phrases().get(text, text)


def language_code(text: str) -> str:
    """Return the code of a language, ``de`` for ``de-AT``; "" for one that is not known."""
    code = re.split(r"[-_.\s]", text.strip().lower())[0]
    return code if code in languages() else ""


def stated_language(text: str, notes: list[str]) -> str:
    """Return the code of the language that a file states, "" if none; an unknown one is noted."""
    code = language_code(text)
    if text.strip() and not code:
        notes.append(f"ignored: {text[:20]!r}, which is no language that satcross knows")
    return code


def read_language(text: str) -> str:
    """Return the code of a language that the user names. Raises InputError for an unknown one."""
    code = language_code(text)
    if not code:
        problem = f"--language {text} is not known"
        raise InputError(problem, f"choose one of {', '.join(sorted(languages()))}")
    return code


@cache
def _column_roles() -> Mapping[str, str]:
    """Return what a heading of a column says, in every language: ``wort`` -> ``word``."""
    kinds = ("languages", "score", "clue", "word")
    roles = ((role, table) for role in kinds for table in languages().values())
    return {name: role for role, table in roles for name in table.get(role, ())}


def column_roles(headings: Iterable[str]) -> list[str]:
    """Return whether headings name words, clues or scores, "" for others.

    Of two languages side by side, the first is that of the words, the second that of the clues.
    """
    roles = [_column_roles().get(heading.strip().lower(), "") for heading in headings]
    if roles[:2] == ["languages"] * 2 and "word" not in roles:
        roles[:2] = "word", "clue"
    return ["" if role == "languages" else role for role in roles]


def sort_key(word: str) -> tuple[str, str]:
    """Return by what a word is sorted: its letters without accents, then with them.

    Letters with a place of their own in the alphabet follow their plain letter (Ñ in Spanish), or
    the whole alphabet (Å, Ä and Ö in Swedish).
    """
    if word.isascii():
        return word, word
    language = languages()[texts().language or ENGLISH]
    own = language.get("sorts", language.get("keeps", ""))
    after_z = language.get("after_z", False)
    key = ""
    for letter in unicodedata.normalize("NFC", spell(word)):
        base = unicodedata.normalize("NFD", letter)[:1]
        if letter not in own:
            key += base
        else:
            key += f"\u1fff{own.index(letter)}" if after_z else f"{base}\u1fff"
    return key, word
