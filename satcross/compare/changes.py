"""Estimate how much faster or slower a contender is than another, with a confidence interval.

The unit is the pair: two runs on the same puzzle, with the same seed and number of the repeat. The
change on a puzzle is the median of the logarithms of the ratios of costs over its pairs; the change
of the contender is the mean over its puzzles.

The interval is that of Student's t with a bootstrap's standard error and one degree of freedom less
than there are repeats or puzzles, whichever are fewer, as few repeats give too narrow percentiles.
The bootstrap resamples puzzles and whole repeats, so that the drift of the machine in a repeat
widens the interval; for crossed effects it is slightly conservative (A. B. Owen, "The pigeonhole
bootstrap", Annals of Applied Statistics 2007). Drift that lasts longer can't be estimated, so for
runs that did not take turns only a change by more than a factor of ``APART_FLOOR`` is reported.

The *noise floor* is what the comparison shows where nothing has changed: each contender against
itself, its even against its odd repeats, and never less than ``MIN_FLOOR``, since the layout of
memory and the size of the environment favour one of two equal programs by as much (Mytkowicz et
al., "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from satcross.compare.records import Record
from satcross.compare.scores import MIN_COST, PENALTY, Row, RunResult, Standings
from satcross.compare.tables import Column, Table
from satcross.errors import UnavailableError

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
FEW_REPEATS = f"fewer than {MIN_REPEATS} repeats"
_CONFIDENCE = 0.95
_MAX_CELLS = 2_000_000
"""Maximum number of values that are resampled at a time."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """The ratio of the costs of two contenders.

    ``puzzles`` is the number of puzzles that either has solved, ``repeats`` the number of repeats
    that both have. ``ratio`` is the geometric mean over the puzzles; an unsolved run costs twice
    the limit. ``low`` and ``high`` are its 95% confidence interval. ``floor`` is the smallest ratio
    that counts, and ``why`` says why it is large, or is "".
    """

    puzzles: int
    repeats: int
    ratio: float
    low: float
    high: float
    floor: float
    why: str

    @property
    def interval(self) -> str:
        """The 95% confidence interval in words."""
        return f"{self.low:.3f} to {self.high:.3f}"


@dataclass(frozen=True, slots=True)
class Change(Ratio):
    """The ratio of the costs of a contender now to those in a baseline.

    ``lost`` and ``gained`` have the puzzles solved only in the baseline and only now.
    """

    contender: str
    baseline: str
    lost: tuple[Record, ...]
    gained: tuple[Record, ...]

    @property
    def judgement(self) -> str:
        """The change in words: slower, faster, no clear change or too few puzzles."""
        if self.puzzles < MIN_PUZZLES:
            return "too few puzzles"
        if self.low > self.floor:
            return "slower"
        return "faster" if self.high < 1 / self.floor else "no clear change"

    def to_data(self) -> dict[str, Any]:
        """Return the change as JSON values."""
        return {
            "contender": self.contender,
            "baseline": self.baseline,
            **asdict(replace(self, lost=(), gained=())),
            "judgement": self.judgement,
            "lost": [record.puzzle_name for record in self.lost],
            "gained": [record.puzzle_name for record in self.gained],
        }


def change_table(changes: Sequence[Change]) -> Table[Change]:
    """Return the changes of contenders as a table; ``change_notes`` belong below it."""

    def mark(change: Change) -> str:
        return {"slower": "wrong", "faster": "best"}.get(change.judgement, "none")

    columns: tuple[Column[Change], ...] = (
        Column("contender", lambda change: change.contender, is_text=True),
        Column("baseline", lambda change: change.baseline, is_text=True),
        Column("puzzles", lambda change: change.puzzles),
        Column("repeats", lambda change: change.repeats),
        Column("cost now / then", lambda change: change.ratio, ".3f", mark=mark),
        Column("95% interval", lambda change: change.interval),
        Column("noise floor", lambda change: change.floor, ".3f"),
        Column("", lambda change: change.judgement, mark=mark),
        Column("lost", lambda change: len(change.lost), mark=lambda c: "wrong" if c.lost else ""),
        Column(
            "gained", lambda change: len(change.gained), mark=lambda c: "best" if c.gained else ""
        ),
    )
    return Table(columns, changes)


def change_notes(changes: Sequence[Change]) -> list[str]:
    """Return sentences: which puzzles are lost and gained, and why only large changes count."""
    lines = []
    for change in changes:
        for verb, records in (("no longer solves", change.lost), ("now solves", change.gained)):
            if records:
                names = ", ".join(record.puzzle_name for record in records)
                lines.append(f"{change.contender} {verb} {names}.")
        if change.why:
            lines.append(
                f"{change.contender}: only a change by more than a factor of {change.floor:g} "
                f"counts, because {change.why}."
            )
    return lines


def compare_with_baseline(now: Standings, then: Standings) -> tuple[list[Change], list[str]]:
    """Return the change, on common puzzles, of each contender that the baseline also has.

    For each other contender there is a line that says why it can't be compared.
    """
    changes, unmatched = [], []
    for name, match in _matches(now, then).items():
        change = None
        if match is None:
            why = "the baseline has no run with the same solver, encoding, limits and workers"
        elif now.who[name].host != then.who[match].host:
            why = f"the baseline was run on another machine ({then.who[match].host})"
        elif not _pairs(now.results[name], then.results[match]):
            why = "the baseline has no run on the same puzzles with the same seeds"
        else:
            why = "no common puzzle was solved, neither now nor in the baseline"
            rows = (now.results[name], then.results[match])
            change = _change((name, match), *rows, now.measure)
        if change is None:
            unmatched.append(f"{name}: {why}")
        else:
            changes.append(change)
    return changes, unmatched


def compare_versions(table: Standings) -> list[Change]:
    """Return the change of each contender from its counterpart in another satcross."""
    keys = {name: _without_version(record) for name, record in table.who.items()}
    own = {key: name for name, key in keys.items() if not table.who[name].against}
    changes = []
    for name, key in keys.items():
        if table.who[name].against and key in own:
            rows = (table.results[own[key]], table.results[name])
            changes.append(_change((own[key], name), *rows, table.measure))
    return [change for change in changes if change is not None]


def _without_version(record: Record) -> tuple[object, ...]:
    return replace(record, against="", command=None, program=None).settings, record.host


def _matches(now: Standings, then: Standings) -> dict[str, str | None]:
    """Return the name in the baseline of each contender with the same settings, or None.

    Names alone do not identify a contender, and its versions may differ. One on the same machine
    comes first. A program whose files have changed since the baseline matches if the baseline has
    exactly one version of it.
    """
    exact: dict[object, str] = {}
    other: dict[object, list[str]] = {}
    for name, record in then.who.items():
        exact[record.settings] = exact[record.settings, record.host] = name
        other.setdefault(replace(record, program=None).settings, []).append(name)
    matches = {}
    for name, record in now.who.items():
        changed = other.get(replace(record, program=None).settings, [])
        same = exact.get((record.settings, record.host), exact.get(record.settings))
        only = changed[0] if len(changed) == 1 and record.program else None
        matches[name] = same or only
    return matches


_Pair = tuple[RunResult, RunResult]
"""Two runs, new and old, on the same puzzle with the same seed and number of the repeat."""


def _pairs(new: Row, old: Row, *, solved: bool = False) -> list[_Pair]:
    """Return the pairs of runs; with ``solved``, only of puzzles that either side has solved."""
    pairs = []
    for puzzle in (key for key in new if key in old):
        sides = (new[puzzle].runs, old[puzzle].runs)
        if not solved or any(run.solved for side in sides for run in side):
            before = {(run.record.seed, run.record.repeat): run for run in sides[1]}
            keyed = (((run.record.seed, run.record.repeat), run) for run in sides[0])
            pairs += [(run, before[key]) for key, run in keyed if key in before]
    return pairs


def compare_rows(new: Row, old: Row, measure: str) -> Ratio | None:
    """Return the ratio of costs, or None if there is no pair of runs on a puzzle that is solved."""
    pairs = _pairs(new, old, solved=True)
    if not pairs:
        return None
    costs = _logs(pairs, measure)
    ratios = costs[0] - costs[1]
    puzzles, _, repeats = ratios.shape
    middle, error = _mean_and_error(ratios)
    freedom = min(puzzles, repeats if repeats > 1 else puzzles) - 1
    # Student's t; without a second value there is no interval.
    width = 0.0
    if freedom > 0:
        width = error * float(statistics_library().t.ppf((1 + _CONFIDENCE) / 2, freedom))
    why = _why_coarse(pairs, repeats)
    floor = math.log(APART_FLOOR) if why else max(map(_self_change, costs))
    logarithms = (middle, middle - width, middle + width, max(floor, math.log(MIN_FLOOR)))
    ratio, low, high, smallest = map(math.exp, logarithms)
    return Ratio(puzzles, repeats, ratio, low, high, smallest, why)


def _change(names: tuple[str, str], new: Row, old: Row, measure: str) -> Change | None:
    ratio = compare_rows(new, old, measure)
    if ratio is None:
        return None
    runs = [run.record for run, _ in _pairs(new, old, solved=True)]
    both = {run.puzzle: (old[run.puzzle].solved, new[run.puzzle].solved) for run in runs}
    lost = {run.puzzle: run for run in runs if both[run.puzzle] == (True, False)}
    gained = {run.puzzle: run for run in runs if both[run.puzzle] == (False, True)}
    return Change(
        **asdict(ratio),
        contender=names[0],
        baseline=names[1],
        lost=tuple(lost.values()),
        gained=tuple(gained.values()),
    )


def _logs(pairs: Sequence[_Pair], measure: str) -> Costs:
    """Return logarithms of costs: new and old, by puzzle, seed and repeat; NaN if not run."""
    import numpy as np

    keys = ((run.record.puzzle, run.record.seed, run.record.repeat) for run, _ in pairs)
    places = [np.unique(axis, return_inverse=True)[1] for axis in zip(*keys, strict=True)]
    # The limit is that of the run itself, independent of other runs in the file.
    costs = [
        [run.time if run.solved else PENALTY * run.record.limit(measure) for run in pair]
        for pair in pairs
    ]
    logs = np.log(np.maximum(costs, MIN_COST))
    logs[np.isinf(logs).any(axis=1)] = np.nan
    sides = np.full([2, *(place.max() + 1 for place in places)], np.nan)
    for side, own in zip(sides, logs.T, strict=True):
        side[tuple(places)] = own
    return sides


def _median(values: Costs) -> Costs:
    """Return the medians over the last axis, ignoring NaN; NaN where all values are NaN."""
    import numpy as np

    ordered = np.sort(values, axis=-1)  # NaN comes last
    known = np.count_nonzero(~np.isnan(ordered), axis=-1)[..., None]
    low, high = (np.take_along_axis(ordered, (known - back).clip(0) // 2, -1) for back in (1, 0))
    middle: Costs = ((low + high) / 2)[..., 0]
    return middle


def _mean_and_error(ratios: Costs) -> tuple[float, float]:
    """Return the mean over puzzles of the medians over seeds and repeats, and its standard error.

    The error is that of resampled puzzles and repeats.
    """
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
    fewest = min([number for number in (puzzles, repeats) if number > 1], default=1)
    # The variance of a bootstrap of n values is too small by the factor (n - 1) / n.
    error = float(np.nanstd(means)) * math.sqrt(fewest / max(1, fewest - 1))
    return float(np.nanmean(_median(ratios.reshape(puzzles, -1)))), error


def _self_change(costs: Costs) -> float:
    """Return by how much a contender differs from itself: even from odd repeats, as a logarithm."""
    import numpy as np

    even, odd = (_median(costs[:, :, start::2].reshape(len(costs), -1)) for start in (0, 1))
    return abs(float(np.nanmean(even - odd)))


def _why_coarse(pairs: Sequence[_Pair], repeats: int) -> str:
    """Return why drift can't be distinguished from a change, or ""."""
    starts = sorted((run.record.started, side) for pair in pairs for side, run in enumerate(pair))
    if not all(time for time, _ in starts):
        return "the records have no times"
    turns = sum(run[1] != following[1] for run, following in pairwise(starts))
    if turns < repeats:
        return "the runs did not take turns"
    return FEW_REPEATS if repeats < MIN_REPEATS else ""


def statistics_library() -> Any:
    """Return ``scipy.stats``. Raises UnavailableError if scipy is not installed."""
    try:
        from scipy import stats
    except ImportError:
        raise UnavailableError(
            "statistics need scipy; install it with pip install 'satcross[report]', or '.[report]' "
            "in a copy of the repository"
        ) from None
    return stats
