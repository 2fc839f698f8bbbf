"""Sweeps across the phase transition: how often samples of a word list fill a grid, at what cost.

With few words no fill exists, with many almost every sample has one, and solvers need longest in
between (P. Cheeseman, B. Kanefsky and W. Taylor, "Where the really hard problems are", IJCAI 1991).
A sweep runs contenders on one grid with samples of growing size. The samples of one seed are
nested, so that a fill with few words is also one with more: each seed has a threshold, the smallest
size with a fill. Answers bound it from both sides, a run that ended at a limit says nothing, and
answers are checked against each other. Quantiles of the thresholds come with intervals by order
statistics, which hold for any distribution, however sharp the transition is (H. A. David and H. N.
Nagaraja, Order Statistics, 2003, section 7.1).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from satcross.compare.changes import statistics_library
from satcross.compare.contenders import Instance, Sample
from satcross.compare.records import CPU, FILLED, UNFILLABLE, Record
from satcross.compare.suite import draw
from satcross.compare.tables import Column, Table
from satcross.errors import InputError
from satcross.formats.files import read_text
from satcross.formats.structure import parse_structure
from satcross.grid import BLOCKED, OPEN, Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

CONFIDENCE = 0.95
_MORE_TRIES = 2
"""Sizes that a bisection tries for a sample beyond those it needs if every run has an answer."""
SPAN = 4.0
"""Default range of list sizes: the first-moment estimate divided and multiplied by this."""

_FAMILY = re.compile(r"(.+?)(?::(\d+)-(\d+))?")
_SHAPE = re.compile(r"(open|lattice)-(\d+)x(\d+)")
_MAX_SIDE = 31


@dataclass(frozen=True, slots=True)
class FirstMoment:
    """Estimate of the expected number of fills with a random sample of n words of each length.

    Letters are taken as independent, with the frequencies that they have in the whole list at each
    position of words of each length: the expectation is the number of choices of words times the
    chance that all crossings agree. Where it is below 1, most samples have no fill.
    """

    slots: Mapping[int, int]
    """Number of slots by length."""
    available: Mapping[int, int]
    """Number of words in the list by length."""
    log_agreement: float
    """Natural logarithm of the chance that all crossings agree; -infinity if one never does."""

    @classmethod
    def of(cls, grid: Grid, words: Vocabulary) -> FirstMoment:
        """Return the estimate for a grid and a list."""
        frequencies: dict[tuple[int, int], dict[str, float]] = {}
        for length in {slot.length for slot in grid.slots}:
            group = words.group(length).words
            for position, letters in enumerate(zip(*group, strict=True)):
                shares = {letter: n / len(group) for letter, n in Counter(letters).items()}
                frequencies[length, position] = shares
        total = 0.0
        for crossing in grid.crossings:
            ends = (
                (grid.slots[crossing.across].length, crossing.across_position),
                (grid.slots[crossing.down].length, crossing.down_position),
            )
            across, down = (frequencies.get(end, {}) for end in ends)
            chance = sum(share * down.get(letter, 0.0) for letter, share in across.items())
            total += math.log(chance) if chance else -math.inf
        slots = Counter(slot.length for slot in grid.slots)
        return cls(slots, {length: len(words.group(length)) for length in slots}, total)

    def log_fills(self, size: float) -> float:
        """Return the natural logarithm of the expected number of fills with ``size`` words."""
        choices = 0.0
        for length, number in self.slots.items():
            usable = min(size, self.available[length])
            choices += number * (math.log(usable) if usable else -math.inf)
        return choices + self.log_agreement

    def threshold(self) -> float | None:
        """Return the number of words of each length at which one fill is expected, if any."""
        low, high = 0.0, math.log(max(self.available.values(), default=1) or 1)
        if self.log_fills(math.exp(high)) < 0:
            return None
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if self.log_fills(math.exp(middle)) >= 0 else (middle, high)
        return math.exp(high)


@dataclass(frozen=True, slots=True)
class Family:
    """A grid with the sizes, ascending, of the samples of a word list that are tried in it."""

    name: str
    grid: Grid
    sizes: tuple[int, ...]
    estimate: FirstMoment
    words: Vocabulary
    list_name: str = ""

    def instance(self, size: int, seed: int) -> Instance:
        """Return the puzzle of a sample."""
        sample, name = Sample(size, seed), self.name
        puzzle = Puzzle(self.grid, draw(self.words, frozenset(self.estimate.slots), sample))
        about = (f"{self.list_name}, {size} per length", f"{name} with {size} words, sample {seed}")
        return Instance(puzzle, name, *about, name, sample=sample)

    def next_size(self, statuses: Mapping[int, set[str]]) -> int | None:
        """Return the size to try next for a seed by bisection, or None if enough is known.

        ``statuses`` has the answers by size, so far.
        """
        if len(statuses) > math.log2(len(self.sizes) + 1) + _MORE_TRIES:
            return None  # too many runs end at a limit
        low, high = bounds(statuses)
        between = [n for n in self.sizes if low < n < high and n not in statuses]
        return between[len(between) // 2] if between else None


def read_family(text: str, words: Vocabulary, points: int, list_name: str = "") -> Family:
    """Return the family that "NAME" or "NAME:FROM-TO" describes.

    NAME is "open-ROWSxCOLUMNS", "lattice-ROWSxCOLUMNS" (every second row and column is open) or the
    path of a structure file. FROM and TO are numbers of words of each length; by default they lie
    around the first-moment estimate. Raises InputError.
    """
    found = _FAMILY.fullmatch(text)
    name = found[1] if found else text
    grid = _grid(name)
    estimate = FirstMoment.of(grid, words)
    max_size = max(estimate.available.values(), default=0) - 1
    if not grid.slots or min(estimate.available.values()) < 1 or max_size < 1:
        raise InputError(f"the list has no words for {name}", "choose another list or grid")
    if found and found[2]:
        low, high = int(found[2]), int(found[3])
        if not 0 < low < high:
            raise InputError(
                f"{text}: FROM-TO is empty", "give NAME:FROM-TO with FROM from 1 and below TO"
            )
        if low > max_size:
            raise InputError(
                f"{text}: the list has at most {max_size + 1} words of a length",
                "choose a lower FROM",
            )
    else:
        middle = estimate.threshold() or max_size
        low, high = max(1, round(middle / SPAN)), round(middle * SPAN)
    sizes = _spaced(low, min(high, max_size), points)
    return Family(Path(name).stem, grid, sizes, estimate, words, list_name)


def _grid(name: str) -> Grid:
    shape = _SHAPE.fullmatch(name)
    if shape is None:
        if not Path(name).exists() and "." not in name:
            raise InputError(
                f"there is no family {name!r}", "give open-5x5, lattice-7x7 or a structure file"
            )
        return parse_structure(read_text(name)).grid
    height, width = int(shape[2]), int(shape[3])
    if not (2 <= height <= _MAX_SIDE and 2 <= width <= _MAX_SIDE):
        raise InputError(f"{name} is out of range", f"rows and columns go from 2 to {_MAX_SIDE}")
    if shape[1] == "open":
        return Grid.from_rows([OPEN * width] * height)
    if not (height % 2 and width % 2):
        raise InputError(
            f"{name} has an even side", "give lattices odd numbers of rows and columns"
        )
    odd = "".join(BLOCKED if column % 2 else OPEN for column in range(width))
    rows = [odd if row % 2 else OPEN * width for row in range(height)]
    return Grid.from_rows(rows)


def _spaced(low: int, high: int, points: int) -> tuple[int, ...]:
    """Return about ``points`` sizes in a geometric progression, rounded to two or three digits."""
    if points < 2 or low >= high:
        return (high,)
    ratio = (high / low) ** (1 / (points - 1))
    sizes = {low, high}
    for index in range(1, points - 1):
        size = low * ratio**index
        step = 10 ** max(0, math.floor(math.log10(size)) - (1 if ratio > 1.1 else 2))
        sizes.add(min(high, max(low, round(size / step) * step)))
    return tuple(sorted(sizes))


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of a contender at a point; a run without an answer counts as the limit.

    The middle half of its runs lies from ``low`` to ``high``. ``censored`` says that the median
    itself is that of a run without an answer, and so a lower bound.
    """

    median: float
    low: float
    high: float
    censored: bool
    solved: int
    runs: int

    @property
    def text(self) -> str:
        """The median, with "≥" if it is a lower bound."""
        return f"≥ {self.median:.2f}" if self.censored else f"{self.median:.2f}"


