"""What answers are worth beside each other: contradicted, wrong, refuted, confirmed or not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from satcross.compare.records import FILLED, UNFILLABLE, WRONG, Record, RunOutcome
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
    if other is None or other.score is None:
        return ""
    if record.goal and record.claim and record.score is not None and record.score < other.score:
        return f"claims that {record.score} is the best, but {other.contender} has {other.score}"
    if record.bound is not None and record.bound < other.score:
        return f"claims the bound {record.bound}, but {other.contender} has {other.score}"
    return ""


_PROOF = "a checked proof, or the suite"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What records show together, by which each of their answers is weighed.

    ``fills`` has a run that has filled each puzzle, ``best`` the best one. ``wrong`` says why a
    program is not trusted: its first refuted answer. ``support`` has those who stand for a claim:
    the programs that make it and are trusted, and perhaps a proof.
    """

    fills: Mapping[str, Record]
    best: Best
    wrong: dict[tuple[object, ...], str]
    support: dict[tuple[str, str], set[object]]

    @classmethod
    def of(cls, records: Iterable[Record]) -> Evidence:
        """Return what these records show."""
        runs = list(records)
        fills = {run.puzzle: run for run in reversed(runs) if run.status == FILLED}
        found = cls(fills, best_known(runs), {}, {})
        for run in runs:
            if why := found.why_wrong(run):
                found.wrong.setdefault(_program(run), f"on {run.puzzle_name} it {why}")
        for run in runs:
            stands = found.support.setdefault(_claim(run), set())
            if run.is_claim and not found.why_not_trusted(run):
                stands.add(_author(run))
            if run.expected == UNFILLABLE or (run.status == UNFILLABLE and run.verified):
                found.support.setdefault((run.puzzle, ""), set()).add(_PROOF)
        return found

    def why_wrong(self, record: Record) -> str:
        """Return what is wrong with an answer, or ""."""
        if record.status == WRONG:
            return f"gave a {record.reason or 'wrong fill'}"
        if record.says == UNFILLABLE:
            filler = self.fills.get(record.puzzle)
            said = "says that there is no fill, but "
            if filler is not None:
                return f"{said}{filler.contender} has one"
            return f"{said}the suite expects one" if record.expected == FILLED else ""
        return refutation(record, self.best)

    def why_not_trusted(self, record: Record) -> str:
        """Return the first wrong answer of the program that ran, or ""."""
        return self.wrong.get(_program(record), "")

    def confirmed(self, record: Record) -> bool:
        """Whether an answer does not rest on the word of one program alone."""
        if not record.is_claim:
            return True
        stands = self.support.get(_claim(record), set())
        return _PROOF in stands or bool(stands - {_author(record)})

    def outcome(self, record: Record) -> RunOutcome:
        """Return how a run counts; the bare word of a program that was wrong counts for nothing."""
        if self.why_wrong(record):
            return RunOutcome.FAILED
        if self.why_not_trusted(record) and not self.confirmed(record):
            return RunOutcome.NOT_CERTIFIED
        return record.outcome


def _program(record: Record) -> tuple[object, ...]:
    """Return what identifies a program and its version, whatever its limits."""
    chosen = (record.contender, record.backend, record.solver, record.encoding, record.command)
    return (*chosen, record.against, record.program, record.release, record.program_version)


def _author(record: Record) -> object:
    """Return what programs have in common that can't confirm each other."""
    return record.backend or record.command or record.program or record.contender


def _claim(record: Record) -> tuple[str, str]:
    return record.puzzle, "" if record.status == UNFILLABLE else record.goal


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
            by_status: dict[str, dict[str, None]] = defaultdict(dict)
            for run in answers:
                by_status[run.says][run.contender] = None
            sides = (f"{says} by {', '.join(names)}" for says, names in by_status.items())
            lines.append(f"DISAGREEMENT on {answers[0].puzzle_name}: {'; '.join(sides)}")
        for run in self.wrong:
            what = (run.reason or "wrong fill").upper()
            lines.append(f"{what} of {run.puzzle_name} by {run.contender}: {run.detail}")
        for run, why in self.refuted:
            lines.append(f"FALSE OPTIMUM of {run.puzzle_name} by {run.contender}: it {why}")
        for run in self.unexpected:
            said = f"{run.puzzle_name}: {run.says} by {run.contender}"
            lines.append(f"UNEXPECTED ANSWER on {said}, but the suite expects {run.expected}")
        return list(dict.fromkeys(lines))


def judge(records: Iterable[Record]) -> Verdict:
    """Compare the answers of the runs on each puzzle, identified by its hash."""
    puzzles: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        puzzles[record.puzzle].append(record)
    every = [run for runs in puzzles.values() for run in runs]
    best, answers = best_known(every), dict[str, tuple[Record, ...]]()
    for puzzle, runs in puzzles.items():
        answers[puzzle] = tuple(run for run in runs if run.says in (FILLED, UNFILLABLE))
    contradicted = {key for key, runs in answers.items() if contradictory(r.says for r in runs)}
    return Verdict(
        tuple(answers[puzzle] for puzzle in answers if puzzle in contradicted),
        tuple(run for run in every if run.status == WRONG),
        tuple(
            run
            for puzzle, runs in answers.items()
            for run in runs
            if run.expected not in (None, run.says) and puzzle not in contradicted
        ),
        tuple(runs[0] for runs in puzzles.values() if not any(run.answered for run in runs)),
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
