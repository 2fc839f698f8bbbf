"""Packed word lists, which are quick to read: the default list is one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import starmap

from satcross.errors import InputError
from satcross.formats.files import Text
from satcross.formats.resources import read_resource, resource_path
from satcross.support.frozen import frozen
from satcross.vocabulary import Vocabulary

HEADER = "#packed words 1\n"
"""The first line of a packed list, which is quick to read and has tiers of offensive words.

Each other line is ``LENGTH SCORE TIER WORDS``: all words of one length, score and tier (``-`` for
none), concatenated in alphabetical order, by length, then by descending score.
``data/build_default_list.py`` writes the default list so."""
TIERS = ("mild", "offensive")
"""Tiers of words that are left out by default: mild (anatomical and coarse words), and offensive
(slurs and obscenities)."""


@frozen
class Run:
    """All words of one length, score and tier ("" for no tier); ``text`` concatenates them."""

    length: int
    score: int
    tier: str
    text: str

    def words(self) -> list[str]:
        """Return the words in alphabetical order."""
        starts = range(0, len(self.text), self.length)
        return [self.text[start : start + self.length] for start in starts]


def is_packed(source: Text) -> bool:
    """Return whether a text is a packed list."""
    return source.text.startswith(HEADER)


def read_packed(source: Text, tiers: Collection[str] = ()) -> Vocabulary:
    """Return the vocabulary of the words without a tier and of the words of these tiers.

    Raises InputError for a damaged list.
    """
    wanted = {"", *tiers}
    by_length: dict[int, dict[int, list[str]]] = {}
    for length, score, tier, text in _lines(source):
        if tier in wanted:
            by_length.setdefault(length, {}).setdefault(score, []).append(text)
    return Vocabulary.from_runs(
        (
            length,
            "".join([_join(length, texts) for texts in by_score.values()]),
            [(score, len("".join(texts)) // length) for score, texts in by_score.items()],
        )
        for length, by_score in by_length.items()
    )


def _join(length: int, texts: list[str]) -> str:
    """Return the words of texts of one length and score, concatenated in alphabetical order."""
    if len(texts) == 1:
        return texts[0]
    return "".join(sorted(word for text in texts for word in Run(length, 0, "", text).words()))


def tiers_of(source: Text) -> dict[str, str]:
    """Return the tier of each word that has one."""
    return {word: run.tier for run in packed_runs(source) if run.tier for word in run.words()}


def packed_runs(source: Text) -> Iterator[Run]:
    """Return the runs in the order of the file. Raises InputError for a damaged list."""
    return starmap(Run, _lines(source))


def _lines(source: Text) -> Iterator[tuple[int, int, str, str]]:
    """Yield length, score, tier and text of each run."""
    for number, line in enumerate(source.text.split("\n")[1:-1], 2):
        try:
            size, score, tier, text = line.split(" ")
            length, tier = int(size), "" if tier == "-" else tier
            if length < 1 or len(text) % length or (tier and tier not in TIERS):
                raise _damaged(source, number)
            yield length, int(score), tier, text
        except ValueError:
            raise _damaged(source, number) from None


def _damaged(source: Text, line: int) -> InputError:
    return source.error("the packed list is damaged", "install satcross again", line)


def default_list_path() -> str:
    """Return the path of the default list, which is part of satcross (see data/LICENSES.md)."""
    return str(resource_path("english.txt"))


def default_list() -> Text:
    """Return the text of the default list. Raises InputError when it is damaged."""
    return Text(default_list_path(), read_resource("english.txt").decode("ascii"))
