"""What an editor would notice about a structure, before anybody fills it. Warnings, never errors.

What is usual is in ``styles``, with where the numbers come from.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from satcross.construct.pattern.connectivity import connected_parts
from satcross.construct.pattern.styles import SHORTEST, Style, usual
from satcross.grid import BLOCKED, Cell, Grid, Slot
from satcross.vocabulary import Vocabulary

_FEW_WORDS = 20
"""With fewer words of a length for each of its slots, the list is thin for this grid: a guess."""
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing noticed: its ``kind``, a sentence, and the slots or cells it is about."""

    kind: str
    text: str
    slots: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What there is: counts, and slots by length. ``symmetries`` may be empty."""

    height: int
    width: int
    words: int
    blocks: int
    checked: int
    open_cells: int
    symmetries: tuple[str, ...]
    lengths: dict[int, int]
    longest: tuple[str, ...]


def facts_of(grid: Grid) -> Facts:
    """Count."""
    blocks = sum(row.count(BLOCKED) for row in grid.rows)
    area = grid.height * grid.width
    lengths = Counter(slot.length for slot in grid.slots)
    longest = max(lengths, default=0)
    return Facts(
        grid.height,
        grid.width,
        len(grid.slots),
        blocks,
        len(grid.crossings),
        area - blocks,
        tuple(symmetries(grid)),
        dict(sorted(lengths.items())),
        tuple(slot.name for slot in grid.slots if slot.length == longest),
    )


def symmetries(grid: Grid) -> Iterator[str]:
    """Which turns and mirrors leave the pattern as it is."""
    rows = [[cell == BLOCKED for cell in row] for row in grid.rows]
    half_turn = [row[::-1] for row in rows[::-1]]
    if rows == half_turn:
        yield "half turn"
    if rows == [row[::-1] for row in rows]:
        yield "left to right"
    if rows == rows[::-1]:
        yield "top to bottom"
    turned = [list(column) for column in zip(*rows, strict=True)]
    if rows == turned:
        yield "diagonal"
    if rows == [row[::-1] for row in turned[::-1]]:
        yield "other diagonal"
    if rows == [row[::-1] for row in turned]:
        yield "quarter turn"


def lint(
    grid: Grid, vocabulary: Vocabulary, style: Style = Style.AMERICAN, min_score: int | None = None
) -> list[Notice]:
    """Everything that is unusual for a grid of that style, or that makes it hard to fill."""
    return [
        *_shape(grid, style),
        *_short_words(grid),
        *_checking(grid, style),
        *_counts(grid, style),
        *_coverage(grid, vocabulary, min_score),
    ]


def _shape(grid: Grid, style: Style) -> Iterator[Notice]:
    found = list(symmetries(grid))
    if "half turn" not in found:
        other = f" (only: {', '.join(found)})" if found else ""
        yield Notice(
            "symmetry",
            f"not the same after half a turn{other}, as {style.value.capitalize()} grids are",
        )
    parts = sorted(connected_parts(grid.rows), key=len)
    if len(parts) > 1:
        sizes = ", ".join(str(len(part)) for part in reversed(parts))
        cells = tuple(sorted(cell for part in parts[:-1] for cell in part))
        yield Notice(
            "regions", f"{len(parts)} regions that do not touch, of {sizes} cells", cells=cells
        )


def _short_words(grid: Grid) -> Iterator[Notice]:
    short = [slot.name for slot in grid.slots if slot.length < SHORTEST]
    if short:
        word = "word" if len(short) == 1 else "words"
        yield Notice("short", f"{len(short)} two-letter {word}: {_some(short)}", tuple(short))


def _checking(grid: Grid, style: Style) -> Iterator[Notice]:
    uses = Counter(cell for slot in grid.slots for cell in slot.cells)
    cells = [
        (row, column)
        for row, line in enumerate(grid.rows)
        for column, content in enumerate(line)
        if content != BLOCKED
    ]
    alone = [cell for cell in cells if not uses[cell]]
    if alone:
        yield Notice(
            "alone", f"{_cells(len(alone))} in no word: {_places(alone)}", cells=tuple(alone)
        )
    unchecked = [cell for cell in cells if uses[cell] == 1]
    if style is Style.AMERICAN:
        if unchecked:
            yield Notice(
                "unchecked",
                f"{_cells(len(unchecked))} in one word only: {_places(unchecked)}",
                cells=tuple(unchecked),
            )
        return
    loose = [slot for slot in grid.slots if _checked(slot, uses) < slot.length // 2]
    if loose:
        yield Notice(
            "unchecked",
            f"less than half of the letters checked: {_some([slot.name for slot in loose])}",
            tuple(slot.name for slot in loose),
        )
    for length, what in ((3, "three"), (2, "two")):
        rows = [slot for slot in grid.slots if _unchecked_run(slot, uses) == length]
        rows += [s for s in grid.slots if length == 3 and _unchecked_run(s, uses) > 3]
        if rows:
            more = " or more" if length == 3 else ""
            yield Notice(
                "consecutive",
                f"{what}{more} unchecked letters in a row: {_some([slot.name for slot in rows])}",
                tuple(slot.name for slot in rows),
            )


def _checked(slot: Slot, uses: Counter[Cell]) -> int:
    return sum(uses[cell] == 2 for cell in slot.cells)


def _unchecked_run(slot: Slot, uses: Counter[Cell]) -> int:
    runs = "".join("u" if uses[cell] == 1 else " " for cell in slot.cells).split()
    return max(map(len, runs), default=0)


def _counts(grid: Grid, style: Style) -> Iterator[Notice]:
    limits = usual(style, grid.height, grid.width)
    size = f"{grid.height}x{grid.width}"
    words = len(grid.slots)
    blocks = sum(row.count(BLOCKED) for row in grid.rows)
    of = f"in {'an' if style is Style.AMERICAN else 'a'} {style.value.capitalize()} {size}"
    if words > limits.most_words:
        yield Notice("words", f"{words} words; usual {of} are {limits.most_words} at most")
    if words < limits.fewest_words:
        yield Notice(
            "words",
            f"{words} words; usual {of} are {limits.fewest_words} or more, and fewer are "
            "harder to fill",
        )
    if blocks > limits.most_blocks:
        yield Notice("blocks", f"{blocks} blocks; usual {of} are {limits.most_blocks} at most")
    masses = [
        (row, column)
        for row in range(grid.height - 1)
        for column in range(grid.width - 1)
        if grid.rows[row][column : column + 2]
        == grid.rows[row + 1][column : column + 2]
        == BLOCKED * 2
    ]
    if masses:
        squares = "square" if len(masses) == 1 else "squares"
        yield Notice(
            "mass",
            f"{len(masses)} {squares} of 2x2 blocks, at {_places(masses)}",
            cells=tuple(masses),
        )


def _coverage(grid: Grid, vocabulary: Vocabulary, min_score: int | None) -> Iterator[Notice]:
    by_length: defaultdict[int, list[Slot]] = defaultdict(list)
    for slot in grid.slots:
        by_length[slot.length].append(slot)
    for length, slots in sorted(by_length.items()):
        group = vocabulary.group(length)
        bits = group.everything if min_score is None else group.at_least(min_score)
        words = bits.bit_count()
        names = tuple(slot.name for slot in slots)
        given = [slot for slot in slots if all(map(grid.given, slot.cells))]
        needed = len(slots) - len(given)
        if needed > words:
            text = (
                f"no word of {length} letters"
                if not words
                else f"{words} words of {length} letters, fewer than"
            )
            yield Notice("coverage", f"{text} for {_some(names)}", names)
        elif words < _FEW_WORDS * needed:
            yield Notice(
                "coverage",
                f"only {words} words of {length} letters for {needed} "
                f"{'slot' if needed == 1 else 'slots'}",
                names,
            )
        dead = [
            slot.name for slot in slots if words and not _possible(grid, slot, vocabulary, bits)
        ]
        if dead:
            yield Notice("letters", f"no word fits the given letters of {_some(dead)}", tuple(dead))


def _possible(grid: Grid, slot: Slot, vocabulary: Vocabulary, bits: int) -> bool:
    """Whether a word has the slot's given letters; a slot full of them is a word by itself."""
    given = [grid.given(cell) for cell in slot.cells]
    if all(given):
        return True
    group = vocabulary.group(slot.length)
    for position, letter in enumerate(given):
        if letter is not None:
            bits &= group.masks(position).get(letter, 0)
    return bool(bits)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")


def _places(cells: Sequence[Cell]) -> str:
    return _some([f"row {row + 1} column {column + 1}" for row, column in cells])


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"
