"""What the commands have in common: reading the question from files and flags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from satcross.cli.options import PuzzleFlags, note
from satcross.errors import InputError
from satcross.formats import readers
from satcross.formats.files import STANDARD_INPUT
from satcross.formats.word_cache import read_words
from satcross.formats.words import (
    AUTO,
    COMMENT,
    Dropped,
    Reading,
    WordList,
    companion,
    default_list_path,
    normalise,
    read_word,
)
from satcross.grid import Cell, Grid
from satcross.puzzle import Puzzle, with_letters
from satcross.vocabulary import Vocabulary


def read_puzzle(
    structure: str, lists: Sequence[str], flags: PuzzleFlags, *, quiet: bool = False
) -> Puzzle:
    """Read the question: files as named on the command line (``flags.lists``), and the rules."""
    if [structure, *lists, *flags.theme, *flags.prefer].count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")
    if flags.theme_any is not None and not flags.theme:
        raise InputError("--theme-any needs --theme", "name a file of theme words")
    min_score, min_scores = read_min_score(flags.min_score)
    grid = read_structure(structure, letters=flags.letters, quiet=quiet)
    vocabulary = read_lists(lists, quiet=quiet, reading=flags.reading).vocabulary
    words, letters = read_locks(flags.locks, vocabulary)
    grid = with_letters(grid, letters)
    reading = companion(vocabulary, flags.reading)
    excluded = read_excluded(flags.exclude, vocabulary, reading, quiet=quiet)
    puzzle = Puzzle(
        grid,
        vocabulary,
        words,
        min_score,
        excluded,
        flags.allow_repeats,
        min_scores=min_scores,
        theme=read_theme(flags.theme, reading, quiet=quiet),
        min_theme_words=flags.theme_any,
        max_shared_substring=flags.max_shared_substring,
        stem_endings=read_endings(flags.no_same_stem),
        preferred=read_preferred(flags.prefer, vocabulary, reading, quiet=quiet),
    )
    _check_theme(puzzle)
    if not quiet:
        lengths = {slot.length for slot in grid.slots}
        for length in sorted(min_scores.keys() - lengths):
            note(f"--min-score {length}:{min_scores[length]}", f"no slot has {length} letters")
    return puzzle


def _check_theme(puzzle: Puzzle) -> None:
    """Raise InputError for a theme that no fill can have, by the look of it."""
    lengths = {slot.length for slot in puzzle.grid.slots}
    fixed = puzzle.fixed_words.values()
    possible = {
        word
        for word in puzzle.theme
        if len(word) in lengths and (word not in puzzle.excluded or word in fixed)
    }
    if len(possible) < puzzle.required_theme()[1]:
        word = min(puzzle.theme - possible)
        if word in puzzle.excluded:
            raise InputError(f"the theme word {word} is excluded", "drop one of the two")
        raise InputError(
            f"the theme word {word} has {len(word)} letters, and no slot has as many",
            "drop it, or ask for fewer with --theme-any",
        )


def read_structure(path: str, *, letters: bool | None, quiet: bool) -> Grid:
    """Read a structure, or take that of a published crossword; oddities are noted on stderr."""
    structure = readers.read_structure(path, letters=letters)
    if not quiet:
        for text in structure.notes:
            note(path, text)
    return structure.grid


def read_lists(paths: Sequence[str], *, quiet: bool, reading: Reading = AUTO) -> WordList:
    """Read word lists into one; none: the default list."""
    if list(paths).count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")
    words = read_words(list(paths) or [default_list_path()], reading)
    if not quiet:
        note_oddities(words)
    return words


def note_oddities(words: WordList) -> None:
    """Tell the user what was noticed in reading lists, and what was dropped."""
    for name, text in words.notes:
        note(name, text)
    _note_dropped(words.dropped)


def _note_dropped(dropped: Sequence[Dropped]) -> None:
    by_cause: dict[tuple[str, str], list[Dropped]] = {}
    for line in dropped:
        by_cause.setdefault((line.file, line.reason), []).append(line)
    for (name, reason), lines in by_cause.items():
        first = lines[0]
        example = f"line {first.line}: {first.text.strip()!r}"
        if len(lines) == 1:
            note(name, f"1 line dropped, {reason} ({example})")
        else:
            note(name, f"{len(lines)} lines dropped, {reason} (first {example})")


_CELL = re.compile(r"R([0-9]+)C([0-9]+)")


def read_locks(
    locks: Sequence[str], vocabulary: Vocabulary
) -> tuple[dict[str, str], dict[Cell, str]]:
    """``14A=WORD`` flags as slot name -> word, and ``r3c4=Q`` flags as cell -> letter.

    Words may be written as in lists: ``14A=breakfast club``.
    """
    words: dict[str, str] = {}
    letters: dict[Cell, str] = {}
    for lock in locks:
        name, equals, word = lock.partition("=")
        name, entry = name.strip().upper(), normalise(word)
        if not (equals and name and entry):
            raise InputError(f"bad lock {lock!r}", "write it as 14A=WORD or r3c4=Q")
        wrong = sorted({c for c in entry if c in "_#?*" or not c.isprintable()})
        word = read_word(entry, vocabulary)
        if wrong or not word:
            shown = wrong[0] if wrong else entry
            raise InputError(f"--lock: {shown!r} is not a letter", "lock a whole word")
        place = _CELL.fullmatch(name)
        if place is None:
            before = words.setdefault(name, word)
        elif len(word) == 1:
            row, column = int(place[1]), int(place[2])
            before = letters.setdefault((row, column), word)
            name = f"r{row}c{column}"
        else:
            raise InputError(f"lock {lock}: a cell takes one letter", "lock a word as 14A=WORD")
        if before != word:
            raise InputError(
                f"{name} is locked twice, as {before} and as {word}", "drop one of the two"
            )
    return words, letters


_MIN_SCORE = re.compile(r"(?:([0-9]{1,4}):)?([+-]?[0-9]{1,9})")


def read_min_score(value: str | None) -> tuple[int | None, dict[int, int]]:
    """``50,3:60`` as the minimum score of all words, and those of words of certain lengths."""
    everywhere: int | None = None
    by_length: dict[int, int] = {}
    for part in value.split(",") if value is not None else ():
        match = _MIN_SCORE.fullmatch(part.strip())
        if match is None:
            raise InputError(
                f"bad --min-score {value!r}", "write a score, or several as in 50,3:60,4:55"
            )
        least = int(match[2])
        if match[1]:
            twice = by_length.setdefault(int(match[1]), least) != least
        else:
            twice = everywhere is not None
            everywhere = least
        if twice:
            raise InputError(f"--min-score {value!r} says two things at once", "drop one")
    return everywhere, by_length


def read_theme(paths: Sequence[str], reading: Reading, *, quiet: bool) -> frozenset[str]:
    """The words of theme files. Raises InputError for a line that can't be used."""
    if not paths:
        return frozenset()
    words = read_lists(paths, quiet=quiet, reading=reading)
    for line in words.dropped:
        if line.reason != COMMENT:
            raise InputError(
                f"the theme word {line.text.strip()!r} can't be used: {line.reason}",
                "write one word per line",
                file=line.file,
                line=line.line,
            )
    return frozenset(words.vocabulary)


