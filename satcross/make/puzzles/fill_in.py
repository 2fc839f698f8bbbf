"""Fill-ins: the words, or numbers, of a grid by length, with exactly one way to arrange them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from random import Random
from typing import ClassVar, Unpack

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.languages import phrase, sort_key
from satcross.grid import BLOCKED, OPEN, Cell, Grid, open_cells
from satcross.grid.lint import moves, symmetries
from satcross.make.puzzles.printed import (
    Printed,
    crossword_question,
    filled_letters,
    no_words,
    printed_letters,
    printing,
)
from satcross.make.puzzles.question import Question, confirm, exactly, fewest_givens, printed
from satcross.run_settings import RunOptions, RunSettings
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

HALVES = {
    "half a turn": ("half turn", "half_turn"),
    "top and bottom": ("top to bottom", "half_top"),
    "left and right": ("left to right", "half_left"),
}
"""Symmetries of a pattern -> their names in ``grid.lint``, and the phrases that state them."""

_MAX_DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class FillIn(Printed):
    """A fill-in: its words go into the grid, each once.

    ``placed`` names the slots whose words are printed in the grid, as its given letters. ``half``
    is the symmetry, of ``HALVES``, by which the solver completes a pattern of which half is given;
    "" when all of it is.
    """

    kind: ClassVar[str] = "fill-in"
    placed: tuple[str, ...]
    half: str

    def __post_init__(self) -> None:
        if unknown := set(self.placed) - {slot.name for slot in self.crossword.grid.slots}:
            raise ValueError(f"the grid has no slot {min(unknown)}")

    def question(self, read_words: Callable[[], Vocabulary] = no_words) -> Question:
        return fill_in_question(self.crossword).given(printed_letters(self.crossword.grid))

    @property
    def summary(self) -> str:
        placed = f"{', '.join(self.placed)} placed" if self.placed else "none placed"
        words = counted(len(self.crossword.words), "word")
        return f"{words}, {placed}. Exactly one arrangement, by sat and cpsat."

    @property
    def rule(self) -> str:
        text = phrase("numbers_rule" if self._is_digits else "words_rule")
        return f"{text} {phrase(HALVES[self.half][1])}" if self.half else text

    @property
    def _is_digits(self) -> bool:
        return all(word.isdecimal() for word in self.crossword.words.values())

    @property
    def words(self) -> dict[str, list[str]]:
        heading = phrase("digits" if self._is_digits else "letters")
        words = sorted(self.crossword.words.values(), key=sort_key)
        lengths = sorted({len(word) for word in words})
        return {
            heading.format(length).strip("()"): [word for word in words if len(word) == length]
            for length in lengths
        }

    @property
    def placed_words(self) -> set[str]:
        """The words that are printed in the grid."""
        return {self.crossword.words[name] for name in self.placed}

    def lines(self) -> Iterator[str]:
        yield from (*self.shown.grid.rows, "")
        for heading, words in self.words.items():
            shown = [f"({word})" if word in self.placed_words else word for word in words]
            yield f"{heading}: {' '.join(shown)}"

    @property
    def shown(self) -> Crossword:
        """The crossword without the blocks that the solver has to find."""
        if not self.half:
            return self.crossword
        grid, mirror = self.crossword.grid, moves(self.crossword.grid)[HALVES[self.half][0]]
        blocks = set(product(range(grid.height), range(grid.width))) - open_cells(grid.rows)
        later = {cell: OPEN for cell in blocks if cell > mirror(cell)}
        shown = replace(grid, holes=frozenset()).with_cells(later)
        return replace(self.crossword, grid=shown)


def make_fill_in(
    crossword: Crossword,
    settings: RunSettings | None = None,
    *,
    given: int | None = None,
    numbers: bool = False,
    diagramless: bool = False,
    **changes: Unpack[RunOptions],
) -> FillIn:
    """Turn a filled crossword into a fill-in whose words can be arranged in exactly one way.

    As few words as possible are placed; with ``given``, so many. With ``numbers``, random digits
    take the place of the letters. A ``diagramless`` fill-in shows half of a symmetric pattern. SAT
    and CP-SAT prove that there is one arrangement.

    Raises InputError for a crossword that makes no fill-in or when ``given`` words do not suffice,
    and TimeUp when the time limit passes or ``should_stop`` says so.
    """
    settings = RunSettings.of(settings, changes)
    deadline = settings.deadline()
    random = Random(settings.seed)
    half = _half(crossword.grid) if diagramless else ""
    if numbers:
        crossword = _with_digits(crossword, random)
    filled_letters(crossword)
    twice = [word for word, number in Counter(crossword.words.values()).items() if number > 1]
    if twice:
        raise InputError(
            f"{twice[0]} stands in the crossword twice, and a fill-in has each word once",
            "take a crossword whose words differ",
        )
    question = fill_in_question(crossword)
    slots, words = crossword.grid.slots, crossword.words
    costs = list(range(1, len(slots) + 1))
    random.shuffle(costs)
    by_slot = dict(zip(slots, costs, strict=True))
    settings.on_progress("choosing the words to place")
    items = {slot: dict(zip(slot.cells, words[slot.name], strict=True)) for slot in slots}
    chosen = fewest_givens(question, items, by_slot, deadline)
    if given is not None:
        chosen = exactly(given, chosen, by_slot, "placed word", "for one arrangement")
    left = {cell for slot in slots if slot not in chosen for cell in slot.cells}
    # Cells in no word are printed, too.
    shown = (open_cells(crossword.grid.rows) - left) | printed(items, chosen).keys()
    placed = tuple(slot.name for slot in slots if slot in chosen)
    made = FillIn(printing(crossword, shown), placed, half)
    settings.on_progress("confirming that there is one arrangement")
    confirm(made.question(), deadline)
    return made


def fill_in_question(crossword: Crossword) -> Question:
    """What a solver is asked, if no word is placed."""
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    for word in sorted(crossword.words.values()):
        by_length[len(word)].append(word)
    return crossword_question(crossword, lambda word: by_length[len(word)])


def _half(grid: Grid) -> str:
    """The symmetry of the pattern. Raises InputError when it has none, or when it has bars."""
    if not grid.bars and BLOCKED in "".join(grid.rows):
        found = list(symmetries(grid))
        for name, (symmetry, _) in HALVES.items():
            if symmetry in found:
                return name
    raise InputError(
        "half of the pattern does not tell the other half",
        "take a grid whose blocks are symmetric by half a turn or a mirror, or leave out "
        "--diagramless",
    )


def _with_digits(crossword: Crossword, random: Random) -> Crossword:
    """The crossword with digits that make all numbers different, none of which begins with 0."""
    grid = crossword.grid
    first = {slot.cells[0] for slot in grid.slots}

    def draw(cell: Cell) -> str:
        return random.choice("123456789" if cell in first else "0123456789")

    digits = {cell: draw(cell) for cell in sorted(open_cells(grid.rows))}
    for _ in range(_MAX_DRAWS):
        spelled = {slot: "".join(digits[cell] for cell in slot.cells) for slot in grid.slots}
        equal = [slot for slot, twin in combinations(spelled, 2) if spelled[slot] == spelled[twin]]
        if not equal:
            solution = Crossword.of(grid.with_cells(digits)).solution
            return replace(crossword, grid=grid.with_given(()), solution=solution)
        for slot in equal:
            cell = random.choice(slot.cells)
            digits[cell] = draw(cell)
    raise InputError(
        "there are not enough different numbers for the slots of one length",
        "take a grid with fewer short slots",
    )
