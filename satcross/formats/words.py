"""Word lists as crossword constructors write them, and as CS50's course does.

A line is an entry, which a separator may divide from a score and a comment: ``CAT``,
``ice cream;70``, ``T-shirt,55,comment``. An entry becomes a word of the grid in one of two ways:

*By letters* (constructors' lists): only letters and digits fill cells. Blanks, hyphens,
apostrophes and all other marks are dropped, ``&`` is spelled AND, and the entry as it was written
is kept: ``Rock 'n' roll`` is the word ROCKNROLL.

*Literally* (CS50's lists): every character is a letter, including marks, so that ``N'T`` fills
three cells. An entry with a blank inside is dropped.

A list is taken literally when it has no scores, no entry with a blank, and a hyphen or an
apostrophe in fewer than one in a hundred of its entries, as the course's own lists do; every other
list is read by letters. ``Marks`` overrules this. The course's classes (``satcross.cs50``) and
``generate.py`` do not use this module.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Literal

from satcross.errors import InputError
from satcross.formats.files import Data, Text, decode_text, read_text
from satcross.formats.list_table import THOUSANDS, Expected, as_number, read_table
from satcross.formats.packed import is_packed, read_packed
from satcross.formats.resources import read_resource, resource_path
from satcross.support.letters import guess_language, only_letters, pack, upper
from satcross.support.texts import texts
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

MAX_SCORE = 1_000_000
DEFAULT_LIST = "default"
"""What names the default list where a file is expected; ``./default`` is a file."""
COMMENT = "a comment"
"""The reason why lines that begin with # are dropped."""

_PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"
_SCORED = b"0123456789;" + _PLAIN
_KINDS = bytes.maketrans(b"BCDEFGHIJKLMNOPQRSTUVWXYZ123456789", b"A" * 25 + b"0" * 9)

_SHORT = 7  # digits of a number that may exceed MAX_SCORE
_SCORE = re.compile(r"[+-]?[0-9]{1,12}")
_MARKS = re.compile(r"[-'\N{HYPHEN}\N{RIGHT SINGLE QUOTATION MARK}]")
_MAX_LITERAL_MARKS = 0.01
_MAX_ACCENTS = 0.05
_SHORTEST_TO_FOLD = 5  # entries of a list in which a single one with an accent is an exception
_SPELT_OUT = str.maketrans({"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D"})
_UMLAUTS = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE", "Å": "AA", "Ø": "OE"})
_MIN_SHARE = 0.1  # fractions that are all smaller are stretched to the whole scale
_MAX_BESIDE_A_SLIP = 1000  # where scores are smaller, a single huge one is a slip
TOP_OF_SCALE = 100
"""The score of the highest count."""
SPELLED: Literal["spelled"] = "spelled"
Fold = bool | Literal["spelled"]
"""Whether accents are folded, or umlauts spelled out with an E."""


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
    """Folded to E, N, O in a list where at most one entry in twenty has one (in a list of five
    entries or more, at least one may); kept otherwise."""
    FOLD = "fold"
    KEEP = "keep"
    SPELL = "spell"
    """Folded, but Ä, Ö, Ü and Å become AE, OE, UE and AA."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Options for reading word lists."""

    marks: Marks = Marks.AUTO
    accents: Accents = Accents.AUTO
    tiers: frozenset[str] = frozenset()
    """The tiers of offensive words to take from lists that have them (``packed.TIERS``)."""


AUTO = Reading()


def companion(vocabulary: Vocabulary, reading: Reading = AUTO) -> Reading:
    """Return how to read a list, such as a theme, so that its words match a vocabulary.

    The list is read by letters, unless the vocabulary has words with marks. Accents are folded if
    the vocabulary has none. Options of ``reading`` that are not AUTO are retained.
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
    """A line that was dropped because it gives no usable word, and the reason."""

    file: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class WordList:
    """A vocabulary read from files, with the lines that were dropped, and notes (file, text).

    ``written`` maps a word to its entry where the entry has more than the word's letters:
    ``{"TSHIRT": "T-shirt"}``. Entries that differ from the word only in case are left out.
    """

    vocabulary: Vocabulary
    dropped: tuple[Dropped, ...]
    notes: tuple[tuple[str, str], ...]
    written: Mapping[str, str] = field(default_factory=dict)


def default_list_path() -> str:
    """Return the path of the default list, which is part of satcross (see data/LICENSES.md)."""
    return str(resource_path("english.txt"))


def read_list(path: str) -> Text:
    """Return the text of a word list; ``default`` names the default list."""
    return default_list() if path == DEFAULT_LIST else read_text(path)


def default_list() -> Text:
    """Return the text of the default list. Raises InputError when it is damaged."""
    return Text(default_list_path(), read_resource("english.txt").decode("ascii"))


@cache
def default_written() -> Mapping[str, str]:
    """Return the entries of the default list's phrases and hyphenated words, by word."""
    text = decode_text(Data("english-written.txt.gz", read_resource("english-written.txt.gz"))).text
    # All plain entries at once, which takes half of the time.
    capitals = text.upper().replace("&", "AND")
    plain = re.sub("[^A-Z0-9\n]", "", capitals).split("\n")
    both = zip(plain, text.split("\n"), strict=True)
    return {
        word if entry.isascii() else letters_of(entry, fold=True): entry
        for word, entry in both
        if entry
    }


