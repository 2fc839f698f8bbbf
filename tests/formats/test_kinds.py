"""Files as other programs write them: what is read, what is noted, what is refused by its name.

Each case is a kind of fault that real files have shown, in another format or spelling.
"""

from __future__ import annotations

import codecs
import gzip
import io
import json
import re
import zipfile
from pathlib import Path

import puz
import pytest
from helpers import small_puz

from satcross import InputError, read_crossword, write_crossword
from satcross.formats.files import Text
from satcross.formats.fills import read_fills
from satcross.formats.readers import import_crossword, parse_any_structure, read_structure

PUZZLE = [[1, 0, 2], [0, "#", 0], [3, 0, 0]]
SOLUTION = [["C", "A", "T"], ["U", "#", "O"], ["B", "E", "D"]]
ACROSS, DOWN = [[1, "It purrs"], [3, "Bunk"]], [[1, "Young bear"], [2, "Fox"]]
XD_CLUES = "A1. It purrs ~ CAT\nA3. Bunk ~ BED\n\nD1. Young bear ~ CUB\nD2. Fox ~ TOD\n"


def ipuz(**more: object) -> str:
    data: dict[str, object] = {"version": "http://ipuz.org/v2", "puzzle": PUZZLE}
    data |= {"kind": ["http://ipuz.org/crossword#1"], "dimensions": {"width": 3, "height": 3}}
    data |= {"solution": SOLUTION, "clues": {"Across": ACROSS, "Down": DOWN}}
    return json.dumps(data | more)


def clued(**clues: object) -> str:
    return ipuz(clues=clues)


def across(*clues: object) -> str:
    return clued(Across=clues)


def solved(first: object) -> str:
    """An .ipuz whose solution has something in the place of its first letter."""
    return ipuz(solution=[[first, "A", "T"], *SOLUTION[1:]])


def jpz(*changes: tuple[str, str]) -> str:
    cells = "".join(
        f'<cell x="{x + 1}" y="{y + 1}" '
        + ('type="block"/>' if letter == "#" else f'solution="{letter}"/>')
        for y, row in enumerate(SOLUTION)
        for x, letter in enumerate(row)
    )
    text = (
        '<?xml version="1.0" encoding="UTF-8"?><crossword-compiler><rectangular-puzzle><metadata>'
        f'<title>Small</title></metadata><crossword><grid width="3" height="3">{cells}</grid>'
        '<word id="1" x="1-3" y="1"/><word id="2" x="1-3" y="3"/><word id="3" x="1" y="1-3"/>'
        '<word id="4" x="3" y="1-3"/><clues><title><b>Across</b></title>'
        '<clue word="1" number="1">It purrs</clue><clue word="2" number="3">Bunk</clue></clues>'
        '<clues><title><b>Down</b></title><clue word="3" number="1">Young bear</clue>'
        '<clue word="4" number="2">Fox</clue></clues></crossword></rectangular-puzzle>'
        "</crossword-compiler>"
    )
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def xd(headers: str = "Title: T", rows: str = "CAT\nU#O\nBED", clues: str = XD_CLUES) -> str:
    return f"{headers}\n\n\n{rows}\n\n\n{clues}"


def exolve(grid: str = "C A T|U . O|B E D", clues: str = "", *lines: str) -> str:
    rows = grid.split("|")
    head = ["exolve-begin", f"exolve-width: {len(rows[0].split())}", f"exolve-height: {len(rows)}"]
    return "\n".join([*head, *lines, "exolve-grid:", *rows, clues, "exolve-end", ""])


def made_puz(**fields: object) -> bytes:
    content: bytes = small_puz(**fields).tobytes()
    return content


def zipped(**files: str) -> bytes:
    with zipfile.ZipFile(stream := io.BytesIO(), "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_", "."), text)
    return stream.getvalue()


ACROSS_LITE = """<ACROSS PUZZLE v2>
<TITLE>
\tSmall
<SIZE>
\t3x3
<GRID>
\tc1T
\tU.O
\tBED
<REBUS>
\tMARK;
\t1:AND:A
<ACROSS>
\tIt purrs
\t
<DOWN>
\t<i>Young</i> bear
\tFox
<EXTRA>
\tx
<NOTEPAD>
\tA &amp; B
"""
CROSSFIRE = (
    '<CROSSFIRE><TITLE>T</TITLE><GRID width="3">C@T\nU.O\nBED</GRID><CIRCLES>0,8</CIRCLES>'
    '<REBUSES><REBUS input="@" letters="and"/></REBUSES><WORDS><WORD dir="ACROSS" num="1">'
    "&lt;i&gt;It&lt;/i&gt; purrs</WORD></WORDS><EDITOR>E</EDITOR></CROSSFIRE>"
)
FLAT = {
    "author": "N. N.",
    "size": {"cols": 3, "rows": 3},
    "grid": [*"CAT", *"U.O", *"BED"],
    "gridnums": [1, 0, 2, 0, 0, 0, 3, 0, 0],
    "circles": [1, 0, 0, 0, 0, 0, 0, 0, 0],
    "clues": {"across": ["1. It &amp; purrs", "3. Bunk"], "down": ["1. Young bear", "2. Fox"]},
    "answers": {"across": ["CAT", "BAD"], "down": ["CUB", "TOD"]},
    "date": "1/7/2001",
    "editor": "E",
}


