"""An exhaustive search without code of satcross: words tried slot by slot on a board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

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


def with_theme(fills: Iterable[Fill], theme: Collection[str], least: int) -> Iterator[Fill]:
    """Yield the fills that use at least the given number of the words."""
    for fill in fills:
        if sum(word in fill.values() for word in theme) >= least:
            yield fill


def without_likes(
    fills: Iterable[Fill], most: int | None, stem_endings: Sequence[str], own: Collection[str]
) -> Iterator[Fill]:
    """Yield the fills without two words that are too similar, unless both are ``own``."""
    for fill in fills:
        words = sorted(set(fill.values()))
        pairs = ((one, other) for one in words for other in words if one < other)
        if not any(
            alike(one, other, most, stem_endings) and not (one in own and other in own)
            for one, other in pairs
        ):
            yield fill


def alike(one: str, other: str, most: int | None, stem_endings: Sequence[str]) -> bool:
    """Return whether two words share too many consecutive letters, or a stem."""
    if most is not None:
        for start in range(len(one)):
            for end in range(start + most + 1, len(one) + 1):
                if one[start:end] in other:
                    return True
    if stem_endings:
        for length in range(2, min(len(one), len(other)) + 1):
            rests = {one[length:], other[length:]}
            if one[:length] == other[:length] and rests <= {"", *stem_endings}:
                return True
    return False
