"""What a solver of a printed puzzle is asked, and whether it has exactly one answer.

The crossword that the puzzle is made from may have to be filled first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from encoders import Cell, Instance
from satcross.backends.another import another_by_cpsat, another_by_sat, cheapest_hitting_set
from satcross.crossword import Crossword
from satcross.errors import InputError, InternalError, SatcrossError
from satcross.formats.resources import read_resource
from satcross.formats.words import default_written
from satcross.grid import BLOCKED, OPEN, open_cells
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline, RunSettings
from satcross.solving.pangram import fill_pangram
from satcross.solving.preferences.preference import listed_words
from satcross.solving.solve import solve
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

T = TypeVar("T")

ENGINES = {"sat": another_by_sat, "cpsat": another_by_cpsat}
"""The solvers that look for another answer: two of different kinds."""

_ADDED = 5
"""Slots that are added at once when an answer without them is wrong."""

_DEAR = 1_000_000
"""What one more given costs beside all preferences among givens."""

_PANGRAM_SECONDS = 60.0
"""How long a fill with all letters is looked for: that there is none is rarely proved."""

_SHRINKINGS = 40
"""How often a smaller difference is looked for; a grid has at most some thirty letters."""


def filled_letters(crossword: Crossword) -> dict[Cell, str]:
    """Return the letter of each open cell; a cell in no word may have none, and is then a block.

    Raises InputError for a crossword with other cells without a letter, or with several in a cell.
    """
    if crossword.rebus:
        (row, column), several = min(crossword.rebus)
        raise InputError(
            f"row {row + 1}, column {column + 1} has several letters, {several}",
            "take a crossword with one letter in each square",
        )
    if not crossword.grid.slots:
        raise InputError("the grid has no words", "take a grid with words of two letters or more")
    letters = {
        (r, c): letter
        for r, row in enumerate(crossword.solution)
        for c, letter in enumerate(row)
        if letter is not None
    }
    for row, column in (cell for slot in crossword.grid.slots for cell in slot.cells):
        if (row, column) not in letters:
            problem = f"row {row + 1}, column {column + 1} has no letter"
            raise InputError(problem, "fill the crossword first")
    return letters


def printing(crossword: Crossword, cells: Collection[Cell]) -> Crossword:
    """Return the crossword, without clues, as a puzzle that prints the letters of these cells."""
    rows = (
        "".join(
            BLOCKED if letter is None else letter if (r, c) in cells else OPEN
            for c, letter in enumerate(row)
        )
        for r, row in enumerate(crossword.solution)
    )
    grid = crossword.grid.with_rows(rows)
    return replace(crossword, grid=grid, clues={}, other_clues=(), notes="")


def exactly(number: int, chosen: list[T], others: Sequence[T], noun: str, reason: str) -> list[T]:
    """Return so many items: those chosen, then others. Raises InputError when that can't be."""
    if number < len(chosen):
        problem = f"{counted(number, noun)} would not be enough {reason}"
        raise InputError(problem, f"give {len(chosen)} or more")
    if number > len(chosen) + len(others):
        max_used = len(chosen) + len(others)
        problem = f"{counted(number, noun)} can't be given: the crossword has {max_used}"
        raise InputError(problem, f"give at most {max_used}")
    return [*chosen, *others[: number - len(chosen)]]


