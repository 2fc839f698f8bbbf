"""An exhaustive search without code of satcross: words tried slot by slot on a board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

Cell = tuple[int, int]
Fill = dict[str, str]


def all_fills(
    slots: Mapping[str, Sequence[Cell]],
    words: Sequence[str],
    *,
    repeats: bool = False,
    fixed: Mapping[str, str] | None = None,
    given: Mapping[Cell, str] | None = None,
    extra: Mapping[str, str] | None = None,
) -> Iterator[dict[str, str]]:
    """Yield every fill, as slot name -> word, of slots with fixed words and given letters.

    ``extra`` maps a slot name to a word that the slot may take although ``words`` lacks it.
    """
    names = list(slots)
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    for word in words:
        by_length[len(word)].append(word)

    def choices(name: str, board: Mapping[Cell, str]) -> list[str]:
        """Return the words of a slot that agree with the letters on the board."""
        cells = slots[name]
        found = by_length[len(cells)]
        if fixed and name in fixed:
            found = [fixed[name]]
        elif extra and name in extra and extra[name] not in found:
            found = [*found, extra[name]]
        found = [word for word in found if len(word) == len(cells)]
        for place, cell in enumerate(cells):
            if cell in board:
                found = [word for word in found if word[place] == board[cell]]
        return found

    def extend(
        number: int, board: dict[Cell, str], fill: dict[str, str]
    ) -> Iterator[dict[str, str]]:
        if number == len(names):
            yield fill
            return
        name = names[number]
        for word in choices(name, board):
            if repeats or word not in fill.values():
                placed = dict(zip(slots[name], word, strict=True))
                yield from extend(number + 1, board | placed, fill | {name: word})

    yield from extend(0, dict(given or {}), {})