def parse_words(sources: Iterable[Text], reading: Reading = AUTO) -> WordList:
    """Read word lists into one vocabulary; each list is read by letters or literally.

    Words are in upper case (as in Unicode, where ß becomes SS) and composed (NFC). A word without a
    score has DEFAULT_SCORE. A word that occurs several times has its highest score and its first
    entry. Lines that can't be used (no letter, a single letter, which fits no slot, a bad score)
    are dropped and reported; empty lines are skipped. Packed lists (``formats.packed``) are read
    as they are.

    Raises InputError when the lists have no word.
    """
    scores: dict[str, int] = {}
    written: dict[str, str] = {}
    dropped: list[Dropped] = []
    notes: list[tuple[str, str]] = []
    sources = list(sources)
    if len(sources) == 1 and is_packed(sources[0]):
        return WordList(_read_packed(sources[0], reading), (), ())
    for source in sources:
        notes += [(source.name, note) for note in source.notes]
        if is_packed(source):
            vocabulary = read_packed(source, reading.tiers)
            fresh: dict[str, int] | None = {word: vocabulary.score(word) for word in vocabulary}
        else:
            simple = parse_simple(source.text)
            if simple and len(sources) == 1:
                return WordList(Vocabulary.from_scores(*simple), (), tuple(notes))
            fresh = simple and dict(zip(*simple, strict=True))
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


