"""Estimate whether a contender has become faster or slower, with a confidence interval.

The unit is the pair: the runs of a contender now and then on the same puzzle, with the same seed
and the same number of the repeat. The change on a puzzle is the median of the logarithms of the
ratios of costs over its pairs; the change of the contender is the mean over its puzzles.

A mean over puzzles does not show the drift of a machine: the frequency of the processor and other
programs slow down all runs of a minute alike. Therefore a second bootstrap resamples whole repeats,
and a drift that affects a whole repeat widens the interval. Drift that lasts longer than a
recording can't be estimated from the recording. Therefore small changes are reported only for runs
that took turns on the same machine; for runs recorded one after the other, only a change by more
than a factor of ``APART_FLOOR`` is reported.

The interval resamples puzzles and repeats at the same time, which for crossed random effects is
slightly conservative (A. B. Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 2007).
As few repeats give too narrow percentiles, the interval is that of Student's t with the bootstrap's
standard error and one degree of freedom less than there are repeats or puzzles, whichever are
fewer.

The *noise floor* is what the comparison shows where nothing has changed: each of the two contenders
against itself, its even against its odd repeats, and never less than ``MIN_FLOOR``, since the
layout of memory and the size of the environment favour one of two equal programs by as much
(Mytkowicz et al., "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from satcross.compare.records import Record
from satcross.compare.scores import (
    MIN_COST,
    PENALTY,
    PuzzleResult,
    RunResult,
    Standings,
    identity,
    limit_or_infinity,
)
from satcross.support.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Costs = NDArray[np.float64]

RESAMPLES = 500
"""Number of bootstrap samples, enough for a standard error (Efron and Tibshirani, An Introduction
to the Bootstrap, 1993)."""

MIN_PUZZLES = 6
MIN_REPEATS = 5
MIN_FLOOR = 1.02
"""Smallest ratio of costs that is reported as a change."""

APART_FLOOR = 2.0
"""Smallest ratio that is reported as a change between runs that did not take turns.

Recordings of the same version on the same machine differed by up to 1.5 (wall-clock time).
"""
_CONFIDENCE = 0.95
_MAX_CELLS = 2_000_000
"""Maximum number of values that are resampled at a time."""


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a contender since a baseline.

    ``puzzles`` is the number of puzzles solved now or in the baseline, ``repeats`` the number of
    repeats that both have. ``ratio`` is the geometric mean over the puzzles of the cost now divided
    by the cost in the baseline; an unsolved run costs twice the limit. ``low`` and ``high`` are the
    95% confidence interval of the ratio. ``floor`` is the smallest ratio that counts, and ``why``
    says why it is large, or is "". ``lost`` and ``gained`` have the puzzles solved only in the
    baseline and only now.
    """

    contender: str
    baseline: str
    puzzles: int
    repeats: int
    ratio: float
    low: float
    high: float
    floor: float
    why: str
    lost: tuple[Record, ...]
    gained: tuple[Record, ...]

    @property
    def judgement(self) -> str:
        """The change in words: slower, faster, no clear change or too few puzzles.

        A change is clear if the whole interval is beyond the noise floor.
        """
        if self.puzzles < MIN_PUZZLES:
            return "too few puzzles"
        if self.low > self.floor:
            return "slower"
        return "faster" if self.high < 1 / self.floor else "no clear change"

    def __str__(self) -> str:
        amount = counted(self.puzzles, "puzzle")
        if self.repeats > 1:
            amount += f", {self.repeats} repeats"
        floor = f"floor {self.floor:.3f}"
        if self.why:
            floor += f", as {self.why}"
        name = self.contender
        if self.baseline != name:
            name += f" / {self.baseline}"
        line = (
            f"{name}: {self.ratio:.3f} ({self.low:.3f} to {self.high:.3f}; {floor}) on "
            f"{amount}: {self.judgement}"
        )
        for word, records in (("lost", self.lost), ("gained", self.gained)):
            if records:
                line += f"; {word} {', '.join(one.puzzle_name for one in records)}"
        return line

    def to_data(self) -> dict[str, Any]:
        """Return the change as JSON values."""
        return {
            **asdict(replace(self, lost=(), gained=())),
            "judgement": self.judgement,
            "lost": [record.puzzle_name for record in self.lost],
            "gained": [record.puzzle_name for record in self.gained],
        }