def read_preferred(
    paths: Sequence[str], vocabulary: Vocabulary, reading: Reading, *, quiet: bool
) -> frozenset[str]:
    """The words of files of preferred words."""
    if not paths:
        return frozenset()
    preferred = frozenset(read_lists(paths, quiet=quiet, reading=reading).vocabulary)
    unknown = sorted(word for word in preferred if word not in vocabulary)
    if unknown and not quiet:
        many = f"{len(unknown)} of these words are" if len(unknown) > 1 else f"{unknown[0]} is"
        note("--prefer", f"{many} in no list, and so not used")
    return preferred


def read_endings(value: str | None) -> tuple[str, ...]:
    """``S,ES`` as endings in capitals."""
    if value is None:
        return ()
    stem_endings = tuple(normalise(ending) for ending in value.split(","))
    wrong = next((one for one in stem_endings if not one.isalpha()), None)
    if wrong is not None:
        raise InputError(f"bad --no-same-stem {value!r}", "name endings, as in S,ES")
    return stem_endings


def read_excluded(
    values: Sequence[str], vocabulary: Vocabulary, reading: Reading, *, quiet: bool
) -> frozenset[str]:
    """Words, or files of words, that may not be used.

    A value that is no word of the vocabulary, and a file's name or has a dot or slash, is a file.
    """
    excluded: set[str] = set()
    for value in values:
        if not value.strip():
            raise InputError("--exclude has an empty value", "name a word or a file")
        word = read_word(value, vocabulary)
        is_path = "." in value or "/" in value
        if value == STANDARD_INPUT or (
            (is_path or word not in vocabulary)
            and (_exists(value) or (is_path and word not in vocabulary))
        ):
            words = read_lists([value], quiet=quiet, reading=reading)
            excluded.update(words.vocabulary)
        else:
            excluded.add(word)
            if word not in vocabulary and not quiet:
                note(f"--exclude {value}", "no list has this word")
    return frozenset(excluded)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # a name no file can have
        return False
