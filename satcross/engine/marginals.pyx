"""Messages of belief propagation between the slots of a puzzle, and what follows from them.

``satcross.network.belief_propagation`` says what they mean.
"""

from libc.math cimport ceil, exp, fabs, log
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport qsort

from satcross.engine.memory cimport (
    ONE, ZERO, Memory, bitset_of, count_bits, first_word, lowest, xorshift,
)
from satcross.engine.puzzle cimport CompiledPuzzle, PuzzleTables

# Minimum probability of a letter, as a message does not prove that a letter is impossible.
cdef double _FLOOR = 1e-12
cdef double _TINY = 1e-300
# Share of the old message in a new one (damping), without which messages may oscillate.
cdef double _DAMPING = 0.5


cdef struct Exchange:
    uint64_t* domains
    # The candidates that messages are made of, all or a sample: how many a slot has, and where
    # their codes begin, column by column. In a paired slot, a code is the letters at two crossings,
    # and its columns are half as many; otherwise, it is a letter.
    int64_t* number
    int64_t* code_start
    bint* paired
    uint16_t* codes
    double* table  # of one column
    # By lexicon, the logarithms of how much the words are wanted, and how much each of those
    # candidates is; NULL, if all are alike.
    double* wishes
    int64_t* wanted_start
    double* wanted
    # For each link and letter, the logarithm of a probability: what the crossing slot tells; what
    # it will tell; and the weight of the slot's candidates with the letter.
    double* messages
    double* fresh
    double* told
    int64_t rounds
    # The candidates of one slot, the values of those, and a copy.
    int32_t* chosen
    double* values
    double* copies


cdef struct Ranked:
    double value
    int32_t word


cdef int _by_value(const void* first, const void* second) noexcept nogil:
    cdef const Ranked* a = <const Ranked*>first
    cdef const Ranked* b = <const Ranked*>second
    if a.value != b.value:
        return -1 if a.value > b.value else 1
    return -1 if a.word < b.word else 1


cdef int64_t _list(PuzzleTables* tables, Exchange* work, int64_t slot) noexcept nogil:
    """List a slot's candidates in ``chosen``; return how many they are."""
    cdef int64_t k, start = tables.domain_start[slot], number = 0
    cdef uint64_t rest
    for k in range(tables.domain_words[slot]):
        rest = work.domains[start + k]
        while rest:
            work.chosen[number] = <int32_t>((k << 6) + <int64_t>lowest(rest))
            number += 1
            rest &= rest - ONE
    return number


cdef double _weigh(PuzzleTables* tables, Exchange* work, int64_t slot, int64_t number) noexcept nogil:
    """Sum in ``values`` what a slot heard of the letters of its candidates; return the top sum."""
    cdef int64_t k, link
    cdef double* messages
    cdef uint8_t* column
    cdef double top
    cdef double* wishes = work.wishes
    if wishes != NULL:
        wishes += tables.lexicon_start[tables.lexicon[slot]]
    for k in range(number):
        work.values[k] = 0.0 if wishes == NULL else wishes[work.chosen[k]]
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        messages = work.messages + (link << 6)
        column = tables.columns + tables.column_start[link]
        for k in range(number):
            work.values[k] += messages[column[work.chosen[k]]]
    top = work.values[0]
    for k in range(number):
        top = max(top, work.values[k])
    return top


cdef void _write_codes(PuzzleTables* tables, Exchange* work, int64_t slot) noexcept nogil:
    """Write the codes of the candidates in ``chosen``."""
    cdef int64_t k, link = tables.link_start[slot], end = tables.link_start[slot + 1]
    cdef int64_t number = work.number[slot]
    cdef uint16_t* codes = work.codes + work.code_start[slot]
    cdef uint8_t* column
    while link < end:
        column = tables.columns + tables.column_start[link]
        for k in range(number):
            codes[k] = column[work.chosen[k]]
        link += 1
        if work.paired[slot]:
            column = tables.columns + tables.column_start[link]
            for k in range(number):
                codes[k] *= <uint16_t>tables.letters
            if link < end:
                for k in range(number):
                    codes[k] += column[work.chosen[k]]
                link += 1
        codes += number


cdef void _scale(const double* messages, int64_t letters, double* weights) noexcept nogil:
    """Write the letters' probabilities, the largest as 1: their product stays a number."""
    cdef int64_t letter
    cdef double top = messages[0]
    for letter in range(letters):
        top = max(top, messages[letter])
    for letter in range(letters):
        weights[letter] = exp(messages[letter] - top)


