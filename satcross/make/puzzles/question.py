"""What a solver of a printed puzzle is asked, and whether it has exactly one answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TypeVar

from encoders import Cell, Instance
from satcross.backends.another import another_by_cpsat, another_by_sat, cheapest_hitting_set
from satcross.errors import InputError, InternalError
from satcross.run_settings import Deadline
from satcross.support.wording import counted

T = TypeVar("T")

ENGINES = {"sat": another_by_sat, "cpsat": another_by_cpsat}
"""The solvers that look for another answer: two of different kinds."""

_ADDED = 5
"""Slots that are added at once when an answer without them is wrong."""

_DEAR = 1_000_000
"""What one more given costs beside all preferences among givens."""

_SHRINKINGS = 40
"""How often a smaller difference is looked for; a grid has at most some thirty letters."""


def exactly(
    number: int, chosen: list[T], costs: Mapping[T, int], noun: str, reason: str
) -> list[T]:
    """Return so many items: those chosen, then the cheapest. Raises InputError without enough."""
    if number < len(chosen):
        problem = f"{counted(number, noun)} would not be enough {reason}"
        raise InputError(problem, f"give {len(chosen)} or more")
    if number > len(costs):
        problem = f"{counted(number, noun)} can't be given: the crossword has {len(costs)}"
        raise InputError(problem, f"give at most {len(costs)}")
    others = (item for item in sorted(costs, key=costs.__getitem__) if item not in chosen)
    return [*chosen, *islice(others, number - len(chosen))]


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
    of squares of each cell, and ``printed`` the cells whose letters are given.
    """

    slots: tuple[tuple[Cell, ...], ...]
    tables: tuple[tuple[str, ...], ...]
    answer: tuple[str, ...]
    sizes: Mapping[Cell, int]
    distinct: bool = False
    printed: frozenset[Cell] = frozenset()

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
        return replace(self, tables=tuple(tables), printed=self.printed | set(letters))

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
            slots = tuple(map(self.slots.__getitem__, active))
            tables = tuple(map(self.tables.__getitem__, active))
            instance = Instance(slots, tables, self.distinct, distinct_letters=self.distinct)
            words = solve(instance, [self.answer[slot] for slot in active if self.answer], deadline)
            if words is None:
                return None
            letters = self.letters(dict(zip(active, words, strict=True)))
            spelled = tuple("".join(letters[cell] for cell in cells) for cells in self.slots)
            wrong = [n for n, word in enumerate(spelled) if word not in self.tables[n]]
            if not wrong:
                return spelled
            active += sorted(wrong, key=lambda slot: len(self.tables[slot]))[:_ADDED]

    def _first_slots(self) -> list[int]:
        """Slots with few words that reach every cell; all slots when words have to differ."""
        chosen, reached = list[int](), set[Cell]()
        for slot in sorted(range(len(self.slots)), key=lambda slot: len(self.tables[slot])):
            if not (self.distinct and reached.issuperset(self.slots[slot])):
                chosen.append(slot)
                reached.update(self.slots[slot])
        return chosen

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


Items = Mapping[T, Mapping[Cell, str]]
"""What a page may give away, and the letters that it then prints, by cell."""


def printed(items: Items[T], chosen: Iterable[T]) -> dict[Cell, str]:
    return {cell: letter for item in chosen for cell, letter in items[item].items()}


def fewest_givens(
    question: Question, items: Items[T], costs: Mapping[T, int], deadline: Deadline
) -> list[T]:
    """Return as few items as possible with which the question has no other answer.

    Among choices of equally many items, one that costs least is returned. Items in no word are part
    of every choice.

    Each other answer rules out all choices that print nothing where it differs, so that the next
    choice is a smallest set that hits all such differences (the implicit hitting set method; E.
    Moreno-Centeno and R. Karp, "The implicit hitting set approach", Operations Research 61, 2013).
    The last answer "there is no other" is SAT's, and ``confirm`` asks CP-SAT. Raises TimeUp.
    """
    names, in_words = list(items), {cell for cells in question.slots for cell in cells}
    whole = [_DEAR + costs[name] for name in names]

    def at(cells: Collection[Cell], *, inside: bool) -> Iterator[int]:
        return (n for n, name in enumerate(names) if items[name].keys().isdisjoint(cells) != inside)

    def differing(chosen: Iterable[int]) -> frozenset[int] | None:
        given = question.given(printed(items, (names[item] for item in chosen)))
        words = given.another("sat", deadline)
        return None if words is None else frozenset(at(question.differences(words), inside=True))

    found = [frozenset([item]) for item in at(in_words, inside=False)]
    while True:
        chosen = cheapest_hitting_set(found, whole)
        hit = differing(chosen)
        if hit is None:
            return [names[item] for item in chosen]
        for item in sorted(hit)[:_SHRINKINGS]:  # a smaller difference rules out more choices
            if item in hit and len(hit) > 1:
                hit = differing(set(range(len(names))) - hit | {item}) or hit
        found.append(hit)


def confirm(question: Question, deadline: Deadline, engine: str = "cpsat") -> None:
    """Have an engine confirm that there is no other answer. Raises InternalError when there is."""
    if question.another(engine, deadline) is not None:
        raise InternalError(f"{engine} has found a second solution, and the other engine has not")
