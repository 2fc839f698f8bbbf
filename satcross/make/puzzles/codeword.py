"""Codewords: a filled crossword whose letters are numbers, with exactly one way to read it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase
from typing import ClassVar, Unpack

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.languages import phrase
from satcross.grid import Cell
from satcross.make.puzzles import LEVELS
from satcross.make.puzzles.printed import Printed, filled_letters, no_words, printing
from satcross.make.puzzles.question import (
    Question,
    confirm,
    exactly,
    fewest_givens,
    fitting,
)
from satcross.run_settings import Deadline, RunOptions, RunSettings
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

EASY, MEDIUM, HARD = LEVELS

SHARES = {EASY: 0.5, MEDIUM: 0.25}
"""The share of a word's letters that a solver knows before the word helps, at each level."""


@dataclass(frozen=True, slots=True)
class Codeword(Printed):
    """A codeword: ``numbers`` maps the letters of the crossword's solution to 1, 2, 3 ...

    ``given`` are the letters that the page prints, which are the given letters of the grid.
    ``level`` is the easiest of ``LEVELS`` at which deduction finds all letters: ``deduced`` says
    how many it finds, with words of which at least that share of ``SHARES`` is known (of "hard":
    the share of "medium"), besides those given.
    """

    kind: ClassVar[str] = "codeword"
    numbers: Mapping[str, int]
    given: tuple[str, ...]
    level: str
    deduced: int

    def __post_init__(self) -> None:
        if set(filled_letters(self.crossword).values()) != set(self.numbers):
            raise ValueError("the letters with a number are not those of the solution")
        if len(set(self.numbers.values())) < len(self.numbers):
            raise ValueError("two letters have the same number")
        if unknown := set(self.given) - set(self.numbers):
            raise ValueError(f"the given letter {min(unknown)} does not occur")

    def question(self, read_words: Callable[[], Vocabulary] = no_words) -> Question:
        asked = codeword_question(self.crossword, self.numbers, read_words())
        return asked.given(as_cells(self.numbers, self.given))

    @property
    def summary(self) -> str:
        letters, shown = counted(len(self.numbers), "letter"), ", ".join(self.given)
        given = f"{len(self.given)} given ({shown})" if shown else "none given"
        text = f"{letters}, {given}. Exactly one reading, by sat and cpsat.\nLevel {self.level}: "
        if self.level == HARD:
            others = len(self.numbers) - len(self.given)
            return f"{text}word by word one finds {self.deduced} of the other {others} letters."
        known = "half" if self.level == EASY else "a quarter"
        return f"{text}all letters follow word by word, from words of which {known} is known."

    @property
    def rule(self) -> str:
        parts = ["codeword_rule"]
        if not set(self.numbers).issuperset(ascii_uppercase):
            parts.append("not_all_letters")
        return " ".join(map(phrase, parts))

    @property
    def number_rows(self) -> list[list[int]]:
        """The number in each cell, in rows; 0 in a blocked cell."""
        return [
            [self.numbers.get(cell or "", 0) for cell in row] for row in self.crossword.solution
        ]

    @property
    def labels(self) -> dict[Cell, str]:
        return {
            (r, c): str(number)
            for r, row in enumerate(self.number_rows)
            for c, number in enumerate(row)
            if number
        }

    def cell(self, cell: Cell) -> Cell:
        row, column = cell
        return (0, self.numbers[self.crossword.solution[row][column] or ""])

    def lines(self) -> Iterator[str]:
        for numbers in self.number_rows:
            yield " ".join(f"{number:2}" if number else " #" for number in numbers)
        given = ", ".join(f"{self.numbers[letter]} = {letter}" for letter in self.given)
        yield from ("", f"{phrase('given')}: {given or phrase('no_letter')}")

    @property
    def letters(self) -> dict[int, str]:
        """The letter of each number, in the order of the numbers."""
        return dict(sorted((number, letter) for letter, number in self.numbers.items()))


def make_codeword(
    crossword: Crossword,
    vocabulary: Vocabulary,
    settings: RunSettings | None = None,
    *,
    given: int | None = None,
    level: str | None = None,
    pangram: bool = False,
    **changes: Unpack[RunOptions],
) -> Codeword:
    """Turn a filled crossword into a codeword that can be read in exactly one way.

    Words are those of the vocabulary and those of the crossword. No fewer letters could be given;
    with ``given``, so many are. ``level`` "easy" or "medium" gives more, so that deduction alone
    finds the others, and none of them can be left out; "hard" gives letters that help little. With
    ``pangram`` the crossword has to have each letter from A to Z. SAT and CP-SAT prove that there
    is one reading.

    Raises InputError for a crossword that is no codeword or when ``given`` letters do not suffice,
    and TimeUp when the time limit passes or ``should_stop`` says so.
    """
    settings = RunSettings.of(settings, changes)
    deadline = settings.deadline()
    used = Counter(filled_letters(crossword).values())
    if pangram:
        _check_pangram(used)
    random = Random(settings.seed)
    letters = sorted(used)
    random.shuffle(letters)
    numbers = dict(sorted(zip(letters, range(1, len(letters) + 1), strict=True)))
    question = codeword_question(crossword, numbers, vocabulary)
    settings.on_progress("choosing the letters to give")
    if level in SHARES:
        chosen = _givens_for_deduction(question, numbers, used, SHARES[level], deadline)
    else:
        chosen = _fewest(question, numbers, used, helpful=level is None, deadline=deadline)
    if given is not None:
        sign = 1 if level == HARD else -1
        others = sorted(set(used) - set(chosen), key=lambda own: (sign * used[own], numbers[own]))
        reason = f"for level {level}" if level in SHARES else "for one reading"
        chosen = exactly(given, chosen, others, "given letter", reason)
    settings.on_progress("confirming that there is one reading")
    confirm(question.given(as_cells(numbers, chosen)), deadline)
    reached, found = deduction_level(question, numbers, chosen)
    cells = {cell for cell, letter in filled_letters(crossword).items() if letter in chosen}
    shown = tuple(sorted(chosen, key=numbers.__getitem__))
    return Codeword(printing(crossword, cells), numbers, shown, reached, found)


