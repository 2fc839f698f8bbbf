"""Sweeps across the phase transition: how often samples of a word list fill a grid, at what cost.

With few words no fill exists, with many almost every sample has one, and solvers need longest in
between (P. Cheeseman, B. Kanefsky and W. Taylor, "Where the really hard problems are", IJCAI 1991).
A sweep runs contenders on one grid with samples of growing size. The samples of one seed are
nested, so that a fill with few words is also one with more: answers are inferred for the runs that
ended at a limit, and checked against each other.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist, median
from typing import TYPE_CHECKING

from satcross.compare.records import FILLED, UNFILLABLE, Record
from satcross.compare.runs import Instance, Sample
from satcross.compare.scores import limit_of
from satcross.compare.suite import draw_order
from satcross.errors import InputError
from satcross.formats.files import read_text
from satcross.formats.text import parse_structure
from satcross.grid import BLOCKED, OPEN, Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFIDENCE = 0.95
SPAN = 4.0
"""Default range of list sizes: the first-moment estimate divided and multiplied by this."""

_FAMILY = re.compile(r"(.+?)(?::(\d+)-(\d+))?")
_SHAPE = re.compile(r"(open|lattice)-(\d+)x(\d+)")
_MAX_SIDE = 31
_RESAMPLES = 1000


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
                counts = Counter(letters)
                frequencies[length, position] = {
                    letter: number / len(group) for letter, number in counts.items()
                }
        total = 0.0
        for one in grid.crossings:
            across = frequencies.get((grid.slots[one.across].length, one.across_position), {})
            down = frequencies.get((grid.slots[one.down].length, one.down_position), {})
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
    """A grid with the list sizes at which it is examined, ascending."""

    name: str
    grid: Grid
    sizes: tuple[int, ...]
    estimate: FirstMoment

    def instances(self, words: Vocabulary, list_name: str, samples: int) -> Iterator[Instance]:
        """Yield the puzzle of each sample and size."""
        lengths = self.estimate.slots
        for seed in range(samples):
            order = {
                length: draw_order(words.group(length).words, seed) for length in sorted(lengths)
            }
            for size in self.sizes:
                drawn = {
                    word: words.score(word) for group in order.values() for word in group[:size]
                }
                yield Instance(
                    Puzzle(self.grid, Vocabulary(drawn)),
                    self.name,
                    f"{list_name}, {size} per length",
                    f"{self.name} with {size} words, sample {seed}",
                    self.name,
                    sample=Sample(size, seed),
                )


def read_family(text: str, words: Vocabulary, points: int) -> Family:
    """Return the family that "NAME" or "NAME:FROM-TO" describes.

    NAME is "open-ROWSxCOLUMNS", "lattice-ROWSxCOLUMNS" (every second row and column is open) or the
    path of a structure file. FROM and TO are numbers of words of each length; by default they lie
    around the first-moment estimate. Raises InputError.
    """
    found = _FAMILY.fullmatch(text)
    name = found[1] if found else text
    grid = _grid(name)
    estimate = FirstMoment.of(grid, words)
    most = max(estimate.available.values(), default=0) - 1
    if not grid.slots or min(estimate.available.values()) < 1 or most < 1:
        raise InputError(f"the list has no words for {name}", "choose another list or grid")
    if found and found[2]:
        low, high = int(found[2]), int(found[3])
        if not 0 < low < high:
            raise InputError(f"{text}: FROM-TO is empty", "give NAME:FROM-TO with FROM below TO")
        if low > most:
            raise InputError(
                f"{text}: the list has at most {most + 1} words of a length", "choose a lower FROM"
            )
    else:
        middle = estimate.threshold() or most
        low, high = max(1, round(middle / SPAN)), round(middle * SPAN)
    return Family(Path(name).stem, grid, _spaced(low, min(high, most), points), estimate)


def _grid(name: str) -> Grid:
    shape = _SHAPE.fullmatch(name)
    if shape is None:
        if not Path(name).exists() and "." not in name:
            raise InputError(
                f"there is no family {name!r}",
                "give open-5x5, lattice-7x7 or a structure file",
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
    rows = [
        "".join(BLOCKED if row % 2 and column % 2 else OPEN for column in range(width))
        for row in range(height)
    ]
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
    """Median seconds of a contender at a point; a run without an answer counts as the limit.

    ``censored`` says that the median itself is that of a run without an answer, and so a lower
    bound.
    """

    median: float
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
class Curve:
    """The results of a family.

    ``half`` is the list size at which half of the samples have a fill, interpolated on the
    logarithm of the size, with an interval that resamples the seeds; None if it is not reached.
    ``width`` is the size at which 90% have a fill divided by that at which 10% have. ``estimate``
    is the size at which the first moment expects one fill. ``contradictions`` names pairs of
    samples, the smaller with a fill and the larger said to have none.
    """

    family: str
    points: tuple[Point, ...]
    half: float | None
    interval: tuple[float, float] | None
    width: float | None
    estimate: float | None
    contradictions: tuple[str, ...]

    @property
    def contenders(self) -> tuple[str, ...]:
        """The contenders of all points."""
        return tuple(dict.fromkeys(name for point in self.points for name in point.costs))


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the Wilson score interval of a probability; (0, 1) without trials."""
    if not trials:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share, square = successes / trials, z * z / trials
    middle = share + square / 2
    spread = z * math.sqrt(share * (1 - share) / trials + square / trials / 4)
    return max(0.0, (middle - spread) / (1 + square)), min(1.0, (middle + spread) / (1 + square))


