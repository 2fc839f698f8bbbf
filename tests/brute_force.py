"""An exhaustive search that shares nothing with satcross: words tried slot by slot on a board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def all_fills(
    slots: Mapping[str, Sequence[tuple[int, int]]],
    words: Sequence[str],
    *,
    repeats: bool = False,
    locks: Mapping[str, str] | None = None,
) -> Iterator[dict[str, str]]:
    """Every fill, as slot name -> word."""
    names = list(slots)

    def extend(
        number: int, board: dict[tuple[int, int], str], fill: dict[str, str]
    ) -> Iterator[dict[str, str]]:
        if number == len(names):
            yield dict(fill)
            return
        name = names[number]
        cells = slots[name]
        choices = [locks[name]] if locks and name in locks else words
        for word in choices:
            if len(word) != len(cells) or (not repeats and word in fill.values()):
                continue
            if any(
                board.get(cell, letter) != letter for cell, letter in zip(cells, word, strict=True)
            ):
                continue
            yield from extend(
                number + 1,
                {**board, **dict(zip(cells, word, strict=True))},
                {**fill, name: word},
            )

    yield from extend(0, {}, {})


def count_fills(
    slots: Mapping[str, Sequence[tuple[int, int]]], words: Sequence[str], *, repeats: bool = False
) -> int:
    return sum(1 for _ in all_fills(slots, words, repeats=repeats))
