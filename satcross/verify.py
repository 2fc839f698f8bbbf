"""Check a fill against the definition of the rules, with code that no backend uses.

The module finds the slots in the rows of the grid itself instead of using ``Grid.slots``, so that
it also detects mistakes in finding slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from satcross.grid import STRIDE, Grid, cell_name
from satcross.puzzle import Puzzle
from satcross.support.arguments import check_type

MISSING = " "
"""An open cell without a letter, in the rows of ``verify_rows``."""


def verify(puzzle: Puzzle, fill: Mapping[str, str]) -> list[str]:
    """Return every way in which ``fill`` (slot name -> word) breaks the rules of the puzzle.

    An empty list means that the fill is right.
    """
    check_type(fill, Mapping, "the fill", "give a dict of slot names and words")
    problems: list[str] = []
    runs = slot_cells(puzzle.grid)
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
        contents = "".join(_content(puzzle.grid, cell) for cell in cells)
        for (row, column), content, letter in zip(cells, contents, word, strict=True):
            here = cell_name((row, column))
            if content not in ("_", letter):
                problems.append(f"{name}: {word} contradicts the letter {content} given at {here}")
            other, before = letter_at.setdefault((row, column), (name, letter))
            if before != letter:
                problems.append(f"{other} and {name} disagree at {here}: {before} and {letter}")
        problems += [
            f"{name}: {word} {wrong}" for wrong in word_problems(puzzle, name, word, contents)
        ]
        if not puzzle.allow_repeats and used.setdefault(word, name) != name:
            problems.append(f"{used[word]} and {name} repeat {word}")
    problems += _theme_problems(puzzle, set(fill.values()), runs)
    problems += alike_problems(puzzle, {name: word for name, word in fill.items() if name in runs})
    return problems


def word_problems(puzzle: Puzzle, name: str, word: str, contents: str) -> Iterator[str]:
    """Yield why a word may not stand in a slot whose cells have these contents (_ for open)."""
    if name in puzzle.locks:
        if puzzle.locks[name] != word:
            yield f"stands where {puzzle.locks[name]} is locked"
        return
    if "_" in contents and puzzle.extra_words.get(name) != word:
        yield from _list_problems(puzzle, name, word)
        yield from _rule_problems(puzzle, word)


def _list_problems(puzzle: Puzzle, name: str, word: str) -> Iterator[str]:
    required = puzzle.slot_min_scores.get(name, puzzle.min_scores.get(len(word), puzzle.min_score))
    if word in puzzle.theme:
        pass  # legal even if it is not in the vocabulary or its score is too low
    elif word not in puzzle.vocabulary:
        yield "is not in the vocabulary"
    elif required is not None and puzzle.vocabulary.score(word) < required:
        yield f"scores less than {required}"


def _rule_problems(puzzle: Puzzle, word: str) -> Iterator[str]:
    """Yield which rules about single words a word breaks."""
    if word in puzzle.excluded:
        yield "is excluded"


def _theme_problems(
    puzzle: Puzzle, used: set[str], runs: Mapping[str, Sequence[tuple[int, int]]]
) -> list[str]:
    if not puzzle.theme:
        return []
    everywhere = slot_cells(puzzle.grid, every=True)
    elsewhere = {len(cells) for name, cells in everywhere.items() if name not in runs}
    required = len(puzzle.theme) if puzzle.min_theme_words is None else puzzle.min_theme_words
    required -= sum(len(word) in elsewhere for word in puzzle.theme)
    missing = sorted(w for w in puzzle.theme if w not in used and len(w) not in elsewhere)
    found = sum(word in used and len(word) not in elsewhere for word in puzzle.theme)
    if found >= required:
        return []
    if required == found + len(missing):
        return [f"the theme word {word} is missing" for word in missing]
    return [f"theme words: {found} used, {required} required"]


def alike_problems(puzzle: Puzzle, fill: Mapping[str, str]) -> list[str]:
    """List the pairs of different words that share too many letters or the same stem."""
    if puzzle.max_shared_substring is None and not puzzle.stem_endings:
        return []  # the puzzle has none of the rules below
    own = {*puzzle.setter_words, *puzzle.theme, *puzzle.locks.values()}
    given = {
        "".join(_content(puzzle.grid, cell) for cell in cells)
        for cells in slot_cells(puzzle.grid).values()
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
                word.removesuffix(stem_ending)
                for stem_ending in stem_endings
                if word.endswith(stem_ending)
                and any(word.removesuffix(stem_ending) + end == same for end in stem_endings)
            }
            stem = max(stems, key=len, default="")
            if len(stem) > 1:
                problems.append(
                    f"{name} and {other}: {word} and {same} are both {stem} and an ending or none"
                )
    return problems


def verify_rows(
    puzzle: Puzzle, rows: Sequence[Sequence[str]], words: Mapping[str, str] | None = None
) -> list[str]:
    """List every way in which a filled grid breaks the puzzle's rules.

    ``rows`` has the cells of each row: ``#`` is a blocked cell, ``MISSING`` an open cell without
    a letter; a rebus cell has all its letters, or the first. If ``words`` (slot name -> word) is
    given, it must agree with the rows.
    """
    grid = puzzle.grid.rows
    if [len(row) for row in rows] != [len(row) for row in grid]:
        return [f"the fill has {_size(rows)} cells, the structure {_size(grid)} (rows x columns)"]
    problems = []
    rebus = dict(puzzle.grid.rebus)
    cells = [
        [cell[0] if rebus.get((row, column)) == cell else cell for column, cell in enumerate(line)]
        for row, line in enumerate(rows)
    ]
    unchecked = {
        (row, column)
        for row, line in enumerate(grid)
        for column, content in enumerate(line)
        if content != "#"
    }
    runs = slot_cells(puzzle.grid)
    for run in runs.values():
        unchecked.difference_update(run)
    for row, (line, structure) in enumerate(zip(cells, grid, strict=True)):
        for column, (letter, content) in enumerate(zip(line, structure, strict=True)):
            problem = _cell_problem(content, letter, in_slot=(row, column) not in unchecked)
            if problem:
                problems.append(f"{cell_name((row, column))}: {problem}")
    fill = {
        name: "".join(
            cells[row][column] if column < STRIDE else _content(puzzle.grid, (row, column))
            for row, column in run
        )
        for name, run in runs.items()
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


def _cell_problem(content: str, letter: str, *, in_slot: bool) -> str:
    """Return what is wrong with a cell of a fill; "" if nothing is, or if ``verify`` finds it."""
    if content == "#" and letter == MISSING:
        return "an open cell where the structure is blocked"
    if content == "#":
        return "" if letter == "#" else f"the letter {letter} where the structure is blocked"
    if letter == "#":
        return "a blocked cell where the structure is open"
    if in_slot:
        return "no letter" if letter == MISSING else ""
    if content not in ("_", letter) and letter != MISSING:
        return f"{letter} where the letter {content} is given"
    return ""


def _content(grid: Grid, cell: tuple[int, int]) -> str:
    """Return the character of the grid for one letter of a slot."""
    more, column = divmod(cell[1], STRIDE)
    return dict(grid.rebus)[cell[0], column][more] if more else grid.rows[cell[0]][column]


def _size(rows: Sequence[Sequence[str]]) -> str:
    widths = sorted({len(row) for row in rows}) or [0]
    return f"{len(rows)}x{'-'.join(map(str, dict.fromkeys((widths[0], widths[-1]))))}"


def slot_cells(grid: Grid, *, every: bool = False) -> dict[str, list[tuple[int, int]]]:
    """Map the names of the slots, numbered as in print, to their cells, one for each letter.

    ``every`` includes the slots that the grid leaves out.
    """
    runs: dict[str, list[tuple[int, int]]] = {}
    number = 0
    for row, line in enumerate(grid.rows):
        for column, content in enumerate(line):
            if content == "#":
                continue
            across = down = list[tuple[int, int]]()
            if not column or len(_run(grid, [(row, column - 1), (row, column)])) < 2:
                across = _run(grid, [(row, k) for k in range(column, len(line))])
            if not row or len(_run(grid, [(row - 1, column), (row, column)])) < 2:
                down = _run(grid, [(k, column) for k in range(row, len(grid.rows))])
            number += len(across) > 1 or len(down) > 1
            if len(across) > 1:
                runs[f"{number}A"] = across
            if len(down) > 1:
                runs[f"{number}D"] = down
    letters = dict(grid.rebus)
    return {
        name: [
            (row, column + number * STRIDE)
            for row, column in cells
            for number, _ in enumerate(letters.get((row, column), "?"))
        ]
        for name, cells in runs.items()
        if every or name not in grid.left_out
    }


def _run(grid: Grid, line: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the cells at the start of a line up to the first block or bar."""
    run: list[tuple[int, int]] = []
    for row, column in line:
        if grid.rows[row][column] == "#" or (run and (run[-1], (row, column)) in grid.bars):
            break
        run.append((row, column))
    return run
