"""Check a fill against the definition of the rules, with code that no backend uses.

The module finds the slots in the rows of the grid itself instead of using ``Grid.slots``, so that
it also detects mistakes in finding slots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from satcross.grid import describe_cell
from satcross.puzzle import Puzzle

MISSING = " "
"""An open cell without a letter, in the rows of ``verify_rows``."""


def verify(puzzle: Puzzle, fill: Mapping[str, str]) -> list[str]:
    """Return every way in which ``fill`` (slot name -> word) breaks the rules of the puzzle.

    An empty list means that the fill is right.
    """
    problems: list[str] = []
    runs = slot_cells(puzzle.grid.rows, puzzle.grid.left_out)
    for name in fill:
        if name not in runs:
            problems.append(f"{name}: the grid has no such slot")
    letter_at: dict[tuple[int, int], tuple[str, str]] = {}
    used: dict[str, str] = {}
    for name, cells in runs.items():
        word = fill.get(name)
        if word is None:
            problems.append(f"{name}: no word")
            continue
        if len(word) != len(cells):
            problems.append(f"{name}: {word} has {len(word)} letters, not {len(cells)}")
            continue
        contents = [puzzle.grid.rows[row][column] for row, column in cells]
        for (row, column), content, letter in zip(cells, contents, word, strict=True):
            here = describe_cell((row, column))
            if content not in ("_", letter):
                problems.append(f"{name}: {word} contradicts the letter {content} given at {here}")
            other, before = letter_at.setdefault((row, column), (name, letter))
            if before != letter:
                problems.append(f"{other} and {name} disagree at {here}: {before} and {letter}")
        if name in puzzle.locks:
            if puzzle.locks[name] != word:
                problems.append(f"{name}: {word} stands where {puzzle.locks[name]} is locked")
        elif "_" in contents and puzzle.extra_words.get(name) != word:
            least = puzzle.min_scores.get(len(word), puzzle.min_score)
            if word in puzzle.theme:
                pass  # legal even if it is not in the vocabulary or its score is too low
            elif word not in puzzle.vocabulary:
                problems.append(f"{name}: {word} is not in the vocabulary")
            elif least is not None and puzzle.vocabulary.score(word) < least:
                problems.append(f"{name}: {word} scores less than {least}")
            if word in puzzle.excluded:
                problems.append(f"{name}: {word} is excluded")
        if not puzzle.allow_repeats and used.setdefault(word, name) != name:
            problems.append(f"{used[word]} and {name} repeat {word}")
    problems += _theme_problems(puzzle, set(fill.values()), runs)
    problems += alike_problems(puzzle, {name: word for name, word in fill.items() if name in runs})
    return problems


def _theme_problems(
    puzzle: Puzzle, used: set[str], runs: Mapping[str, Sequence[tuple[int, int]]]
) -> list[str]:
    everywhere = slot_cells(puzzle.grid.rows)
    elsewhere = {len(cells) for name, cells in everywhere.items() if name not in runs}
    least = len(puzzle.theme) if puzzle.min_theme_words is None else puzzle.min_theme_words
    least -= sum(len(word) in elsewhere for word in puzzle.theme)
    missing = sorted(w for w in puzzle.theme if w not in used and len(w) not in elsewhere)
    found = sum(word in used and len(word) not in elsewhere for word in puzzle.theme)
    if found >= least:
        return []
    if least == found + len(missing):
        return [f"the theme word {word} is missing" for word in missing]
    return [f"theme words: {found} used, {least} required"]


def alike_problems(puzzle: Puzzle, fill: Mapping[str, str]) -> list[str]:
    """List the pairs of different words that share too many letters or the same stem."""
    own = {*puzzle.setter_words, *puzzle.theme, *puzzle.locks.values()}
    given = {
        "".join(puzzle.grid.rows[row][column] for row, column in cells)
        for cells in slot_cells(puzzle.grid.rows, puzzle.grid.left_out).values()
    }
    own.update(word for word in given if "_" not in word)
    problems = []
    for (name, word), (other, same) in combinations(fill.items(), 2):
        if word == same or (word in own and same in own):
            continue
        if puzzle.max_shared_substring is not None:
            size = puzzle.max_shared_substring + 1
            starts = range(len(word) - size + 1)
            shared = next(
                (word[at : at + size] for at in starts if word[at : at + size] in same), ""
            )
            if shared:
                problems.append(
                    f"{name} and {other}: {word} and {same} share {shared}, more than "
                    f"{puzzle.max_shared_substring} letters"
                )
        if puzzle.stem_endings:
            stem_endings = {"", *puzzle.stem_endings}
            stems = {
                word.removesuffix(one)
                for one in stem_endings
                if word.endswith(one)
                and any(word.removesuffix(one) + end == same for end in stem_endings)
            }
            stem = max(stems, key=len, default="")
            if len(stem) > 1:
                problems.append(
                    f"{name} and {other}: {word} and {same} are both {stem} and an ending or none"
                )
    return problems


def verify_rows(
    puzzle: Puzzle, rows: Sequence[str], words: Mapping[str, str] | None = None
) -> list[str]:
    """List every way in which a filled grid breaks the puzzle's rules.

    ``rows`` has one string for each row: ``#`` is a blocked cell, ``MISSING`` an open cell without
    a letter. If ``words`` (slot name -> word) is given, it must agree with the rows.
    """
    grid = puzzle.grid.rows
    if [len(row) for row in rows] != [len(row) for row in grid]:
        return [f"the fill has {_size(rows)} cells, the structure {_size(grid)} (rows x columns)"]
    problems = []
    unchecked = {
        (row, column)
        for row, line in enumerate(grid)
        for column, content in enumerate(line)
        if content != "#"
    }
    runs = slot_cells(grid, puzzle.grid.left_out)
    for cells in runs.values():
        unchecked.difference_update(cells)
    for row, (line, structure) in enumerate(zip(rows, grid, strict=True)):
        for column, (letter, content) in enumerate(zip(line, structure, strict=True)):
            here = describe_cell((row, column))
            if content == "#" and letter == MISSING:
                problems.append(f"{here}: an open cell where the structure is blocked")
            elif content == "#" and letter != "#":
                problems.append(f"{here}: the letter {letter} where the structure is blocked")
            elif content != "#" and letter == "#":
                problems.append(f"{here}: a blocked cell where the structure is open")
            elif letter == MISSING and (row, column) not in unchecked:
                problems.append(f"{here}: no letter")
            elif (row, column) in unchecked and content not in ("_", letter) and letter != MISSING:
                problems.append(f"{here}: {letter} where the letter {content} is given")
    fill = {
        name: "".join(rows[row][column] for row, column in cells) for name, cells in runs.items()
    }
    for name, word in (words or {}).items():
        if name in fill and word != fill[name]:
            shown = fill[name].replace(MISSING, "?")
            problems.append(f"{name}: listed as {word}, but {shown} stands in the grid")
        elif name not in fill:
            problems.append(f"{name}: the grid has no such slot")
    whole = {name: word for name, word in fill.items() if MISSING not in word and "#" not in word}
    lacking = {f"{name}: no word" for name in fill if name not in whole}
    return problems + [problem for problem in verify(puzzle, whole) if problem not in lacking]


def _size(rows: Sequence[str]) -> str:
    widths = sorted({len(row) for row in rows}) or [0]
    return f"{len(rows)}x{'-'.join(map(str, dict.fromkeys((widths[0], widths[-1]))))}"


def slot_cells(
    rows: tuple[str, ...], left_out: frozenset[str] = frozenset()
) -> dict[str, list[tuple[int, int]]]:
    """Map the names of all slots that are not left out, numbered as in print, to their cells."""
    runs: dict[str, list[tuple[int, int]]] = {}
    number = 0
    for row, line in enumerate(rows):
        for column, content in enumerate(line):
            if content == "#":
                continue
            right = len(line[column:].split("#")[0])
            below = len("".join(other[column] for other in rows[row:]).split("#")[0])
            across = right > 1 and (column == 0 or line[column - 1] == "#")
            down = below > 1 and (row == 0 or rows[row - 1][column] == "#")
            number += across or down
            if across:
                runs[f"{number}A"] = [(row, column + k) for k in range(right)]
            if down:
                runs[f"{number}D"] = [(row + k, column) for k in range(below)]
    return {name: cells for name, cells in runs.items() if name not in left_out}