cdef void _tell(PuzzleTables* tables, Exchange* work, int64_t slot) noexcept nogil:
    """Sum in ``told`` the weights of a slot's candidates, by the letters that they have."""
    cdef int64_t k, link, letter, other, end = tables.link_start[slot + 1]
    cdef int64_t number = work.number[slot], letters = tables.letters
    cdef uint16_t* codes = work.codes + work.code_start[slot]
    cdef double* values = work.values
    cdef double* table = work.table
    cdef double* told
    cdef double* weights
    cdef double[64] first
    cdef double[64] second
    for k in range(number):
        values[k] = 1.0 if work.wishes == NULL else work.wanted[work.wanted_start[slot] + k]
    link = tables.link_start[slot]
    while link < end:
        _scale(work.messages + (link << 6), letters, first)
        weights = first
        link += 1
        if work.paired[slot]:
            for other in range(letters):
                second[other] = 1.0
            if link < end:
                _scale(work.messages + (link << 6), letters, second)
            for letter in range(letters):
                for other in range(letters):
                    table[letter * letters + other] = first[letter] * second[other]
            weights = table
            link += 1
        for k in range(number):
            values[k] *= weights[codes[k]]
        codes += number
    link = tables.link_start[slot]
    codes = work.codes + work.code_start[slot]
    while link < end:
        told = work.told + (link << 6)
        link += 1
        for k in range(letters * letters if work.paired[slot] else letters):
            table[k] = 0.0
        for k in range(number):
            table[codes[k]] += values[k]
        for letter in range(64):
            told[letter] = 0.0
        if not work.paired[slot]:
            for letter in range(letters):
                told[letter] = table[letter]
        else:
            if link < end:
                for letter in range(64):
                    told[64 + letter] = 0.0
            for letter in range(letters):
                for other in range(letters):
                    told[letter] += table[letter * letters + other]
                    if link < end:
                        told[64 + other] += table[letter * letters + other]
            link += 1
        codes += number


cdef double _exchange(PuzzleTables* tables, Exchange* work) noexcept nogil:
    """Send one round of messages; return the largest change of a probability."""
    cdef int64_t slot, link, letter
    cdef double* told
    cdef double* heard
    cdef double* fresh
    cdef double top, total, change, largest = 0.0
    for slot in range(tables.slots):
        _tell(tables, work, slot)
    for link in range(tables.links):
        told = work.told + (link << 6)
        heard = work.messages + (link << 6)
        fresh = work.fresh + (<int64_t>tables.link_back[link] << 6)
        # The message of this crossing is the same for all words with the same letter there.
        top = -1e300
        for letter in range(tables.letters):
            told[letter] = log(told[letter] + _TINY) - heard[letter]
            top = max(top, told[letter])
        total = 0.0
        for letter in range(tables.letters):
            told[letter] = exp(told[letter] - top)
            total += told[letter]
        for letter in range(tables.letters):
            fresh[letter] = log(told[letter] / total + _FLOOR)
    for link in range(tables.links):
        heard = work.messages + (link << 6)
        fresh = work.fresh + (link << 6)
        for letter in range(tables.letters):
            if work.rounds:
                fresh[letter] = _DAMPING * heard[letter] + (1 - _DAMPING) * fresh[letter]
            change = fabs(exp(fresh[letter]) - exp(heard[letter]))
            largest = max(largest, change)
            heard[letter] = fresh[letter]
    work.rounds += 1
    return largest


cdef double _log_sum(const double* values, int64_t number) noexcept nogil:
    """Return the logarithm of the sum of the numbers of which these are the logarithms."""
    cdef int64_t k
    cdef double total = 0.0, top = values[0]
    for k in range(number):
        top = max(top, values[k])
    for k in range(number):
        total += exp(values[k] - top)
    return top + log(total)


cdef double _log_fills(PuzzleTables* tables, Exchange* work) noexcept nogil:
    cdef int64_t slot, link, back, letter, number
    cdef double both[64]
    cdef double total = 0.0
    for slot in range(tables.slots):
        number = _list(tables, work, slot)
        _weigh(tables, work, slot, number)
        total += _log_sum(work.values, number)
        for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
            back = tables.link_back[link]
            if link < back:
                for letter in range(tables.letters):
                    both[letter] = work.messages[(link << 6) + letter]
                    both[letter] += work.messages[(back << 6) + letter]
                total -= _log_sum(both, tables.letters)
    return total


