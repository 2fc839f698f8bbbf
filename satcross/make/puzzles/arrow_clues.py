"""The words of an arrowword with the clues that fit into its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satcross.errors import InputError
from satcross.formats.common import clean, excerpt
from satcross.formats.drawing.layout import PAPERS
from satcross.formats.entries import enumeration, letters_of
from satcross.formats.files import Data, Text, decode_text
from satcross.formats.languages import ENGLISH
from satcross.formats.list_table import Expected, as_number, read_table
from satcross.formats.resources import read_resource
from satcross.formats.sniff import read_list
from satcross.formats.words import DEFAULT_LIST
from satcross.make.puzzles.arrow_drawing import ClueFitter, cell_size
from satcross.make.puzzles.arrow_making import ClueBook
from satcross.make.puzzles.arrowword import MIN_TEXT_SIZE
from satcross.support.texts import texts
from satcross.support.wording import counted

LANGUAGES = ("de", "en", "fr")
"""The languages of which words with clues are part of satcross."""


def read_clued_list(path: str) -> Text:
    """Return the text of a list; ``default`` names the one of the language in use.

    Raises InputError, also for a language without one.
    """
    if path != DEFAULT_LIST:
        return read_list(path)
    language = texts().language or ENGLISH
    if language not in LANGUAGES:
        raise InputError(
            "there is no list of words with clues in this language",
            f"choose --language {' or '.join(LANGUAGES)}, or give a list of yours",
        )
    name = f"arrowword-{language}.tsv"
    return decode_text(Data(name, read_resource(name)))


def read_clue_book(
    words: Text,
    size: tuple[int, int],
    paper: str,
    *,
    more: Iterable[Text] = (),
    min_size: float = MIN_TEXT_SIZE,
    capitals: bool = False,
) -> ClueBook:
    """Read a list and more clues for a grid of a size, to be printed on a paper of ``PAPERS``.

    Of several clues for a word, the shortest that fits in this smallest size is used. The lengths
    of its parts are appended to the clue of a phrase: ``(3,5)``. Raises InputError when no word has
    a clue that fits.
    """
    fitter = ClueFitter(cell_size(*size, PAPERS[paper]), min_size, capitals)
    written: dict[str, list[str]] = {}
    scores: dict[str, int] = {}
    notes: list[str] = []
    for source in (words, *more):
        is_list = source is words
        table = read_table(source, Expected.EITHER if is_list else Expected.CLUES)
        notes += [*source.notes, *table.notes]
        for row in table.rows:
            word = letters_of(row.word, fold=True)
            if not is_list and word not in written:
                continue
            given, text = written.setdefault(word, []), clean(row.clue).strip()
            if text:
                given.append(text + _parts(row.word))
            if (score := as_number(row.score or "")) is not None:
                scores.setdefault(word, round(score))
    words_of_two = {word: given for word, given in written.items() if len(word) > 1}
    chosen = {word: fitter.choose(given) for word, given in words_of_two.items()}
    clues = {word: text for word, text in chosen.items() if text}
    notes += _notes(words_of_two, clues, fitter)
    if not clues:
        raise InputError(
            "no word has a clue that fits into half a cell"
            if any(written.values())
            else "no word has a clue",
            "write WORD, a tab and a short clue, or add --clues FILE",
            file=words.name,
        )
    return ClueBook(clues, written, scores, tuple(notes))


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
