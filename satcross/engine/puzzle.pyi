from satcross.vocabulary import Masks, WordGroup

class CompiledPuzzle:
    alphabet: str
    lexicons: tuple[WordGroup, ...]

    def __init__(
        self,
        lexicons: tuple[WordGroup, ...],
        alphabet: str,
        found: dict[str, object],
        columns: list[tuple[WordGroup, int, Masks]],
    ) -> None: ...
