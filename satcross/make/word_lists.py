"""Analyse word lists: statistics, repeats, pattern matches, merging, the weak words of a fill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from satcross.formats.entries import AUTO, Dropped, Reading
from satcross.formats.files import Text, write_atomically
from satcross.formats.words import WordList, list_entries, parse_words
from satcross.vocabulary import Vocabulary

MAX_BARS = 20
"""Maximum number of bars in a histogram, so that it fits on a screen."""


@dataclass(frozen=True, slots=True)
class RepeatedWord:
    """A word that appears on several lines of a file, with the scores as they are written."""

    file: str
    word: str
    lines: tuple[int, ...]
    scores: tuple[str, ...]

    def __str__(self) -> str:
        scores = f", scores {', '.join(self.scores)}" if len(set(self.scores)) > 1 else ""
        return f"{self.file}: {self.word} on lines {', '.join(map(str, self.lines))}{scores}"


def find_repeated_words(sources: Iterable[Text], reading: Reading = AUTO) -> list[RepeatedWord]:
    """Return the words that appear more than once in the same file."""
    found = []
    for source in sources:
        occurrences: dict[str, list[tuple[int, str]]] = {}
        for entry in list_entries(source, reading):
            if entry.word:
                occurrences.setdefault(entry.word, []).append((entry.line, entry.score))
        for word, pairs in occurrences.items():
            if len(pairs) > 1:
                lines, scores = zip(*pairs, strict=True)
                found.append(RepeatedWord(source.name, word, lines, scores))
    return found


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """Number of words that score from ``low`` to ``high``, both included."""

    low: int
    high: int
    words: int

    @property
    def scores(self) -> str:
        return f"{self.low}" + (f" to {self.high}" if self.low < self.high else "")


def score_histogram(scores: Iterable[int]) -> list[HistogramBar]:
    """Return a histogram of at most MAX_BARS bars of equal width: 1, 2 or 5 times a power of 10."""
    counts = Counter(scores)
    if not counts:
        return []
    low, high = min(counts), max(counts)
    steps = (factor * 10**power for power in range(8) for factor in (1, 2, 5))
    step = next(step for step in steps if high // step - low // step < MAX_BARS)
    bars: Counter[int] = Counter()
    for score, words in counts.items():
        bars[score // step] += words
    return [
        HistogramBar(number * step, number * step + step - 1, bars[number])
        for number in range(low // step, high // step + 1)
    ]


@dataclass(frozen=True, slots=True)
class LengthStatistics:
    """Number, scores and letter frequencies of the words of one length.

    ``letters`` has one mapping per position, letter -> number of words, most frequent first.
    """

    length: int
    words: int
    lowest: int
    mean: float
    highest: int
    letters: tuple[Mapping[str, int], ...]


def length_statistics(vocabulary: Vocabulary) -> list[LengthStatistics]:
    """Return the statistics of each word length, shortest first."""
    return [
        LengthStatistics(
            length,
            len(words),
            min(scores),
            sum(scores) / len(scores),
            max(scores),
            tuple(dict(Counter(letters).most_common()) for letters in zip(*words, strict=True)),
        )
        for length, words, scores in vocabulary.groups()
    ]


def merge_lists(
    sources: Sequence[Text], reading: Reading = AUTO, *, highest: bool = False
) -> WordList:
    """Merge several lists into one. Raises InputError as ``parse_words`` does.

    A word has its score in the first list that has it, or its ``highest``.
    """
    merged: dict[str, int] = {}
    written: dict[str, str] = {}
    dropped: list[Dropped] = []
    notes: list[tuple[str, str]] = []
    for source in sources:
        read = parse_words([source], reading)
        dropped += read.dropped
        notes += read.notes
        written = {**read.written, **written}
        for word in read.vocabulary:
            score = read.vocabulary.score(word)
            known = merged.get(word, score)
            merged[word] = max(known, score) if highest else known
    return WordList(Vocabulary(merged), tuple(dropped), tuple(notes), written)


@dataclass(frozen=True, slots=True)
class ListChange:
    """A word whose score differs between two lists; None where the list does not have it."""

    word: str
    old: int | None
    new: int | None

    def __str__(self) -> str:
        if self.old is None:
            return f"+ {self.word};{self.new}"
        lost = self.new is None
        return f"- {self.word};{self.old}" if lost else f"~ {self.word};{self.old} -> {self.new}"


def list_changes(old: Vocabulary, new: Vocabulary) -> list[ListChange]:
    """Return the words that two lists do not have in common or score differently, A to Z."""
    before, after = ({word: item.score(word) for word in item} for item in (old, new))
    words = sorted(before.keys() | after.keys())
    both = (ListChange(word, before.get(word), after.get(word)) for word in words)
    return [change for change in both if change.old != change.new]


def words_by_score(
    rows: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> list[tuple[str, int | None]]:
    """Return the words of a filled grid with their scores: unlisted words, then by rising score.

    ``rows`` are rows of cells, ``#`` for a block and a blank for a missing letter, as
    ``formats.fills`` reads them; incomplete words are left out.
    """
    lines = map("".join, [*rows, *zip(*rows, strict=True)])
    runs = (run for line in lines for run in line.split("#"))
    words = {run for run in runs if len(run) > 1 and not any(map(str.isspace, run))}
    listed = {word: vocabulary.score(word) if word in vocabulary else None for word in words}
    return sorted(listed.items(), key=lambda item: (item[1] is not None, item[1] or 0, item[0]))


def draw_word_list(vocabulary: Vocabulary, png: str) -> None:
    """Draw the numbers of words by length and by score into a .png."""
    from satcross.formats.drawing.bars import draw_bars

    groups = vocabulary.groups()
    bars = score_histogram(score for _, _, scores in groups for score in scores)
    ranges = "" if all(bar.low == bar.high for bar in bars) else " (from ...)"
    panels = [
        ("Words by length", [(str(length), len(found)) for length, found, _ in groups]),
        (f"Words by score{ranges}", [(str(bar.low), bar.words) for bar in bars]),
    ]
    write_atomically(png, lambda beside: draw_bars(panels).save(beside, format="PNG"))
