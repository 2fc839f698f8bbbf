"""Hypothesis strategies for grids, lists and puzzles small enough for brute force."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from brute_force import Fill, all_fills
from hypothesis import strategies as st
from rules.model import LETTERS, RuleModel
from rules.models import ABOUT_SLOTS, MODELS, TOGETHER
from rules.models.single_words import MinScores

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import Grid, Slot, open_cells
from satcross.network.arc_consistency import arc_consistent
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

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
def grids(draw: st.DrawFn, *, most: int = 4, rows: int | None = None) -> Grid:
    height = draw(st.integers(1, rows or most))
    width = draw(st.integers(1, most))
    row = st.text("___#", min_size=width, max_size=width)
    return Grid.from_rows(draw(st.lists(row, min_size=height, max_size=height)))


@st.composite
def grids_with_slots(draw: st.DrawFn, *, most: int, rows: int | None = None) -> Grid:
    """Grids with at least one slot; none is generated and then discarded."""
    grid = draw(grids(most=most, rows=rows))
    return grid if grid.slots else Grid.from_rows(["__"])


@st.composite
def barred(draw: st.DrawFn, grid: Grid) -> Grid:
    """The grid, perhaps with a few bars."""
    cells = [(r, c) for r in range(grid.height) for c in range(grid.width)]
    sides = [((r, c), end) for r, c in cells for end in ((r + 1, c), (r, c + 1))]
    return replace(grid, bars=draw(st.frozensets(st.sampled_from(sides), max_size=3)))


@st.composite
def with_rebus(draw: st.DrawFn, grid: Grid) -> Grid:
    """The grid, perhaps with two given letters in a cell."""
    opened = sorted(open_cells(grid.rows))
    if not opened or draw(st.integers(0, 3)):
        return grid
    row, column = draw(st.sampled_from(opened))
    letters = draw(st.text(LETTERS, min_size=2, max_size=3))
    rows = [list(line) for line in grid.rows]
    rows[row][column] = letters[0]
    new = frozenset({((row, column), letters)})
    return replace(grid.with_rows(map("".join, rows)), rebus=new)


@dataclass(frozen=True)
class SmallPuzzle:
    """``words``: what the rules leave; ``fixed``: slot name -> the word that must stand there.

    ``together`` are the rules about several words of a fill that the puzzle has.
    """

    puzzle: Puzzle
    words: list[str]
    fixed: dict[str, str]
    together: tuple[RuleModel, ...] = ()

    def words_of(self, slot: Slot) -> list[str]:
        """The words that the rules about single slots leave to a slot."""
        return [
            word
            for word in self.words
            if len(word) == slot.length
            and all(
                model.allows(self.puzzle, {slot.name: word}, frozenset()) for model in ABOUT_SLOTS
            )
        ]

    def fills(self) -> Iterator[Fill]:
        """Return every fill, by brute force."""
        grid = self.puzzle.grid
        slots = {slot.name: slot.cells for slot in grid.slots}
        given = {
            cell: letter
            for cells in slots.values()
            for cell in cells
            if (letter := grid.given(cell))
        }
        fills = all_fills(
            slots, self.words, repeats=self.puzzle.allow_repeats, fixed=self.fixed, given=given
        )
        exempt = frozenset({*self.puzzle.theme, *self.puzzle.setter_words, *self.fixed.values()})
        for fill in fills:
            if all(
                model.allows(self.puzzle, fill, exempt) for model in (*ABOUT_SLOTS, *self.together)
            ):
                yield fill

    def truth(self) -> list[tuple[str, ...]]:
        """Return every fill as one word for each slot, sorted."""
        names = [slot.name for slot in self.puzzle.grid.slots]
        return sorted(tuple(fill[name] for name in names) for fill in self.fills())

    @property
    def plain(self) -> bool:
        """Whether the only rule about several words is that all words differ."""
        return not self.together


@st.composite
def small_puzzles(draw: st.DrawFn, *, rebus: bool = False, min_scores: bool = True) -> SmallPuzzle:
    """A puzzle with a short list over few letters: many fillable, many not.

    Half of them have rules about words together, and grids and lists such that these matter.
    """
    ruled = draw(st.booleans())
    if ruled:
        grid = Grid.from_rows(draw(st.sampled_from(RULED)))
    else:
        grid = draw(barred(draw(grids())))
        if not 1 <= len(grid.slots) <= 8:
            grid = Grid.from_rows(draw(st.sampled_from(RULED)))
        grid = draw(with_rebus(grid)) if rebus else grid
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
    empty = grid
    if draw(st.integers(0, 3)) == 0:
        grid = _with_letters(draw, grid)
    rules: dict[str, Any] = {"allow_repeats": draw(st.booleans())}
    together: tuple[RuleModel, ...] = ()
    if ruled:
        together = tuple(draw(st.lists(st.sampled_from(TOGETHER), min_size=1, unique=True)))
        if min_scores and draw(st.booleans()):
            rules["slot_min_scores"] = {draw(st.sampled_from(grid.slots)).name: 3}
    for model in (*(model for model in MODELS if not model.together), *together):
        if min_scores or not isinstance(model, MinScores):
            rules |= model.draw(draw, sorted(words), lengths)
    try:
        puzzle = Puzzle(grid, Vocabulary(scores), locks=locks, **rules)
    except InputError:  # locks and letters that contradict each other
        puzzle = Puzzle(empty, Vocabulary(scores), **rules)
    legal = [
        word
        for word in dict.fromkeys([*scores, *sorted(puzzle.theme)])
        if all(model.allows_word(puzzle, word) for model in MODELS)
    ]
    return SmallPuzzle(puzzle, legal, _fixed(puzzle), together)


def puzzle_of_random_words(
    rows: list[str], letters: str, number: range, random: Random
) -> tuple[Puzzle, list[Fill]]:
    """A puzzle with so many words of each length of its grid, or fewer, and its fills."""
    grid = Grid.from_rows(rows)
    words = sorted(
        {
            "".join(random.choices(letters, k=length))
            for length in sorted({slot.length for slot in grid.slots})
            for _ in range(random.choice(number))
        }
    )
    repeats = random.random() < 0.5
    slots = {slot.name: slot.cells for slot in grid.slots}
    puzzle = Puzzle(grid, Vocabulary(words), allow_repeats=repeats)
    return puzzle, list(all_fills(slots, words, repeats=repeats))


def possible_puzzles(*, rebus: bool = False) -> st.SearchStrategy[SmallPuzzle]:
    """Small puzzles that arc consistency does not refute."""
    return small_puzzles(rebus=rebus).filter(
        lambda small: not arc_consistent(small.puzzle).infeasible
    )


@st.composite
def fillable_puzzles(draw: st.DrawFn) -> SmallPuzzle:
    """One of ``small_puzzles`` that has a fill; where it has none, its rules are left out.

    Its list then gets the words of a fill, too.
    """
    small = draw(small_puzzles())
    if next(small.fills(), None) is not None:
        return small
    grid = small.puzzle.grid
    grid = grid.with_rows("".join("#" if cell == "#" else "_" for cell in row) for row in grid.rows)
    cells = sorted({cell for slot in grid.slots for cell in slot.cells})
    random = Random(draw(st.integers(0, 2**32)))
    letters = {cell: random.choice(LETTERS) for cell in cells}
    words = {
        *(word for word in small.puzzle.vocabulary if random.random() < 0.5),
        *("".join(letters[cell] for cell in slot.cells) for slot in grid.slots),
    }
    scores = {word: random.randint(1, 3) for word in sorted(words)}
    return SmallPuzzle(Puzzle(grid, Vocabulary(scores), allow_repeats=True), [*scores], {})


def _with_letters(draw: st.DrawFn, grid: Grid) -> Grid:
    """The grid with given letters in a few open cells."""
    rows = [list(row) for row in grid.rows]
    opened = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "_"]
    for row, column in draw(st.lists(st.sampled_from(opened), min_size=1, max_size=3)):
        rows[row][column] = draw(st.sampled_from(LETTERS))
    return grid.with_rows(map("".join, rows))


def _fixed(puzzle: Puzzle) -> dict[str, str]:
    """Locked words, and those of slots whose cells all carry letters."""
    fixed = dict(puzzle.locks)
    for slot in puzzle.grid.slots:
        content = "".join(puzzle.grid.given(cell) or "_" for cell in slot.cells)
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
    bars: bool = False,
) -> Crossword:
    """A crossword with gaps of every kind in it. ``text``: clues and who made it."""
    if text is None:  # composed, as readers may return it
        text = st.text(TEXT_CHARACTERS | st.just("\n"), max_size=12)
        text = text.map(lambda found: unicodedata.normalize("NFC", found))
    grid = draw(grids_with_slots(most=5))
    letter = st.sampled_from(letters)
    shown = st.sampled_from([one for one in letters if one not in "#_"])
    unknown = draw(st.sampled_from([0, 0, 1, 4]))
    solution = tuple(
        tuple(
            None if cell == "#" or draw(st.integers(1, 4)) <= unknown else draw(letter)
            for cell in row
        )
        for row in grid.rows
    )
    opened = sorted(open_cells(grid.rows))
    given = draw(st.dictionaries(st.sampled_from(opened), shown, max_size=3))
    rows = tuple(
        "".join(
            (known if (known := solution[r][c]) and known not in "#_" else given[r, c])
            if (r, c) in given
            else cell
            for c, cell in enumerate(row)
        )
        for r, row in enumerate(grid.rows)
    )
    cells = st.sampled_from([(r, c) for r, row in enumerate(rows) for c in range(len(row))])
    marked = {mark: draw(st.sets(cells, max_size=3)) for mark in ("circled", "shaded", "holes")}
    marks: dict[str, Any] = {
        mark: frozenset(cell for cell in found if (cell in opened) == (mark != "holes"))
        for mark, found in marked.items()
    }
    new = draw(barred(Grid(rows))) if bars else Grid(rows)
    new = new if new.slots else Grid(rows)
    clued = draw(st.lists(st.sampled_from(new.slots), unique=True))
    return Crossword(
        replace(new, **marks),
        solution,
        {slot.name: clue for slot in clued if (clue := draw(text))},
        title=draw(text),
        author=draw(text),
        copyright=draw(text),
        notes=draw(text if notes is None else notes),
        date=draw(st.just("") | st.dates().map(str)),
    )
