"""One word list, read line by line: what simple lists, which are read as a whole, do not need."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from satcross.formats.entries import (
    COMMENT,
    MAX_SCORE,
    SPELLED,
    Accents,
    Dropped,
    Fold,
    ListEntry,
    Marks,
    Reading,
    habits_of,
    letters_of,
    normalise,
    parse_score,
)
from satcross.formats.files import Text
from satcross.formats.list_table import (
    COMMENTS,
    THOUSANDS,
    Expected,
    as_number,
    list_language,
    read_table,
)
from satcross.vocabulary import DEFAULT_SCORE

_MARKS = re.compile(r"[-'\N{HYPHEN}\N{RIGHT SINGLE QUOTATION MARK}]")
_MAX_LITERAL_MARKS = 0.01
_MAX_ACCENTS = 0.05
_SHORTEST_TO_FOLD = 5  # entries of a list in which a single one with an accent is an exception
_MIN_SHARE = 0.1  # fractions that are all smaller are stretched to the whole scale
_MAX_BESIDE_A_SLIP = 1000  # where scores are smaller, a single huge one is a slip
TOP_OF_SCALE = 100
"""The score of the highest count."""


class Parser:
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
        self._language = reading.language or list_language(entries, self.notes)
        self._literal = self._is_literal(entries, bool(scores) or table.has_flags, reading.marks)
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
        language = self._language
        accented = sum(
            letters_of(entry, fold=True, language=language)
            != letters_of(entry, fold=False, language=language)
            for entry in entries
            if not entry.isascii()
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
        if not self._literal and entry.startswith(COMMENTS):
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


def _score_problem(score: str | None) -> str:
    """Return why the score of a line is none."""
    if not score:
        return "no score after the separator"
    number = as_number(score)
    is_large = number is not None and abs(number) > MAX_SCORE
    return f"the score exceeds {MAX_SCORE:,}" if is_large else "the score is not a whole number"
