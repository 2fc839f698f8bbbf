"""The options that make a puzzle, and the puzzle that they and the files make."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from satcross import rules
from satcross.cli import options as cli
from satcross.cli.messages import note
from satcross.cli.output import check_standard_input
from satcross.cli.text_flags import TextFlags, key_option
from satcross.errors import InputError
from satcross.formats import readers
from satcross.formats.entries import (
    AUTO,
    COMMENT,
    Accents,
    Dropped,
    Marks,
    Reading,
    companion,
    normalise,
    read_word,
)
from satcross.formats.files import STANDARD_INPUT, missing_file
from satcross.formats.readers import READERS
from satcross.formats.structure import Structure
from satcross.formats.word_cache import read_words
from satcross.formats.words import NAMED_LISTS, WordList
from satcross.grid import Cell, open_cells
from satcross.puzzle import Puzzle
from satcross.rules.rule import Flag
from satcross.support.frozen import frozen
from satcross.support.user_folder import edits_path
from satcross.vocabulary import Vocabulary

STRUCTURE = (
    "The grid: one line per row, _ for an open cell, any other character for a block; or a "
    f"crossword to fill anew ({', '.join(READERS)})."
)
WORDS = (
    "A word list: one word per line, or word;score. Files may be gzipped, and one may be - "
    "(standard input). default names the default list; american and british are the default list "
    "without the other country's spellings.  [default: the default list]"
)


_BRIEF = ("--lock", "--min-score", "--exclude")
"""Flags of rules that most people need."""


def _rule_option(flag: Flag) -> Any:
    return cli.option(
        f"{flag.name} {flag.metavar or ''}",
        flag.help,
        heading=cli.RULES,
        multiple=flag.multiple,
        brief=flag.name in _BRIEF,
        type=None if flag.minimum is None else cli.whole(flag.minimum),
    )


@frozen
class ReadingFlags:
    """How word lists are read."""

    marks: str = cli.option(
        "--marks",
        "Blanks, hyphens and apostrophes in the lists' entries: drop them (T-SHIRT is TSHIRT), or "
        "keep them as letters as CS50 does; auto keeps them only in lists like CS50's.",
        heading=cli.INPUT,
        choices=("auto", "drop", "keep"),
        default="auto",
    )
    accents: str = cli.option(
        "--accents",
        "Accents in the lists' entries: fold them (CAFÉ is CAFE), keep them, or spell Ä, Ö, Ü as "
        "AE, OE, UE and fold the others; auto does what --language has, or folds them in lists "
        "where they are rare.",
        choices=("auto", "fold", "keep", "spell"),
        default="auto",
    )
    include_mild: bool = cli.option(
        "--include-mild", "With the default list: also anatomical and coarse words."
    )
    include_offensive: bool = cli.option(
        "--include-offensive", "With the default list: also slurs and obscenities."
    )
    text: TextFlags = cli.options(TextFlags)

    @property
    def reading(self) -> Reading:
        tiers = {"mild": self.include_mild, "offensive": self.include_offensive}
        included = frozenset(tier for tier, is_included in tiers.items() if is_included)
        return Reading(Marks(self.marks), Accents(self.accents), included)


@frozen
class ListFlags:
    """How word lists are read, and the user's edits of them."""

    how: ReadingFlags = cli.options(ReadingFlags)
    edits: str | None = cli.option(
        "--edits FILE",
        "Use the edits of words in this file, not your own (see satcross words edit).",
        excludes=["--no-edits"],
    )
    no_edits: bool = cli.option("--no-edits", "Use the lists as they are, without your edits.")

    def read(self, paths: Sequence[str], *, quiet: bool) -> WordList:
        """Read word lists into one, with the user's edits; none: the default list.

        Raises InputError as reading does.
        """
        return self.edit(read_lists(paths, quiet=quiet, reading=self.reading), quiet=quiet)

    def edit(self, words: WordList, *, quiet: bool) -> WordList:
        """Return a list with the user's edits; a note says what they change."""
        if self.no_edits:
            return words
        edited = edit_list(words, None if self.edits is None else Path(self.edits))
        if not quiet:
            for name, text in edited.notes[len(words.notes) :]:
                note(text, name)
        return edited

    @property
    def reading(self) -> Reading:
        return self.how.reading


@frozen
class PuzzleFlags:
    """Word lists beside the argument WORDS, and the rules."""

    more_words: tuple[str, ...] = cli.words_option("A further word list; repeatable.")
    letters: bool = cli.letters_option()
    key: str | None = key_option()
    lists: ListFlags = cli.options(ListFlags)
    rules: Mapping[str, Any] = cli.option_table(
        {flag.parameter: _rule_option(flag) for flag in rules.all_flags()}
    )

    @property
    def files(self) -> list[str]:
        """The files that are read, perhaps with words among them; no output may replace them."""
        named = (self.rules[flag.parameter] for flag in rules.all_flags() if flag.names_files)
        edits = [] if self.lists.edits is None else [self.lists.edits]
        return [*self.more_words, *edits, *(value for values in named for value in values)]