def flat(**more: object) -> str:
    return json.dumps(FLAT | more)


PROJECT = {
    "format": "satcross project",
    "version": 1,
    "document": {
        "cells": [["C", "", ""], ["", "#", ""], ["", "", "HI"]],
        "pencil": [["", "A", "T"], ["U", "", "O"], ["B", "", ""]],
        "clues": {"1A": "It purrs"},
        "title": "T",
        "circled": [[0, 1]],
        "bars": [[1, 0, "below"]],
    },
}
PAGE = {
    "cells": [["C", "", ""], ["", "#", ""], ["", "", ""]],
    "words": {
        "0,0,across": {"word": "CAT", "state": "chosen"},
        "0,2,down": {"word": "TOD", "state": "filled"},
    },
    "clues": {"CAT": "It purrs", "TOD@0,2,down": "Fox", "GONE": "lost"},
    "colour": "red",
}
DIAGRAMLESS = ["http://ipuz.org/crossword/diagramless#1"]

EMPTY = r'\[1, 0, 2\],\s+\[0, "#", 0\],\s+\[3, 0, 0\]'
FILLED = r'\["C", "A", "T"\],\s+\["U", "#", "O"\],\s+\["B", "E", "D"\]'
UNFINISHED = r'\["C", "A", "T"\],\s+\["U", "#", "O"\],\s+\["B", "E", 0\]'
BOTH = f"{EMPTY}.*{FILLED}"
LINKED = r'"continued": \[\{"number": 1, "direction": "Down"\}\]'
CLUED = r'\[1, "It purrs"\],\s+\[3, "Bunk"\].*\[1, "Young bear"\],\s+\[2, "Fox"\]'
HEADERS = "Title: A title: with colon\nAuthor: N. N.\nEditor: Somebody\nDate: 1955-01-01\n"
SECTIONS = (
    r'ignored: Editor\n.*"A title: with colon".*"N. N.".*"A note<br/><br/><br/>ends here"'
    f".*01/01/1955.*{BOTH}.*{CLUED}"
)

