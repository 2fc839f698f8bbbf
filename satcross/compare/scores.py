"""Scores of contenders, from their records.

A puzzle under one seed is an *instance*. What a contender needs for an instance is its *cost*: the
time of the run if it gave a right answer within its limits, otherwise twice the limit (PAR-2, as
the SAT competitions rank since 2017). The limit is the largest of all the runs that are compared:
else a contender that gave up after 10 s would come before one that took 50 s and solved it. So a
run without an answer is never left out of a sum; and where some contender has not been run on an
instance, the instance counts for nobody. The median is that of times, no answer being slower than
any.
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

CPU, WALL = "cpu", "wall"

PENALTY = 2
"""How many limits a run without an answer costs."""

VIRTUAL_BEST = "virtual best"
_AUTO = "auto"
"""The backend that runs the others."""
RESAMPLES = 2000
LEAST_PAIRS = 6
_CONFIDENCE = 0.95
_LEAST_COST = 0.001
"""Seconds; a ratio needs something above 0."""

Instance = tuple[str, int]
"""Hash of the puzzle, and seed."""


@dataclass(frozen=True, slots=True)
class Result:
    """One contender's run on one instance; ``seconds`` is its time, None without a right answer.

    ``cost`` is infinite when there is no answer, and some run had no limit.
    """

    record: Record
    seconds: float | None
    cost: float

    @property
    def solved(self) -> bool:
        return self.seconds is not None


@dataclass(frozen=True, slots=True)
class Score:
    """What a contender's results come to.

    ``par2`` is the mean cost, ``median`` the middle time (None: half the instances or more have
    none), ``alone`` the instances that nobody else has solved (but for ``auto``, which runs the
    other backends and so has what is theirs), ``fastest`` those that nobody has solved in less
    time.
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

    ``shared`` are the instances that all of them have been run on, in the order of the records;
    only these count. ``unshared`` is the number of the others, ``superseded`` the number of runs
    that a later run of the same has replaced. ``limits`` are the different limits on what is
    measured, in seconds and ascending; infinite for a run without one.
    """

    measure: str
    results: Mapping[str, Mapping[Instance, Result]]
    shared: tuple[Instance, ...]
    unshared: int
    superseded: int
    limits: tuple[float, ...] = ()

    @property
    def note(self) -> str:
        """A sentence when the runs had different limits, otherwise empty."""
        if len(self.limits) < 2:
            return ""
        least, most = (
            "none" if one == math.inf else f"{one:g} s" for one in (self.limits[0], self.limits[-1])
        )
        return (
            f"The runs had different limits ({least} to {most}): what is unsolved costs "
            f"{PENALTY} times the largest."
        )

    @property
    def contenders(self) -> tuple[str, ...]:
        return tuple(self.results)

    def families(self) -> dict[str, tuple[Instance, ...]]:
        """The shared instances by family, in the order of the records."""
        found: dict[str, list[Instance]] = {}
        for instance in self.shared:
            found.setdefault(self.record(instance).family, []).append(instance)
        return {family: tuple(its) for family, its in found.items()}

    def record(self, instance: Instance) -> Record:
        """Some record of it, for what the puzzle is called."""
        return next(its[instance].record for its in self.results.values() if instance in its)

    def any_record(self, contender: str) -> Record:
        """Some record of it, for who that is and on which terms."""
        return next(iter(self.results[contender].values())).record

    def best(self, instance: Instance) -> Result:
        """The virtual best solver's result: an answer if there is one, of these the cheapest."""
        return min(
            (its[instance] for its in self.results.values()),
            key=lambda one: (not one.solved, one.cost),
        )

    def scores(self, instances: Sequence[Instance] | None = None) -> list[Score]:
        """Scores on these instances (default: all that are shared), the best PAR-2 first.

        The virtual best solver, who for each instance is whoever was fastest, comes last, if there
        are several contenders.
        """
        chosen = self.shared if instances is None else instances
        best = [self.best(one) for one in chosen]
        scores = []
        for name, its in self.results.items():
            own = [its[one] for one in chosen]
            alone = sum(
                its[one].solved
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


def _score(name: str, results: Sequence[Result], alone: int, fastest: int) -> Score:
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
    """Sort records by contender and instance; of several runs of the same the last one counts.

    ``measure``: "cpu" or "wall" seconds of whole runs. A claim that there is no fill is no answer
    where somebody has a verified fill, or the suite expects one.
    """
    kept: dict[tuple[object, ...], Record] = {}
    given = 0
    for record in records:
        given += 1
        kept[record.key] = record
    runs = list(kept.values())
    fillable = {one.puzzle for one in runs if FILLED in (one.status, one.expected)}
    names = _names(runs)
    limits = sorted({_limit_or_infinity(one, measure) for one in runs})
    penalty = PENALTY * limits[-1] if limits else math.inf
    results: dict[str, dict[Instance, Result]] = {name: {} for name in names.values()}
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
        given - len(runs),
        tuple(limits),
    )


def _result(record: Record, measure: str, fillable: set[str], penalty: float) -> Result:
    right = record.answered and not (
        record.puzzle in fillable and contradictory((record.status, FILLED))
    )
    seconds = record.cpu if measure == CPU else record.wall
    if right:
        return Result(record, seconds, seconds)
    return Result(record, None, penalty)


