"""Damaged, odd or hostile files give a crossword, or one line that says what is wrong."""

from __future__ import annotations

import gzip
import json
import zipfile
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import puz
import pytest
from attack.files import mutate
from hypothesis import currently_in_test_context, event, given, settings
from hypothesis import strategies as st

from satcross import Crossword, Grid, InputError, read_crossword, write_crossword
from satcross.formats.common import MAX_SIDE
from satcross.formats.files import MAX_FILE_BYTES, Data, decode_text
from satcross.formats.readers import import_crossword, import_data, to_structure
from satcross.formats.registry import FORMATS, WRITE_ONLY
from satcross.formats.words import parse_words
from satcross.support.alarms import cpu_alarm

READABLE = tuple(extension for extension in FORMATS if extension not in WRITE_ONLY)
ARCHIVES = {
    ".zip": zipfile.ZIP_STORED,
    ".deflate.zip": zipfile.ZIP_DEFLATED,
    ".bzip2.zip": zipfile.ZIP_BZIP2,
    ".lzma.zip": zipfile.ZIP_LZMA,
}
SAMPLE = Crossword(
    Grid(("__C#", "_#__", "____", "#___"), circled=frozenset({(0, 1)})),
    ((*"RÉC", None), ("O", None, "A", "B"), tuple("DATA"), (None, "Я", "E", "L")),
    {"1A": "It says \u201cso\u201d & more", "1D": "Pole"},
    title="Sample",
    notes="Two\nlines",
    date="2024-02-29",
)


class Files(dict[str, bytes]):
    """Files by extension, of which a property that fails prints no contents."""

    def __repr__(self) -> str:
        return f"<{', '.join(self)}>"


@pytest.fixture(scope="module")
def valid(folder: Path) -> Files:
    """The sample in every format."""
    found = Files()
    for extension in READABLE:
        write_crossword(SAMPLE, folder / f"valid{extension}")
        found[extension] = (folder / f"valid{extension}").read_bytes()
    for extension, compression in ARCHIVES.items():
        with zipfile.ZipFile(folder / extension, "w", compression) as archive:
            archive.writestr("readme.txt", "Some text.")
            archive.writestr("puzzle.xd", found[".xd"])
        found[extension] = (folder / extension).read_bytes()
    return found


def read_or_refuse(folder: Path, extension: str, data: bytes) -> Crossword | None:
    """Return the checked crossword, or None if the file is rejected in one line that names it."""
    path = folder / f"any{extension}"
    path.write_bytes(data)
    found = None
    message = ""
    try:
        found = import_crossword(str(path))
    except InputError as error:
        message = str(error)
    if currently_in_test_context():
        event(f"{extension}: {'refused' if found is None else 'read'}")
    if found is None:
        assert message.startswith(str(path))
        assert message.isprintable()
        return None
    assert found.crossword.grid.slots
    assert all(note.isprintable() for note in (*found.notes, found.solution_problem))
    assert to_structure(found, letters=True).grid.structure == found.crossword.grid.structure
    return found.crossword


@settings(max_examples=200)
@given(random=st.randoms(), extension=st.sampled_from((*READABLE, *ARCHIVES)))
def test_damaged_bytes(folder: Path, valid: Files, extension: str, random: Random) -> None:
    data = bytearray(valid[extension])
    for _ in range(random.randint(1, 3)):
        mutate(random, data)
    crossword = read_or_refuse(folder, extension, bytes(data))
    if crossword is not None:
        write_crossword(crossword, folder / "again.ipuz")
        assert read_crossword(folder / "again.ipuz").grid.structure == crossword.grid.structure


