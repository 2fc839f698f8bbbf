"""HTML: one page that is played, with nothing to fetch, and that prints as a newspaper's puzzle.

Grid and clues are plain HTML, so that they are there without JavaScript. ``play.js``
makes them playable; ``play.css`` is how they look. The crossword itself is in the page,
too, as JSON, from which the page is read back and the script takes the solution: whoever looks for
it in the page's source finds it. A Content-Security-Policy lets nothing run but that script.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path

from satcross.crossword import Crossword
from satcross.drawing.layout import blocks_are_drawn, clue_text, directions, holes, numbers
from satcross.drawing.shapes import clean
from satcross.errors import InputError
from satcross.formats.common import Published, read_limited_text
from satcross.formats.json import crossword_from_data, crossword_to_data, parse_json
from satcross.grid import BLOCKED, Cell

_DATA_BEGINS = '<script type="application/json" id="sheet">'
_DATA_ENDS = "</script>"


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write the page; see ``writers``. There is one style."""
    path.write_bytes(crossword_page(crossword).encode("utf-8"))


def crossword_page(crossword: Crossword) -> str:
    """The page of a crossword as HTML."""
    here = files("satcross.formats")
    script = (here / "play.js").read_text(encoding="utf-8")
    look = (here / "play.css").read_text(encoding="utf-8")
    digits = max((len(slot.name) - 1 for slot in crossword.grid.slots), default=1)
    sizes = (
        f"--rows: {crossword.grid.height}; --columns: {crossword.grid.width}; --digits: {digits};"
    )
    style = f":root {{ {sizes} }}\n{look}"
    data = _data(crossword)
    key = hashlib.sha256(data.encode()).hexdigest()[:16]
    title = escape(clean(crossword.title) or "Crossword")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, \
