"""Files of puzzles: pages, pictures, a page to play, text and JSON; and their check."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.drawing import layout, png, shapes
from satcross.formats.drawing.layout import GAP, MARGIN, PAPERS, ColumnLine
from satcross.formats.drawing.lettering import clean
from satcross.formats.drawing.pdf import write_pages
from satcross.formats.drawing.sheet import Sheet, with_name_line
from satcross.formats.drawing.svg import drawing_svg
from satcross.formats.files import read_text, write_atomically
from satcross.formats.html import crossword_page
from satcross.formats.json import crossword_from_data, crossword_to_data, dump_rows, parse_json
from satcross.formats.languages import phrase
from satcross.formats.registry import FORMATS, check_extension
from satcross.formats.writers import missing_characters, write_crossword
from satcross.grid import cell_name
from satcross.make.puzzles import SUFFIXES
from satcross.make.puzzles.arrow_drawing import arrow_page
from satcross.make.puzzles.arrowword import Arrowword, arrowword_ipuz
from satcross.make.puzzles.codeword import Codeword
from satcross.make.puzzles.fill_in import FillIn
from satcross.make.puzzles.printed import Printed
from satcross.make.puzzles.question import Question, confirm
from satcross.run_settings import Deadline
from satcross.support.letters import spell
from satcross.support.texts import in_language, language_or
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

KINDS: dict[str, type[Printed]] = {kind.kind: kind for kind in (Codeword, FillIn, Arrowword)}

_WITH_KEY = Sheet(answer_key=True)

_ARROWWORDS = (".pdf", ".svg", ".png", ".html", ".json", ".ipuz")
"""The formats that have clue cells."""

_MAX_CELL, _SOLUTION_CELL = 30.0, 26.0
_MIN_CELL = 14.0
_TEXT_SIZE = 10.0
_LIST_SIZES = (11.0, 10.0, 9.0, 8.0, 7.0)
_LEADING = 1.3
_KEY_COLUMNS = 13
_KEY_BOX = 34.0


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
    language = language_or(puzzle.crossword.language)
    puzzle = replace(puzzle, crossword=replace(puzzle.crossword, language=language))
    suffix, size = Path(path).suffix.lower(), PAPERS[paper]
    check_extension(path, FORMATS if isinstance(puzzle, Arrowword) else SUFFIXES)
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
                png.draw(picture(puzzle, size, solution=solution)).save(beside, format="PNG")
            case _:
                beside.write_text(spell(_text(puzzle, suffix, size, solution)), encoding="utf-8")

    with in_language(language):
        write_atomically(path, write)
    if suffix == ".ipuz":
        return ["the file does not keep the form of the arrows"]
    return missing_characters(puzzle.titled, path, "newspaper")


def _text(puzzle: Printed, suffix: str, size: tuple[float, float], solution: bool) -> str:
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


# Pages


_Block = tuple[list[shapes.Item], float]
"""Something below the grid: its shapes, and where it ends."""


def picture(puzzle: Printed, paper: tuple[float, float], *, solution: bool) -> shapes.Drawing:
    """Return a page without the blank below it; of an arrowword, the grid alone."""
    if isinstance(puzzle, Arrowword):
        return arrow_page(puzzle, paper, solution=solution, alone=True)
    page = printed_page(puzzle, paper, solution=solution)
    ends = [item.y + item.height for item in page.items if isinstance(item, shapes.Box)]
    ends += [item.y for item in page.items if isinstance(item, shapes.TextLine)]
    return replace(page, height=max(ends) + MARGIN)


def printed_page(puzzle: Printed, paper: tuple[float, float], *, solution: bool) -> shapes.Drawing:
    """Return the page to solve, or the solution; it is as long as what is below the grid needs."""
    if isinstance(puzzle, Arrowword):
        return arrow_page(puzzle, paper, solution=solution)
    width, height = paper
    crossword = puzzle.titled
    shown = crossword if solution else puzzle.shown
    items, top = layout.head_items(crossword, width, phrase("solution") if solution else "")
    if not solution:
        for line in shapes.wrap(puzzle.rule, _TEXT_SIZE, width - 2 * MARGIN):
            top += _TEXT_SIZE * _LEADING
            items.append(shapes.TextLine(MARGIN, top - 4, line, _TEXT_SIZE))
        top += GAP
    bottom = height - MARGIN - 3 * GAP
    rows, columns = shown.grid.height, shown.grid.width
    widest = (width - 2 * MARGIN) / columns
    largest = min(widest, _SOLUTION_CELL if solution else _MAX_CELL)
    for draw in _below(puzzle, solution=solution):
        cell = min(largest, (bottom - draw(width, top)[1]) / rows)
        if cell >= _MIN_CELL:
            break
    cell = max(cell, min(_MIN_CELL, widest))
    left = (width - cell * columns) / 2
    items += layout.grid_items(shown, left, top, cell, solution=solution, labels=puzzle.labels)
    more, end = draw(width, top + cell * rows + 2 * GAP)
    height = max(height, end + GAP + MARGIN)
    items += [*more, *layout.foot_items(crossword, width, height - MARGIN)]
    return layout.directed(crossword, shapes.Drawing(width, height, tuple(items)))


def _below(puzzle: Printed, *, solution: bool) -> list[Callable[[float, float], _Block]]:
    """Return what draws what stands below the grid, in smaller and smaller type.

    It takes the width of the page and where the block begins.
    """
    if isinstance(puzzle, Codeword):
        return [partial(_key, puzzle, puzzle.numbers if solution else puzzle.given)]
    if solution:
        return [lambda width, top: ([], top)]
    return [partial(_word_list, puzzle, size) for size in _LIST_SIZES]


def _key(puzzle: Codeword, shown: Collection[str], width: float, top: float) -> _Block:
    """A box for each number, with the letters that are ``shown``, and the letters to cross off."""
    box = min(_KEY_BOX, (width - 2 * MARGIN) / _KEY_COLUMNS)
    left = (width - box * min(_KEY_COLUMNS, len(puzzle.numbers))) / 2
    items: list[shapes.Item] = []
    for number, letter in sorted((n, own) for own, n in puzzle.numbers.items()):
        row, column = divmod(number - 1, _KEY_COLUMNS)
        x, y = left + column * box, top + row * (box + 4)
        fill = shapes.LIGHT if letter in puzzle.given else shapes.WHITE
        items.append(shapes.Box(x, y, box, box, fill, shapes.BLACK, 0.7))
        items.append(shapes.TextLine(x + 2, y + 9, str(number), 8))
        if letter in shown:
            items.append(
                shapes.TextLine(x + box / 2, y + box * 0.86, clean(letter), box * 0.55, "middle")
            )
    y = top + (len(puzzle.numbers) - 1) // _KEY_COLUMNS * (box + 4) + box + 20
    if len(shown) == len(puzzle.numbers):
        return items, y
    is_latin = any(letter in ascii_uppercase for letter in puzzle.numbers)
    alphabet = sorted({*puzzle.numbers, *(ascii_uppercase if is_latin else "")})
    step = min(20.0, (width - 2 * MARGIN) / len(alphabet))
    x = (width - step * (len(alphabet) - 1)) / 2
    for letter in alphabet:
        items.append(shapes.TextLine(x, y, clean(letter), 12, "middle"))
        if letter in puzzle.given:
            items.append(shapes.Stroke(x - 5, y - 4, x + 5, y - 4, 0.9))
        x += step
    return items, y + 6


def _word_list(puzzle: Printed, size: float, width: float, top: float) -> _Block:
    """Return the words by length in columns; words that are printed already are struck out."""
    struck = puzzle.placed_words if isinstance(puzzle, FillIn) else ()
    chunks: list[layout.Chunk] = []
    for heading, words in puzzle.words.items():
        first, *others = (ColumnLine(clean(word), struck=word in struck) for word in words)
        title = ColumnLine(clean(heading), bold=True, above=size)
        chunks += [(title, first), *((line,) for line in others)]
    lines = (line for chunk in chunks for line in chunk)
    widest = max(shapes.text_width(line.text, size, bold=line.bold) for line in lines)
    room = width - 2 * MARGIN
    columns = max(1, int((room + 2 * GAP) / (widest + 2 * GAP)))
    lefts = tuple(MARGIN + n * room / columns for n in range(columns))
    return layout.column_items(chunks, size, top, lefts)


# Checks


def check_puzzle(
    path: str, read_vocabulary: Callable[[], Vocabulary], deadline: Deadline
) -> tuple[Mapping[str, Any], list[str]]:
    """Check a puzzle from its .json. Words of a codeword are those of the vocabulary.

    Returns JSON values, and lines of text. ``unique`` says whether there is exactly one solution,
    ``second`` has the rows of another one if there is one, and ``differences`` the number of
    squares in which it differs: as few as possible. Raises InputError for a file that is no puzzle,
    and TimeUp.
    """
    puzzle = parse_puzzle(parse_json(read_text(path).text, path), path)
    if faults := puzzle.faults():
        return {"unique": False, "faults": faults}, faults
    question = puzzle.question(read_vocabulary)
    _check_decided(question, path)
    rows, second, differences = puzzle.rows(), None, 0
    words = question.another("cpsat", deadline, nearest=True)
    if words is None:
        confirm(question, deadline, "sat")
        lines = ["Exactly one solution: sat and cpsat agree that there is no other."]
        if isinstance(puzzle, Arrowword):
            lines.append(f"Each of the {counted(len(question.slots), 'word')} has one clue.")
    else:
        second = puzzle.rows(question.letters(dict(enumerate(words))))
        differences = sum(question.sizes[cell] for cell in question.differences(words))
        lines = [f"Two solutions, which differ in {counted(differences, 'cell')}:"]
        lines += [f"{row}   {other}" for row, other in zip(rows, second, strict=True)]
    found = {"unique": second is None, "solution": rows}
    found |= {"second": second, "differences": differences}
    found |= {"faults": []} if isinstance(puzzle, Arrowword) else {}
    return found, lines


def _check_decided(question: Question, path: str) -> None:
    """Raise InputError for a cell that no word and no given letter decides."""
    reached = {cell for cells in question.slots for cell in cells}
    undecided = sorted(set(question.sizes) - reached - question.printed)
    if undecided:
        row, column = undecided[0]
        where = cell_name((row, column))
        if question.distinct:
            where = f"number {column}"
        raise InputError(
            f"{where} is in no word, and its letter is not given", "give it", file=path
        )
