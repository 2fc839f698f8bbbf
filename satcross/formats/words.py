"""Word lists as crossword constructors keep them, and as CS50's course does.

A line is an entry, alone or with a score and perhaps more behind a separator: ``CAT``,
``ice cream;70``, ``T-shirt,55,comment``. How the entries become words of the grid:

*By letters* (constructors' lists): only letters and digits fill cells. Blanks, hyphens,
apostrophes and all other marks are dropped, ``&`` is spelled AND, and the entry as it was written
is kept: ``Rock 'n' roll`` is the word ROCKNROLL.

*Literally* (CS50's lists): every character is a letter, marks too, so that ``N'T`` fills three
cells. An entry with a blank inside is dropped.

A list is taken literally when it has no scores, no entry with a blank, and a hyphen or an
apostrophe in fewer than one in a hundred of its entries, as the course's own lists do; every other
list is read by letters. ``Marks`` overrules this. The front door of the course (``satcross.cs50``,
``generate.py``) reads its files by itself, character by character.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path

from satcross.errors import InputError
from satcross.formats.files import Text, read_text
from satcross.formats.packed import is_packed, read_packed
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

MAX_SCORE = 1_000_000
_RESOURCES = Path(__file__).parents[1] / "resources"
COMMENT = "a comment"
"""The reason why lines that begin with # are dropped."""

_PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"
_SCORED = b"0123456789;" + _PLAIN
_KINDS = bytes.maketrans(b"BCDEFGHIJKLMNOPQRSTUVWXYZ123456789", b"A" * 25 + b"0" * 9)

