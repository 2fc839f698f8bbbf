"""What a file is by the signs of formats in it: archives, headings, JSON, markup."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from satcross.errors import InputError
from satcross.formats import kinds
from satcross.formats.files import MAX_FILE_BYTES, Data
from satcross.formats.kinds import Kind
from satcross.formats.registry import FORMATS, HEADINGS

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

_OFFICE = (
    ("word/", Kind("a Word document (.docx)", "save it as plain text")),
    ("xl/", Kind("an Excel workbook (.xlsx)", "save it as CSV or plain text")),
    ("ppt/", Kind("a PowerPoint presentation", "save it as plain text")),
    ("content.xml", Kind("an OpenDocument file", "save it as plain text")),
    ("META-INF/", Kind("an archive of a program or book")),
)
"""Names in zip archives, and what such an archive is."""
_MAX_ENTRIES = 20
"""Files of an archive that are looked at for a crossword."""

_ROOTS = {
    "svg": kinds.PICTURE,
    "puzzles": Kind("an .xpf crossword of XWord Info"),
    "crossword": Kind("a crossword in the XML of Universal Uclick"),
    "crossword_puzzle": Kind("a crossword in the XML of Universal Uclick"),
    "crosswordpuzzle": Kind("a crossword in the XML of another program"),
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
        Kind(
            "a suite or plan in TOML, not a crossword",
            "run a suite with satcross bench, a plan with satcross series",
        ),
    ),
    (
        "FX",
        r"(?m)^[SP]FX[ \t]+\S+[ \t]+[YN][ \t]+\d+[ \t]*$",
        Kind("an affix file of hunspell (.aff)", "give the words, the .dic beside it"),
    ),
)
"""What is in the lines that only one kind of text has, such lines, and what it is."""
_CALL = r"(?:(?:var|let|const)\s+)?[\w$.]+\s*(?:=|\()\s*(?=[{\[])"


def unpack_archive(
    file: Data, max_bytes: int, sniffed: Callable[[bytes], Kind]
) -> tuple[Data, tuple[str, ...]]:
    """Return the first crossword in a zip archive, or else its first file; and remarks.

    Office documents are returned as they are.
    """
    if office(file.data, file.name):
        return file, ()
    archive, entries = _opened(file.data, file.name)
    tried = entries[:_MAX_ENTRIES] if len(entries) > 1 else []
    with _unpacking(file.name):
        kinds_in = ((entry, sniffed(archive.open(entry).read(MAX_FILE_BYTES))) for entry in tried)
        found = (entry for entry, kind in kinds_in if kind.module not in ("", "text"))
        entry = next(found, entries[0])
        data = archive.open(entry).read(max_bytes + 1)
    if len(data) > max_bytes:
        problem = f"has more than {max_bytes:,} bytes when decompressed"
        raise file.error(problem, "give a smaller file")
    many = len(entries)
    notes = (f"the archive has {many} files; {entry.filename} is read",) if many > 1 else ()
    return Data(file.name, data), notes


def office(data: bytes, name: str | None = None) -> Kind | None:
    """Return what an archive is by the names in it. Raises InputError for a damaged archive."""
    names = [entry.filename for entry in _opened(data, name)[1]]
    return next((k for start, k in _OFFICE if any(n.startswith(start) for n in names)), None)


def _opened(data: bytes, name: str | None) -> tuple[ZipFile, list[ZipInfo]]:
    """Return a zip archive and the files in it."""
    from zipfile import ZipFile

    with _unpacking(name):
        archive = ZipFile(io.BytesIO(data))
    files = (entry for entry in archive.infolist() if not entry.is_dir())
    entries = [entry for entry in files if not entry.filename.startswith("__MACOSX")]
    if not entries:
        raise _damaged(name)
    return archive, entries


@contextmanager
def _unpacking(name: str | None) -> Iterator[None]:
    """Say of a damaged archive that it is one: the standard library raises errors of many kinds."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception:
        raise _damaged(name) from None


def _damaged(name: str | None) -> InputError:
    problem = "is a damaged zip archive, or has a password"
    return InputError(problem, "unpack a fresh copy of it", file=name)


def without_comments(text: str, put: Callable[[str], str] = lambda comment: "") -> str:
    """Return a text with something put for each comment of HTML; one that does not end stays."""
    if "<!--" not in text:
        return text
    return re.sub(_COMMENT, lambda found: put(found[0]) if found[1] else found[0], text)


