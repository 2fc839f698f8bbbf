class Layouts:
    def __init__(
        self,
        codes: list[int],
        lengths: list[int],
        values: list[float],
        settings: dict[str, float],
        seed: int,
    ) -> None: ...
    def improve(self, changes: int) -> bool: ...
    def best(self) -> list[tuple[int, bool]]: ...
