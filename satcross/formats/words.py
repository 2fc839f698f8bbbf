"""Word lists: ``word`` or ``word;score`` a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain

from satcross.errors import InputError
from satcross.formats.files import Text, read_text
from satcross.vocabulary import DEFAULT_SCORE, Vocabulary

MAX_SCORE = 1_000_000

_WHOLE_NUMBER = re.compile("[+-]?[0-9]{1,9}")
_WORD_COMMA_SCORE = re.compile(r"[^\W\d]+\s*,\s*[+-]?[0-9]+")
_PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\n"
_SCORED = b"0123456789;" + _PLAIN
_KINDS = bytes.maketrans(b"BCDEFGHIJKLMNOPQRSTUVWXYZ123456789", b"A" * 25 + b"0" * 9)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A line that gave no word, and why."""

    file: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class WordList:
    """A vocabulary read from files, what was dropped, and what else was noticed (by file)."""

    vocabulary: Vocabulary
    dropped: tuple[Dropped, ...]
    notes: tuple[tuple[str, str], ...]


def default_list_path() -> str:
    """Where the list that comes with satcross is (see data/LICENSES.md)."""
    return str(files("satcross") / "resources" / "english.txt.gz")


def default_list() -> Text:
    """The list that comes with satcross."""
    return read_text(default_list_path())


def parse_words(sources: Iterable[Text]) -> WordList:
    """Read lists of ``word`` or ``word;score`` lines into one vocabulary.

    Words are put in upper case (Unicode's: ß gives SS), composed (NFC), and stripped of blanks
    around them; all other characters, hyphens and apostrophes among them, count as letters, as in
    CS50. Lines with a blank or a control character inside the word are dropped, and so is a word
    of one letter, which no slot takes. Empty lines are skipped. A word given several times has
    its best score; without a score, DEFAULT_SCORE.

    Raises InputError for a score that is no whole number, and when there is no word at all.
    """
    scores: dict[str, int] = {}
    dropped: list[Dropped] = []
    notes: list[tuple[str, str]] = []
    names = []
    for source in sources:
        names.append(source.name)
        notes += [(source.name, note) for note in source.notes]
        fresh = _parse_simple(source.text)
        if fresh is None:
            fresh = _parse_lines(source, dropped)
        if scores:
            for word, score in fresh.items():
                scores[word] = max(score, scores.get(word, score))
        else:
            scores = fresh
    if not scores:
        first = f"; line {dropped[0].line} was dropped: {dropped[0].reason}" if dropped else ""
        raise InputError(
            f"the list has no word{first}", "write one word a line", file=", ".join(names) or None
        )
    return WordList(Vocabulary(scores), tuple(dropped), tuple(notes))


def normalise(word: str) -> str:
    """A word as the vocabulary has it: upper case, composed (NFC), no blanks around it."""
    return unicodedata.normalize("NFC", word.upper()).strip()


def _parse_simple(text: str) -> dict[str, int] | None:
    """The same by whole-text operations, several times as fast; None when it needs more care."""
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


def _parse_lines(source: Text, dropped: list[Dropped]) -> dict[str, int]:
    scores: dict[str, int] = {}
    for number, line in enumerate(source.text.splitlines(), 1):
        if not line.strip():
            continue
        raw, semicolon, tail = line.partition(";")
        score = _read_score(tail, source.name, number) if semicolon else DEFAULT_SCORE
        word = normalise(raw)
        reason = _why_not(word)
        if reason:
            dropped.append(Dropped(source.name, number, line, reason))
        else:
            scores[word] = max(score, scores.get(word, score))
    return scores


def _read_score(text: str, file: str, line: int) -> int:
    # int() would take 1_000 and other scripts' digits as well.
    score = int(text) if _WHOLE_NUMBER.fullmatch(text.strip()) else None
    if score is None or abs(score) > MAX_SCORE:
        shown = text.strip()
        raise InputError(
            f"bad score {shown if len(shown) <= 20 else shown[:20] + '...'!r}",
            f"write word;score with a whole number from -{MAX_SCORE:,} to {MAX_SCORE:,}",
            file=file,
            line=line,
        )
    return score


def _why_not(word: str) -> str:
    if not word:
        return "no word"
    if _WORD_COMMA_SCORE.fullmatch(word):
        return "a comma before the score; write word;score"
    if len(word) == 1:
        return "a single letter fits no slot"
    if any(letter.isspace() for letter in word):
        return "blank inside the word"
    if not word.isprintable():
        return "control character inside the word"
    return ""