cdef (double, int64_t) _largest(double* values, int64_t number, double wanted) noexcept nogil:
    """Return the smallest of the largest values that sum to ``wanted``, and how often to take it.

    The values are put in another order, around one after the other (quickselect: Hoare 1961).
    """
    cdef int64_t low = 0, high = number, above, equal, k
    cdef double pivot = values[0], total, value
    while low < high:
        pivot = values[low + (high - low) // 2]
        above = equal = low  # before ``above``: larger ones; before ``equal``: those like the pivot
        total = 0.0
        for k in range(low, high):
            value = values[k]
            if value < pivot:
                continue
            values[k] = values[equal]
            if value > pivot:
                values[equal] = values[above]
                values[above] = value
                total += value
                above += 1
            else:
                values[equal] = value
            equal += 1
        if total >= wanted:
            high = above
        elif total + pivot * (equal - above) >= wanted:
            k = <int64_t>ceil((wanted - total) / pivot)
            return pivot, min(max(k, 1), equal - above)
        else:
            wanted -= total + pivot * (equal - above)
            low = equal
    return pivot, number  # by rounding, all together are a little too small


cdef void _narrow(
    PuzzleTables* tables, Exchange* work, uint64_t* kept, double share
) noexcept nogil:
    """Set the bits of the fewest words of each slot that make up a share of it."""
    cdef int64_t slot, k, number, left
    cdef int64_t start
    cdef double top, total, least
    for slot in range(tables.slots):
        number = _list(tables, work, slot)
        top = _weigh(tables, work, slot, number)
        total = 0.0
        for k in range(number):
            work.values[k] = work.copies[k] = exp(work.values[k] - top)
            total += work.values[k]
        least, left = _largest(work.copies, number, share * total)
        start = tables.domain_start[slot]
        for k in range(number):
            if work.values[k] < least:
                continue
            if work.values[k] == least:
                if left == 0:
                    continue
                left -= 1
            kept[start + (work.chosen[k] >> 6)] |= ONE << <uint64_t>(work.chosen[k] & 63)


cdef class Messages(Memory):
    """The messages between the slots of a puzzle, given their candidates as bitsets.

    They are made of at most ``most`` candidates of a slot: a sample, where it has more. ``wishes``
    has, by lexicon, the logarithms of how much the words are wanted, if not all are alike.
    """

    cdef CompiledPuzzle puzzle
    cdef Exchange work

    def __init__(
        self, CompiledPuzzle puzzle not None, list domains, list sizes, int64_t most, wishes=None
    ):
        cdef PuzzleTables* tables = &puzzle.tables
        cdef Exchange* work = &self.work
        cdef int64_t slot, k, size, needed, at, links, codes = 0, largest = max(sizes, default=0)
        cdef int64_t pairs = tables.letters * tables.letters
        cdef uint64_t state = 88172645463325252
        self.puzzle = puzzle
        work.domains = self.uint64s(tables.words)
        puzzle.write_domains(work.domains, domains)
        work.number, work.code_start = self.int64s(tables.slots), self.int64s(tables.slots)
        work.paired = <bint*>self.zeros(tables.slots, sizeof(bint))
        for slot in range(tables.slots):
            links = tables.link_start[slot + 1] - tables.link_start[slot]
            work.number[slot] = min(most, <int64_t>sizes[slot])
            # Sums of pairs take half the time, but a table of pairs has to be filled and read.
            work.paired[slot] = 2 * work.number[slot] >= pairs
            work.code_start[slot] = codes
            codes += work.number[slot] * ((links + 1) // 2 if work.paired[slot] else links)
        work.codes = <uint16_t*>self.zeros(codes, sizeof(uint16_t))
        work.table = self.floats(pairs)
        work.chosen = self.int32s(largest)
        work.values, work.copies = self.floats(largest), self.floats(largest)
        work.messages, work.fresh = self.floats(64 * tables.links), self.floats(64 * tables.links)
        work.told = self.floats(64 * tables.links)
        if wishes is not None:
            work.wishes, work.wanted_start = self.floats_of(wishes), self.int64s(tables.slots)
            for slot in range(1, tables.slots):
                work.wanted_start[slot] = work.wanted_start[slot - 1] + work.number[slot - 1]
            work.wanted = self.floats(sum(min(most, size) for size in sizes))
        with nogil:
            for slot in range(tables.slots):
                size = _list(tables, work, slot)
                at, needed = 0, work.number[slot]
                for k in range(size):  # selection sampling: Knuth, TAOCP 3.4.2, algorithm S
                    if needed >= size - k or xorshift(&state) * (size - k) < needed:
                        work.chosen[at] = work.chosen[k]
                        at += 1
                        needed -= 1
                _write_codes(tables, work, slot)
                if work.wishes != NULL:
                    at = tables.lexicon_start[tables.lexicon[slot]]
                    for k in range(work.number[slot]):
                        work.wanted[work.wanted_start[slot] + k] = exp(
                            work.wishes[at + work.chosen[k]]
                        )

    def exchange(self):
        """Send one round of messages; return the largest change of a letter's probability."""
        cdef double change
        with nogil:
            change = _exchange(&self.puzzle.tables, &self.work)
        return change

    def begin_with(self, Messages other not None):
        """Begin with the messages of a puzzle with the same crossings, and words much alike."""
        cdef int64_t letter, place, link
        for letter, name in enumerate(self.puzzle.alphabet):
            place = other.puzzle.alphabet.find(name)
            for link in range(self.puzzle.tables.links):
                self.work.messages[(link << 6) + letter] = (
                    log(_FLOOR) if place < 0 else other.work.messages[(link << 6) + place]
                )
        self.work.rounds = other.work.rounds

    def log_fills(self):
        """Estimate the natural logarithm of the number of fills."""
        cdef double found
        with nogil:
            found = _log_fills(&self.puzzle.tables, &self.work)
        return found

    def narrowed(self, double share):
        """Return, by slot, the bitset of the fewest words that make up a share of it."""
        cdef Memory memory = Memory()
        cdef uint64_t* kept = memory.uint64s(self.puzzle.tables.words)
        with nogil:
            _narrow(&self.puzzle.tables, &self.work, kept, share)
        return self.puzzle.read_domains(kept)

    def values(self, int64_t slot):
        """Return a slot's candidates, and the logarithms of their shares, up to a constant."""
        cdef int64_t k, number = _list(&self.puzzle.tables, &self.work, slot)
        _weigh(&self.puzzle.tables, &self.work, slot, number)
        return (
            [self.work.chosen[k] for k in range(number)],
            [self.work.values[k] for k in range(number)],
        )

    def order(self, int64_t slot, double noise, uint64_t seed):
        """Return a slot's candidates as 32-bit numbers, the one with the largest share first.

        A random number up to ``noise`` is added to the logarithm of each share.
        """
        cdef Memory memory = Memory()
        cdef int64_t k, number
        cdef uint64_t state = (seed + 1) * <uint64_t>0x9E3779B97F4A7C15 + <uint64_t>slot | ONE
        cdef Ranked* ranked
        with nogil:
            number = _list(&self.puzzle.tables, &self.work, slot)
            _weigh(&self.puzzle.tables, &self.work, slot, number)
            for k in range(20):
                xorshift(&state)
        ranked = <Ranked*>memory.zeros(number, sizeof(Ranked))
        with nogil:
            for k in range(number):
                ranked[k].value = self.work.values[k] + noise * xorshift(&state)
                ranked[k].word = self.work.chosen[k]
            qsort(ranked, number, sizeof(Ranked), _by_value)
            for k in range(number):
                self.work.chosen[k] = ranked[k].word
        return (<const char*>self.work.chosen)[: 4 * number]

    def letters(self):
        """Return the likeliest letter of each crossing."""
        cdef PuzzleTables* tables = &self.puzzle.tables
        cdef int64_t crossing, letter, first, second, best
        cdef double* both = self.work.values
        cdef double value, top
        found = []
        for crossing in range(tables.crossings):
            first, second = tables.links_of[2 * crossing], tables.links_of[2 * crossing + 1]
            best, top = 0, -1e300
            for letter in range(tables.letters):
                value = self.work.messages[(first << 6) + letter]
                value += self.work.messages[(second << 6) + letter]
                if value > top:
                    best, top = letter, value
            found.append(self.puzzle.alphabet[best])
        return found

    def corrections(self):
        """Return, for each link and each of 64 letters, the difference between share and count.

        That is, up to a constant, the logarithm of the probability of a letter given the rest of
        the grid, less the logarithm of the share of the other slot's candidates that have it.
        """
        cdef PuzzleTables* tables = &self.puzzle.tables
        cdef Exchange* work = &self.work
        cdef Memory memory = Memory()
        cdef double* found = memory.floats(64 * tables.links)
        cdef int64_t link, letter, k, start, words, mask, other
        cdef uint64_t count, size
        with nogil:
            for link in range(tables.links):
                other = tables.link_other[link]
                start, words = tables.domain_start[other], tables.domain_words[other]
                size = 0
                for k in range(words):
                    size += count_bits(work.domains[start + k])
                mask = tables.mask_start[tables.link_back[link]]
                for letter in range(tables.letters):
                    count = 0
                    for k in range(words):
                        count += count_bits(work.domains[start + k] & tables.masks[mask + k])
                    mask += words
                    if count:
                        found[(link << 6) + letter] = (
                            work.messages[(link << 6) + letter]
                            - log(<double>count / <double>size)
                        )
        return (<const char*>found)[: 64 * sizeof(double) * tables.links]