READ: list[tuple[str | bytes, str] | tuple[str | bytes, str, str]] = [
    # What a file has, what is then said or written, and what is not.
    # Recognised by content, whatever the name is.
    (
        ACROSS_LITE,
        r'ignored: <EXTRA>.*"A &amp; B".*"cell": 1, "style": \{"shapebg": "circle"\}\}, 0, 2\].*'
        r'"AND".*"It purrs".*"<i>Young</i> bear"',
        "'1'|stated",
    ),
    (ACROSS_LITE.replace("BED", "B:D"), "null"),
    (
        ACROSS_LITE.replace("3x", "4x") * 2,
        "more than 1 crossword.*stated width is 4",
        "stated height",
    ),
    (CROSSFIRE, 'ignored: EDITOR.*"AND".*"<i>It</i> purrs"', "&lt;"),
    ("<CROSSFIRE><GRID>CAT</GRID><CIRCLES>2</CIRCLES></CROSSFIRE>", "circle", "note"),
    (
        f"x = {flat()};",
        '3A is BED in the grid and BAD.*ignored: editor.*01/07/2001.*"cell": 1, "style": '
        r'\{"shapebg": "circle"\}\}, 0, 2\].*It &amp; purrs.*Young bear',
        "&amp;amp;",
    ),
    (json.dumps(PROJECT), r'"value": "C".*"barred": "B".*"HI".*It purrs', "note"),
    (zipped(b_xml=jpz()), "It purrs"),
    (zipped(b_jpz=jpz(), c_jpz=jpz()), "the archive has 2 files; b.jpz is read"),
    (f"ipuz({ipuz()});", EMPTY, "note"),
    (f"[{ipuz()},{ipuz()}]", "the file has 2 crosswords"),
    ("<!DOCTYPE html><script>createExolve(`\n" + exolve() + "`)</script>", '"C"', "note"),
    ("## Grid\n\nCAT\nU#O\nBED\n\n## Clues\n\n" + XD_CLUES, "It purrs"),
    # What is damaged or repaired.
    (b"junk\0" + made_puz().replace(b"It", b"He"), "a checksum is wrong: the file was .*He purrs"),
    (
        made_puz(extensions={b"\0\xff": b"x"}, _extensions_order=[b"\0\xff"]),
        r"ignored: '\\x00",
        "\0",
    ),
    (jpz(("It purrs", "Q&A&nbsp;here&eacute;")), "Q&amp;A here\u00e9"),
    ("<!DOCTYPE crossword-compiler>" + jpz(("It purrs", "It<br>purrs")), "It<br/>purrs"),
    (jpz(("It purrs", "<p>It</p><p>purrs &lt;b&gt;now&lt;/b&gt;</p>")), "purrs now", "Itp|b>"),
    # Written by hand, or by a program that counts otherwise.
    (ipuz(intro="a, ]").replace('"intro"', "intro").replace("]}", ",]\n, }"), '"It purrs"'),
    (
        made_puz()[:46] + b"\0\4" + made_puz()[48:],
        'the file states 1024 clues; the 4 of the grid are read.*"Bunk"',
        "for no slot",
    ),
    (
        f"## Metadata\n\n## Grid\ntitle: Odd\n\n## Grid\nCAT\nU#O\nBED\n\n## Clues\n{XD_CLUES}",
        '"title": "Odd".*"It purrs"',
        "more than 1",
    ),
    (
        exolve(clues="exolve-across:\n1 A purr (3)\nexolve-down:\n1, 2 Down we go\n2 d See 1"),
        '"A purr", "enumeration": "3".*"Down we go".*"d See 1"',
        "for no slot",
    ),
    (
        exolve("C~ A T|U . O|B E D", "exolve-across:\n2 Bunk\nexolve-down:\n1 Fox"),
        r'\[3, "Bunk"\].*\[2, "Fox"\]',
        "for no slot",
    ),
    (xd(rows="CAT\nU.$\nBED", clues="D2. Fox ~ T$D"), r'"T"\], \["U", "#", "\$"\]', "contradict"),
    # Clues by cells first; labels that are none of the grid.
    (
        ipuz(
            puzzle=[["1r", "2r", "3r"], ["4r", "#", 0], ["5r", 0, 0]],
            clues={
                "Ring": [
                    {"number": 1, "clue": "Zero"},
                    {"number": 2, "clue": "One", "cells": [[1, 1], [2, 1], [2, 2]]},
                ]
            },
        ),
        r"2 clues are for no slot of the grid \(first 1 Ring\)",
        r'\[1, "Zero"\]|\[2, "One"\]',
    ),
    (
        across({"number": 3, "clue": "It purrs", "cells": [[1, 1], [2, 1], [3, 1]]}),
        r'label of a clue contradicts its cells: 3 Across has the cells of 1A.*\[1, "It purrs"\]',
    ),
    (clued(Odd=[{"label": "x", "clue": "Z", "cells": [[0, 0], [1, 0], [2, 0]]}]), r'\[1, "Z"\]'),
    (ipuz(kind=DIAGRAMLESS, puzzle=["123", "400", "500"]), r'a diagramless puzzle.*\[3, "Bunk"\]'),
    (jpz(('word="2" number="3"', 'word="2" number="*"')), r'\[3, "Bunk"\]', "note"),
    (
        jpz(('id="2" x="1-3" y="3"', 'id="2" x="1-2" y="3"')),
        r'3 Across has other cells, and begins where 3A does.*\[3, "Bunk"\]',
    ),
    (made_puz(puzzletype=0x0401, solution="CATU:OBED"), f"a diagramless puzzle.*{BOTH}", "null"),
    # What a file says twice.
    (ipuz(dimensions={"width": "3", "height": 3.0}), "It purrs", "note"),
    (ipuz(dimensions={"width": 4, "height": 3}), "width is 4, but the grid has 3 col"),
    (xd("Title: T\nWidth: 5"), "the stated width is 5"),
    (exolve().replace("width: 3", "width: 5"), "the stated width is 5"),
    (jpz(('id="1" x', 'id="1" solution="DOG" x')), "1A is CAT in the grid and DOG"),
    (across({"number": 1, "clue": "x", "answer": "dog"}), "1A is CAT in the grid and DOG"),
    (ipuz(solution=["CAT", "UXO", "BED"]), "1 cell is blocked in only one of puzzle and solution"),
    (ipuz(solution=["CA"]), "the puzzle and the solution differ in size"),
    (xd(rows="CAT\nU.O\nBED"), r'"#".*\[3, "Bunk"\]', "note"),
    (xd(rows="CAT\nU.O\nBED", clues=""), '"block": "#".*0, "#", 0'),
    (xd(rows="C.T\nU#O\nBED", clues="A1. x ~ C.T\n"), '"C", 0, "T"'),
    (xd("Rebus: 1=HE;2=SHE", "1AT\nU#O\nB2D", ""), '"HE".*"SHE"', "HE;"),
    (xd("Rebus: 1=HE, 2=SHE", "1AT\nU#O\nB2D", ""), '"HE".*"SHE"', "HE,"),
    (xd("Rebus: 1=HE", "1AT\nU#O\nB11", "A1. ~ HEAT\nA3. ~ B11"), '"HE".*"B", "1", "1"', "note"),
    (xd("Rebus: HE=1 SHE=2", "1AT\nU#O\nB2D", ""), '"HE".*"SHE"', "="),
    # Signs and letters that are no solution; letters that a player has entered.
    (ipuz(solution=["102", "0#0", "300"]), "repeats", 'solution"'),
    (ipuz(solution=[[{"cell": 1}, 0, {"cell": 2}], *PUZZLE[1:]]), "repeats", 'solution"'),
    (ipuz(solution=["???", "?#?", "???"]), "It purrs", 'solution"'),
    (jpz(*((f'"{letter}"', '"X"') for letter in "CATUOBED")), "solution is X", 'solution"'),
    (made_puz(solution="XXXX.XXXX"), "every letter of the solution is X", 'solution"'),
    (xd(rows="???\n?#?\n?B?", clues=""), '"B"', r'"\?"'),
    (made_puz(fill="CAD-.----"), r'r1c3: D instead of T.*"value": "A"', '"value": "D"'),
    (jpz(('solution="C"', 'solution="C" solve-state="D"')), "D instead of C", '"value": "D"'),
    (jpz(('solution="A"', 'type="clue" solution="A"')), r'"value": "A".*It purrs', "note"),
    # Fields that are kept, or noted.
    (across({"number": 3, "clue": "Bunk", "enumeration": "1-2"}), r'Bunk", "enumeration": "1-2"'),
    (jpz(('number="3">', 'number="3" format="2,1" citation="x">')), 'citation.*": "2,1"'),
    (across({"number": 1, "clue": "x", "continued": [{"number": 1, "direction": "Down"}]}), LINKED),
    (across({"numbers": [1, 3], "clue": "x"}), '"continued": .."number": 3'),
    (
        exolve(clues="exolve-across:\n1, 1-down Both (3,3)\n* 3 Star"),
        rf'"Both",\s+"enumeration": "3,3".*{LINKED}.*\[3, "Star"\]',
        '", 1|note',
    ),
    (
        exolve(clues="exolve-across:\n3 & 1ac Both (3,3)\nexolve-down:\n1/9 Odd (3)"),
        r'1 down continues in 9, which the grid lacks.*"Both",\s+"enumeration": "3,3"',
        '"& ',
    ),
    (
        ipuz(
            editor="E",
            puzzle=[[{"cell": 1, "value": "Q", "style": {"mark": 1}}, 0, 2], *PUZZLE[1:]],
        ),
        "Q instead of C.*ignored: style mark, editor",
        '"value"',
    ),
    (solved({"value": "C", "alternatives": ["B"]}), "ignored: solution alternatives"),
    (jpz(('solution="C"', 'solution="C" top-right-number="7"')), "top-right-number"),
    (xd("Title: T\nEditor: E"), "ignored: Editor"),
    (exolve("C A T", "", "exolve-nina: r1c1", "exolve-question: Why?"), "ignored: nina, question"),
    (exolve() * 3, "the file has 3 crosswords"),
    (jpz(("</rectangular-puzzle>", "</rectangular-puzzle><rectangular-puzzle/>")), "more than 1"),
    ("## Grid\nCAT\n## Clues\nA1. x ~ CAT\n## Grid\nDOG\n", 'more than 1.*"C"', '"D"'),
    (made_puz(solution="CATU.OBE:", fill="----.---:", clues=["a", "b", "c", "d"]), "null"),
    # Sections and marks of .xd; tags and entities elsewhere.
    ("## Grid\nCAT\nU#O\nBED\n## Start\nC..\n.#.\n..D\n", '"value": "C".*"value": "D"', "ignored"),
    (
        "## Grid\nCAT\nU#O\nBED\n## Design\n<style>X { bar-bottom: true }</style>\nX..\n.#.\n...",
        '"barred": "B"',
    ),
    (
        "## Grid\nCAT\n## Design\n<style>X { background: circle; colour: red }</style>\n.X.",
        "ignored: ## Design: colour.*circle",
    ),
    ("## Grid\nCAT\n## Extra\nwhat\n", "ignored: ## Extra"),
    ("<!-- one\ntwo -->\n" + xd("Title: T\n<!-- x -->"), "It purrs", "two"),
    (
        xd(
            clues="A1. {/{*It*}/} {@purrs|https://example.org@} ~ CAT\nA1 ^Refs: A2 D4\n"
            "A3. {_Two_}\\{-lines-} ~ BED\nD1. {!! a.png | Y | 1 !!} &amp; {#red|#123456#} ~ CUB\n"
        ),
        r'ignored: clue Refs.*"<i>It</i> purrs"\], \[3, "Two<br/>lines"\].*"Y &amp; red"',
        r"\{[/*@#_-]",
    ),
    (
        ipuz(notes="<center>A</center><ul><li>B</li></ul> <blank> &amp;", title="<h1>T</h1>"),
        r'"title": "T".*"A<br/>B<br/>&lt;blank&gt; &amp;"',
        "center|h1",
    ),
    (exolve("C A T", "", "exolve-title: <b>T</b> &amp; U"), '"T &amp; U"', "<b>"),
    # Lists of clues with other headings, and clues for no slot.
    (clued(Waagerecht=ACROSS, Senkrecht=DOWN), CLUED, "note"),
    (clued(Foo=ACROSS, Bar=DOWN), CLUED, "note"),
    (clued(Clues=[[1, "It purrs"], [1, "Young bear"], [2, "Fox"], [3, "Bunk"]]), CLUED, "note"),
    (jpz(("<b>Across</b>", "Horizontaal"), (' word="2" ', " ")), r'\[3, "Bunk"\]'),
    (xd(clues="1. It purrs ~ CAT\n1. Young bear ~ CUB\n2. Fox ~ TOD\n"), r'\[2, "Fox"\]', "note"),
    (
        xd(clues="A1. It ~ CAT\nA4. Bunk ~ BED\nD1. y ~ CUB\nD3. Fox ~ TOD\n"),
        r'4A goes to 3A, which has its answer.*\[3, "Bunk"\].*\[2, "Fox"\]',
    ),
    (
        xd(clues="A2. It ~ CAT\nA4. Bunk ~ BED\nD2. y ~ CUB\nD3. Fox ~ TOD\n"),
        r'slots with their answers.*\[1, "It"\], \[3, "Bunk"\].*\[1, "y"\], \[2, "Fox"\]',
    ),
    (ipuz(clues={"Across": {"1": "It purrs"}}), r'\[1, "It purrs"\]', "note"),
    (exolve(clues="exolve-nodir:\n[A] Loose (4)"), r'for no slot.*\["A", "Loose \(4\)"\]'),
    # Two parts of a file disagree about blocks: what more clues agree with is followed.
    (xd(rows="CAT\nU-O\nBED"), r'\["U", "#", "O"\].*\[3, "Bunk"\]', "note"),
    (ipuz(puzzle=["1#2", "300", "400"]), r'solution is followed.*\[3, "Bunk"\]', "no slot"),
    (ipuz(solution=["C#T", "UAO", "BED"]), 'puzzle is followed.*"C", 0, "T".*purrs', "no slot"),
    (
        jpz(('solution="A"', 'type="block" solution="A"')),
        'types of the cells .*"A", "T"',
        "no slot",
    ),
    (made_puz(solution="CATUAOBED"), r'player.s grid is followed.*"U", "#", "O"', "A-"),
    (ipuz(puzzle=["102", "0*0", "300"], block="*"), "It purrs", "note"),
    (xd(rows="C A T\nU # O\nB E D"), "It purrs", "note"),
    (xd(rows="s#ß\na##\nd##", clues="D1. Blue ~ SAD\n"), "Blue", "contradicts"),
    (made_puz(fill="---------"), r'"U", "#", "O"', "note"),
    (flat(size={"cols": 4, "rows": 3}), "the stated width is 4, but the grid has 3 columns.*purrs"),
    # Our own JSON names what it does not know, and projects keep words and clues of the page.
    (
        '{"grid": ["CAT"], "publisher": "P", "slots": [{"name": "1A", "clue": "c", "hint": "h"}]}',
        "ignored: publisher, slot hint",
    ),
    (
        json.dumps(PROJECT | {"mood": 1, "document": PAGE}),
        r'ignored: mood, clue GONE, colour.*"D"\]\].*It purrs.*Fox',
        "lost",
    ),
    (
        '{"grid": ["CAT", "U#O", "BE."], "slots": [{"name": "1A"}]}',
        rf"{EMPTY}.*{UNFINISHED}",
        "note",
    ),
    (
        '{"fills": [{"status": "filled", "grid": ["CAT", "U#O", "BE."]}, {}]}',
        f"the file has 2 fills; the first is used.*{UNFINISHED}",
    ),
    # Text: structures, and grids as they are printed.
    ("___\n_#_\n___\n", EMPTY, 'solution"'),
    ("CAT\nU█O\nBE\n\n", UNFINISHED),
    ("cat\nu#o\nb?.\n", EMPTY + r'.*"U", "#", "O"\],\s+\["B", 0, 0\]'),
    ("___\nxA_\n", r'\[1, 0, 2\],\s+\["#", "#", 0\]', 'solution"'),
    ("C A T\nU # O\nB E D\n", r'blanks between cells.*\["U", "#", "O"\]'),
    # What other programs write for the same thing.
    (made_puz(title="T", fill="CA--.----"), '"value": "C".*It purrs', "note"),
    (
        zipped(readme_txt="Some text, and more.", a_puz=ACROSS_LITE),
        "the archive has 2 files; a.puz is read.*Young.*bear",
    ),
    (xd("Rebus: 1=NEW YORK", "1AT\nU#O\nBED", "").replace("\n", "\r"), '"NEWYORK"', "note"),
    (ipuz(kind=["https://libipuz.org/barred#1"]), "It purrs", "note"),
    (f"{xd()}\n\n\n{xd()}", "more than 1 crossword", "notes"),
    (
        ipuz(
            author=["A"],
            puzzle=[
                [{"cell": 1, "value": "HI"}, 0, 2],
                [0, {"cell": "#", "hint": "h"}, 0],
                [3, 0, {"value": 5}],
            ],
            solution=[["HI", "A", "T"], ["U", "#", "O"], ["B", "E", "5"]],
        ),
        'ignored: cell value of several letters, block hint, author.*"value": "5".*purrs',
        '"value": "H',
    ),
    (
        clued(
            Across=[{"number": 1, "clue": None, "continued": {"number": 3}}, [3, 1984]],
            Down=[{"number": 2, "clue": "Fox", "continued": 1}],
        ),
        '"number": 3.*"1984".*"number": 1',
        "note",
    ),
    (
        jpz(
            ('y="2" type="block"/>', 'y="2" type="clue"><clue word="1">Big</clue><arrow/></cell>'),
            ('<clue word="1" number="1">It purrs</clue>', ""),
        ),
        r'ignored: arrow.*\[1, "Big"\]',
        "no slot",
    ),
    (jpz(('x="2" y="1" ', 'x="2" y="1" right-bar="1" ')), '"barred": "R".*purrs', "no slot"),
    (
        CROSSFIRE.replace("C@T", "   ").replace("BED", "B D"),
        r'"solution": \[\[0, 0, 0\],.*\["B", 0, "D"\]',
        "note: the stated",
    ),
    (
        flat(
            size={"cols": "3", "rows": "3"},
            grid=[*"CATU", None, *"OBED"],
            clues={"across": [{"num": 1, "text": "It purrs", "hint": "h"}]},
            answers={"across": ["CAT"]},
            rbars=[0, 1],
        ),
        r'ignored: .*clue hint.*"barred": "R".*"U", "#", "O".*\[1, "It purrs"\]',
    ),
    (
        exolve(clues="exolve-across:\n1) It (2 words) [CAT] purrs (3)\n3 Bunk (?) [B]"),
        r'\[1, "It \(2 words\)"\], \[3, "Bunk \(\?\)"\]',
        "CAT|purrs",
    ),
    # Cells of .ipuz, with other signs, labels and styles.
    (ipuz(), f"{BOTH}.*{CLUED}", "note"),
    (ipuz(puzzle=["102", "0#0", "300"]), BOTH),
    (ipuz(puzzle=[[1, "", 2], ["", None, ""], [3, "", ""]], empty=""), f"null.*{FILLED}"),
    (ipuz(puzzle=["1-2", "-X-", "3--"], empty="-", block="X", solution=[]), EMPTY, 'solution"'),
    (ipuz(puzzle=[[{"cell": 1}, 0, 2], [0, {"cell": None}, 0], [3, {}, 0]]), f"null.*{FILLED}"),
    (ipuz(solution=[[*"CAT"], ["U", None, "O"], ["B", {"value": "E"}, {"cell": "D"}]]), BOTH),
    (ipuz(puzzle=[], solution=["cat", "u#o", "bed"]), BOTH),
    (ipuz(puzzle=[[0] * 3] * 3, kind=DIAGRAMLESS), BOTH),
    (ipuz(saved=[["C"]]), BOTH),
    (
        ipuz(
            puzzle=[
                [{"cell": 1, "style": {"shapebg": "circle"}}, {"cell": 0, "value": "a"}, 2],
                [{"style": "ring"}, {"cell": "#", "style": {"color": "cccccc"}}, {"style": "grey"}],
                [3, 0, {"cell": 0, "style": None}],
            ],
            styles={"ring": {"shapebg": "circle"}, "grey": {"color": "dddddd"}},
        ),
        r'\{"cell": 1, "style": \{"shapebg": "circle"\}\}, \{"cell": 0, "value": "A"\}, 2.*'
        r'\{"cell": 0, "style": \{"shapebg": "circle"\}\}, "#", \{"cell": 0, "style": .*dddddd.*'
        r"\[3, 0, 0\]",
    ),
    # Clues of .ipuz.
    (
        clued(
            Across=[{"number": 1, "clue": "It purrs"}, {"number": "3", "clue": "Bunk"}],
            Down=[["1", "Young bear"], {"label": "2", "clue": "<b>Fox</b>"}],
        ),
        CLUED,
    ),
    (clued(Down=[{"numbers": [1, 2], "clue": "c"}, [2, "d"]]), r'"clue": "c".*\[2, "d"\]'),
    (ipuz(clues={"Across:Horizontal": ["It purrs", "Bunk"], "down": ["Young bear", "Fox"]}), CLUED),
    (
        clued(Across=[*ACROSS, [9, "x"]], Down=[*DOWN, [2, "e"]], Zones=[]),
        r'slot has two clues: 2D\n.*no slot of the grid \(9 Across\).*\["9", "x"\].*\["2", "e"\]',
    ),
    (
        ipuz(
            puzzle=[["A", 0, "B"], [0, "#", 0], ["C", 0, 0]],
            clues={"Across": [["C", "Bunk"], ["A", "It"]], "Down": [["B", "Fox"], ["1", "Cub"]]},
        ),
        r'\[1, "It"\],\s+\[3, "Bunk"\].*\[1, "Cub"\],\s+\[2, "Fox"\]',
    ),
    # Texts and letters of .ipuz.
    (
        ipuz(
            title="<b>Fish &amp; Chips</b> &lt;3",
            notes="One<br />two<br>three",
            date="7/4/2021",
            editor="Somebody",
        ),
        r'ignored: editor\n.*"Fish &amp; Chips &lt;3".*"One<br/>two<br/>three".*"07/04/2021"',
    ),
    (ipuz(date="in spring"), "ignored: in spring", '"date"'),
    *(
        (solved(letters), r'the solution has several letters in a cell.*\[0, "A", "T"\]')
        for letters in (["A", "B"], {"Across": "A", "Down": "B"})
    ),
    # Texts, solutions and clues of .puz.
    (
        made_puz(title="\x93A &amp; <i>B</i>\x94 \x97 and \x81", notes="\xe9t\xe9"),
        '"\u201cA &amp; B\u201d \u2014 and ".*"\xe9t\xe9"',
        "note: ",
    ),
    (
        made_puz(solution="XXXX.XXXX", solution_state=puz.SolutionState.NotProvided),
        f"{EMPTY}.*{CLUED}",
        'solution"|note: ',
    ),
    (
        made_puz(clues=["It purrs", "Young bear"]),
        r'2 clues for 4 slots, so they are for no slot\n.*\["-", "It purrs"\].*"Young bear"\]',
    ),
    # Encodings.
    (xd().encode("utf-16"), f"{FILLED}.*{CLUED}"),
    (codecs.BOM_UTF8 + xd().encode(), f"{FILLED}.*{CLUED}"),
    (xd().replace("\n", "\r\n"), f"{FILLED}.*{CLUED}", "note"),
    (gzip.compress(xd().encode()), f"{FILLED}.*{CLUED}", "note"),
    (
        "Title: Caf\xe9\n\n\n\xc9T\xc9\n".encode("latin-1"),
        'Windows-1252.*"Caf\xe9".*"\xc9", "T", "\xc9"',
    ),
    # Sections and clues of .xd.
    (f"{HEADERS}\n\nCAT\nU#O\nBED\n\n\n{XD_CLUES}\n\nA note\n\n\nends here\n", SECTIONS),
    (
        f"\n{HEADERS}\n\n\n\n  CAT\n  U#O\n  BED  \n\n\n\n{XD_CLUES}\n\n\n\nA note\n\n\nends here",
        SECTIONS,
    ),
    (
        f"## Metadata\n\n{HEADERS}\n\n\n## Grid\n\nCAT\nU#O\nBED\n\n## Clues\n\n{XD_CLUES}\n\n"
        "## Notes\nA note\n\n\nends here\n",
        SECTIONS,
    ),
    (
        f"## Clues\n{XD_CLUES}## grid\nCAT\nU_O\nBED\n## NOTES\nA note\n\n\nends here\n"
        f"## Metadata\n{HEADERS}",
        SECTIONS.replace('"#", 0', "null, 0", 1),
    ),
    (
        xd("Title: T\nSpecial: shaded\nRebus: 1=A 2=HEART d=D", "c1T\nU#2\nB.d", ""),
        r'\{"cell": 1, "style": \{"color": "d3d3d3"\}\}, 0, 2\].*\[3, 0, \{"cell": 0, "style": .*'
        r'\["C", "A", "T"\],\s+\["U", "#", "HEART"\],\s+\["B", 0, "D"\]',
    ),
    (xd(rows="cat", clues=""), r'\["C", "A", "T"\]', "circle"),
    (
        xd(clues="A1. A ~ B ~ CAT\nA3. No answer\nD1.  ~ CUB\nD2. [XXX] ~ TOD"),
        r'\[1, "A ~ B"\],\s+\[3, "No answer"\].*\[1, ""\],\s+\[2, ""\]',
    ),
    (
        xd(rows="CAT", clues="A1. x ~ CAT\nA7. y ~ DOG\n12. z ~ COW\n"),
        r'note: 2 clues are for no slot of the grid \(first 7A\)\n.*"y"\].*"z"\]',
    ),
]

