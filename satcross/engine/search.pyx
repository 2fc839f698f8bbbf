"""The search of ``satcross.backends.search`` in compiled code.

Given the same candidates and seed, it takes the decisions of ``Search``, one by one: that class is
the reference, and a property test compares the two. Only the way to the same result differs:

- domains are 64-bit words in one array, and what a decision changes is saved on a trail (once per
  slot and decision), so that a decision costs nothing for the slots it does not touch;
- letters of a crossing are one 64-bit set; a letter keeps the place in the domain where it was last
  seen to be supported, which is where it is looked for first (Lecoutre and Hemery 2007);
- the random numbers are Python's own: ``random.Random`` hands over its Mersenne twister state.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from satcross.engine.memory cimport (
    ONE, ZERO, Memory, count_bits, first_word, has, lowest, set_bits,
)
from satcross.engine.puzzle cimport CompiledPuzzle, PuzzleTables

# What ``_advance`` returns.
cdef enum:
    BUDGET = 0
    FILLED = 1
    EXHAUSTED = 2
    FULL = 3

# Up to this many words, the letters of a domain are read word by word.
cdef enum:
    _FEW = 24


cdef struct SearchWork:
    # Settings, as in ``SearchSettings``.
    int64_t max_sample, letters_every, many, preferring, growing_fast_after
    double restart_after, growth, fast_growth, decay, noise
    # Numbers of the search; ``twisted`` belongs to the twister.
    int64_t nodes, failures, restarts, most_filled, twisted
    bint by_letter, may_restart, leaving
    double increment, interval, failures_left
    # Candidates now, weights, and the words that a slot had before the last restart.
    uint64_t* domains
    int32_t* sizes
    # ``few`` has words of each slot, listed when it had at most ``_FEW``. It has no others now if as
    # many of them are left as its size says. ``listed`` has those that are left of one slot.
    int32_t* few
    int32_t* few_count
    int32_t* listed
    int32_t* told  # the words of the last fill
    uint64_t* letters
    uint64_t* root_letters
    uint8_t* settled  # slots that agree with each other, so that nothing follows for them
    double* weights
    int32_t* targets
    int32_t* best_targets
    # What a decision was, and where its part of the trail begins.
    int64_t depth, depth_room
    int32_t* decision_slot
    int32_t* decision_word
    int32_t* decision_link
    int32_t* decision_letter
    int64_t* segment_saved
    int64_t* segment_letters
    # The trail: domains, and the letters of crossings.
    int64_t trail_top, trail_room, saved_count, saved_room, letters_saved, letters_room
    int64_t taken_count
    int32_t* segment_taken
    int32_t* taken_slot
    uint64_t* trail
    int32_t* saved_slot
    int32_t* saved_size
    int32_t* saved_stamp
    int32_t* saved_crossing
    uint64_t* saved_letters
    int32_t* stamps  # the depth at which a slot was saved last
    # Words, by lexicon, of slots with many peers: large domains of others may still have them.
    int64_t* taken_start
    uint64_t* taken
    # Propagation. ``came_through`` is -2 for slots that are not in the queue.
    int64_t queued, conflicts
    int32_t* residues
    int32_t* queue
    int32_t* came_through
    int32_t* conflict
    # Choosing words.
    int32_t* sample
    uint64_t* scratch
    uint64_t* free
    double* values
    int32_t* value_links
    double* corrections
    uint32_t* twister


cdef double _random(SearchWork* work) noexcept nogil:
    """Return the next random number, the same as Python's (Matsumoto and Nishimura 1998)."""
    a = _twist(work) >> <uint32_t>(5)
    b = _twist(work) >> <uint32_t>(6)
    return (<double>(a) * 67108864.0 + <double>(b)) * (1.0 / 9007199254740992.0)


cdef uint32_t _twist(SearchWork* work) noexcept nogil:
    state = work.twister
    at = work.twisted
    if at >= 624:
        for k in range(624):
            y = (state[k] & <uint32_t>(0x80000000)) | (state[(k + 1) % 624] & <uint32_t>(0x7FFFFFFF))
            mixed = state[(k + 397) % 624] ^ (y >> <uint32_t>(1))
            if y & <uint32_t>(1):
                mixed ^= <uint32_t>(0x9908B0DF)
            state[k] = <uint32_t>(mixed)
        at = 0
    y = <uint32_t>(state[at])
    work.twisted = at + 1
    y ^= y >> <uint32_t>(11)
    y ^= (y << <uint32_t>(7)) & <uint32_t>(0x9D2C5680)
    y ^= (y << <uint32_t>(15)) & <uint32_t>(0xEFC60000)
    y ^= y >> <uint32_t>(18)
    return <uint32_t>(y)


cdef int64_t _list_few(PuzzleTables* tables, SearchWork* work, int64_t slot) noexcept nogil:
    """Put the words of a slot that has at most ``_FEW`` in ``listed``; return how many they are."""
    cdef int32_t* few = work.few + _FEW * slot
    cdef int32_t word
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    number = 0
    for k in range(work.few_count[slot]):
        if has(work.domains, start, few[k]):
            work.listed[number] = few[k]
            number += 1
    if number == work.sizes[slot]:
        return number
    number = 0
    for k in range(words):
        rest = work.domains[start + k]
        while rest:
            word = <int32_t>((k << 6) + lowest(rest))
            few[number] = work.listed[number] = word
            number += 1
            rest &= rest - ONE
    work.few_count[slot] = <int32_t>number
    return number


