"""Files of codewords and fill-ins: pages, pictures, a page to play, text, and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import MAX_FILE_BYTES, read_limited
from satcross.formats.drawing.layout import PAPERS
from satcross.formats.files import decode_text, write_atomically
from satcross.formats.json import crossword_from_data, crossword_to_data, dump_rows, parse_json
from satcross.make.puzzles.codeword import Codeword
from satcross.make.puzzles.fill_in import FillIn
from satcross.make.puzzles.page import (
    Printed,
    heading,
    instruction,
    labels,
    picture,
    puzzle_page,
    solution_page,
    titled,
)


def write_puzzle(puzzle: Printed, path: str, *, paper: str = "a4", solution: bool = False) -> None:
    """Write a puzzle in the format that the extension names.

    A .pdf has the page to solve and the page of the solution; a picture has one of the two. .html
    is a page to play, with the answers inside, and .json has everything. Raises InputError for
    another extension, and for a diagramless fill-in as .html, which would show the pattern.
    """
    write = WRITERS.get(Path(path).suffix.lower())
    if write is None:
        raise InputError(
            f"puzzles are not written as {Path(path).suffix or 'a file without an extension'}",
            f"choose {', '.join(WRITERS)}",
            file=path,
        )
    if write is _write_html and isinstance(puzzle, FillIn) and puzzle.half:
        raise InputError(
            "a page to play would show the whole pattern of a diagramless puzzle",
            "write .pdf, .svg or .png",
            file=path,
        )
    write_atomically(path, lambda beside: write(puzzle, beside, paper, solution))


def _write_pdf(puzzle: Printed, path: Path, paper: str, solution: bool) -> None:
    from satcross.formats.drawing.pdf import write_pages

    crossword = titled(puzzle)
    pages = [puzzle_page(puzzle, PAPERS[paper]), solution_page(puzzle, PAPERS[paper])]
    write_pages(pages, path, crossword.title, crossword.author)


def _write_svg(puzzle: Printed, path: Path, paper: str, solution: bool) -> None:
    from satcross.formats.drawing.svg import drawing_svg

    page = picture(puzzle, PAPERS[paper], solution=solution)
    text = "\n".join(text_lines(puzzle, solution=solution))
    path.write_text(drawing_svg(page, titled(puzzle).title, text), encoding="utf-8")


def _write_png(puzzle: Printed, path: Path, paper: str, solution: bool) -> None:
    from satcross.formats.drawing.png import draw

    draw(picture(puzzle, PAPERS[paper], solution=solution)).save(path, format="PNG")


def _write_html(puzzle: Printed, path: Path, paper: str, solution: bool) -> None:
    from satcross.formats.html import crossword_page

    words = _word_lines(puzzle) if isinstance(puzzle, FillIn) else ()
    crossword = replace(titled(puzzle), notes="\n".join([instruction(puzzle), *words]))
    codes = labels(puzzle) if isinstance(puzzle, Codeword) else None
    path.write_text(crossword_page(crossword, codes=codes), encoding="utf-8")


def _write_json(puzzle: Printed, path: Path, paper: str, solution: bool) -> None:
    path.write_text(dump_rows(puzzle_to_data(puzzle)), encoding="utf-8")


def _write_txt(puzzle: Printed, path: Path, paper: str, solution: bool) -> None:
    lines = [*text_lines(puzzle), "", "Solution:", "", *text_lines(puzzle, solution=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


WRITERS = {
    ".pdf": _write_pdf,
    ".svg": _write_svg,
    ".png": _write_png,
    ".html": _write_html,
    ".json": _write_json,
    ".txt": _write_txt,
}


def text_lines(puzzle: Printed, *, solution: bool = False) -> Iterator[str]:
    """Yield the puzzle as lines of text, or its solution."""
    if solution:
        crossword = puzzle.crossword
        for row in crossword.solution:
            yield "".join("#" if cell is None else cell for cell in row)
    elif isinstance(puzzle, Codeword):
        for numbers in puzzle.number_rows:
            yield " ".join(f"{number:2}" if number else " #" for number in numbers)
        yield ""
        given = ", ".join(f"{puzzle.numbers[letter]} = {letter}" for letter in puzzle.given)
        yield f"Given: {given or 'no letter'}"
    else:
        yield from puzzle.shown.grid.rows
        yield ""
        yield from _word_lines(puzzle)


def _word_lines(puzzle: FillIn) -> Iterator[str]:
    for length, words in puzzle.words.items():
        placed = [f"({word})" if word in puzzle.placed_words else word for word in words]
        yield f"{heading(puzzle, length)}: {' '.join(placed)}"


def puzzle_to_data(puzzle: Printed) -> dict[str, object]:
    """Return a puzzle as JSON values: those of its crossword, and ``puzzle`` for the rest."""
    about: dict[str, object]
    if isinstance(puzzle, Codeword):
        about = {
            "kind": "codeword",
            "numbers": dict(sorted(puzzle.numbers.items())),
            "given": list(puzzle.given),
            "level": puzzle.level,
            "deduced": puzzle.deduced,
        }
    else:
        about = {"kind": "fill-in", "placed": list(puzzle.placed), "half": puzzle.half}
    return {"puzzle": about, **crossword_to_data(puzzle.crossword)}


def read_puzzle(path: str) -> Printed:
    """Read a puzzle from the JSON of ``write_puzzle``. Raises InputError for other files."""
    text = decode_text(read_limited(path), MAX_FILE_BYTES).text
    data = parse_json(text, path)
    try:
        if not isinstance(data, dict):
            raise TypeError
        return puzzle_from_data(data["puzzle"], crossword_from_data(data, path, []))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        problem = f": {error}" if type(error) is ValueError else ""
        raise InputError(
            f"is no codeword or fill-in{problem}",
            "give the .json that satcross puzzle writes",
            file=path,
        ) from None


def puzzle_from_data(about: Mapping[str, Any], crossword: Crossword) -> Printed:
    """Return a puzzle from the values of ``puzzle_to_data``. Raises ValueError, or LookupError."""
    if about["kind"] == "fill-in":
        placed = tuple(map(str, about["placed"]))
        if unknown := set(placed) - {slot.name for slot in crossword.grid.slots}:
            raise ValueError(f"the grid has no slot {min(unknown)}")
        return FillIn(crossword, placed, str(about["half"]))
    if about["kind"] != "codeword":
        raise ValueError(f"of kind {about['kind']}")
    numbers = {str(letter): int(number) for letter, number in about["numbers"].items()}
    used = {letter for row in crossword.solution for letter in row if letter}
    if used != set(numbers):
        raise ValueError("the letters with a number are not those of the solution")
    if len(set(numbers.values())) < len(numbers):
        raise ValueError("two letters have the same number")
    given = tuple(map(str, about["given"]))
    if unknown := set(given) - used:
        raise ValueError(f"the given letter {min(unknown)} does not occur")
    return Codeword(crossword, numbers, given, str(about["level"]), int(about["deduced"]))