REFUSED: list[tuple[str, str | bytes, str]] = [
    ("a.ccw", b"\xa5D\xef\x01" + bytes(40), "a Crossword Compiler project (.ccw)"),
    ("a.puz", zipped(**{"word/document_xml": "<w/>"}), "a Word document"),
    ("a.txt", zipped(**{"xl/workbook_xml": "<w/>"}), "an Excel workbook"),
    ("a.toml", "suite = 1\n[[puzzle]]\nname = 'a'\n", "a suite or plan in TOML, not a crossword"),
    ("a.txt", b"%PDF-1.7\n\xff", "a PDF document"),
    ("a.json", '{"props": {"page": {"puzzle": {"clues": []}}}}', "JSON, which satcross does not"),
    ("a.xml", "<crossword_puzzle><crossword/></crossword_puzzle>", "Universal Uclick"),
    ("a.txt", "<!DOCTYPE html><html><body>PuzzleMe by amuselabs</body></html>", "AmuseLabs"),
    ("a.json", '{"box": [["A"]], "placedWords": []}', "AmuseLabs"),
    ("a.txt", '{"entries": [], "dimensions": {"rows": 1}}', "The Guardian's JSON"),
    ("a.json", '{"format": "satcross backup", "records": []}', "a backup of the page"),
    ("a.txt", '{"body": [{"cells": []}]}', "The New York Times"),
    ("a.txt", "<html><p>Hello there</p></html>", "an HTML page"),
    ("a.xml", "<puzzles><puzzle/></puzzles>", "XWord Info"),
    ("a.jpz", jpz(("<crossword>", "<acrostic>"), ("</crossword>", "</acrostic>")), "acrostic"),
    ("a.xml", "<rectangular-puzzle><sudoku/></rectangular-puzzle>", "sudoku"),
    ("a.ipuz", ipuz(kind=["http://crosswordnexus.com/ipuz/coded#1"]), "not a crossword but"),
    ("a.ipuz", ipuz(kind=["http://ipuz.org/sudoku#1"]), "not a crossword but sudoku#1"),
    ("a.jpz", jpz((' height="3"', "")), "the height of a grid is missing, not a number"),
    ("a.txt", "import os\ndef f_():\n    return {}\n", "no crossword, structure or printed grid"),
    ("a.txt", "# Heading\n\nSome *text* here_too\n", "no crossword, structure"),
    ("a.txt", "1. Cat 2. Dog\n", "no crossword, structure"),
    ("a.txt", "My_name is here.\nAnd a second line.\n", "no crossword, structure"),
    ("a.txt", "cat\nhouse\nmouse\n", "a list of words"),
    ("a.txt", "C\tA\tT\nU\t#\tO\n", "a list of words"),
    ("a.txt", "Hello\n\n___\n\nBye\n", "no crossword, structure"),
    ("a.txt", "53..7....\n6..195...\n.98....6.\n", "no crossword, structure"),
    ("a.txt", "Crossword Compiler\n", "a list of words"),
    ("a.txt", "ACROSS\n1. It purrs\nDOWN\n1. Bear\n", "no crossword, structure"),
    ("a.txt", "cat;50\ndog;60\n", "a list of words"),
    ("a.txt", "cat 50\ndog 60\n", "a list of words"),
    ("a.txt", "ICE CREAM\nHOT DOG\n", "a list of words"),
    ("a.txt", "CAT\tIt purrs\nDOG\tIt barks\n", "a list of words"),
    ("a.txt", b"{\\rtf1 _ # _}", "a rich text document"),
]


