"""A second opinion that shares no step with the backends: clauses made straight from the puzzle.

All backends start from the same candidates, so that a word lost on the way there would mislead them
alike. This route reads the grid's rows and the vocabulary's words by the definitions that
``verify`` has, propagates nothing, and writes clauses of its own. It shares with the others the
puzzle itself, and with the backend ``sat`` the solver.

The clauses: a slot has one of its words; a word has its letters; a cell has at most one letter; a
word stands in one slot; enough theme words stand somewhere. Clauses that
keep two similar words apart are added when a model has both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline, TimeUp
from satcross.verify import alike_problems, slot_cells, verify, word_problems

Fill = dict[str, str]

_SOLVER = "cadical153"
_CHUNK = 10_000
_SLICE_CONFLICTS = 2000
"""Clauses and conflicts between two checks of the deadline."""


def plain_fills(puzzle: Puzzle, deadline: Deadline) -> Iterator[Fill | None]:
    """Yield the fills, each once; at last None if the deadline has passed before the proof."""
    try:
        yield from _fills(puzzle, deadline)
    except TimeUp:
        yield None


def _fills(puzzle: Puzzle, deadline: Deadline) -> Iterator[Fill]:
    slots = slot_cells(puzzle.grid)
    literals: dict[tuple[str, str], int] = {}
    with Solver(_SOLVER) as solver:
        for name, cells in slots.items():
            deadline.check()
            for word in _legal_words(puzzle, name, cells):
                literals[name, word] = len(literals) + 1
        for number, clause in enumerate(_clauses(puzzle, slots, literals)):
            if number % _CHUNK == 0:
                deadline.check()
            solver.add_clause(clause)
        while _is_satisfiable(solver, deadline):
            true = {literal for literal in solver.get_model() if literal > 0}
            fill = {name: word for (name, word), literal in literals.items() if literal in true}
            alike = _alike_words(puzzle, fill)
            for words in alike:
                for (pair, word), (other, same) in _pairs(literals, words):
                    solver.add_clause([-literals[pair, word], -literals[other, same]])
            if not alike:
                assert not verify(puzzle, fill)
                yield fill
                solver.add_clause([-literals[name, word] for name, word in fill.items()])


def _is_satisfiable(solver: Solver, deadline: Deadline) -> bool:
    if deadline.never:
        return bool(solver.solve())
    while True:
        deadline.check()
        solver.conf_budget(_SLICE_CONFLICTS)
        satisfiable: bool | None = solver.solve_limited()
        if satisfiable is not None:
            return satisfiable


def _alike_words(puzzle: Puzzle, fill: Fill) -> list[set[str]]:
    """Return the pairs of words in the fill that a rule keeps apart."""
    return [
        {fill[first], fill[other]}
        for first, other in combinations(fill, 2)
        if alike_problems(puzzle, {first: fill[first], other: fill[other]})
    ]


def _legal_words(puzzle: Puzzle, name: str, cells: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The words that the checker's rules about single words leave to a slot."""
    given = "".join(puzzle.grid.given(cell) or "_" for cell in cells)
    known = puzzle.theme.union(
        puzzle.vocabulary.group(len(cells)).words,
        puzzle.locks.values(),
        puzzle.extra_words.values(),
    )
    for word in sorted(known if "_" in given else {given}):
        if (
            len(word) == len(cells)
            and all(content in ("_", letter) for letter, content in zip(word, given, strict=True))
            and not any(word_problems(puzzle, name, word, given))
        ):
            yield word


def _clauses(
    puzzle: Puzzle,
    slots: Mapping[str, Sequence[tuple[int, int]]],
    literals: Mapping[tuple[str, str], int],
) -> Iterator[list[int]]:
    words: defaultdict[str, list[int]] = defaultdict(list)
    users: defaultdict[str, list[int]] = defaultdict(list)
    letters: dict[tuple[tuple[int, int], str], int] = {}
    top = len(literals)
    for (name, word), literal in literals.items():
        words[name].append(literal)
        users[word].append(literal)
        for cell, letter in zip(slots[name], word, strict=True):
            if (cell, letter) not in letters:
                top += 1
                letters[cell, letter] = top
            yield [-literal, letters[cell, letter]]
    for name in slots:
        yield words[name]
    by_cell: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for (cell, _), literal in letters.items():
        by_cell[cell].append(literal)
    for same in by_cell.values():
        yield from ([-first, -other] for first, other in combinations(same, 2))
    if not puzzle.allow_repeats:
        for same in users.values():
            yield from ([-first, -other] for first, other in combinations(same, 2))
    yield from _theme_clauses(puzzle, slots, users, top)


def _theme_clauses(
    puzzle: Puzzle,
    slots: Mapping[str, object],
    users: Mapping[str, list[int]],
    top: int,
) -> Iterator[list[int]]:
    everywhere = slot_cells(puzzle.grid, every=True)
    elsewhere = {len(cells) for name, cells in everywhere.items() if name not in slots}
    required = len(puzzle.theme) if puzzle.min_theme_words is None else puzzle.min_theme_words
    required -= sum(len(word) in elsewhere for word in puzzle.theme)
    placeable = sorted(word for word in puzzle.theme if len(word) not in elsewhere)
    if required <= 0:
        return
    if required > len(placeable):
        yield []
        return
    used = range(top + 1, top + 1 + len(placeable))
    for literal, word in zip(used, placeable, strict=True):
        yield [-literal, *users.get(word, [])]
    yield from CardEnc.atleast(
        list(used), required, top_id=used[-1], encoding=EncType.seqcounter
    ).clauses


def _pairs(
    literals: Mapping[tuple[str, str], int], words: set[str]
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """All ways in which two words stand in two slots."""
    item, other = sorted(words)
    for first in (key for key in literals if key[1] == item):
        for second in (key for key in literals if key[1] == other):
            if first[0] != second[0]:
                yield first, second
