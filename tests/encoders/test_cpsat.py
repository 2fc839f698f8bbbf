"""The CP-SAT model, without a backend."""

from __future__ import annotations

from hypothesis import given, settings
from ortools.sat.python import cp_model
from strategies import SmallPuzzle, possible_puzzles

from encoders import CpSatEncoding
from satcross.network.arc_consistency import arc_consistent
from satcross.network.to_encoder import to_instance


class Counter(cp_model.CpSolverSolutionCallback):
    """Collects the fills."""

    def __init__(self, encoding: CpSatEncoding) -> None:
        super().__init__()
        self._encoding = encoding
        self.found: list[tuple[str, ...]] = []

    def on_solution_callback(self) -> None:
        solution = self.response_proto.solution
        self.found.append(tuple(self._encoding.decode(lambda index: bool(solution[index]))))


@settings(max_examples=60)
@given(possible_puzzles())
def test_solutions_are_the_fills(small: SmallPuzzle) -> None:
    candidates = arc_consistent(small.puzzle)
    encoding = CpSatEncoding(to_instance(candidates))
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1  # with more workers, CP-SAT misses solutions
    counter = Counter(encoding)
    solver.solve(encoding.model, counter)
    expected = small.truth()
    assert sorted(counter.found) == expected
    for fill in expected[:1]:
        encoding.hint(fill)
        hint = encoding.proto.solution_hint
        hinted = dict(zip(hint.vars, hint.values, strict=True))
        assert tuple(encoding.decode(hinted.__getitem__)) == fill