def _check_pangram(used: Collection[str]) -> None:
    missing = sorted(set(ascii_uppercase) - set(used))
    if missing:
        raise InputError(
            f"the crossword lacks {counted(len(missing), 'letter')}: {', '.join(missing)}",
            "give a grid without letters, which is then filled with all of them",
        )


def as_cells(numbers: Mapping[str, int], letters: Iterable[str]) -> dict[Cell, str]:
    """Return some letters as those of cells of ``codeword_question``."""
    return {(0, numbers[letter]): letter for letter in letters}


def codeword_question(
    crossword: Crossword, numbers: Mapping[str, int], vocabulary: Vocabulary
) -> Question:
    """What a solver is asked: the letters of all numbers, if none is given.

    A number is a cell (0, number). A slot may take the words in which the same letters are equal.
    """
    words = tuple(dict.fromkeys(crossword.words.values()))
    alike: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    for length in {len(word) for word in words}:
        for word in dict.fromkeys((*vocabulary.group(length).words, *words)):
            if len(word) == length:
                alike[_shape(word)].append(word)
    tables = {shape: tuple(own) for shape, own in alike.items()}
    return Question(
        tuple(tuple((0, numbers[letter]) for letter in word) for word in words),
        tuple(tables[_shape(word)] for word in words),
        words,
        {
            (0, numbers[letter]): size
            for letter, size in Counter(filled_letters(crossword).values()).items()
        },
        distinct=True,
    )


def _shape(word: str) -> tuple[int, ...]:
    """Where each letter of a word first stands in it."""
    return tuple(map(word.index, word))


def _fewest(
    question: Question,
    numbers: Mapping[str, int],
    used: Mapping[str, int],
    *,
    helpful: bool,
    deadline: Deadline,
) -> list[str]:
    letters = sorted(numbers, key=numbers.__getitem__)
    in_words = {cell for cells in question.slots for cell in cells}
    cost = max(used.values()) + 1
    items = [as_cells(numbers, letter) for letter in letters]
    costs = [cost - used[letter] if helpful else used[letter] for letter in letters]
    always = [n for n, item in enumerate(items) if in_words.isdisjoint(item)]
    chosen = fewest_givens(question, items, costs, deadline, always)
    return [letters[item] for item in chosen]


# Deduction


def deduce(question: Question, known: Mapping[Cell, str], share: float) -> dict[Cell, str]:
    """Return the letters that a solver finds who looks at one word at a time, and never guesses.

    A word helps once at least ``share`` of its letters are known. Of the words of the list that
    have these letters there, and elsewhere no letter that a number has already, all may have the
    same letter for a number: it is then known, too. This goes on until no word helps any more.
    """
    known = dict(known)
    tables = dict(enumerate(question.tables))
    while tables:
        before = len(known)
        for slot in list(tables):
            cells = question.slots[slot]
            held = [known.get(cell) for cell in cells]
            if None not in held:
                del tables[slot]
                continue
            if sum(letter is not None for letter in held) < share * len(cells):
                continue
            tables[slot] = fitting(tables[slot], held, known.values())
            for n, cell in enumerate(cells):
                if cell not in known and len({word[n] for word in tables[slot]}) == 1:
                    known[cell] = tables[slot][0][n]
        if len(known) == before:
            break
    return known


def deduction_level(
    question: Question, numbers: Mapping[str, int], given: Iterable[str]
) -> tuple[str, int]:
    """Return the easiest level at which deduction finds all letters, and how many it finds."""
    known = as_cells(numbers, given)
    for level, share in SHARES.items():
        found = deduce(question, known, share)
        if len(found) == len(numbers):
            return level, len(found) - len(known)
    return HARD, len(found) - len(known)


def _givens_for_deduction(
    question: Question,
    numbers: Mapping[str, int],
    used: Mapping[str, int],
    share: float,
    deadline: Deadline,
) -> list[str]:
    """Return letters with which deduction finds all others, none of which can be left out.

    Each time, the letter is added with which deduction finds the most letters.
    """

    def finds(letters: Iterable[str]) -> int:
        deadline.check()
        return len(deduce(question, as_cells(numbers, letters), share))

    chosen: list[str] = []
    while finds(chosen) < len(numbers):
        others = sorted(set(numbers) - set(chosen), key=numbers.__getitem__)
        chosen.append(max(others, key=lambda letter: (finds([*chosen, letter]), used[letter])))
    for letter in list(chosen):
        fewer = [other for other in chosen if other != letter]
        if finds(fewer) == len(numbers):
            chosen = fewer
    return chosen
