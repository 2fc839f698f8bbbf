"""Codewords: a filled crossword whose letters are numbers, with exactly one way to read it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Unpack

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import BLOCKED, Cell
from satcross.make.puzzles.question import Givens, Question, confirm, fewest_givens, fitting
from satcross.run_settings import Deadline, RunOptions, RunSettings
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

EASY, MEDIUM, HARD = LEVELS = ("easy", "medium", "hard")

SHARES = {EASY: 0.5, MEDIUM: 0.25}
"""The share of a word's letters that a solver knows before the word helps, at each level."""


@dataclass(frozen=True, slots=True)
class Codeword:
    """A codeword: ``numbers`` maps the letters of the crossword's solution to 1, 2, 3 ...

    ``given`` are the letters that the page prints, which are the given letters of the grid.
    ``level`` is the easiest of ``LEVELS`` at which deduction finds all letters: ``deduced`` says
    how many it finds, with words of which at least that share of ``SHARES`` is known (of "hard":
    the share of "medium"), besides those given.
    """

    crossword: Crossword
    numbers: Mapping[str, int]
    given: tuple[str, ...]
    level: str
    deduced: int

    @property
    def number_rows(self) -> list[list[int]]:
        """The number in each cell, in rows; 0 in a blocked cell."""
        return [
            [self.numbers.get(cell or "", 0) for cell in row] for row in self.crossword.solution
        ]

    @property
    def letters(self) -> dict[int, str]:
        """The letter of each number, in the order of the numbers."""
        return {number: letter for letter, number in sorted(self.numbers.items(), key=_second)}


def _second(pair: tuple[str, int]) -> int:
    return pair[1]


def make_codeword(
    crossword: Crossword,
    vocabulary: Vocabulary,
    settings: RunSettings | None = None,
    *,
    given: int | None = None,
    level: str | None = None,
    all_letters: bool = False,
    **changes: Unpack[RunOptions],
) -> Codeword:
    """Turn a filled crossword into a codeword that can be read in exactly one way.

    Words are those of the vocabulary and those of the crossword. No fewer letters could be given;
    with ``given``, so many are. ``level`` "easy" or "medium" gives more, so that deduction alone
    finds the others, and none of them can be left out; "hard" gives letters that help little. With
    ``all_letters`` the crossword has to have each letter that words of the vocabulary have. SAT and
    CP-SAT prove that there is one reading.

    Raises InputError for a crossword that is no codeword or when ``given`` letters do not suffice,
    and TimeUp when the time limit passes or ``should_stop`` says so.
    """
    settings = RunSettings.of(settings, changes)
    deadline = settings.deadline()
    used = Counter(_letters(crossword))
    if all_letters:
        _check_all_letters(used, vocabulary)
    random = Random(settings.seed)
    letters = sorted(used)
    random.shuffle(letters)
    numbers = {letter: number for number, letter in enumerate(letters, 1)}
    question = codeword_question(crossword, numbers, vocabulary)
    settings.on_progress("choosing the letters to give")
    if level in SHARES:
        chosen = _givens_for_deduction(question, numbers, used, SHARES[level], deadline)
    else:
        chosen = _fewest(question, numbers, used, helpful=level is None, deadline=deadline)
    if given is not None:
        chosen = _exactly(given, chosen, used, level)
    settings.on_progress("confirming that there is one reading")
    confirm(question.given({(0, numbers[letter]): letter for letter in chosen}), deadline)
    grid = crossword.grid.with_rows(
        "".join(
            BLOCKED if letter is None else letter if letter in chosen else "_" for letter in row
        )
        for row in crossword.solution
    )
    reached, found = deduction_level(question, numbers, chosen)
    return Codeword(
        Crossword(
            grid,
            crossword.solution,
            title=crossword.title,
            author=crossword.author,
            copyright=crossword.copyright,
            date=crossword.date,
        ),
        numbers,
        tuple(sorted(chosen, key=numbers.__getitem__)),
        reached,
        found,
    )


