"""Packed word lists, which are quick to read: the default list is one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from satcross.errors import InputError
from satcross.formats.files import Text
from satcross.formats.resources import read_resource, resource_path
from satcross.support.frozen import frozen
from satcross.vocabulary import Vocabulary

HEADER = "#packed words 2\n"
"""The first line of a packed list, which is quick to read and has tiers of offensive words.

Each other line is ``LENGTH TIER SCORES WORDS``: all words of one length and tier (``-`` for none),
concatenated by descending score, then in alphabetical order. SCORES are like ``95:12,90:7``: twelve
words with a score of 95, then seven with 90. ``data/build_default_list.py`` writes the default list
so."""
_MAX_HEAD = 100_000
"""More characters than the length, the tier and the scores of a line have."""

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
    by_length: defaultdict[int, list[_Block]] = defaultdict(list)
    for block in _blocks(source):
        if block.tier in ("", *tiers):
            by_length[block.length].append(block)
    return Vocabulary.from_runs(
        (length, *_merged(length, blocks)) for length, blocks in by_length.items()
    )


def _merged(length: int, blocks: list[_Block]) -> tuple[str, list[tuple[int, int]]]:
    """Return the words of blocks of one length, and how many have each score."""
    if len(blocks) == 1:
        return blocks[0].text, blocks[0].scores
    by_score: defaultdict[int, list[str]] = defaultdict(list)
    for run in (run for block in blocks for run in block.runs()):
        by_score[run.score] += run.words()
    words = dict(sorted(by_score.items(), reverse=True))
    text = "".join(["".join(sorted(same)) for same in words.values()])
    return text, [(score, len(same)) for score, same in words.items()]


def tiers_of(source: Text) -> dict[str, str]:
    """Return the tier of each word that has one."""
    return {word: run.tier for run in packed_runs(source) if run.tier for word in run.words()}


def packed_runs(source: Text) -> Iterator[Run]:
    """Return the runs in the order of the file. Raises InputError for a damaged list."""
    for block in _blocks(source):
        yield from block.runs()


def written(runs: Iterable[Run]) -> str:
    """Return a packed list of these runs, one for each length, score and tier."""
    ordered = sorted(runs, key=lambda run: (run.length, run.tier, -run.score))
    lines = [HEADER]
    for (length, tier), block in groupby(ordered, attrgetter("length", "tier")):
        same = list(block)
        scores = ",".join(f"{run.score}:{len(run.text) // length}" for run in same)
        lines.append(f"{length} {tier or '-'} {scores} {''.join(run.text for run in same)}\n")
    return "".join(lines)


@frozen
class _Block:
    """All words of one length and tier; ``scores`` has each score and the number of its words."""

    length: int
    tier: str
    scores: list[tuple[int, int]]
    text: str

    def runs(self) -> Iterator[Run]:
        """Yield the words of each score."""
        start = 0
        for score, number in self.scores:
            end = start + number * self.length
            yield Run(self.length, score, self.tier, self.text[start:end])
            start = end


def _blocks(source: Text) -> Iterator[_Block]:
    """Yield what each line has, without a copy of it. Raises InputError for a damaged list."""
    text, start, number = source.text, len(HEADER), 1
    while start < len(text):
        number, end = number + 1, text.find("\n", start)
        head = text[start : min(end, start + _MAX_HEAD)].split(" ", 3)
        try:
            size, tier, pairs = head[:3]
            length, tier = int(size), "" if tier == "-" else tier
            scores = [(int(score), int(many)) for score, many in _fields(pairs)]
        except ValueError:
            raise _damaged(source, number) from None
        words = text[start + len(" ".join(head[:3])) + 1 : end]
        many = sum(many for _, many in scores)
        if length < 1 or end < 0 or len(words) != many * length or (tier and tier not in TIERS):
            raise _damaged(source, number)
        yield _Block(length, tier, scores, words)
        start = end + 1


def _fields(pairs: str) -> Iterator[list[str]]:
    return (pair.split(":") for pair in pairs.split(","))


def _damaged(source: Text, line: int) -> InputError:
    return source.error("the packed list is damaged", "install satcross again", line)


def default_list_path() -> str:
    """Return the path of the default list, which is part of satcross (see data/LICENSES.md)."""
    return str(resource_path("english.txt"))


def default_list() -> Text:
    """Return the text of the default list. Raises InputError when it is damaged."""
    return Text(default_list_path(), read_resource("english.txt").decode("ascii"))
