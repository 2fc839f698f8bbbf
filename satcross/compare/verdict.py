"""Holding answers against each other: of backends run here in turn, or of recorded runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from satcross.compare.records import WRONG, Record
from satcross.solving.cross_check import contradictory


@dataclass(frozen=True, slots=True)
class Verdict:
    """What runs come to when they are held against each other.

    ``contradictions``: the answers to each puzzle that has been filled by one and proved
    unfillable by another; ``wrong``: the runs that claim a fill which breaks the rules;
    ``unexpected``: the runs with another answer than a suite expects, when no contradiction shows
    it already; ``unanswered``: a run of each puzzle that nobody has answered.
    """

    contradictions: tuple[tuple[Record, ...], ...]
    wrong: tuple[Record, ...]
    unexpected: tuple[Record, ...]
    unanswered: tuple[Record, ...]
    puzzles: int

    @property
    def agreement(self) -> bool:
        return not (self.contradictions or self.wrong or self.unexpected)

    def problems(self) -> list[str]:
        """A line for everything that is wrong."""
        lines = []
        for answers in self.contradictions:
            sides = [
                f"{status} by {', '.join(one.contender for one in answers if one.status == status)}"
                for status in dict.fromkeys(one.status for one in answers)
            ]
            lines.append(f"DISAGREEMENT on {answers[0].place}: {'; '.join(sides)}")
        lines += [
            f"WRONG FILL of {one.place} by {one.contender}: {one.detail}" for one in self.wrong
        ]
        lines += [
            f"UNEXPECTED ANSWER on {one.place}: {one.status} by {one.contender}, where the suite "
            f"expects {one.expected}"
            for one in self.unexpected
        ]
        return lines


def judge(records: Iterable[Record]) -> Verdict:
    """Hold the runs of each puzzle (by its hash) against each other."""
    puzzles: dict[str, list[Record]] = {}
    for record in records:
        puzzles.setdefault(record.puzzle, []).append(record)
    answers = {
        puzzle: tuple(one for one in runs if one.answered) for puzzle, runs in puzzles.items()
    }
    return Verdict(
        tuple(
            given for given in answers.values() if contradictory(record.status for record in given)
        ),
        tuple(one for runs in puzzles.values() for one in runs if one.status == WRONG),
        tuple(
            one
            for given in answers.values()
            for one in given
            if one.expected is not None
            and one.status != one.expected
            and not contradictory(record.status for record in given)
        ),
        tuple(puzzles[puzzle][0] for puzzle, given in answers.items() if not given),
        len(puzzles),
    )