def sniff_signs(text: str, begin: str) -> Kind | str:
    """Return what a text is by how it begins and by signs, or else the lines that tell it."""
    heading = begin.partition("\n")[0].strip()
    if heading == kinds.HEADING:
        return kinds.DECORATED
    if extension := HEADINGS.get(heading):
        return Kind(f"a {extension} crossword", "", FORMATS[extension].rpartition(".")[2])
    if begin.upper().startswith("<ACROSS PUZZLE"):
        return kinds.ACROSS_LITE
    # What a pattern needs is looked for first: most texts lack it, and no pattern is compiled.
    if "exolve-begin" in text and _is_exolve(text):
        return kinds.EXOLVE
    others = (k for part, lines, k in _OTHER_TEXTS if part in text and re.search(lines, text))
    if other := next(others, None):
        return other
    if begin[0] in "{[" or _called(begin):
        return _sniff_json(begin)
    without = without_comments(text)
    if "##" in without and re.search(_XD_HEADING, without):
        return kinds.XD
    if begin.startswith("<"):
        return _sniff_markup(without.lstrip())
    return kinds.XD if _is_plain_xd(without) else text


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


def _sniff_json(text: str) -> Kind | str:
    import json

    try:
        data = json.loads(unwrap_json(text))
    except (ValueError, RecursionError):
        if "ipuz.org" in text or text.startswith("ipuz"):
            return kinds.IPUZ
        return kinds.OTHER_JSON if text[0] in "{[" else text
    first = data[0] if isinstance(data, list) and data else data
    found = _sniff_object(first) if isinstance(first, dict) else kinds.OTHER_JSON
    if found is not kinds.IPUZ and first is not data:
        found = kinds.OTHER_JSON
    return _FOREIGN_JSON if found is kinds.OTHER_JSON and _has_clues(data) else found


def _has_clues(data: object, depth: int = 8) -> bool:
    """Whether JSON of another program has clues somewhere within."""
    if isinstance(data, dict):
        return bool(_CLUE_KEYS & data.keys()) or any(
            _has_clues(value, depth - 1) for value in data.values() if depth
        )
    return isinstance(data, list) and bool(depth) and any(_has_clues(v, depth - 1) for v in data)


_FOREIGN_JSON = Kind("a crossword in another program's JSON")
_CLUE_KEYS = frozenset(("clues", "clueLists", "cluesets", "words_in_grid", "gridsize"))
_OBJECTS: tuple[tuple[frozenset[str], Kind], ...] = tuple(
    (frozenset(keys.split()), kind)
    for keys, kind in (
        ("placedWords box", Kind("a PuzzleMe crossword of AmuseLabs")),
        ("entries dimensions", Kind("a crossword in The Guardian's JSON")),
        ("AllAnswer", Kind("a crossword in the JSON of Universal Uclick")),
        ("answerKey clueData", Kind("an acrostic in JSON")),
        ("puzzle_data", Kind("a crossword in the JSON of The New York Times")),
        ("body", Kind("a crossword in the JSON of The New York Times")),
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
        return kinds.IPUZ
    if data.get("format") == "satcross backup":
        return Kind("a backup of the page", "open it in the page, and save a project there")
    clues, grid = data.get("clues"), data.get("grid")
    if isinstance(grid, list) and isinstance(clues, dict):
        if str(data.get("type")).lower() == "acrostic":
            return Kind("an acrostic in JSON")
        return kinds.NEWSPAPER
    for keys, other in _OBJECTS:
        if keys <= data.keys() and grid is None:
            return other
    ours = {"grid", "fills", "status", "format"} & data.keys()
    return kinds.JSON if ours else kinds.OTHER_JSON


def _sniff_markup(text: str) -> Kind | str:
    """Return what a text is that begins with a tag."""
    if 'type="application/json" id="sheet"' in text:
        return kinds.PAGE
    start = re.sub(r"<[?!][^>]*>", "", text[:5000]).lstrip()
    root = (match[1] if (match := re.match(_ROOT, start)) else "").lower()
    if root == "html" or text[:100].lower().startswith("<!doctype html"):
        if re.search("amuselabs|puzzleme", text, re.I):
            return Kind("a page with a PuzzleMe crossword of AmuseLabs")
        return Kind("an HTML page", "download the crossword itself, as .ipuz, .puz or .jpz")
    if root == "crossfire":
        return kinds.CROSSFIRE
    if "rectangular-puzzle" in text:
        body = re.search(_JPZ_BODY, text.partition("rectangular-puzzle")[2])
        if body is not None and body[1] != "crossword":
            return Kind(f"a .jpz file with another puzzle ({body[1]})", "give a crossword")
        return kinds.JPZ
    return _ROOTS.get(root, kinds.BROKEN_XML) if root else text