def _letters(crossword: Crossword) -> Iterable[str]:
    """The letters in the cells. Raises InputError where one is missing or a cell has several."""
    if crossword.rebus:
        raise InputError(
            "a cell has several letters, and a codeword has one for each number",
            "take a crossword without rebus cells",
        )
    if not crossword.grid.slots:
        raise InputError("the grid has no words", "take a grid with words of two letters or more")
    for row, cells in enumerate(crossword.grid.rows):
        for column, cell in enumerate(cells):
            letter = crossword.solution[row][column]
            if cell != BLOCKED and letter is None:
                raise InputError(
                    f"row {row + 1}, column {column + 1} has no letter", "fill the crossword first"
                )
            if letter is not None:
                yield letter


def _check_all_letters(used: Collection[str], vocabulary: Vocabulary) -> None:
    missing = sorted(alphabet_of(vocabulary) - set(used))
    if missing:
        raise InputError(
            f"the crossword lacks {counted(len(missing), 'letter')}: {', '.join(missing)}",
            "give a grid without letters, which is then filled with all of them",
        )


def alphabet_of(vocabulary: Vocabulary) -> set[str]:
    """The letters of the vocabulary's words: A to Z in English."""
    return {letter for _, words, _ in vocabulary.groups() for word in words for letter in word}


def codeword_question(
    crossword: Crossword, numbers: Mapping[str, int], vocabulary: Vocabulary
) -> Question:
    """What a solver is asked: the letters of all numbers, if none is given.

    A number is a cell (0, number). A slot may take the words in which the same letters are equal.
    """
    words = list(dict.fromkeys(crossword.words.values()))
    alike: dict[int, defaultdict[tuple[int, ...], list[str]]] = {}
    for length in sorted({len(word) for word in words}):
        alike[length] = defaultdict(list)
        for word in dict.fromkeys([*vocabulary.group(length).words, *words]):
            if len(word) == length:
                alike[length][_shape(word)].append(word)
    return Question(
        tuple(tuple((0, numbers[letter]) for letter in word) for word in words),
        tuple(tuple(alike[len(word)][_shape(word)]) for word in words),
        tuple(words),
        {(0, numbers[letter]): size for letter, size in Counter(_letters(crossword)).items()},
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
    givens = Givens(
        tuple({(0, numbers[letter]): letter} for letter in letters),
        tuple(cost - used[letter] if helpful else used[letter] for letter in letters),
        frozenset(n for n, letter in enumerate(letters) if (0, numbers[letter]) not in in_words),
    )
    return [letters[item] for item in fewest_givens(question, givens, deadline)]


def _exactly(
    number: int, chosen: Sequence[str], used: Mapping[str, int], level: str | None
) -> list[str]:
    if number > len(used):
        raise InputError(
            f"{counted(number, 'letter')} can't be given: the crossword has {len(used)}",
            f"give at most {len(used)}",
        )
    if number < len(chosen):
        reason = f"for level {level}" if level in SHARES else "for one reading"
        raise InputError(
            f"{counted(number, 'given letter')} would not be enough {reason}",
            f"give {len(chosen)} or more",
        )
    others = sorted(set(used) - set(chosen), key=lambda letter: (used[letter], letter))
    if level != HARD:
        others.reverse()
    return [*chosen, *others[: number - len(chosen)]]


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
    known = {(0, numbers[letter]): letter for letter in given}
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
        return len(deduce(question, {(0, numbers[letter]): letter for letter in letters}, share))

    chosen: list[str] = []
    while finds(chosen) < len(numbers):
        others = sorted(set(numbers) - set(chosen), key=numbers.__getitem__)
        chosen.append(max(others, key=lambda letter: (finds([*chosen, letter]), used[letter])))
    for letter in list(chosen):
        fewer = [other for other in chosen if other != letter]
        if finds(fewer) == len(numbers):
            chosen = fewer
    return chosen
