"""How a best fill is described."""

from __future__ import annotations

from satcross.outcome import NO_BETTER, TOTAL, Goal, Outcome


def best_text(outcome: Outcome) -> str:
    """The goals that the fill reached, their bounds, and whether it is proved to be the best."""
    goals = "; ".join(filter(None, (_goal(outcome, goal) for goal in outcome.goals)))
    if outcome.reason == NO_BETTER:
        return f"{goals}; {NO_BETTER}"
    return f"{goals}; {'' if outcome.optimal else 'not '}proved to be the best"


def _goal(outcome: Outcome, goal: Goal) -> str:
    slots, value, bound = len(outcome.fill or ()), goal.value or 0, goal.bound
    is_open = bound is not None and not goal.reached
    if goal.level is not None:
        if slots == value and (outcome.goals[0].value or 0) >= goal.level:
            return ""  # the floor says so
        number = slots - (bound or 0) if is_open else 0
        fewest = f" (every fill has {number} or more)" if number else ""
        return f"{slots - value or 'none'} below {goal.level}{fewest}"
    if goal.name == "floor":
        return f"all words {value} or more" + (f" ({bound} is not ruled out)" if is_open else "")
    limit = f"no fill exceeds {bound:,}" if is_open else ""
    mean = f"mean {value / slots:.1f}" if goal.name == TOTAL and slots else ""
    more = ", ".join(filter(None, (mean, limit)))
    name = "new words" if goal.name == "fresh" else f"{goal.name} score"
    return f"{name} {value:,}" + (f" ({more})" if more else "")
