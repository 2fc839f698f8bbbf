"""Files of puzzles: pages, pictures, a page to play, text, and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.drawing.layout import PAPERS
from satcross.formats.drawing.lettering import clean
from satcross.formats.drawing.pdf import write_pages
from satcross.formats.drawing.png import draw
from satcross.formats.drawing.sheet import Sheet, with_name_line
from satcross.formats.drawing.svg import drawing_svg
from satcross.formats.files import write_atomically
from satcross.formats.html import crossword_page
from satcross.formats.json import crossword_from_data, crossword_to_data, dump_rows
from satcross.formats.languages import phrase
from satcross.formats.registry import WRITERS, check_extension
from satcross.formats.writers import missing_characters, write_crossword
from satcross.make.puzzles import SUFFIXES
from satcross.make.puzzles.arrowword import Arrowword, arrowword_ipuz
from satcross.make.puzzles.codeword import Codeword
from satcross.make.puzzles.fill_in import FillIn
from satcross.make.puzzles.page import picture, printed_page
from satcross.make.puzzles.printed import Printed
from satcross.support.letters import spell
from satcross.support.texts import in_language

KINDS: dict[str, type[Printed]] = {kind.kind: kind for kind in (Codeword, FillIn, Arrowword)}

_WITH_KEY = Sheet(answer_key=True)

_ARROWWORDS = (".pdf", ".svg", ".png", ".html", ".json", ".ipuz")
"""The formats that have clue cells."""


def write_puzzle(
    puzzle: Printed,
    path: str,
    *,
    paper: str = "a4",
    solution: bool = False,
    sheet: Sheet = _WITH_KEY,
) -> list[str]:
    """Write a puzzle in the format that the extension names; return what is lost, in sentences.

    Texts of ours follow the language of the crossword. A .pdf has the page to solve, and what the
    ``sheet`` says of a line for the name and of the solution; a picture has one of the two. .html
    is a page to play, with the answers inside, and .json has everything. An arrowword is written as
    an .ipuz, too, and, without its clue cells, in other formats of crosswords. Raises InputError
    for another extension, and for a diagramless fill-in as .html, which would show the pattern.
    """
    suffix, size = Path(path).suffix.lower(), PAPERS[paper]
    check_extension(path, WRITERS if isinstance(puzzle, Arrowword) else SUFFIXES)
    if suffix == ".html" and puzzle.hides_pattern:
        raise InputError(
            "a page to play would show the whole pattern of a diagramless puzzle",
            "write .pdf, .svg or .png",
            file=path,
        )
    if isinstance(puzzle, Arrowword) and suffix not in _ARROWWORDS:
        lost = ["clue cells and arrows", *write_crossword(puzzle.crossword, path)]
        return [f"the file does not keep {'; '.join(lost)}"]

    def write(beside: Path) -> None:
        match suffix:
            case ".pdf":
                pages = [with_name_line(printed_page(puzzle, size, solution=False), sheet)]
                if sheet.answer_key:
                    pages.append(printed_page(puzzle, size, solution=True))
                write_pages(pages, beside, puzzle.titled.title, puzzle.crossword.author)
            case ".png":
                draw(picture(puzzle, size, solution=solution)).save(beside, format="PNG")
            case _:
                beside.write_text(spell(_text(puzzle, suffix, size, solution)), encoding="utf-8")

    with in_language(puzzle.crossword.language):
        write_atomically(path, write)
    if suffix == ".ipuz":
        return ["the file does not keep the form of the arrows"]
    return missing_characters(puzzle.titled, path, "newspaper")


def _text(puzzle: Printed, suffix: str, size: tuple[float, float], solution: bool) -> str:
    """Return the content of a file that is text."""
    match puzzle, suffix:
        case _, ".json":
            return dump_rows(puzzle_to_data(puzzle))
        case _, ".svg":
            return _svg(puzzle, size, solution=solution)
        case Arrowword(), ".ipuz":
            return dump_rows(arrowword_ipuz(puzzle))
        case _, ".html":
            crossword = replace(puzzle.titled, notes=puzzle.rule)
            if isinstance(puzzle, Arrowword):
                leads = {own.cell: [clue.slot for clue in own.clues] for own in puzzle.clue_cells}
                return crossword_page(crossword, backdrop=_svg(puzzle, size), clue_cells=leads)
            return crossword_page(crossword, codes=puzzle.labels, words=puzzle.words)
    return "\n".join([*puzzle.lines(), "", f"{phrase('solution')}:", "", *puzzle.rows(), ""])


def _svg(puzzle: Printed, size: tuple[float, float], *, solution: bool = False) -> str:
    drawing, text = picture(puzzle, size, solution=solution), puzzle.description(solution=solution)
    return drawing_svg(drawing, clean(puzzle.titled.title), clean(text))


def puzzle_to_data(puzzle: Printed) -> dict[str, object]:
    """Return a puzzle as JSON values: those of its crossword, and ``puzzle`` for the rest."""
    return {"puzzle": puzzle.about, **crossword_to_data(puzzle.crossword)}


def parse_puzzle(data: object, path: str) -> Printed:
    """Return the puzzle that was written as this JSON. Raises InputError, which names the path."""
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

    Raises ValueError, LookupError, TypeError or AttributeError for other data.
    """
    if about["kind"] not in KINDS:
        raise ValueError(f"it is of kind {about['kind']}")
    return KINDS[about["kind"]].of_data(about, crossword)
