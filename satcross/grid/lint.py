"""Warn about what is unusual in a structure or makes it hard to fill.

Warnings are no errors: a structure with warnings can be used.

The usual limits and their sources are in ``satcross.grid.styles``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from satcross.grid import BLOCKED, STRIDE, Cell, Grid, Slot, cell_name, is_layout, open_cells
from satcross.grid.connectivity import connected_parts
from satcross.grid.styles import MIN_WORD_LENGTH, Style, max_unchecked, usual_limits
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary, WordGroup

MIN_WORDS_PER_SLOT = 20
"""Number of words of a length, per slot of that length, below which a warning is given (a
guess)."""

MAX_LISTED = 8
"""Maximum number of slots or cells that a warning lists."""


@dataclass(frozen=True, slots=True)
class LintWarning:
    """A warning: its kind, a sentence, and the slots or cells that it concerns."""

    kind: str
    text: str
    slots: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class GridStatistics:
    """Size, counts, symmetries and slot lengths of a grid.

    ``checked`` counts the cells in two slots, ``lengths`` maps a length to its number of slots, and
    ``longest`` names the slots of the greatest length. Holes are not blocks.
    """

    height: int
    width: int
    words: int
    blocks: int
    checked: int
    open_cells: int
    symmetries: tuple[str, ...]
    lengths: dict[int, int]
    longest: tuple[str, ...]
    bars: int = 0


def grid_statistics(grid: Grid) -> GridStatistics:
    """Return the statistics of a grid."""
    blocks = sum(row.count(BLOCKED) for row in grid.rows) - len(grid.holes)
    area = grid.height * grid.width - len(grid.holes)
    lengths = Counter(slot.length for slot in grid.slots)
    longest = max(lengths, default=0)
    return GridStatistics(
        grid.height,
        grid.width,
        len(grid.slots),
        blocks,
        sum(crossing.cell[1] < STRIDE for crossing in grid.crossings),
        area - blocks,
        tuple(symmetries(grid)),
        dict(sorted(lengths.items())),
        tuple(slot.name for slot in grid.slots if slot.length == longest),
        len(grid.bars),
    )


def moves(grid: Grid) -> dict[str, Callable[[Cell], Cell]]:
    """Return the rotations and reflections of a grid by name, which map cells to cells."""
    last_row, last_column = grid.height - 1, grid.width - 1
    found: dict[str, Callable[[Cell], Cell]] = {
        "half turn": lambda cell: (last_row - cell[0], last_column - cell[1]),
        "left to right": lambda cell: (cell[0], last_column - cell[1]),
        "top to bottom": lambda cell: (last_row - cell[0], cell[1]),
    }
    if grid.height == grid.width:
        found["diagonal"] = lambda cell: (cell[1], cell[0])
        found["other diagonal"] = lambda cell: (last_row - cell[1], last_row - cell[0])
        found["quarter turn"] = lambda cell: (cell[1], last_row - cell[0])
    return found


def symmetries(grid: Grid) -> Iterator[str]:
    """Yield the name of each rotation and reflection that maps blocks and bars to themselves."""
    blocked = set(product(range(grid.height), range(grid.width))) - open_cells(grid.rows)
    bars = set(map(frozenset, grid.bars))
    for name, move in moves(grid).items():
        if (
            set(map(move, blocked)) == blocked
            and {frozenset(map(move, bar)) for bar in bars} == bars
        ):
            yield name


_WALL = 6
"""Blocks side by side that look like a wall."""


def lint(
    grid: Grid, vocabulary: Vocabulary, style: Style = Style.AMERICAN, min_score: int | None = None
) -> list[LintWarning]:
    """Return warnings about what is unusual for the style or makes the grid hard to fill.

    A grid with bars is barred, whatever the style. Grids with bars or holes have no usual number of
    words.
    """
    style = Style.BARRED if grid.bars else style
    return [
        *_shape(grid, style),
        *_short_words(grid),
        *_checking(grid, style),
        *looks(grid, style),
        *_coverage(grid, vocabulary, min_score),
    ]


def looks(grid: Grid, style: Style) -> list[LintWarning]:
    """Return the warnings about numbers of words and blocks, and about masses of blocks."""
    usual = () if grid.bars or grid.holes else (*_sizes(grid, style), *_walls(grid, style))
    return [*usual, *_masses(grid)]


def _shape(grid: Grid, style: Style) -> Iterator[LintWarning]:
    found = list(symmetries(grid))
    if "half turn" not in found:
        other = f" (other symmetries: {', '.join(found)})" if found else ""
        yield LintWarning(
            "symmetry",
            f"not rotationally symmetric{other}; {style.value.capitalize()} grids usually are",
        )
    parts = sorted(connected_parts(grid.rows, grid.bars), key=len)
    if len(parts) > 1:
        sizes = ", ".join(str(len(part)) for part in reversed(parts))
        cells = tuple(sorted(cell for part in parts[:-1] for cell in part))
        yield LintWarning("regions", f"{len(parts)} separate parts, of {sizes} cells", cells=cells)


def _short_words(grid: Grid) -> Iterator[LintWarning]:
    short = [slot for slot in grid.slots if slot.length < MIN_WORD_LENGTH]
    yield from _about_slots("short", counted(len(short), "two-letter word"), short)


def _checking(grid: Grid, style: Style) -> Iterator[LintWarning]:
    slot_counts = Counter(cell for slot in grid.slots for cell in slot.cells)
    cells = sorted(open_cells(grid.rows))
    alone = [cell for cell in cells if not slot_counts[cell]]
    if alone:
        yield LintWarning("alone", cells_in_no_word(alone), cells=tuple(alone))
    if style is Style.AMERICAN:
        unchecked = [cell for cell in cells if slot_counts[cell] == 1]
        yield from _about_cells("unchecked", "in only one word", unchecked)
        return
    barred = style is Style.BARRED
    signs = {
        slot: "".join("u" if slot_counts[cell] == 1 else " " for cell in slot.cells)
        for slot in grid.slots
    }
    numbers = {slot: text.count("u") for slot, text in signs.items()}
    loose = [
        slot
        for slot, number in numbers.items()
        if number > (max_unchecked(slot.length) if barred else (slot.length + 1) // 2)
    ]
    text = "less than half of the letters checked"
    if barred:
        text = (
            "more unchecked letters than Ximenes allows (none of 3, 1 of 4 or 5, 2 of 6 or 7 ...)"
        )
    yield from _about_slots("unchecked", text, loose)
    if not barred:
        # Many papers accept these words, but for those of three letters.
        mostly = [s for s, number in numbers.items() if 2 * number > s.length and s not in loose]
        short = [slot for slot in mostly if slot.length <= MIN_WORD_LENGTH]
        yield from _about_slots("unchecked", "three letters, of which one is checked", short)
        long = [slot for slot in mostly if slot not in short]
        yield from _about_slots("unchecked", "more letters unchecked than checked", long)
    runs = {slot: max(map(len, text.split(" "))) for slot, text in signs.items()}
    three = [slot for slot, run in runs.items() if run > 2]
    yield from _about_slots("consecutive", "three or more unchecked letters in a row", three)
    two = [slot for slot, run in runs.items() if run == 2]
    yield from _about_slots("consecutive", "two unchecked letters in a row", two)


def _sizes(grid: Grid, style: Style) -> Iterator[LintWarning]:
    limits = usual_limits(style, grid.height, grid.width)
    size = f"{grid.height}x{grid.width}"
    words = len(grid.slots)
    blocks = sum(row.count(BLOCKED) for row in grid.rows)
    article = "an" if style is Style.AMERICAN else "a"
    usual = f"{article} {style.value.capitalize()} {size} usually has"
    if words > limits.max_words:
        yield LintWarning("words", f"{words} words; {usual} at most {limits.max_words}")
    if words < limits.min_words:
        text = f"{words} words; {usual} at least {limits.min_words}, and longer words are harder"
        yield LintWarning("words", f"{text} to fill")
    if blocks > limits.max_blocks:
        yield LintWarning("blocks", f"{blocks} blocks; {usual} at most {limits.max_blocks}")


def _walls(grid: Grid, style: Style) -> Iterator[LintWarning]:
    """Yield a warning about rows and columns with many blocks side by side in American grids."""
    if style is not Style.AMERICAN or is_layout(grid):
        return
    lines = {
        f"{kind} {number}": "".join(line)
        for kind, every in (("row", grid.rows), ("column", zip(*grid.rows, strict=True)))
        for number, line in enumerate(every, 1)
    }
    walls = [name for name, line in lines.items() if BLOCKED * _WALL in line]
    if walls:
        yield LintWarning("wall", f"{_WALL} blocks or more side by side: {_abbreviated(walls)}")


def _masses(grid: Grid) -> Iterator[LintWarning]:
    masses = [
        (row, column)
        for row in range(grid.height - 1)
        for column in range(grid.width - 1)
        if grid.rows[row][column : column + 2]
        == grid.rows[row + 1][column : column + 2]
        == BLOCKED * 2
        and not grid.holes.intersection(product((row, row + 1), (column, column + 1)))
    ]
    if masses:
        text = f"{counted(len(masses), 'square')} of 2x2 blocks, at {_cell_list(masses)}"
        yield LintWarning("mass", text, cells=tuple(masses))


def _coverage(grid: Grid, vocabulary: Vocabulary, min_score: int | None) -> Iterator[LintWarning]:
    by_length: defaultdict[int, list[Slot]] = defaultdict(list)
    for slot in grid.slots:
        by_length[slot.length].append(slot)
    for length, slots in sorted(by_length.items()):
        group = vocabulary.group(length)
        bits = group.everything if min_score is None else group.at_least(min_score)
        words = bits.bit_count()
        names = tuple(slot.name for slot in slots)
        needed = sum(not all(map(grid.given, slot.cells)) for slot in slots)
        if needed > words:
            text = (
                f"no word of {length} letters"
                if not words
                else f"{words} words of {length} letters, fewer than"
            )
            yield LintWarning("coverage", f"{text} for {_abbreviated(names)}", names)
        elif words < MIN_WORDS_PER_SLOT * needed:
            text = f"only {words} words of {length} letters for {counted(needed, 'slot')}"
            yield LintWarning("coverage", text, names)
        dead = [slot.name for slot in slots if words and not _has_word(grid, slot, group, bits)]
        if dead:
            text = f"no word fits the given letters of {_abbreviated(dead)}"
            yield LintWarning("letters", text, tuple(dead))


def _has_word(grid: Grid, slot: Slot, group: WordGroup, bits: int) -> bool:
    """Return whether a word fits the given letters of the slot, or they are a whole word."""
    given = [grid.given(cell) for cell in slot.cells]
    if all(given):
        return True
    for position, letter in enumerate(given):
        if letter is not None:
            bits &= group.masks(position).get(letter, 0)
    return bool(bits)


def _about_slots(kind: str, text: str, slots: Sequence[Slot]) -> Iterator[LintWarning]:
    if slots:
        names = tuple(slot.name for slot in slots)
        yield LintWarning(kind, f"{text}: {_abbreviated(names)}", names)


def _about_cells(kind: str, text: str, cells: Sequence[Cell]) -> Iterator[LintWarning]:
    if cells:
        text = f"{counted(len(cells), 'cell')} {text}: {_cell_list(cells)}"
        yield LintWarning(kind, text, cells=tuple(cells))


def cells_in_no_word(cells: Sequence[Cell]) -> str:
    """Say which cells are in no word."""
    return f"{counted(len(cells), 'cell')} in no word: {_cell_list(cells)}"


def _abbreviated(names: Sequence[str]) -> str:
    return ", ".join(names[:MAX_LISTED]) + (" ..." if len(names) > MAX_LISTED else "")


def _cell_list(cells: Sequence[Cell]) -> str:
    return _abbreviated(list(map(cell_name, cells)))
