"""What printed puzzles have in common, and the filled crosswords that they are made from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Self, get_type_hints

import msgspec

from satcross.crossword import Crossword
from satcross.errors import InputError, SatcrossError
from satcross.formats.languages import phrase
from satcross.formats.resources import read_resource
from satcross.formats.written import default_written
from satcross.grid import BLOCKED, OPEN, Cell, Grid, cell_name, open_cells
from satcross.make.puzzles.question import Question
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import RunSettings
from satcross.solving.pangram import fill_pangram
from satcross.solving.preferences import listed_words
from satcross.solving.solve import solve
from satcross.vocabulary import Vocabulary

_PANGRAM_SECONDS = 60.0
"""How long a fill with all letters is looked for: that there is none is rarely proved."""


def no_words() -> Vocabulary:
    return Vocabulary([])


@dataclass(frozen=True, slots=True)
class Printed(ABC):
    """A puzzle: a filled crossword, whose given letters are printed, and what is asked about it."""

    kind: ClassVar[str]
    crossword: Crossword

    @property
    def about(self) -> dict[str, Any]:
        """The JSON values of the puzzle beside those of its crossword."""
        own = ((item, getattr(self, item.name)) for item in fields(self)[1:])
        values = {item.name: value for item, value in own if value != item.default}
        found: dict[str, Any] = msgspec.to_builtins({"kind": self.kind, **values})
        return found

    @classmethod
    def of_data(cls, about: Mapping[str, Any], crossword: Crossword) -> Self:
        """Return the puzzle of JSON values as ``about`` has them.

        Raises ValueError, LookupError, TypeError or AttributeError for other data.
        """
        kinds = get_type_hints(cls)
        names = [item.name for item in fields(cls)[1:] if item.name in about]
        values = {name: msgspec.convert(about[name], kinds[name]) for name in names}
        return cls(crossword, **values)

    @abstractmethod
    def question(self, read_words: Callable[[], Vocabulary] = no_words) -> Question:
        """Return what the solver of the page is asked, who knows the words of a list."""

    def faults(self) -> list[str]:
        """Return what is wrong with the puzzle apart from its solutions, in sentences."""
        return []

    @property
    @abstractmethod
    def summary(self) -> str:
        """What the puzzle consists of, and what is proved, in sentences."""

    @property
    def titled(self) -> Crossword:
        """The crossword with a title, by default the kind of the puzzle."""
        title = self.crossword.title or phrase(self.kind.replace("-", "_"))
        return replace(self.crossword, title=title)

    @property
    def shown(self) -> Crossword:
        """The crossword as the page to solve shows it."""
        return self.crossword

    @property
    def hides_pattern(self) -> bool:
        """Whether the solver has to find the pattern, which a page to play would show."""
        return self.shown is not self.crossword

    @property
    def rule(self) -> str:
        """What the solver has to do, in a sentence or two."""
        return ""

    @property
    def labels(self) -> dict[Cell, str]:
        """What stands in the corners of cells."""
        return {}

    @property
    def words(self) -> dict[str, list[str]]:
        """Heading -> the words that are listed under it beside the grid."""
        return {}

    def cell(self, cell: Cell) -> Cell:
        """Return the cell of the question that a cell of the grid belongs to."""
        return cell

    def lines(self) -> Iterable[str]:
        """Return the puzzle as lines of text."""
        return self.rows()

    def rows(self, letters: Mapping[Cell, str] = MappingProxyType({})) -> list[str]:
        """Return the rows of the solution; ``letters`` are others in cells of the question."""
        return [
            "".join(
                letters.get(self.cell((r, c)), letter) if letter else BLOCKED
                for c, letter in enumerate(row)
            )
            for r, row in enumerate(self.crossword.solution)
        ]

    def description(self, *, solution: bool) -> str:
        """Return the text alternative of a picture."""
        return "\n".join(self.rows() if solution else self.lines())


def printed_letters(grid: Grid) -> dict[Cell, str]:
    """Return the given letters of a grid."""
    return {cell: letter for cell in open_cells(grid.rows) if (letter := grid.given(cell))}


def filled_letters(crossword: Crossword) -> dict[Cell, str]:
    """Return the letter of each open cell; a cell in no word may have none, and is then a block.

    Raises InputError for a crossword with other cells without a letter, or with several in a cell.
    """
    if crossword.rebus:
        (row, column), several = min(crossword.rebus)
        raise InputError(
            f"{cell_name((row, column))} has several letters, {several}",
            "take a crossword with one letter in each square",
        )
    if not crossword.grid.slots:
        raise InputError("the grid has no words", "take a grid with words of two letters or more")
    letters = crossword.letters
    for row, column in (cell for slot in crossword.grid.slots for cell in slot.cells):
        if (row, column) not in letters:
            problem = f"{cell_name((row, column))} has no letter"
            raise InputError(problem, "fill the crossword first")
    return letters


def printing(crossword: Crossword, cells: Collection[Cell]) -> Crossword:
    """Return the crossword, without clues, as a puzzle that prints the letters of these cells."""
    letters, opened = crossword.letters, open_cells(crossword.grid.rows)
    contents = dict.fromkeys(opened, BLOCKED) | dict.fromkeys(letters, OPEN)
    contents |= {cell: letters[cell] for cell in letters.keys() & cells}
    grid = crossword.grid.with_cells(contents)
    return replace(crossword, grid=grid, clues={}, other_clues=(), notes="")


def crossword_question(crossword: Crossword, tables: Callable[[str], Iterable[str]]) -> Question:
    """What is asked of the solver of a crossword whose slots may take the words of ``tables``.

    ``tables`` returns those words for the answer of a slot, which is one of them.
    """
    slots, words = crossword.grid.slots, crossword.words
    return Question(
        tuple(slot.cells for slot in slots),
        tuple(tuple(tables(words[slot.name])) for slot in slots),
        tuple(words[slot.name] for slot in slots),
        dict.fromkeys(open_cells(crossword.grid.rows), 1),
    )


_UNPLAIN = ("abbreviations", "names", "partials")
"""Kinds of words, listed in files of the package, that a solver without clues can't guess."""


