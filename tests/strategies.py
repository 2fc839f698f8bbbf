"""Hypothesis strategies for grids, lists and puzzles small enough for brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from brute_force import all_fills, with_theme, without_likes
from hypothesis import reject
from hypothesis import strategies as st

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

LETTERS = "ABC"

RULED = (
    ["__#__"],
    ["___", "###", "____"],
    ["___", "_##", "_##"],
    ["____", "_##_"],
    ["__#", "_#_", "##_"],
    ["___", "_#_", "___"],
    ["__", "__"],
    ["___", "___"],
    ["__#___", "_##_##"],
)
"""Grids of few slots, crossing or not, for puzzles with rules about words together."""


@st.composite
def grids(draw: st.DrawFn, *, most: int = 4) -> Grid:
    height = draw(st.integers(1, most))
    width = draw(st.integers(1, most))
    row = st.text("___#", min_size=width, max_size=width)
    return Grid.from_rows(draw(st.lists(row, min_size=height, max_size=height)))


@dataclass(frozen=True)
class SmallPuzzle:
    """``words``: what the rules leave; ``fixed``: slot name -> the word that must stand there."""

    puzzle: Puzzle
    words: list[str]
    fixed: dict[str, str]

    def fills(self) -> Iterator[dict[str, str]]:
        """Return every fill, by brute force."""
        grid = self.puzzle.grid
        slots = {slot.name: slot.cells for slot in grid.slots}
        given = {
            (row, column): cell
            for row, line in enumerate(grid.rows)
            for column, cell in enumerate(line)
            if cell not in "_#"
        }
        fills = all_fills(
            slots, self.words, repeats=self.puzzle.allow_repeats, fixed=self.fixed, given=given
        )
        puzzle = self.puzzle
        least = len(puzzle.theme) if puzzle.min_theme_words is None else puzzle.min_theme_words
        own = {*puzzle.theme, *self.fixed.values()}
        fills = with_theme(fills, puzzle.theme, least)
        return without_likes(fills, puzzle.max_shared_substring, puzzle.stem_endings, own)

    @property
    def plain(self) -> bool:
        """Whether the only rule about several words is that all words differ."""
        puzzle = self.puzzle
        return not (puzzle.theme or puzzle.stem_endings or puzzle.max_shared_substring is not None)


@st.composite
def small_puzzles(draw: st.DrawFn) -> SmallPuzzle:
    """A puzzle with a short list over few letters: many fillable, many not.

    Half of them have rules about words together, and grids and lists such that these matter.
    """
    ruled = draw(st.booleans())
    if ruled:
        grid = Grid.from_rows(draw(st.sampled_from(RULED)))
    else:
        grid = draw(grids().filter(lambda grid: grid.slots and len(grid.slots) <= 8))
    lengths = sorted({slot.length for slot in grid.slots})
    words: set[str] = set()
    for length in lengths:
        word = st.text(LETTERS, min_size=length, max_size=length)
        if ruled:  # hypothesis's own lists have too little variety
            random = Random(draw(st.integers(0, 2**32)))
            words.update("".join(random.choices(LETTERS, k=length)) for _ in range(12))
        else:
            words.update(draw(st.lists(word, min_size=1, max_size=9, unique=True)))
    scores = {word: draw(st.integers(1, 3)) for word in sorted(words)}
    locks = {}
    if draw(st.integers(0, 3)) == 0:
        slot = draw(st.sampled_from(grid.slots))
        word = st.text(LETTERS, min_size=slot.length, max_size=slot.length)
        locks[slot.name] = draw(word)
    if draw(st.integers(0, 3)) == 0:
        grid = _with_letters(draw, grid, locks)
    min_score = draw(st.sampled_from([None, None, 2]))
    excluded = frozenset(draw(st.lists(st.sampled_from(sorted(words)), max_size=2)))
    repeats = draw(st.booleans())
    rules = draw(_rules(sorted(words), lengths)) if ruled else {}
    try:
        puzzle = Puzzle(grid, Vocabulary(scores), locks, min_score, excluded, repeats, **rules)
    except InputError:  # locks and letters that contradict each other
        reject()
    allowed = {
        word: None
        for word, score in scores.items()
        if score >= puzzle.min_scores.get(len(word), min_score or 0) or word in puzzle.theme
    }
    allowed.update(dict.fromkeys(sorted(puzzle.theme)))
    legal = [word for word in allowed if word not in excluded]
    return SmallPuzzle(puzzle, legal, _fixed(puzzle))


@st.composite
def _rules(draw: st.DrawFn, words: list[str], lengths: list[int]) -> dict[str, Any]:
    """Some rules; theme words are of the list or not, and perhaps of a length no slot has."""
    rules: dict[str, Any] = {}
    kinds = draw(st.sets(st.sampled_from(["theme", "shared", "stem"]), min_size=1))
    if "theme" in kinds:
        length = draw(st.sampled_from([*lengths, *lengths, *lengths, 5]))
        new = st.text(LETTERS, min_size=length, max_size=length)
        theme = draw(st.sets(st.one_of(st.sampled_from(words), new), min_size=1, max_size=4))
        rules["theme"] = frozenset(theme)
        rules["min_theme_words"] = draw(st.one_of(st.none(), st.integers(0, len(theme))))
    if "shared" in kinds:
        rules["max_shared_substring"] = draw(st.sampled_from([1, 1, 2, 2, 3]))
    if "stem" in kinds:
        stem_endings = st.sampled_from(["A", "B", "AB", "BC", "C"])
        rules["stem_endings"] = tuple(draw(st.lists(stem_endings, min_size=1, max_size=5)))
    if draw(st.integers(0, 3)) == 0:
        rules["min_scores"] = {draw(st.sampled_from(lengths)): draw(st.integers(1, 3))}
    if draw(st.integers(0, 3)) == 0:
        rules["preferred"] = frozenset(draw(st.sets(st.sampled_from(words), max_size=3)))
    return rules


def _with_letters(draw: st.DrawFn, grid: Grid, locks: dict[str, str]) -> Grid:
    """The grid with given letters in a few open cells."""
    rows = [list(row) for row in grid.rows]
    opened = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "_"]
    for row, column in draw(st.lists(st.sampled_from(opened), min_size=1, max_size=3)):
        rows[row][column] = draw(st.sampled_from(LETTERS))
    return Grid(tuple(map("".join, rows)))


def _fixed(puzzle: Puzzle) -> dict[str, str]:
    """Locked words, and those of slots whose cells all carry letters."""
    fixed = dict(puzzle.locks)
    for slot in puzzle.grid.slots:
        content = "".join(puzzle.grid.rows[row][column] for row, column in slot.cells)
        if "_" not in content:
            fixed[slot.name] = content
    return fixed


PLAIN_LETTERS = "ABCDEXYZ"
ODD_LETTERS = "ÉÑßЯ中01'&@:-"
"""Letters that some format writes differently from A to Z."""
TEXT_CHARACTERS = st.characters(exclude_categories=("Cc", "Cs"))


@st.composite
def crosswords(
    draw: st.DrawFn,
    *,
    letters: str = PLAIN_LETTERS + ODD_LETTERS,
    text: st.SearchStrategy[str] | None = None,
    notes: st.SearchStrategy[str] | None = None,
) -> Crossword:
    """A crossword with gaps of every kind in it. ``text``: clues and who made it."""
    text = st.text(TEXT_CHARACTERS | st.just("\n"), max_size=12) if text is None else text
    grid = draw(grids(most=5).filter(lambda grid: len(grid.slots) > 0))
    letter = st.sampled_from(letters)
    unknown = draw(st.sampled_from([0, 0, 1, 4]))
    solution = tuple(
        tuple(
            None if cell == "#" or draw(st.integers(1, 4)) <= unknown else draw(letter)
            for cell in row
        )
        for row in grid.rows
    )
    opened = [
        (r, c) for r, row in enumerate(grid.rows) for c, cell in enumerate(row) if cell != "#"
    ]
    shown = letter.filter(lambda letter: letter not in "#_")
    given = draw(st.dictionaries(st.sampled_from(opened), shown, max_size=3))
    rows = tuple(
        "".join(given.get((r, c), cell) for c, cell in enumerate(row))
        for r, row in enumerate(grid.rows)
    )
    clued = draw(st.lists(st.sampled_from(grid.slots), unique=True))
    return Crossword(
        Grid(rows),
        solution,
        {slot.name: clue for slot in clued if (clue := draw(text))},
        title=draw(text),
        author=draw(text),
        copyright=draw(text),
        notes=draw(text if notes is None else notes),
        date=draw(st.just("") | st.dates().map(str)),
        circled=frozenset(draw(st.lists(st.sampled_from(opened), max_size=3))),
    )
