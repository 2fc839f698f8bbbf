"""Scores of contenders, computed from the records of their runs.

The *cost* of a run is its time if it has a right answer within the limits, and otherwise twice the
limit (PAR-2, the ranking of the SAT competitions since 2017). The limit is the largest of all
compared runs; otherwise a contender that gave up after 10 s would rank above one that solved the
puzzle in 50 s. Unsolved runs therefore count in every sum. In the median of times, a run without an
answer is slower than any other.

The unit of every count and mean is the puzzle. A contender may have several runs on a puzzle, with
several seeds or repeats; they count as one result with the median of their costs, so that
more seeds make a result more precise and not the suite larger. A puzzle that was not run by all
contenders counts for none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from satcross.compare.records import CRASHED, FILLED, Record
from satcross.solving.cross_check import contradictory

CPU = "cpu"

PENALTY = 2
"""Cost of a run without an answer, as a multiple of the limit."""
HIGH_PENALTY = 10
"""The same for PAR-10, the score of algorithm configuration and selection."""

VIRTUAL_BEST = "virtual best"
MIN_COST = 0.001
"""Seconds; costs below it count as this, so that ratios are finite."""
_AUTO = "auto"
"""The backend that runs the other backends."""

PuzzleKey = str
"""The hash of a puzzle."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run of a contender; ``seconds`` is None without a right answer.

    ``cost`` is infinite if there is no right answer and some run had no limit.
    """

    record: Record
    seconds: float | None
    cost: float

    @property
    def solved(self) -> bool:
        return self.seconds is not None


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """All runs of a contender on one puzzle, as one result.

    ``cost`` is the median of the costs of the runs. ``seconds`` is the median of their times, and
    None if at least half of the runs have no right answer; the puzzle is then not solved.
    """

    runs: tuple[RunResult, ...]
    seconds: float | None
    cost: float

    @classmethod
    def of(cls, runs: Sequence[RunResult]) -> PuzzleResult:
        """Return the result of one or more runs on the same puzzle."""
        middle = median(math.inf if one.seconds is None else one.seconds for one in runs)
        return cls(
            tuple(runs),
            None if middle == math.inf else middle,
            median(one.cost for one in runs),
        )

    @property
    def record(self) -> Record:
        """The record of the first run, to name the puzzle and the contender."""
        return self.runs[0].record

    @property
    def solved(self) -> bool:
        return self.seconds is not None

    @property
    def high_cost(self) -> float:
        """The median cost of the runs with ``HIGH_PENALTY``."""
        factor = HIGH_PENALTY / PENALTY
        return median(one.cost if one.solved else factor * one.cost for one in self.runs)

    @property
    def spread(self) -> float | None:
        """The slowest solved run divided by the fastest; None if fewer than two are solved."""
        times = [one.seconds for one in self.runs if one.seconds is not None]
        return max(times) / max(min(times), MIN_COST) if len(times) > 1 else None


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a contender on a set of puzzles.

    ``solved`` is the number of puzzles of which more than half of the runs have a right answer, and
    ``success`` the share of all runs that have one. ``par2`` is the mean cost. ``median`` is the
    median time, or None if at least half the puzzles are unsolved. ``spread`` is the median, over
    the puzzles, of the slowest solved run divided by the fastest, or None if no puzzle has two.
    ``alone`` is the number of puzzles that no other contender solved; ``auto``, which runs the
    other backends, does not count as another. ``fastest`` is the number of puzzles that no
    contender solved in less time. ``par10`` is the mean cost with ``HIGH_PENALTY``.
    ``contribution`` is by how much the PAR-2 of the virtual best would rise without the contender,
    None if there is no other.
    """

    contender: str
    puzzles: int
    solved: int
    par2: float
    median: float | None
    alone: int
    fastest: int
    runs: int
    success: float
    spread: float | None = None
    par10: float = 0.0
    contribution: float | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """The results of all contenders, by contender and puzzle.

    ``measure`` is "cpu" or "wall". ``shared`` has the puzzles that all contenders were run on, in
    the order of the records; only these count. ``unshared`` is the number of other puzzles.
    ``superseded`` is the number of runs that were repeated later. ``limits`` has the different
    limits on the measured time in seconds, ascending, with infinity for runs without a limit.
    """

    measure: str
    results: Mapping[str, Mapping[PuzzleKey, PuzzleResult]]
    shared: tuple[PuzzleKey, ...]
    unshared: int
    superseded: int
    limits: tuple[float, ...] = ()

    @property
    def note(self) -> str:
        """A sentence if the runs had different limits, otherwise ""."""
        if len(self.limits) < 2:
            return ""
        lowest, highest = (
            "none" if one == math.inf else f"{one:g} s" for one in (self.limits[0], self.limits[-1])
        )
        return (
            f"The runs had different limits ({lowest} to {highest}): an unsolved puzzle costs "
            f"{PENALTY} times the largest limit."
        )

    @property
    def contenders(self) -> tuple[str, ...]:
        return tuple(self.results)

    def families(self) -> dict[str, tuple[PuzzleKey, ...]]:
        """The shared puzzles by family, in the order of the records."""
        found: dict[str, list[PuzzleKey]] = {}
        for puzzle in self.shared:
            found.setdefault(self.record(puzzle).family, []).append(puzzle)
        return {family: tuple(members) for family, members in found.items()}

    @property
    def runs_per_puzzle(self) -> int:
        """The largest number of runs of a contender on a puzzle."""
        counts = [len(one.runs) for row in self.results.values() for one in row.values()]
        return max(counts, default=0)

    def record(self, puzzle: PuzzleKey) -> Record:
        """Return a record of a puzzle, to name it."""
        return next(row[puzzle].record for row in self.results.values() if puzzle in row)

    def any_record(self, contender: str) -> Record:
        """Return a record of a contender, to identify it and the settings of its runs."""
        return next(iter(self.results[contender].values())).record

    def best(self, puzzle: PuzzleKey) -> PuzzleResult:
        """Return the result of the virtual best solver: the contender of least cost."""
        return min(
            (row[puzzle] for row in self.results.values()),
            key=lambda one: (not one.solved, one.cost),
        )

    def scores(self, puzzles: Sequence[PuzzleKey] | None = None) -> list[Score]:
        """Return the scores on puzzles (default: all shared puzzles), best PAR-2 first.

        If there are several contenders, the virtual best solver, which takes the best contender for
        each puzzle, comes last.
        """
        chosen = self.shared if puzzles is None else puzzles
        best = [self.best(one) for one in chosen]
        scores = []
        for name, row in self.results.items():
            own = [row[one] for one in chosen]
            alone = sum(
                row[one].solved
                and not any(
                    others[one].solved
                    for other, others in self.results.items()
                    if other != name and others[one].record.backend != _AUTO
                )
                for one in chosen
            )
            fastest = sum(
                mine.solved and mine.cost <= top.cost for mine, top in zip(own, best, strict=True)
            )
            score = _score(name, own, alone, fastest)
            scores.append(replace(score, contribution=self._contribution(name, chosen)))
        scores.sort(key=lambda one: (one.par2, one.contender))
        if len(scores) > 1:
            scores.append(_score(VIRTUAL_BEST, best, 0, 0))
        return scores

    def _contribution(self, name: str, puzzles: Sequence[PuzzleKey]) -> float | None:
        """Return by how much the PAR-2 of the virtual best would rise without a contender."""
        others = [row for other, row in self.results.items() if other != name]
        if not others or not puzzles:
            return None
        own = self.results[name]
        lost = 0.0
        for one in puzzles:
            least = min(row[one].cost for row in others)
            if own[one].cost < least:
                lost += least - own[one].cost
        return lost / len(puzzles)


