"""What a file is, decided by its content: the only place that does.

``sniff`` recognises every kind that satcross reads, and many that it does not, so that these are
refused by name instead of being read as something else. The name of a file is never looked at.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from satcross.errors import InputError, located
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
from satcross.formats.registry import FORMATS, HEADINGS
from satcross.grid import BLOCKED, FULL_BLOCK, OPEN
from satcross.support.frozen import frozen

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

HEADING = "satcross grid"
"""The first line of a decorated structure."""
_EXPORT = "export the crossword there as .ipuz, .puz or .jpz"
_NO_CROSSWORD = "give a crossword, a structure or a printed grid"


@frozen
class Kind:
    """What a file is.

    ``name`` completes "the file is ...". ``module`` is the module of ``satcross.formats`` whose
    ``parse_crossword`` reads it, or "" for what satcross does not read; ``remedy`` then says what
    to do.
    """

    name: str
    module: str = ""
    remedy: str = ""


PUZ = Kind("a .puz crossword", "puz")
IPUZ = Kind("an .ipuz crossword", "ipuz")
JPZ = Kind("a .jpz crossword", "jpz")
XD = Kind("an .xd crossword", "xd")
EXOLVE = Kind("an Exolve crossword", "exolve")
ACROSS_LITE = Kind("a crossword in Across Lite's text format", "across_lite")
CROSSFIRE = Kind("a CrossFire crossword", "crossfire")
NEWSPAPER = Kind("a newspaper's crossword in JSON", "newspaper")
JSON = Kind("a crossword in JSON", "json")
PAGE = Kind("a crossword page of satcross", "html")
DECORATED = Kind("a decorated structure", "text")
STRUCTURE = Kind("a structure", "text")
PRINTED = Kind("a printed grid", "text")
LETTERS = Kind("a printed grid or a list of words of one length", "text")
EMPTY = Kind("an empty file", "text")
WORDS = Kind(
    "a list of words, not a crossword", "", "make a crossword of it: satcross layout LIST OUT.ipuz"
)
OTHER_JSON = Kind("JSON that is no crossword of satcross", "", _EXPORT)
BROKEN_XML = Kind("an XML file", "", _EXPORT)
UNKNOWN = Kind("text that is no crossword, structure or printed grid", "", _NO_CROSSWORD)
BINARY = Kind("not a text file", "", "give plain text, gzipped or not")

VAGUE = (UNKNOWN, BINARY, EMPTY, BROKEN_XML, OTHER_JSON, WORDS, LETTERS)
"""Kinds that damaged files of other kinds may look like."""

TEXTS = (DECORATED, STRUCTURE, PRINTED, LETTERS, EMPTY)
"""Kinds that the module ``text`` reads."""


def _foreign(name: str, remedy: str = _EXPORT) -> Kind:
    return Kind(name, "", remedy)


_PICTURE = _foreign("a picture", "type the grid as a structure, or export it as data")
_MAGIC = (
    (b"\xa5D\xef\x01", _foreign("a Crossword Compiler project (.ccw)")),
    (b"%PDF", _foreign("a PDF document", "give the crossword's data, such as .ipuz or .puz")),
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"GIF8", _PICTURE),
    (b"BM", _PICTURE),
    (b"II*\0", _PICTURE),
    (b"MM\0*", _PICTURE),
    (b"RIFF", _PICTURE),
    (b"{\\rtf", _foreign("a rich text document (.rtf)", "save it as plain text")),
    (b"\xd0\xcf\x11\xe0", _foreign("an old Office document", "save it as plain text")),
    (b"SQLite format 3", _foreign("a database")),
    (b"7z\xbc\xaf", _foreign("a 7z archive", "unpack it")),
    (b"Rar!", _foreign("a RAR archive", "unpack it")),
)
"""The first bytes of binary files, and what they are."""

_OFFICE = (
    ("word/", _foreign("a Word document (.docx)", "save it as plain text")),
    ("xl/", _foreign("an Excel workbook (.xlsx)", "save it as CSV or plain text")),
    ("ppt/", _foreign("a PowerPoint presentation", "save it as plain text")),
    ("content.xml", _foreign("an OpenDocument file", "save it as plain text")),
    ("META-INF/", _foreign("an archive of a program or book")),
)
"""Names in zip archives, and what such an archive is."""

_ROOTS = {
    "svg": _PICTURE,
    "puzzles": _foreign("an .xpf crossword of XWord Info"),
    "crossword": _foreign("a crossword in the XML of Universal Uclick"),
    "crossword_puzzle": _foreign("a crossword in the XML of Universal Uclick"),
    "crosswordpuzzle": _foreign("a crossword in the XML of another program"),
}
"""Root of an XML file, in lower case -> what it is."""

_JPZ_BODY = (
    r"<(?:\w+:)?(crossword|acrostic|coded|kakuro|sudoku|wordsearch|word-search|word-clues)[\s/>]"
)
_COMMENT = r"(?s)<!--.*?(-->|\Z)"
_ROOT = r"<(?:\w+:)?([A-Za-z][\w.-]*)"
_EXOLVE = r"(?m)^[^\n]{0,200}\bexolve-begin\b"
_EXOLVE_GRID = r"(?m)^[^\S\n]*+exolve-grid:"
_XD_HEADING = r"(?im)^##\s+(?:metadata|grid|clues|design|start)\s*$"
_XD_HEADER = r"[A-Za-z][\w .-]{0,30}:"
_XD_GRID = r"\n[ \t]*+\n(?:[ \t]*+\n)*+[ \t]*+([^\s:]{2,})[ \t]*(?:\n|$)"
_XD_CLUE = r"(?m)^[ \t]*[A-Z]?\d+\.[ \t]"
_OTHER_TEXTS = (
    (
        "[[",
        r"(?m)^\[\[[A-Za-z][\w.-]*\]\][ \t]*$",
        _foreign(
            "a suite or plan in TOML, not a crossword",
            "run a suite with satcross bench, a plan with satcross series",
        ),
    ),
    (
        "FX",
        r"(?m)^[SP]FX[ \t]+\S+[ \t]+[YN][ \t]+\d+[ \t]*$",
        _foreign("an affix file of hunspell (.aff)", "give the words, the .dic beside it"),
    ),
)
"""What is in the lines that only one kind of text has, such lines, and what it is."""
_CALL = r"(?:(?:var|let|const)\s+)?[\w$.]+\s*(?:=|\()\s*(?=[{\[])"
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


def without_comments(text: str, put: Callable[[str], str] = lambda comment: "") -> str:
    """Return a text with something put for each comment of HTML; one that does not end stays."""
    if "<!--" not in text:
        return text
    return re.sub(_COMMENT, lambda found: put(found[0]) if found[1] else found[0], text)


def sniff(data: bytes) -> Kind:
    """Return what the bytes of a file are; gzipped files and archives are looked into."""
    with suppress(InputError):
        return _sniff_content(unpack(Data("the file", data), MAX_TEXT_BYTES)[0].data)
    return BINARY


def _sniff_content(data: bytes) -> Kind:
    with suppress(InputError):
        if b"ACROSS&DOWN\0" in data[:8192]:
            return PUZ
        return _by_magic(data) or sniff_text(decode_text(Data("the file", data)).text)
    return BINARY


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
            if _sniff_content(stream.read(MAX_FILE_BYTES)).module not in ("", STRUCTURE.module):
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
        return EMPTY
    return _sniff_lines(text) if _CELLS.issuperset(begin) else _sniff_signs(text, begin)


def _sniff_signs(text: str, begin: str) -> Kind:
    """Return what a text is by how it begins and by the signs of formats in it."""
    heading = begin.partition("\n")[0].strip()
    if heading == HEADING:
        return DECORATED
    if extension := HEADINGS.get(heading):
        return Kind(f"a {extension} crossword", FORMATS[extension].rpartition(".")[2])
    if begin.upper().startswith("<ACROSS PUZZLE"):
        return ACROSS_LITE
    # What a pattern needs is looked for first: most texts lack it, and no pattern is compiled.
    if "exolve-begin" in text and _is_exolve(text):
        return EXOLVE
    others = (k for part, lines, k in _OTHER_TEXTS if part in text and re.search(lines, text))
    if other := next(others, None):
        return other
    if begin[0] in "{[" or _called(begin):
        return _sniff_json(begin)
    without = without_comments(text)
    if "##" in without and re.search(_XD_HEADING, without):
        return XD
    if begin.startswith("<"):
        return _sniff_markup(without.lstrip())
    return XD if _is_plain_xd(without) else _sniff_lines(text)


def _is_exolve(text: str) -> bool:
    begun = text.lstrip().startswith("exolve-begin")
    return begun or bool(re.search(_EXOLVE, text) and re.search(_EXOLVE_GRID, text))


def _is_plain_xd(text: str) -> bool:
    """Whether a text begins with headers, and has a grid or clues after a blank line."""
    if ":" not in text or not re.match(_XD_HEADER, text.lstrip()):
        return False
    return bool(re.search(_XD_GRID, text) or re.search(_XD_CLUE, text))


def unwrap_json(text: str) -> str:
    """Return the JSON in a text, which may be the argument of a call or the value of a variable."""
    begin = text.strip()
    if (call := _called(begin)) is None:
        return text
    return begin[call.end() :].rstrip("; \t\r\n").removesuffix(")")


def _called(text: str) -> re.Match[str] | None:
    """Return the call or assignment with which a text begins, up to its JSON."""
    return re.match(_CALL, text) if "{" in text or "[" in text else None


def _sniff_json(text: str) -> Kind:
    import json

    try:
        data = json.loads(unwrap_json(text))
    except (ValueError, RecursionError):
        if "ipuz.org" in text or text.startswith("ipuz"):
            return IPUZ
        return OTHER_JSON if text[0] in "{[" else _sniff_lines(text)
    first = data[0] if isinstance(data, list) and data else data
    found = _sniff_object(first) if isinstance(first, dict) else OTHER_JSON
    if found is not IPUZ and first is not data:
        found = OTHER_JSON
    return _FOREIGN_JSON if found is OTHER_JSON and _has_clues(data) else found


def _has_clues(data: object, depth: int = 8) -> bool:
    """Whether JSON of another program has clues somewhere within."""
    if isinstance(data, dict):
        return bool(_CLUE_KEYS & data.keys()) or any(
            _has_clues(value, depth - 1) for value in data.values() if depth
        )
    return isinstance(data, list) and bool(depth) and any(_has_clues(v, depth - 1) for v in data)


_FOREIGN_JSON = _foreign("a crossword in another program's JSON")
_CLUE_KEYS = frozenset(("clues", "clueLists", "cluesets", "words_in_grid", "gridsize"))
_OBJECTS: tuple[tuple[frozenset[str], Kind], ...] = tuple(
    (frozenset(keys.split()), kind)
    for keys, kind in (
        ("placedWords box", _foreign("a PuzzleMe crossword of AmuseLabs")),
        ("entries dimensions", _foreign("a crossword in The Guardian's JSON")),
        ("AllAnswer", _foreign("a crossword in the JSON of Universal Uclick")),
        ("answerKey clueData", _foreign("an acrostic in JSON")),
        ("puzzle_data", _foreign("a crossword in the JSON of The New York Times")),
        ("body", _foreign("a crossword in the JSON of The New York Times")),
        ("cells clues", _FOREIGN_JSON),
        ("cells words", _FOREIGN_JSON),
        ("data", _FOREIGN_JSON),
    )
)
"""Keys of JSON objects that other programs write, and what they are."""


def _sniff_object(data: Mapping[str, object]) -> Kind:
    kind = data.get("kind")
    described = " ".join(map(str, kind)) if isinstance(kind, list) else str(kind or "")
    if "ipuz" in f"{data.get('version')} {described}" or ("puzzle" in data and described):
        return IPUZ
    if data.get("format") == "satcross backup":
        return _foreign("a backup of the page", "open it in the page, and save a project there")
    clues, grid = data.get("clues"), data.get("grid")
    if isinstance(grid, list) and isinstance(clues, dict):
        if str(data.get("type")).lower() == "acrostic":
            return _foreign("an acrostic in JSON")
        return NEWSPAPER
    for keys, other in _OBJECTS:
        if keys <= data.keys() and grid is None:
            return other
    ours = {"grid", "fills", "status", "format"} & data.keys()
    return JSON if ours else OTHER_JSON


def _sniff_markup(text: str) -> Kind:
    """Return what a text is that begins with a tag."""
    if 'type="application/json" id="sheet"' in text:
        return PAGE
    start = re.sub(r"<[?!][^>]*>", "", text[:5000]).lstrip()
    root = (match[1] if (match := re.match(_ROOT, start)) else "").lower()
    if root == "html" or text[:100].lower().startswith("<!doctype html"):
        if re.search("amuselabs|puzzleme", text, re.I):
            return _foreign("a page with a PuzzleMe crossword of AmuseLabs")
        return _foreign("an HTML page", "download the crossword itself, as .ipuz, .puz or .jpz")
    if root == "crossfire":
        return CROSSFIRE
    if "rectangular-puzzle" in text:
        body = re.search(_JPZ_BODY, text.partition("rectangular-puzzle")[2])
        if body is not None and body[1] != "crossword":
            return _foreign(f"a .jpz file with another puzzle ({body[1]})", "give a crossword")
        return JPZ
    return _ROOTS.get(root, BROKEN_XML) if root else _sniff_lines(text)


def _sniff_lines(text: str) -> Kind:
    """Return what a text is whose lines are cells or words."""
    lines, characters = text.splitlines(), set(text)
    # Without marks of letters: they are no signs of their own.
    signs = {sign for sign in characters if not (sign.isspace() or sign.isalnum())}
    may_be_prose = any(c.isdecimal() or "a" <= c <= "z" or "ß" <= c <= "ÿ" for c in characters)
    prose = "\t" in text or (may_be_prose and bool(re.search(_PROSE, text)))
    if FULL_BLOCK in text:
        return UNKNOWN if prose else PRINTED
    others = signs - {OPEN, BLOCKED}
    if OPEN in signs:
        fits = not prose and len(others) <= _MAX_SIGNS and not others & _SENTENCE_SIGNS
        width = max(len(line) for line in lines if OPEN in line)
        words = (line for line in lines if line.isalpha() and not line.isupper())
        fits = fits and all(len(word) == width for word in words)
        return STRUCTURE if fits else UNKNOWN
    if BLOCKED not in signs and any(map(str.isdigit, text)) and not any(map(str.isalpha, text)):
        return _words_or_unknown(lines)
    if signs & {".", "?"} and signs <= {".", "?", BLOCKED}:
        return UNKNOWN if prose else PRINTED
    if signs <= {BLOCKED}:
        if BLOCKED in signs and not prose:
            return PRINTED
        if "\t" in text:
            return _words_or_unknown(lines)
        even = len({len(line) for line in lines if line}) == 1
        if any(" " in line for line in lines):
            counted = all(re.fullmatch(_COUNTED, line) for line in lines if line.strip())
            return PRINTED if even and not (prose or counted) else _words_or_unknown(lines)
        return LETTERS if even else WORDS
    return _words_or_unknown(lines)


def _words_or_unknown(lines: list[str]) -> Kind:
    """Return WORDS if each line begins like an entry of a list, perhaps with a score or clue."""
    entries = (line.strip() for line in lines if any(map(str.isalnum, line)))
    return WORDS if all(re.fullmatch(_ENTRY, entry) for entry in entries) else UNKNOWN
