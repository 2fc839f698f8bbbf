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
from satcross.formats.drawing.pdf import write_pages
from satcross.formats.drawing.png import draw
from satcross.formats.drawing.shapes import TextLine, missing_glyphs
from satcross.formats.drawing.svg import drawing_svg
from satcross.formats.files import decode_text, write_atomically
from satcross.formats.html import crossword_page
from satcross.formats.json import crossword_from_data, crossword_to_data, dump_rows, parse_json
from satcross.make.puzzles import SUFFIXES
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
from satcross.make.puzzles.question import filled_letters
from satcross.support.letters import spell


def write_puzzle(
    puzzle: Printed, path: str, *, paper: str = "a4", solution: bool = False
) -> list[str]:
    """Write a puzzle in the format that the extension names; return what the font lacks.

    A .pdf has the page to solve and the page of the solution; a picture has one of the two. .html
    is a page to play, with the answers inside, and .json has everything. Raises InputError for
    another extension, and for a diagramless fill-in as .html, which would show the pattern.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        problem = f"puzzles are not written as {suffix or 'a file without an extension'}"
        raise InputError(problem, f"choose {', '.join(SUFFIXES)}", file=path)
    if suffix == ".html" and isinstance(puzzle, FillIn) and puzzle.half:
        raise InputError(
            "a page to play would show the whole pattern of a diagramless puzzle",
            "write .pdf, .svg or .png",
            file=path,
        )
    size, crossword = PAPERS[paper], titled(puzzle)
    pages = [puzzle_page(puzzle, size), solution_page(puzzle, size)]
    shown = picture(pages[solution])
    lines = [*text_lines(puzzle), "", "Solution:", "", *text_lines(puzzle, solution=True)]

    def write(beside: Path) -> None:
        match suffix:
            case ".pdf":
                write_pages(pages, beside, crossword.title, crossword.author)
            case ".png":
                draw(shown).save(beside, format="PNG")
            case ".svg":
                text = "\n".join(text_lines(puzzle, solution=solution))
                beside.write_text(drawing_svg(shown, crossword.title, text), encoding="utf-8")
            case ".html":
                beside.write_text(_playable(puzzle), encoding="utf-8")
            case ".json":
                beside.write_text(spell(dump_rows(puzzle_to_data(puzzle))), encoding="utf-8")
            case _:
                beside.write_text(spell("\n".join(lines)) + "\n", encoding="utf-8")

    write_atomically(path, write)
    if suffix not in (".pdf", ".png"):
        return []
    texts = "".join(
        item.text for page in pages for item in page.items if isinstance(item, TextLine)
    )
    absent = "".join(missing_glyphs(texts))
    return [f"the font lacks {' '.join(absent)}; --font names another"] if absent else []


def _playable(puzzle: Printed) -> str:
    """The HTML of the page to play: the lists of a fill-in are among its notes."""
    words = _word_lines(puzzle) if isinstance(puzzle, FillIn) else ()
    crossword = replace(titled(puzzle), notes="\n".join([instruction(puzzle), *words]))
    return crossword_page(crossword, codes=labels(puzzle) if isinstance(puzzle, Codeword) else None)


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
    """Return the puzzle of the crossword; ``about`` is ``puzzle`` of ``puzzle_to_data``.

    Raises ValueError, KeyError, TypeError or AttributeError for other data.
    """
    if about["kind"] == "fill-in":
        placed = set(map(str, about["placed"]))
        if unknown := placed - {slot.name for slot in crossword.grid.slots}:
            raise ValueError(f"the grid has no slot {min(unknown)}")
        return FillIn.of(crossword, placed, str(about["half"]))
    if about["kind"] != "codeword":
        raise ValueError(f"it is of kind {about['kind']}")
    numbers = {str(letter): int(number) for letter, number in about["numbers"].items()}
    given = set(map(str, about["given"]))
    if set(filled_letters(crossword).values()) != set(numbers):
        raise ValueError("the letters with a number are not those of the solution")
    if len(set(numbers.values())) < len(numbers):
        raise ValueError("two letters have the same number")
    if unknown := given - set(numbers):
        raise ValueError(f"the given letter {min(unknown)} does not occur")
    return Codeword.of(crossword, numbers, given, str(about["level"]), int(about["deduced"]))