ODD_VALUES: list[object] = [
    *(None, True, False, 0, -1, 7, 10**9, 10**400, 1.5, float("nan"), float("inf")),
    *("", " ", "A", "AB", "#", "0", "_", "\ud800", "\0", "\u202e", "12/31/0000", "\u0661/1/2000"),
    *([], {}, [[]], [{}], {"": None}, [1, 2], [1, "two", 3], ["A"], [["A", "B"], ["C"]]),
    *(
        {"cell": 1},
        {"cell": None, "value": "AB"},
        {"style": {"shapebg": "circle"}},
        {"style": "no"},
    ),
    *({"number": 1, "clue": "x"}, {"numbers": [], "clue": 3}, {"value": ["A"]}, {"Across": "A"}),
    *([[[[]]]], "x" * 300, ["_" * 300] * 2, [["A"] * 300] * 2),
]


def places(data: object) -> list[tuple[object, object]]:
    """Yield every container in the data with each of its keys."""
    found: list[tuple[object, object]] = []
    if isinstance(data, dict | list):
        for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
            found += [(data, key), *places(value)]
    return found


@settings(max_examples=200)
@given(draw=st.data(), extension=st.sampled_from((".ipuz", ".json")))
def test_odd_values(folder: Path, valid: Files, extension: str, draw: st.DataObject) -> None:
    data = json.loads(valid[extension])
    for _ in range(draw.draw(st.integers(1, 2))):
        container, key = draw.draw(st.sampled_from(places(data)))
        if draw.draw(st.booleans()):
            container[key] = deepcopy(draw.draw(st.sampled_from(ODD_VALUES)))  # type: ignore[index]
        else:
            del container[key]  # type: ignore[attr-defined]
    read_or_refuse(folder, extension, json.dumps(data).encode())


PUZ_CELLS = st.text(".:-AXz0 é\x01\x85", min_size=16, max_size=16)
PUZ_FIELDS = {
    "version": st.sampled_from([b"1.2", b"1.3", b"2.0", b"9.9"]),
    "size": st.sampled_from([(2, 8), (16, 1), (1, 16), (8, 2)]),
    "solution": PUZ_CELLS,
    "fill": PUZ_CELLS,
    "clues": st.lists(st.text("ab\x1b\n", max_size=3), max_size=9),
    "puzzletype": st.sampled_from([0, 1, 0x0401, 7]),
    "solution_state": st.sampled_from([0, 2, 4, 9]),
    "extensions": st.dictionaries(
        st.sampled_from([b"GRBS", b"RTBL", b"RUSR", b"GEXT", b"LTIM", b"WXYZ"]),
        st.binary(max_size=20) | st.binary(min_size=16, max_size=16),
    ),
    "title": st.text("a\x1b\n\x85é", max_size=4),
}


@settings(max_examples=150)
@given(fields=st.fixed_dictionaries({}, optional=PUZ_FIELDS))
def test_puz_files_with_right_checksums_and_wrong_contents(
    folder: Path, valid: Files, fields: dict[str, Any]
) -> None:
    puzzle = puz.load(valid[".puz"])
    puzzle.set_version(fields.pop("version", b"1.3"))
    puzzle.width, puzzle.height = fields.pop("size", (4, 4))
    for name, value in fields.items():
        setattr(puzzle, name, value)
    puzzle.helpers = {}
    with suppress(ValueError, puz.PuzzleFormatError):
        fields["data"] = puzzle.tobytes()
    read_or_refuse(folder, ".puz", fields.get("data", b""))


def test_every_truncation(folder: Path, valid: Files) -> None:
    large = valid[".puz"][:0x2C] + bytes([MAX_SIDE, MAX_SIDE]) + valid[".puz"][0x2E:]
    assert read_or_refuse(folder, ".puz", large) is None  # it claims to have more cells
    # Missing extensions of .puz, and missing rows of .xd with all that follows, can't be noticed.
    surely = {".puz": valid[".puz"].find(b"GRBS"), ".xd": valid[".xd"].find(b"\n\n\n")}
    for extension in (".puz", ".ipuz", ".xd", ".json"):
        data = valid[extension]
        end = surely.get(extension, len(data) - 1)
        for cut in range(0, len(data), 1 if extension == ".puz" else 7):
            assert read_or_refuse(folder, extension, data[:cut]) is None or cut >= end