_SURE_SEPARATORS = ";\t"
_POSSIBLE_SEPARATORS = ",:"  # also found inside entries
_SCORE = re.compile(r"[+-]?[0-9]{1,12}")
_MARKS = re.compile(r"[-'\N{HYPHEN}\N{RIGHT SINGLE QUOTATION MARK}]")
_MOST_LITERAL_MARKS = 0.01
_MOST_ACCENTS = 0.05
_SHORTEST_TO_FOLD = 5  # entries of a list in which a single one with an accent is an exception
_SPELT_OUT = str.maketrans({"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "&": "AND"})


class Marks(StrEnum):
    """How hyphens, apostrophes, blanks and other punctuation in entries are treated."""

    AUTO = "auto"
    """Dropped, unless the list looks like the course's."""
    DROP = "drop"
    KEEP = "keep"
    """Each is a letter of its own, as in CS50; entries with blanks are dropped."""


class Accents(StrEnum):
    """How letters with diacritics, such as É, Ñ and Ö, are treated."""

    AUTO = "auto"
    """Folded to E, N, O in a list of five entries or more where one has them, or at most one in
    twenty; kept otherwise."""
    FOLD = "fold"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Reading:
    """How lists are to be read."""

    marks: Marks = Marks.AUTO
    accents: Accents = Accents.AUTO
    tiers: frozenset[str] = frozenset()
    """The tiers of offensive words to take from lists that have them (``packed.TIERS``)."""


AUTO = Reading()


def companion(vocabulary: Vocabulary, reading: Reading = AUTO) -> Reading:
    """How to read a list whose words are to be looked for in a vocabulary: a theme, say.

    By letters, unless the vocabulary has words with marks; accents are folded where the
    vocabulary has none. What ``reading`` settles by itself stays.
    """
    texts = [vocabulary.group(length).text for length in vocabulary.lengths]
    marks, accents = reading.marks, reading.accents
    if marks is Marks.AUTO:
        marks = Marks.DROP if all(map(str.isalnum, texts)) else Marks.KEEP
    if accents is Accents.AUTO and texts:
        accents = Accents.FOLD if all(map(str.isascii, texts)) else Accents.KEEP
    return Reading(marks, accents, reading.tiers)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A line that gave no word, and why."""

    file: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class WordList:
    """A vocabulary read from files, what was dropped, and what else was noticed (by file).

    ``written`` has the words that are written otherwise than by their letters, as WORD -> the
    entry: ``{"TSHIRT": "T-shirt"}``; capitals alone make no difference.
    """

    vocabulary: Vocabulary
    dropped: tuple[Dropped, ...]
    notes: tuple[tuple[str, str], ...]
    written: Mapping[str, str] = field(default_factory=dict)


def default_list_path() -> str:
    """Where the list that comes with satcross is (see data/LICENSES.md)."""
    return str(_RESOURCES / "english.txt")


def default_list() -> Text:
    """The list that comes with satcross."""
    path = default_list_path()
    try:
        return Text(path, Path(path).read_text("ascii"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"can't be read ({error})", "install satcross again", file=path) from None


@cache
def default_written() -> Mapping[str, str]:
    """Word -> how it is written, of the default list's phrases and hyphened words."""
    text = read_text(str(_RESOURCES / "english-written.txt.gz")).text
    return {letters_of(entry, fold=True): entry for entry in text.splitlines()}


def parse_words(sources: Iterable[Text], reading: Reading = AUTO) -> WordList:
    """Read word lists into one vocabulary, each in its own way (see the module).

    Words are in upper case (Unicode's: ß gives SS) and composed (NFC). A word given several times
    has its best score, and is written as the first time; without a score, DEFAULT_SCORE. Lines
    that can't be used (no letter, a single letter, which no slot takes, a bad score) are dropped
    and reported; empty lines are skipped. Packed lists (``formats.packed``) are taken as they are.

    Raises InputError when there is no word at all.
    """
    scores: dict[str, int] = {}
    written: dict[str, str] = {}
    dropped: list[Dropped] = []
    notes: list[tuple[str, str]] = []
    sources = list(sources)
    if len(sources) == 1 and is_packed(sources[0]):
        return WordList(read_packed(sources[0], reading.tiers), (), ())
    for source in sources:
        notes += [(source.name, note) for note in source.notes]
        if is_packed(source):
            vocabulary = read_packed(source, reading.tiers)
            fresh: dict[str, int] | None = {word: vocabulary.score(word) for word in vocabulary}
        else:
            fresh = parse_simple(source.text)
        if fresh is None:
            parser = _Parser(source, reading)
            fresh = parser.scores()
            dropped += parser.dropped
            notes += [(source.name, note) for note in parser.notes]
            for word, entry in parser.written.items():
                written.setdefault(word, entry)
        if scores:
            for word, score in fresh.items():
                scores[word] = max(score, scores.get(word, score))
        else:
            scores = fresh
    if not scores:
        first = f"; line {dropped[0].line} was dropped: {dropped[0].reason}" if dropped else ""
        names = ", ".join(source.name for source in sources)
        raise InputError(
            f"the list has no word{first}", "write one word per line", file=names or None
        )
    return WordList(Vocabulary(scores), tuple(dropped), tuple(notes), written)


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A line of a list: its number, the word it gives ("": none), and its entry and score as
    they are written."""

    line: int
    word: str
    written: str
    score: str = ""


def list_entries(source: Text, reading: Reading = AUTO) -> list[ListEntry]:
    """The lines of a list as ``parse_words`` reads them, blank ones left out; none if packed."""
    return [] if is_packed(source) else list(_Parser(source, reading).entries())


def normalise(word: str) -> str:
    """A word literally: upper case, composed (NFC), no blanks around it."""
    return unicodedata.normalize("NFC", word.upper()).strip()


def letters_of(entry: str, *, fold: bool) -> str:
    """The letters and digits of an entry, in upper case: what fills cells. "" if it has none.

    With ``fold``, letters of A to Z lose their accents, and Æ, Œ, Ø, Ł and Đ are spelled out.
    """
    upper = entry.upper()
    if upper.isascii():
        if upper.isalnum():
            return upper
        upper = upper.replace("&", "AND")
    else:
        upper = unicodedata.normalize("NFC", upper).translate(
            _SPELT_OUT if fold else {ord("&"): "AND"}
        )
        if fold:
            upper = "".join(map(_folded, upper))
    return "".join(filter(str.isalnum, upper))


def read_word(entry: str, vocabulary: Vocabulary) -> str:
    """Normalise a single entry given by a person to the form of the vocabulary.

    That is the entry literally if it is in the vocabulary (``E-MAIL`` from the course's list),
    else its letters, without their accents if the vocabulary has them so or has no accents.
    """
    literal = normalise(entry)
    if literal in vocabulary:
        return literal
    kept, folded = letters_of(entry, fold=False), letters_of(entry, fold=True)
    if kept in vocabulary or kept == folded:
        return kept
    plain = len(vocabulary) > 0 and vocabulary.group(len(kept)).text.isascii()
    return folded if folded in vocabulary or plain else kept


_DIVIDERS = re.compile(r"[\s/]+")
_HYPHENS = re.compile(r"[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}]+")


def enumeration(written: str, *, fold: bool = True) -> str:
    """The lengths of an entry's parts as clues give them: ``3,5`` for ice cream, ``1-5``.

    Blanks and slashes divide words, hyphens divide with a hyphen, no other mark divides. The
    numbers add up to the length of ``letters_of`` the entry. Empty for an entry without letters.
    """
    parts = []
    for word in _DIVIDERS.split(written):
        lengths = [len(letters_of(part, fold=fold)) for part in _HYPHENS.split(word)]
        text = "-".join(str(length) for length in lengths if length)
        if text:
            parts.append(text)
    return ",".join(parts)


@cache
def _folded(letter: str) -> str:
    """A letter without its accents if that leaves one of A to Z; else the letter."""
    base = unicodedata.normalize("NFD", letter)[:1]
    return base if "A" <= base <= "Z" else letter


def parse_simple(text: str) -> dict[str, int] | None:
    """Return the words and scores of a list, read by operations on the whole text.

    That is several times as fast as line by line. Returns None for a list that needs more care.
    """
    upper = text.upper()
    if not upper.isascii():
        return None
    data = upper.encode("ascii").replace(b"\r\n", b"\n")
    if not data.translate(None, _PLAIN):
        scores = dict.fromkeys(data.decode("ascii").split("\n"), DEFAULT_SCORE)
    elif not data.translate(None, _SCORED) and _alternates(data):
        fields = data.decode("ascii").strip("\n").replace("\n", ";").split(";")
        words, numbers = fields[::2], fields[1::2]
        values = map({number: int(number) for number in set(numbers)}.__getitem__, numbers)
        scores = dict(zip(words, values, strict=True))
        if len(scores) != len(words):
            return None
    else:
        return None
    for short in chain([""], _PLAIN.decode("ascii")):
        if short in scores:
            if short:
                return None
            del scores[short]
    return scores


def _alternates(data: bytes) -> bool:
    """Whether every line reads letters, semicolon, digits."""
    kinds = data.strip(b"\n").translate(_KINDS)
    return (
        kinds[:1] == b"A"
        and kinds[-1:] == b"0"
        and kinds.count(b"A;0") == kinds.count(b";")
        and kinds.count(b"0\nA") == kinds.count(b"\n")
        and b"A0" not in kinds
        and b"0A" not in kinds
        and b"0" * 7 not in kinds  # more than MAX_SCORE, perhaps
    )


class _Parser:
    """Reads one list, line by line."""

    def __init__(self, source: Text, reading: Reading) -> None:
        self.dropped: list[Dropped] = []
        self.notes: list[str] = []
        self.written: dict[str, str] = {}
        self._name = source.name
        self._lines = [
            (number, line)
            for number, line in enumerate(source.text.splitlines(), 1)
            if line and not line.isspace()
        ]
        self._separators, self._comments = _separators(line for _, line in self._lines)
        if self._comments:
            self.notes.append(
                f"no scores: what stands after {self._separators[0]!r} is taken for comments"
            )
        self._split = [self._fields(line) for _, line in self._lines]
        entries = [fields[0] for fields in self._split]
        scored = any(len(fields) > 1 for fields in self._split)
        self._literal = self._is_literal(entries, scored, reading.marks)
        self._fold = self._folds(entries, reading.accents)

    def entries(self) -> Iterator[ListEntry]:
        """The lines, whether they can be used or not."""
        for (number, _), (entry, *rest) in zip(self._lines, self._split, strict=True):
            yield ListEntry(number, self._word(entry), entry, rest[0] if rest else "")

    def scores(self) -> dict[str, int]:
        """Word -> score; what is dropped, and why, is in ``dropped`` afterwards."""
        scores: dict[str, int] = {}
        for (number, line), (entry, *rest) in zip(self._lines, self._split, strict=True):
            word = self._word(entry)
            score = _read_score(rest[0]) if rest else DEFAULT_SCORE
            reason = self._why_not(entry, word)
            if not reason and score is None:
                reason = (
                    "the score is no whole number" if rest[0] else "no score after the separator"
                )
            if reason or score is None:
                self.dropped.append(Dropped(self._name, number, line, reason))
                continue
            if word not in scores:
                scores[word] = score
                if not self._literal and word != normalise(entry):
                    self.written[word] = entry
            elif score > scores[word]:
                scores[word] = score
        return scores

    def _fields(self, line: str) -> list[str]:
        """The entry, and what stands behind separators: the score, and more."""
        separator = next((one for one in self._separators if one in line), None)
        fields = line.split(separator) if separator else [line]
        if self._comments:
            fields = fields[:1]
        return [field.strip().strip('"').strip() for field in fields]

    def _word(self, entry: str) -> str:
        return normalise(entry) if self._literal else letters_of(entry, fold=self._fold)

    def _is_literal(self, entries: list[str], scored: bool, marks: Marks) -> bool:
        if marks is not Marks.AUTO:
            return marks is Marks.KEEP
        marked = 0
        for entry in entries:
            if not entry.isalpha():
                if any(map(str.isspace, entry)) or not _MARKS.sub("", entry).isalpha():
                    return False
                marked += 1
        if scored or not 0 < marked < _MOST_LITERAL_MARKS * len(entries):
            return False
        self.notes.append(
            f"hyphens and apostrophes fill cells, as in CS50 ({marked} of {len(entries):,} words "
            "have one); --marks drop leaves them out"
        )
        return True

    def _folds(self, entries: list[str], accents: Accents) -> bool:
        if self._literal or accents is not Accents.AUTO:
            return accents is Accents.FOLD
        accented = sum(
            not entry.isascii() and letters_of(entry, fold=True) != letters_of(entry, fold=False)
            for entry in entries
        )
        if not accented:
            return True
        least = 1 if len(entries) >= _SHORTEST_TO_FOLD else 0
        folds = accented <= max(least, _MOST_ACCENTS * len(entries))
        what = "folded (É is E)" if folds else "kept (É is not E)"
        other = "keep" if folds else "fold"
        self.notes.append(f"accents are {what}; --accents {other} does otherwise")
        return folds

    def _why_not(self, entry: str, word: str) -> str:
        if not self._literal and entry.startswith("#"):
            return COMMENT
        if not word:
            return "no word"
        if len(word) == 1:
            return "a single letter fits no slot"
        if any(letter.isspace() for letter in word):
            return "blank inside the word"
        if not entry.isprintable() and any(unicodedata.category(c) == "Cc" for c in entry):
            return "control character inside the word"
        return ""


def _separators(lines: Iterable[str]) -> tuple[list[str], bool]:
    """What separates an entry from its score in these lines, or from comments (whether).

    A semicolon or a tab always does; a comma or a colon, which also stand inside entries, where
    half of the lines with one have a number behind it. Where none has, and text stands behind
    most, and more than once, that is comments.
    """
    found: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    for line in lines:
        for separator in _SURE_SEPARATORS + _POSSIBLE_SEPARATORS:
            _, there, tail = line.partition(separator)
            if there:
                found[separator] += 1
                score = tail.partition(separator)[0].strip().strip('"')
                numbers[separator] += _read_score(score) is not None
                texts[separator] += score[:1].isalpha()
                break
    chosen = [one for one in _SURE_SEPARATORS if found[one]] + [
        one for one in _POSSIBLE_SEPARATORS if found[one] and 2 * numbers[one] >= found[one]
    ]
    total, commented = (sum(count[one] for one in chosen) for count in (found, texts))
    scored = any(numbers[one] for one in chosen)
    return chosen, not scored and commented > 1 and 2 * commented > total


def _read_score(text: str) -> int | None:
    """A whole number from -MAX_SCORE to MAX_SCORE; None for anything else."""
    if not _SCORE.fullmatch(text):
        return None
    score = int(text)
    return score if abs(score) <= MAX_SCORE else None
