"""Layouts searched in compiled code: right, and as small as those of the search in Python."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satcross import engine
from satcross.make import Goal, Layout, check_layout
from satcross.make.layout.local_search import CompiledSearch, search_layouts
from satcross.run_settings import Deadline


def cost(words: list[str], goal: Goal, layout: Layout) -> tuple[float, int]:
    """The value of the words that are missing, and the size."""
    there = {word for word, _ in layout.placements}
    missing = goal.missing([word for word in words if word not in there])
    return missing, goal.measure(layout.height, layout.width)


def search_in_python(words: list[str], goal: Goal) -> list[tuple[float, int]]:
    costs = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "available", lambda: False)
        search_layouts(
            words,
            3,
            Deadline(),
            rounds=2,
            on_layout=lambda layout: costs.append(cost(words, goal, layout)),
            goal=goal,
        )
    return costs


@settings(max_examples=40)
@given(
    st.lists(st.text("ABCDE", min_size=2, max_size=6), min_size=2, max_size=9, unique=True),
    st.sampled_from([None, (6, 6), (7, 9)]),
    st.booleans(),
)
def test_compiled_search(words: list[str], box: tuple[int, int] | None, square: bool) -> None:
    """Its layouts are right, get ever better, and are as small as those of the other search."""
    goal = Goal(box, square=square, values={words[0]: 2})
    costs = []

    def keep(layout: Layout) -> None:
        there = [word for word, _ in layout.placements]
        assert check_layout(there, layout.rows) == []
        assert box is None or (layout.height <= box[0] and layout.width <= box[1])
        assert box is not None or len(there) == len(words)
        costs.append(cost(words, goal, layout))

    left_over = CompiledSearch(words, 7, goal).run(Deadline(), 4, keep)
    assert costs == sorted(costs, reverse=True)
    assert (not left_over) == (bool(costs) and costs[-1][0] == 0)
    if len(words) <= 4:
        in_python = search_in_python(words, goal)
        # Both searches are random: one start may miss the smallest layout, ten don't.
        for seed in range(10):
            if not in_python or min(costs) <= in_python[-1]:
                break
            CompiledSearch(words, seed, goal).run(Deadline(), 4, keep)
        assert not in_python or min(costs) <= in_python[-1]