PAGE = b'<script type="application/json" id="sheet">'
XD = "Title: T\n\n\nCAT\nU#O\nBED\n\n\nA1. x ~ CAT\n"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.puz", b"", "not a .puz file"),
        ("a.puz", b"PK\x03\x04" + bytes(1000), "is a damaged zip archive"),
        ("a.puz", b"\0\0ACROSS&DOWN\0" * 99, "is a damaged .puz file"),
        ("a.ipuz", b"", "not valid JSON"),
        ("a.ipuz", b"[" * 100_000, "not valid JSON (nested too deeply)"),
        ("a.ipuz", b'{"a":' * 100_000, "not valid JSON"),
        ("a.ipuz", b"9" * 10_000, "not valid JSON (a number with thousands"),
        ("a.ipuz", b'{\n\n"kind": ["crossword"]\n:}', "a.ipuz:4: not valid JSON"),
        ("a.ipuz", b'"\xff\xfe"\0', "not a text file"),
        ("a.ipuz", b'{"version": "http://ipuz.org/v2", "puzzle": [[0, 0]]}', "it has no kind"),
        ("a.ipuz", b'{"kind": ["crossword"], "puzzle": 3}', "puzzle is not a list of rows"),
        ("a.ipuz", b'{"kind": ["crossword"], "puzzle": [[0, 0], [0]]}', "row 2 of the grid has 1"),
        ("a.ipuz", b'{"kind": ["crossword"], "puzzle": [[0, "#", 0]]}', "the grid has no slot"),
        ("a.ipuz", json.dumps({"kind": ["crossword"], "puzzle": [[0] * 256]}).encode(), "256 col"),
        ("a.json", b'{"grid": "CAT"}', "grid is not a list of rows"),
        ("a.json", b'{"grid": ["' + b"." * 256 + b'"]}', "256 columns; satcross reads at most 255"),
        ("a.json", b'{"grid": ["CAT"], "circled": [[0, 3]]}', "outside the grid"),
        ("a.json", b'{"grid": ["CAT"], "bars": {"left": []}}', "other keys than right and below"),
        ("a.json", b'{"grid": ["CAT"], "bars": 1}', "other keys than right and below"),
        ("a.json", b'{"grid": ["CAT"], "given": ["C#T"]}', "differ in their blocked cells"),
        ("a.xd", b"", "it has no grid"),
        ("a.exolve", b"exolve-begin\nexolve-end", "it has no exolve-grid"),
        ("a.exolve", b"exolve-begin\nexolve-grid:\n A&\n", "a.exolve:3: & is not a cell"),
        ("a.exolve", b"exolve-begin\nexolve-grid:\n" + b"AB\n" * 256, "a.exolve:258: the grid is"),
        ("a.jpz", b"<a><b></a>", "a.jpz:1: is not XML (mismatched tag)"),
        ("a.jpz", b"<a/>", "it has no crossword with a grid"),
        ("a.jpz", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "has a document type"),
        ("a.jpz", b"PK\3\4", "is a damaged zip archive"),
        ("a.xd", b"Title: T\n\n\n" + b"A" * 1_000_000, "a.xd:4: the grid is too large"),
        ("a.xd", b"Title: T\n\n\n" + b"AB\n" * 256, "a.xd:259: the grid is too large"),
        (
            "a.exolve",
            b"exolve-begin\nexolve-grid:\n  A B~ C\n  D E\nexolve-end\n",
            "a.exolve:4: the row has 2 cells, the first row has 3",
        ),
        ("a.xd", b"Title: T\n\n\nCAT\nDO\n", "a.xd:5: the row has 2 cells, the first row has 3"),
        ("a.xd", b"Title\n\n\nCAT\n", "a.xd:1: Title is not a header; write Title: ..."),
        ("a.xd", b"Rebus: 1HEART\n\n\nC1T\n", "a.xd:1: the Rebus header has 1HEART"),
        ("a.xd", b"Title: T\n\n\nC T\n", "a.xd:4: a cell has ' ', which is not a letter"),
        ("a.xd", XD.encode() + b"Apple\n", "a.xd:10: Apple is not a clue; write it as A1."),
        ("a.xd", XD.encode("utf-32"), "not a text file"),
        ("a.xd", b"a" * (MAX_FILE_BYTES + 1), "more than 4,000,000 bytes"),
        ("a.xd", gzip.compress(bytes(20_000_000)), "more than 4,000,000 bytes"),
        ("a.txt", b"CAT\nD\x07G\n", "not a text file"),
        ("a.txt", b"_" * 300, "300 columns"),
        ("a.txt", b"satcross grid\n_ _\n__\n", "no space after the cell _"),
        ("a.txt", b"satcross grid\n_ (_\n_ _\n", "bracket without its partner"),
        ("a.txt", b"satcross grid\n_ _\n   -\n_ _\n", "column 4 is below no cell"),
        ("a.txt", b"satcross grid\n_ {A B}\n_ _\n", "several letters, A B"),
        ("a.txt", b"satcross grid\n_ {}\n", "{} is not a cell"),
        ("a.txt", b"satcross grid\n_ _\n_\n", ":3: the row has 1 cells"),
        ("a.txt", b"satcross grid\n\n", "no slot"),
        ("a.html", b"<p>Hello</p>", "is not a crossword page; give a page that satcross wrote"),
        ("a.html", PAGE + b'{"grid": [', "is not a crossword page"),
        ("a.html", PAGE + b'{"grid": [</script>', "not valid JSON"),
        ("a.html", PAGE + b'{"grid": 7}</script>', "the data of the page is not a crossword"),
        ("a.html", PAGE + b"[]</script>", "not an object"),
    ],
)
def test_refused_in_one_line(folder: Path, name: str, data: bytes, said: str) -> None:
    (folder / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_crossword(folder / name)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(folder / name))
    assert str(caught.value).isprintable()


