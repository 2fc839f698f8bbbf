"""Cactus and scatter plots of results, drawn with matplotlib (extra ``satcross[report]``)."""

from __future__ import annotations

import io
import logging
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satcross.compare.scores import MIN_COST, VIRTUAL_BEST, Standings, shares
from satcross.compare.statistics import Statistics, cliques, survival
from satcross.compare.sweep import Curve
from satcross.errors import InputError, UnavailableError
from satcross.formats.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOG, LINEAR = "log", "linear"
"""Scales of the time axes."""

_MAX_PAIRS = 6
"""Maximum number of scatter plots, which compare pairs of the best contenders."""

_INK = "#0a0b0c"
"""Placeholder that the SVG replaces by the text colour of the page."""

# Distinguishable with colour blindness and on light and dark pages (Okabe and Ito 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999")
DASHES = ("-", "--", "-.", ":")
MARKS = "osD^vP*Xp<>"
GREY = "#888888"
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "satcross",  # constant ids, so that equal runs give equal files
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor"), _INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), _INK),
    "grid.color": GREY,
    "grid.alpha": 0.3,
    "axes.grid": True,
    "legend.frameon": False,
}


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot; ``name`` is the stem of its file name.

    ``svg`` has a transparent background and draws text in ``currentColor``, for light and dark
    pages.
    """

    name: str
    title: str
    svg: str
    figure: Figure

    def png(self) -> bytes:
        """Return the plot as PNG, black on white. That takes as long as the SVG."""
        data = io.BytesIO()
        with drawing():
            self.figure.savefig(data, format="png", dpi=160, facecolor="white")
        return data.getvalue()


def draw(
    table: Standings,
    scale: str = LOG,
    pairs: Sequence[tuple[str, str]] = (),
    statistics: Statistics | None = None,
) -> list[Plot]:
    """Return a cactus plot, survival curves, and scatter plots of pairs of contenders.

    ``scale`` is LOG or LINEAR. ``pairs`` are by default those of the best contenders. With
    ``statistics`` there is a critical-difference diagram, too. Returns no plots if there is no
    puzzle that all contenders were asked. Raises UnavailableError if matplotlib is not installed.
    """
    with drawing():
        if not table.common:
            return []
        ranking = table.ranking(table.common) or list(table.contenders)  # all may be disqualified
        plots = [_cactus(table, ranking, scale), _survival(table, ranking, scale)]
        if table.has_goal:
            plots.append(_anytime(table, ranking, scale))
        if statistics is not None and len(statistics.ranks) > 1:
            plots.append(_critical_difference(statistics))
        chosen = pairs or list(combinations(ranking, 2))[:_MAX_PAIRS]
        for number, pair in enumerate(chosen, 1):
            plots.append(_scatter(table, pair, number, scale))
        return plots


@contextmanager
def drawing() -> Iterator[None]:
    """Apply the settings of all plots. Raises UnavailableError if matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        raise UnavailableError(
            "plots need matplotlib; install it with pip install 'satcross[report]', or '.[report]' "
            "in a copy of the repository"
        ) from None
    # Otherwise its first use by somebody prints that the font cache is being built.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with matplotlib.rc_context(SETTINGS):
        yield


def drawn(draw: Callable[[], list[Plot]], folder: str | None) -> list[Plot] | None:
    """Return what ``draw`` draws; write it as SVG and PNG into a folder, made where its parent is.

    Returns None if matplotlib is not installed. Raises UnavailableError then if there is a folder.
    """
    try:
        plots = draw()
    except UnavailableError:
        if folder is not None:
            raise
        return None
    if folder is None:
        return plots
    try:
        Path(folder).mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"can't be made ({error.strerror})", "choose another folder", file=folder
        ) from None
    for plot in plots:
        # Outside of a page, ink in the page's colour would be hard to read on a dark background.
        black = plot.svg.replace("currentColor", "#000000")
        alone = black.replace("<svg ", '<svg style="background: white" ', 1)
        for ending, data in (("svg", alone.encode()), ("png", plot.png())):
            path = str(Path(folder) / f"{plot.name}.{ending}")
            write_atomically(path, partial(Path.write_bytes, data=data))
    return plots


