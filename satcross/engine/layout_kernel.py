"""Ruin and recreate for layouts, as numba compiles it to machine code.

The same search as ``satcross.make.layout.local_search``, which explains it and makes the
arrays, on a board of ``SIDE`` by ``SIDE`` cells: some 30 times as many changes a second. As
``kernel``, this module imports numba, and programs run what ``kernel_loader`` has compiled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satcross.engine.kernel import (
    Float64s,
    Int32s,
    Int64s,
    UInt8s,
    UInt64s,
    _compiled,
    on_addresses,
)

# Places in ``Board.ints``.
WORDS, SIDE, ROWS, COLUMNS, SQUARE, CHANGES, CHANGE = range(7)
CELLS, TOP, BOTTOM, LEFT, RIGHT, QUEUED, IMPROVED = range(7, 14)
# Places in ``Board.floats``.
(COST, LOWEST, UNPLACED, CROSSING_VALUE, EDGE_WEIGHT, NOISE, THRESHOLD) = range(7)


class Board(NamedTuple):
    """Words on a square board, and what the search keeps.

    ``where`` has the first cell of each word, -1 if it is not on the board, and ``across`` whether
    it runs across; ``kept_*`` are those before the last change, ``best_*`` of the best layout.
    ``word_at`` has the number of the across word of each cell plus one, then of the down word.
    ``cells`` lists the cells that have a letter, and ``index`` says where in that list a cell is.
    """

    ints: Int64s
    floats: Float64s
    random: UInt64s
    codes: UInt8s
    first: Int32s
    values: Float64s
    where: Int32s
    across: Int32s
    kept_where: Int32s
    kept_across: Int32s
    best_where: Int32s
    best_across: Int32s
    letter: UInt8s
    word_at: Int32s
    cells: Int32s
    index: Int32s
    row_count: Int32s
    column_count: Int32s
    queue: Int32s
    keys: Float64s
    reached: Int32s


@_compiled
def _random(board: Board) -> float:
    """A number from 0 to below 1, by xorshift (Marsaglia 2003)."""
    state = board.random[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    board.random[0] = state
    return np.float64(state >> np.uint64(11)) / 9007199254740992.0


@_compiled
def _length(board: Board, word: int) -> int:
    return int(board.first[word + 1] - board.first[word])


@_compiled
def _put(board: Board, word: int, start: int, across: int) -> None:
    side = board.ints[SIDE]
    step = np.int64(1) if across else side
    plane = np.int64(0) if across else side * side
    cell = np.int64(start)
    for k in range(board.first[word], board.first[word + 1]):
        if board.letter[cell] == 0:
            board.letter[cell] = board.codes[k]
            board.index[cell] = board.ints[CELLS]
            board.cells[board.ints[CELLS]] = cell
            board.ints[CELLS] += 1
            board.row_count[cell // side] += 1
            board.column_count[cell % side] += 1
        board.word_at[plane + cell] = word + 1
        cell += step
    last = cell - step
    board.ints[TOP] = min(board.ints[TOP], start // side)
    board.ints[BOTTOM] = max(board.ints[BOTTOM], last // side)
    board.ints[LEFT] = min(board.ints[LEFT], start % side)
    board.ints[RIGHT] = max(board.ints[RIGHT], last % side)
    board.where[word] = start
    board.across[word] = across


@_compiled
def _take(board: Board, word: int) -> None:
    side = board.ints[SIDE]
    across = board.across[word]
    step = np.int64(1) if across else side
    plane = np.int64(0) if across else side * side
    other = side * side - plane
    cell = np.int64(board.where[word])
    for _ in range(_length(board, word)):
        board.word_at[plane + cell] = 0
        if board.word_at[other + cell] == 0:
            board.letter[cell] = 0
            board.ints[CELLS] -= 1
            moved = board.cells[board.ints[CELLS]]
            board.cells[board.index[cell]] = moved
            board.index[moved] = board.index[cell]
            board.row_count[cell // side] -= 1
            board.column_count[cell % side] -= 1
        cell += step
    board.where[word] = -1
    if board.ints[CELLS] == 0:
        board.ints[TOP] = board.ints[LEFT] = side
        board.ints[BOTTOM] = board.ints[RIGHT] = -1
        return
    while board.row_count[board.ints[TOP]] == 0:
        board.ints[TOP] += 1
    while board.row_count[board.ints[BOTTOM]] == 0:
        board.ints[BOTTOM] -= 1
    while board.column_count[board.ints[LEFT]] == 0:
        board.ints[LEFT] += 1
    while board.column_count[board.ints[RIGHT]] == 0:
        board.ints[RIGHT] -= 1


@_compiled
def _crossings(board: Board, word: int, start: int, step: int, turn: int) -> int:
    """The number of crossings of a placement; 0 where it is illegal or has none."""
    if board.letter[start - step] != 0 or board.letter[start + _length(board, word) * step] != 0:
        return 0
    crossings = 0
    before = False
    cell = np.int64(start)
    for k in range(board.first[word], board.first[word + 1]):
        existing = board.letter[cell]
        if existing == 0:
            if board.letter[cell - turn] != 0 or board.letter[cell + turn] != 0:
                return 0
        elif before or existing != board.codes[k]:
            return 0
        else:
            crossings += 1
        before = existing != 0
        cell += step
    return crossings


@_compiled
def _measure(board: Board, height: int, width: int) -> int:
    """The area of a box, or of the square around it."""
    if board.ints[SQUARE]:
        longer = max(height, width)
        return int(longer * longer + min(height, width))
    return int(height * width)


@_compiled
def _best_placement(board: Board, word: int) -> int:
    """Twice the first cell of the best placement, plus one if it is across; -1 if there is none."""
    ints = board.ints
    side = ints[SIDE]
    span = _length(board, word) - 1
    noise = _random(board) * board.floats[NOISE]
    best = np.int64(-1)
    lowest = np.inf
    for number in range(ints[CELLS]):
        cell = np.int64(board.cells[number])
        across = board.word_at[cell] == 0
        if not across and board.word_at[side * side + cell] != 0:
            continue
        for k in range(span + 1):
            if board.codes[board.first[word] + k] != board.letter[cell]:
                continue
            row = cell // side - (0 if across else k)
            column = cell % side - (k if across else 0)
            end_row = row + (0 if across else span)
            end_column = column + (span if across else 0)
            if row < 1 or column < 1 or end_row > side - 2 or end_column > side - 2:
                continue
            height = max(ints[BOTTOM], end_row) - min(ints[TOP], row) + 1
            width = max(ints[RIGHT], end_column) - min(ints[LEFT], column) + 1
            if height > ints[ROWS] or width > ints[COLUMNS]:
                continue
            start = row * side + column
            step, turn = (np.int64(1), side) if across else (side, np.int64(1))
            crossings = _crossings(board, word, start, step, turn)
            if crossings == 0:
                continue
            cost = (
                _measure(board, height, width)
                - board.floats[CROSSING_VALUE] * crossings
                + noise * _random(board)
            )
            if cost < lowest:
                best = 2 * start + (1 if across else 0)
                lowest = cost
    return int(best)


@_compiled
def _order(board: Board, noise: float) -> None:
    """Queue the words that are not on the board, by falling length with noise."""
    queued = np.int64(0)
    for word in range(board.ints[WORDS]):
        if board.where[word] >= 0:
            continue
        key = _random(board) * noise - _length(board, word)
        place = queued
        while place > 0 and board.keys[place - 1] > key:
            board.keys[place] = board.keys[place - 1]
            board.queue[place] = board.queue[place - 1]
            place -= 1
        board.keys[place] = key
        board.queue[place] = word
        queued += 1
    board.ints[QUEUED] = queued


@_compiled
def _insert_all(board: Board) -> float:
    """Insert the queued words where they do best; the value of those left over."""
    ints = board.ints
    side = ints[SIDE]
    progress = True
    while progress:
        progress = False
        left = np.int64(0)
        for k in range(ints[QUEUED]):
            word = np.int64(board.queue[k])
            if ints[CELLS] == 0:
                length = _length(board, word)
                across = length <= ints[COLUMNS]
                if across and length <= ints[ROWS]:
                    across = _random(board) < 0.5
                place = (side // 2) * side + side // 2
                place = 2 * place + (1 if across else 0)
            else:
                place = _best_placement(board, word)
            if place >= 0:
                _put(board, word, place // 2, place % 2)
                progress = True
            else:
                board.queue[left] = word
                left += 1
        ints[QUEUED] = left
    missing = 0.0
    for k in range(ints[QUEUED]):
        missing += board.values[board.queue[k]]
    return missing


@_compiled
def _cost(board: Board, missing: float) -> float:
    """The cost of the board; infinite where adjacent letters belong to no word.

    Such letters are left by a word that was removed from two parallel words side by side.
    """
    ints = board.ints
    pairs = np.int64(0)
    for number in range(ints[CELLS]):
        cell = board.cells[number]
        pairs += np.int64(board.letter[cell + 1] != 0)
        pairs += np.int64(board.letter[cell + ints[SIDE]] != 0)
    for word in range(ints[WORDS]):
        if board.where[word] >= 0:
            pairs -= _length(board, word) - 1
    if pairs != 0:
        return np.inf
    height = ints[BOTTOM] - ints[TOP] + 1
    width = ints[RIGHT] - ints[LEFT] + 1
    letters = np.int64(0)
    for word in range(ints[WORDS]):
        if board.where[word] >= 0:
            letters += _length(board, word)
    return float(
        missing * board.floats[UNPLACED]
        + _measure(board, height, width)
        - (letters - ints[CELLS]) / 100
        + abs(height - width) / 10_000
    )


@_compiled
def _edge_cost(board: Board) -> float:
    """What the search adds to the cost: the letters that keep an outer row or column there."""
    ints = board.ints
    edge = min(board.row_count[ints[TOP]], board.row_count[ints[BOTTOM]])
    side = min(board.column_count[ints[LEFT]], board.column_count[ints[RIGHT]])
    return float(board.floats[EDGE_WEIGHT] * min(edge, side))


@_compiled
def _crossing_word(board: Board, word: int, k: int) -> int:
    """The number plus one of the word that crosses the word's letter ``k``; 0 if none does."""
    side = board.ints[SIDE]
    across = board.across[word]
    cell = board.where[word] + k * (np.int64(1) if across else side)
    return int(board.word_at[cell + (side * side if across else 0)])