def fitting(
    words: Iterable[str], held: Iterable[str | None], taken: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the words that have the letters ``held``, and elsewhere none that is ``taken``."""
    used = "".join(map(re.escape, taken))
    other = f"[^{used}]" if used else "."
    pattern = re.compile("".join(re.escape(letter) if letter else other for letter in held))
    return tuple(filter(pattern.fullmatch, words))


@dataclass(frozen=True, slots=True)
class Question:
    """Find one word per slot, so that cells in common agree; ``answer`` is the one printed.

    ``tables`` has the words that each slot may take. In a codeword the cells are numbers, and no
    two have the same letter (``distinct``); in a fill-in all words differ. ``sizes`` has the number
    of printed squares of each cell.
    """

    slots: tuple[tuple[Cell, ...], ...]
    tables: tuple[tuple[str, ...], ...]
    answer: tuple[str, ...]
    sizes: Mapping[Cell, int]
    distinct: bool = False

    def given(self, letters: Mapping[Cell, str]) -> Question:
        """The question when these letters are printed."""
        if not letters:
            return self
        # A given letter belongs to no other number, and its own may be in no slot.
        taken = letters.values() if self.distinct else ()
        tables = (
            fitting(words, [letters.get(cell) for cell in cells], taken)
            for cells, words in zip(self.slots, self.tables, strict=True)
        )
        return replace(self, tables=tuple(tables))

    def another(
        self, engine: str, deadline: Deadline, *, nearest: bool = False
    ) -> tuple[str, ...] | None:
        """Return another answer; None when there is none, or none at all without ``answer``.

        With ``nearest`` (by CP-SAT alone), the one that differs in as few squares as possible. A
        codeword's slots have many thousands of words, and few of them decide: those that are needed
        to reach every number come first, and others when an answer without them has no word there.
        """
        solve: Callable[..., list[str] | None] = ENGINES[engine]
        if nearest:
            solve = partial(solve, sizes=self.sizes)
        active = self._first_slots()
        while True:
            instance = Instance(
                tuple(self.slots[slot] for slot in active),
                tuple(self.tables[slot] for slot in active),
                self.distinct,
                distinct_letters=self.distinct,
            )
            words = solve(instance, [self.answer[slot] for slot in active if self.answer], deadline)
            if words is None:
                return None
            spelled = self._spelled(dict(zip(active, words, strict=True)))
            wrong = [n for n, word in enumerate(spelled) if word not in self.tables[n]]
            if not wrong:
                return spelled
            active += sorted(wrong, key=self._table_size)[:_ADDED]

    def _table_size(self, slot: int) -> int:
        return len(self.tables[slot])

    def _first_slots(self) -> list[int]:
        """Slots with few words that reach every cell; all slots when words have to differ."""
        if not self.distinct:
            return list(range(len(self.slots)))
        chosen, reached = list[int](), set[Cell]()
        for slot in sorted(range(len(self.slots)), key=self._table_size):
            if not reached.issuperset(self.slots[slot]):
                chosen.append(slot)
                reached.update(self.slots[slot])
        return chosen

    def _spelled(self, words: Mapping[int, str]) -> tuple[str, ...]:
        letters = self.letters(words)
        return tuple("".join(letters[cell] for cell in cells) for cells in self.slots)

    def letters(self, words: Mapping[int, str]) -> dict[Cell, str]:
        """The letters that words of some slots put into their cells."""
        return {
            cell: letter
            for slot, word in words.items()
            for cell, letter in zip(self.slots[slot], word, strict=True)
        }

    def differences(self, words: Sequence[str]) -> set[Cell]:
        """The cells in which another answer has another letter."""
        mine, other = (self.letters(dict(enumerate(item))) for item in (self.answer, words))
        return {cell for cell, letter in mine.items() if other[cell] != letter}


@dataclass(frozen=True, slots=True)
class Givens:
    """What a page may give away: ``items``, each the letters that it prints, by cell.

    ``costs`` says which items are preferred among equally many: the cheaper ones. Items that are
    in ``always`` are given in any case.
    """

    items: tuple[Mapping[Cell, str], ...]
    costs: tuple[int, ...]
    always: frozenset[int] = frozenset()


def fewest_givens(question: Question, givens: Givens, deadline: Deadline) -> list[int]:
    """Return as few items as possible with which the question has no other answer, by number.

    Each other answer rules out all choices that print nothing where it differs, so that the next
    choice is a smallest set that hits all such differences (the implicit hitting set method; E.
    Moreno-Centeno and R. Karp, "The implicit hitting set approach", Operations Research 61, 2013).
    The last answer "there is no other" is SAT's, and ``confirm`` asks CP-SAT. Raises TimeUp.
    """

    def differing(chosen: Collection[int]) -> frozenset[int] | None:
        printed = {cell: own for item in chosen for cell, own in givens.items[item].items()}
        words = question.given(printed).another("sat", deadline)
        if words is None:
            return None
        cells = question.differences(words)
        return frozenset(n for n, item in enumerate(givens.items) if not cells.isdisjoint(item))

    found: list[frozenset[int]] = [frozenset([item]) for item in sorted(givens.always)]
    costs = [_DEAR + cost for cost in givens.costs]
    while True:
        chosen = cheapest_hitting_set(found, costs)
        hit = differing(chosen)
        if hit is None:
            return chosen
        everything = frozenset(range(len(givens.items)))
        for item in sorted(hit)[:_SHRINKINGS]:  # a smaller difference rules out more choices
            if item in hit and len(hit) > 1:
                hit = differing((everything - hit) | {item}) or hit
        found.append(hit)


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


def confirm(question: Question, deadline: Deadline, engine: str = "cpsat") -> None:
    """Have an engine confirm that there is no other answer. Raises InternalError when there is."""
    if question.another(engine, deadline) is not None:
        raise InternalError(f"{engine} has found a second solution, and the other engine has not")


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


def plain_words(vocabulary: Vocabulary) -> Vocabulary:
    """Return the words that are no phrases, names, abbreviations or pieces of phrases."""
    unplain = {word for kind in _UNPLAIN for word in listed_words(f"{kind}.txt")}
    phrases = read_resource("english-parts.txt").decode("ascii").replace(" ", "").splitlines()
    hyphenated = (word for word, entry in default_written().items() if " " not in entry)
    unplain |= set(phrases).difference(hyphenated)
    scores = {word: vocabulary.score(word) for word in vocabulary if word not in unplain}
    return Vocabulary(scores)


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
    if not plain:
        return _filled(crossword, vocabulary, settings, pangram=pangram), ""
    deadline = settings.deadline()
    half = replace(settings, time_limit=settings.time_limit and settings.time_limit / 2)
    try:
        return _filled(crossword, plain_words(vocabulary), half, pangram=pangram), ""
    except NotFilledError:
        rest = replace(settings, time_limit=settings.time_limit and deadline.left)
        made = _filled(crossword, vocabulary, rest, pangram=pangram)
        return made, "its fill needs phrases or names"


def _filled(
    crossword: Crossword, vocabulary: Vocabulary, settings: RunSettings, *, pangram: bool
) -> Crossword:
    rows = (
        "".join((letter or content)[0] for content, letter in zip(*row, strict=True))
        for row in zip(crossword.grid.rows, crossword.solution, strict=True)
    )
    puzzle = Puzzle(crossword.grid.with_rows(rows), vocabulary)
    if pangram:
        limit = settings.time_limit or _PANGRAM_SECONDS
        outcome = fill_pangram(puzzle, settings, time_limit=limit)
    else:
        outcome = solve(puzzle, settings=settings)
    if outcome.fill is None:
        raise NotFilledError(outcome, "" if pangram else "; satcross explain says more")
    return replace(crossword, solution=Crossword.of(crossword.grid, outcome.fill).solution)
