"""What a file is, decided by its content: the only place that does.

``sniff`` recognises every kind that satcross reads, and many that it does not, so that these are
refused by name instead of being read as something else. The name of a file is never looked at.
"""

from __future__ import annotations

import io
import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from satcross.errors import InputError, located
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

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

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

_OFFICE = (
    ("word/", Kind("a Word document (.docx)", "save it as plain text")),
    ("xl/", Kind("an Excel workbook (.xlsx)", "save it as CSV or plain text")),
    ("ppt/", Kind("a PowerPoint presentation", "save it as plain text")),
    ("content.xml", Kind("an OpenDocument file", "save it as plain text")),
    ("META-INF/", Kind("an archive of a program or book")),
)
"""Names in zip archives, and what such an archive is."""

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
_MAX_ENTRIES = 20
"""Files of an archive that are looked at for a crossword."""
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
    return _office(archived(data)) if data.startswith(ZIP_MAGIC) else None


def unpack(file: Data, max_bytes: int = MAX_FILE_BYTES) -> tuple[Data, tuple[str, ...]]:
    """Return the content of a gzipped file, or of one in a zip archive; and remarks.

    In an archive, that is the first crossword, or else the first file. Office documents are
    returned as they are. Raises InputError for a damaged file, and for more than ``max_bytes``.
    """
    if file.data.startswith(GZIP_MAGIC):
        return Data(file.name, decompress(file.data, file.name, max_bytes)), ()
    if not file.data.startswith(ZIP_MAGIC):
        return file, ()
    import zipfile
    import zlib

    with located(file.name):
        entries = archived(file.data)
        if _office(entries):
            return file, ()
        try:
            with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
                entry = _first_crossword(archive, entries)
                with archive.open(entry) as stream:
                    data = stream.read(max_bytes + 1)
        except (OSError, RuntimeError, zlib.error, zipfile.BadZipFile):
            raise _damaged() from None
    if len(data) > max_bytes:
        raise file.error(
            f"has more than {max_bytes:,} bytes when decompressed", "give a smaller file"
        )
    many = len(entries)
    notes = (f"the archive has {many} files; {entry.filename} is read",) if many > 1 else ()
    return Data(file.name, data), notes


def _damaged() -> InputError:
    return InputError("is a damaged zip archive, or has a password", "unpack a fresh copy of it")


def _first_crossword(archive: ZipFile, entries: list[ZipInfo]) -> ZipInfo:
    """Return the first crossword in an archive, or else the first file."""
    for entry in entries[:_MAX_ENTRIES] if len(entries) > 1 else ():
        with archive.open(entry) as stream:
            module = _sniff_content(stream.read(MAX_FILE_BYTES)).module
            if module not in ("", kinds.STRUCTURE.module):
                return entry
    return entries[0]


def _office(entries: list[ZipInfo]) -> Kind | None:
    """Return what an archive is by the names in it."""
    names = [entry.filename for entry in entries]
    return next((k for start, k in _OFFICE if any(n.startswith(start) for n in names)), None)


def archived(data: bytes) -> list[ZipInfo]:
    """Return the files in a zip archive. Raises InputError for a damaged archive."""
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except (OSError, LookupError, RuntimeError, NotImplementedError, zipfile.BadZipFile):
        entries = []
    entries = [entry for entry in entries if not entry.filename.startswith("__MACOSX")]
    if not entries:
        raise _damaged()
    return entries


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