@dataclass(frozen=True, slots=True)
class Point:
    """The samples of one size: how many have a fill, have none, or are undecided.

    ``low`` and ``high`` are Wilson's interval (E. B. Wilson, "Probable inference", JASA 1927) of
    the probability of a fill, in which undecided samples count as unfillable for ``low`` and as
    fillable for ``high``. ``expected`` is the decimal logarithm of the first-moment estimate.
    """

    words: int
    filled: int
    unfillable: int
    undecided: int
    low: float
    high: float
    expected: float
    costs: Mapping[str, Cost]

    @property
    def probability(self) -> float | None:
        """Share of the decided samples that have a fill."""
        decided = self.filled + self.unfillable
        return self.filled / decided if decided else None


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile of the thresholds of all samples, in words of each length.

    ``size`` is the geometric middle of its bounds, None if one is missing. ``low`` and ``high`` are
    its interval; None where so few samples, or sizes, bound nothing.
    """

    share: float
    size: float | None
    low: float | None
    high: float | None
    bounds: tuple[float, float | None] = (0.0, None)
    """Between which sizes the quantile of these samples lies, None where no size tells."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The results of a family.

    ``quantiles`` are those of the thresholds at 10, 50 and 90%: ``half`` is the list size at which
    half of the samples have a fill. ``width`` is the size at which 90% have a fill divided by that
    at which 10% have; None where no size was run between the two: it is below ``max_width``.
    ``estimate`` is the size at which the first moment expects one fill.
    ``contradictions`` names pairs of samples, the smaller with a fill and the larger said to have
    none.
    """

    family: str
    points: tuple[Point, ...]
    half: float | None
    interval: tuple[float | None, float | None] | None
    width: float | None
    estimate: float | None
    contradictions: tuple[str, ...]
    quantiles: tuple[Quantile, ...] = ()

    @property
    def max_width(self) -> float | None:
        """The largest ratio that the sizes allow; None if they bound nothing."""
        ends = [quantile.bounds for quantile in self.quantiles]
        low, high = (ends[0][0], ends[-1][1]) if ends else (0.0, None)
        return high / low if low and high else None

    @property
    def contenders(self) -> tuple[str, ...]:
        """The contenders of all points."""
        return tuple(dict.fromkeys(name for point in self.points for name in point.costs))


def transition_table(curves: Sequence[Curve]) -> Table[Curve]:
    """Return where the transition of each family lies, as a table."""

    def interval(curve: Curve) -> str | None:
        ends = ("?" if end is None else f"{end:.0f}" for end in curve.interval or ())
        return " to ".join(ends) or None

    def of_expected(curve: Curve) -> float | None:
        return curve.half / curve.estimate if curve.half and curve.estimate else None

    def width(curve: Curve) -> str | None:
        if curve.width is not None:
            return f"{curve.width:.2f}"
        return None if curve.max_width is None else f"< {curve.max_width:.2f}"

    columns: tuple[Column[Curve], ...] = (
        Column("family", lambda curve: curve.family, is_text=True),
        Column("half filled at", lambda curve: curve.half, ".0f", "not reached"),
        Column("95% interval", interval),
        Column("90% / 10%", width),
        Column("one fill expected at", lambda curve: curve.estimate, ".0f", "never"),
        Column("half / expected", of_expected, ".2f"),
    )
    return Table(columns, curves)


def point_table(curve: Curve) -> Table[Point]:
    """Return the results of a family at each size as a table."""
    columns: list[Column[Point]] = [
        Column("words", lambda point: point.words),
        Column("filled", lambda point: point.filled),
        Column("unfillable", lambda point: point.unfillable),
        Column("undecided", lambda point: point.undecided),
        Column("probability", lambda point: point.probability, ".2f", "?"),
        Column("95% interval", lambda point: f"{point.low:.2f} to {point.high:.2f}"),
        Column("expected fills", lambda point: f"10^{point.expected:.1f}"),
    ]
    columns += map(_cost_column, curve.contenders)
    return Table(tuple(columns), curve.points)


def _cost_column(contender: str) -> Column[Point]:
    def mark(point: Point) -> str:
        return "none" if contender in point.costs and point.costs[contender].censored else ""

    return Column(
        contender, lambda point: getattr(point.costs.get(contender), "text", None), mark=mark
    )


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the Wilson score interval of a probability; (0, 1) without trials."""
    if not trials:
        return 0.0, 1.0
    found = statistics_library().binomtest(successes, trials)
    low, high = found.proportion_ci(CONFIDENCE, method="wilson")
    return float(low), float(high)


