"""The words of an arrowword with the clues that fit into its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from satcross.errors import InputError
from satcross.formats.common import clean, excerpt
from satcross.formats.entries import enumeration, letters_of
from satcross.formats.files import read_text
from satcross.formats.list_table import Expected, as_number, read_table
from satcross.make.puzzles.arrow_drawing import ClueFitter
from satcross.support.wording import counted


@dataclass(frozen=True, slots=True)
class ClueBook:
    """The clue of each word that may be used, the scores of some, and remarks about the files."""

    clues: dict[str, str]
    scores: dict[str, int]
    notes: tuple[str, ...]
    fitter: ClueFitter


def read_clue_book(words: str, more: Sequence[str], fitter: ClueFitter) -> ClueBook:
    """Read a list and files of clues; of several clues for a word, the shortest that fits is used.

    The lengths of its parts are appended to the clue of a phrase: ``(3,5)``. Raises InputError when
    no word has a clue that fits.
    """
    texts: dict[str, list[str]] = {}
    scores: dict[str, int] = {}
    notes: list[str] = []
    for path in (words, *more):
        source = read_text(path)
        table = read_table(source, Expected.EITHER if path == words else Expected.CLUES)
        notes += [*source.notes, *table.notes]
        for row in table.rows:
            word = letters_of(row.word, fold=True)
            if path != words and word not in texts:
                continue
            given, text = texts.setdefault(word, []), clean(row.clue).strip()
            if text:
                given.append(text + _parts(row.word))
            if (score := as_number(row.score or "")) is not None:
                scores.setdefault(word, round(score))
    words_of_two = {word: given for word, given in texts.items() if len(word) > 1}
    chosen = {word: fitter.choose(given) for word, given in words_of_two.items()}
    clues = {word: text for word, text in chosen.items() if text}
    notes += _notes(words_of_two, clues, fitter)
    if not clues:
        raise InputError(
            "no word has a clue that fits into half a cell"
            if any(texts.values())
            else "no word has a clue",
            "write WORD, a tab and a short clue, or add --clues FILE",
            file=words,
        )
    return ClueBook(clues, scores, tuple(notes), fitter)


def _parts(written: str) -> str:
    """Return what is appended to the clue of a phrase: `` (3,5)``."""
    lengths = enumeration(written, fold=True)
    return "" if lengths.isdigit() else f" ({lengths})"


def _notes(texts: dict[str, list[str]], clues: Iterable[str], fitter: ClueFitter) -> Iterator[str]:
    """Yield remarks about words that can't be used."""
    without = [word for word, given in texts.items() if not given]
    if without:
        yield f"{counted(len(without), 'word')} without a clue left out (first {without[0]})"
    long = [given[0] for word, given in texts.items() if given and word not in clues]
    if long:
        yield (
            f"{counted(len(long), 'clue')} left out, too long for half a cell of "
            f"{fitter.cell:.0f} points (first {excerpt(long[0])}); shorten them, or choose a "
            "smaller --size or --text-size"
        )
