"""Word lists as crossword constructors write them, and as CS50's course does.

A line is an entry, which a separator may divide from a score and a comment: ``CAT``,
``ice cream;70``, ``T-shirt,55,comment``. An entry becomes a word of the grid by its letters,
or literally (``entries``).

A list is taken literally when it has no scores, no entry with a blank, and a hyphen or an
apostrophe in fewer than one in a hundred of its entries, as the course's own lists do; every other
list is read by letters. ``Marks`` overrules this. The course's classes (``satcross.cs50``) and
``generate.py`` do not use this module.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field
from itertools import chain

from satcross.errors import InputError
from satcross.formats.entries import AUTO, Dropped, ListEntry, Reading
from satcross.formats.files import STANDARD_INPUT, Data, Text, missing_file, read_text
from satcross.formats.resources import HEADER, default_list_path
from satcross.support.frozen import frozen
from satcross.support.letters import upper
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

DEFAULT_LIST = "default"
NAMED_LISTS = (DEFAULT_LIST, "american", "british")
"""What names a list of satcross's own where a file is expected; ``./default`` is a file."""

_PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"
_SCORED = b"0123456789;" + _PLAIN
_KINDS = bytes.maketrans(b"BCDEFGHIJKLMNOPQRSTUVWXYZ123456789", b"A" * 25 + b"0" * 9)


@frozen
class WordList:
    """A vocabulary read from files, with the lines that were dropped, and notes (file, text).

    ``written`` maps a word to its entry where the entry has more than the word's letters:
    ``{"TSHIRT": "T-shirt"}``. Entries that differ from the word only in case are left out.
    """

    vocabulary: Vocabulary
    dropped: tuple[Dropped, ...]
    notes: tuple[tuple[str, str], ...]
    written: Mapping[str, str] = field(default_factory=dict)


def is_packed(source: Text) -> bool:
    """Return whether a text is a packed list."""
    return source.text.startswith(HEADER)


def read_list(path: str) -> Text:
    """Return the text of a word list: of a file, or of one of ``NAMED_LISTS``."""
    if path == DEFAULT_LIST:
        from satcross.formats.packed import default_list

        return default_list()
    if path in NAMED_LISTS:
        from satcross.formats.regional import regional_list

        return regional_list(path)
    check_list(path)
    return read_text(path)


def check_list(path: str, remedy: str = "check the name") -> None:
    """Raise InputError for a list that does not exist; it suggests one of a similar name.

    ``remedy`` is the advice when there is none.
    """
    # os.path.exists, unlike Path.exists, is False for a name that no file can have.
    if path in (STANDARD_INPUT, *NAMED_LISTS) or os.path.exists(path):  # noqa: PTH110
        return
    from difflib import get_close_matches

    if close := get_close_matches(path, NAMED_LISTS, 1, 0.75):
        raise InputError("no such file", f"did you mean {close[0]}?", file=path)
    raise missing_file(path, remedy)


def parse_words(sources: Iterable[Text], reading: Reading = AUTO) -> WordList:
    """Read word lists into one vocabulary; each list is read by letters or literally.

    Words are in upper case (as in Unicode, where ß becomes SS) and composed (NFC). A word without a
    score has DEFAULT_SCORE. A word that occurs several times has its highest score and its first
    entry. Lines that can't be used (no letter, a single letter, which fits no slot, a bad score)
    are dropped and reported; empty lines are skipped. Packed lists are read as they are.

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
            groups = _read_packed(source, reading).groups()
            pairs = (zip(words, values, strict=True) for _, words, values in groups)
            fresh: dict[str, int] | None = dict(chain.from_iterable(pairs))
        else:
            # Where i has another capital, no list is simple.
            simple = parse_simple(source.text) if upper("i", reading.language) == "I" else None
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
        problem = f"the list has no word{first}"
        raise InputError(problem, "write one word per line", file=names or None)
    return WordList(Vocabulary(scores), tuple(dropped), tuple(notes), written)


def read_default(reading: Reading = AUTO) -> WordList:
    """Return the default list; the words of a length are decoded when they are looked at."""
    from satcross.formats.packed import default_data

    return WordList(_read_packed(default_data(), reading), (), ())


def _read_packed(source: Text | Data, reading: Reading) -> Vocabulary:
    from satcross.formats.packed import read_packed

    vocabulary = read_packed(source, reading.tiers)
    if source.name == default_list_path():
        vocabulary.known_as = (DEFAULT_LIST, *sorted(reading.tiers))
    return vocabulary


def list_entries(source: Text, reading: Reading = AUTO) -> list[ListEntry]:
    """Return the lines of a list that are not blank, as ``parse_words`` reads them.

    A packed list gives no entries.
    """
    from satcross.formats.list_parser import Parser

    return [] if is_packed(source) else list(Parser(source, reading).entries())


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