def curve(family: Family, records: Iterable[Record], measure: str = "cpu") -> Curve:
    """Summarise the records of a family; ``measure`` is "cpu" or "wall"."""
    by_place: dict[tuple[int, int], list[Record]] = defaultdict(list)
    for record in records:
        if record.family == family.name and "sample" in record.size:
            by_place[record.size["sample"], record.size["sample_seed"]].append(record)
    sizes = sorted({size for size, _ in by_place})
    answers, contradictions = _decide(by_place, sizes)
    points = []
    for size in sizes:
        found = Counter(answers[place] for place in by_place if place[0] == size)
        runs = [one for place, some in by_place.items() if place[0] == size for one in some]
        points.append(_point(family, size, found, _costs(runs, measure)))
    half, interval, width = _transition(answers, sizes)
    return Curve(
        family.name,
        tuple(points),
        half,
        interval,
        width,
        family.estimate.threshold(),
        tuple(contradictions),
    )


Answers = dict[tuple[int, int], str | None]


def _decide(
    by_place: Mapping[tuple[int, int], Sequence[Record]], sizes: Sequence[int]
) -> tuple[Answers, list[str]]:
    """Return what is known of each (size, seed), also by nested samples, and contradictions.

    A fill counts only if it was verified.
    """
    answers: Answers = {}
    contradictions = []
    for seed in sorted({seed for _, seed in by_place}):
        own = [size for size in sizes if (size, seed) in by_place]
        statuses = {size: {one.status for one in by_place[size, seed]} for size in own}
        least = min((size for size in own if FILLED in statuses[size]), default=math.inf)
        most = max((size for size in own if UNFILLABLE in statuses[size]), default=-math.inf)
        if least <= most:
            contradictions.append(
                f"{by_place[own[0], seed][0].family}: sample {seed} has a fill with {least:g} "
                f"words of each length and is called unfillable with {most:g}"
            )
        for size in own:
            # A verified fill outweighs the claim that there is none.
            known = FILLED if size >= least else UNFILLABLE if size <= most else None
            answers[size, seed] = known
    return answers, contradictions


def _point(
    family: Family, size: int, found: Counter[str | None], costs: Mapping[str, Cost]
) -> Point:
    filled, unfillable, undecided = found[FILLED], found[UNFILLABLE], found[None]
    total = found.total()
    return Point(
        size,
        filled,
        unfillable,
        undecided,
        wilson(filled, total)[0],
        wilson(filled + undecided, total)[1],
        family.estimate.log_fills(size) / math.log(10),
        costs,
    )


def _costs(records: Iterable[Record], measure: str) -> dict[str, Cost]:
    by_contender: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_contender[record.contender].append(record)
    costs = {}
    for contender, runs in by_contender.items():
        times = sorted(
            (record.cpu if measure == "cpu" else record.wall, False)
            if record.answered
            else (limit_of(record, measure) or math.inf, True)
            for record in runs
        )
        middle = times[len(times) // 2]
        costs[contender] = Cost(
            median(time for time, _ in times),
            middle[1],
            sum(not late for _, late in times),
            len(times),
        )
    return costs


def _transition(
    answers: Answers, sizes: Sequence[int]
) -> tuple[float | None, tuple[float, float] | None, float | None]:
    """Return the size of 50% with its interval, and the size of 90% by that of 10%."""
    import numpy as np

    seeds = sorted({seed for _, seed in answers})
    if not seeds:
        return None, None, None
    values = {FILLED: 1.0, UNFILLABLE: 0.0, None: math.nan}
    table = np.array([[values[answers.get((size, seed))] for size in sizes] for seed in seeds])
    logs = np.log(sizes)
    tenth, half, most = (_reaches(table, logs, share) for share in (0.1, 0.5, 0.9))
    width = most - tenth
    wide = math.exp(width) if math.isfinite(width) else None
    if not math.isfinite(half):
        return None, None, wide
    random = np.random.default_rng(0)
    halves = [
        _reaches(table[random.integers(0, len(seeds), len(seeds))], logs, 0.5)
        for _ in range(_RESAMPLES)
    ]
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(halves, [tail, 100 - tail], method="nearest")
    ends = np.exp(np.clip([low, high], logs[0], logs[-1]))
    return math.exp(half), (float(ends[0]), float(ends[1])), wide


def _reaches(table: NDArray[np.float64], logs: NDArray[np.float64], share: float) -> float:
    """Return the logarithm of the size at which this share of samples has a fill.

    ``table`` has a row for each seed and a column for each size: 1 for a fill, 0 for none, NaN if
    undecided. The result is infinite if it lies outside the sizes.
    """
    import numpy as np

    known = ~np.isnan(table)
    decided = known.any(axis=0)
    shares = np.where(known, table, 0.0).sum(axis=0)[decided] / known.sum(axis=0)[decided]
    logs = logs[decided]
    above = np.flatnonzero(shares >= share)
    if not above.size:
        return math.inf
    after = above[0]
    if after == 0:
        return -math.inf
    part = (share - shares[after - 1]) / (shares[after] - shares[after - 1])
    return float(logs[after - 1] + part * (logs[after] - logs[after - 1]))
