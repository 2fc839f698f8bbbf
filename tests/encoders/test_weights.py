"""Soft clauses for the weights of a slot's words."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from strategies import SmallPuzzle, possible_puzzles

from encoders import CpSatEncoding, maximise
from satcross.network.arc_consistency import arc_consistent
from satcross.network.to_encoder import to_instance


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
