"""Packed word lists, which are quick to read: the default list is one."""

from __future__ import annotations

from collections.abc import Collection, Iterator

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

    def __len__(self) -> int:
        return len(self.text) // self.length

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
    by_length: dict[int, dict[int, list[Run]]] = {}
    for run in packed_runs(source):
        if run.tier in wanted:
            by_length.setdefault(run.length, {}).setdefault(run.score, []).append(run)
    joined = []
    for length, by_score in by_length.items():
        counts = [(score, sum(map(len, runs))) for score, runs in by_score.items()]
        joined.append((length, "".join(map(_join, by_score.values())), counts))
    return Vocabulary.from_runs(joined)


def _join(runs: list[Run]) -> str:
    """Return the words of runs of one length and score, concatenated in alphabetical order."""
    if len(runs) == 1:
        return runs[0].text
    return "".join(sorted(word for run in runs for word in run.words()))


def tiers_of(source: Text) -> dict[str, str]:
    """Return the tier of each word that has one."""
    return {word: run.tier for run in packed_runs(source) if run.tier for word in run.words()}


def packed_runs(source: Text) -> Iterator[Run]:
    """Yield the runs in the order of the file. Raises InputError for a damaged list."""
    for number, line in enumerate(source.text.split("\n")[1:-1], 2):
        try:
            length, score, tier, text = line.split(" ")
            run = Run(int(length), int(score), "" if tier == "-" else tier, text)
        except ValueError:
            raise _damaged(source, number) from None
        if run.length < 1 or len(text) % run.length or run.tier not in ("", *TIERS):
            raise _damaged(source, number)
        yield run


def _damaged(source: Text, line: int) -> InputError:
    return source.error("the packed list is damaged", "install satcross again", line)


def default_list_path() -> str:
    """Return the path of the default list, which is part of satcross (see data/LICENSES.md)."""
    return str(resource_path("english.txt"))


def default_list() -> Text:
    """Return the text of the default list. Raises InputError when it is damaged."""
    return Text(default_list_path(), read_resource("english.txt").decode("ascii"))