def _cactus(table: Standings, ranking: Sequence[str], scale: str) -> Plot:
    """Plot the time limit per puzzle against the number of puzzles solved within it."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = new_axes(6.4, 4.2)
    lines = {name: [table.results[name][key] for key in table.common] for name in ranking}
    if len(ranking) > 1:
        best = map(table.best, table.common)
        lines[VIRTUAL_BEST] = [result for result in best if result is not None]
    for number, (name, results) in enumerate(lines.items()):
        times = sorted(result.seconds for result in results if result.solved)
        style = {**look(number), "markersize": 3, "label": f"{name} ({len(times)})"}
        if name == VIRTUAL_BEST:
            style |= {"color": GREY, "linestyle": ":", "marker": None}
        axes.plot(range(1, len(times) + 1), times, **style)
    for limit in filter(math.isfinite, table.limits):
        axes.axhline(limit, color=GREY, linestyle="--", linewidth=0.8)
    set_scale(axes, scale, "y")
    seconds = f"{table.measure.upper()} seconds"
    axes.set_xlim(0, len(table.common))
    axes.margins(x=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel=f"puzzles solved, of {len(table.common)}", ylabel=f"{seconds} per run")
    return _with_legend(figure, "cactus", "Puzzles solved within a time limit (dashed: the limit)")


def _survival(table: Standings, ranking: Sequence[str], scale: str) -> Plot:
    """Plot the share of puzzles unsolved after each time, as Kaplan and Meier estimate it."""
    results = {name: [table.results[name][key] for key in table.common] for name in ranking}
    curves = {name: survival(some, table.measure) for name, some in results.items()}
    end = max(filter(math.isfinite, table.limits), default=0.0)
    figure, axes = _steps(curves, end, scale)
    axes.set(xlabel=f"{table.measure.upper()} seconds", ylabel="share of puzzles unsolved")
    return _with_legend(figure, "survival", "Share of puzzles unsolved after a time")


def _anytime(table: Standings, ranking: Sequence[str], scale: str) -> Plot:
    """Plot the share of the best known scores that each contender has at a time."""
    curves = {name: shares(table, name, table.common) for name in ranking}
    times = [time for steps in curves.values() for time, _ in steps]
    figure, axes = _steps(curves, 1.2 * max(times), scale)
    axes.set(xlabel="wall-clock seconds", ylabel="mean share of the best known")
    return _with_legend(figure, "anytime", "Quality of the fills found within a time")


def _steps(
    curves: Mapping[str, Sequence[tuple[float, float]]], end: float, scale: str
) -> tuple[Figure, Axes]:
    """Draw shares by time, each from a first point at 0 s; all last until ``end`` at least."""
    figure, axes = new_axes(6.4, 4.2)
    times = [max(time, MIN_COST) for steps in curves.values() for time, _ in steps[1:]]
    last = max([end, *times]) or 1.0
    for number, (name, steps) in enumerate(curves.items()):
        points = [(max(time, MIN_COST), share) for time, share in (*steps, (last, steps[-1][1]))]
        style = {"marker": None, "linestyle": DASHES[number % len(DASHES)], "label": name}
        axes.step(*split(points), where="post", **(look(number) | style))
    if scale == LOG:
        axes.set_xlim(left=min(times, default=MIN_COST) / 1.5)
    set_scale(axes, scale, "x")
    axes.set(ylim=(0, 1.02))
    return figure, axes


def _critical_difference(statistics: Statistics) -> Plot:
    """Plot the mean ranks; a bar joins contenders that do not differ significantly."""
    ranks = sorted(statistics.ranks, key=lambda rank: rank.mean_rank)
    groups = cliques(statistics.ranks, statistics.tests)
    left = (len(ranks) + 1) // 2
    height = 0.9 + 0.12 * len(groups) + 0.28 * left
    figure, axes = new_axes(6.4, height)
    axes.grid(False)
    axes.set_xlim(1, len(ranks))
    axes.set_ylim(-height, 0.1)
    axes.xaxis.tick_top()
    axes.spines[["left", "right", "bottom"]].set_visible(False)
    axes.spines["top"].set_visible(True)
    axes.set_yticks([])
    where = {rank.contender: rank.mean_rank for rank in ranks}
    for number, group in enumerate(groups):
        y = -0.15 - 0.12 * number
        ends = [where[group[0]] - 0.03, where[group[-1]] + 0.03]
        axes.plot(ends, [y, y], color=COLOURS[0], linewidth=4, solid_capstyle="butt")
    below = -0.3 - 0.12 * len(groups)
    for number, rank in enumerate(ranks):
        is_left = number < left
        y = below - 0.28 * (number if is_left else len(ranks) - 1 - number)
        edge = 1 if is_left else len(ranks)
        axes.plot([rank.mean_rank, rank.mean_rank, edge], [0, y, y], color=_INK, linewidth=0.8)
        axes.text(
            edge, y, f" {rank.contender} ({rank.mean_rank:.2f}) ", va="center",
            ha="right" if is_left else "left", fontsize=9,
        )  # fmt: skip
    title = "Mean ranks; a bar joins contenders that do not differ significantly"
    return to_plot(figure, "critical-difference", title)


def _scatter(table: Standings, names: tuple[str, str], number: int, scale: str) -> Plot:
    """Plot the times of one contender against those of another, one point per puzzle."""
    first, second = (table.results[name] for name in names)
    figure, axes = new_axes(4.6, 4.6)
    shared = [key for key in table.shared if key in first and key in second]
    limits = (row[key].record.limit(table.measure) for row in (first, second) for key in shared)
    limit = max(filter(math.isfinite, limits), default=None)
    edge = 1e4 if limit is None else limit  # where unsolved puzzles lie
    values: list[float] = []
    for index, (family, keys) in enumerate(table.families().items()):
        known = [key for key in keys if key in shared]
        points = [
            [max(row[key].seconds, MIN_COST) if row[key].solved else edge for key in known]
            for row in (first, second)
        ]
        values += [*points[0], *points[1]]
        style = {key: look(index)[key] for key in ("color", "marker")}
        axes.scatter(
            points[0], points[1], s=16, alpha=0.8, linewidths=0, label=family or "puzzles", **style
        )
    low, high = min(values) / 1.5, max(values) * 1.5
    if scale == LINEAR:
        low, high = 0.0, max(values) * 1.05
    axes.plot([low, high], [low, high], color=GREY, linewidth=0.8)
    if limit is not None:
        axes.axhline(limit, color=GREY, linestyle=":", linewidth=0.8)
        axes.axvline(limit, color=GREY, linestyle=":", linewidth=0.8)
    axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
    set_scale(axes, scale, "x", "y")
    labels = [f"{name}: {table.measure.upper()} seconds" for name in names]
    axes.set(xlabel=labels[0], ylabel=labels[1])
    figure.legend(fontsize=7, loc="outside lower center", ncols=3, handletextpad=0.1)
    return to_plot(figure, f"scatter-{number}", f"{names[0]} against {names[1]}")


def set_scale(axes: Axes, scale: str, *names: str) -> None:
    """Scale axes of times, with ticks in plain decimal notation, at round numbers."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

    for name in names:
        axis = axes.xaxis if name == "x" else axes.yaxis
        if scale == LOG:
            axes.set(**{f"{name}scale": "log"})
            low, high = getattr(axes, f"get_{name}lim")()
            subs = (1.0,) if high > 100 * low else (1.0, 2.0, 5.0)
            several = high > 10 * low
            axis.set_major_locator(LogLocator(10, subs=subs) if several else MaxNLocator(5))
            axis.set_minor_formatter(NullFormatter())
        else:
            axes.set(**{f"{name}lim": (0, None)})
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))


