"""Count the legal crossword grids of each size exactly, and the most words that one can have.

The numbers are those of OEIS A323838, A323839 and A243826.

A legal grid is a square of blocked and open cells that is symmetric under a half turn, in which all
open cells are connected and every run of open cells, across and down, has three or more. The first
sequence counts all of them, the second those without a blocked row or column at the edge.

The rows of the upper half are added one by one. What matters of the rows above is, for each column,
how long the open run at its end is (0, 1, 2, or more), and which of these runs are connected; grids
that agree in this are counted together. The lower half is the upper one turned, so that the middle
row decides whether everything is connected.

    python tests/benchmarks/legal_grids.py 11

prints the three numbers for each odd size up to 11, with the CPU time, and fails if they are not
those of the sequences. The last is exact, too: for each state, the most words of the rows so far.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Sequence

KNOWN = {
    3: (1, 1),
    5: (15, 12),
    7: (397, 312),
    9: (35324, 31187),
    11: (18446134, 17438702),
    13: (41752489852, 40575832476),
    15: (409764131469787, 404139015237875),
}
"""Size -> numbers of grids, as the sequences give them."""

MOST_WORDS = {9: 32, 11: 50, 13: 72, 15: 96}
"""Size -> most words, as A243826 gives them."""

LONG = 3
"""A run of three or more open cells."""

State = tuple[tuple[tuple[int, int], ...], bool]
"""For each column the length of the open run and its component (0: none); whether an edge column
has an open cell."""


def legal_rows(size: int) -> list[tuple[bool, ...]]:
    """Return the rows in which every open run is long enough."""
    found = []
    for number in range(1 << size):
        row = tuple(bool(number >> column & 1) for column in range(size))
        runs = "".join("_" if is_open else "#" for is_open in row).split("#")
        if all(len(run) >= LONG for run in runs if run):
            found.append(row)
    return found


def extend(state: State, row: Sequence[bool]) -> State | None:
    """Return the state below a further row, or None if that can't be part of a legal grid."""
    columns, touched = state
    parent: dict[int, int] = {}

    def find(label: int) -> int:
        while parent.setdefault(label, label) != label:
            label = parent[label]
        return label

    lengths, labels = [], []
    fresh = 1000
    before = 0
    for (length, label), is_open in zip(columns, row, strict=True):
        if not is_open:
            if 0 < length < LONG:
                return None
            lengths.append(0)
            labels.append(0)
            before = 0
            continue
        lengths.append(min(LONG, length + 1))
        if not label:
            fresh += 1
            label = fresh
        if before:
            parent[find(label)] = find(before)
        labels.append(label)
        before = label
    roots = [find(label) if label else 0 for label in labels]
    if {find(label) for _, label in columns if label} - set(roots):
        return None  # a part of the grid is closed in
    numbers: dict[int, int] = {0: 0}
    named = [numbers.setdefault(root, len(numbers)) for root in roots]
    return tuple(zip(lengths, named, strict=True)), touched or row[0] or row[-1]


def closes(state: State, middle: Sequence[bool]) -> bool:
    """Whether the upper half, a middle row and the turned upper half are a legal grid."""
    columns, _ = state
    turned = columns[::-1]
    parent: dict[tuple[str, int], tuple[str, int]] = {}

    def find(node: tuple[str, int]) -> tuple[str, int]:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    nodes = []
    for column, is_open in enumerate(middle):
        (above, label), (below, other) = columns[column], turned[column]
        if not is_open:
            if 0 < above < LONG or 0 < below < LONG:
                return False
        else:
            if above + 1 + below < LONG:
                return False
            here = ("middle", column)
            if column and middle[column - 1]:
                parent[find(here)] = find(("middle", column - 1))
            if label:
                parent[find(("above", label))] = find(here)
            if other:
                parent[find(("below", other))] = find(here)
            nodes.append(here)
        nodes += [("above", label)] * bool(label) + [("below", other)] * bool(other)
    return len(set(map(find, nodes))) == 1


def words_begun(above: Sequence[bool], row: Sequence[bool]) -> int:
    """Return the number of words that begin in a row, across and down."""
    across = sum(here and not before for before, here in zip((False, *row), row, strict=False))
    return across + sum(here and not before for before, here in zip(above, row, strict=True))


def count(size: int) -> tuple[tuple[int, int], int]:
    """Return the numbers of legal grids and of those without a blocked edge, and the most words.

    The words across of the lower half are those of the upper one; the words down that begin in the
    lower half are, turned, those that end in the upper half, and so as many as begin in the upper
    half and do not pass through the middle row.
    """
    rows = legal_rows(size)
    blank: State = (((0, 0),) * size, False)
    fitting: dict[tuple[int, ...], list[tuple[bool, ...]]] = {}
    tables: dict[bool, dict[State, tuple[int, int]]] = {True: {blank: (1, 0)}, False: {}}
    for number in range(size // 2):
        new: dict[bool, dict[State, tuple[int, int]]] = {
            True: defaultdict(lambda: (0, 0)),
            False: defaultdict(lambda: (0, 0)),
        }
        for edge, table in tables.items():  # edge: the first row is blocked
            for state, (ways, words) in table.items():
                begun = tuple(n for n, (length, _) in enumerate(state[0]) if 0 < length < LONG)
                if begun not in fitting:
                    fitting[begun] = [row for row in rows if all(row[column] for column in begun)]
                above = [length > 0 for length, _ in state[0]]
                for row in fitting[begun]:
                    if (below := extend(state, row)) is not None:
                        blocked = not any(row) if number == 0 else edge
                        old, most = new[blocked][below]
                        most = max(most, words + words_begun(above, row))
                        new[blocked][below] = old + ways, most
        tables = new
    middles = [row for row in rows if row == row[::-1]]
    every = whole = most_words = 0
    for edge, table in tables.items():
        for state, (ways, words) in table.items():
            above = [length > 0 for length, _ in state[0]]
            for middle in middles:
                if closes(state, middle):
                    every += ways
                    whole += ways * (not edge and (state[1] or middle[0]))
                    most_words = max(most_words, 2 * words + _in_the_middle(above, middle))
    return (every, whole), most_words


def _in_the_middle(above: Sequence[bool], middle: Sequence[bool]) -> int:
    """Return how many words the middle row adds to twice the words that begin in the upper half.

    A word down that comes from above and goes on below was counted twice; one that is in the middle
    row and on neither side was not counted.
    """
    across = words_begun(middle, middle)
    passing = sum(
        here * (1 - before - after)
        for before, here, after in zip(above, middle, above[::-1], strict=True)
    )
    return across + passing


def main() -> int:
    """Count the grids of each size up to the one that is named; 7 without one."""
    for size in range(3, int(sys.argv[1] if len(sys.argv) > 1 else 7) + 1, 2):
        start = time.process_time()
        found, most = count(size)
        seconds = time.process_time() - start
        print(
            f"{size:2d}  {found[0]:>19,}  {found[1]:>19,}  {most:3}  {seconds:8.2f} s", flush=True
        )
        if found != KNOWN.get(size, found) or most != MOST_WORDS.get(size, most):
            print(f"the sequences have {KNOWN[size]} and {MOST_WORDS.get(size)}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
