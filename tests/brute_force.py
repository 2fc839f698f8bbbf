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
    words_of = {}
    for name, cells in slots.items():
        found = by_length[len(cells)]
        if fixed and name in fixed:
            found = [fixed[name]]
        elif extra and name in extra and extra[name] not in found:
            found = [*found, extra[name]]
        words_of[name] = [word for word in found if len(word) == len(cells)]

    def extend(
        number: int, board: dict[Cell, str], fill: dict[str, str]
    ) -> Iterator[dict[str, str]]:
        if number == len(names):
            yield fill
            return
        name = names[number]
        found, used = words_of[name], () if repeats else fill.values()
        for place, cell in enumerate(slots[name]):
            if cell in board:
                letter = board[cell]
                found = [word for word in found if word[place] == letter]
        for word in found:
            if word not in used:
                placed = dict(zip(slots[name], word, strict=True))
                yield from extend(number + 1, board | placed, fill | {name: word})

    yield from extend(0, dict(given or {}), {})
