from typing import Any

class CompiledPuzzle:
    alphabet: str
    lexicons: tuple[object, ...]

    def __init__(
        self,
        lexicons: tuple[object, ...],
        alphabet: str,
        found: dict[str, object],
        columns: list[Any],
    ) -> None: ...
