"""Personal edits of words: never use it, always have it, or another score.

The edits are one text file for all word lists, by default in the user's data folder. Each line is
``ENTRY;never``, ``ENTRY;always`` or ``ENTRY;SCORE``; lines that begin with ``#`` are comments. What
the edits do to a vocabulary:

- ``never`` removes the word;
- a score replaces that of the list, where a list has the word;
- ``always`` adds the word, whether or not a list has it, with the highest score there is.

An entry concerns the word that it reads as (``T-shirt`` and ``TSHIRT`` are the same).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from satcross.errors import InputError
from satcross.formats.entries import MAX_SCORE, letters_of, normalise, parse_score, read_word
from satcross.formats.files import Text, alone, read_text, write_atomically
from satcross.support.user_folder import EDITS_VARIABLE, edits_path
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

TOP_SCORE = 100
"""The score of ``always``, unless the lists have higher ones."""

_REMEDY = "write ENTRY;never, ENTRY;always or ENTRY;SCORE"
_HEADER = f"# Edits of words for satcross: {_REMEDY.removeprefix('write ')}\n"


class Keyword(StrEnum):
    """An edit other than a score."""

    NEVER = "never"
    ALWAYS = "always"


Action = Keyword | int
"""What an edit does; a number is the new score."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of one word: the entry as it was written, and what is done."""

    entry: str
    action: Action

    @property
    def key(self) -> str:
        """The letters of the entry: there is one edit for each."""
        return letters_of(self.entry, fold=False)


@dataclass(frozen=True, slots=True)
class WordEdits:
    """The edits of a file, in alphabetical order of their words."""

    edits: tuple[Edit, ...] = ()

    def get(self, entry: str) -> Edit | None:
        """Return the edit of the word that an entry reads as."""
        key = letters_of(entry, fold=False)
        return next((edit for edit in self.edits if edit.key == key), None)

    @property
    def written(self) -> dict[str, str]:
        """Word -> how it is written, of the entries with blanks or other marks."""
        return {edit.key: edit.entry for edit in self.edits if edit.key != normalise(edit.entry)}

    def changes(self, vocabulary: Vocabulary) -> dict[str, int | None]:
        """Return what the edits change in a vocabulary: word -> new score, or None to remove it."""
        changes: dict[str, int | None] = {}
        top = TOP_SCORE
        if any(edit.action is Keyword.ALWAYS for edit in self.edits):
            firsts = (vocabulary.group(length).runs[:1] for length in vocabulary.lengths)
            top = max([top, *(score for runs in firsts for score, _ in runs)])
        for edit in self.edits:
            word = read_word(edit.entry, vocabulary)
            old = vocabulary.group(len(word)).score(word)
            if edit.action is Keyword.ALWAYS:
                new: int | None = top
            elif old is None:
                continue
            else:
                new = None if edit.action is Keyword.NEVER else edit.action
            if new != old:
                changes[word] = new
        return changes

    def apply(self, vocabulary: Vocabulary) -> tuple[Vocabulary, str]:
        """Return the edited vocabulary, and what was changed in words; "" for nothing."""
        changes = self.changes(vocabulary)
        if not changes:
            return vocabulary, ""
        removed = sum(score is None for score in changes.values())
        added = sum(word not in vocabulary for word in changes)
        changed = len(changes) - removed - added
        kinds = ((removed, "left out"), (added, "added"), (changed, "with another score"))
        parts = [f"{counted(number, 'word')} {what}" for number, what in kinds if number]
        return vocabulary.changed(changes), ", ".join(parts)


def read_edits(path: Path | None = None) -> WordEdits:
    """Read a file of edits, by default the user's own; no edits if there is no such file.

    Raises InputError for a file that can't be read, and for a line that is no edit.
    """
    path = edits_path() if path is None else path
    return WordEdits() if path is None else _parse(_read_text(path))


def _read_text(path: Path) -> Text:
    return read_text(str(path)) if path.exists() else Text(str(path), _HEADER)


def _parse(source: Text) -> WordEdits:
    edits: dict[str, Edit] = {}
    for number, line in enumerate(source.text.splitlines(), 1):
        edit = _parse_line(line, source.name, number)
        if edit is not None:
            edits[edit.key] = edit
    return WordEdits(tuple(edit for _, edit in sorted(edits.items())))


def _parse_line(line: str, name: str, number: int) -> Edit | None:
    """Return the edit of a line; None for a comment or a blank line."""
    if not line.strip() or line.lstrip().startswith("#"):
        return None
    entry, _, text = map(str.strip, line.rpartition(";"))
    try:
        return _checked(Edit(entry, read_action(text)))
    except ValueError as error:
        raise InputError(str(error), _REMEDY, file=name, line=number) from None


def read_action(text: str) -> Action:
    """Read ``never``, ``always`` or a score. Raises ValueError for anything else."""
    if text.lower() in (Keyword.NEVER, Keyword.ALWAYS):
        return Keyword(text.lower())
    score = parse_score(text)
    if score is None:
        problem = f"{text!r} is neither never, always nor a whole number up to {MAX_SCORE:,}"
        raise ValueError(problem)
    return score


def edit_word(entry: str, action: Action | None, path: Path | None = None) -> Edit | None:
    """Store the edit of a word, or remove it (None); return the edit that it replaces.

    The file is the user's own by default. It is replaced whole or not at all, and a second program
    that edits it at the same time waits. Comments stay.

    Raises InputError for an entry without two letters, when there is no place for edits, and as
    ``read_edits`` does.
    """
    path = edits_path() if path is None else path
    if path is None:
        raise InputError("there is no file of edits", f"name one in the variable {EDITS_VARIABLE}")
    try:
        edit = _checked(Edit(" ".join(entry.split()), Keyword.NEVER if action is None else action))
    except ValueError as error:
        raise InputError(str(error), "name a word or a phrase") from None
    with alone(path):
        source = _read_text(path)
        before = _parse(source).get(edit.key)
        lines = []
        for number, line in enumerate(source.text.splitlines(), 1):
            there = _parse_line(line, source.name, number)
            if there is None or there.key != edit.key:
                lines.append(line)
        if action is not None:
            lines.append(f"{edit.entry};{edit.action}")
        text = "\n".join([*lines, ""])
        write_atomically(str(path), lambda beside: beside.write_bytes(text.encode("utf-8")))
    return before


def _checked(edit: Edit) -> Edit:
    """Return the edit. Raises ValueError for an entry that is no word of two letters or more."""
    if len(edit.key) < 2 or ";" in edit.entry or not edit.entry.isprintable():
        raise ValueError(f"{edit.entry!r} is not a word of two or more letters")
    return edit