def limit_of(record: Record, measure: str) -> float | None:
    """The limit on what is measured, in seconds.

    On processor time, without one, it is what all workers can use within that on wall-clock time.
    """
    wall, cpu = record.limits.get("wall"), record.limits.get("cpu")
    if measure != CPU:
        return wall
    return cpu if cpu is not None or wall is None else wall * record.workers


def _limit_or_infinity(record: Record, measure: str) -> float:
    limit = limit_of(record, measure)
    return math.inf if limit is None else limit


def _identity(record: Record) -> tuple[object, ...]:
    """Who was run, and on which terms."""
    return (
        *(record.kind, record.backend, record.solver, record.encoding, record.command),
        *(record.program, record.workers, *sorted(record.limits.items())),
    )


def _names(runs: Sequence[Record]) -> dict[tuple[object, ...], str]:
    """A name for everybody: the contender's, with what tells it from others who have the same."""
    called = {_identity(one): one for one in runs}
    by_name: dict[str, list[tuple[object, ...]]] = {}
    for identity, record in called.items():
        by_name.setdefault(record.contender, []).append(identity)
    names = {}
    for name, its in by_name.items():
        terms = {identity: _terms(called[identity]) for identity in its}
        for identity in its:
            differing = [
                text
                for place, text in enumerate(terms[identity])
                if text and len({other[place] for other in terms.values()}) > 1
            ]
            names[identity] = f"{name} ({', '.join(differing)})" if differing else name
    return {_identity(one): names[_identity(one)] for one in runs}


def _terms(record: Record) -> tuple[str, ...]:
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
    """Why runs of each contender are unsolved, and how many, the most frequent reason first."""
    return {
        name: dict(
            Counter(_why(one.record) for one in its.values() if not one.solved).most_common()
        )
        for name, its in table.results.items()
    }


def _why(record: Record) -> str:
    return "wrong answer" if record.answered else record.reason or record.status


def reason_lines(table: Standings) -> list[str]:
    """The same as a line for each contender that has left something unsolved."""
    return [
        f"{name}: {', '.join(f'{number} {reason}' for reason, number in its.items())}"
        for name, its in reasons(table).items()
        if its
    ]


def crashed_on_all(table: Standings) -> list[str]:
    """A line for each contender whose runs have all crashed, with what is known of the first."""
    lines = []
    for name, its in table.results.items():
        runs = [one.record for one in its.values()]
        if all(one.status == CRASHED for one in runs):
            detail = next((one.detail for one in runs if one.detail), runs[0].reason)
            lines.append(f"{name} CRASHED on everything ({len(runs)}): {detail}")
    return lines


@dataclass(frozen=True, slots=True)
class Change:
    """What has become of a contender since a baseline.

    ``ratio`` is the geometric mean of cost now over cost then, over the ``pairs`` instances that
    were solved now or then (what is unsolved costs twice the limit); ``low`` and ``high`` bound it
    with 95% confidence by the bootstrap (Efron 1979), resampling pairs. ``lost`` and ``gained``
    are the instances solved only then and only now.
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
        """``slower`` or ``faster`` if the whole interval says so, else ``no clear change``.

        With fewer than LEAST_PAIRS pairs it is ``too few puzzles``: resampling so few says nothing.
        """
        if self.pairs < LEAST_PAIRS:
            return "too few puzzles"
        if self.low > 1:
            return "slower"
        return "faster" if self.high < 1 else "no clear change"


def without_baseline(now: Standings, then: Standings) -> list[str]:
    """The contenders that ``compare_with_baseline`` says nothing of, and why: a line for each."""
    lines = []
    known = {one.contender for one in compare_with_baseline(now, then)}
    for contender, old in _matches(now, then).items():
        if contender in known:
            continue
        if old is None:
            why = "the baseline has no run of it with the same solver, encoding, limits and workers"
        elif not any(one in then.results[old] for one in now.results[contender]):
            why = "the baseline has no run of it on the same puzzles with the same seeds"
        else:
            why = "it has solved none of the common puzzles, neither now nor then"
        lines.append(f"{contender}: {why}")
    return lines


def _matches(now: Standings, then: Standings) -> dict[str, str | None]:
    """What each contender of now, on the same terms, is called then. Names say too little.

    A program whose files have changed since is the same here, if there is only one of it then.
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
    """The change of each contender that both have on the same terms, on common instances."""
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


def _log_ratio(new: Result, old: Result, measure: str) -> float:
    now, then = (max(_LEAST_COST, _own_cost(one, measure)) for one in (new, old))
    return math.log(now / then)


def _own_cost(result: Result, measure: str) -> float:
    """The cost by the run's own limit, whatever other runs are in the same file."""
    if result.seconds is not None:
        return result.seconds
    return PENALTY * _limit_or_infinity(result.record, measure)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """Bounds of the mean by the percentile bootstrap; the same values give the same bounds."""
    chance = random.Random(0)
    means = sorted(
        sum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES)
    )
    outside = round(RESAMPLES * (1 - _CONFIDENCE) / 2)
    return means[outside], means[-outside - 1]
