"""Word lists as crossword constructors write them, and as CS50's course does.

A line is an entry, which a separator may divide from a score and a comment: ``CAT``,
``ice cream;70``, ``T-shirt,55,comment``. An entry becomes a word of the grid in one of two ways:

*By letters* (constructors' lists): only letters and digits fill cells. Blanks, hyphens,
apostrophes and all other marks are dropped, ``&`` is spelled AND, and the entry as it was written
is kept: ``Rock 'n' roll`` is the word ROCKNROLL.

*Literally* (CS50's lists): every character is a letter, including marks, so that ``N'T`` fills
three cells. An entry with a blank inside is dropped.

A list is taken literally when it has no scores, no entry with a blank, and a hyphen or an
apostrophe in fewer than one in a hundred of its entries, as the course's own lists do; every other
list is read by letters. ``Marks`` overrules this. The course's classes (``satcross.cs50``) and
``generate.py`` do not use this module.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Literal

from satcross.errors import InputError
from satcross.formats.files import Data, Text, decode_text, read_text
from satcross.formats.packed import is_packed, read_packed
from satcross.formats.resources import read_resource, resource_path
from satcross.support.letters import only_letters, pack, upper
from satcross.support.texts import texts
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

MAX_SCORE = 1_000_000
DEFAULT_LIST = "default"
"""What names the default list where a file is expected; ``./default`` is a file."""
COMMENT = "a comment"
"""The reason why lines that begin with # are dropped."""

_PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"
_SCORED = b"0123456789;" + _PLAIN
_KINDS = bytes.maketrans(b"BCDEFGHIJKLMNOPQRSTUVWXYZ123456789", b"A" * 25 + b"0" * 9)

_SHORT = 7  # digits of a number that may exceed MAX_SCORE
_SCORE = re.compile(r"[+-]?[0-9]{1,12}")
_SPELT_OUT = str.maketrans({"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D"})
_UMLAUTS = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE", "Å": "AA", "Ø": "OE"})
SPELLED: Literal["spelled"] = "spelled"
Fold = bool | Literal["spelled"]
"""Whether accents are folded, or umlauts spelled out with an E."""


class Marks(StrEnum):
    """How hyphens, apostrophes, blanks and other punctuation in entries are treated."""

    AUTO = "auto"
    """Dropped, unless the list looks like the course's."""
    DROP = "drop"
    KEEP = "keep"
    """Each is a letter of its own, as in CS50; entries with blanks are dropped."""


class Accents(StrEnum):
    """How letters with diacritics, such as É, Ñ and Ö, are treated."""

    AUTO = "auto"
    """Folded to E, N, O in a list where at most one entry in twenty has one (in a list of five
    entries or more, at least one may); kept otherwise."""
    FOLD = "fold"
    KEEP = "keep"
    SPELL = "spell"
    """Folded, but Ä, Ö, Ü and Å become AE, OE, UE and AA."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Options for reading word lists."""

    marks: Marks = Marks.AUTO
    accents: Accents = Accents.AUTO
    tiers: frozenset[str] = frozenset()
    """The tiers of offensive words to take from lists that have them (``packed.TIERS``)."""


AUTO = Reading()


def companion(vocabulary: Vocabulary, reading: Reading = AUTO) -> Reading:
    """Return how to read a list, such as a theme, so that its words match a vocabulary.

    The list is read by letters, unless the vocabulary has words with marks. Accents are folded if
    the vocabulary has none. Options of ``reading`` that are not AUTO are retained.
    """
    texts = [vocabulary.group(length).text for length in vocabulary.lengths]
    marks, accents = reading.marks, reading.accents
    if marks is Marks.AUTO:
        marks = Marks.DROP if all(map(str.isalnum, texts)) else Marks.KEEP
    if accents is Accents.AUTO and texts:
        accents = Accents.FOLD if all(map(str.isascii, texts)) else Accents.KEEP
    return Reading(marks, accents, reading.tiers)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A line that was dropped because it gives no usable word, and the reason."""

    file: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class WordList:
    """A vocabulary read from files, with the lines that were dropped, and notes (file, text).

    ``written`` maps a word to its entry where the entry has more than the word's letters:
    ``{"TSHIRT": "T-shirt"}``. Entries that differ from the word only in case are left out.
    """

    vocabulary: Vocabulary
    dropped: tuple[Dropped, ...]
    notes: tuple[tuple[str, str], ...]
    written: Mapping[str, str] = field(default_factory=dict)


def default_list_path() -> str:
    """Return the path of the default list, which is part of satcross (see data/LICENSES.md)."""
    return str(resource_path("english.txt"))


def read_list(path: str) -> Text:
    """Return the text of a word list; ``default`` names the default list."""
    return default_list() if path == DEFAULT_LIST else read_text(path)


def default_list() -> Text:
    """Return the text of the default list. Raises InputError when it is damaged."""
    return Text(default_list_path(), read_resource("english.txt").decode("ascii"))


@cache
def default_written() -> Mapping[str, str]:
    """Return the entries of the default list's phrases and hyphenated words, by word."""
    text = decode_text(Data("english-written.txt.gz", read_resource("english-written.txt.gz"))).text
    # All plain entries at once, which takes half of the time.
    capitals = text.upper().replace("&", "AND")
    plain = re.sub("[^A-Z0-9\n]", "", capitals).split("\n")
    both = zip(plain, text.split("\n"), strict=True)
    return {
        word if entry.isascii() else letters_of(entry, fold=True): entry
        for word, entry in both
        if entry
    }


