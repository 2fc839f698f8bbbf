from collections.abc import Sequence

from satcross.backends.letter_search import LetterSettings
from satcross.engine.puzzle import CompiledPuzzle
from satcross.network.arc_consistency import State

class LetterLearning:
    def __init__(
        self,
        puzzle: CompiledPuzzle,
        root: State,
        is_distinct: bool,
        settings: LetterSettings,
        activities: Sequence[float],
    ) -> None: ...
    def run(self, max_visited: int) -> int: ...
    def exclude(self, crossings: Sequence[int]) -> None: ...
    def domains(self) -> list[int]: ...
    @property
    def conflicts(self) -> int: ...
    @property
    def clauses(self) -> int: ...