cdef inline int64_t _only_word(PuzzleTables* tables, SearchWork* work, int64_t slot) noexcept nogil:
    """Return the word of a slot that has one."""
    _list_few(tables, work, slot)
    return work.listed[0]


cdef void _save(PuzzleTables* tables, SearchWork* work, int64_t slot) noexcept nogil:
    """Put a slot's domain on the trail, unless this decision has done so or there is none."""
    depth = work.depth
    if depth == 0 or work.stamps[slot] == depth:
        return
    number = work.saved_count
    work.saved_slot[number] = slot
    work.saved_size[number] = work.sizes[slot]
    work.saved_stamp[number] = work.stamps[slot]
    work.saved_count = number + 1
    work.stamps[slot] = depth
    start, words, top = tables.domain_start[slot], tables.domain_words[slot], work.trail_top
    for k in range(words):
        work.trail[top + k] = work.domains[start + k]
    work.trail_top = top + words


cdef bint _is_lazy(PuzzleTables* tables, int64_t slot) noexcept nogil:
    """Whether a slot has so many peers that large domains may keep its word."""
    return <bint>(tables.peer_end[slot] - tables.peer_start[slot] - 1 > tables.many_peers)


cdef void _turn_taken(PuzzleTables* tables, SearchWork* work, int64_t slot, int64_t word) noexcept nogil:
    """Make a word taken that was not, or the other way round."""
    place = work.taken_start[tables.lexicon[slot]] + (word >> 6)
    work.taken[place] ^= ONE << <uint64_t>(word & 63)


cdef void _take(PuzzleTables* tables, SearchWork* work, int64_t slot) noexcept nogil:
    """Note that a slot's only word is taken, until the decision is undone."""
    word = _only_word(tables, work, slot)
    if has(work.taken, work.taken_start[tables.lexicon[slot]], word):
        return
    _turn_taken(tables, work, slot, word)
    if work.depth:
        work.taken_slot[2 * work.taken_count] = slot
        work.taken_slot[2 * work.taken_count + 1] = word
        work.taken_count += 1


cdef bint _leave_taken(PuzzleTables* tables, SearchWork* work, int64_t slot) noexcept nogil:
    """Remove taken words from a small domain; False at a contradiction."""
    cdef uint64_t removed = 0, left = 0
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    taken = work.taken + work.taken_start[tables.lexicon[slot]]
    for k in range(words):
        removed |= work.domains[start + k] & taken[k]
        left |= work.domains[start + k] & ~taken[k]
    if not left:
        for k in range(tables.peer_start[slot], tables.peer_end[slot]):
            peer = tables.peers[k]
            if peer != slot and work.sizes[peer] == 1:
                word = _only_word(tables, work, peer)
                if has(work.domains, start, word):
                    _contradict(work, slot, peer)
                    return False
        _contradict(work, slot, slot)
        return False
    if removed:
        _save(tables, work, slot)
        size = 0
        for k in range(words):
            work.domains[start + k] &= ~taken[k]
            size += count_bits(work.domains[start + k])
        work.sizes[slot] = size
    return True


