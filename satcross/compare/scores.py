"""Scores of contenders, computed from the records of their runs.

An *instance* is a puzzle with a seed. The *cost* of a run is its time if it has a right answer
within the limits, and otherwise twice the limit (PAR-2, which has ranked solvers in the SAT
competitions since 2017). The limit is the largest of all compared runs; otherwise a contender that
gave up after 10 s would rank above one that solved the puzzle in 50 s. Unsolved runs therefore
count in every sum. An instance that some contender did not run is ignored for all contenders. In
the median of times, a run without an answer is slower than any other.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from satcross.compare.records import CRASHED, FILLED, Record
from satcross.solving.cross_check import contradictory

CPU = "cpu"

PENALTY = 2
"""Cost of a run without an answer, as a multiple of the limit."""

VIRTUAL_BEST = "virtual best"
_AUTO = "auto"
"""The backend that runs the other backends."""
RESAMPLES = 2000
MIN_PAIRS = 6
_CONFIDENCE = 0.95
_MIN_COST = 0.001
"""Seconds; costs below it count as this, so that ratios are finite."""

InstanceKey = tuple[str, int]
"""The hash of a puzzle and the seed."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """The run of a contender on an instance; ``seconds`` is None without a right answer.

    ``cost`` is infinite if there is no right answer and some run had no limit.
    """

    record: Record
    seconds: float | None
    cost: float

    @property
    def solved(self) -> bool:
        return self.seconds is not None


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a contender on a set of instances.

    ``par2`` is the mean cost. ``median`` is the median time, or None if at least half the instances
    are unsolved. ``alone`` is the number of instances that no other contender solved; ``auto``,
    which runs the other backends, does not count as another. ``fastest`` is the number of
    instances that no contender solved in less time.
    """

    contender: str
    instances: int
    solved: int
    par2: float
    median: float | None
    alone: int
    fastest: int


@dataclass(frozen=True, slots=True)
class Standings:
    """The results of all contenders, by contender and instance.

    ``measure`` is "cpu" or "wall". ``shared`` has the instances that all contenders were run on, in
    the order of the records; only these count. ``unshared`` is the number of other instances.
    ``superseded`` is the number of runs that were repeated later. ``limits`` has the different
    limits on the measured time in seconds, ascending, with infinity for runs without a limit.
    """

    measure: str
    results: Mapping[str, Mapping[InstanceKey, RunResult]]
    shared: tuple[InstanceKey, ...]
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

    def families(self) -> dict[str, tuple[InstanceKey, ...]]:
        """The shared instances by family, in the order of the records."""
        found: dict[str, list[InstanceKey]] = {}
        for instance in self.shared:
            found.setdefault(self.record(instance).family, []).append(instance)
        return {family: tuple(members) for family, members in found.items()}

    def record(self, instance: InstanceKey) -> Record:
        """Return a record of an instance, to name the puzzle."""
        return next(row[instance].record for row in self.results.values() if instance in row)

    def any_record(self, contender: str) -> Record:
        """Return a record of a contender, to identify it and the settings of its runs."""
        return next(iter(self.results[contender].values())).record

    def best(self, instance: InstanceKey) -> RunResult:
        """Return the result of the virtual best solver: the solved run of least cost, if any."""
        return min(
            (row[instance] for row in self.results.values()),
            key=lambda one: (not one.solved, one.cost),
        )

    def scores(self, instances: Sequence[InstanceKey] | None = None) -> list[Score]:
        """Return the scores on instances (default: all shared instances), best PAR-2 first.

        If there are several contenders, the virtual best solver, which takes the best run on each
        instance, comes last.
        """
        chosen = self.shared if instances is None else instances
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
            scores.append(_score(name, own, alone, fastest))
        scores.sort(key=lambda one: (one.par2, one.contender))
        if len(scores) > 1:
            scores.append(_score(VIRTUAL_BEST, best, 0, 0))
        return scores


def _score(name: str, results: Sequence[RunResult], alone: int, fastest: int) -> Score:
    times = [math.inf if one.seconds is None else one.seconds for one in results]
    middle = median(times) if times else math.inf
    return Score(
        name,
        len(results),
        sum(one.solved for one in results),
        sum(one.cost for one in results) / len(results) if results else 0.0,
        None if middle == math.inf else middle,
        alone,
        fastest,
    )


def standings(records: Iterable[Record], measure: str = CPU) -> Standings:
    """Group records by contender and instance; of repeated runs the last one counts.

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
    limits = sorted({_limit_or_infinity(one, measure) for one in runs})
    penalty = PENALTY * limits[-1] if limits else math.inf
    results: dict[str, dict[InstanceKey, RunResult]] = {name: {} for name in names.values()}
    for record in runs:
        results[names[_identity(record)]][record.puzzle, record.seed] = _result(
            record, measure, fillable, penalty
        )
    everywhere = dict.fromkeys((one.puzzle, one.seed) for one in runs)
    shared = tuple(
        one for one in everywhere if all(one in instances for instances in results.values())
    )
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

    Without a limit on CPU time, the limit is the time that all workers together can use
    within the limit on wall-clock time.
    """
    wall, cpu = record.limits.get("wall"), record.limits.get("cpu")
    if measure != CPU:
        return wall
    return cpu if cpu is not None or wall is None else wall * record.workers


def _limit_or_infinity(record: Record, measure: str) -> float:
    limit = limit_of(record, measure)
    return math.inf if limit is None else limit


