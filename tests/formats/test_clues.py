"""Clue files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TEXT_CHARACTERS

from satcross import Crossword, Grid, InputError
from satcross.formats.clues import (
    add_clues,
    add_enumerations,
    format_clue_template,
    format_missing_clues,
    read_clues,
    written_forms,
)
from satcross.formats.written import default_written

GRID = Grid.from_rows(["___", "_#_", "___"])
SHEET = Crossword.of(GRID, {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"})


def read(folder: Path, text: str) -> tuple[dict[str, str], tuple[str, ...]]:
    path = folder / "clues"
    path.write_text(text, encoding="utf-8")
    found = read_clues(str(path))
    return {clue.key: clue.text for clue in found.clues}, found.notes


@pytest.mark.parametrize(
    ("text", "clues"),
    [
        ("CAT\tIt purrs\nBED\tBunk\n", {"CAT": "It purrs", "BED": "Bunk"}),
        ("cat\t It purrs, mostly\t(3) \r\n\r\n", {"CAT": "It purrs, mostly\t(3)"}),
        ("14a\tA slot's own\nICE CREAM\tCold", {"14A": "A slot's own", "ICECREAM": "Cold"}),
        ("word,clue\nCAT,It purrs\n", {"CAT": "It purrs"}),
        ("CAT,It purrs, mostly; yes\n", {"CAT": "It purrs, mostly; yes"}),
        ("CAT;It purrs, mostly; yes\n", {"CAT": "It purrs, mostly; yes"}),
        ('CAT,"A\n""pet"" of\nthe house"\nBED,Bunk\nDOG,\n',
            {"CAT": 'A "pet" of the house', "BED": "Bunk"}),
        ("CAT;70;It purrs\nSEVEN;7\nBED;Bunk; cot\n",
            {"CAT": "It purrs", "SEVEN": "7", "BED": "Bunk; cot"}),
        ('CAT,"It says ""purr"", mostly"\n\nBED,"Two\nlines"\n',
            {"CAT": 'It says "purr", mostly', "BED": "Two lines"}),
        ("\ufeffe\u0301te\u0301\tSummer\n", {"\xc9T\xc9": "Summer"}),
        ("CAT\t\nBED\t \n", {}),
    ],
)  # fmt: skip
def test_clue_files(tmp_path: Path, text: str, clues: dict[str, str]) -> None:
    assert read(tmp_path, text)[0] == clues


def test_oddities_are_noted(tmp_path: Path) -> None:
    clues, notes = read(tmp_path, "CAT\tIt purrs\nCAT\tPet\nBED\n\nCAT\tIt purrs\n")
    assert clues == {"CAT": "It purrs"}
    assert notes == ("1 repeated clue is ignored (CAT, line 2)", "1 line has no clue (line 3)")
    notes = read(tmp_path, "CAT;50\nBED;60\nTOD;40\n")[1]
    assert "write scores before the clues" in notes[0]
    notes = read(tmp_path, "plant,hint\nrose,Thorny\nfern,Green\n")[1]
    assert "line 1 is read as the word 'plant' with the clue 'hint'" in notes[-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file contains no clues; write WORD, a tab, and the clue"),
        ("\tIt purrs\n", ":1: the clue It purrs has no word"),
        ('CAT,"It purrs\nBED,Bunk\n', ":2: not valid CSV"),
        ('CAT,"It" purrs\n', ":1: not valid CSV"),
    ],
)
def test_broken_clue_files(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)


@given(text=st.text(TEXT_CHARACTERS | st.sampled_from('\t,;"\n\r'), max_size=30))
def test_any_clue_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any-clues"
    path.write_bytes(text.encode())
    message = ""
    try:
        found = read_clues(str(path))
    except InputError as error:
        message = str(error)
    if message:
        assert message.isprintable()
    else:
        assert all(clue.key and clue.text for clue in found.clues)


@pytest.mark.parametrize(
    "text",
    [
        "1 Across: It purrs\n2 Down: Fox\n",
        "1a. It purrs\n2d. Fox\n",
        "Across\n1 It purrs\n\nDown\n2. Fox\n",
        "Waagerecht\n1) It purrs\nSenkrecht:\n2: Fox\n",
    ],
)
def test_clues_of_slots(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text)[0] == {"1A": "It purrs", "2D": "Fox"}


def test_clues_are_added(tmp_path: Path) -> None:
    def added(sheet: Crossword, text: str) -> tuple[Crossword, list[str]]:
        (tmp_path / "c").write_text(text)
        return add_clues(sheet, read_clues(tmp_path / "c"))

    text = "CAT\tIt purrs\n1D\tYoung bear\nCUB\tTrainee\nDOG\tx\n9A\ty\n"
    crossword, notes = added(SHEET, text)
    assert crossword.clues == {"1A": "It purrs", "1D": "Young bear"}
    assert notes == ["2 clues are for words not in the fill (first DOG, line 4)"]
    assert format_missing_clues(crossword) == "2 of 4 slots have no clue: 2D TOD, 3A BED"
    assert format_clue_template(crossword) == "BED\t\nTOD\t\n"  # across first
    crossword, notes = added(SHEET, "CAT\ta\nCUB\tb\nTOD\tc\nBED\td\n")
    assert (notes, format_missing_clues(crossword), format_clue_template(crossword)) == ([], "", "")
    crossword = Crossword.of(GRID, {"1A": "CAT"})  # slots without a word
    assert format_clue_template(crossword) == "CAT\t\n3A\t\n1D\t\n2D\t\n"
    assert added(crossword, "3A\tBunk\n")[0].clues == {"3A": "Bunk"}


def test_enumerations(tmp_path: Path) -> None:
    grid = Grid.from_rows(["_" * 8, "_#######", "_" * 6 + "##"])
    crossword = Crossword.of(grid, {"1A": "ICECREAM", "1D": "INT", "2A": "TSHIRT"})
    written = {"ICECREAM": "ice cream", "TSHIRT": "t shirt"}
    assert format_clue_template(crossword, written) == "ice cream\t\nt shirt\t\nINT\t\n"
    (tmp_path / "c").write_text("ice cream\tIt melts\nT-shirt\tTop\nINT\tNumber (3)\n")
    clue_list = read_clues(str(tmp_path / "c"))
    clued, notes = add_clues(crossword, clue_list)
    assert notes == []
    enumerated = add_enumerations(clued, {**written, **written_forms(clue_list)}).clues
    assert enumerated == {"1A": "It melts (3,5)", "1D": "Number (3)", "2A": "Top (1-5)"}
    assert add_enumerations(clued, {}).clues["1A"] == "It melts (8)"
    assert add_enumerations(crossword, written).clues["1A"] == "(3,5)"
    listed = default_written()
    assert (listed["TSHIRT"], listed["GETSUSEDTO"]) == ("T-shirt", "gets used to")