IPUZ = '{"kind": ["crossword"], "puzzle": [[0, 0'
MANY, DEEP = 200_000, "[" * 900 + "]" * 900


@pytest.mark.parametrize(
    ("extension", "text"),
    [
        (".ipuz", f"ipuz(){' ' * MANY}x"),
        (".xd", f"## a{' ' * MANY}b\n"),
        (".xd", f"{XD}A3. {'{/' * MANY}~ BED\n"),
        (".ipuz", f'{IPUZ}]], "title": "{"<a " * MANY}"}}'),
        (".ipuz", f"{IPUZ}, {DEEP}]]}}"),
        (".ipuz", f'{IPUZ}]], "clues": {{"Down": [{DEEP}]}}}}'),
        (".json", f'{{"grid": {DEEP}}}'),
        (".json", '{"grid": [' + '"AA",' * MANY + '"AA"]}'),
    ],
)
def test_nothing_takes_forever(folder: Path, extension: str, text: str) -> None:
    with cpu_alarm(20):
        read_or_refuse(folder, extension, text.encode())


@pytest.mark.parametrize(
    "part",
    ["a", "\u00e9", "1", " ", "\n", " \n", "\t", "a ", "a=", "1,", "<!--", "<script", "(", '"'],
)
def test_long_runs_take_linear_time(part: str) -> None:
    """What takes the square of so many would take minutes of CPU time."""
    for head in ("", "Title: T\n\n\nCAT\nU#O\nBED\n\n\nA1. ", "exolve-begin\nexolve-grid:\n"):
        data = Data("a", (head + part * (MANY // 2 // len(part)) + "!\nx\n").encode())
        with cpu_alarm(20):
            for read in (import_data, lambda data: parse_words([decode_text(data)])):
                with suppress(InputError):
                    read(data)