Statuses = Mapping[int, Mapping[int, set[str]]]
"""The answers by seed and size."""


def samples_of(family: str, records: Iterable[Record]) -> list[Record]:
    """Return the runs of a family on samples."""
    return [record for record in records if record.family == family and "sample" in record.size]


def statuses_of(family: str, records: Iterable[Record]) -> dict[int, dict[int, set[str]]]:
    """Return the statuses of the runs of a family by seed and size."""
    found: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in samples_of(family, records):
        found[record.size["sample_seed"]][record.size["sample"]].add(record.status)
    return found


def bounds(statuses: Mapping[int, set[str]]) -> tuple[float, float]:
    """Return between which sizes the threshold of a seed lies: above the first, to the second.

    A verified fill outweighs the claim that there is none.
    """
    high = min((size for size, found in statuses.items() if FILLED in found), default=math.inf)
    without = [size for size, found in statuses.items() if UNFILLABLE in found and size < high]
    return max(without, default=0.0), high


def curve(family: Family, records: Iterable[Record]) -> Curve:
    """Summarise the records of a family."""
    runs = samples_of(family.name, records)
    statuses = statuses_of(family.name, runs)
    thresholds = [bounds(own) for _, own in sorted(statuses.items())]
    by_size: dict[int, list[Record]] = defaultdict(list)
    for run in runs:
        by_size[run.size["sample"]].append(run)
    tenth, half, ninetieth = quantiles = tuple(quantile(thresholds, n) for n in (0.1, 0.5, 0.9))
    width = None
    apart = ninetieth.bounds != tenth.bounds
    if ninetieth.size is not None and tenth.size is not None and apart:
        width = ninetieth.size / tenth.size
    return Curve(
        family.name,
        tuple(_point(family, size, thresholds, by_size[size]) for size in sorted(by_size)),
        half.size,
        None if half.size is None else (half.low, half.high),
        width,
        family.estimate.threshold(),
        tuple(_contradictions(family.name, statuses)),
        quantiles,
    )