def _read_packed(source: Text, reading: Reading) -> Vocabulary:
    vocabulary = read_packed(source, reading.tiers)
    if source.name == default_list_path():
        vocabulary.known_as = (DEFAULT_LIST, *sorted(reading.tiers))
    return vocabulary


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A line of a list: its number, its word ("" if it has none), and its entry and score as
    written."""

    line: int
    word: str
    written: str
    score: str = ""


def list_entries(source: Text, reading: Reading = AUTO) -> list[ListEntry]:
    """Return the lines of a list that are not blank, as ``parse_words`` reads them.

    A packed list gives no entries.
    """
    return [] if is_packed(source) else list(_Parser(source, reading).entries())


def normalise(word: str, language: str = "") -> str:
    """Return a word in upper case, composed (NFC), without blanks around it."""
    return pack(upper(word, language)).strip()


def letters_of(entry: str, *, fold: Fold, language: str = "") -> str:
    """Return the letters and digits of an entry, in upper case; "" if it has none.

    With ``fold``, letters of A to Z lose their accents, and Æ, Œ, Ø, Ł and Đ are spelled out;
    SPELLED writes Ä, Ö, Ü and Å as AE, OE, UE and AA before. Letters that the language counts as
    its own, such as Ñ in Spanish, keep theirs.
    """
    capitals = upper(entry, language)
    if capitals.isascii() and capitals.isalnum() and not texts().digraphs:
        return capitals
    capitals = capitals.replace("&", "AND")
    if fold and not capitals.isascii():
        keeps = habits_of(language or texts().language).get("keeps", "")
        table = _SPELT_OUT | _UMLAUTS if fold == SPELLED else _SPELT_OUT
        capitals = "".join(
            capital if capital in keeps else _folded(capital.translate(table))
            for capital in capitals
        )
    return only_letters(capitals)


def habits_of(language: str) -> Mapping[str, str]:
    """Return what the table of languages says of letters in a language; nothing for no language."""
    if not language:
        return {}
    from satcross.formats.languages import languages

    return languages()[language]


def language_of(vocabulary: Vocabulary) -> str:
    """Return ``tr`` for a vocabulary with the capital of a dotted i; "" for all others."""
    groups = map(vocabulary.group, vocabulary.lengths)
    return "tr" if any("\u0130" in group.text for group in groups) else ""


def read_word(entry: str, vocabulary: Vocabulary) -> str:
    """Normalise an entry written by a person to the form of the vocabulary.

    The result is the literal entry if the vocabulary has it (``E-MAIL`` in the course's list);
    otherwise its letters, without accents if the vocabulary has that word or has no accents.
    """
    language = language_of(vocabulary)
    literal = normalise(entry, language)
    if literal in vocabulary:
        return literal
    kept, folded, spelled = (
        letters_of(entry, fold=fold, language=language) for fold in (False, True, SPELLED)
    )
    found = next((word for word in (kept, folded, spelled) if word in vocabulary), None)
    if found is not None or kept == folded:
        return found or kept
    plain = len(vocabulary) > 0 and vocabulary.group(len(kept)).text.isascii()
    return folded if plain else kept


_DIVIDERS = re.compile(r"[\s/]+")
_HYPHENS = re.compile(r"[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}]+")


def enumeration(written: str, *, fold: bool = True) -> str:
    """Return the lengths of an entry's parts as printed clues do: ``3,5`` for ice cream.

    Blanks and slashes give a comma, hyphens a hyphen (``1-5`` for T-shirt); other marks do not
    divide. The numbers add up to the length of ``letters_of(entry)``. The result is "" for an entry
    without letters.
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
    """Return a letter without its accents if that is one of A to Z or Greek; else the letter."""
    base = unicodedata.normalize("NFD", letter)[:1]
    is_plain = "A" <= base <= "Z" or "\u0391" <= base <= "\u03a9"
    return base if len(letter) == 1 and is_plain else letter


def _score_problem(score: str) -> str:
    """Return why the score of a line is none."""
    if not score:
        return "no score after the separator"
    number = as_number(score)
    is_large = number is not None and abs(number) > MAX_SCORE
    return f"the score exceeds {MAX_SCORE:,}" if is_large else "the score is not a whole number"


def parse_simple(text: str) -> tuple[list[str], list[int]] | None:
    """Return the words of a simple list, each once, and their scores; reads the text as a whole.

    This is several times as fast as reading line by line. Returns None for a list that has more
    than words of A to Z and scores, which ``_Parser`` has to read, and for one without words.
    """
    if not text.isascii():
        return None
    data = text.upper().encode("ascii").replace(b"\r\n", b"\n")
    if not data.translate(None, _PLAIN):
        words = [word for word in dict.fromkeys(data.decode("ascii").split("\n")) if word]
        scores = [DEFAULT_SCORE] * len(words)
    elif not data.translate(None, _SCORED) and _alternates(data):
        fields = data.decode("ascii").strip("\n").replace("\n", ";").split(";")
        words, numbers = fields[::2], fields[1::2]
        scores = list(map({number: int(number) for number in set(numbers)}.__getitem__, numbers))
    else:
        return None
    different = set(words)
    if not words or len(different) < len(words) or different.intersection(_PLAIN.decode("ascii")):
        return None
    return words, scores


def _alternates(data: bytes) -> bool:
    """Return whether every line has letters, a semicolon and digits."""
    kinds = data.strip(b"\n").translate(_KINDS)
    return (
        kinds[:1] == b"A"
        and kinds[-1:] == b"0"
        and kinds.count(b"A;0") == kinds.count(b";")
        and kinds.count(b"0\nA") == kinds.count(b"\n")
        and b"A0" not in kinds
        and b"0A" not in kinds
        and b"0" * 7 not in kinds  # such a number may exceed MAX_SCORE
    )


class _Parser:
    """Reads one list line by line; ``scores`` sets ``dropped`` and ``written``."""

    def __init__(self, source: Text, reading: Reading) -> None:
        table = read_table(source, Expected.SCORES)
        self.dropped: list[Dropped] = []
        self.notes = list(table.notes)
        self.written: dict[str, str] = {}
        self._name = source.name
        self._rows = table.rows
        entries = [row.word for row in table.rows]
        scores = [row.score for row in table.rows if row.score]
        if any(score.count(".") > 1 and THOUSANDS.fullmatch(score) for score in scores):
            self._rows = [
                row._replace(score=row.score and row.score.replace(".", "")) for row in table.rows
            ]
            scores = [row.score for row in self._rows if row.score]
            self.notes.append("dots within scores divide thousands")
        self._scale = self._find_scale(scores)
        self._language = texts().language or guess_language(entries)
        if self._language == "tr" != texts().language:
            self.notes.append("by its letters, the list is Turkish: the capital of i is \u0130")
        self._literal = self._is_literal(entries, bool(scores), reading.marks)
        self._folds = self._find_folds(entries, reading.accents)

    def entries(self) -> Iterator[ListEntry]:
        """Yield all lines that are not blank, usable or not."""
        for row in self._rows:
            yield ListEntry(row.line, self._word(row.word), row.word, row.score or "")

    def scores(self) -> dict[str, int]:
        """Return the score of each word, and append the lines that can't be used to ``dropped``."""
        scores: dict[str, int] = {}
        for row in self._rows:
            entry = row.word
            word = self._word(entry)
            score = DEFAULT_SCORE if row.score is None else self._scale(row.score)
            reason = self._why_not(entry, word)
            if not reason and score is None:
                reason = _score_problem(row.score)
            if reason or score is None:
                self.dropped.append(Dropped(self._name, row.line, row.text, reason))
                continue
            if word not in scores:
                scores[word] = score
                if not self._literal and word != normalise(entry, self._language):
                    self.written[word] = entry
            elif score > scores[word]:
                scores[word] = score
        return scores

    def _find_scale(self, texts: Sequence[str]) -> Callable[[str], int | None]:
        """Return how scores are read: as they are, or scaled where they are large or fractions."""
        numbers = [number for text in texts if (number := as_number(text)) is not None]
        highest = max(map(abs, numbers), default=0.0)
        large = [number for number in numbers if abs(number) > MAX_SCORE]
        others = max((number for number in numbers if abs(number) <= MAX_SCORE), default=highest)
        if large and (len(large) > 1 or others > _MAX_BESIDE_A_SLIP):
            self.notes.append(
                f"numbers of up to {highest:,.0f} are taken for counts and scaled to scores of "
                f"{TOP_OF_SCALE} and less"
            )
            factor = TOP_OF_SCALE / math.log1p(highest)
            return lambda text: _scaled(text, lambda count: factor * math.log1p(max(count, 0)))
        fractions = sum(not number.is_integer() for number in numbers)
        if 2 * fractions > len(texts):
            factor = next((f for f in (100.0, 10.0) if highest * f <= TOP_OF_SCALE), 1.0)
            if highest < _MIN_SHARE:  # shares of a corpus
                factor = TOP_OF_SCALE / highest
            multiplied = f"multiplied by {factor:,.0f} and " if factor != 1 else ""
            self.notes.append(f"scores with decimals are {multiplied}rounded")
            return lambda text: _scaled(text, lambda score: factor * score)
        if 2 * sum(parse_score(text) is None for text in texts) > len(texts):
            return _whole  # 50%, 1,234, 1e3
        return parse_score

    def _word(self, entry: str) -> str:
        if self._literal:
            return normalise(entry, self._language)
        return letters_of(entry, fold=self._folds, language=self._language)

    def _is_literal(self, entries: list[str], scored: bool, marks: Marks) -> bool:
        if marks is not Marks.AUTO:
            return marks is Marks.KEEP
        marked = 0
        for entry in entries:
            if not entry.isalpha():
                if any(map(str.isspace, entry)) or not _MARKS.sub("", entry).isalpha():
                    return False
                marked += 1
        if scored or not 0 < marked < _MAX_LITERAL_MARKS * len(entries):
            return False
        self.notes.append(
            f"hyphens and apostrophes fill cells, as in CS50 ({marked} of {len(entries):,} words "
            "have one); --marks drop leaves them out"
        )
        return True

    def _find_folds(self, entries: list[str], accents: Accents) -> Fold:
        """Return how accents are treated; a note says so where the list has any."""
        if self._literal or accents is not Accents.AUTO:
            return accents is Accents.FOLD if accents is not Accents.SPELL else SPELLED
        habit = habits_of(self._language).get("accents", "")
        if habit:
            return habit == "fold"
        accented = sum(
            not entry.isascii()
            and letters_of(entry, fold=True, language=self._language)
            != letters_of(entry, fold=False, language=self._language)
            for entry in entries
        )
        if not accented:
            return True
        fewest = 1 if len(entries) >= _SHORTEST_TO_FOLD else 0
        folds = accented <= max(fewest, _MAX_ACCENTS * len(entries))
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
        if self._literal and any(letter.isspace() for letter in word):
            return "blank inside the word"
        if not entry.isprintable() and any(unicodedata.category(c) == "Cc" for c in entry):
            return "control character inside the word"
        return ""


def _whole(text: str) -> int | None:
    number = as_number(text)
    return _scaled(text, float) if number is not None and number.is_integer() else None


def _scaled(text: str, scale: Callable[[float], float]) -> int | None:
    number = as_number(text)
    return None if number is None else max(-MAX_SCORE, min(MAX_SCORE, round(scale(number))))


def parse_score(text: str) -> int | None:
    """Return a whole number from -MAX_SCORE to MAX_SCORE; None for any other text."""
    if text.isdecimal() and text.isascii() and len(text) < _SHORT:
        return int(text)
    if not _SCORE.fullmatch(text):
        return None
    score = int(text)
    return score if abs(score) <= MAX_SCORE else None
