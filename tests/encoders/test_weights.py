"""Soft clauses for the weights of a slot's words."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from strategies import SmallPuzzle, possible_puzzles

from encoders import CpSatEncoding, Instance, encode, maximise, weight_levels
from satcross.network.arc_consistency import arc_consistent
from satcross.network.to_encoder import to_instance


def test_the_cost_is_what_the_words_fall_short_by() -> None:
    square = Instance(
        slots=(((0, 0), (0, 1)), ((0, 0), (1, 0))),
        candidates=(("AB", "CD", "EF"), ("CE", "AY", "EZ")),
    )
    weights = ({"AB": 90, "CD": 40, "EF": -10}, {"CE": 40, "AY": -20, "EZ": 70})
    clauses, encoding = encode(square)
    formula = WCNF()
    formula.extend(clauses)
    for slot, own in enumerate(weights):
        hard, soft = weight_levels(encoding, slot, own)
        formula.extend(hard)
        for weight, clause in soft:
            formula.append(clause, weight=weight)
    with RC2(formula) as rc2:
        model = rc2.compute()
        assert encoding.decode(model) == ["CD", "CE"]
        assert rc2.cost == (90 - 40) + (70 - 40)


def test_one_level_has_nothing_to_ask_for() -> None:
    _, encoding = encode(Instance(slots=(((0, 0), (0, 1)),), candidates=(("AB", "CD"),)))
    assert weight_levels(encoding, 0, {"AB": 7, "CD": 7}) == ([], [])


@given(possible_puzzles(), st.randoms(use_true_random=False))
def test_cp_sat_finds_the_heaviest_fill(small: SmallPuzzle, random: Random) -> None:
    candidates = arc_consistent(small.puzzle)
    instance = to_instance(candidates)
    values = {word: random.randint(-3, 9) for words in instance.candidates for word in words}
    weights = [[values[word] for word in words] for words in instance.candidates]
    slots = small.puzzle.grid.slots
    totals = [sum(values[fill[slot.name]] for slot in slots) for fill in small.fills()]
    ideal = sum(map(max, weights))
    for minimum in {*totals, max(totals, default=ideal) + 1, ideal, ideal - 1}:
        encoding = CpSatEncoding(instance)
        if minimum > ideal:
            with pytest.raises(ValueError, match=f"no fill can weigh {minimum}, only {ideal}"):
                maximise(encoding, weights, minimum)
            continue
        assert maximise(encoding, weights, minimum) == ideal
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(encoding.model)
        assert (status == cp_model.OPTIMAL) is any(total >= minimum for total in totals)
        if status == cp_model.OPTIMAL:
            solution = solver.response_proto.solution
            words = encoding.decode(lambda index: bool(solution[index]))  # noqa: B023
            assert sum(map(values.__getitem__, words)) == max(totals)