@frozen
class PuzzleInput:
    """STRUCTURE, WORDS and the rules."""

    structure: str = cli.argument("STRUCTURE", STRUCTURE)
    words: str | None = cli.argument("[WORDS]", WORDS)
    flags: PuzzleFlags = cli.options(PuzzleFlags)

    @property
    def lists(self) -> list[str]:
        """The word lists to read; none means the default list."""
        return [*([] if self.words is None else [self.words]), *self.flags.more_words]

    @property
    def files(self) -> list[str]:
        """The files that are read; no output may replace them, and one may be standard input."""
        return [self.structure, *([] if self.words is None else [self.words]), *self.flags.files]

    def read(self, *, quiet: bool = False) -> Puzzle:
        return self.read_with_prefilled(quiet=quiet)[0]

    def read_written(self, vocabulary: Vocabulary) -> Mapping[str, str]:
        """Return how lists, edits, themes and locks write words, without standard input.

        ``vocabulary`` is the puzzle's. The default list is left out.
        """
        flags, given = self.flags.lists, self.flags.rules
        lists, themes = (
            [path for path in paths if path not in (STANDARD_INPUT, *NAMED_LISTS)]
            for paths in (self.lists, given["theme"])
        )
        reader = FlagReader(vocabulary, flags.reading, quiet=True)
        nothing = WordList(Vocabulary(()), (), ())
        read = flags.read(lists, quiet=True) if lists else flags.edit(nothing, quiet=True)
        written = dict(read.written) | (dict(reader.read_list(themes).written) if themes else {})
        for _, _, entry in (lock.partition("=") for lock in given["locks"]):
            word = reader.read_word(entry)
            if word != normalise(entry):
                written[word] = entry.strip()
        return written

    def read_with_prefilled(self, *, quiet: bool = False) -> tuple[Puzzle, frozenset[Cell]]:
        """Read the files and the rules, and which cells the author of STRUCTURE prefilled."""
        check_standard_input(self.files)
        structure = read_structure(self.structure, letters=self.flags.letters, quiet=quiet)
        vocabulary = self.flags.lists.read(self.lists, quiet=quiet).vocabulary
        reader = FlagReader(vocabulary, self.flags.lists.reading, quiet)
        values = rules.parse_flags(self.flags.rules, reader)
        puzzle = rules.build_puzzle(structure.grid, vocabulary, values)
        rules.check_flags(puzzle, reader)
        alone = open_cells(structure.grid.rows).difference(*(s.cells for s in structure.grid.slots))
        if alone:
            from satcross.grid.lint import cells_in_no_word

            reader.note(cells_in_no_word(sorted(alone)), self.structure)
        return puzzle, structure.prefilled


@frozen
class FlagReader:
    """What rules use to read their flags: files, words, and where notes are printed.

    ``reading`` is how the vocabulary was read; files of words are read to match.
    """

    vocabulary: Vocabulary = Vocabulary(())
    reading: Reading = AUTO
    quiet: bool = False

    def read_word(self, text: str) -> str:
        """The word as the vocabulary has it."""
        return read_word(text, self.vocabulary)

    def read_list(self, paths: Sequence[str]) -> WordList:
        """The words of files, read to match the vocabulary."""
        how = companion(self.vocabulary, self.reading)
        return read_lists(paths, quiet=self.quiet, reading=how)

    def read_words(self, paths: Sequence[str], *, strict: bool = False) -> list[str]:
        """The words of files; ``strict`` raises InputError for a line that can't be used."""
        words = self.read_list(paths)
        for line in words.dropped if strict else ():
            if line.reason != COMMENT:
                raise InputError(
                    f"the theme word {line.text.strip()!r} can't be used: {line.reason}",
                    "write one word per line",
                    file=line.file,
                    line=line.line,
                )
        return sorted(words.vocabulary)

    def is_file(self, value: str) -> bool:
        """Whether a value is a file: it exists or has a dot or slash, and is no word.

        A word with a dot or slash is a file when it exists.
        """
        if value == STANDARD_INPUT:
            return True
        is_path, is_word = "." in value or "/" in value, self.read_word(value) in self.vocabulary
        exists = os.path.exists(value)  # noqa: PTH110  # also for a name that no file can have
        return is_path and exists if is_word else is_path or exists

    def note(self, text: str, about: str) -> None:
        """Note something odd about a flag."""
        if not self.quiet:
            note(text, about)


def read_structure(path: str, *, letters: bool | None, quiet: bool) -> Structure:
    """Read a structure, or take that of a published crossword; oddities are noted on stderr."""
    structure = readers.read_structure(path, letters=letters)
    if not quiet:
        for text in structure.notes:
            note(text, path)
    return structure


def edit_list(words: WordList, path: Path | None) -> WordList:
    """Return a list with the edits of a file, by default the user's own; a note says what they do.

    Raises InputError for a file that is named and does not exist, and for one that can't be read.
    """
    chosen = edits_path() if path is None else path
    if chosen is None or not (path or chosen.exists()):
        return words
    if not chosen.exists():
        raise missing_file(str(chosen))
    from satcross.formats.word_edits import read_edits

    edits = read_edits(chosen)
    vocabulary, text = edits.apply(words.vocabulary)
    if not text:
        return words
    notes = (*words.notes, (str(chosen), f"{text}; --no-edits does without"))
    return replace(
        words, vocabulary=vocabulary, notes=notes, written={**words.written, **edits.written}
    )


def read_lists(paths: Sequence[str], *, quiet: bool, reading: Reading = AUTO) -> WordList:
    """Read word lists into one, as they are; none: the default list."""
    check_standard_input(paths)
    words = read_words(paths, reading)
    if not quiet:
        note_oddities(words)
    return words


def note_oddities(words: WordList) -> None:
    """Note what is odd about lists, and which lines were dropped."""
    for name, text in words.notes:
        note(text, name)
    by_cause: dict[tuple[str, str], list[Dropped]] = {}
    for line in words.dropped:
        by_cause.setdefault((line.file, line.reason), []).append(line)
    for (name, reason), (line, *others) in by_cause.items():
        example = f"{'first ' if others else ''}line {line.line}: {line.text.strip()!r}"
        number = f"{1 + len(others)} lines" if others else "1 line"
        note(f"{number} dropped, {reason} ({example})", name)