def change_lines(changes: Sequence[Change]) -> list[str]:
    """Return lines about the changes of contenders, with a heading."""
    return ["Time now / then (95% interval; noise floor)", *map(str, changes)]


def compare_with_baseline(now: Standings, then: Standings) -> list[Change]:
    """Return the change, on common puzzles, of each contender that the baseline also has."""
    return [
        change
        for contender, match in _matches(now, then).items()
        if match is not None
        and (
            change := _Sides(contender, match, now.results[contender], then.results[match]).change(
                now.measure
            )
        )
    ]


def compare_versions(table: Standings) -> list[Change]:
    """Return the change of each contender from its counterpart in another satcross."""
    records = {name: table.any_record(name) for name in table.contenders}
    own = {_without_version(one): name for name, one in records.items() if not one.against}
    changes = []
    for name, record in records.items():
        mine = own.get(_without_version(record)) if record.against else None
        if mine is not None:
            sides = _Sides(mine, name, table.results[mine], table.results[name])
            change = sides.change(table.measure)
            changes += [] if change is None else [change]
    return changes


def _without_version(record: Record) -> tuple[object, ...]:
    return identity(replace(record, against="", command=None, program=None))


def explain_unmatched(now: Standings, then: Standings) -> list[str]:
    """Return, for each contender that can't be compared with the baseline, a line that says why."""
    lines = []
    known = {one.contender for one in compare_with_baseline(now, then)}
    for contender, old in _matches(now, then).items():
        if contender in known:
            continue
        if old is None:
            why = "the baseline has no run with the same solver, encoding, limits and workers"
        elif not _pairs(now.results[contender], then.results[old]):
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
        exact[identity(record)] = name
        other.setdefault(identity(replace(record, program=None)), []).append(name)
    matches = {}
    for name in now.contenders:
        record = now.any_record(name)
        changed = other.get(identity(replace(record, program=None)), [])
        matches[name] = exact.get(
            identity(record), changed[0] if len(changed) == 1 and record.program else None
        )
    return matches


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two runs on the same puzzle with the same seed and number of the repeat."""

    puzzle: str
    seed: int
    repeat: int
    new: RunResult
    old: RunResult


def _pairs(
    new: Mapping[str, PuzzleResult], old: Mapping[str, PuzzleResult], *, solved: bool = False
) -> list[_Pair]:
    """Return the pairs of runs; with ``solved``, only of puzzles that either side has solved."""
    pairs = []
    for puzzle in new:
        if puzzle not in old:
            continue
        sides = (new[puzzle].runs, old[puzzle].runs)
        if solved and not any(run.solved for side in sides for run in side):
            continue
        before = {(run.record.seed, run.record.repeat): run for run in old[puzzle].runs}
        for run in new[puzzle].runs:
            key = (run.record.seed, run.record.repeat)
            if key in before:
                pairs.append(_Pair(puzzle, *key, run, before[key]))
    return pairs


@dataclass(frozen=True, slots=True)
class _Sides:
    """The two contenders of a comparison: names, and results by puzzle, now and in the baseline."""

    contender: str
    baseline: str
    new: Mapping[str, PuzzleResult]
    old: Mapping[str, PuzzleResult]

    def change(self, measure: str) -> Change | None:
        """Return the change, or None if there is no pair of runs on a puzzle that is solved."""
        pairs = _pairs(self.new, self.old, solved=True)
        if not pairs:
            return None
        new, old = _logs(pairs, measure)
        ratios = new - old
        puzzles, _, repeats = ratios.shape
        middle, error = float(_mean(ratios)), _standard_error(ratios)
        width = error * _student(min(puzzles, repeats if repeats > 1 else puzzles) - 1)
        why = _why_coarse(pairs, repeats)
        floor = math.log(APART_FLOOR) if why else max(map(_self_change, (new, old)))
        lost = (one for one in pairs if not self.new[one.puzzle].solved)
        gained = (one for one in pairs if not self.old[one.puzzle].solved)
        return Change(
            self.contender,
            self.baseline,
            puzzles,
            repeats,
            math.exp(middle),
            math.exp(middle - width),
            math.exp(middle + width),
            math.exp(max(floor, math.log(MIN_FLOOR))),
            why,
            tuple({one.puzzle: one.new.record for one in lost}.values()),
            tuple({one.puzzle: one.new.record for one in gained}.values()),
        )


def _logs(pairs: Sequence[_Pair], measure: str) -> tuple[Costs, Costs]:
    """Return logarithms of costs, new and old, by puzzle, seed and repeat; NaN if not run."""
    import numpy as np

    axes = [sorted({getattr(one, axis) for one in pairs}) for axis in ("puzzle", "seed", "repeat")]
    place = [{value: index for index, value in enumerate(axis)} for axis in axes]
    new, old = (np.full([len(axis) for axis in axes], np.nan) for _ in range(2))
    for one in pairs:
        where = (place[0][one.puzzle], place[1][one.seed], place[2][one.repeat])
        costs = [_own_cost(run, measure) for run in (one.new, one.old)]
        if math.inf not in costs:
            new[where], old[where] = (math.log(max(MIN_COST, cost)) for cost in costs)
    return new, old


def _own_cost(result: RunResult, measure: str) -> float:
    """Return the cost with the limit of the run itself, independent of other runs in the file."""
    if result.seconds is not None:
        return result.seconds
    return PENALTY * limit_or_infinity(result.record, measure)


def _median(values: Costs) -> Costs:
    """Return the medians over the last axis, ignoring NaN; NaN where all values are NaN."""
    import numpy as np

    ordered = np.sort(values, axis=-1)  # NaN comes last
    known = np.count_nonzero(~np.isnan(ordered), axis=-1)[..., None]
    low, high = (np.take_along_axis(ordered, (known - one).clip(0) // 2, -1) for one in (1, 0))
    middle: Costs = ((low + high) / 2)[..., 0]
    return middle


def _mean(ratios: Costs) -> float:
    """Return the mean over puzzles of the medians over seeds and repeats."""
    import numpy as np

    return float(np.nanmean(_median(ratios.reshape(len(ratios), -1))))


def _standard_error(ratios: Costs) -> float:
    """Return the standard error of ``_mean`` from resampled puzzles and repeats."""
    import numpy as np

    puzzles, seeds, repeats = ratios.shape
    generator = np.random.default_rng(0)  # equal runs give equal reports
    means: list[float] = []
    while len(means) < RESAMPLES:
        number = min(RESAMPLES - len(means), 1 + _MAX_CELLS // ratios.size)
        blocks = generator.integers(repeats, size=(number, repeats))
        chosen = generator.integers(puzzles, size=(number, puzzles))
        drawn = np.moveaxis(ratios[:, :, blocks], 2, 0)
        medians = _median(drawn.reshape(number, puzzles, seeds * repeats))
        means += np.nanmean(np.take_along_axis(medians, chosen, axis=1), axis=1).tolist()
    fewest = min([one for one in (puzzles, repeats) if one > 1], default=1)
    # The variance of a bootstrap of n values is too small by the factor (n - 1) / n.
    return float(np.nanstd(means)) * math.sqrt(fewest / max(1, fewest - 1))


def _self_change(costs: Costs) -> float:
    """Return by how much a contender differs from itself: even from odd repeats, as a logarithm."""
    import numpy as np

    even, odd = (_median(costs[:, :, start::2].reshape(len(costs), -1)) for start in (0, 1))
    return abs(float(np.nanmean(even - odd)))


def _why_coarse(pairs: Sequence[_Pair], repeats: int) -> str:
    """Return why drift can't be distinguished from a change, or ""."""
    starts = sorted(
        (run.record.started, side) for one in pairs for side, run in enumerate((one.new, one.old))
    )
    if not all(time for time, _ in starts):
        return "the records have no times"
    turns = sum(one[1] != other[1] for one, other in pairwise(starts))
    if turns < repeats:
        return "the runs did not take turns"
    return f"fewer than {MIN_REPEATS} repeats" if repeats < MIN_REPEATS else ""


def _student(freedom: int) -> float:
    """Return the quantile of Student's t for the interval, with ``freedom`` degrees of freedom.

    By the expansion of Abramowitz and Stegun (26.7.5), for less than three exactly.
    """
    tail = (1 + _CONFIDENCE) / 2
    if freedom < 1:
        return 0.0
    if freedom == 1:
        return math.tan(math.pi * (tail - 0.5))
    if freedom == 2:
        share = 4 * tail * (1 - tail)
        return 2 * (tail - 0.5) * math.sqrt(2 / share)
    z = NormalDist().inv_cdf(tail)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))