def _score(name: str, results: Sequence[PuzzleResult], alone: int, fastest: int) -> Score:
    times = [math.inf if one.seconds is None else one.seconds for one in results]
    middle = median(times) if times else math.inf
    runs = [run for one in results for run in one.runs]
    spreads = [one.spread for one in results if one.spread is not None]
    return Score(
        name,
        len(results),
        sum(one.solved for one in results),
        sum(one.cost for one in results) / len(results) if results else 0.0,
        None if middle == math.inf else middle,
        alone,
        fastest,
        len(runs),
        sum(one.solved for one in runs) / len(runs) if runs else 0.0,
        median(spreads) if spreads else None,
        sum(one.high_cost for one in results) / len(results) if results else 0.0,
    )


def standings(records: Iterable[Record], measure: str = CPU) -> Standings:
    """Group records by contender and puzzle; of records of the same run the last one counts.

    ``measure`` is "cpu" or "wall", the time of whole runs. The answer that there is no fill counts
    as wrong if any contender has a verified fill or if the suite expects a fill.
    """
    latest: dict[tuple[object, ...], Record] = {}
    total = 0
    for record in records:
        total += 1
        latest[record.key] = record
    runs = list(latest.values())
    fillable = {one.puzzle for one in runs if FILLED in (one.status, one.expected)}
    names = _names(runs)
    limits = sorted({limit_or_infinity(one, measure) for one in runs})
    penalty = PENALTY * limits[-1] if limits else math.inf
    grouped: dict[str, dict[PuzzleKey, list[RunResult]]] = {name: {} for name in names.values()}
    for record in runs:
        row = grouped[names[identity(record)]]
        row.setdefault(record.puzzle, []).append(_result(record, measure, fillable, penalty))
    results = {
        name: {puzzle: PuzzleResult.of(some) for puzzle, some in row.items()}
        for name, row in grouped.items()
    }
    everywhere = dict.fromkeys(one.puzzle for one in runs)
    shared = tuple(one for one in everywhere if all(one in puzzles for puzzles in results.values()))
    return Standings(
        measure,
        results,
        shared,
        len(everywhere) - len(shared),
        total - len(runs),
        tuple(limits),
    )


