"""Files of an arrowword: pages and pictures, a page to solve on screen, ipuz, JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.drawing import layout
from satcross.formats.drawing.shapes import Drawing, Item, clean
from satcross.formats.files import read_text, write_atomically
from satcross.formats.html import DATA_BEGINS, DATA_ENDS, digest, page_data
from satcross.formats.json import (
    crossword_from_data,
    crossword_to_data,
    dump,
    dump_rows,
    parse_json,
)
from satcross.formats.languages import ENGLISH, phrase
from satcross.formats.writers import missing_characters, write_crossword
from satcross.grid import BLOCKED, Grid, cell_name
from satcross.make.puzzles.arrow_drawing import ClueFitter, arrowword_items, key_items
from satcross.make.puzzles.arrowword import ARROWS, MAX_CLUES, Arrowword
from satcross.support.letters import spell
from satcross.support.texts import texts
from satcross.support.wording import counted

_KEY_CELL, _PICTURE_CELL = 17.0, 27.0
_IPUZ_KIND = "http://ipuz.org/crossword/arrowword#1"


def as_crossword(puzzle: Arrowword) -> Crossword:
    """Return the crossword with the same words and clues, for formats without clue cells."""
    return Crossword.of(puzzle.grid, puzzle.fill, {clue.slot: clue.text for clue in puzzle.clues})


def to_data(puzzle: Arrowword, crossword: Crossword) -> dict[str, object]:
    """Return JSON values: those of the crossword, and the clue cells with their arrows.

    ``row`` and ``column`` count from 0; the upper clue of a cell comes first.
    """
    cells = [
        {
            "row": row,
            "column": column,
            "clues": [{"slot": c.slot, "arrow": c.arrow, "clue": c.text} for c in clues],
        }
        for (row, column), clues in puzzle.in_cells().items()
    ]
    about = {"kind": "arrowword", "clue_cells": cells}
    return {"puzzle": about, **crossword_to_data(crossword)}


@dataclass(frozen=True, slots=True)
class ArrowCheck:
    """What is wrong with the clue cells of an arrowword, one line for each fault."""

    words: int
    faults: list[str]

    @property
    def second(self) -> list[str] | None:
        """Something but None where the puzzle may have another solution."""
        return self.faults or None

    def lines(self) -> Iterator[str]:
        """Yield what was found, as text."""
        yield from self.faults or [
            f"Exactly one solution: each of the {self.words} words has one clue, and the arrows "
            "point at first letters."
        ]

    def to_data(self) -> dict[str, object]:
        """Return what was found as JSON values."""
        return {"unique": not self.faults, "faults": self.faults}


def check_arrowword(path: str) -> ArrowCheck | None:
    """Check the clue cells of a .json of ``write_arrowword``; None for a puzzle of another kind.

    Raises InputError where values are missing or of the wrong type.
    """
    data: Any = parse_json(read_text(path).text, path)
    if data["puzzle"].get("kind") != "arrowword":
        return None
    try:
        grid = crossword_from_data(data, path, []).grid
        return ArrowCheck(len(grid.slots), list(_faults(grid, data["puzzle"]["clue_cells"])))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InputError(
            "the clue cells are no longer complete", "write the .json again", file=path
        ) from None


def _faults(grid: Grid, cells: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    slots = {slot.name: slot for slot in grid.slots}
    clued: list[str] = []
    for cell in cells:
        row, column = cell["row"], cell["column"]
        here = cell_name((row, column))
        if grid.rows[row][column] != BLOCKED or not 1 <= len(cell["clues"]) <= MAX_CLUES:
            yield f"{here} is no clue cell with one or two clues"
        for clue in cell["clues"]:
            arrow, slot = ARROWS[clue["arrow"]], slots[clue["slot"]]
            first = (row + arrow.down, column + arrow.right)
            clued.append(slot.name)
            if (first, arrow.direction) != (slot.cells[0], slot.direction):
                yield f"the arrow in {here} does not point at the first letter of {slot.name}"
    for name in slots:
        if clued.count(name) != 1:
            yield f"{name} has {counted(clued.count(name), 'clue')}"


def write_arrowword(
    puzzle: Arrowword,
    crossword: Crossword,
    fitter: ClueFitter,
    path: str,
    *,
    paper: str = "a4",
    solution: bool = False,
) -> list[str]:
    """Write a file by its extension; return what it does not keep.

    ``crossword`` is that of ``as_crossword``, with its texts. A picture shows the puzzle or its
    ``solution``.
    """
    pages = _Pages(puzzle, crossword, fitter, layout.PAPERS[paper])
    writers: dict[str, Callable[[Path], None]] = {
        ".pdf": pages.write_pdf,
        ".svg": lambda file: _write(file, pages.svg(solution=solution)),
        ".png": lambda file: pages.write_png(file, solution=solution),
        ".html": lambda file: _write(file, _html(pages)),
        ".json": lambda file: _write(file, dump(to_data(puzzle, crossword))),
        ".ipuz": lambda file: _write(file, dump_rows(_ipuz(puzzle, crossword))),
    }
    extension = Path(path).suffix.lower()
    if extension not in writers:
        return ["clue cells and arrows", *write_crossword(crossword, path)]
    write_atomically(path, writers[extension])
    if extension == ".ipuz":
        return ["the form of the arrows"]
    return missing_characters(crossword, path, "newspaper")


def _write(file: Path, text: str) -> None:
    file.write_text(spell(text), encoding="utf-8")


class _Pages:
    """An arrowword with its texts, drawn."""

    def __init__(
        self,
        puzzle: Arrowword,
        crossword: Crossword,
        fitter: ClueFitter,
        paper: tuple[float, float],
    ) -> None:
        self.puzzle, self.fitter, self.paper = puzzle, fitter, paper
        self.crossword = replace(crossword, title=crossword.title or phrase("arrowword"))

    def page(self, *, solution: bool) -> Drawing:
        """Return a page with the title and the grid, or with the answer key."""
        width, height = self.paper
        kind = phrase("solution") if solution else ""
        head, top = layout.head_items(self.crossword, width, kind)
        cell = min(_KEY_CELL, self.fitter.cell) if solution else self.fitter.cell
        left = (width - cell * self.puzzle.grid.width) / 2
        foot = layout.foot_items(self.crossword, width, height - layout.MARGIN)
        return self._directed((*head, *self._items(left, top, cell, solution), *foot), *self.paper)

    def picture(self, *, solution: bool) -> Drawing:
        """Return the grid alone, empty with its clues or as in the answer key."""
        grid, cell = self.puzzle.grid, _PICTURE_CELL if solution else self.fitter.cell
        size = grid.width * cell + 2, grid.height * cell + 2
        return self._directed(self._items(1, 1, cell, solution), *size)

    def svg(self, *, solution: bool) -> str:
        """Return a picture as an SVG document; its text alternative has the clues."""
        from satcross.formats.drawing.svg import drawing_svg

        grid = self.puzzle.grid
        clues = [f"{cell_name(c.cell)} {c.arrow}: {c.text}." for c in self.puzzle.clues]
        text = f"An arrowword of {grid.height} rows and {grid.width} columns. {' '.join(clues)}"
        title, drawing = clean(self.crossword.title), self.picture(solution=solution)
        return drawing_svg(drawing, title, clean(text))

    def write_pdf(self, file: Path) -> None:
        """Write the page with the grid and that with the answer key."""
        from satcross.formats.drawing.pdf import write_pages

        drawings = [self.page(solution=False), self.page(solution=True)]
        write_pages(drawings, file, self.crossword.title, self.crossword.author)

    def write_png(self, file: Path, *, solution: bool) -> None:
        """Write a picture."""
        from satcross.formats.drawing.png import draw

        draw(self.picture(solution=solution)).save(file, format="PNG")

    def _items(self, left: float, top: float, cell: float, solution: bool) -> tuple[Item, ...]:
        if solution:
            return tuple(key_items(self.puzzle, left, top, cell))
        return tuple(arrowword_items(self.puzzle, left, top, self.fitter))

    def _directed(self, items: tuple[Item, ...], width: float, height: float) -> Drawing:
        return layout.directed(self.crossword, Drawing(width, height, items))


def _ipuz(puzzle: Arrowword, crossword: Crossword) -> dict[str, Any]:
    """Return an ipuz crossword with the clue cell of each clue, as GNOME Crosswords reads it."""
    from satcross.formats.ipuz import crossword_to_data

    cells = {clue.slot: clue.cell for clue in puzzle.clues}
    data = crossword_to_data(crossword)
    data |= {"kind": [_IPUZ_KIND], "clueplacement": "blocks"}
    for slots in data["clues"].values():
        slots.clear()
    for slot in puzzle.grid.slots:
        row, column = cells[slot.name]
        data["clues"][slot.direction.title()].append(
            {
                "number": int(slot.name[:-1]),
                "clue": crossword.clues[slot.name],
                "cells": [[column + 1, row + 1] for row, column in slot.cells],
                "location": [column + 1, row + 1],
            }
        )
    return data


def _html(pages: _Pages) -> str:
    """Return a page on which the arrowword can be solved; ``satcross`` reads it as a crossword."""
    from jinja2 import Environment

    crossword, grid, cell = pages.crossword, pages.puzzle.grid, pages.fitter.cell
    here = files("satcross.make.puzzles")
    template, script, style = (
        (here / f"arrowword.{kind}").read_text(encoding="utf-8") for kind in ("html", "js", "css")
    )
    opened = {cell for slot in grid.slots for cell in slot.cells}
    svg = pages.svg(solution=False).replace("</svg>\n", "")
    return (
        Environment(autoescape=True, keep_trailing_newline=True)
        .from_string(template)
        .render(
            policy=f"default-src 'none'; script-src '{digest(script)}'; "
            f"style-src '{digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'",
            language=texts().language or ENGLISH,
            title=clean(crossword.title),
            byline=" · ".join(filter(None, (clean(crossword.author), clean(crossword.date)))),
            copyright=clean(crossword.copyright),
            svg=svg,
            cell=cell,
            cells=[(row, column, cell_name((row, column))) for row, column in sorted(opened)],
            data=DATA_BEGINS + page_data(crossword) + DATA_ENDS,
            script=script,
            style=style,
        )
    )
