"""Fill a dense grid, or count its fills, cell by cell, each time with letters that two tries have."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from satcross.engine.memory cimport ONE, ZERO, Memory, count_bits, lowest

cdef enum:
    # What ``_sweep`` returns.
    BUDGET = 0
    FILLED = 1
    EXHAUSTED = 2


cdef struct SweepTables:
    # Cells in order, and their slots; -1 stands for none. The letter of the second mirrored cell
    # is never before that of the first.
    int64_t cells, first_mirrored, second_mirrored
    int32_t* across
    int32_t* down
    int32_t* before_across
    int32_t* before_down
    uint8_t* ends_across
    uint8_t* ends_down
    # For each cell, the slots complete by then whose word the slot that ends here must not repeat.
    int64_t* across_peer_start
    int32_t* across_peers
    int64_t* down_peer_start
    int32_t* down_peers
    # Tries: the root of each slot; the letters of each node, the first of its children, which
    # follow one another, and the number of the word that ends there.
    int32_t* root
    uint64_t* letters
    int32_t* first_child
    int32_t* word


cdef struct SweepWork:
    int64_t cell, count, limit, tried
    # For each cell: letters left, the letter, and the nodes before and after it.
    uint64_t* rest
    uint64_t* letter
    int32_t* across_in
    int32_t* down_in
    int32_t* across_out
    int32_t* down_out
    int32_t* words  # of slots


cdef void _enter(SweepTables* tables, SweepWork* work, int64_t cell) noexcept nogil:
    """Find the letters that continue the words of both slots of a cell."""
    rest = ~ZERO
    slot = tables.across[cell]
    if slot >= 0:
        before = tables.before_across[cell]
        node = tables.root[slot] if before < 0 else work.across_out[before]
        work.across_in[cell] = node
        rest &= tables.letters[node]
    slot = tables.down[cell]
    if slot >= 0:
        before = tables.before_down[cell]
        node = tables.root[slot] if before < 0 else work.down_out[before]
        work.down_in[cell] = node
        rest &= tables.letters[node]
    if cell == tables.second_mirrored:  # mirroring gives the fills with an earlier letter
        rest &= ~(work.letter[tables.first_mirrored] - ONE)
    work.rest[cell] = rest


cdef bint _place(SweepTables* tables, SweepWork* work, int64_t cell, uint64_t letter) noexcept nogil:
    """Put a letter in a cell; False if it completes a word that the fill has already."""
    work.letter[cell] = letter
    slot = tables.across[cell]
    if slot >= 0:
        node = work.across_in[cell]
        node = tables.first_child[node] + <int32_t>(count_bits(tables.letters[node] & (letter - ONE)))
        work.across_out[cell] = node
        if tables.ends_across[cell]:
            word = tables.word[node]
            for k in range(tables.across_peer_start[cell], tables.across_peer_start[cell + 1]):
                if work.words[tables.across_peers[k]] == word:
                    return False
            work.words[slot] = word
    slot = tables.down[cell]
    if slot >= 0:
        node = work.down_in[cell]
        node = tables.first_child[node] + <int32_t>(count_bits(tables.letters[node] & (letter - ONE)))
        work.down_out[cell] = node
        if tables.ends_down[cell]:
            word = tables.word[node]
            for k in range(tables.down_peer_start[cell], tables.down_peer_start[cell + 1]):
                if work.words[tables.down_peers[k]] == word:
                    return False
            work.words[slot] = word
    return True


cdef int64_t _sweep(SweepTables* tables, SweepWork* work, int64_t max_letters) noexcept nogil:
    """Sweep; BUDGET after ``max_letters`` letters, FILLED at each fill from ``LIMIT`` on."""
    cdef bint mirrored
    cell = work.cell
    cells = tables.cells
    mirrored = tables.second_mirrored >= 0
    last = work.tried + max_letters
    tried = work.tried
    result = EXHAUSTED
    while cell >= 0:
        rest = work.rest[cell]
        if rest == 0:
            cell -= 1
            continue
        if tried == last:
            result = BUDGET
            break
        tried += 1
        letter = rest & (~rest + ONE)
        work.rest[cell] = rest ^ letter
        if not _place(tables, work, cell, letter):
            continue
        if cell + 1 < cells:
            cell += 1
            _enter(tables, work, cell)
            continue
        work.count += 1
        if mirrored and work.letter[tables.second_mirrored] > work.letter[tables.first_mirrored]:
            work.count += 1
        if work.count >= work.limit:
            result = FILLED
            break
    work.cell = cell
    work.tried = tried
    return result


cdef class Sweep(Memory):
    """The state of a sweep over a grid of which ``found`` has the tables, by their names."""

    cdef SweepTables tables
    cdef SweepWork work

    def __init__(self, dict found not None):
        cdef SweepTables* tables = &self.tables
        cdef SweepWork* work = &self.work
        cdef int64_t k
        tables.cells = len(found["across"])
        tables.first_mirrored = found["first_mirrored"]
        tables.second_mirrored = found["second_mirrored"]
        tables.across = self.int32s_of(found["across"])
        tables.down = self.int32s_of(found["down"])
        tables.before_across = self.int32s_of(found["before_across"])
        tables.before_down = self.int32s_of(found["before_down"])
        tables.ends_across = self.bytes_of(found["ends_across"])
        tables.ends_down = self.bytes_of(found["ends_down"])
        tables.across_peer_start = self.int64s_of(found["across_peer_start"])
        tables.across_peers = self.int32s_of(found["across_peers"])
        tables.down_peer_start = self.int64s_of(found["down_peer_start"])
        tables.down_peers = self.int32s_of(found["down_peers"])
        roots = self._write_tries(found["tries"])
        tables.root = self.int32s_of([roots[k] for k in found["trie"]])
        work.limit = 1
        work.rest, work.letter = self.uint64s(tables.cells), self.uint64s(tables.cells)
        work.across_in, work.down_in = self.int32s(tables.cells), self.int32s(tables.cells)
        work.across_out, work.down_out = self.int32s(tables.cells), self.int32s(tables.cells)
        work.words = self.int32s(len(found["trie"]), -1)
        _enter(tables, work, 0)

    def _write_tries(self, list tries):
        """Write tries, each of some words with their numbers, in order; return their roots.

        A letter of a word is the character with its number.
        """
        cdef SweepTables* tables = &self.tables
        cdef int64_t size = 0, first, last, k, word, depth, length, words
        cdef int32_t* starts
        cdef Py_UCS4 letter, before
        cdef str text
        cdef list roots = []
        for found, _ in tries:
            size += len(found) * (len(found[0]) if found else 0) + 1
        tables.letters, tables.first_child = self.uint64s(size), self.int32s(size)
        tables.word = self.int32s(size, -1)
        starts = self.int32s(size)  # the first word of each node
        last = 0
        for found, numbers in tries:
            text, words = "".join(found), len(found)
            length = len(text) // words if words else 0
            roots.append(last)
            first, last, starts[last] = last, last + 1, 0
            for depth in range(length):
                size = last  # the nodes of this level are those from ``first`` to here
                for k in range(first, size):
                    tables.first_child[k] = last
                    before = 0x10FFFF
                    word = starts[k]
                    while word < (starts[k + 1] if k + 1 < size else words):
                        letter = text[word * length + depth]
                        if letter != before:
                            tables.letters[k] |= ONE << <uint64_t>letter
                            starts[last], before = word, letter
                            last += 1
                        word += 1
                first = size
            for k in range(first, last):
                if words:
                    tables.word[k] = numbers[starts[k]]
        return roots

    def run(self, int64_t max_letters, int64_t limit):
        """Try up to ``max_letters`` letters.

        Returns 0 if these are tried, 1 if there are ``limit`` fills or more, 2 if all are found.
        """
        cdef int64_t result
        self.work.limit = limit
        with nogil:
            result = _sweep(&self.tables, &self.work, max_letters)
        return result

    @property
    def count(self):
        """The number of fills found."""
        return self.work.count

    @property
    def tried(self):
        """The number of letters tried."""
        return self.work.tried

    def letters(self):
        """The number of the letter of each cell, after a fill."""
        cdef int64_t k
        return [lowest(self.work.letter[k]) for k in range(self.tables.cells)]