@_compiled
def _spread(board: Board, word: int, mark: int) -> int:
    """Mark all words connected to the word; return how many they are."""
    size = np.int64(1)
    done = np.int64(0)
    board.queue[0] = word
    board.reached[word] = mark
    while done < size:
        current = np.int64(board.queue[done])
        done += 1
        for k in range(_length(board, current)):
            other = _crossing_word(board, current, k) - 1
            if other >= 0 and board.reached[other] == 0:
                board.reached[other] = mark
                board.queue[size] = other
                size += 1
    return int(size)


@_compiled
def _ruin(board: Board, placed: int) -> None:
    """Remove a random word, some words that cross it, and the words that this disconnects."""
    chosen = int(_random(board) * placed)
    word = np.int64(0)
    while board.where[word] < 0 or chosen > 0:
        if board.where[word] >= 0:
            chosen -= 1
        word += 1
    crossing = 0
    for k in range(_length(board, word)):
        other = _crossing_word(board, word, k) - 1
        if other >= 0:
            board.queue[crossing] = other
            crossing += 1
    limit = min(crossing, max(1, placed // 3))
    removed = int(_random(board) * (limit + 1))
    _take(board, word)
    for k in range(removed):
        _take(board, np.int64(board.queue[k]))
    largest, mark = 0, 0
    for other in range(board.ints[WORDS]):
        board.reached[other] = 0
    for other in range(board.ints[WORDS]):
        if board.where[other] >= 0 and board.reached[other] == 0:
            size = _spread(board, other, other + 1)
            if size > largest:
                largest, mark = size, other + 1
    for other in range(board.ints[WORDS]):
        if board.where[other] >= 0 and board.reached[other] != mark:
            _take(board, other)


@_compiled
def _restore(board: Board) -> None:
    """Return to the layout before the last change."""
    for word in range(board.ints[WORDS]):
        moved = (
            board.where[word] != board.kept_where[word]
            or board.across[word] != board.kept_across[word]
        )
        if board.where[word] >= 0 and moved:
            _take(board, word)
    for word in range(board.ints[WORDS]):
        if board.where[word] < 0 and board.kept_where[word] >= 0:
            _put(board, word, board.kept_where[word], board.kept_across[word])


@_compiled
def _record(board: Board, cost: float) -> None:
    """Keep the layout if it is the best one."""
    if cost < board.floats[LOWEST]:
        board.floats[LOWEST] = cost
        board.ints[IMPROVED] = 1
        for word in range(board.ints[WORDS]):
            board.best_where[word] = board.where[word]
            board.best_across[word] = board.across[word]


@_compiled
def _improve(board: Board, amount: int) -> int:
    """Make so many changes, beginning a round where the last one has ended."""
    ints = board.ints
    for _ in range(amount):
        start = ints[CHANGE] == 0
        placed = np.int64(0)
        for word in range(ints[WORDS]):
            board.kept_where[word] = board.where[word]
            board.kept_across[word] = board.across[word]
            if start and board.where[word] >= 0:
                _take(board, word)
            placed += np.int64(board.where[word] >= 0)
        if not start:
            _ruin(board, placed)
        _order(board, 4.0 if start else 6.0)
        missing = _insert_all(board)
        after = _cost(board, missing)
        _record(board, after)
        after += _edge_cost(board)
        cost = board.floats[COST]
        cooling = 1 - ints[CHANGE] / ints[CHANGES]
        threshold = board.floats[THRESHOLD] * cooling * min(cost, board.floats[UNPLACED])
        if start or after <= cost + threshold * _random(board):
            board.floats[COST] = after
        else:
            _restore(board)
        ints[CHANGE] = (ints[CHANGE] + 1) % ints[CHANGES]
    return int(ints[IMPROVED])


improve = on_addresses(_improve, Board)