CASES = [(*case, "")[:3] for case in READ]


@pytest.mark.parametrize(("data", "must", "never"), CASES, ids=range(len(CASES)))
def test_read(tmp_path: Path, data: str | bytes, must: str, never: str) -> None:
    path = tmp_path / "a.xd"  # whatever is in it
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    found = import_crossword(str(path))
    notes = [f"note: {note}" for note in (*found.notes, found.solution_problem) if note]
    write_crossword(found.crossword, tmp_path / "out.ipuz")
    text = "\n".join([*notes, (tmp_path / "out.ipuz").read_text(encoding="utf-8")])
    assert re.search(must, text, re.DOTALL)
    assert not never or not re.search(never, text)
    assert read_crossword(tmp_path / "out.ipuz").clues == found.crossword.clues


@pytest.mark.parametrize(("name", "data", "said"), REFUSED)
def test_refused_by_name_at_every_door(
    tmp_path: Path, name: str, data: str | bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(InputError, match=re.escape(said)):
        import_crossword(str(path))
    if "words" not in said:  # what stands where a list is expected has its own remedy
        for read in (
            lambda: read_structure(str(path), letters=None),
            lambda: read_fills(str(path)),
        ):
            with pytest.raises(InputError, match=re.escape(said)):
                read()


def test_one_answer_to_a_structure_with_a_full_block(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A\u2588_\n___\n", encoding="utf-8")
    crossword = read_crossword(tmp_path / "a.txt")
    structure = parse_any_structure(Text("a.txt", "A\u2588_\n___\n"), letters=True)
    assert crossword.grid.structure == structure.grid.structure
    assert (crossword.solution[0][0], structure.grid.rows[0]) == ("A", "A#_")