def new_axes(width: float, height: float) -> tuple[Figure, Axes]:
    """Return an empty figure of this size in inches, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def split(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the first and the second coordinates."""
    return [x for x, _ in points], [y for _, y in points]


def look(number: int) -> dict[str, Any]:
    """Return how the line of a number looks: it stays apart in colour and in shape."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number // len(COLOURS) % len(DASHES)],
        "marker": MARKS[number % len(MARKS)],
        "linewidth": 1.6,
    }


def _with_legend(figure: Figure, name: str, title: str) -> Plot:
    figure.legend(loc="outside right upper")
    return to_plot(figure, name, title)


def to_plot(figure: Figure, name: str, title: str) -> Plot:
    """Return a figure as SVG, with what makes a PNG of it."""
    svg = io.StringIO()
    figure.savefig(svg, format="svg", transparent=True, metadata={"Date": None})
    # An element without XML preamble, with ids that are unique among the plots of a page.
    text = svg.getvalue().partition("<svg")[2]
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", text)
    return Plot(name, title, f"<svg{text.replace(_INK, 'currentColor')}", figure)


def draw_sweep(curves: Sequence[Curve]) -> list[Plot]:
    """Return the plots of a sweep but for families without a run. Raises UnavailableError."""
    curves = [curve for curve in curves if curve.points]
    with drawing():
        if not curves:
            return []
        plots = [_probability(curves)]
        if sum(curve.half is not None for curve in curves) > 1:
            plots.append(_scaled(curves))
        return plots + [_cost(curve, number) for number, curve in enumerate(curves, 1)]


def _probability(curves: Sequence[Curve]) -> Plot:
    """Plot the probability of a fill with intervals, and the first-moment estimates."""
    figure, axes = new_axes(6.8, 4.2)
    for number, curve in enumerate(curves):
        known = [(point, point.probability) for point in curve.points]
        points = [(point, share) for point, share in known if share is not None]
        sizes, shares = split([(point.words, share) for point, share in points])
        ends = [(max(0.0, share - p.low), max(0.0, p.high - share)) for p, share in points]
        style = {**look(number), "markersize": 4, "elinewidth": 0.8, "label": curve.family}
        axes.errorbar(sizes, shares, split(ends), **style)
        if curve.estimate is not None:
            axes.axvline(curve.estimate, color=look(number)["color"], linestyle=":", linewidth=1)
    _label(axes, "words of each length")
    return _with_legend(figure, "probability", "Probability of a fill (dotted: one fill expected)")


def _scaled(curves: Sequence[Curve]) -> Plot:
    """Plot all families against the size divided by that at which half have a fill."""
    figure, axes = new_axes(6.4, 4.2)
    for number, curve in enumerate(curves):
        if curve.half is None:
            continue
        points = [(point.words / curve.half, point.probability) for point in curve.points]
        known = [(size, share) for size, share in points if share is not None]
        axes.plot(*split(known), **look(number), markersize=4, label=curve.family)
    axes.axvline(1, color=GREY, linewidth=0.8)
    _label(axes, "words of each length, divided by the number at 50%")
    return _with_legend(figure, "scaled", "Families of different size on one scale")


def _label(axes: Axes, text: str) -> None:
    set_scale(axes, LOG, "x")
    axes.set(ylim=(-0.02, 1.02), xlabel=text, ylabel="probability of a fill")


def _cost(curve: Curve, number: int) -> Plot:
    """Plot the costs of each contender, and behind them the probability of a fill."""
    figure, axes = new_axes(6.0, 4.0)
    behind = axes.twinx()
    known = [point for point in curve.points if point.probability is not None]
    shares = split([(point.words, point.probability or 0.0) for point in known])
    behind.fill_between(*shares, color=GREY, alpha=0.2, linewidth=0)
    behind.set(ylim=(0, 1), ylabel="probability of a fill (grey)")
    axes.set_zorder(1)
    axes.patch.set_visible(False)
    for index, contender in enumerate(curve.contenders):
        places = [point for point in curve.points if contender in point.costs]
        costs = [point.costs[contender] for point in places]
        sizes = [point.words for point in places]
        medians, low, high = (
            [max(getattr(cost, name), MIN_COST) for cost in costs]
            for name in ("median", "low", "high")
        )
        style = {**look(index), "markersize": 5, "linewidth": 1.4, "label": contender}
        colour = style["color"]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(sizes, medians, **style)
        late = [
            (size, cost.median) for size, cost in zip(sizes, costs, strict=True) if cost.censored
        ]
        hollow = {"color": "white", "edgecolors": colour, "marker": style["marker"], "zorder": 3}
        axes.scatter(*split(late), s=25, **hollow)
    set_scale(axes, LOG, "x", "y")
    bottom, top = axes.get_ylim()
    axes.set_ylim(bottom, max(top, 10 * bottom))  # noise must not look like a peak
    set_scale(axes, LOG, "y")
    axes.set(xlabel="words of each length", ylabel="median CPU seconds")
    figure.legend(loc="outside lower center", ncols=3)
    title = f"{curve.family}: cost and its middle half (hollow: the median is a limit)"
    return to_plot(figure, f"cost-{number}", title)
