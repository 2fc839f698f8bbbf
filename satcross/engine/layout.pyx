"""Ruin and recreate for layouts, which ``satcross.make.layout.local_search`` explains."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from satcross.engine.memory cimport Memory, xorshift


cdef struct Board:
    # Words on a square board of ``side`` by ``side`` cells, of which they may take up a box of
    # ``rows`` by ``columns``; with an ``aspect``, the box of that width by height around them counts.
    int64_t word_count, side, rows, columns
    double aspect
    bint improved
    uint64_t random
    # A round is ``changes`` long, and ``change`` is how far it has come.
    int64_t changes, change
    double cost, lowest, unplaced, crossing_value, edge_weight, noise, threshold
    # The letters of all words, where those of each begin, and what it is worth.
    uint8_t* codes
    int32_t* first
    double* values
    # The first cell of each word, or -1, and whether it runs across: now, before the last change,
    # and in the best layout.
    int32_t* where
    int32_t* across
    int32_t* kept_where
    int32_t* kept_across
    int32_t* best_where
    int32_t* best_across
    # The letter of each cell; the number plus one of its across word, then those of down words.
    uint8_t* letter
    int32_t* word_at
    # The cells that have a letter, where each of them is in that list, and the box around them.
    int64_t cell_count, top, bottom, left, right
    int32_t* cells
    int32_t* index
    int32_t* row_count
    int32_t* column_count
    int64_t queued
    int32_t* queue
    double* keys
    int32_t* reached


cdef int64_t _length(Board* board, int64_t word) noexcept nogil:
    return <int64_t>(board.first[word + 1] - board.first[word])


cdef void _put(Board* board, int64_t word, int64_t start, int64_t across) noexcept nogil:
    side = board.side
    step = <int64_t>(1) if across else side
    plane = <int64_t>(0) if across else side * side
    cell = <int64_t>(start)
    for k in range(board.first[word], board.first[word + 1]):
        if board.letter[cell] == 0:
            board.letter[cell] = board.codes[k]
            board.index[cell] = board.cell_count
            board.cells[board.cell_count] = cell
            board.cell_count += 1
            board.row_count[cell // side] += 1
            board.column_count[cell % side] += 1
        board.word_at[plane + cell] = word + 1
        cell += step
    last = cell - step
    board.top = min(board.top, start // side)
    board.bottom = max(board.bottom, last // side)
    board.left = min(board.left, start % side)
    board.right = max(board.right, last % side)
    board.where[word] = start
    board.across[word] = across


cdef void _take(Board* board, int64_t word) noexcept nogil:
    side = board.side
    across = board.across[word]
    step = <int64_t>(1) if across else side
    plane = <int64_t>(0) if across else side * side
    other = side * side - plane
    cell = <int64_t>(board.where[word])
    for _ in range(_length(board, word)):
        board.word_at[plane + cell] = 0
        if board.word_at[other + cell] == 0:
            board.letter[cell] = 0
            board.cell_count -= 1
            moved = board.cells[board.cell_count]
            board.cells[board.index[cell]] = moved
            board.index[moved] = board.index[cell]
            board.row_count[cell // side] -= 1
            board.column_count[cell % side] -= 1
        cell += step
    board.where[word] = -1
    if board.cell_count == 0:
        board.top = board.left = side
        board.bottom = board.right = -1
        return
    while board.row_count[board.top] == 0:
        board.top += 1
    while board.row_count[board.bottom] == 0:
        board.bottom -= 1
    while board.column_count[board.left] == 0:
        board.left += 1
    while board.column_count[board.right] == 0:
        board.right -= 1


cdef int64_t _crossings(Board* board, int64_t word, int64_t start, int64_t step, int64_t turn) noexcept nogil:
    """The number of crossings of a placement; 0 where it is illegal or has none."""
    cdef bint before
    if board.letter[start - step] != 0 or board.letter[start + _length(board, word) * step] != 0:
        return 0
    crossings = 0
    before = False
    cell = <int64_t>(start)
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


cdef int64_t _measure(Board* board, int64_t height, int64_t width) noexcept nogil:
    """The area of a box, or of the one of the aspect around it."""
    cdef double taller
    if board.aspect > 0:
        taller = max(<double>height, width / board.aspect)
        return <int64_t>(taller * taller * board.aspect) + min(height, width)
    return <int64_t>(height * width)


cdef int64_t _best_placement(Board* board, int64_t word) noexcept nogil:
    """Twice the first cell of the best placement, plus one if it is across; -1 if there is none."""
    cdef bint across
    side = board.side
    span = _length(board, word) - 1
    noise = xorshift(&board.random) * board.noise
    best = <int64_t>(-1)
    lowest = INFINITY
    for number in range(board.cell_count):
        cell = <int64_t>(board.cells[number])
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
            height = max(board.bottom, end_row) - min(board.top, row) + 1
            width = max(board.right, end_column) - min(board.left, column) + 1
            if height > board.rows or width > board.columns:
                continue
            start = row * side + column
            step, turn = (<int64_t>(1), side) if across else (side, <int64_t>(1))
            crossings = _crossings(board, word, start, step, turn)
            if crossings == 0:
                continue
            cost = (
                _measure(board, height, width)
                - board.crossing_value * crossings
                + noise * xorshift(&board.random)
            )
            if cost < lowest:
                best = 2 * start + (1 if across else 0)
                lowest = cost
    return <int64_t>(best)


cdef void _order(Board* board, double noise) noexcept nogil:
    """Queue the words that are not on the board, by falling length with noise."""
    queued = <int64_t>(0)
    for word in range(board.word_count):
        if board.where[word] >= 0:
            continue
        key = xorshift(&board.random) * noise - _length(board, word)
        place = queued
        while place > 0 and board.keys[place - 1] > key:
            board.keys[place] = board.keys[place - 1]
            board.queue[place] = board.queue[place - 1]
            place -= 1
        board.keys[place] = key
        board.queue[place] = word
        queued += 1
    board.queued = queued


cdef double _insert_all(Board* board) noexcept nogil:
    """Insert the queued words where they do best; the value of those left over."""
    cdef bint across
    cdef bint progress
    side = board.side
    progress = True
    while progress:
        progress = False
        left = <int64_t>(0)
        for k in range(board.queued):
            word = <int64_t>(board.queue[k])
            if board.cell_count == 0:
                length = _length(board, word)
                across = length <= board.columns
                if across and length <= board.rows:
                    across = xorshift(&board.random) < 0.5
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
        board.queued = left
    missing = 0.0
    for k in range(board.queued):
        missing += board.values[board.queue[k]]
    return missing


cdef double _cost(Board* board, double missing) noexcept nogil:
    """The cost of the board; infinite where adjacent letters belong to no word.

    Such letters are left by a word that was removed from two parallel words side by side.
    """
    pairs = <int64_t>(0)
    for number in range(board.cell_count):
        cell = board.cells[number]
        pairs += <int64_t>(board.letter[cell + 1] != 0)
        pairs += <int64_t>(board.letter[cell + board.side] != 0)
    for word in range(board.word_count):
        if board.where[word] >= 0:
            pairs -= _length(board, word) - 1
    if pairs != 0:
        return INFINITY
    height = board.bottom - board.top + 1
    width = board.right - board.left + 1
    letters = <int64_t>(0)
    for word in range(board.word_count):
        if board.where[word] >= 0:
            letters += _length(board, word)
    return <double>(
        missing * board.unplaced
        + _measure(board, height, width)
        - (letters - board.cell_count) / 100
        + (max(height, width) - min(height, width)) / 10_000
    )


cdef double _edge_cost(Board* board) noexcept nogil:
    """What the search adds to the cost: the letters that keep an outer row or column there."""
    edge = min(board.row_count[board.top], board.row_count[board.bottom])
    side = min(board.column_count[board.left], board.column_count[board.right])
    return <double>(board.edge_weight * min(edge, side))


cdef int64_t _crossing_word(Board* board, int64_t word, int64_t k) noexcept nogil:
    """The number plus one of the word that crosses the word's letter ``k``; 0 if none does."""
    side = board.side
    across = board.across[word]
    cell = board.where[word] + k * (<int64_t>(1) if across else side)
    return <int64_t>(board.word_at[cell + (side * side if across else 0)])