class NotFilledError(SatcrossError):
    """The grid can't be filled, which is proved if ``unfillable``, or was not filled in time."""

    def __init__(self, outcome: Outcome, advice: str) -> None:
        self.unfillable = outcome.status is Status.UNFILLABLE
        super().__init__(f"the grid is not filled: {outcome.reason}{advice}")


def is_filled(crossword: Crossword) -> bool:
    """Return whether every slot has a whole word."""
    return len(crossword.words) == len(crossword.grid.slots)


def plain_words(vocabulary: Vocabulary, grid: Grid) -> Vocabulary:
    """Return the words without phrases, names, abbreviations and pieces of phrases for the grid."""
    lengths = {slot.length for slot in grid.slots}
    unplain = [word for kind in _UNPLAIN for word in listed_words(f"{kind}.txt")]
    parts = read_resource("english-parts.txt").decode("ascii").replace(" ", "").splitlines()
    if phrases := [word for word in parts if len(word) in lengths and word in vocabulary]:
        written = default_written()  # which takes long, and there is no phrase in many a list
        unplain += [word for word in phrases if " " in written[word]]
    return vocabulary.changed({word: None for word in unplain if len(word) in lengths})


def filled(
    crossword: Crossword,
    vocabulary: Vocabulary,
    settings: RunSettings,
    *,
    pangram: bool = False,
    plain: bool = False,
) -> tuple[Crossword, str]:
    """Return the crossword with a fill that keeps its letters, if it lacks some, and a remark.

    With ``pangram``, all letters are in the fill. With ``plain``, its words are ``plain_words``,
    unless the remark says that it needs others. Raises NotFilledError.
    """
    if is_filled(crossword):
        return crossword, ""
    known = {cell: letters[0] for cell, letters in crossword.letters.items()}
    grid, deadline = crossword.grid.with_cells(known), settings.deadline()
    for words in [plain_words(vocabulary, grid), vocabulary] if plain else [vocabulary]:
        limit = settings.time_limit and deadline.left / (1 if words is vocabulary else 2)
        if pangram:
            limit = limit or _PANGRAM_SECONDS
            outcome = fill_pangram(Puzzle(grid, words), settings, time_limit=limit)
        else:
            outcome = solve(Puzzle(grid, words), settings=settings, time_limit=limit)
        if outcome.fill is not None:
            remark = "its fill needs phrases or names" if plain and words is vocabulary else ""
            solution = Crossword.of(crossword.grid, outcome.fill).solution
            return replace(crossword, solution=solution), remark
    raise NotFilledError(outcome, "" if pangram else "; satcross explain says more")