def quantile(thresholds: Sequence[tuple[float, float]], share: float) -> Quantile:
    """Return a quantile of thresholds, each known by two bounds, with its interval.

    Of n thresholds in order, number r is below the quantile unless fewer than r are, whose number
    is binomial. An undecided sample widens the interval, and is not dropped.
    """
    number = len(thresholds)
    if not number:
        return Quantile(share, None, None, None)
    lows, highs = (sorted(ends) for ends in zip(*thresholds, strict=True))
    tail = (1 - CONFIDENCE) / 2
    ranks = statistics_library().binom.ppf([tail, 1 - tail], number, share)
    first, last = map(int, ranks)
    low = lows[first - 1] if first > 0 else 0.0
    high = highs[last] if last < number else math.inf
    middle = [math.floor(share * (number - 1)), math.ceil(share * (number - 1))]
    ends = [end for place in middle for end in (lows[place], highs[place])]
    size, known = None, (min(ends), None if max(ends) == math.inf else max(ends))
    if all(0 < end < math.inf for end in ends):
        size = math.exp(sum(map(math.log, ends)) / len(ends))
    return Quantile(share, size, low or None, None if high == math.inf else high, known)


def _contradictions(family: str, statuses: Statuses) -> Iterator[str]:
    for seed, own in sorted(statuses.items()):
        _, filled = bounds(own)
        denied = [size for size, found in own.items() if UNFILLABLE in found and size >= filled]
        if denied:
            yield (
                f"{family}: sample {seed} has a fill with {filled:g} words of each length and is "
                f"called unfillable with {max(denied):g}"
            )


def _point(
    family: Family, size: int, thresholds: Sequence[tuple[float, float]], runs: Sequence[Record]
) -> Point:
    filled = sum(high <= size for _, high in thresholds)
    unfillable = sum(low >= size for low, _ in thresholds)
    undecided = len(thresholds) - filled - unfillable
    low, high = (wilson(number, len(thresholds)) for number in (filled, filled + undecided))
    expected = family.estimate.log_fills(size) / math.log(10)
    times: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for run in runs:
        seconds = run.cpu if run.answered else run.limit(CPU)
        times[run.contender].append((seconds, not run.answered))
    costs = {contender: _cost(sorted(found)) for contender, found in times.items()}
    return Point(size, filled, unfillable, undecided, low[0], high[1], expected, costs)


def _cost(runs: Sequence[tuple[float, bool]]) -> Cost:
    times, number = [time for time, _ in runs], len(runs)
    ends = (times[number // 4], times[-1 - number // 4])
    solved = sum(not late for _, late in runs)
    return Cost(median(times), *ends, runs[number // 2][1], solved, number)
