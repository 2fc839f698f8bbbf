# cython: auto_pickle=False, boundscheck=False, cdivision=True, infer_types=True, initializedcheck=False
# cython: language_level=3, wraparound=False
"""Annealing of blocks and thematic words; ``roco.py`` builds it when it is first used.

A state is a set of blocks and some thematic words, each in a slot of its own. Its energy is the
letters that thematic words lack, and a penalty for all other slots of three letters or more: for
each that no word fits, for each *part* of them (slots connected by cells without a letter) that was
found to have no fill, and for parts too large to be tried. Whether a part has a fill is found out by
depth-first search before a state is accepted, and remembered.

A step draws all blocks and thematic words of a row or column anew, by their Boltzmann weights: what
a cell has there costs the same whatever its neighbours have, as each belongs to another crossing
line, so that weights are products and their sums are found from the end of the line to its
beginning (a heat bath). Crossing words that don't fit are lost. What the weights leave out, the
draw is accepted or rejected for. States at several heats exchange (parallel tempering: Swendsen and
Wang 1986, Geyer 1991), so that the cold ones never stay where they are.
"""

from libc.math cimport exp, log
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from satcross.engine.memory cimport ONE, ZERO, Memory, count_bits, lowest, xorshift


cdef enum:
    SIDE = 13
    CELLS = SIDE * SIDE
    MAX_BLOCKS = 26
    FREE = 26  # the letter of a cell of no thematic word
    BLOCK = 27
    ALL_LETTERS = (1 << 26) - 1
    MAX_THEMATIC = 512
    WIDE = MAX_THEMATIC // 64
    MAX_IN_LINE = 7  # blocks
    RANGE = 128  # of energies
    REPLICAS = 8
    STRETCH = 2000  # steps of a replica between exchanges
    MAX_SLOTS = 128
    ENTRIES = 1 << 20
    LISTED = 96  # words of a pattern that are listed, at most
    POOL = ENTRIES // 2 * LISTED + (1 << 22)
    JUDGED = 1 << 22
    MAX_NODES = 100
    MAX_PART = 18  # slots of a part that is tried


# Penalties, in letters: for a slot that no word fits, for a part without a fill, and for each slot by
# which a part is too large. Of the heats of replicas, each is so many times the one before it.
cdef int HOLE = 10
cdef double NO_FILL = 6.0, LARGE = 2.0
cdef double LOWEST = 0.7, RATIO = 1.052

# A thematic word of less weight is not drawn; no letter of one may have less weight.
cdef double LEAST_WORD = 1e-3, LEAST_LETTER = 5e-5, LEAST_BLOCK = 1e-6


cdef struct State:
    int32_t blocks, value, bad, unknown
    double penalty
    uint8_t block[CELLS]
    uint8_t letter[CELLS]
    int16_t word[2][CELLS]  # the thematic word over a cell, or -1
    int16_t where[MAX_THEMATIC]  # 2 * start + down of a thematic word, or -1


cdef struct Line:
    uint8_t block[SIDE]
    int16_t word[SIDE]  # the thematic word that starts at a place, or -1


cdef struct Pattern:
    # The words that fit some letters: how many, which letters they have at each place, and which
    # they are, if there are not too many. Also the thematic word that has these letters, or -1, and if
    # only one letter is missing, those that make a thematic word.
    uint64_t key
    int32_t count, listed, thematic
    uint32_t single
    uint32_t pool
    uint32_t letters[SIDE]


cdef uint64_t mixed(uint64_t bits) noexcept nogil:
    bits = (bits ^ (bits >> <uint64_t>30)) * <uint64_t>0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> <uint64_t>27)) * <uint64_t>0x94D049BB133111EB
    return bits ^ (bits >> <uint64_t>31)


cdef uint64_t key_of(uint8_t* letters, int step, int length) noexcept nogil:
    cdef uint64_t key = 0
    for k in range(length):
        key = key * 27 + letters[k * step]
    return key | (ONE << <uint64_t>63 if length == SIDE else <uint64_t>length << <uint64_t>58)


cdef double heat_of(int replica) noexcept nogil:
    return LOWEST * RATIO**replica