cdef int64_t _spread(Board* board, int64_t word, int64_t mark) noexcept nogil:
    """Mark all words connected to the word; return how many they are."""
    size = <int64_t>(1)
    done = <int64_t>(0)
    board.queue[0] = word
    board.reached[word] = mark
    while done < size:
        current = <int64_t>(board.queue[done])
        done += 1
        for k in range(_length(board, current)):
            other = _crossing_word(board, current, k) - 1
            if other >= 0 and board.reached[other] == 0:
                board.reached[other] = mark
                board.queue[size] = other
                size += 1
    return <int64_t>(size)


cdef void _ruin(Board* board, int64_t placed) noexcept nogil:
    """Remove a random word, some words that cross it, and the words that this disconnects."""
    chosen = <int64_t>(xorshift(&board.random) * placed)
    word = <int64_t>(0)
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
    removed = <int64_t>(xorshift(&board.random) * (limit + 1))
    _take(board, word)
    for k in range(removed):
        _take(board, <int64_t>(board.queue[k]))
    largest, mark = 0, 0
    for other in range(board.word_count):
        board.reached[other] = 0
    for other in range(board.word_count):
        if board.where[other] >= 0 and board.reached[other] == 0:
            size = _spread(board, other, other + 1)
            if size > largest:
                largest, mark = size, other + 1
    for other in range(board.word_count):
        if board.where[other] >= 0 and board.reached[other] != mark:
            _take(board, other)


