"""Words with clues, for ``layout``; and clue files, with a clue for a word or a slot per line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath

from satcross.crossword import Clue, Crossword
from satcross.formats.common import clean, excerpt
from satcross.formats.entries import enumeration, letters_of, normalise
from satcross.formats.files import Text
from satcross.formats.list_table import Expected, as_number, list_language, read_table
from satcross.formats.markup import unmarked
from satcross.formats.placing import direction_of
from satcross.formats.sniff import read_list
from satcross.vocabulary import DEFAULT_SCORE

_SLOT = re.compile(r"\d+[AD]", re.ASCII)
_LABEL = re.compile(r"(\d+)-?([AD])(?:CROSS|OWN)?\.?", re.ASCII)
_NUMBERED = re.compile(r"\s*(\d+)[.):]?\s+(\S.*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ClueLine:
    """A clue, the word or slot (``14A``) it is for, and its line number in the file.

    ``written`` is the word as the file writes it, such as ``ice cream``.
    """

    key: str
    text: str
    line: int
    written: str = ""


@dataclass(frozen=True, slots=True)
class ClueList:
    """The clues of a file, at most one for each word or slot, and remarks about the file."""

    name: str
    clues: tuple[ClueLine, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CluedWords:
    """The words of a file with their clues, in file order.

    ``clues`` maps each word to its clue, or to "" when it has none. ``scores`` has the words with a
    score. ``notes`` are remarks about the file, one line each.
    """

    clues: dict[str, str]
    scores: dict[str, int]
    notes: tuple[str, ...]

    def values(self) -> dict[str, float]:
        """Return what each word is worth: its score, at least 1; ``DEFAULT_SCORE`` for others.

        Without scores, the words are worth the same.
        """
        if not self.scores:
            return {}
        return {word: max(1, self.scores.get(word, DEFAULT_SCORE)) for word in self.clues}


def parse_clued_words(source: Text) -> CluedWords:
    """Read words with their clues or scores, or both, as ``layout`` uses them.

    ``list_table`` says which forms are read. Blanks, hyphens and other marks get no cell; the
    lengths of the parts are appended to the clue: ``ICE CREAM`` becomes ICECREAM, "... (3,5)". A
    repeated word counts once.

    Raises InputError for an entry without two letters, and for a file without words.
    """
    table = read_table(source, Expected.EITHER)
    clues: dict[str, str] = {}
    scores: dict[str, int] = {}
    notes = [*source.notes, *table.notes]
    language = list_language([row.word for row in table.rows], notes)
    for row in table.rows:
        word = letters_of(row.word, fold=False, language=language)
        if len(word) < 2:
            problem = f"{row.word!r} is not a word of two or more letters"
            raise source.error(problem, "write WORD, or WORD, a tab and the clue", row.line)
        clue = unmarked(row.clue)
        if clue and word != normalise(row.word, language) and not Clue.of(clue).enumeration:
            clue += f" ({enumeration(row.word, fold=False)})"
        if word in clues:
            kept = ", with the clue that is given first" if clue and clues[word] else ""
            notes.append(f"line {row.line}: {word} is repeated; it is used once{kept}")
        clues[word] = clues.get(word) or clue
        score = as_number(row.score or "")
        if score is not None:
            scores.setdefault(word, round(score))
    if not clues:
        raise source.error("the file contains no words", "write one word per line")
    return CluedWords(clues, scores, tuple(notes))


def read_clues(path: str | PathLike[str]) -> ClueList:
    """Read a clue for each word, in any of the forms that ``list_table`` reads.

    A word may be written with blanks and marks (``T-shirt``). ``14A<TAB>clue`` gives a clue to slot
    14A, whatever word fills it, and so do numbered clues below the headings Across and Down. Of
    several clues for one word, the first is used.

    Raises InputError for a file that can't be read or has no clues.
    """
    source = read_list(fspath(path))
    printed = _below_headings(source.text)
    if printed:
        return ClueList(source.name, tuple(printed), source.notes)
    table = read_table(source, Expected.CLUES)
    found: dict[str, ClueLine] = {}
    repeated: list[ClueLine] = []
    empty: list[int] = []
    language = list_language([row.word for row in table.rows], [])
    for row in table.rows:
        key = "".join(normalise(row.word, language).split())
        text = clean(unmarked(row.clue)).strip()
        if label := _LABEL.fullmatch(key):
            key = f"{label[1]}{label[2]}"
        if not key:
            problem = f"the clue {excerpt(text)} has no word"
            raise source.error(problem, "write WORD, a tab, and the clue", row.line)
        if not text:
            empty.append(row.line)
        elif key not in found:
            found[key] = ClueLine(key, text, row.line, row.word)
        elif found[key].text != text:
            repeated.append(ClueLine(key, text, row.line))
    if not found and not empty:
        raise source.error("the file contains no clues", "write WORD, a tab, and the clue")
    notes = (*source.notes, *table.notes, *_notes(repeated, empty))
    return ClueList(source.name, tuple(found.values()), notes)


def _below_headings(text: str) -> list[ClueLine]:
    """Return the clues of a text as it is printed: numbered, below headings; [] for any other."""
    direction, found = "", []
    for number, line in enumerate(text.splitlines(), 1):
        match = _NUMBERED.fullmatch(line)
        if match and direction:
            found.append(ClueLine(match[1] + direction, clean(match[2]).strip(), number))
        elif line.strip():
            direction = direction_of(line)[:1].upper()
            if not direction or len(line.split()) > 2:
                return []
    return found


def _notes(repeated: Sequence[ClueLine], empty: Sequence[int]) -> Iterator[str]:
    """Yield remarks about repeated clues, and about lines without a clue."""
    if repeated:
        yield _count(repeated, "repeated clue is ignored", "repeated clues are ignored")
    if empty:
        phrase = "line has no clue" if len(empty) == 1 else "lines have no clue"
        yield f"{len(empty)} {phrase} (line {empty[0]})"


def add_clues(crossword: Crossword, clue_list: ClueList) -> tuple[Crossword, list[str]]:
    """Return the crossword with the clues of a file added, and remarks about unused clues.

    A clue for a slot takes precedence over a clue for the word in it.
    """
    names = {slot.name for slot in crossword.grid.slots}
    words = crossword.words
    by_key = {clue.key: clue for clue in clue_list.clues}
    for_slots = {key for key in by_key if _SLOT.fullmatch(key)}
    by_letters = {letters_of(key, fold=True): key for key in by_key if key not in for_slots}
    clues = dict(crossword.clues)
    used = for_slots & names
    for name, word in words.items():
        key = word if word in by_key else by_letters.get(word)
        if key is not None and key not in for_slots:
            clues[name] = by_key[key].text
            used.add(key)
    for key in for_slots & names:
        clues[key] = by_key[key].text
    unused = [clue for clue in clue_list.clues if clue.key not in used]
    notes = []
    if unused:
        singular, plural = "clue is for a word", "clues are for words"
        notes.append(_count(unused, f"{singular} not in the fill", f"{plural} not in the fill"))
    return replace(crossword, clues=clues), notes


def written_forms(clue_list: ClueList) -> dict[str, str]:
    """Return word -> how a clue file writes it, of the words with blanks or other marks."""
    forms = {letters_of(clue.written, fold=True): clue.written for clue in clue_list.clues}
    return {word: form for word, form in forms.items() if word != normalise(form)}


def add_enumerations(crossword: Crossword, written: Mapping[str, str]) -> Crossword:
    """Return the crossword with the lengths of each answer's parts after its clue: ``(3,5)``.

    ``written`` maps words to how they are written; other words have one part. A clue that ends in
    an enumeration keeps it. A word without a clue gets the enumeration alone.
    """
    clues = dict(crossword.clues)
    for name, word in crossword.words.items():
        clue = clues.get(name, "")
        if not Clue.of(clue).enumeration:
            lengths = enumeration(written[word]) if word in written else len(word)
            clues[name] = Clue.of(clue).extended(f" ({lengths})")
    return replace(crossword, clues=clues)


def format_missing_clues(crossword: Crossword) -> str:
    """Return one line that lists the slots without a clue, or "" if every slot has one."""
    names = crossword.missing_clues
    if not names:
        return ""
    words = crossword.words
    listed = ", ".join(f"{name} {words[name]}" if name in words else name for name in names)
    have = "has" if len(names) == 1 else "have"
    return f"{len(names)} of {len(crossword.grid.slots)} slots {have} no clue: {listed}"


def format_clue_template(crossword: Crossword, written: Mapping[str, str] = {}) -> str:
    """Return a clue file to complete: one line for each word that lacks a clue, as it is written.

    Words across come before words down. ``written`` maps words to how they are written, where that
    differs.
    """
    words = crossword.words
    names = sorted(crossword.missing_clues, key=lambda name: name.endswith("D"))
    keys = dict.fromkeys(words.get(name, name) for name in names)
    return "".join(f"{written.get(key, key)}\t\n" for key in keys)


def _count(clues: Sequence[ClueLine], singular: str, plural: str) -> str:
    """Return a remark about some clues that gives their number and the first of them."""
    first = f"{excerpt(clues[0].key)}, line {clues[0].line}"
    many = len(clues)
    return f"1 {singular} ({first})" if many == 1 else f"{many} {plural} (first {first})"
