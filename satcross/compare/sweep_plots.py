"""Plots of a sweep: probability of a fill, cost of each contender, and families on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from satcross.compare.plots import (
    GREY,
    LOG,
    Plot,
    drawing,
    look,
    new_axes,
    set_scale,
    split,
    to_plot,
)
from satcross.compare.sweep import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_sweep(curves: Sequence[Curve], measure: str) -> list[Plot]:
    """Return the plots of a sweep; families without a run are left out.

    Raises UnavailableError if matplotlib is not installed.
    """
    curves = [curve for curve in curves if curve.points]
    with drawing():
        if not curves:
            return []
        plots = [_probability(curves)]
        if sum(curve.half is not None for curve in curves) > 1:
            plots.append(_scaled(curves))
        return plots + [_cost(curve, measure, number) for number, curve in enumerate(curves, 1)]


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
    figure.legend(loc="outside right upper")
    return to_plot(figure, "probability", "Probability of a fill (dotted: one fill expected)")


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
    figure.legend(loc="outside right upper")
    return to_plot(figure, "scaled", "Families of different size on one scale")


def _label(axes: Axes, text: str) -> None:
    set_scale(axes, LOG, "x")
    axes.set(ylim=(-0.02, 1.02), xlabel=text, ylabel="probability of a fill")


def _cost(curve: Curve, measure: str, number: int) -> Plot:
    """Plot the median cost of each contender, and behind it the probability of a fill."""
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
        colour, mark = look(index)["color"], look(index)["marker"]
        sizes = [point.words for point in places]
        medians = [max(cost.median, 0.001) for cost in costs]
        axes.plot(sizes, medians, color=colour, linewidth=1.4, label=contender)
        for censored in (False, True):
            found = [
                (size, time)
                for size, time, cost in zip(sizes, medians, costs, strict=True)
                if cost.censored == censored
            ]
            faces = "none" if censored else colour
            axes.scatter(*split(found), marker=mark, s=22, edgecolors=colour, facecolors=faces)
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, 0.001), max(high, 10 * low))  # noise must not look like a peak
    set_scale(axes, LOG, "x", "y")
    axes.set(xlabel="words of each length", ylabel=f"median {measure.upper()} seconds")
    figure.legend(loc="outside lower center", ncols=3)
    title = f"{curve.family}: cost (hollow: at least half of the runs ended at a limit)"
    return to_plot(figure, f"cost-{number}", title)
