from collections.abc import Sequence

from satcross.engine.puzzle import CompiledPuzzle

class LetterLearning:
    def __init__(
        self,
        puzzle: CompiledPuzzle,
        root: object,
        is_distinct: bool,
        settings: object,
        activities: Sequence[float],
    ) -> None: ...
    def run(self, max_visited: int) -> int: ...
    def exclude(self, crossings: Sequence[int]) -> None: ...
    def domains(self) -> list[int]: ...
    @property
    def conflicts(self) -> int: ...
    @property
    def clauses(self) -> int: ...