def _identity(record: Record) -> tuple[object, ...]:
    """Return the fields that identify a contender and its settings."""
    return (
        *(record.kind, record.backend, record.solver, record.encoding, record.command),
        *(record.program, record.workers, *sorted(record.limits.items())),
    )


def _names(runs: Sequence[Record]) -> dict[tuple[object, ...], str]:
    """Return a unique name for each identity: the contender's name and any differing settings."""
    records = {_identity(one): one for one in runs}
    by_name: dict[str, list[tuple[object, ...]]] = {}
    for identity, record in records.items():
        by_name.setdefault(record.contender, []).append(identity)
    names = {}
    for name, identities in by_name.items():
        terms = {identity: _terms(records[identity]) for identity in identities}
        for identity in identities:
            differing = [
                text
                for index, text in enumerate(terms[identity])
                if text and len({other[index] for other in terms.values()}) > 1
            ]
            names[identity] = f"{name} ({', '.join(differing)})" if differing else name
    return {_identity(one): names[_identity(one)] for one in runs}


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
        f"{record.workers} workers",
        *limits,
    )


def reasons(table: Standings) -> dict[str, dict[str, int]]:
    """Return the number of unsolved runs for each contender and reason, most frequent first."""
    return {
        name: dict(
            Counter(_failure(one.record) for one in row.values() if not one.solved).most_common()
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
        runs = [one.record for one in row.values()]
        if all(one.status == CRASHED for one in runs):
            detail = next((one.detail for one in runs if one.detail), runs[0].reason)
            lines.append(f"{name} CRASHED on everything ({len(runs)}): {detail}")
    return lines


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a contender since a baseline.

    ``pairs`` is the number of instances solved now or in the baseline. ``ratio`` is the geometric
    mean, over these instances, of the cost now divided by the cost in the baseline; an unsolved run
    costs twice the limit. ``low`` and ``high`` are the 95% confidence interval of the ratio, from a
    bootstrap over instances (Efron 1979). ``lost`` and ``gained`` have the instances solved only in
    the baseline and only now.
    """

    contender: str
    pairs: int
    ratio: float
    low: float
    high: float
    lost: tuple[Record, ...]
    gained: tuple[Record, ...]

    @property
    def judgement(self) -> str:
        """The change in words: slower, faster, no clear change or too few puzzles.

        A change is clear if the whole interval is on one side of 1. Fewer than MIN_PAIRS pairs are
        too few for the bootstrap.
        """
        if self.pairs < MIN_PAIRS:
            return "too few puzzles"
        if self.low > 1:
            return "slower"
        return "faster" if self.high < 1 else "no clear change"


def explain_unmatched(now: Standings, then: Standings) -> list[str]:
    """Return, for each contender that can't be compared with the baseline, a line that says why."""
    lines = []
    known = {one.contender for one in compare_with_baseline(now, then)}
    for contender, old in _matches(now, then).items():
        if contender in known:
            continue
        if old is None:
            why = "the baseline has no run with the same solver, encoding, limits and workers"
        elif not any(one in then.results[old] for one in now.results[contender]):
            why = "the baseline has no run on the same puzzles with the same seeds"
        else:
            why = "no common puzzle was solved, neither now nor in the baseline"
        lines.append(f"{contender}: {why}")
    return lines


def _matches(now: Standings, then: Standings) -> dict[str, str | None]:
    """Return the name in the baseline of each contender with the same settings, or None.

    Names alone do not identify a contender. A program whose files have changed since the baseline
    matches if the baseline has exactly one version of it.
    """
    exact: dict[object, str] = {}
    other: dict[object, list[str]] = {}
    for name in then.contenders:
        record = then.any_record(name)
        exact[_identity(record)] = name
        other.setdefault(_identity(replace(record, program=None)), []).append(name)
    matches = {}
    for name in now.contenders:
        record = now.any_record(name)
        changed = other.get(_identity(replace(record, program=None)), [])
        matches[name] = exact.get(
            _identity(record), changed[0] if len(changed) == 1 and record.program else None
        )
    return matches


def compare_with_baseline(now: Standings, then: Standings) -> list[Change]:
    """Return the change, on common instances, of each contender that the baseline also has."""
    changes = []
    for contender, match in _matches(now, then).items():
        new, old = now.results[contender], {} if match is None else then.results[match]
        both = [one for one in new if one in old and (new[one].solved or old[one].solved)]
        if not both:
            continue
        logs = [_log_ratio(new[one], old[one], now.measure) for one in both]
        low, high = _interval(logs)
        changes.append(
            Change(
                contender,
                len(both),
                math.exp(sum(logs) / len(logs)),
                math.exp(low),
                math.exp(high),
                tuple(new[one].record for one in both if not new[one].solved),
                tuple(new[one].record for one in both if not old[one].solved),
            )
        )
    return changes


def _log_ratio(new: RunResult, old: RunResult, measure: str) -> float:
    now, then = (max(_MIN_COST, _own_cost(one, measure)) for one in (new, old))
    return math.log(now / then)


def _own_cost(result: RunResult, measure: str) -> float:
    """Return the cost with the limit of the run itself, independent of other runs in the file."""
    if result.seconds is not None:
        return result.seconds
    return PENALTY * _limit_or_infinity(result.record, measure)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """Return bounds of the mean from the percentile bootstrap, deterministic for equal values."""
    generator = random.Random(0)
    means = sorted(
        sum(generator.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES)
    )
    outside = round(RESAMPLES * (1 - _CONFIDENCE) / 2)
    return means[outside], means[-outside - 1]