def _result(record: Record, measure: str, fillable: set[str], penalty: float) -> RunResult:
    right = record.answered and not (
        record.puzzle in fillable and contradictory((record.status, FILLED))
    )
    seconds = record.cpu if measure == CPU else record.wall
    if right:
        return RunResult(record, seconds, seconds)
    return RunResult(record, None, penalty)


def limit_of(record: Record, measure: str) -> float | None:
    """Return the limit on the measured time in seconds, or None if there is no limit.

    Without a limit on CPU time, the limit is the time that the processors which the contender
    may use can give it within the limit on wall-clock time.
    """
    wall, cpu = record.limits.get("wall"), record.limits.get("cpu")
    if measure != CPU:
        return wall
    return cpu if cpu is not None or wall is None else wall * record.may_use


def run_time(run: RunResult, measure: str) -> float:
    """Return the seconds that a run has used, with or without an answer."""
    return run.record.cpu if measure == CPU else run.record.wall


def limit_or_infinity(record: Record, measure: str) -> float:
    limit = limit_of(record, measure)
    return math.inf if limit is None else limit


def identity(record: Record) -> tuple[object, ...]:
    """Return the fields that identify a contender and its settings."""
    return (
        *(record.kind, record.backend, record.solver, record.encoding, record.command),
        *(record.program, record.against, record.solver_alone, record.workers),
        *sorted(record.limits.items()),
    )


def _names(runs: Sequence[Record]) -> dict[tuple[object, ...], str]:
    """Return a unique name for each identity: the contender's name and any differing settings."""
    records = {identity(one): one for one in runs}
    by_name: dict[str, list[tuple[object, ...]]] = {}
    for who, record in records.items():
        by_name.setdefault(record.contender, []).append(who)
    names = {}
    for name, identities in by_name.items():
        terms = {who: _terms(records[who]) for who in identities}
        for who in identities:
            differing = [
                text
                for index, text in enumerate(terms[who])
                if text and len({other[index] for other in terms.values()}) > 1
            ]
            names[who] = f"{name} ({', '.join(differing)})" if differing else name
    return {identity(one): names[identity(one)] for one in runs}


def _terms(record: Record) -> tuple[str, ...]:
    """Return texts for the settings that may distinguish contenders of one name."""
    limits = [
        "" if value is None else f"{name} {value:g} {'MiB' if name == 'memory' else 's'}"
        for name, value in ((name, record.limits.get(name)) for name in ("wall", "cpu", "memory"))
    ]
    return (
        record.solver or "",
        record.encoding or "",
        record.command or "",
        f"program {record.program[:6]}" if record.program else "",
        f"of {record.against}" if record.against else "",
        f"{record.workers} workers",
        "solver alone" if record.solver_alone else "",
        *limits,
    )


def reasons(table: Standings) -> dict[str, dict[str, int]]:
    """Return the number of unsolved runs for each contender and reason, most frequent first."""
    return {
        name: dict(
            Counter(
                _failure(run.record) for one in row.values() for run in one.runs if not run.solved
            ).most_common()
        )
        for name, row in table.results.items()
    }


def _failure(record: Record) -> str:
    return "wrong answer" if record.answered else record.reason or record.status


def reason_lines(table: Standings) -> list[str]:
    """Return a line of reasons for each contender with unsolved runs."""
    return [
        f"{name}: {', '.join(f'{number} {reason}' for reason, number in numbers.items())}"
        for name, numbers in reasons(table).items()
        if numbers
    ]


def crashed_on_all(table: Standings) -> list[str]:
    """Return a line, with the first known detail, for each contender that crashed in all runs."""
    lines = []
    for name, row in table.results.items():
        runs = [run.record for one in row.values() for run in one.runs]
        if all(one.status == CRASHED for one in runs):
            detail = next((one.detail for one in runs if one.detail), runs[0].reason)
            lines.append(f"{name} CRASHED on everything ({len(runs)}): {detail}")
    return lines
