# cython: auto_pickle=False, boundscheck=False, cdivision=True, infer_types=True, initializedcheck=False
# cython: language_level=3, wraparound=False
"""Annealing of blocks and thematic words; ``roco.py`` builds it when it is first used.

A state is a set of blocks and some thematic words, each in a slot of its own. Its energy is the
letters that thematic words lack, and a penalty for all other slots of three letters or more: for
each that no word fits, for each *part* of them (slots connected by cells without a letter) that was
found to have no fill, and for parts too large to be tried. Whether a part has a fill is found out by
depth-first search before a state is accepted, and remembered. So annealing visits few states whose
other slots can't be filled, at the price of a few microseconds a step.
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
    MAX_WORDS = 64
    MAX_SLOTS = 128
    ENTRIES = 1 << 20
    LISTED = 96  # words of a pattern that are listed, at most
    POOL = ENTRIES // 2 * LISTED + (1 << 22)
    JUDGED = 1 << 22
    MAX_NODES = 100
    MAX_PART = 18  # slots of a part that is tried


# Penalties, in letters: for a slot that no word fits, for a part without a fill, and for each slot by
# which a part is too large. Heat falls from one value to the other.
cdef double HOLE = 10.0, NO_FILL = 6.0, LARGE = 2.0
cdef double FIRST_HEAT = 1.4, LAST_HEAT = 0.7


cdef struct State:
    int32_t blocks, words, value, bad, unknown
    double penalty
    uint8_t block[CELLS]
    int16_t word[MAX_WORDS]
    int16_t start[MAX_WORDS]
    uint8_t down[MAX_WORDS]


cdef struct Pattern:
    # The words that fit some letters: how many, which letters they have at each place, and which
    # they are, if there are not too many; ``thematic`` is the number of the only one, or -1.
    uint64_t key
    int32_t count, listed, thematic
    uint32_t pool
    uint32_t letters[SIDE]


cdef uint64_t mixed(uint64_t bits) noexcept nogil:
    bits = (bits ^ (bits >> <uint64_t>30)) * <uint64_t>0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> <uint64_t>27)) * <uint64_t>0x94D049BB133111EB
    return bits ^ (bits >> <uint64_t>31)


cdef class Annealing(Memory):
    """Anneals a grid of thematic words, and of regular ones for all other slots, in capital letters."""

    cdef State here, next
    cdef uint64_t seed
    cdef readonly list thematic
    cdef readonly int64_t steps
    # Thematic words, the shortest first, and where each letter is: SIDE * word + place.
    cdef uint8_t* spelled
    cdef int32_t* lengths
    cdef int32_t* places
    cdef int32_t first_place[27]
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
    # The state under consideration: its letters and slots, and the patterns of the present state.
    cdef uint8_t letter[CELLS]
    cdef uint8_t here_letter[CELLS]
    cdef uint8_t thematic_at[2][CELLS]
    cdef Pattern* pattern_at[2][CELLS]
    cdef Pattern* here_pattern_at[2][CELLS]
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
    cdef int16_t near[CELLS][4]
    cdef uint8_t near_count[CELLS]

    def __init__(self, thematic, regular, uint64_t seed):
        cdef int64_t k, letter, length, row, column
        self.seed = mixed(seed + 1) | ONE
        self.thematic = sorted((word for word in thematic if 2 < len(word) <= SIDE), key=lambda word: (len(word), word))
        self.patterns = <Pattern*>self.zeros(ENTRIES, sizeof(Pattern))
        self.pool = <uint16_t*>self.zeros(POOL, sizeof(uint16_t))
        self.judged = self.uint64s(JUDGED)
        self.spelled = self.bytes(len(self.thematic) * SIDE)
        self.lengths = self.int32s(len(self.thematic))
        places = [[] for _ in range(26)]
        for k, word in enumerate(self.thematic):
            self.lengths[k] = len(word)
            for place, item in enumerate(word):
                self.spelled[k * SIDE + place] = ord(item) - 65
                places[ord(item) - 65].append(k * SIDE + place)
        self.places = self.int32s(sum(map(len, places)))
        for letter in range(26):
            self.first_place[letter + 1] = self.first_place[letter] + len(places[letter])
            for k, place in enumerate(places[letter]):
                self.places[self.first_place[letter] + k] = place
        for length in range(SIDE + 2):
            self.first_word[length] = sum(len(word) < length for word in self.thematic)
        for length in range(3, SIDE + 1):
            self.set_list(length, sorted(word for word in regular if len(word) == length))
        for row in range(SIDE):
            for column in range(SIDE):
                k = row * SIDE + column
                for r, c in ((row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column)):
                    if 0 <= r < SIDE and 0 <= c < SIDE:
                        self.near[k][self.near_count[k]] = r * SIDE + c
                        self.near_count[k] += 1
        self.refresh()

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

    cdef uint64_t key_of(self, int start, int step, int length) noexcept nogil:
        cdef uint64_t key = 0
        for k in range(length):
            key = key * 27 + self.letter[start + k * step]
        return key | (ONE << <uint64_t>63 if length == SIDE else <uint64_t>length << <uint64_t>58)

    cdef Pattern* look_up(self, int start, int step, int length) noexcept nogil:
        """The pattern of a slot's letters."""
        cdef Pattern* pattern
        key = self.key_of(start, step, length)
        at = mixed(key) & <uint64_t>(ENTRIES - 1)
        while self.patterns[at].key:
            if self.patterns[at].key == key:
                return &self.patterns[at]
            at = (at + 1) & <uint64_t>(ENTRIES - 1)
        self.patterned += 1
        pattern = &self.patterns[at]
        pattern.key, pattern.thematic = key, -1
        self.match(pattern, start, step, length)
        return pattern

    cdef void match(self, Pattern* pattern, int start, int step, int length) noexcept nogil:
        """Find the words that fit a slot's letters."""
        cdef uint64_t row[512]
        cdef uint64_t* having[SIDE]
        cdef uint8_t* word
        cdef uint64_t rest
        cdef int k, letter, fixed = 0, size = self.sizes[length], count = 0, wanted, place
        for k in range(length):
            letter = self.letter[start + k * step]
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
        if fixed == length:
            for k in range(self.first_word[length], self.first_word[length + 1]):
                place = 0
                while place < length and self.spelled[k * SIDE + place] == self.letter[start + place * step]:
                    place += 1
                if place == length:
                    pattern.thematic = k

    # The energy of a state

    cdef void settle_words(self, State* state) noexcept nogil:
        """Drop words that fit no longer, the last ones first; set the letters and the value."""
        cdef int k, other, place, kept = 0, word, start, step, position
        cdef bint fits
        memset(self.letter, FREE, CELLS)
        memset(self.thematic_at, 0, sizeof(self.thematic_at))
        state.value = 0
        for k in range(state.words):
            word, start, down = state.word[k], state.start[k], state.down[k]
            step = SIDE if down else 1
            length = self.lengths[word]
            position = start // SIDE if down else start % SIDE
            fits = not (position and not state.block[start - step])
            if position + length < SIDE and not state.block[start + length * step]:
                fits = False
            for other in range(kept):
                if state.word[other] == word or (state.start[other] == start and state.down[other] == down):
                    fits = False
            place = 0
            while fits and place < length:
                cell = start + place * step
                letter = self.letter[cell]
                fits = not state.block[cell] and (letter == FREE or letter == self.spelled[word * SIDE + place])
                place += 1
            if not fits:
                continue
            for place in range(length):
                self.letter[start + place * step] = self.spelled[word * SIDE + place]
                self.thematic_at[down][start + place * step] = 1
            state.word[kept], state.start[kept], state.down[kept] = word, start, down
            kept += 1
            state.value += length
        state.words = kept

    cdef void penalize(self, State* state, double bound) noexcept nogil:
        """Set the penalty, once the letters are set; it ends early above the bound."""
        cdef int down, line, place, cell, step, start, length, pairs_count = 0, whole = 0
        cdef uint8_t pairs[676]
        cdef Pattern* entire[MAX_SLOTS]
        if self.patterned > ENTRIES // 2:
            self.patterned = self.pooled = 0
            memset(self.patterns, 0, ENTRIES * sizeof(Pattern))
            memset(self.pattern_at, 0, sizeof(self.pattern_at))
            memset(self.here_pattern_at, 0, sizeof(self.here_pattern_at))
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
                    if length == 1 or self.thematic_at[down][start]:
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
        cdef Pattern* pattern = self.here_pattern_at[down][start]
        if pattern == NULL or pattern.key != self.key_of(start, step, length):
            pattern = self.look_up(start, step, length)
        self.pattern_at[down][start] = pattern
        for k in range(length):
            if self.letter[start + k * step] == FREE:
                self.slot_at[down][start + k * step] = self.slots
                missing += 1
        if pattern.count and missing:
            k = self.slots
            self.first[k], self.down[k], self.size[k], self.pattern[k] = start, down, length, pattern
            self.slots += 1
            return whole
        if pattern.thematic >= 0 and state.words < MAX_WORDS - 2:
            k = 0
            while k < state.words and state.word[k] != pattern.thematic:
                k += 1
            if k == state.words:  # a thematic word that crossing ones make up counts, too
                state.word[k], state.start[k], state.down[k] = pattern.thematic, start, down
                state.words += 1
                state.value += length
                return whole
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
            self.pattern[t] = pattern = self.look_up(self.first[t], across, self.size[t])
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

    # Changes

    cdef void put_block(self, State* state, int cell) noexcept nogil:
        """Put a block, and remove those beside it."""
        state.blocks += not state.block[cell]
        state.block[cell] = 1
        for k in range(self.near_count[cell]):
            state.blocks -= state.block[self.near[cell][k]]
            state.block[self.near[cell][k]] = 0

    cdef bint may_block(self, State* state, int cell) noexcept nogil:
        for k in range(self.near_count[cell]):
            if state.block[self.near[cell][k]]:
                return False
        return not state.block[cell]

    cdef int block_of(self, State* state) noexcept nogil:
        """A block by chance; -1 if there are none."""
        cdef int cell, rest = self.below(state.blocks) if state.blocks else -1
        for cell in range(CELLS):
            if state.block[cell]:
                if rest == 0:
                    return cell
                rest -= 1
        return -1

    cdef void thin(self, State* state, int end, int other_end) noexcept nogil:
        """Remove blocks that are too many, but for two, if possible such that end no word."""
        cdef uint8_t needed[CELLS]
        cdef int k, cell, tries = 0
        memset(needed, 0, CELLS)
        for k in range(1, state.words):
            step = SIDE if state.down[k] else 1
            cell = state.start[k] - step
            if cell >= 0:
                needed[cell] = 1
            cell = state.start[k] + self.lengths[state.word[k]] * step
            if cell < CELLS:
                needed[cell] = 1
        while state.blocks > MAX_BLOCKS:
            cell = self.block_of(state)
            tries += 1
            if cell != end and cell != other_end and not (needed[cell] and tries < 60):
                state.block[cell] = 0
                state.blocks -= 1

    cdef int choose_place(self, State* state, double kind, int* start, bint* down) noexcept nogil:
        """Choose a thematic word and a place; -1 if there is no room for it."""
        cdef int k, word, cell, letter, length, position, step
        down[0] = self.below(2)
        if kind < 0.7 and not state.words:
            return -1
        if kind < 0.55:  # across a word, through one of its letters
            k = self.below(state.words)
            down[0] = not state.down[k]
            cell = state.start[k] + self.below(self.lengths[state.word[k]]) * (1 if down[0] else SIDE)
            letter = self.letter[cell]
            k = self.places[self.first_place[letter] + self.below(self.first_place[letter + 1] - self.first_place[letter])]
            word, k = k // SIDE, k % SIDE
            position = (cell // SIDE if down[0] else cell % SIDE) - k
            start[0] = cell - k * (SIDE if down[0] else 1)
        elif kind < 0.7:  # where a word is or a cell beside: that word, or another as long or nearly so
            k = self.below(state.words)
            word, down[0], length = state.word[k], state.down[k], self.lengths[state.word[k]]
            cell = self.below(3) - 1
            start[0] = state.start[k] + cell * (SIDE if down[0] else 1)
            position = (state.start[k] // SIDE if down[0] else state.start[k] % SIDE) + cell
            if cell == 0 or self.below(2):
                word = self.word_of(length + (self.below(3) - 1 if cell == 0 else 0))
        elif kind < 0.85:  # in a slot
            cell = self.below(CELLS)
            if state.block[cell]:
                return -1
            step = SIDE if down[0] else 1
            position = cell // SIDE if down[0] else cell % SIDE
            while position and not state.block[cell - step]:
                position -= 1
                cell -= step
            length = 0
            while position + length < SIDE and not state.block[cell + length * step]:
                length += 1
            start[0], word = cell, self.word_of(length)
        else:  # anywhere
            word = self.below(self.first_word[SIDE + 1])
            position = self.below(SIDE + 1 - self.lengths[word])
            k = self.below(SIDE)
            start[0] = position * SIDE + k if down[0] else k * SIDE + position
        if word < 0 or position < 0 or position + self.lengths[word] > SIDE:
            return -1
        return word

    cdef int word_of(self, int length) noexcept nogil:
        """A thematic word of a length, or -1."""
        if length < 3 or length > SIDE or self.first_word[length] == self.first_word[length + 1]:
            return -1
        return self.first_word[length] + self.below(self.first_word[length + 1] - self.first_word[length])

    cdef bint put_word(self, State* state) noexcept nogil:
        """Put the best fitting of some thematic words, with blocks at its ends."""
        cdef int k, word, start = 0, cell, fit, best = -1, best_start = 0, best_fit = -1000, step, position, length
        cdef int ends[2]
        cdef bint down = False, best_down = False
        kind = xorshift(&self.seed)
        for _ in range(1 << self.below(4)):
            word = self.choose_place(state, kind, &start, &down)
            if word < 0:
                continue
            fit, step = 0, SIDE if down else 1
            for k in range(self.lengths[word]):
                cell = start + k * step
                if state.block[cell]:
                    fit -= 1
                elif self.letter[cell] != FREE:
                    fit += 2 if self.letter[cell] == self.spelled[word * SIDE + k] else -4
            if fit > best_fit:
                best, best_start, best_down, best_fit = word, start, down, fit
        if best < 0 or state.words >= MAX_WORDS - 2:
            return False
        word, start, down = best, best_start, best_down
        step, length = SIDE if down else 1, self.lengths[word]
        position = start // SIDE if down else start % SIDE
        for k in range(length):
            state.blocks -= state.block[start + k * step]
            state.block[start + k * step] = 0
        ends[0] = start - step if position else -1
        ends[1] = start + length * step if position + length < SIDE else -1
        for k in range(2):
            if ends[k] >= 0:
                self.put_block(state, ends[k])
        for k in range(state.words, 0, -1):
            state.word[k], state.start[k], state.down[k] = state.word[k - 1], state.start[k - 1], state.down[k - 1]
        state.word[0], state.start[0], state.down[0] = word, start, down
        state.words += 1
        self.thin(state, ends[0], ends[1])
        return True

    cdef bint change(self, State* state) noexcept nogil:
        """Change the state by chance; False if nothing comes of it."""
        cdef int k, cell, r, c
        kind = xorshift(&self.seed)
        if kind < 0.6:
            return self.put_word(state)
        if kind < 0.63:
            if not state.words:
                return False
            k = self.below(state.words)
            state.words -= 1
            state.word[k], state.start[k], state.down[k] = state.word[state.words], state.start[state.words], state.down[state.words]
            return True
        if kind < 0.7:
            cell = self.below(CELLS)
            if state.blocks >= MAX_BLOCKS or not self.may_block(state, cell):
                return False
            self.put_block(state, cell)
            return True
        cell = self.block_of(state)
        if cell < 0:
            return False
        state.block[cell] = 0
        state.blocks -= 1
        if kind < 0.75:
            return True
        r, c = cell // SIDE + self.below(5) - 2, cell % SIDE + self.below(5) - 2
        if kind > 0.9:
            r, c = self.below(SIDE), self.below(SIDE)
        if r < 0 or c < 0 or r >= SIDE or c >= SIDE or state.block[r * SIDE + c]:
            return False
        self.put_block(state, r * SIDE + c)
        return True

    cdef void keep(self) noexcept nogil:
        """Go on from the next state."""
        memcpy(&self.here, &self.next, sizeof(State))
        memcpy(self.here_letter, self.letter, sizeof(self.letter))
        memcpy(self.here_pattern_at, self.pattern_at, sizeof(self.pattern_at))

    cdef void refresh(self) noexcept nogil:
        memcpy(&self.next, &self.here, sizeof(State))
        self.settle_words(&self.next)
        self.penalize(&self.next, 1e9)
        self.keep()

    cdef bint step(self, double heat) noexcept nogil:
        """Try a change; whether it is accepted."""
        cdef State* state = &self.next
        cdef int tries, cell
        memcpy(state, &self.here, sizeof(State))
        memcpy(self.letter, self.here_letter, sizeof(self.letter))
        if not self.change(state):
            return False
        self.settle_words(state)
        if self.below(4):
            for tries in range(8):
                cell = self.below(CELLS)
                if state.blocks < MAX_BLOCKS and self.letter[cell] == FREE and self.may_block(state, cell):
                    self.put_block(state, cell)
        bound = self.here.penalty - self.here.value - heat * log(1 - xorshift(&self.seed))
        if -state.value > bound:
            return False
        self.penalize(state, bound)
        if state.penalty - state.value > bound:
            return False
        if memcmp(state.block, self.here.block, CELLS) != 0 and not self.is_legal(state):
            return False
        if state.unknown:
            self.judge_parts(state)
            if state.penalty - state.value > bound:
                return False
        self.keep()
        return True

    def restart(self):
        """Begin again, with an empty grid; what is remembered stays."""
        memset(&self.here, 0, sizeof(State))
        self.steps = 0
        self.refresh()

    def run(self, int64_t steps, int32_t above):
        """Anneal in so many steps; True at a grid of a value above that can be filled."""
        cdef bint found = False
        cdef double heat = 0.0
        with nogil:
            while self.steps < steps and not found:
                if heat == 0.0 or self.steps & 255 == 0:
                    heat = FIRST_HEAT * exp(log(LAST_HEAT / FIRST_HEAT) * self.steps / steps)
                self.steps += 1
                if self.step(heat):
                    found = self.here.value > above and self.here.bad == 0 and self.here.unknown == 0
        return found

    @property
    def value(self):
        return self.here.value

    def rows(self):
        """The present grid: ``#`` for blocks, ``_`` for cells of no thematic word."""
        letters = "".join("#" if self.here.block[k] else chr(65 + self.here_letter[k]) for k in range(CELLS))
        return [letters[k : k + SIDE].replace("[", "_") for k in range(0, CELLS, SIDE)]
