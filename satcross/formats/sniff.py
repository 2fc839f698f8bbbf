"""What a file is, decided by its content: the only place that does.

``sniff`` recognises every kind that satcross reads, and many that it does not, so that these are
refused by name instead of being read as something else. The name of a file is never looked at.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace

from satcross.errors import InputError
from satcross.formats import kinds
from satcross.formats.files import (
    GZIP_MAGIC,
    MAX_FILE_BYTES,
    MAX_TEXT_BYTES,
    ZIP_MAGIC,
    Data,
    Text,
    decode_text,
    decompress,
    read_data,
)
from satcross.formats.kinds import Kind
from satcross.grid import BLOCKED, FULL_BLOCK, OPEN

_MAGIC = (
    (b"\xa5D\xef\x01", Kind("a Crossword Compiler project (.ccw)")),
    (b"%PDF", Kind("a PDF document", "give the crossword's data, such as .ipuz or .puz")),
    (b"\x89PNG", kinds.PICTURE),
    (b"\xff\xd8\xff", kinds.PICTURE),
    (b"GIF8", kinds.PICTURE),
    (b"BM", kinds.PICTURE),
    (b"II*\0", kinds.PICTURE),
    (b"MM\0*", kinds.PICTURE),
    (b"RIFF", kinds.PICTURE),
    (b"{\\rtf", Kind("a rich text document (.rtf)", "save it as plain text")),
    (b"\xd0\xcf\x11\xe0", Kind("an old Office document", "save it as plain text")),
    (b"SQLite format 3", Kind("a database")),
    (b"7z\xbc\xaf", Kind("a 7z archive", "unpack it")),
    (b"Rar!", Kind("a RAR archive", "unpack it")),
)
"""The first bytes of binary files, and what they are."""

_ENTRY = (
    r"[\w#\"'(\u00a1\u00bf-][^\s;,\t:=/|<>{}]*(?: [^\s;,:=/|<>{}]+){0,4}(?<!\w\.)"
    r"(?:\s*[;,\t:=/|].*|\s-\s.*)?"
)
"""An entry of a list: a few words, and perhaps a separator with a score or clue."""
_COUNTED = r"\s*\S+\s+\d+\s*"
# Possessive, so that a million blanks take no square of a million steps.
_PROSE = (
    r"(?m)(?<![a-zß-ÿ])[a-zß-ÿ]{2,}+"
    r"(?:(?=[^\w\n]* )[^\w\n]++[A-ZÀ-Þ]?[a-zß-ÿ]{2,}|[^\w\n]* \d+\. )"
    r"|^ *\d+[.)] +\w\w"
)
_SENTENCE_SIGNS = frozenset("{}[]()<>;,:\"'=&%$^!`\\/")
_CELLS = frozenset(f"{OPEN}{BLOCKED}{FULL_BLOCK}. \r\n")
"""What most structures consist of; no other kind of text does."""
_MAX_SIGNS = 3
"""Maximum number of different signs, besides ``_`` and letters, in a structure."""


def sniff(data: bytes) -> Kind:
    """Return what the bytes of a file are; gzipped files and archives are looked into."""
    with suppress(InputError):
        return _sniff_content(unpack(Data("the file", data), MAX_TEXT_BYTES)[0].data)
    return kinds.BINARY


def _sniff_content(data: bytes) -> Kind:
    with suppress(InputError):
        if b"ACROSS&DOWN\0" in data[:8192]:
            return kinds.PUZ
        return _by_magic(data) or sniff_text(decode_text(Data("the file", data)).text)
    return kinds.BINARY


def decode_list(file: Data) -> Text:
    """Decode a list of words, perhaps in an archive.

    Raises InputError, which says what a file is that is no text.
    """
    file, notes = unpack(file, MAX_TEXT_BYTES)
    if kind := _by_magic(file.data):
        remedy = kind.remedy if kind.remedy.startswith("save") else "save it as plain text"
        raise InputError(f"is {kind.name}, not a list", remedy, file=file.name)
    text = decode_text(file)
    return replace(text, notes=(*notes, *text.notes)) if notes else text


def read_list(path: str) -> Text:
    """Read and decode a list of words or clues. Raises InputError as ``decode_list`` does."""
    return decode_list(read_data(path))


def _by_magic(data: bytes) -> Kind | None:
    """Return what a binary file is by its first bytes."""
    for magic, kind in _MAGIC:
        if data.startswith(magic) and (len(magic) > 2 or b"\0" in data[:64]):
            return kind
    if not data.startswith(ZIP_MAGIC):
        return None
    from satcross.formats.signs import office

    return office(data)


def unpack(file: Data, max_bytes: int = MAX_FILE_BYTES) -> tuple[Data, tuple[str, ...]]:
    """Return the content of a gzipped file, or of one in a zip archive; and remarks.

    In an archive, that is the first crossword, or else the first file. Office documents are
    returned as they are. Raises InputError for a damaged file, and for more than ``max_bytes``.
    """
    if file.data.startswith(GZIP_MAGIC):
        return Data(file.name, decompress(file.data, file.name, max_bytes)), ()
    if not file.data.startswith(ZIP_MAGIC):
        return file, ()
    from satcross.formats.signs import unpack_archive

    return unpack_archive(file, max_bytes, _sniff_content)


def sniff_text(text: str) -> Kind:
    """Return what a text is."""
    text = text.strip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    begin = text.lstrip()
    if not begin:
        return kinds.EMPTY
    if _CELLS.issuperset(begin):
        return _sniff_lines(text)
    from satcross.formats.signs import sniff_signs

    found = sniff_signs(text, begin)
    return found if isinstance(found, Kind) else _sniff_lines(found)


def _sniff_lines(text: str) -> Kind:
    """Return what a text is whose lines are cells or words."""
    lines, characters = text.splitlines(), set(text)
    # Without marks of letters: they are no signs of their own.
    signs = {sign for sign in characters if not (sign.isspace() or sign.isalnum())}
    may_be_prose = any(c.isdecimal() or "a" <= c <= "z" or "ß" <= c <= "ÿ" for c in characters)
    prose = "\t" in text or (may_be_prose and bool(re.search(_PROSE, text)))
    if FULL_BLOCK in text:
        return kinds.UNKNOWN if prose else kinds.PRINTED
    others = signs - {OPEN, BLOCKED}
    if OPEN in signs:
        fits = not prose and len(others) <= _MAX_SIGNS and not others & _SENTENCE_SIGNS
        width = max(len(line) for line in lines if OPEN in line)
        words = (line for line in lines if line.isalpha() and not line.isupper())
        fits = fits and all(len(word) == width for word in words)
        return kinds.STRUCTURE if fits else kinds.UNKNOWN
    if BLOCKED not in signs and any(map(str.isdigit, text)) and not any(map(str.isalpha, text)):
        return _words_or_unknown(lines)
    if signs & {".", "?"} and signs <= {".", "?", BLOCKED}:
        return kinds.UNKNOWN if prose else kinds.PRINTED
    if signs <= {BLOCKED}:
        if BLOCKED in signs and not prose:
            return kinds.PRINTED
        if "\t" in text:
            return _words_or_unknown(lines)
        even = len({len(line) for line in lines if line}) == 1
        if any(" " in line for line in lines):
            counted = all(re.fullmatch(_COUNTED, line) for line in lines if line.strip())
            return kinds.PRINTED if even and not (prose or counted) else _words_or_unknown(lines)
        return kinds.LETTERS if even else kinds.WORDS
    return _words_or_unknown(lines)


def _words_or_unknown(lines: list[str]) -> Kind:
    """Return WORDS if each line begins like an entry of a list, perhaps with a score or clue."""
    entries = (line.strip() for line in lines if any(map(str.isalnum, line)))
    return kinds.WORDS if all(re.fullmatch(_ENTRY, entry) for entry in entries) else kinds.UNKNOWN
