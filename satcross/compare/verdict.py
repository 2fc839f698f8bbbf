"""Compare the answers of runs: contradictions, wrong fills, unexpected and missing answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from satcross.compare.records import WRONG, Record, RunOutcome
from satcross.solving.cross_check import contradictory

Best = Mapping[str, Record]
"""The run with the best verified fill of each puzzle."""


def best_known(records: Iterable[Record]) -> dict[str, Record]:
    """Return, for each puzzle, the first run of the highest score."""
    best: dict[str, Record] = {}
    for record in records:
        known = best.get(record.puzzle)
        if record.score is not None and (known is None or record.score > (known.score or 0)):
            best[record.puzzle] = record
    return best


def refutation(record: Record, best: Best) -> str:
    """Return how a better fill refutes what a run claims, or ""."""
    other = best.get(record.puzzle)
    if other is None or other.score is None or record.score == other.score:
        return ""
    if record.goal and record.claim and record.score is not None:
        return f"claims that {record.score} is the best, but {other.contender} has {other.score}"
    if record.bound is not None and record.bound < other.score:
        return f"claims the bound {record.bound}, but {other.contender} has {other.score}"
    return ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of comparing the answers of runs.

    ``contradictions`` has the answers to each puzzle that one contender filled and another proved
    unfillable, ``wrong`` the runs whose fill breaks the rules or whose proof is wrong,
    ``unexpected`` those whose answer differs from the suite's, unless a contradiction already shows
    it, and ``refuted`` those whose claim or bound a better fill refutes, with the claim.
    ``unanswered`` has one run of each of the ``puzzles`` without any answer.
    """

    contradictions: tuple[tuple[Record, ...], ...]
    wrong: tuple[Record, ...]
    unexpected: tuple[Record, ...]
    unanswered: tuple[Record, ...]
    puzzles: int
    refuted: tuple[tuple[Record, str], ...] = ()

    @property
    def agreement(self) -> bool:
        """Whether no answer is contradicted, wrong, refuted or unexpected."""
        return not (self.contradictions or self.wrong or self.unexpected or self.refuted)

    def problems(self) -> list[str]:
        """Return one line for each contradiction, wrong fill or proof, and unexpected answer."""
        lines = []
        for answers in self.contradictions:
            by_status: dict[str, list[str]] = defaultdict(list)
            for run in answers:
                by_status[run.status].append(run.contender)
            sides = (f"{status} by {', '.join(names)}" for status, names in by_status.items())
            lines.append(f"DISAGREEMENT on {answers[0].puzzle_name}: {'; '.join(sides)}")
        for run in self.wrong:
            what = (run.reason or "wrong fill").upper()
            lines.append(f"{what} of {run.puzzle_name} by {run.contender}: {run.detail}")
        for run, why in self.refuted:
            lines.append(f"FALSE OPTIMUM of {run.puzzle_name} by {run.contender}: it {why}")
        for run in self.unexpected:
            said = f"{run.puzzle_name}: {run.status} by {run.contender}"
            lines.append(f"UNEXPECTED ANSWER on {said}, but the suite expects {run.expected}")
        return lines


def judge(records: Iterable[Record]) -> Verdict:
    """Compare the answers of the runs on each puzzle, identified by its hash."""
    puzzles: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        puzzles[record.puzzle].append(record)
    every = [run for runs in puzzles.values() for run in runs]
    best = best_known(every)
    answers = {key: tuple(run for run in runs if run.answered) for key, runs in puzzles.items()}
    contradicted = {key for key, runs in answers.items() if contradictory(r.status for r in runs)}
    return Verdict(
        tuple(answers[puzzle] for puzzle in answers if puzzle in contradicted),
        tuple(run for run in every if run.status == WRONG),
        tuple(
            run
            for run in every
            if run.answered
            and run.expected not in (None, run.status)
            and run.puzzle not in contradicted
        ),
        tuple(runs[0] for puzzle, runs in puzzles.items() if not answers[puzzle]),
        len(puzzles),
        tuple((run, why) for run in every if (why := refutation(run, best))),
    )


def mostly_failed(records: Iterable[Record]) -> str:
    """Return a line if more than half of the runs that were asked have failed, and else ""."""
    tried = [run for run in records if run.outcome is not RunOutcome.NOT_ASKED]
    failed = [run for run in tried if run.outcome is RunOutcome.FAILED]
    if 2 * len(failed) <= len(tried):
        return ""
    return f"MOST RUNS FAILED: {len(failed)} of {len(tried)}, as {failed[0].contender}."
