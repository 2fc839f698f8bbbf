"""Packed word lists, which are quick to read: the default list is one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from satcross.errors import InputError
from satcross.formats.files import Data, Text
from satcross.formats.resources import HEADER, default_list_path, read_resource
from satcross.support.frozen import frozen
from satcross.vocabulary import Vocabulary

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


def read_packed(source: Text | Data, tiers: Collection[str] = ()) -> Vocabulary:
    """Return the vocabulary of the words without a tier and of the words of these tiers.

    Raises InputError for a damaged list.
    """
    by_length: defaultdict[int, list[_Block]] = defaultdict(list)
    for block in _blocks(source):
        if block.tier in ("", *tiers):
            by_length[block.length].append(block)
    lengths = by_length.items()
    return Vocabulary.from_runs((length, *_merged(length, blocks)) for length, blocks in lengths)


def _merged(length: int, blocks: list[_Block]) -> tuple[str | memoryview, list[tuple[int, int]]]:
    """Return the words of blocks of one length, and how many have each score."""
    if len(blocks) == 1:
        return blocks[0].words, blocks[0].scores
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
    words: str | memoryview

    def runs(self) -> Iterator[Run]:
        """Yield the words of each score."""
        text, start = self.words if isinstance(self.words, str) else str(self.words, "ascii"), 0
        for score, number in self.scores:
            end = start + number * self.length
            yield Run(self.length, score, self.tier, text[start:end])
            start = end


def _blocks(source: Text | Data) -> Iterator[_Block]:
    """Yield what each line has; of bytes, without a copy. Raises InputError for a damaged list."""
    is_text = isinstance(source, Text)
    content: Any = source.text if isinstance(source, Text) else source.data
    parts: Any = content if is_text else memoryview(content)
    start, number = len(HEADER), 1
    while start < len(content):
        number, end = number + 1, content.find("\n" if is_text else b"\n", start)
        line = parts[start : min(end, start + _MAX_HEAD)]
        try:
            head: list[str] = (line if is_text else str(line, "ascii")).split(" ", 3)
            size, tier, pairs = head[:3]
            length, tier = int(size), "" if tier == "-" else tier
            fields = (pair.split(":") for pair in pairs.split(","))
            scores = [(int(score), int(many)) for score, many in fields]
        except ValueError:
            raise _damaged(source, number) from None
        words = parts[start + len(" ".join(head[:3])) + 1 : end]
        many = sum(many for _, many in scores)
        if length < 1 or end < 0 or len(words) != many * length or (tier and tier not in TIERS):
            raise _damaged(source, number)
        yield _Block(length, tier, scores, words)
        start = end + 1


def _damaged(source: Text | Data, line: int) -> InputError:
    return source.error("the packed list is damaged", "install satcross again", line)


def default_data() -> Data:
    """Return the bytes of the default list. Raises InputError when it is damaged."""
    return Data(default_list_path(), read_resource("english.txt"))


def default_list() -> Text:
    """Return the text of the default list. Raises InputError when it is damaged."""
    found = default_data()
    return Text(found.name, found.data.decode("ascii"))
