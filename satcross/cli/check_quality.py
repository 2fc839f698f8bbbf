"""``check --quality``: what an editor would object to in a fill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from satcross.formats.json import quality_to_data
from satcross.formats.packed import default_list, tiers_of
from satcross.verify import MISSING

if TYPE_CHECKING:
    from satcross.crossword import Crossword
    from satcross.outcome import FillQuality
    from satcross.puzzle import Puzzle
    from satcross.solving.clue_faults import ClueFault


@dataclass(frozen=True, slots=True)
class QualityReport:
    """The quality of a fill, with the words of each kind by name.

    ``unlisted`` are words that no list has, ``tiers`` pairs of an offensive word and its tier;
    ``clues`` are the faults of the clues of a published crossword.
    """

    quality: FillQuality
    mean: float
    unlisted: tuple[str, ...]
    tiers: tuple[tuple[str, str], ...]
    clues: tuple[ClueFault, ...] = ()

    def to_data(self) -> dict[str, object]:
        """Return the report as JSON values."""
        return {
            **quality_to_data(self.quality),
            "mean": self.mean,
            "unlisted": list(self.unlisted),
            "limited": {
                expectation.name: list(expectation.words)
                for expectation in self.quality.expectations
                if expectation.limit is not None
            },
            "tiers": dict(self.tiers),
            **({"clues": [asdict(fault) for fault in self.clues]} if self.clues else {}),
        }

    def lines(self) -> list[str]:
        """Return the report as text, one line for each kind of words."""
        quality = self.quality
        own = [f"{word} {'in no list' if n is None else n}" for word, n in quality.own]
        found = [
            ("your own", own, ""),
            ("in no list", self.unlisted, ""),
            ("below 50", [f"{word} {score}" for word, score in quality.weak], ""),
            *(
                (
                    expectation.kind if expectation.limit is None else f"{expectation.kind}s",
                    ["/".join(pair) for pair in expectation.pairs] or expectation.words,
                    " (more than the usual limit)"
                    if expectation.limit is not None and expectation.excess
                    else "",
                )
                for expectation in quality.expectations
            ),
            ("offensive", [f"{word} ({tier})" for word, tier in self.tiers], ""),
        ]
        lines = [f"scores: lowest {quality.lowest}, mean {self.mean:.1f}"]
        lines += [line for line in (_line(*item) for item in found) if line]
        return lines + [f"clue of {fault.slot}: {fault.text}" for fault in self.clues]


def _line(title: str, words: Iterable[str], remark: str) -> str:
    listed: Sequence[str] = list(words)
    return f"{title}: {len(listed)}{remark}: {', '.join(listed)}" if listed else ""


def check_quality(
    puzzle: Puzzle, rows: Sequence[Sequence[str]], crossword: Crossword | None = None
) -> QualityReport | None:
    """Judge a filled grid, and the clues of the crossword if there is one.

    Returns None for a grid of another shape, and when a letter is missing.
    """
    from satcross.solving.clue_faults import clue_faults
    from satcross.solving.quality import judge

    shape = [len(row) for row in puzzle.grid.rows]
    cells = [cell for slot in puzzle.grid.slots for cell in slot.places]
    if [len(row) for row in rows] != shape or any(rows[r][c] in f"#{MISSING}" for r, c in cells):
        return None
    rebus = dict(puzzle.grid.rebus)
    fill = {
        slot.name: "".join(rebus.get((r, c)) or rows[r][c] for r, c in slot.places)
        for slot in puzzle.grid.slots
    }
    words, tiers = sorted({*fill.values()}), tiers_of(default_list())
    listed = [puzzle.vocabulary.score(word) for word in words if word in puzzle.vocabulary]
    own = puzzle.exempt_words
    return QualityReport(
        judge(puzzle, fill),
        sum(listed) / max(1, len(listed)),
        tuple(word for word in words if word not in puzzle.vocabulary and word not in own),
        tuple((word, tiers[word]) for word in words if word in tiers),
        () if crossword is None else tuple(clue_faults(crossword)),
    )