def parse_words(sources: Iterable[Text], reading: Reading = AUTO) -> WordList:
    """Read word lists into one vocabulary; each list is read by letters or literally.

    Words are in upper case (as in Unicode, where ß becomes SS) and composed (NFC). A word without a
    score has DEFAULT_SCORE. A word that occurs several times has its highest score and its first
    entry. Lines that can't be used (no letter, a single letter, which fits no slot, a bad score)
    are dropped and reported; empty lines are skipped. Packed lists (``formats.packed``) are read
    as they are.

    Raises InputError when the lists have no word.
    """
    scores: dict[str, int] = {}
    written: dict[str, str] = {}
    dropped: list[Dropped] = []
    notes: list[tuple[str, str]] = []
    sources = list(sources)
    if len(sources) == 1 and is_packed(sources[0]):
        return WordList(_read_packed(sources[0], reading), (), ())
    for source in sources:
        notes += [(source.name, note) for note in source.notes]
        if is_packed(source):
            vocabulary = read_packed(source, reading.tiers)
            fresh: dict[str, int] | None = {word: vocabulary.score(word) for word in vocabulary}
        else:
            simple = parse_simple(source.text)
            if simple and len(sources) == 1:
                return WordList(Vocabulary.from_scores(*simple), (), tuple(notes))
            fresh = simple and dict(zip(*simple, strict=True))
        if fresh is None:
            from satcross.formats.list_parser import Parser

            parser = Parser(source, reading)
            fresh = parser.scores()
            dropped += parser.dropped
            notes += [(source.name, note) for note in parser.notes]
            for word, entry in parser.written.items():
                written.setdefault(word, entry)
        if scores:
            for word, score in fresh.items():
                scores[word] = max(score, scores.get(word, score))
        else:
            scores = fresh
    if not scores:
        first = f"; line {dropped[0].line} was dropped: {dropped[0].reason}" if dropped else ""
        names = ", ".join(source.name for source in sources)
        raise InputError(
            f"the list has no word{first}", "write one word per line", file=names or None
        )
    return WordList(Vocabulary(scores), tuple(dropped), tuple(notes), written)