cdef void _undo(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    """Undo the last decision and all changes since."""
    depth = work.depth
    top = work.trail_top
    for number in range(work.saved_count - 1, work.segment_saved[depth] - 1, -1):
        slot = work.saved_slot[number]
        work.sizes[slot] = work.saved_size[number]
        work.stamps[slot] = work.saved_stamp[number]
        start, words = tables.domain_start[slot], tables.domain_words[slot]
        top -= words
        for k in range(words):
            work.domains[start + k] = work.trail[top + k]
    work.trail_top = top
    work.saved_count = work.segment_saved[depth]
    for number in range(work.letters_saved - 1, work.segment_letters[depth] - 1, -1):
        work.letters[work.saved_crossing[number]] = work.saved_letters[number]
    work.letters_saved = work.segment_letters[depth]
    for number in range(work.taken_count - 1, work.segment_taken[depth] - 1, -1):
        _turn_taken(tables, work, work.taken_slot[2 * number], work.taken_slot[2 * number + 1])
    work.taken_count = work.segment_taken[depth]
    work.depth = depth - 1


cdef void _enqueue(SearchWork* work, int64_t slot, int64_t crossing) noexcept nogil:
    """Put a slot in the queue; the crossing through which its change came need no revision."""
    if work.came_through[slot] == -2:
        work.queue[work.queued] = slot
        work.queued += 1
        work.came_through[slot] = crossing
    else:
        work.came_through[slot] = -1


cdef int64_t _smallest(SearchWork* work) noexcept nogil:
    """Take the slot with the smallest domain from the queue; of several, the first one put in."""
    count = work.queued
    queue = work.queue
    at = 0
    least = work.sizes[queue[0]]
    for k in range(1, count):
        if least <= 1:
            break
        size = work.sizes[queue[k]]
        if size < least:
            least = size
            at = k
    slot = queue[at]
    for k in range(at + 1, count):
        queue[k - 1] = queue[k]
    work.queued = count - 1
    return <int64_t>(slot)


cdef void _contradict(SearchWork* work, int64_t slot, int64_t other) noexcept nogil:
    work.conflict[0] = slot
    work.conflict[1] = other
    work.conflicts = 2
    for k in range(work.queued):
        work.came_through[work.queue[k]] = -2
    work.queued = 0


cdef uint64_t _supported(PuzzleTables* tables, SearchWork* work, int64_t link, int64_t slot, uint64_t possible) noexcept nogil:
    """Return the possible letters that words of a slot's domain have at a crossing."""
    domains = work.domains
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    kept = ZERO
    column = tables.column_start[link]
    if work.sizes[slot] <= _FEW:
        for k in range(_list_few(tables, work, slot)):
            kept |= ONE << <uint64_t>(tables.columns[column + work.listed[k]])
        return kept & possible
    rest = possible
    while rest:
        letter = <int64_t>(lowest(rest))
        rest &= rest - ONE
        mask = tables.mask_start[link] + letter * words
        residue = work.residues[(link << 6) + letter]
        if domains[start + residue] & tables.masks[mask + residue]:
            kept |= ONE << <uint64_t>(letter)
            continue
        for k in range(words):
            if domains[start + k] & tables.masks[mask + k]:
                work.residues[(link << 6) + letter] = k
                kept |= ONE << <uint64_t>(letter)
                break
    return kept


cdef void _restrict(PuzzleTables* tables, SearchWork* work, int64_t slot, int64_t link, uint64_t kept, uint64_t possible) noexcept nogil:
    """Remove the slot's words without a kept letter at a crossing, and set its size."""
    cdef bint removing
    domains = work.domains
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    mask_start = tables.mask_start[link]
    if work.sizes[slot] <= _FEW:
        column = tables.column_start[link]
        for k in range(_list_few(tables, work, slot)):
            word = work.listed[k]
            if not (kept >> <uint64_t>(tables.columns[column + word])) & ONE:
                domains[start + (word >> 6)] ^= ONE << <uint64_t>(word & 63)
                work.sizes[slot] -= 1
        return
    removing = 2 * count_bits(kept) > count_bits(possible)
    size = 0
    if 2 * work.sizes[slot] < words:
        column = tables.column_start[link]
        for k in range(words):
            rest = domains[start + k]
            if rest:
                left = rest
                while rest:
                    low = lowest(rest)
                    letter = <uint64_t>(tables.columns[column + (k << 6) + low])
                    if not (kept >> letter) & ONE:
                        left ^= ONE << low
                    rest &= rest - ONE
                domains[start + k] = left
                size += count_bits(left)
    elif removing:
        rest = possible & ~kept
        while rest:
            mask = mask_start + <int64_t>(lowest(rest)) * words
            rest &= rest - ONE
            for k in range(words):
                domains[start + k] &= ~tables.masks[mask + k]
        for k in range(words):
            size += count_bits(domains[start + k])
    else:
        scratch = work.scratch
        for k in range(words):
            scratch[k] = ZERO
        rest = kept
        while rest:
            mask = mask_start + <int64_t>(lowest(rest)) * words
            rest &= rest - ONE
            for k in range(words):
                scratch[k] |= tables.masks[mask + k]
        for k in range(words):
            domains[start + k] &= scratch[k]
            size += count_bits(domains[start + k])
    work.sizes[slot] = size


cdef bint _take_from_peers(PuzzleTables* tables, SearchWork* work, int64_t slot, int64_t word) noexcept nogil:
    """Remove a slot's only word from slots that may not repeat it; False at a contradiction."""
    cdef bint lazy = _is_lazy(tables, slot)
    lexicon = tables.lexicon[slot]
    for k in range(tables.peer_start[slot], tables.peer_end[slot]):
        peer = tables.peers[k]
        if work.settled[slot] and work.settled[peer]:
            continue
        if peer == slot or (lazy and work.sizes[peer] > tables.max_eager_size):
            continue
        same = word
        if tables.lexicon[peer] != lexicon:
            word_id = tables.word_ids[tables.lexicon_start[lexicon] + word]
            same = tables.index_of[tables.index_start[tables.lexicon[peer]] + word_id]
            if same < 0:
                continue
        start = tables.domain_start[peer]
        if has(work.domains, start, same):
            _save(tables, work, peer)
            work.domains[start + (same >> 6)] ^= ONE << <uint64_t>(same & 63)
            work.sizes[peer] -= 1
            if work.sizes[peer] == 0:
                _contradict(work, slot, peer)
                return False
            _enqueue(work, peer, -1)
    return True


cdef bint _take_clashing(PuzzleTables* tables, SearchWork* work, int64_t slot, int64_t word) noexcept nogil:
    """Remove words that clash with a slot's word from all slots; False at a contradiction."""
    lexicons = tables.lexicons
    lexicon = tables.lexicon[slot]
    whole = tables.lexicon_start[lexicon] + word
    for other in range(tables.slots):
        if other == slot or (work.settled[slot] and work.settled[other]):
            continue
        start = tables.domain_start[other]
        others = tables.lexicon[other]
        taken = 0
        for m in range(tables.mark_start[whole], tables.mark_start[whole + 1]):
            key = tables.marks[m] * lexicons + others
            for h in range(tables.having_start[key], tables.having_start[key + 1]):
                index = tables.having[h]
                its = tables.lexicon_start[others] + index
                if tables.word_ids[its] == tables.word_ids[whole]:
                    continue
                if tables.exempt_words[its] and tables.exempt_words[whole]:
                    continue
                if has(work.domains, start, index):
                    _save(tables, work, other)
                    work.domains[start + (index >> 6)] ^= ONE << <uint64_t>(index & 63)
                    taken += 1
        if taken:
            work.sizes[other] -= taken
            if work.sizes[other] == 0:
                _contradict(work, slot, other)
                return False
            _enqueue(work, other, -1)
    return True


cdef void _out_of_theme(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    """Report a contradiction if too few theme words still have a possible slot."""
    missing = tables.min_theme_words
    lost = 0
    for word in range(tables.theme_words):
        first, end = tables.theme_start[word], tables.theme_start[word + 1]
        has_place = False
        for k in range(first, end):
            start = tables.domain_start[tables.theme_slot[k]]
            if has(work.domains, start, tables.theme_word[k]):
                has_place = True
                break
        if has_place:
            missing -= 1
            if missing == 0:
                return
        else:
            for k in range(first, end):
                work.conflict[lost] = tables.theme_slot[k]
                lost += 1
    if lost == 0:
        for slot in range(tables.slots):
            work.conflict[slot] = slot
        lost = tables.slots
    work.conflicts = lost


cdef void _propagate(PuzzleTables* tables, SearchWork* work, int64_t changed) noexcept nogil:
    """Restore arc consistency after a slot's domain has shrunk; sets ``CONFLICTS``."""
    work.conflicts = 0
    _enqueue(work, changed, -1)
    while work.queued:
        slot = _smallest(work)
        came_through = work.came_through[slot]
        work.came_through[slot] = -2
        if _is_lazy(tables, slot) and work.sizes[slot] <= tables.max_eager_size:
            if work.sizes[slot] > 1:
                before = work.sizes[slot]
                if not _leave_taken(tables, work, slot):
                    return
                if work.sizes[slot] != before:
                    came_through = -1  # letters may have lost their support there, too
            if work.sizes[slot] == 1:
                _take(tables, work, slot)
        if work.sizes[slot] == 1:
            word = _only_word(tables, work, slot)
            if not _take_from_peers(tables, work, slot, word):
                return
            if tables.has_clashes and not _take_clashing(tables, work, slot, word):
                return
        for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
            crossing, other = tables.link_crossing[link], tables.link_other[link]
            possible = work.letters[crossing]
            if crossing == came_through or not possible & (possible - ONE):
                continue
            if work.settled[slot] and work.settled[other]:
                continue
            kept = _supported(tables, work, link, slot, possible)
            if kept == possible:
                continue
            if work.depth:
                number = work.letters_saved
                work.saved_crossing[number] = crossing
                work.saved_letters[number] = possible
                work.letters_saved = number + 1
            work.letters[crossing] = kept
            before = work.sizes[other]
            _save(tables, work, other)
            _restrict(tables, work, other, tables.link_back[link], kept, possible)
            if work.sizes[other] != before:
                if work.sizes[other] == 0:
                    _contradict(work, slot, other)
                    return
                _enqueue(work, other, crossing)
    if tables.min_theme_words:
        _out_of_theme(tables, work)


cdef void _learn(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    work.failures += 1
    work.failures_left -= 1.0
    for k in range(work.conflicts):
        work.weights[work.conflict[k]] += work.increment
    work.increment /= work.decay
    if work.increment > 1e100:
        for slot in range(tables.slots):
            work.weights[slot] = max(work.weights[slot] / 1e100, 1e-100)
        work.increment /= 1e100


cdef void _refute(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    """Undo the last decision, and remove its words from the slot while earlier ones hold."""
    depth = work.depth
    slot = work.decision_slot[depth]
    word = work.decision_word[depth]
    _undo(tables, work)
    _save(tables, work, slot)
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    if word >= 0:
        work.domains[start + (word >> 6)] &= ~(ONE << <uint64_t>(word & 63))
        work.sizes[slot] -= 1
    else:
        mask = tables.mask_start[work.decision_link[depth]] + work.decision_letter[depth] * words
        size = 0
        for k in range(words):
            work.domains[start + k] &= ~tables.masks[mask + k]
            size += count_bits(work.domains[start + k])
        work.sizes[slot] = size
    _propagate(tables, work, slot)


cdef void _restart(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    cdef bint grows_fast
    work.restarts += 1
    work.by_letter = (work.restarts + 1) % work.letters_every == 0
    grows_fast = work.restarts > work.growing_fast_after
    work.interval *= (work.fast_growth if grows_fast else work.growth)
    work.failures_left = work.interval
    for slot in range(tables.slots):
        work.targets[slot] = work.best_targets[slot]
    work.most_filled = -1
    while work.depth:
        _undo(tables, work)


cdef int64_t _value_letters(PuzzleTables* tables, SearchWork* work, int64_t slot) noexcept nogil:
    """Put the value of each letter at a slot's open crossings in ``values``; return their number.

    A value is the logarithm of the number of words it leaves the other slot, and the correction.
    """
    found = 0
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        possible = work.letters[tables.link_crossing[link]]
        if not possible & (possible - ONE):
            continue
        other, back = tables.link_other[link], tables.link_back[link]
        start, words = tables.domain_start[other], tables.domain_words[other]
        at = found << 6
        if 2 * work.sizes[other] < <int64_t>(count_bits(possible)) * words:
            counts = work.queue  # empty between propagations, and long enough
            for letter in range(64):
                counts[letter] = 0
            column = tables.column_start[back]
            if work.sizes[other] <= _FEW:
                for k in range(_list_few(tables, work, other)):
                    counts[tables.columns[column + work.listed[k]]] += 1
            else:
                for k in range(words):
                    rest = work.domains[start + k]
                    while rest:
                        counts[tables.columns[column + (k << 6) + lowest(rest)]] += 1
                        rest &= rest - ONE
            rest = possible
            while rest:
                letter = <int64_t>(lowest(rest))
                rest &= rest - ONE
                work.values[at + letter] = (
                    tables.logs[counts[letter]] + work.corrections[(link << 6) + letter]
                )
        else:
            rest = possible
            while rest:
                letter = <int64_t>(lowest(rest))
                rest &= rest - ONE
                mask = tables.mask_start[back] + letter * words
                count = ZERO
                for k in range(words):
                    count += count_bits(work.domains[start + k] & tables.masks[mask + k])
                work.values[at + letter] = (
                    tables.logs[count] + work.corrections[(link << 6) + letter]
                )
        work.value_links[found] = link
        found += 1
    return found


cdef double _value(PuzzleTables* tables, SearchWork* work, int64_t found, int64_t word) noexcept nogil:
    value = work.noise * _random(work)
    for k in range(found):
        column = tables.column_start[work.value_links[k]]
        value += work.values[(k << 6) + tables.columns[column + word]]
    return value


cdef int64_t _draw_sample(PuzzleTables* tables, SearchWork* work, uint64_t* bits, int64_t start, int64_t words) noexcept nogil:
    """Put all words of a small domain, or some of a large one, in ``sample``; return how many."""
    size = 0
    last = -1
    for k in range(words):
        if bits[start + k]:
            size += count_bits(bits[start + k])
            last = k
    number = 0
    if size <= work.max_sample:
        for k in range(last + 1):
            rest = bits[start + k]
            while rest:
                work.sample[number] = (k << 6) + lowest(rest)
                rest &= rest - ONE
                number += 1
        return number
    places = last << 6
    rest = bits[start + last]
    while rest:
        places += 1
        rest >>= ONE
    for number in range(work.max_sample):
        skipped = <int64_t>(<double>(places) * _random(work))
        work.sample[number] = first_word(bits, start, words, skipped)
    return <int64_t>(work.max_sample)


cdef int64_t _choose_word(PuzzleTables* tables, SearchWork* work, int64_t slot) noexcept nogil:
    cdef uint64_t* bits = work.domains + tables.domain_start[slot]
    cdef uint64_t some = 0
    words = tables.domain_words[slot]
    if _is_lazy(tables, slot):
        taken = work.taken + work.taken_start[tables.lexicon[slot]]
        for k in range(words):
            some |= bits[k] & ~taken[k]
        if some:
            for k in range(words):
                work.free[k] = bits[k] & ~taken[k]
            bits = work.free
    target = work.targets[slot]
    if target >= 0 and has(bits, 0, target):
        return <int64_t>(target)
    if work.restarts < work.preferring and tables.prefers:
        some = 0
        for k in range(words):
            work.scratch[k] = bits[k] & tables.preferred[tables.domain_start[slot] + k]
            some |= work.scratch[k]
        if some:
            bits = work.scratch
    found = _value_letters(tables, work, slot)
    number = _draw_sample(tables, work, bits, 0, words)
    cdef int64_t best = -1
    cdef double most = -INFINITY
    for k in range(number):
        word = work.sample[k]
        value = _value(tables, work, found, word)
        if value > most:
            best, most = word, value
    return best


cdef int64_t _choose_slot(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    cdef int64_t chosen = -1
    cdef double least = INFINITY
    for slot in range(tables.slots):
        size = work.sizes[slot]
        if size > 1 and size / work.weights[slot] < least:
            chosen, least = slot, size / work.weights[slot]
    return chosen


cdef (int64_t, int64_t) _choose_theme(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    """Return a slot and a theme word for it while too few are placed; otherwise -1."""
    cdef bint placed
    missing = tables.min_theme_words
    fewest, chosen = 0, -1
    for number in range(tables.theme_words):
        left = 0
        placed = False
        for k in range(tables.theme_start[number], tables.theme_start[number + 1]):
            slot = tables.theme_slot[k]
            if has(work.domains, tables.domain_start[slot], tables.theme_word[k]):
                left += 1
                placed = placed or work.sizes[slot] == 1
        if placed:
            missing -= 1
            if missing == 0:
                return -1, -1
        elif left and (chosen < 0 or left < fewest):
            fewest, chosen = left, number
    if chosen < 0:
        return -1, -1
    only_targets = False
    for k in range(tables.theme_start[chosen], tables.theme_start[chosen + 1]):
        slot, word = tables.theme_slot[k], tables.theme_word[k]
        if work.targets[slot] == word and has(work.domains, tables.domain_start[slot], word):
            only_targets = True
    best_slot, best_word, most = -1, -1, -INFINITY
    for k in range(tables.theme_start[chosen], tables.theme_start[chosen + 1]):
        slot, word = tables.theme_slot[k], tables.theme_word[k]
        if not has(work.domains, tables.domain_start[slot], word):
            continue
        if only_targets and work.targets[slot] != word:
            continue
        value = _value(tables, work, _value_letters(tables, work, slot), word)
        if value > most or (value == most and (word > best_word or (word == best_word and slot > best_slot))):
            best_slot, best_word, most = slot, word, value
    return best_slot, best_word


cdef void _assign(PuzzleTables* tables, SearchWork* work, int64_t slot, int64_t word) noexcept nogil:
    """Decide on a word, or only on the letter that it has at one crossing."""
    by_link, by_letter = -1, -1
    if work.by_letter and work.sizes[slot] > work.many:
        least = INFINITY
        for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
            possible = work.letters[tables.link_crossing[link]]
            if possible & (possible - ONE):
                letter = <int64_t>(tables.columns[tables.column_start[link] + word])
                other = tables.link_other[link]
                start, words = tables.domain_start[other], tables.domain_words[other]
                mask = tables.mask_start[tables.link_back[link]] + letter * words
                left = ZERO
                for k in range(words):
                    left += count_bits(work.domains[start + k] & tables.masks[mask + k])
                value = <double>(left) / work.weights[other]
                if value < least:
                    by_link, by_letter, least = link, letter, value
    depth = work.depth + 1
    work.depth = depth
    work.segment_saved[depth] = work.saved_count
    work.segment_letters[depth] = work.letters_saved
    work.segment_taken[depth] = work.taken_count
    work.decision_slot[depth] = slot
    work.decision_word[depth] = -1 if by_link >= 0 else word
    work.decision_link[depth] = by_link
    work.decision_letter[depth] = by_letter
    _save(tables, work, slot)
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    if by_link < 0:
        for k in range(words):
            work.domains[start + k] = ZERO
        work.domains[start + (word >> 6)] = ONE << <uint64_t>(word & 63)
        work.sizes[slot] = 1
    else:
        mask = tables.mask_start[by_link] + by_letter * words
        size = 0
        for k in range(words):
            work.domains[start + k] &= tables.masks[mask + k]
            size += count_bits(work.domains[start + k])
        work.sizes[slot] = size
    _propagate(tables, work, slot)
    if work.conflicts == 0:
        _remember_most_filled(tables, work)


cdef void _remember_most_filled(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    cdef int64_t filled = 0
    for slot in range(tables.slots):
        filled += work.sizes[slot] == 1
    if filled > work.most_filled:
        work.most_filled = filled
        for slot in range(tables.slots):
            word = -1
            if work.sizes[slot] == 1:
                word = _only_word(tables, work, slot)
            work.best_targets[slot] = word


cdef bint _has_room(PuzzleTables* tables, SearchWork* work) noexcept nogil:
    """Return whether the trail has room for a change of every domain and all letters."""
    return <bint>(
        work.trail_room - work.trail_top >= tables.words
        and work.saved_room - work.saved_count >= tables.slots
        and work.letters_room - work.letters_saved >= 64 * tables.crossings
        and work.depth_room - work.depth > 1
    )


cdef int64_t _advance(PuzzleTables* tables, SearchWork* work, int64_t max_nodes) noexcept nogil:
    """Search until an answer; BUDGET after ``max_nodes`` decisions, FULL if the trail is full."""
    last = work.nodes + max_nodes
    while True:
        while work.conflicts or work.leaving:
            if not _has_room(tables, work):
                return FULL
            if not work.leaving:
                _learn(tables, work)
            work.leaving = 0
            if work.depth == 0:
                return EXHAUSTED
            _refute(tables, work)
        if work.failures_left <= 0 and work.may_restart:
            _restart(tables, work)
        if work.nodes >= last:
            return BUDGET
        if not _has_room(tables, work):
            return FULL
        slot, word = -1, -1
        if tables.min_theme_words:
            slot, word = _choose_theme(tables, work)
        if slot < 0:
            slot = _choose_slot(tables, work)
            if slot < 0:
                return FILLED
            word = _choose_word(tables, work, slot)
        work.nodes += 1
        _assign(tables, work, slot, word)



cdef void _begin(SearchWork* work) noexcept nogil:
    """Set the numbers of a search that has not taken a decision."""
    work.depth = work.trail_top = work.saved_count = work.letters_saved = 0
    work.taken_count = work.conflicts = work.restarts = 0
    work.leaving, work.may_restart, work.by_letter = False, True, work.letters_every == 1
    work.most_filled, work.increment = -1, 1.0
    work.interval = work.failures_left = work.restart_after


cdef class CompiledSearch(Memory):
    """A ``Search`` in compiled code, from its first decision on."""

    cdef CompiledPuzzle puzzle
    cdef SearchWork work
    cdef dict taken
    cdef list texts  # the words of the last fill
    cdef list begun  # by slot: the candidates it began with, if they are one word

    def __init__(self, CompiledPuzzle puzzle not None, search):
        cdef PuzzleTables* tables = &puzzle.tables
        cdef SearchWork* work = &self.work
        cdef int64_t k, slots = tables.slots
        settings, root = search.settings, search.root
        self.puzzle, self.taken = puzzle, root.taken.copy()
        work.max_sample, work.letters_every = settings.sample, settings.letters_every
        work.many, work.preferring = settings.many, settings.preferring
        work.growing_fast_after = settings.growing_fast_after
        work.growth, work.fast_growth = settings.restart_growth, settings.fast_growth
        work.decay, work.noise = settings.decay, settings.noise
        work.restart_after = settings.restart_after
        _begin(work)
        work.domains = self.uint64s(tables.words)
        puzzle.write_domains(work.domains, root.domains)
        work.sizes = self.int32s_of(root.sizes)
        work.letters = self.uint64s(tables.crossings)
        work.root_letters = self.uint64s(tables.crossings)
        for k in range(tables.crossings):
            work.letters[k] = work.root_letters[k] = puzzle.letters_of(root.letters[k])
        work.settled = self.bytes(slots)
        work.few, work.few_count = self.int32s(_FEW * slots), self.int32s(slots)
        work.listed, work.told = self.int32s(_FEW), self.int32s(slots, -1)
        self.texts = [""] * slots
        self.begun = [None] * slots
        work.weights = self.floats(slots, 1.0)
        work.targets, work.best_targets = self.int32s(slots, -1), self.int32s(slots, -1)
        work.depth_room = slots + tables.crossings + 2
        work.decision_slot = self.int32s(work.depth_room)
        work.decision_word = self.int32s(work.depth_room)
        work.decision_link = self.int32s(work.depth_room)
        work.decision_letter = self.int32s(work.depth_room)
        work.segment_saved = self.int64s(work.depth_room)
        work.segment_letters = self.int64s(work.depth_room)
        work.trail_room, work.saved_room = max(4 * tables.words, 1 << 16), 8 * slots
        work.letters_room = 72 * tables.crossings
        work.trail = self.uint64s(work.trail_room)
        work.saved_slot = self.int32s(work.saved_room)
        work.saved_size = self.int32s(work.saved_room)
        work.saved_stamp = self.int32s(work.saved_room)
        work.saved_crossing = self.int32s(work.letters_room)
        work.saved_letters = self.uint64s(work.letters_room)
        work.stamps = self.int32s(slots)
        work.segment_taken = self.int32s(work.depth_room)
        work.taken_slot = self.int32s(2 * slots)
        work.taken_start = self.int64s_of(
            [(tables.lexicon_start[k] + 63 * k) >> 6 for k in range(tables.lexicons + 1)]
        )
        work.taken = self.uint64s(work.taken_start[tables.lexicons])
        self._read_taken()
        work.residues = self.int32s(64 * tables.links)
        work.queue = self.int32s(max(slots, 64))
        work.came_through = self.int32s(slots, -2)
        work.conflict = self.int32s(max(slots, tables.theme_places, 2))
        work.sample = self.int32s(max(work.max_sample, 1))
        work.scratch = self.uint64s(tables.most_words)
        work.free = self.uint64s(tables.most_words)
        work.values = self.floats(64 * max(tables.most_links, 1))
        work.value_links = self.int32s(max(tables.most_links, 1))
        work.corrections = self.floats(64 * tables.links)
        twister = search.random.getstate()[1]
        work.twister = <uint32_t*>self.zeros(624, sizeof(uint32_t))
        for k in range(624):
            work.twister[k] = twister[k]
        work.twisted = twister[624]

    cdef int _read_taken(self) except -1:
        """Write the words, by length, that slots with many peers have from the beginning."""
        cdef SearchWork* work = &self.work
        cdef int64_t number, start
        memset(work.taken, 0, work.taken_start[self.puzzle.tables.lexicons] * sizeof(uint64_t))
        for number, lexicon in enumerate(dict.fromkeys(self.puzzle.lexicons)):
            if lexicon.length in self.taken:
                start = work.taken_start[number]
                set_bits(
                    work.taken + start,
                    work.taken_start[number + 1] - start,
                    self.taken[lexicon.length],
                )
        return 0

    def again(self, list domains not None, opened=None):
        """Begin again with some of the root's candidates; return the slots of a contradiction.

        Slots that are not ``opened``, if that is given, have words that agree with each other.
        """
        cdef PuzzleTables* tables = &self.puzzle.tables
        cdef SearchWork* work = &self.work
        cdef int64_t slot, k, size, start, words
        _begin(work)
        self._read_taken()
        memcpy(work.letters, work.root_letters, tables.crossings * sizeof(uint64_t))
        for slot in range(tables.slots):
            start, words = tables.domain_start[slot], tables.domain_words[slot]
            size = work.sizes[slot]
            # A slot that began with this word, and has one, has it still.
            if size != 1 or domains[slot] is not self.begun[slot]:
                set_bits(work.domains + start, words, domains[slot])
                size = 0
                for k in range(words):
                    size += count_bits(work.domains[start + k])
                self.begun[slot] = domains[slot] if size == 1 else None
            work.settled[slot] = opened is not None and slot not in opened
            if size == 0:
                work.sizes[slot] = 0
                return [slot]
            work.sizes[slot], work.stamps[slot], work.weights[slot] = size, 0, 1.0
            work.targets[slot] = work.best_targets[slot] = -1
        with nogil:
            for slot in range(tables.slots - 1):
                _enqueue(work, slot, -1)
            _propagate(tables, work, tables.slots - 1)
        return [work.conflict[k] for k in range(work.conflicts)]

    def advance(self, int64_t max_nodes):
        """Take up to ``max_nodes`` decisions, fewer if there is an answer.

        Returns 0 if there is none, 1 for a fill, 2 if the candidates are exhausted.
        """
        cdef PuzzleTables* tables = &self.puzzle.tables
        cdef SearchWork* work = &self.work
        cdef int64_t result, last = work.nodes + max_nodes
        while True:
            with nogil:
                result = _advance(tables, work, last - work.nodes)
            if result != FULL:
                return result
            self._grow()

    cdef void _grow(self) except *:
        cdef SearchWork* work = &self.work
        cdef int64_t room = work.trail_room
        work.trail = <uint64_t*>self.grown(work.trail, room, room, sizeof(uint64_t))
        work.trail_room *= 2
        room = work.saved_room
        work.saved_slot = <int32_t*>self.grown(work.saved_slot, room, room, sizeof(int32_t))
        work.saved_size = <int32_t*>self.grown(work.saved_size, room, room, sizeof(int32_t))
        work.saved_stamp = <int32_t*>self.grown(work.saved_stamp, room, room, sizeof(int32_t))
        work.saved_room *= 2
        room = work.letters_room
        work.saved_crossing = <int32_t*>self.grown(
            work.saved_crossing, room, room, sizeof(int32_t)
        )
        work.saved_letters = <uint64_t*>self.grown(
            work.saved_letters, room, room, sizeof(uint64_t)
        )
        work.letters_room *= 2
        room = work.depth_room
        if room - work.depth > 2:
            return
        work.decision_slot = <int32_t*>self.grown(work.decision_slot, room, room, sizeof(int32_t))
        work.decision_word = <int32_t*>self.grown(work.decision_word, room, room, sizeof(int32_t))
        work.decision_link = <int32_t*>self.grown(work.decision_link, room, room, sizeof(int32_t))
        work.decision_letter = <int32_t*>self.grown(
            work.decision_letter, room, room, sizeof(int32_t)
        )
        work.segment_taken = <int32_t*>self.grown(work.segment_taken, room, room, sizeof(int32_t))
        work.segment_saved = <int64_t*>self.grown(work.segment_saved, room, room, sizeof(int64_t))
        work.segment_letters = <int64_t*>self.grown(
            work.segment_letters, room, room, sizeof(int64_t)
        )
        work.depth_room *= 2

    def leave(self):
        """Leave the fill just found; False when there are no others."""
        self.work.may_restart, self.work.leaving = False, True
        return self.advance(0) != EXHAUSTED

    @property
    def counts(self):
        """Decisions, contradictions and restarts of the search."""
        return self.work.nodes, self.work.failures, self.work.restarts

    def guide(self, bytes corrections not None):
        """From now on, value words with these corrections: doubles, of 64 letters for each link."""
        memcpy(self.work.corrections, <const char*>corrections, len(corrections))

    def words(self):
        """The fill, when every slot has one word."""
        cdef int64_t slot, word
        for slot in range(self.puzzle.tables.slots):
            word = _only_word(&self.puzzle.tables, &self.work, slot)
            if word != self.work.told[slot]:
                self.work.told[slot] = <int32_t>word
                self.texts[slot] = self.puzzle.lexicons[slot].word(word)
        return tuple(self.texts)

    def state(self):
        """The current candidates: domains, sizes, letters of crossings."""
        cdef int64_t slot, crossing
        sizes = [self.work.sizes[slot] for slot in range(self.puzzle.tables.slots)]
        letters = [
            [
                letter
                for place, letter in enumerate(self.puzzle.alphabet)
                if self.work.letters[crossing] >> <uint64_t>place & ONE
            ]
            for crossing in range(self.puzzle.tables.crossings)
        ]
        return self.puzzle.read_domains(self.work.domains), sizes, letters