cdef class Annealing(Memory):
    """Anneals a grid of thematic words, and of regular ones for all other slots, in capital letters."""

    cdef State replica[REPLICAS]
    cdef State* here
    cdef State next
    cdef uint8_t* letter  # of the next state
    cdef readonly int64_t rounds  # that are done
    cdef int turn
    cdef uint64_t seed
    # Thematic words, the shortest first, and which of a length have a letter at a place.
    cdef uint8_t* spelled
    cdef int32_t* lengths
    cdef uint64_t* having
    cdef int32_t first_word[SIDE + 2]
    # Regular words by length, as letters and as masks of each place and letter.
    cdef uint8_t* lists[SIDE + 1]
    cdef uint64_t* masks[SIDE + 1]
    cdef int32_t sizes[SIDE + 1]
    cdef int32_t counts[SIDE + 1]
    # What is remembered of patterns and of parts.
    cdef Pattern* patterns
    cdef uint16_t* pool
    cdef uint64_t* judged
    cdef int64_t patterned, pooled, judgements, nodes
    # The next state's slots without a thematic word.
    cdef int16_t slot_at[2][CELLS]
    cdef int slots, holes
    cdef int32_t first[MAX_SLOTS]
    cdef int32_t down[MAX_SLOTS]
    cdef int32_t size[MAX_SLOTS]
    cdef int32_t part[MAX_SLOTS]
    cdef int32_t part_size[MAX_SLOTS]
    cdef uint64_t part_hash[MAX_SLOTS]
    cdef Pattern* pattern[MAX_SLOTS]
    cdef uint8_t filled[MAX_SLOTS]
    # The line that is drawn: weights of letters (1 if none is put there) and of a block in each cell,
    # which letters have some weight, weights of slots by start and length (without a thematic word and
    # in all), and those of all that can follow a start, with so many blocks at most.
    cdef double power[2 * RANGE]
    cdef double weight[SIDE][BLOCK + 1]
    cdef uint32_t fitting[SIDE]
    cdef double bare[SIDE][SIDE + 1]
    cdef double total[SIDE][SIDE + 1]
    cdef double rest[SIDE + 1][MAX_IN_LINE + 1]
    cdef Line line
    cdef Line drawn
    cdef int16_t near[CELLS][4]
    cdef uint8_t near_count[CELLS]

    def __init__(self, thematic, regular, uint64_t seed):
        cdef int64_t k, at, other, letter, length, row, column
        self.seed = mixed(seed + 1) | ONE
        words = sorted((word for word in thematic if 2 < len(word) <= SIDE), key=lambda word: (len(word), word))
        if len(words) > MAX_THEMATIC:
            raise ValueError(f"more than {MAX_THEMATIC} thematic words")
        self.patterns = <Pattern*>self.zeros(ENTRIES, sizeof(Pattern))
        self.pool = <uint16_t*>self.zeros(POOL, sizeof(uint16_t))
        self.judged = self.uint64s(JUDGED)
        self.spelled = self.bytes(len(words) * SIDE)
        self.lengths = self.int32s(len(words))
        self.having = self.uint64s((SIDE + 1) * SIDE * 26 * WIDE)
        for length in range(SIDE + 2):
            self.first_word[length] = sum(len(word) < length for word in words)
        for k, word in enumerate(words):
            self.lengths[k] = len(word)
            other = k - self.first_word[len(word)]
            for place, item in enumerate(word):
                letter = ord(item) - 65
                self.spelled[k * SIDE + place] = letter
                at = ((len(word) * SIDE + place) * 26 + letter) * WIDE + (other >> 6)
                self.having[at] |= ONE << <uint64_t>(other & 63)
        for length in range(3, SIDE + 1):
            self.set_list(length, sorted(word for word in regular if len(word) == length))
        for row in range(SIDE):
            for column in range(SIDE):
                k = row * SIDE + column
                for r, c in ((row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column)):
                    if 0 <= r < SIDE and 0 <= c < SIDE:
                        self.near[k][self.near_count[k]] = r * SIDE + c
                        self.near_count[k] += 1
        self.letter = self.next.letter
        memset(&self.next, 0, sizeof(State))
        memset(self.next.letter, FREE, CELLS)
        memset(self.next.word, 255, sizeof(self.next.word))
        memset(self.next.where, 255, sizeof(self.next.where))
        self.penalize(&self.next, 1e9)
        for k in range(REPLICAS):
            memcpy(&self.replica[k], &self.next, sizeof(State))

    cdef set_list(self, int64_t length, list words):
        cdef int64_t k, place, letter, size = (len(words) + 63) // 64
        self.counts[length], self.sizes[length] = len(words), size
        self.masks[length] = self.uint64s(length * 26 * size)
        self.lists[length] = self.bytes(length * len(words))
        for k, word in enumerate(words):
            for place, item in enumerate(word):
                letter = ord(item) - 65
                self.lists[length][k * length + place] = letter
                self.masks[length][(place * 26 + letter) * size + (k >> 6)] |= ONE << <uint64_t>(k & 63)

    cdef int below(self, int limit) noexcept nogil:
        return <int>(xorshift(&self.seed) * limit)

    # Patterns

    cdef Pattern* look_up(self, uint8_t* letters, int step, int length) noexcept nogil:
        """The pattern of a slot's letters."""
        cdef Pattern* pattern
        key = key_of(letters, step, length)
        at = mixed(key) & <uint64_t>(ENTRIES - 1)
        while self.patterns[at].key:
            if self.patterns[at].key == key:
                return &self.patterns[at]
            at = (at + 1) & <uint64_t>(ENTRIES - 1)
        self.patterned += 1
        pattern = &self.patterns[at]
        pattern.key, pattern.thematic, pattern.single = key, -1, 0
        self.match(pattern, letters, step, length)
        return pattern

    cdef void match(self, Pattern* pattern, uint8_t* letters, int step, int length) noexcept nogil:
        """Find the words that fit a slot's letters."""
        cdef uint64_t row[512]
        cdef uint64_t* having[SIDE]
        cdef uint8_t* word
        cdef uint64_t rest
        cdef int k, letter, fixed = 0, size = self.sizes[length], count = 0, wanted, place
        for k in range(length):
            letter = letters[k * step]
            if letter != FREE:
                having[fixed] = self.masks[length] + (k * 26 + letter) * size
                fixed += 1
        for k in range(size):
            rest = ~ZERO
            for place in range(fixed):
                rest &= having[place][k]
            if not fixed and k == size - 1 and self.counts[length] & 63:
                rest = (ONE << <uint64_t>(self.counts[length] & 63)) - ONE
            row[k] = rest
            count += <int>count_bits(rest)
        pattern.count, pattern.pool, wanted = count, <uint32_t>self.pooled, LISTED
        for k in range(size):
            rest = row[k]
            while rest and wanted:
                if count <= wanted or self.below(count) < wanted:
                    self.pool[self.pooled] = k * 64 + <int>lowest(rest)
                    self.pooled += 1
                    wanted -= 1
                count -= 1
                rest &= rest - ONE
        pattern.listed = LISTED - wanted
        for k in range(pattern.listed if pattern.listed == pattern.count else 0):
            word = self.lists[length] + self.pool[pattern.pool + k] * length
            for place in range(length):
                pattern.letters[place] |= <uint32_t>1 << word[place]
        for place in range(length if pattern.listed < pattern.count else 0):
            for letter in range(26):
                for k in range(size):
                    if row[k] & self.masks[length][(place * 26 + letter) * size + k]:
                        pattern.letters[place] |= <uint32_t>1 << letter
                        break
        for k in range(self.first_word[length], self.first_word[length + 1] if fixed >= length - 1 else 0):
            letter = FREE
            for place in range(length):
                if letters[place * step] == FREE:
                    letter = self.spelled[k * SIDE + place]
                elif letters[place * step] != self.spelled[k * SIDE + place]:
                    break
            else:
                if letter == FREE:
                    pattern.thematic = k
                else:
                    pattern.single |= <uint32_t>1 << letter

    # The energy of a state

    cdef void penalize(self, State* state, double bound) noexcept nogil:
        """Set the penalty, once the letters are set; it ends early above the bound."""
        cdef int down, line, place, cell, step, start, length, whole = 0
        cdef uint8_t pairs[676]
        cdef Pattern* entire[MAX_SLOTS]
        memset(pairs, 0, sizeof(pairs))
        memset(self.slot_at, 255, sizeof(self.slot_at))
        state.bad = self.slots = 0
        for down in range(2):
            step = SIDE if down else 1
            for line in range(SIDE):
                place = 0
                while place < SIDE:
                    start = (line if down else line * SIDE) + place * step
                    if state.block[start]:
                        place += 1
                        continue
                    length = 0
                    while place < SIDE and not state.block[start + length * step]:
                        length += 1
                        place += 1
                    if length == 1 or state.word[down][start] >= 0:
                        continue
                    if length == 2:
                        if self.letter[start] != FREE and self.letter[start + step] != FREE:
                            cell = self.letter[start] * 26 + self.letter[start + step]
                            state.bad += pairs[cell]
                            pairs[cell] = 1
                        continue
                    whole = self.add_slot(state, start, down, length, entire, whole)
        self.holes = state.bad
        state.penalty = HOLE * state.bad
        if state.penalty - state.value <= bound:
            self.join_parts(state)

    cdef int add_slot(self, State* state, int start, int down, int length, Pattern** entire, int whole) noexcept nogil:
        """Enter a slot that has no thematic word; returns how many such slots have all letters."""
        cdef int k, step = SIDE if down else 1, missing = 0
        cdef Pattern* pattern = self.look_up(self.letter + start, step, length)
        for k in range(length):
            if self.letter[start + k * step] == FREE:
                self.slot_at[down][start + k * step] = self.slots
                missing += 1
        if pattern.count and missing:
            k = self.slots
            self.first[k], self.down[k], self.size[k], self.pattern[k] = start, down, length, pattern
            self.slots += 1
            return whole
        if pattern.thematic >= 0:
            if state.where[pattern.thematic] < 0:  # a thematic word that crossing ones make up counts, too
                self.put_word(state, pattern.thematic, start, down)
            else:
                state.bad += 1
            return whole
        for k in range(whole):
            state.bad += entire[k] == pattern
        state.bad += pattern.count == 0
        for k in range(length):
            self.slot_at[down][start + k * step] = -1
        entire[whole] = pattern
        return whole + 1

    cdef void join_parts(self, State* state) noexcept nogil:
        """Join slots to parts, and add the penalties of parts."""
        cdef int cell, s, t
        cdef uint64_t verdict
        state.bad, state.unknown, state.penalty = self.holes, 0, HOLE * self.holes
        for s in range(self.slots):
            self.part[s], self.part_size[s], self.part_hash[s] = s, 0, ZERO
        for cell in range(CELLS):
            s, t = self.slot_at[0][cell], self.slot_at[1][cell]
            if s < 0 or t < 0:
                continue
            if not (
                self.pattern[s].letters[cell - self.first[s]]
                & self.pattern[t].letters[(cell - self.first[t]) // SIDE]
            ):
                state.bad += 1
                state.penalty += HOLE
            while self.part[s] != s:
                s = self.part[s]
            while self.part[t] != t:
                t = self.part[t]
            self.part[s] = t
        for s in range(self.slots):
            t = s
            while self.part[t] != t:
                t = self.part[t]
            self.part[s] = t
            self.part_size[t] += 1
            self.part_hash[t] += mixed(self.pattern[s].key ^ mixed(<uint64_t>(2 * self.first[s] + self.down[s] + 1)))
        for s in range(self.slots):
            if self.part[s] != s:
                continue
            verdict = self.judgement(self.part_hash[s])
            if verdict == ZERO:
                state.unknown += 1
                if self.part_size[s] > MAX_PART:
                    state.penalty += LARGE * (self.part_size[s] - MAX_PART)
            elif verdict & ONE == ZERO:
                state.bad += 1
                state.penalty += NO_FILL

    cdef uint64_t judgement(self, uint64_t hash) noexcept nogil:
        """What is remembered of a part, of which the lowest bit says whether it has a fill, or 0."""
        at = hash >> <uint64_t>42
        while self.judged[at] and (self.judged[at] ^ hash) >> ONE:
            at = (at + 1) & <uint64_t>(JUDGED - 1)
        return self.judged[at]

    cdef void judge_parts(self, State* state) noexcept nogil:
        """Find out whether each new part has a fill, and set the penalty again."""
        cdef uint64_t hash
        if self.judgements > JUDGED // 2:
            self.judgements = 0
            memset(self.judged, 0, JUDGED * sizeof(uint64_t))
        for s in range(self.slots):
            hash = self.part_hash[s]
            if self.part[s] != s or self.part_size[s] > MAX_PART or self.judgement(hash):
                continue
            self.nodes = MAX_NODES
            memset(self.filled, 0, sizeof(self.filled))
            at = hash >> <uint64_t>42
            while self.judged[at]:
                at = (at + 1) & <uint64_t>(JUDGED - 1)
            self.judged[at] = (hash & ~ONE) | <uint64_t>self.fill(s)
            self.judgements += 1
        self.join_parts(state)

    cdef bint fill(self, int part) noexcept nogil:
        """Whether the part has a fill, as far as this many nodes show."""
        cdef int s, t, k, place, start, step, length, missing = 0, chosen = -1, turn
        cdef int16_t gap[SIDE]
        cdef Pattern* before[SIDE]
        cdef Pattern* pattern
        cdef uint8_t* word
        cdef bint fits
        for s in range(self.slots):
            if self.part[s] == part and not self.filled[s]:
                if chosen < 0 or self.pattern[s].count < self.pattern[chosen].count:
                    chosen = s
        if chosen < 0:
            return True
        s, pattern = chosen, self.pattern[chosen]
        start, length, down = self.first[s], self.size[s], self.down[s]
        step = SIDE if down else 1
        for k in range(length):
            if self.letter[start + k * step] == FREE:
                gap[missing] = k
                t = self.slot_at[1 - down][start + k * step]
                before[missing] = self.pattern[t] if t >= 0 else NULL
                missing += 1
        self.filled[s] = 1
        turn = self.below(pattern.listed)
        fits = False
        for place in range(pattern.listed if missing else 1):
            if missing:
                word = self.lists[length] + self.pool[pattern.pool + (place + turn) % pattern.listed] * length
                fits = self.put(s, word, gap, missing)
            else:
                fits = True
            fits = fits and self.fill(part)
            for k in range(missing):
                self.letter[start + gap[k] * step] = FREE
                t = self.slot_at[1 - down][start + gap[k] * step]
                if t >= 0:
                    self.pattern[t] = before[k]
            if fits or self.nodes <= 0:
                break
        self.filled[s] = 0
        return fits

    cdef bint put(self, int s, uint8_t* word, int16_t* gap, int missing) noexcept nogil:
        """Put a word into a slot's gaps; False if that leaves no words to a crossing slot."""
        cdef int k, t, other, cell, place, start = self.first[s], down = self.down[s]
        cdef int step = SIDE if down else 1, across = 1 if down else SIDE
        cdef Pattern* pattern
        for k in range(missing):
            cell = start + gap[k] * step
            t = self.slot_at[1 - down][cell]
            if t >= 0 and not self.pattern[t].letters[(cell - self.first[t]) // across] >> word[gap[k]] & 1:
                return False
        self.nodes -= 1
        for k in range(missing):
            self.letter[start + gap[k] * step] = word[gap[k]]
        for k in range(missing):
            t = self.slot_at[1 - down][start + gap[k] * step]
            if t < 0:
                continue
            self.pattern[t] = pattern = self.look_up(self.letter + self.first[t], across, self.size[t])
            if pattern.count == 0:
                return False
            for place in range(self.size[t]):
                cell = self.first[t] + place * across
                other = self.slot_at[down][cell]
                if self.letter[cell] == FREE and other >= 0:
                    if not pattern.letters[place] & self.pattern[other].letters[(cell - self.first[other]) // step]:
                        return False
        return True

    cdef bint is_legal(self, State* state) noexcept nogil:
        """Whether white cells are connected and none cuts off two parts of more than a cell each.

        By depth-first search (Tarjan 1972).
        """
        cdef int16_t number[CELLS]
        cdef int16_t low[CELLS]
        cdef int16_t size[CELLS]
        cdef int16_t below[CELLS]
        cdef int16_t path[CELLS]
        cdef uint8_t large[CELLS]
        cdef uint8_t turn[CELLS]
        cdef int count = 1, depth = 0, cell = 0, other, white = CELLS - state.blocks
        memset(number, 255, sizeof(number))
        while state.block[cell]:
            cell += 1
        path[0] = cell
        number[cell] = low[cell] = below[cell] = large[cell] = turn[cell] = 0
        size[cell] = 1
        while depth >= 0:
            cell = path[depth]
            if turn[cell] < self.near_count[cell]:
                other = self.near[cell][turn[cell]]
                turn[cell] += 1
                if state.block[other] or (depth and other == path[depth - 1]):
                    continue
                if number[other] < 0:
                    number[other] = low[other] = count
                    below[other] = large[other] = turn[other] = 0
                    size[other] = 1
                    count += 1
                    depth += 1
                    path[depth] = other
                elif number[other] < low[cell]:
                    low[cell] = number[other]
                continue
            if large[cell] + (white - 1 - below[cell] > 1) > 1:
                return False
            depth -= 1
            if depth >= 0:
                other = path[depth]
                size[other] += size[cell]
                if low[cell] < low[other]:
                    low[other] = low[cell]
                if low[cell] >= number[other]:
                    large[other] += size[cell] > 1
                    below[other] += size[cell]
        return count == white

    # A line

    cdef int energy_of(self, uint8_t* letters, int length) noexcept nogil:
        """The energy of a slot of such letters."""
        cdef Pattern* pattern
        if length < 3:
            return 0
        pattern = self.look_up(letters, 1, length)
        if pattern.thematic >= 0:
            return -length
        return 0 if pattern.count else HOLE

    cdef void weigh_cells(self, State* state, int down, int line) noexcept nogil:
        """Set the weights of letters and of a block for each cell, from the crossing lines."""
        cdef int k, x, cell, origin, first, last, length, word, energy, reference
        cdef int step = SIDE if down else 1, across = 1 if down else SIDE
        cdef uint8_t letters[SIDE]
        cdef Pattern* pattern
        cdef double* weight
        for k in range(SIDE):
            weight = self.weight[k]
            origin = k * step
            cell = origin + line * across
            first = last = line
            letters[line] = FREE
            while first > 0 and not state.block[origin + (first - 1) * across]:
                first -= 1
                x = origin + first * across
                letters[first] = state.letter[x] if state.word[down][x] >= 0 else FREE
            while last < SIDE - 1 and not state.block[origin + (last + 1) * across]:
                last += 1
                x = origin + last * across
                letters[last] = state.letter[x] if state.word[down][x] >= 0 else FREE
            length = last - first + 1
            word = state.word[1 - down][cell]
            pattern = self.look_up(letters + first, 1, length) if length > 2 else NULL
            reference = 0
            if word >= 0:
                reference = -length
            elif pattern != NULL and pattern.count == 0 and pattern.single == 0:
                reference = HOLE
            self.fitting[k] = 0
            for x in range(26):
                energy = 0
                if word >= 0 and state.letter[cell] == x:
                    energy = reference
                elif pattern != NULL:
                    if pattern.single >> x & 1:
                        energy = -length
                    elif not pattern.letters[line - first] >> x & 1:
                        energy = HOLE
                weight[x] = self.power[RANGE + energy - reference]
                self.fitting[k] |= <uint32_t>(weight[x] > LEAST_LETTER) << <uint32_t>x
            weight[BLOCK] = 0
            if (line > 0 and first == line) or (line < SIDE - 1 and last == line):
                continue  # beside another block
            energy = 0
            if state.block[cell] and line > 0 and state.word[1 - down][cell - across] >= 0:
                energy -= line - first
            else:
                energy += self.energy_of(letters + first, line - first)
            if state.block[cell] and line < SIDE - 1 and state.word[1 - down][cell + across] >= 0:
                energy -= last - line
            else:
                energy += self.energy_of(letters + line + 1, last - line)
            if state.block[cell] or self.power[RANGE + energy - reference] > LEAST_BLOCK:
                weight[BLOCK] = self.power[RANGE + energy - reference]

    cdef double weight_of(self, State* state, int word, int place, double least) noexcept nogil:
        """The weight of a thematic word at a place, or 0 if it is below the least."""
        cdef int k, length = self.lengths[word]
        cdef uint8_t* spelled = self.spelled + word * SIDE
        cdef double weight = self.power[RANGE - length]
        for k in range(length):
            weight *= self.weight[place + k][spelled[k]]
            if weight < least:
                return 0
        return weight if state.where[word] < 0 else weight * self.power[RANGE + length]

    cdef double weigh_words(self, State* state, int place, int length, double limit, int* chosen) noexcept nogil:
        """The weight of all thematic words of a length at a place, or that of the one with which it exceeds a limit."""
        cdef int k, j, word, first = self.first_word[length], count = self.first_word[length + 1] - first
        cdef uint64_t rest, any
        cdef uint32_t letters
        cdef bint others
        cdef uint64_t* having
        cdef double weight, sum = 0
        for k in range((count + 63) >> 6):
            rest = ~ZERO if count - 64 * k >= 64 else (ONE << <uint64_t>(count - 64 * k)) - ONE
            for j in range(length):
                letters = self.fitting[place + j]
                others = count_bits(letters) > 13
                if others:
                    letters ^= ALL_LETTERS
                any = ZERO
                having = self.having + (length * SIDE + j) * 26 * WIDE + k
                while letters:
                    any |= having[lowest(letters) * WIDE]
                    letters &= letters - 1
                rest &= ~any if others else any
                if not rest:
                    break
            while rest:
                word = first + k * 64 + <int>lowest(rest)
                rest &= rest - ONE
                weight = self.weight_of(state, word, place, LEAST_WORD)
                sum += weight
                if sum > limit:
                    chosen[0] = word
                    return weight
        return sum

    cdef void weigh_slots(self, State* state, int down, int line, int blocks) noexcept nogil:
        """Set the weights of slots of the line, and of all that can follow a place, with so many blocks at most."""
        cdef int k, p, length, b, cell, start = line if down else line * SIDE
        cdef uint8_t letters[SIDE]
        cdef double weight
        for k in range(SIDE):
            cell = start + k * (SIDE if down else 1)
            letters[k] = state.letter[cell] if state.word[1 - down][cell] >= 0 else FREE
        for b in range(MAX_IN_LINE + 1):
            self.rest[SIDE][b] = 1
        for p in range(SIDE - 1, -1, -1):
            memset(self.rest[p], 0, sizeof(self.rest[p]))
            if p and self.weight[p - 1][BLOCK] == 0:
                continue
            for length in range(1, SIDE - p + 1):
                self.total[p][length] = 0
                if p + length < SIDE and self.weight[p + length][BLOCK] == 0:
                    continue
                self.bare[p][length] = self.power[RANGE + self.energy_of(letters + p, length)]
                self.total[p][length] = self.bare[p][length] + self.weigh_words(state, p, length, 1e300, &k)
                for b in range(blocks + 1):
                    self.rest[p][b] += self.weight_from(p, length, b)

    cdef double weight_from(self, int place, int length, int blocks) noexcept nogil:
        """The weight of all that can follow a place, if a slot of such a length is there."""
        cdef int end = place + length
        if end == SIDE:
            return self.total[place][length]
        if not blocks or self.total[place][length] == 0:
            return 0
        return self.total[place][length] * self.weight[end][BLOCK] * self.rest[end + 1][blocks - 1]

    cdef double draw(self, State* state, int blocks) noexcept nogil:
        """Draw the line; return its weight, 0 if that fails."""
        cdef int p = 0, length, word = -1
        cdef double x, weight = 1
        memset(self.drawn.block, 0, sizeof(self.drawn.block))
        memset(self.drawn.word, 255, sizeof(self.drawn.word))
        if blocks and self.weight[0][BLOCK] > 0:
            x = self.weight[0][BLOCK] * self.rest[1][blocks - 1]
            if xorshift(&self.seed) * (x + self.rest[0][blocks]) < x:
                weight = self.weight[0][BLOCK]
                self.drawn.block[0] = 1
                p, blocks = 1, blocks - 1
        while p < SIDE:
            x = xorshift(&self.seed) * self.rest[p][blocks]
            length = 0
            while x >= 0 and p + length < SIDE:
                length += 1
                x -= self.weight_from(p, length, blocks)
            if x >= 0:
                return 0
            x = xorshift(&self.seed) * self.total[p][length] - self.bare[p][length]
            if x < 0:
                weight *= self.bare[p][length]
            else:
                weight *= self.weigh_words(state, p, length, x, &word)
                self.drawn.word[p] = word
            p += length
            if p < SIDE:
                weight *= self.weight[p][BLOCK]
                self.drawn.block[p] = 1
                p, blocks = p + 1, blocks - 1
        return weight

    cdef double weigh_line(self, State* state) noexcept nogil:
        """The weight of the line as it was."""
        cdef int k, first = 0
        cdef double weight = 1
        for k in range(SIDE + 1):
            if k < SIDE and not self.line.block[k]:
                continue
            if k < SIDE:
                weight *= self.weight[k][BLOCK]
            if k > first:
                if self.line.word[first] >= 0:
                    weight *= self.weight_of(state, self.line.word[first], first, 0)
                else:
                    weight *= self.bare[first][k - first]
            first = k + 1
        return weight

    # Changes

    cdef void put_word(self, State* state, int word, int start, int down) noexcept nogil:
        cdef int k, cell
        state.where[word] = 2 * start + down
        state.value += self.lengths[word]
        for k in range(self.lengths[word]):
            cell = start + k * (SIDE if down else 1)
            state.word[down][cell] = word
            state.letter[cell] = self.spelled[word * SIDE + k]

    cdef void lift_word(self, State* state, int word) noexcept nogil:
        """Remove a thematic word, if there is one, and letters that no other has."""
        cdef int k, cell, start, down
        if word < 0:
            return
        start, down = state.where[word] >> 1, state.where[word] & 1
        state.where[word] = -1
        state.value -= self.lengths[word]
        for k in range(self.lengths[word]):
            cell = start + k * (SIDE if down else 1)
            state.word[down][cell] = -1
            if state.word[1 - down][cell] < 0:
                state.letter[cell] = FREE

    cdef bint put_line(self, State* state, int down, int line) noexcept nogil:
        """Put the line that is drawn, and lift words that don't fit; False if that makes no legal grid."""
        cdef int k, place, cell, word, step = SIDE if down else 1, across = 1 if down else SIDE
        cdef int start = line * across
        for k in range(SIDE):
            for place in range(k):
                if self.drawn.word[k] >= 0 and self.drawn.word[k] == self.drawn.word[place]:
                    return False
            cell = start + k * step
            if self.drawn.block[k] == self.line.block[k]:
                continue
            if self.drawn.block[k]:
                self.lift_word(state, state.word[1 - down][cell])
            else:
                if line > 0:
                    self.lift_word(state, state.word[1 - down][cell - across])
                if line < SIDE - 1:
                    self.lift_word(state, state.word[1 - down][cell + across])
            state.block[cell] = self.drawn.block[k]
            state.blocks += self.drawn.block[k] - self.line.block[k]
        if memcmp(self.drawn.block, self.line.block, SIDE) != 0 and not self.is_legal(state):
            return False
        for k in range(SIDE):
            word = self.drawn.word[k]
            if word < 0:
                continue
            if state.where[word] >= 0:
                self.lift_word(state, word)
            for place in range(self.lengths[word]):
                cell = start + (k + place) * step
                if state.letter[cell] != self.spelled[word * SIDE + place]:
                    self.lift_word(state, state.word[1 - down][cell])
            self.put_word(state, word, start + k * step, down)
        return True

    cdef bint step(self, double heat) noexcept nogil:
        """Draw a line anew; whether the state has changed."""
        cdef State* state = &self.next
        cdef int k, cell, blocks = MAX_BLOCKS
        cdef int down = self.below(2), line = self.below(SIDE)
        cdef double weight, old, bound
        memcpy(state, self.here, sizeof(State))
        if self.patterned > ENTRIES // 2:
            self.patterned = self.pooled = 0
            memset(self.patterns, 0, ENTRIES * sizeof(Pattern))
        blocks -= state.blocks
        for k in range(SIDE):
            cell = line + k * SIDE if down else line * SIDE + k
            self.line.block[k] = state.block[cell]
            blocks += state.block[cell]
            self.line.word[k] = state.word[down][cell]
            self.lift_word(state, self.line.word[k])
        blocks = min(blocks, <int>MAX_IN_LINE)
        self.weigh_cells(state, down, line)
        self.weigh_slots(state, down, line, blocks)
        weight = self.draw(state, blocks)
        if weight == 0 or memcmp(&self.drawn, &self.line, sizeof(Line)) == 0:
            return False
        old = self.weigh_line(state)
        if not self.put_line(state, down, line):
            return False
        bound = self.here.penalty - self.here.value - heat * log(weight / old * (1 - xorshift(&self.seed)))
        self.penalize(state, bound)
        if state.penalty - state.value > bound:
            return False
        if state.unknown:
            self.judge_parts(state)
            if state.penalty - state.value > bound:
                return False
        memcpy(self.here, state, sizeof(State))
        return True

    # Replicas

    cdef void exchange(self) noexcept nogil:
        """Exchange states of neighbouring heats, the first and second or the second and third, and so on."""
        cdef int k
        cdef double gain
        for k in range(self.rounds & 1, REPLICAS - 1, 2):
            gain = self.replica[k].penalty - self.replica[k].value - self.replica[k + 1].penalty + self.replica[k + 1].value
            if log(1 - xorshift(&self.seed)) < gain * (1 / heat_of(k) - 1 / heat_of(k + 1)):
                memcpy(&self.next, &self.replica[k], sizeof(State))
                memcpy(&self.replica[k], &self.replica[k + 1], sizeof(State))
                memcpy(&self.replica[k + 1], &self.next, sizeof(State))

    def run(self, int64_t rounds, int32_t above):
        """Go on until so many rounds are done; True at a grid of a value above that can be filled."""
        cdef int k
        cdef double heat
        with nogil:
            while self.rounds < rounds:
                self.here = &self.replica[self.turn]
                heat = heat_of(self.turn)
                for k in range(2 * RANGE):
                    self.power[k] = exp((RANGE - k) / heat)
                for k in range(STRETCH):
                    if self.step(heat) and self.here.value > above and not self.here.bad and not self.here.unknown:
                        with gil:
                            return True
                self.turn += 1
                if self.turn == REPLICAS:
                    self.turn = 0
                    self.rounds += 1
                    self.exchange()
        return False

    @property
    def value(self):
        return self.here.value

    def rows(self):
        """The present grid: ``#`` for blocks, ``_`` for cells of no thematic word."""
        letters = "".join("#" if self.here.block[k] else chr(65 + self.here.letter[k]) for k in range(CELLS))
        return [letters[k : k + SIDE].replace("[", "_") for k in range(0, CELLS, SIDE)]