def _read_packed(source: Text, reading: Reading) -> Vocabulary:
    vocabulary = read_packed(source, reading.tiers)
    if source.name == default_list_path():
        vocabulary.known_as = (DEFAULT_LIST, *sorted(reading.tiers))
    return vocabulary


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A line of a list: its number, its word ("" if it has none), and its entry and score as
    written."""

    line: int
    word: str
    written: str
    score: str = ""


def list_entries(source: Text, reading: Reading = AUTO) -> list[ListEntry]:
    """Return the lines of a list that are not blank, as ``parse_words`` reads them.

    A packed list gives no entries.
    """
    from satcross.formats.list_parser import Parser

    return [] if is_packed(source) else list(Parser(source, reading).entries())


def normalise(word: str, language: str = "") -> str:
    """Return a word in upper case, composed (NFC), without blanks around it."""
    return pack(upper(word, language)).strip()


def letters_of(entry: str, *, fold: Fold, language: str = "") -> str:
    """Return the letters and digits of an entry, in upper case; "" if it has none.

    With ``fold``, letters of A to Z lose their accents, and Æ, Œ, Ø, Ł and Đ are spelled out;
    SPELLED writes Ä, Ö, Ü and Å as AE, OE, UE and AA before. Letters that the language counts as
    its own, such as Ñ in Spanish, keep theirs.
    """
    capitals = upper(entry, language)
    if capitals.isascii() and capitals.isalnum() and not texts().digraphs:
        return capitals
    capitals = capitals.replace("&", "AND")
    if fold and not capitals.isascii():
        keeps = habits_of(language or texts().language).get("keeps", "")
        table = _SPELT_OUT | _UMLAUTS if fold == SPELLED else _SPELT_OUT
        capitals = "".join(
            capital if capital in keeps else _folded(capital.translate(table))
            for capital in capitals
        )
    return only_letters(capitals)


def habits_of(language: str) -> Mapping[str, str]:
    """Return what the table of languages says of letters in a language; nothing for no language."""
    if not language:
        return {}
    from satcross.formats.languages import languages

    return languages()[language]


def language_of(vocabulary: Vocabulary) -> str:
    """Return ``tr`` for a vocabulary with the capital of a dotted i; "" for all others."""
    groups = map(vocabulary.group, vocabulary.lengths)
    return "tr" if any("\u0130" in group.text for group in groups) else ""


def read_word(entry: str, vocabulary: Vocabulary) -> str:
    """Normalise an entry written by a person to the form of the vocabulary.

    The result is the literal entry if the vocabulary has it (``E-MAIL`` in the course's list);
    otherwise its letters, without accents if the vocabulary has that word or has no accents.
    """
    language = language_of(vocabulary)
    literal = normalise(entry, language)
    if literal in vocabulary:
        return literal
    kept, folded, spelled = (
        letters_of(entry, fold=fold, language=language) for fold in (False, True, SPELLED)
    )
    found = next((word for word in (kept, folded, spelled) if word in vocabulary), None)
    if found is not None or kept == folded:
        return found or kept
    plain = len(vocabulary) > 0 and vocabulary.group(len(kept)).text.isascii()
    return folded if plain else kept


_DIVIDERS = re.compile(r"[\s/]+")
_HYPHENS = re.compile(r"[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}]+")


def enumeration(written: str, *, fold: bool = True) -> str:
    """Return the lengths of an entry's parts as printed clues do: ``3,5`` for ice cream.

    Blanks and slashes give a comma, hyphens a hyphen (``1-5`` for T-shirt); other marks do not
    divide. The numbers add up to the length of ``letters_of(entry)``. The result is "" for an entry
    without letters.
    """
    parts = []
    for word in _DIVIDERS.split(written):
        lengths = [len(letters_of(part, fold=fold)) for part in _HYPHENS.split(word)]
        text = "-".join(str(length) for length in lengths if length)
        if text:
            parts.append(text)
    return ",".join(parts)


@cache
def _folded(letter: str) -> str:
    """Return a letter without its accents if that is one of A to Z or Greek; else the letter."""
    base = unicodedata.normalize("NFD", letter)[:1]
    is_plain = "A" <= base <= "Z" or "\u0391" <= base <= "\u03a9"
    return base if len(letter) == 1 and is_plain else letter


def parse_simple(text: str) -> tuple[list[str], list[int]] | None:
    """Return the words of a simple list, each once, and their scores; reads the text as a whole.

    This is several times as fast as reading line by line. Returns None for a list that has more
    than words of A to Z and scores, which ``list_parser`` has to read, and for one without words.
    """
    if not text.isascii():
        return None
    data = text.upper().encode("ascii").replace(b"\r\n", b"\n")
    if not data.translate(None, _PLAIN):
        words = [word for word in dict.fromkeys(data.decode("ascii").split("\n")) if word]
        scores = [DEFAULT_SCORE] * len(words)
    elif not data.translate(None, _SCORED) and _alternates(data):
        fields = data.decode("ascii").strip("\n").replace("\n", ";").split(";")
        words, numbers = fields[::2], fields[1::2]
        scores = list(map({number: int(number) for number in set(numbers)}.__getitem__, numbers))
    else:
        return None
    different = set(words)
    if not words or len(different) < len(words) or different.intersection(_PLAIN.decode("ascii")):
        return None
    return words, scores


def _alternates(data: bytes) -> bool:
    """Return whether every line has letters, a semicolon and digits."""
    kinds = data.strip(b"\n").translate(_KINDS)
    return (
        kinds[:1] == b"A"
        and kinds[-1:] == b"0"
        and kinds.count(b"A;0") == kinds.count(b";")
        and kinds.count(b"0\nA") == kinds.count(b"\n")
        and b"A0" not in kinds
        and b"0A" not in kinds
        and b"0" * 7 not in kinds  # such a number may exceed MAX_SCORE
    )


def parse_score(text: str) -> int | None:
    """Return a whole number from -MAX_SCORE to MAX_SCORE; None for any other text."""
    if text.isdecimal() and text.isascii() and len(text) < _SHORT:
        return int(text)
    if not _SCORE.fullmatch(text):
        return None
    score = int(text)
    return score if abs(score) <= MAX_SCORE else None
