"""Codewords: a filled crossword whose letters are numbers, with exactly one way to read it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase
from typing import ClassVar, Unpack

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.languages import phrase
from satcross.grid import BLOCKED, Cell
from satcross.make.puzzles import LEVELS
from satcross.make.puzzles.printed import Printed, filled_letters, no_words, printing
from satcross.make.puzzles.question import (
    Items,
    Question,
    confirm,
    exactly,
    fewest_givens,
    fitting,
    printed,
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
        question = codeword_question(self.crossword, self.numbers, read_words())
        return question.given({(0, self.numbers[letter]): letter for letter in self.given})

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
    def labels(self) -> dict[Cell, str]:
        letters = filled_letters(self.crossword)
        return {cell: str(self.numbers[letter]) for cell, letter in letters.items()}

    def cell(self, cell: Cell) -> Cell:
        row, column = cell
        return (0, self.numbers[self.crossword.solution[row][column] or ""])

    def lines(self) -> Iterator[str]:
        labels, grid = self.labels, self.crossword.grid
        for row in range(grid.height):
            yield " ".join(f"{labels.get((row, n), BLOCKED):>2}" for n in range(grid.width))
        given = ", ".join(f"{self.numbers[letter]} = {letter}" for letter in self.given)
        yield from ("", f"{phrase('given')}: {given or phrase('no_letter')}")


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
    if pangram and (missing := sorted(set(ascii_uppercase).difference(used))):
        raise InputError(
            f"the crossword lacks {counted(len(missing), 'letter')}: {', '.join(missing)}",
            "give a grid without letters, which is then filled with all of them",
        )
    random = Random(settings.seed)
    letters = sorted(used)
    random.shuffle(letters)
    numbers = dict(sorted(zip(letters, range(1, len(letters) + 1), strict=True)))
    question = codeword_question(crossword, numbers, vocabulary)
    items = {letter: {(0, numbers[letter]): letter} for letter in letters}
    costs = {letter: used[letter] if level == HARD else -used[letter] for letter in letters}
    settings.on_progress("choosing the letters to give")
    if level in SHARES:
        chosen = _givens_for_deduction(question, items, costs, SHARES[level], deadline)
    else:
        chosen = fewest_givens(question, items, costs, deadline)
    if given is not None:
        reason = f"for level {level}" if level in SHARES else "for one reading"
        chosen = exactly(given, chosen, costs, "given letter", reason)
    settings.on_progress("confirming that there is one reading")
    confirm(question.given(printed(items, chosen)), deadline)
    reached, found = deduction_level(question, printed(items, chosen))
    cells = {cell for cell, letter in filled_letters(crossword).items() if letter in chosen}
    shown = tuple(sorted(chosen, key=numbers.__getitem__))
    return Codeword(printing(crossword, cells), numbers, shown, reached, found)


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


def deduction_level(question: Question, known: Mapping[Cell, str]) -> tuple[str, int]:
    """Return the easiest level at which deduction finds all letters, and how many it finds."""
    for level, share in SHARES.items():
        found = len(deduce(question, known, share))
        if found == len(question.sizes):
            return level, found - len(known)
    return HARD, found - len(known)


def _givens_for_deduction(
    question: Question,
    items: Items[str],
    costs: Mapping[str, int],
    share: float,
    deadline: Deadline,
) -> list[str]:
    """Return letters with which deduction finds all others, none of which can be left out.

    Each time, the letter is added with which deduction finds the most letters.
    """

    def finds(letters: Iterable[str]) -> int:
        deadline.check()
        return len(deduce(question, printed(items, letters), share))

    chosen: list[str] = []
    while finds(chosen) < len(items):
        others = [letter for letter in items if letter not in chosen]
        chosen.append(max(others, key=lambda letter: (finds([*chosen, letter]), -costs[letter])))
    for letter in list(chosen):
        fewer = [other for other in chosen if other != letter]
        if finds(fewer) == len(items):
            chosen = fewer
    return chosen
