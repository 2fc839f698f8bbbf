"""An exhaustive search without code of satcross: words tried slot by slot on a board."""

from __future__ import annotations

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

    def extend(
        number: int, board: dict[Cell, str], fill: dict[str, str]
    ) -> Iterator[dict[str, str]]:
        if number == len(names):
            yield dict(fill)
            return
        name = names[number]
        cells = slots[name]
        choices = [fixed[name]] if fixed and name in fixed else words
        if extra and name in extra and extra[name] not in choices and name not in (fixed or ()):
            choices = [*choices, extra[name]]
        for word in choices:
            if len(word) != len(cells) or (not repeats and word in fill.values()):
                continue
            placed = dict(zip(cells, word, strict=True))
            if any(board.get(cell, letter) != letter for cell, letter in placed.items()):
                continue
            yield from extend(number + 1, {**board, **placed}, {**fill, name: word})

    yield from extend(0, dict(given or {}), {})