interactive-widget=resizes-content">
<meta name="generator" content="satcross">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
{_about(crossword)}</header>
<noscript><p>Letters can be typed into the grid. Checking them takes JavaScript.</p></noscript>
{_TOOLS}
<main class="play">
<div class="board">
{_DOCK}
<table id="grid" role="grid" data-key="{key}"{_loose(crossword)} aria-label="Crossword grid, \
{crossword.grid.height} rows, {crossword.grid.width} columns">
{_rows(crossword)}</table>
</div>
<div id="clues" class="clues">
{_clues(crossword)}</div>
</main>
{_footer(crossword)}{_DATA_BEGINS}{data}{_DATA_ENDS}
<script>{script}</script>
</body>
</html>
"""


def read_published(path: str) -> Published:
    """Read the crossword back from a page that ``write_crossword`` wrote.

    Raises InputError for any other.
    """
    source = read_limited_text(path)
    _, found, rest = source.text.partition(_DATA_BEGINS)
    text, ended, _ = rest.partition(_DATA_ENDS)
    if not (found and ended):
        raise InputError(
            "no crossword page of ours", "give a page that satcross wrote", file=source.name
        )
    notes = list(source.notes)
    try:
        crossword = crossword_from_data(parse_json(text, source.name), source.name, notes)
    except ValueError as error:
        raise InputError(
            f"{error}, in the page's data", "give a page that satcross wrote", file=source.name
        ) from None
    return Published(crossword, tuple(notes))


_TOOLS = """<div id="tools" class="tools" role="toolbar" aria-label="Tools" hidden>
<details class="menu" id="check"><summary>Check</summary><div>
<button type="button" data-do="check letter">Check letter</button>
<button type="button" data-do="check word">Check word</button>
<button type="button" data-do="check grid">Check grid</button>
</div></details>
<details class="menu" id="reveal"><summary>Reveal</summary><div>
<button type="button" data-do="reveal letter">Reveal letter</button>
<button type="button" data-do="reveal word">Reveal word</button>
<button type="button" data-do="reveal grid">Reveal grid</button>
</div></details>
<details class="menu" id="clear"><summary>Clear</summary><div>
<button type="button" data-do="clear word">Clear word</button>
<button type="button" data-do="clear grid">Clear grid</button>
</div></details>
<button type="button" data-do="undo">Undo</button>
<button type="button" data-do="time" id="timer" aria-pressed="false">Timer</button>
<span id="time" role="timer" hidden>0:00</span>
<button type="button" data-do="print" id="print">Print</button>
<details class="menu help"><summary>Keys</summary><div><dl>
<dt>Letters</dt><dd>fill the cell and go on</dd>
<dt>Arrows</dt><dd>move, and choose the direction</dd>
<dt>Space</dt><dd>switches between across and down</dd>
<dt>Tab, Enter</dt><dd>next clue; with Shift the one before</dd>
<dt>Backspace</dt><dd>erases and goes back</dd>
<dt>Delete</dt><dd>erases</dd>
<dt>Home, End</dt><dd>first and last cell of the word</dd>
<dt>Ctrl+Z</dt><dd>undoes</dd>
<dt>Escape</dt><dd>leaves the grid for these tools</dd>
</dl></div></details>
</div>
<p id="status" class="status" role="status"></p>
<p id="told" class="unseen" aria-live="polite"></p>"""

_DOCK = """<div id="dock" class="dock" hidden>
<div class="bar">
<button type="button" data-do="previous" aria-label="Previous clue">&lsaquo;</button>
<button type="button" data-do="turn" id="clue" title="Switch direction"></button>
<button type="button" data-do="next" aria-label="Next clue">&rsaquo;</button>
<button type="button" data-do="keyboard" id="switch" aria-label="Switch keyboard" \
hidden>&#9000;</button>
</div>
<div id="keys" class="keys" role="group" aria-label="Keyboard" hidden></div>
</div>"""


def _about(crossword: Crossword) -> str:
    byline = " · ".join(filter(None, (clean(crossword.author), clean(crossword.date))))
    lines = [f'<p class="byline">{escape(byline)}</p>\n'] if byline else []
    notes = filter(None, map(clean, crossword.notes.splitlines()))
    return "".join([*lines, *(f'<p class="notes">{escape(note)}</p>\n' for note in notes)])


def _footer(crossword: Crossword) -> str:
    text = clean(crossword.copyright)
    return f"<footer><p>{escape(text)}</p></footer>\n" if text else ""


def _loose(crossword: Crossword) -> str:
    return "" if blocks_are_drawn(crossword) else ' class="loose"'


def _rows(crossword: Crossword) -> str:
    names = numbers(crossword)
    across, down = (
        {cell: (slot.name, place) for slot in slots for place, cell in enumerate(slot.cells, 1)}
        for _, slots in directions(crossword)
    )

    closed_in = set() if blocks_are_drawn(crossword) else holes(crossword)

    def draw(cell: Cell) -> str:
        row, column = cell
        if crossword.grid.rows[row][column] == BLOCKED:
            kind = "block hole" if cell in closed_in else "block"
            return f'<td class="{kind}"><span class="unseen">blocked</span></td>'
        kinds = [
            name
            for name, so in (
                ("circled", cell in crossword.circled),
                ("given", crossword.grid.given(cell) is not None),
            )
            if so
        ]
        label, data = [], f'data-row="{row}" data-column="{column}"'
        for way, places in (("across", across), ("down", down)):
            if cell in places:
                name, place = places[cell]
                label.append(f"{name[:-1]} {way} letter {place}")
                data += f' data-{way}="{name}"'
        label.append(f"row {row + 1} column {column + 1}")
        given = clean(crossword.grid.given(cell) or "")
        shown = f' value="{escape(given)}" readonly' if given else ""
        number = ""
        if cell in names:
            number = f'<span class="number" aria-hidden="true">{names[cell]}</span>'
        return (
            f"<td{_classes(kinds)}>{number}"
            f'<input type="text" maxlength="1" {data} aria-label="{", ".join([*label, *kinds])}"'
            f"{shown}></td>"
        )

    return "".join(
        f"<tr>{''.join(draw((row, column)) for column in range(crossword.grid.width))}</tr>\n"
        for row in range(crossword.grid.height)
    )


def _classes(names: list[str]) -> str:
    return f' class="{" ".join(names)}"' if names else ""


def _clues(crossword: Crossword) -> str:
    return "".join(_clue_list(crossword))


def _clue_list(crossword: Crossword) -> Iterator[str]:
    for way, slots in directions(crossword):
        yield f'<section class="scroll"><h2>{way.capitalize()}</h2>\n<ol>\n'
        for slot in slots:
            yield (
                f'<li value="{slot.name[:-1]}" data-name="{slot.name}" data-direction="{way}">'
                f"{escape(clue_text(crossword, slot))}</li>\n"
            )
        yield "</ol></section>\n"


def _data(crossword: Crossword) -> str:
    """The crossword as JSON that can stand in a script element."""
    text = json.dumps(crossword_to_data(crossword), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
