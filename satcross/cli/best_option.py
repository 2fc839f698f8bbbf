"""``--best``: by which measure a fill is the best, and how a best fill is described."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from satcross.cli.options import option

if TYPE_CHECKING:
    from satcross.formats.words import Reading
    from satcross.outcome import Goal, Outcome
    from satcross.solving.best import Objective
    from satcross.vocabulary import Vocabulary

FILLS = "Which fills"
"""The heading of the options of this module in help texts."""

MEASURES = ("quality", "total", "mean", "min", "freshness")

_FRESHNESS = "freshness"
_NEEDS_FILE = "--best freshness needs a list of words used before: --best freshness FILE."


def join_best(args: list[str]) -> list[str]:
    """Join ``--best`` to its measure, and to the file of freshness, before arguments are parsed.

    ``--best`` may stand alone, before one of ``MEASURES``, or before freshness and a file; anything
    else that follows it is an argument by itself.
    """
    joined: list[str] = []
    rest = list(args)
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            return [*joined, argument, *rest]
        if argument == "--best":
            measure = rest.pop(0) if rest and rest[0].partition("=")[0] in MEASURES else MEASURES[0]
            argument = f"--best={measure}"
        if argument == f"--best={_FRESHNESS}":
            if not rest or (rest[0].startswith("-") and rest[0] != "-"):
                raise click.UsageError(_NEEDS_FILE)
            argument = f"{argument}={rest.pop(0)}"
        joined.append(argument)
    return joined


def _parse(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    measure, equals, file = value.partition("=")
    if measure not in MEASURES:
        raise click.BadParameter(f"{value!r} is none of {', '.join(MEASURES)}.")
    if measure == _FRESHNESS and not file.strip():
        raise click.BadParameter(_NEEDS_FILE)
    if equals and measure != _FRESHNESS:
        raise click.BadParameter(f"{measure} takes no file.")
    return value


def best_option() -> Any:
    """``--best``: None, a measure, or freshness=FILE. The command prepares with ``join_best``."""
    return option(
        "--best [quality|total|mean|min|freshness FILE]",
        "Find the best fill: the fewest words below a score of 50, then below 60, then the highest "
        "total (quality, the default; never below the floor of a fill without --best); the highest "
        "total score (or mean, which is equivalent), the highest lowest word score (min), or the "
        "most words that are not in FILE (freshness), with ties to the highest total. At "
        "--time-limit or Ctrl-C the best fill found and what is proved are printed.",
        heading=FILLS,
        callback=_parse,
    )


def read_objective(
    best: str, vocabulary: Vocabulary, reading: Reading, *, quiet: bool
) -> Objective:
    """The objective that the option names; its file is read as the vocabulary's words are."""
    from satcross.cli.read_puzzle import read_lists
    from satcross.formats.words import companion
    from satcross.solving.best import Measure, Objective

    measure, _, file = best.partition("=")
    used: frozenset[str] = frozenset()
    if file:
        how = companion(vocabulary, reading)
        used = frozenset(read_lists([file], quiet=quiet, reading=how).vocabulary)
    return Objective(Measure(measure), used)


def objective_file(best: str | None) -> str | None:
    """The file that the option names, if any."""
    return (best or "").partition("=")[2] or None


def best_text(outcome: Outcome) -> str:
    """The goals that the fill reached, their bounds, and whether it is proved to be the best."""
    slots = len(outcome.fill or ())
    goals = "; ".join(_goal(outcome, goal, slots) for goal in outcome.goals)
    return f"{goals}: {'proved to be the best' if outcome.optimal else 'not proved to be the best'}"


_NAMES = {
    "fresh": "fresh words",
    "floor": "floor",
    "publishable": "publishable words",
    "solid": "solid words",
}


def _goal(outcome: Outcome, goal: Goal, slots: int) -> str:
    from satcross.outcome import TOTAL

    text = f"{_NAMES.get(goal.name, f'{goal.name} score')} {goal.value:,}"
    if goal.name == TOTAL and outcome.objective == "mean" and slots and goal.value is not None:
        text = f"mean score {goal.value / slots:.2f} ({text})"
    if goal.value is None or goal.reached:
        return text
    if goal.bound is None:
        return f"{text} (no bound known)"
    gap = goal.bound - goal.value
    has_share = goal.bound and goal.name not in _NAMES
    share = f", gap {100 * gap / abs(goal.bound):.1f} %" if has_share else ""
    return f"{text} of at most {goal.bound:,}{share}"