cdef void _restore(Board* board) noexcept nogil:
    """Return to the layout before the last change."""
    cdef bint moved
    for word in range(board.word_count):
        moved = (
            board.where[word] != board.kept_where[word]
            or board.across[word] != board.kept_across[word]
        )
        if board.where[word] >= 0 and moved:
            _take(board, word)
    for word in range(board.word_count):
        if board.where[word] < 0 and board.kept_where[word] >= 0:
            _put(board, word, board.kept_where[word], board.kept_across[word])


cdef void _record(Board* board, double cost) noexcept nogil:
    """Keep the layout if it is the best one."""
    if cost < board.lowest:
        board.lowest = cost
        board.improved = 1
        for word in range(board.word_count):
            board.best_where[word] = board.where[word]
            board.best_across[word] = board.across[word]


cdef int64_t _improve(Board* board, int64_t amount) noexcept nogil:
    """Make so many changes, beginning a round where the last one has ended."""
    cdef bint start
    for _ in range(amount):
        start = board.change == 0
        placed = <int64_t>(0)
        for word in range(board.word_count):
            board.kept_where[word] = board.where[word]
            board.kept_across[word] = board.across[word]
            if start and board.where[word] >= 0:
                _take(board, word)
            placed += <int64_t>(board.where[word] >= 0)
        if not start:
            _ruin(board, placed)
        _order(board, 4.0 if start else 6.0)
        missing = _insert_all(board)
        after = _cost(board, missing)
        _record(board, after)
        after += _edge_cost(board)
        cost = board.cost
        cooling = 1 - board.change / board.changes
        threshold = board.threshold * cooling * min(cost, board.unplaced)
        if start or after <= cost + threshold * xorshift(&board.random):
            board.cost = after
        else:
            _restore(board)
        board.change = (board.change + 1) % board.changes
    return <int64_t>(board.improved)


cdef class Layouts(Memory):
    """Looks for the best layout of words; ``settings`` has numbers by their names."""

    cdef Board board

    def __init__(self, list codes not None, list lengths, list values, dict settings, uint64_t seed):
        """``codes`` has the letters of all words, as numbers from 1 on."""
        cdef Board* board = &self.board
        cdef int64_t k, words = len(lengths), cells = settings["side"] * settings["side"]
        board.word_count, board.side, board.random = words, settings["side"], seed | 1
        board.rows, board.columns = settings["rows"], settings["columns"]
        board.aspect, board.changes = settings["aspect"], settings["changes"]
        board.cost = board.lowest = INFINITY
        board.unplaced, board.noise = settings["unplaced"], settings["noise"]
        board.crossing_value = settings["crossing_value"]
        board.edge_weight, board.threshold = settings["edge_weight"], settings["threshold"]
        board.codes, board.values = self.bytes_of(codes), self.floats_of(values)
        board.first = self.int32s(words + 1)
        for k in range(words):
            board.first[k + 1] = board.first[k] + <int32_t>lengths[k]
        board.where, board.across = self.int32s(words, -1), self.int32s(words)
        board.kept_where, board.kept_across = self.int32s(words, -1), self.int32s(words)
        board.best_where, board.best_across = self.int32s(words, -1), self.int32s(words)
        board.letter, board.word_at = self.bytes(cells), self.int32s(2 * cells)
        board.top = board.left = board.side
        board.bottom = board.right = -1
        board.cells, board.index = self.int32s(cells), self.int32s(cells)
        board.row_count, board.column_count = self.int32s(board.side), self.int32s(board.side)
        board.queue, board.keys = self.int32s(words), self.floats(words)
        board.reached = self.int32s(words)

    def improve(self, int64_t changes):
        """Make so many changes, and begin where the last call ended; whether it got better."""
        with nogil:
            _improve(&self.board, changes)
        improved, self.board.improved = self.board.improved, False
        return improved

    def best(self):
        """The first cell of each word in the best layout, or -1, and whether it runs across."""
        cdef int64_t k
        return [
            (self.board.best_where[k], bool(self.board.best_across[k]))
            for k in range(self.board.word_count)
        ]
