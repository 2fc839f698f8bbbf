"""Features of files that other programs write."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import puz
import pytest

from satcross import InputError, read_crossword, write_crossword
from satcross.crossword import Clue
from satcross.formats.common import read_date
from satcross.formats.readers import import_crossword
from satcross.support.texts import TextSettings, use_texts

FILL = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}
ROWS = ("___", "_#_", "___")


def make_puz(**more: object) -> puz.Puzzle:
    puzzle = puz.Puzzle()
    puzzle.width = puzzle.height = 3
    puzzle.solution, puzzle.fill = "CATU.OBED", "----.----"
    puzzle.title, puzzle.author, puzzle.copyright = "Title", "Author", "\xa9 Nobody"
    puzzle.clues = ["It purrs", "Young bear", "Fox", "Bunk"]
    for name, value in more.items():
        setattr(puzzle, name, value)
    return puzzle


def test_puz_made_by_puzpy_is_written_byte_for_byte(tmp_path: Path) -> None:
    puzzle = make_puz(notes="Notes,\r\nin two lines")
    puzzle.fill = "C---.----"
    puzzle.markup().set_markup_squares([0, 8], puz.GridMarkup.Circled)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    crossword = read_crossword(tmp_path / "a.puz")
    assert crossword.words == FILL
    assert crossword.grid.rows == ("C__", "_#_", "___")
    assert crossword.clues == dict(
        zip(FILL, ["It purrs", "Young bear", "Fox", "Bunk"], strict=True)
    )
    assert (crossword.title, crossword.author, crossword.copyright) == (
        "Title",
        "Author",
        "\xa9 Nobody",
    )
    assert crossword.notes == "Notes,\r\nin two lines"
    assert crossword.grid.circled == {(0, 0), (2, 2)}
    assert write_crossword(crossword, tmp_path / "b.puz") == []
    assert (tmp_path / "b.puz").read_bytes() == (tmp_path / "a.puz").read_bytes()


def test_puz_with_things_we_do_not_keep(tmp_path: Path) -> None:
    """Old versions, timers, marked mistakes, and extra bytes are read but not written."""
    puzzle = make_puz(preamble=b"hello", postscript=b"\r\n")
    puzzle.set_version("1.2")
    puzzle.timer().elapsed_seconds = 77
    puzzle.markup().set_markup_squares([1], puz.GridMarkup.Revealed)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    crossword = read_crossword(tmp_path / "a.puz")
    assert (crossword.words, crossword.grid.circled) == (FILL, frozenset())
    write_crossword(crossword, tmp_path / "b.puz")
    assert (tmp_path / "b.puz").read_bytes() == make_puz().tobytes()


def test_puz_with_quotes_of_windows(tmp_path: Path) -> None:
    puzzle = make_puz(title="\x93Quoted\x94 \x97 and \x81", notes="\xe9t\xe9")
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    crossword = read_crossword(tmp_path / "a.puz")
    assert (crossword.title, crossword.notes) == ("\u201cQuoted\u201d \u2014 and ", "\xe9t\xe9")
    assert write_crossword(crossword, tmp_path / "b.puz") == []


def test_scrambled_puz(tmp_path: Path) -> None:
    puzzle = make_puz(fill="C---.----")
    puzzle.lock_solution(1234)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    found = import_crossword(str(tmp_path / "a.puz"))
    assert any("with the key " in note for note in found.notes)
    use_texts(TextSettings(key="1234"))
    with_key = import_crossword(str(tmp_path / "a.puz"))
    assert (with_key.crossword.words, with_key.notes) == (FILL, ())
    assert with_key.crossword.grid.rows == ("C__", "_#_", "___")
    use_texts(TextSettings(key="4321"))
    with pytest.raises(InputError, match="the key 4321 does not unscramble the solution"):
        import_crossword(str(tmp_path / "a.puz"))
    use_texts(TextSettings())
    rest = puzzle.solution[1:]
    puzzle.solution = f"1{rest}"
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    found = import_crossword(str(tmp_path / "a.puz"))
    assert found.solution_problem == "the solution is scrambled, and no key fits"
    assert found.crossword.words == {}
    assert found.crossword.clues["1A"] == "It purrs"


def test_italics_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.xd").write_text(
        "Title: T\n\n\nCAT\nU#O\nBED\n\n\nA1. See {/The Cat/} & <dog> ~ CAT\nD1. {/all/} ~ CUB\n"
    )
    crossword = read_crossword(tmp_path / "a.xd")
    assert [clue.italics for clue in map(Clue.of, crossword.clues.values())] == [
        ((4, 11),),
        ((0, 3),),
    ]
    assert crossword.clues["1A"] == "See The Cat & <dog>"
    for extension in ("ipuz", "jpz", "exolve", "xd", "json", "html"):
        assert write_crossword(crossword, tmp_path / f"b.{extension}") == []
        assert read_crossword(tmp_path / f"b.{extension}").clues == crossword.clues
    assert "<li" in (page := (tmp_path / "b.html").read_text())
    assert "<i>The Cat</i> &amp;" in page
    assert write_crossword(crossword, tmp_path / "b.puz") == ["italics in clues"]


def test_diagramless_puz(tmp_path: Path) -> None:
    puzzle = make_puz(solution="CATU:OBED", fill="----:----", puzzletype=0x0401)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    found = import_crossword(str(tmp_path / "a.puz"))
    assert (found.crossword.grid.rows, found.crossword.words) == (ROWS, FILL)
    assert "diagramless" in found.notes[0]


def test_rebus_puz(tmp_path: Path) -> None:
    puzzle = make_puz()
    puzzle.rebus().add_rebus_squares([0], "CHOW")
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    found = import_crossword(str(tmp_path / "a.puz"))
    assert found.solution_problem == ""
    assert found.crossword.words == {**FILL, "1A": "CHOWAT", "1D": "CHOWUB"}


def test_puz_without_a_solution(tmp_path: Path) -> None:
    puzzle = make_puz(solution="XXXX.XXXX", solution_state=puz.SolutionState.NotProvided)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    crossword = read_crossword(tmp_path / "a.puz")
    assert (crossword.grid.rows, crossword.words) == (ROWS, {})


def test_puz_with_clues_for_other_slots(tmp_path: Path) -> None:
    puzzle = make_puz(clues=["It purrs", "Young bear"])
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    found = import_crossword(str(tmp_path / "a.puz"))
    assert found.crossword.clues == {}
    assert list(map(str, found.crossword.other_clues)) == ["It purrs", "Young bear"]
    assert found.notes == ("2 clues for 4 slots, so they are for no slot",)


def ipuz(folder: Path, puzzle: Sequence[object], **more: object) -> str:
    data = {"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/crossword#1"], **more}
    path = folder / "a.ipuz"
    path.write_text(json.dumps({**data, **({"puzzle": puzzle} if puzzle else {})}))
    return str(path)


PUZZLE = [[1, 0, 2], [0, "#", 0], [3, 0, 0]]
SOLUTION = [["C", "A", "T"], ["U", "#", "O"], ["B", "E", "D"]]


@pytest.mark.parametrize(
    ("puzzle", "solution", "more"),
    [
        (PUZZLE, SOLUTION, {}),
        ([["1", "0", "2"], ["0", "#", "0"], ["3", "0", "0"]], SOLUTION, {}),
        ([[1, "", 2], ["", None, ""], [3, "", ""]], SOLUTION, {"empty": ""}),
        ([[1, "-", 2], ["-", "X", "-"], [3, "-", "-"]], [], {"empty": "-", "block": "X"}),
        ([[{"cell": 1}, 0, {"cell": 2}], [0, {"cell": None}, 0], [3, {}, 0]], SOLUTION, {}),
        (PUZZLE, [["C", "A", "T"], ["U", None, "O"], ["B", {"value": "E"}, {"cell": "D"}]], {}),
        ([], [["c", "a", "t"], ["u", "#", "o"], ["b", "e", "d"]], {}),
        ([[0] * 3] * 3, SOLUTION, {"kind": ["http://ipuz.org/crossword/diagramless#1"]}),
        (PUZZLE, SOLUTION, {"dimensions": {"width": 3, "height": 3}, "saved": [["C"]]}),
    ],
)
def test_ipuz_cells(
    tmp_path: Path, puzzle: list[object], solution: list[object], more: dict[str, object]
) -> None:
    both = {"solution": solution} if solution else {}
    crossword = read_crossword(ipuz(tmp_path, puzzle, **both, **more))
    assert crossword.grid.rows == ROWS
    assert crossword.words == (FILL if solution else {})


def test_ipuz_styles_and_given_letters(tmp_path: Path) -> None:
    puzzle = [
        [{"cell": 1, "style": {"shapebg": "circle"}}, {"cell": 0, "value": "a"}, 2],
        [{"style": "ring"}, {"cell": "#", "style": {"color": "cccccc"}}, {"style": "grey"}],
        [3, 0, {"cell": 0, "style": None}],
    ]
    styles = {"ring": {"shapebg": "circle"}, "grey": {"color": "dddddd"}}
    crossword = read_crossword(ipuz(tmp_path, puzzle, styles=styles))
    assert crossword.grid.rows == ("_A_", "_#_", "___")
    assert crossword.grid.circled == {(0, 0), (1, 0)}


@pytest.mark.parametrize(
    "clues",
    [
        {"Across": [[1, "a"], [3, "b"]], "Down": [[1, "c"], [2, "d"]]},
        {"Across": [["1", "a"], ["3", "b"]], "Down": [["1", "c"], ["2", "d"]]},
        {
            "Across": [
                {"number": 1, "clue": "a"},
                {"number": "3", "clue": "b"},
            ],
            "Down": [{"numbers": [1, 2], "clue": "c"}, {"label": "2", "clue": "<b>d</b>"}],
        },
        {"Across:Horizontal": ["a", "b"], "down": ["c", "d"]},
        {
            "Across": [[1, "a"], [3, "b"], [9, "x"]],
            "Down": [[1, "c"], [2, "d"], [2, "e"]],
            "Zones": [],
        },
    ],
)
def test_ipuz_clues(tmp_path: Path, clues: dict[str, object]) -> None:
    crossword = read_crossword(ipuz(tmp_path, PUZZLE, clues=clues))
    assert crossword.clues == {"1A": "a", "1D": "c", "2D": "d", "3A": "b"}


def test_ipuz_with_labels_of_its_own(tmp_path: Path) -> None:
    puzzle = [["A", 0, "B"], [0, "#", 0], ["C", 0, 0]]
    clues = {"Across": [["C", "third"], ["A", "first"]], "Down": [["B", "second"], ["1", "none"]]}
    crossword = read_crossword(ipuz(tmp_path, puzzle, clues=clues))
    assert crossword.clues == {"1A": "first", "2D": "second", "3A": "third", "1D": "none"}


def test_ipuz_texts(tmp_path: Path) -> None:
    path = ipuz(
        tmp_path,
        PUZZLE,
        title="<b>Fish &amp; Chips</b> &lt;3",
        notes="One<br />two<br>three",
        date="7/4/2021",
        editor="Somebody",
    )
    found = import_crossword(path)
    assert found.crossword.title == "Fish & Chips <3"
    assert found.crossword.notes == "One\ntwo\nthree"
    assert found.crossword.date == "2021-07-04"
    assert found.notes == ("ignored: editor",)
    found = import_crossword(ipuz(tmp_path, PUZZLE, date="in spring"))
    assert found.crossword.date == ""
    assert "in spring" in found.notes[0]


def test_dates() -> None:
    found = {
        text: read_date(text)
        for text in ("31/12/2024", "2024/12/31", "12/31/24", "31.12.2024", "2024-12-31T10:00:00Z")
    }
    assert set(found.values()) == {("2024-12-31", False)}
    assert read_date("5/6/2024") == ("2024-05-06", True)
    assert read_date("5.6.2024") == ("2024-06-05", False)
    assert [read_date(text) for text in ("24/12/31", "13/13/2024", "soon")] == [("", False)] * 3


@pytest.mark.parametrize("cell", [["A", "B"], {"Across": "A", "Down": "B"}])
def test_letters_to_choose_from_in_ipuz(tmp_path: Path, cell: object) -> None:
    solution = [[cell, "A", "T"], *SOLUTION[1:]]
    found = import_crossword(ipuz(tmp_path, PUZZLE, solution=solution))
    assert found.solution_problem.startswith("the solution has several letters in a cell")
    assert found.crossword.words == {"2D": "TOD", "3A": "BED"}


def test_ipuz_in_the_old_wrapping(tmp_path: Path) -> None:
    path = Path(ipuz(tmp_path, PUZZLE))
    path.write_text(f"ipuz({path.read_text()});")
    assert read_crossword(path).grid.rows == ROWS


HEADERS = "Title: A title: with colon\nAuthor: N. N.\nEditor: Somebody\nDate: 1955-01-01\n"
CLUES = "A1. It purrs ~ CAT\nA3. Bunk ~ BED\n\nD1. Young bear ~ CUB\nD2. Fox ~ TOD\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADERS}\n\nCAT\nU#O\nBED\n\n\n{CLUES}\n\nA note\n\n\nends here\n",
        f"\n{HEADERS}\n\n\n\n  CAT\n  U#O\n  BED  \n\n\n\n{CLUES}\n\n\n\nA note\n\n\nends here",
        f"## Metadata\n\n{HEADERS}\n\n\n## Grid\n\nCAT\nU#O\nBED\n\n## Clues\n\n{CLUES}\n\n"
        "## Notes\nA note\n\n\nends here\n",
        f"## Clues\n{CLUES}## grid\nCAT\nU_O\nBED\n## NOTES\nA note\n\n\nends here\n"
        f"## Metadata\n{HEADERS}",
    ],
)
def test_xd_sections(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.xd").write_text(text, encoding="utf-8")
    found = import_crossword(str(tmp_path / "a.xd"))
    crossword = found.crossword
    assert (crossword.grid.rows, crossword.words) == (ROWS, FILL)
    assert crossword.clues == dict(
        zip(FILL, ["It purrs", "Young bear", "Fox", "Bunk"], strict=True)
    )
    assert (crossword.title, crossword.author, crossword.date) == (
        "A title: with colon",
        "N. N.",
        "1955-01-01",
    )
    assert crossword.notes == "A note\n\n\nends here"
    assert found.notes == ("ignored: Editor",)


def test_xd_special_and_rebus_cells(tmp_path: Path) -> None:
    headers = "Title: T\nSpecial: shaded\nRebus: 1=A 2=HEART d=D"
    (tmp_path / "a.xd").write_text(f"{headers}\n\n\nc1T\nU#2\nB.d\n", encoding="utf-8")
    found = import_crossword(str(tmp_path / "a.xd"))
    assert found.crossword.grid.shaded == {(0, 0), (2, 2)}
    assert found.crossword.solution == (("C", "A", "T"), ("U", None, "HEART"), ("B", None, "D"))


def test_xd_lower_case_without_special(tmp_path: Path) -> None:
    (tmp_path / "a.xd").write_text("Title: T\n\n\ncat\n", encoding="utf-8")
    crossword = read_crossword(tmp_path / "a.xd")
    assert (crossword.words, crossword.grid.circled) == ({"1A": "CAT"}, frozenset())


@pytest.mark.parametrize(
    ("line", "clue"),
    [
        ("A1. A ~ B ~ CAT", "A ~ B"),
        ("A1. No answer", "No answer"),
        ("A1.  ~ CAT", ""),
        ("A1. [XXX] ~ CAT", ""),
        (
            "A1. {/Slanted/} and {*bold*}, {_under_} {-struck-} ~ CAT",
            "Slanted and bold, under struck",
        ),
        ("A1. Two\\lines ~ CAT", "Two\nlines"),
        ("A1. It purrs ~ CAT\nA1 ^Refs: A2 D4", "It purrs"),
    ],
)
def test_xd_clues(tmp_path: Path, line: str, clue: str) -> None:
    (tmp_path / "a.xd").write_text(f"Title: T\n\n\nCAT\n\n\n{line}\n", encoding="utf-8")
    assert read_crossword(tmp_path / "a.xd").clues.get("1A", "") == clue


def test_xd_clues_of_other_groups_are_noted(tmp_path: Path) -> None:
    text = "Title: T\n\n\nCAT\n\n\nA1. x ~ CAT\nA7. y ~ DOG\n12. z ~ COW\n"
    (tmp_path / "a.xd").write_text(text, encoding="utf-8")
    found = import_crossword(str(tmp_path / "a.xd"))
    assert found.notes == ("2 clues are for no slot of the grid (first 7A)",)
    assert list(map(str, found.crossword.other_clues)) == ["y", "z"]


def test_a_folder_or_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.puz").mkdir()
    for name, said in (("a.puz", "is a directory"), ("b.xd", "no such file")):
        with pytest.raises(InputError, match=said):
            read_crossword(tmp_path / name)
