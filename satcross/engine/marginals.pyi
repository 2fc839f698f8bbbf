from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]

class Part:
    def __init__(
        self, codes: Array, columns: int, heard: Array, told: Array, weights: Array
    ) -> None: ...
    def weigh(self) -> None: ...
    def tell(self) -> None: ...
