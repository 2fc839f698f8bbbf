"""Branch and bound over a region of a fill.

All slots but those of the region keep their words. The region's candidates, and the masks of their
letters, are copied into small arrays, heaviest word first, so that both the upper bound (the first
bit of each domain) and the removal of words that fall too far short of the best (all bits from some
place on) cost next to nothing. The rest is the usual search: arc consistency at every node, and the
slot chosen by domain size over failures; a word is chosen by its score and by the number of words
that it leaves the crossing slots. ``satcross.backends.search.region`` chooses regions.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from satcross.engine.memory cimport ONE, ZERO, Memory, count_bits, first_word, lowest, xorshift


# Up to this many words, the letters of a domain are read word by word.
cdef enum:
    _FEW = 24


cdef struct RegionTables:
    # Words have numbers per lexicon, the heaviest first. ``word_start`` is where the weights and
    # tastes of a slot's words begin. ``links`` and ``crossings`` are those that there is room for.
    int64_t slots, links, letters, crossings, max_listed, max_compared, max_words
    bint repeats
    int32_t* lexicon
    int64_t* domain_start
    int64_t* domain_words
    uint64_t* roots
    int64_t* word_start
    int64_t* weights
    double* tastes
    double* logs  # of numbers of words
    # Links: one crossing seen from one of its slots.
    int64_t* link_start
    int32_t* link_crossing
    int32_t* link_other
    int32_t* link_back
    int64_t* mask_start
    uint64_t* masks
    int64_t* column_start
    uint8_t* columns


cdef struct RegionWork:
    uint64_t random
    int64_t nodes, min_weight
    bint found, unfinished, heavy_first
    double noise, taste
    # The fill, the best one of the region, and the region: its slots, and the place of each slot
    # among them or -1.
    int32_t* fill
    int32_t* best
    int64_t free_count
    int32_t* free
    int32_t* place
    # The candidates of each free slot, and the masks of the letters that they have.
    uint64_t* whole
    int32_t* listed
    int32_t* listed_sizes
    int32_t* starts
    int64_t* near_start
    uint64_t* near_masks
    # Where in a domain a letter of a link was last seen to be supported, which is tried first.
    int32_t* residues
    # The state at each depth: bitsets over the lists, their sizes, letters of crossings, decisions.
    int64_t depth
    uint64_t* domains
    int32_t* sizes
    uint64_t* letters
    int32_t* chosen
    int32_t* tried
    uint8_t* queued
    int64_t* heaviest
    double* failures
    double* values
    int32_t* value_links


cdef int64_t _weight(RegionTables* tables, RegionWork* work, int64_t place, int64_t at) noexcept nogil:
    """The weight of a place's word in its list."""
    word = work.listed[place * tables.max_listed + at]
    return <int64_t>(tables.weights[tables.word_start[work.free[place]] + word])


cdef int64_t _heavy(RegionTables* tables, RegionWork* work, int64_t place, int64_t weight) noexcept nogil:
    """How many words of a place's list, which comes heaviest first, weigh at least that much."""
    low, high = 0, work.listed_sizes[place]
    while low < high:
        middle = (low + high) // 2
        if _weight(tables, work, place, middle) >= weight:
            low = middle + 1
        else:
            high = middle
    return low


cdef int64_t _index(RegionTables* tables, RegionWork* work, int64_t place, int64_t word) noexcept nogil:
    """Where a word is in a place's list; -1 if it is not."""
    first = place * tables.max_listed
    low, high = 0, work.listed_sizes[place]
    while low < high:
        middle = (low + high) // 2
        if work.listed[first + middle] < word:
            low = middle + 1
        else:
            high = middle
    if low < work.listed_sizes[place] and work.listed[first + low] == word:
        return low
    return -1


cdef bint _open(RegionTables* tables, RegionWork* work, int64_t place) noexcept nogil:
    """The words that a free slot may have beside the slots that keep theirs; whether there are."""
    slot, any_left = work.free[place], ZERO
    words, start = tables.domain_words[slot], tables.domain_start[slot]
    row = work.whole + place * tables.max_words
    for k in range(words):
        row[k] = tables.roots[start + k]
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        other = tables.link_other[link]
        if work.place[other] < 0:
            column = tables.column_start[tables.link_back[link]]
            letter = <int64_t>(tables.columns[column + work.fill[other]])
            mask = tables.masks + tables.mask_start[link] + letter * words
            for k in range(words):
                row[k] &= mask[k]
    if not tables.repeats:
        for other in range(tables.slots):
            if work.place[other] < 0 and tables.lexicon[other] == tables.lexicon[slot]:
                word = work.fill[other]
                row[word >> 6] &= ~(ONE << <uint64_t>(word & 63))
    for k in range(words):
        any_left |= row[k]
    return any_left != ZERO


cdef bint _align(RegionTables* tables, RegionWork* work, int64_t place) noexcept nogil:
    """Leave the slots that cross a free one the words that fit; False if one has none left."""
    slot = work.free[place]
    words, row = tables.domain_words[slot], work.whole + place * tables.max_words
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        other = work.place[tables.link_other[link]]
        if other < 0:
            continue
        crossing, kept = tables.link_crossing[link], ZERO
        possible = rest = work.letters[crossing]
        while rest:
            mask = tables.masks + tables.mask_start[link] + <int64_t>(lowest(rest)) * words
            for k in range(words):
                if row[k] & mask[k]:
                    kept |= rest & (~rest + ONE)
                    break
            rest &= rest - ONE
        if kept == possible:
            continue
        work.letters[crossing] = kept
        if not _reduce(tables, work, other, tables.link_back[link], kept):
            return False
    return True


cdef bint _reduce(RegionTables* tables, RegionWork* work, int64_t place, int64_t link, uint64_t kept) noexcept nogil:
    """Leave a free slot the words with these letters at a crossing; False if it has none left."""
    words = tables.domain_words[work.free[place]]
    row, masks = work.whole + place * tables.max_words, tables.masks + tables.mask_start[link]
    any_left = ZERO
    for k in range(words):
        if row[k]:
            having, rest = ZERO, kept
            while rest:
                having |= masks[<int64_t>(lowest(rest)) * words + k]
                rest &= rest - ONE
            if row[k] & ~having:
                row[k] &= having
                work.queued[place] = 1
            any_left |= row[k]
    return any_left != ZERO


cdef int64_t _spare(RegionTables* tables, RegionWork* work) noexcept nogil:
    """By how much the heaviest words of all free slots exceed the weight that is required."""
    spare = -work.min_weight
    for place in range(work.free_count):
        words = tables.domain_words[work.free[place]]
        word = first_word(work.whole, place * tables.max_words, words, 0)
        spare += tables.weights[tables.word_start[work.free[place]] + word]
    return spare


cdef bint _open_all(RegionTables* tables, RegionWork* work) noexcept nogil:
    """Make the free slots arc consistent; False if nothing that is worth enough is left."""
    free = work.free_count
    for slot in range(tables.slots):
        work.place[slot] = -1
    for place in range(free):
        work.place[work.free[place]] = place
        work.queued[place] = 1
    for crossing in range(tables.crossings):
        work.letters[crossing] = ~ZERO >> <uint64_t>(64 - tables.letters)
    for place in range(free):
        if not _open(tables, work, place):
            return False
    if _spare(tables, work) < 0:
        return False
    found = 1
    while found:
        found = 0
        for place in range(free):
            if work.queued[place]:
                work.queued[place], found = 0, 1
                if not _align(tables, work, place):
                    return False
    return _spare(tables, work) >= 0


cdef void _list(RegionTables* tables, RegionWork* work, int64_t place, int64_t spare) noexcept nogil:
    """List a free slot's words, but for those that are too light.

    Of too many, the heaviest are listed, and of words of the same weight as many as there is room
    for, chosen by chance.
    """
    row, weights = work.whole + place * tables.max_words, tables.weights + tables.word_start[work.free[place]]
    words, first, number = tables.domain_words[work.free[place]], place * tables.max_listed, 0
    word = first_word(row, 0, words, 0)
    least = weights[word] - spare
    count, level, same, room = 0, weights[word], 0, tables.max_listed
    for k in range(words):
        rest = row[k]
        while rest:
            word = (k << 6) + <int64_t>(lowest(rest))
            rest &= rest - ONE
            if weights[word] < least:
                break
            if weights[word] != level:
                if count >= tables.max_listed:
                    break
                level, same, room = weights[word], 0, tables.max_listed - count
            same += 1
            count += 1
    number = 0
    for k in range(words):
        rest = row[k]
        while rest and number < tables.max_listed:
            word = (k << 6) + <int64_t>(lowest(rest))
            rest &= rest - ONE
            if weights[word] < least:
                break
            if weights[word] == level and same > room:
                same -= 1
                if xorshift(&work.random) * (same + 1) >= room:
                    continue
                room -= 1
            work.listed[first + number] = word
            number += 1
    work.listed_sizes[place] = number


cdef bint _list_all(RegionTables* tables, RegionWork* work) noexcept nogil:
    """List all candidates that may be in a fill worth enough; False if a slot has none."""
    if not _open_all(tables, work):
        return False
    spare = _spare(tables, work)
    work.starts[0] = 0
    for place in range(work.free_count):
        _list(tables, work, place, spare)
        work.starts[place + 1] = work.starts[place] + ((work.listed_sizes[place] + 63) >> 6)
    return True


cdef void _read_letters(RegionTables* tables, RegionWork* work) noexcept nogil:
    """Make the masks of the lists at crossings within the region, and the letters there."""
    used = 0
    for crossing in range(tables.crossings):
        work.letters[crossing] = ZERO
    for place in range(work.free_count):
        slot = work.free[place]
        words = work.starts[place + 1] - work.starts[place]
        first = place * tables.max_listed
        for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
            if work.place[tables.link_other[link]] < 0:
                work.near_start[link] = -1
                continue
            work.near_start[link] = used
            for k in range(used, used + tables.letters * words):
                work.near_masks[k] = ZERO
            for k in range(link << 6, (link << 6) + tables.letters):
                work.residues[k] = 0
            column, seen = tables.column_start[link], ZERO
            for k in range(work.listed_sizes[place]):
                letter = <int64_t>(tables.columns[column + work.listed[first + k]])
                work.near_masks[used + letter * words + (k >> 6)] |= ONE << <uint64_t>(k & 63)
                seen |= ONE << <uint64_t>(letter)
            work.letters[tables.link_crossing[link]] |= seen
            used += tables.letters * words


cdef void _begin(RegionWork* work) noexcept nogil:
    """Put all listed words into the domains of depth 0."""
    work.depth = 0
    for place in range(work.free_count):
        size = work.listed_sizes[place]
        work.sizes[place] = size
        work.queued[place] = 1
        work.failures[place] = 1.0
        for k in range(work.starts[place], work.starts[place + 1]):
            work.domains[k] = ~ZERO
        if size & 63:
            work.domains[work.starts[place + 1] - 1] = (ONE << <uint64_t>(size & 63)) - ONE


cdef int64_t _first(RegionWork* work, int64_t place) noexcept nogil:
    """The heaviest word left in a place's domain, by its number in the list."""
    row = work.depth * work.starts[work.free_count]
    for k in range(work.starts[place], work.starts[place + 1]):
        if work.domains[row + k]:
            return <int64_t>(((k - work.starts[place]) << 6) + <int64_t>(lowest(work.domains[row + k])))
    return -1


cdef bint _drop(RegionWork* work, int64_t place, int64_t at) noexcept nogil:
    """Remove one word from a domain; return False if it was not there."""
    free, depth = work.free_count, work.depth
    k = depth * work.starts[free] + work.starts[place] + (at >> 6)
    bit = ONE << <uint64_t>(at & 63)
    if not work.domains[k] & bit:
        return False
    work.domains[k] ^= bit
    work.sizes[depth * free + place] -= 1
    work.queued[place] = 1
    return True


cdef int64_t _take_from_others(RegionTables* tables, RegionWork* work, int64_t place) noexcept nogil:
    """Take a place's only word from the others; a place that has none left, or -1."""
    slot, free = work.free[place], work.free_count
    word = work.listed[place * tables.max_listed + _first(work, place)]
    for other in range(free):
        if other != place and tables.lexicon[work.free[other]] == tables.lexicon[slot]:
            at = _index(tables, work, other, word)
            if (
                at >= 0
                and _drop(work, other, at)
                and work.sizes[work.depth * free + other] == 0
            ):
                return other
    return -1


cdef uint64_t _supported(RegionTables* tables, RegionWork* work, int64_t place, int64_t link, uint64_t possible) noexcept nogil:
    """Those of the possible letters that a place's domain has at a crossing."""
    row = work.depth * work.starts[work.free_count] + work.starts[place]
    words = work.starts[place + 1] - work.starts[place]
    kept, rest = ZERO, possible
    if work.sizes[work.depth * work.free_count + place] <= _FEW:
        column, listed = tables.columns + tables.column_start[link], work.listed + place * tables.max_listed
        for k in range(words):
            rest = work.domains[row + k]
            while rest:
                kept |= ONE << <uint64_t>(column[listed[(k << 6) + <int64_t>(lowest(rest))]])
                rest &= rest - ONE
        return kept & possible
    while rest:
        letter = <int64_t>(lowest(rest))
        mask, residue = work.near_start[link] + letter * words, work.residues + (link << 6) + letter
        if work.domains[row + residue[0]] & work.near_masks[mask + residue[0]]:
            kept |= rest & (~rest + ONE)
        else:
            for k in range(words):
                if work.domains[row + k] & work.near_masks[mask + k]:
                    residue[0] = <int32_t>(k)
                    kept |= rest & (~rest + ONE)
                    break
        rest &= rest - ONE
    return kept


cdef bint _restrict(RegionWork* work, int64_t place, int64_t link, uint64_t kept, uint64_t removed) noexcept nogil:
    """Leave a place the words with the kept letters at a crossing; False if it has none left."""
    cdef bint removing = count_bits(removed) < count_bits(kept)
    free, depth = work.free_count, work.depth
    row = depth * work.starts[free] + work.starts[place]
    words = work.starts[place + 1] - work.starts[place]
    size = ZERO
    for k in range(words):
        before = work.domains[row + k]
        if before:
            having, rest = ZERO, removed if removing else kept
            while rest:
                having |= work.near_masks[
                    work.near_start[link] + <int64_t>(lowest(rest)) * words + k
                ]
                rest &= rest - ONE
            work.domains[row + k] = before & (~having if removing else having)
            size += count_bits(work.domains[row + k])
    if <int64_t>(size) != work.sizes[depth * free + place]:
        work.sizes[depth * free + place] = <int64_t>(size)
        work.queued[place] = 1
    return <bint>(size)


cdef int64_t _revise(RegionTables* tables, RegionWork* work, int64_t place) noexcept nogil:
    """Bring the places that cross this one into line; a place that has no word left, or -1."""
    slot, free, depth = work.free[place], work.free_count, work.depth
    if work.sizes[depth * free + place] == 1 and not tables.repeats:
        emptied = _take_from_others(tables, work, place)
        if emptied >= 0:
            return <int64_t>(emptied)
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        if work.near_start[link] < 0:
            continue
        crossing = depth * tables.crossings + tables.link_crossing[link]
        possible = work.letters[crossing]
        kept = _supported(tables, work, place, link, possible)
        if kept != possible:
            work.letters[crossing] = kept
            other = work.place[tables.link_other[link]]
            if not _restrict(work, other, tables.link_back[link], kept, possible & ~kept):
                return <int64_t>(other)
    return -1


cdef bint _cut(RegionWork* work, int64_t place, int64_t size) noexcept nogil:
    """Keep only the first words of a place's list; return whether it had others."""
    cdef bint changed
    free, depth = work.free_count, work.depth
    if size >= work.listed_sizes[place]:
        return False
    row = depth * work.starts[free]
    at, changed = row + work.starts[place] + (size >> 6), False
    if size & 63:
        low = (ONE << <uint64_t>(size & 63)) - ONE
        changed = <bint>(work.domains[at] & ~low)
        work.domains[at] &= low
        at += 1
    for k in range(at, row + work.starts[place + 1]):
        if work.domains[k]:
            work.domains[k] = ZERO
            changed = True
    if changed:
        left = ZERO
        for k in range(row + work.starts[place], row + work.starts[place + 1]):
            left += count_bits(work.domains[k])
        work.sizes[depth * free + place] = <int64_t>(left)
        work.queued[place] = 1
    return changed


cdef int64_t _bound(RegionTables* tables, RegionWork* work) noexcept nogil:
    """Remove words that are in no fill worth enough: -1 if none is worth it, else how many lost."""
    free, depth, ideal = work.free_count, work.depth, 0
    for place in range(free):
        work.heaviest[place] = _weight(tables, work, place, _first(work, place))
        ideal += work.heaviest[place]
    spare = ideal - work.min_weight
    if spare < 0:
        return -1
    changed = 0
    for place in range(free):
        if work.sizes[depth * free + place] > 1:
            size = _heavy(tables, work, place, work.heaviest[place] - spare)
            changed += _cut(work, place, size)
    return changed


cdef int64_t _next_queued(RegionWork* work) noexcept nogil:
    free, depth = work.free_count, work.depth
    found, least = -1, 0
    for place in range(free):
        size = work.sizes[depth * free + place]
        if work.queued[place] and (found < 0 or size < least):
            found, least = place, size
    return found


cdef bint _propagate(RegionTables* tables, RegionWork* work) noexcept nogil:
    """Restore arc consistency and the bound; False if nothing worth enough is left."""
    while True:
        place = _next_queued(work)
        if place < 0:
            changed = _bound(tables, work)
            if changed < 0:
                return False
            if changed == 0:
                return True
            continue
        work.queued[place] = 0
        emptied = _revise(tables, work, place)
        if emptied >= 0:
            work.failures[emptied] += 1.0
            return False


cdef bint _refute(RegionWork* work) noexcept nogil:
    """Undo the last decision and take its word from the place for good; False at the root."""
    for place in range(work.free_count):
        work.queued[place] = 0
    while work.depth > 0:
        work.depth -= 1
        depth = work.depth
        place = work.chosen[depth]
        _drop(work, place, work.tried[depth])
        if work.sizes[depth * work.free_count + place] > 0:
            return True
        work.queued[place] = 0
    return False


cdef int64_t _choose_place(RegionTables* tables, RegionWork* work) noexcept nogil:
    """The open place with the fewest words, or the fewest of its heaviest ones, over failures."""
    free, depth = work.free_count, work.depth
    row = depth * work.starts[free]
    chosen, least = -1, INFINITY
    for place in range(free):
        size = work.sizes[depth * free + place]
        if size <= 1:
            continue
        if work.heavy_first:
            end = _heavy(tables, work, place, _weight(tables, work, place, _first(work, place)))
            count = ZERO
            for k in range(end >> 6):
                count += count_bits(work.domains[row + work.starts[place] + k])
            if end & 63:
                low = (ONE << <uint64_t>(end & 63)) - ONE
                count += count_bits(work.domains[row + work.starts[place] + (end >> 6)] & low)
            size = <int64_t>(count)
        if size / work.failures[place] < least:
            chosen, least = place, size / work.failures[place]
    return chosen


cdef int64_t _value_letters(RegionTables* tables, RegionWork* work, int64_t place) noexcept nogil:
    """For open crossings, the logarithms of the words each letter leaves; how many there are."""
    slot, depth, found = work.free[place], work.depth, 0
    row = depth * work.starts[work.free_count]
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        if work.near_start[link] < 0:
            continue
        rest = work.letters[depth * tables.crossings + tables.link_crossing[link]]
        if not rest & (rest - ONE):
            continue
        other, back = work.place[tables.link_other[link]], tables.link_back[link]
        start, words = work.starts[other], work.starts[other + 1] - work.starts[other]
        while rest:
            letter = <int64_t>(lowest(rest))
            rest &= rest - ONE
            mask, count = work.near_start[back] + letter * words, ZERO
            for k in range(words):
                count += count_bits(work.domains[row + start + k] & work.near_masks[mask + k])
            work.values[(found << 6) + letter] = tables.logs[count]
        work.value_links[found] = link
        found += 1
    return found


cdef int64_t _choose_word(RegionTables* tables, RegionWork* work, int64_t place) noexcept nogil:
    """The best of the heaviest words by score, by the words it leaves others, and by chance."""
    slot, found = work.free[place], _value_letters(tables, work, place)
    row = work.depth * work.starts[work.free_count]
    first, best, most, compared = place * tables.max_listed, -1, -INFINITY, 0
    for k in range(work.starts[place], work.starts[place + 1]):
        rest = work.domains[row + k]
        while rest and compared < tables.max_compared:
            at = ((k - work.starts[place]) << 6) + <int64_t>(lowest(rest))
            rest &= rest - ONE
            compared += 1
            word = work.listed[first + at]
            value = work.taste * tables.tastes[tables.word_start[slot] + word] + work.noise * xorshift(&work.random)
            for q in range(found):
                column = tables.column_start[work.value_links[q]]
                value += work.values[(q << 6) + tables.columns[column + word]]
            if value > most:
                best, most = at, value
    return best


cdef void _assign(RegionTables* tables, RegionWork* work, int64_t place, int64_t at) noexcept nogil:
    """Decide for a word, one level deeper."""
    free, depth, crossings = work.free_count, work.depth, tables.crossings
    words = work.starts[free]
    work.chosen[depth], work.tried[depth] = place, at
    for k in range(depth * words, (depth + 1) * words):
        work.domains[words + k] = work.domains[k]
    for k in range(depth * free, (depth + 1) * free):
        work.sizes[free + k] = work.sizes[k]
    for k in range(depth * crossings, (depth + 1) * crossings):
        work.letters[crossings + k] = work.letters[k]
    work.depth = depth + 1
    row = (depth + 1) * words
    for k in range(row + work.starts[place], row + work.starts[place + 1]):
        work.domains[k] = ZERO
    work.domains[row + work.starts[place] + (at >> 6)] = ONE << <uint64_t>(at & 63)
    work.sizes[(depth + 1) * free + place] = 1
    work.queued[place] = 1


cdef void _record(RegionTables* tables, RegionWork* work) noexcept nogil:
    """Store the current fill, and require a greater weight of every later fill."""
    work.found = 1
    least = 1
    for place in range(work.free_count):
        at = _first(work, place)
        work.best[work.free[place]] = work.listed[place * tables.max_listed + at]
        least += _weight(tables, work, place, at)
    work.min_weight = least


cdef int64_t _refill(RegionTables* tables, RegionWork* work, int64_t max_nodes) noexcept nogil:
    """Search the region for the heaviest fill, of ``LEAST`` or more: whether there is one."""
    work.found, work.unfinished, work.nodes = 0, 0, 0
    if not _list_all(tables, work):
        return 0
    _read_letters(tables, work)
    _begin(work)
    while True:
        if _propagate(tables, work):
            place = _choose_place(tables, work)
            if place >= 0:
                if work.nodes >= max_nodes:
                    work.unfinished = 1
                    break
                work.nodes += 1
                _assign(tables, work, place, _choose_word(tables, work, place))
                continue
            _record(tables, work)
        if not _refute(work):
            break
    return <int64_t>(work.found)


ctypedef fused index_t:
    int32_t
    int64_t


cdef int _copy(index_t* into, values) except -1:
    """Write numbers where there is room for them."""
    cdef int64_t k, value
    for k, value in enumerate(values):
        into[k] = value
    return 0


cdef class Regions(Memory):
    """Fills regions of a fill anew; ``found`` has the tables of the words, by their names.

    ``lay_out`` gives the slots and their crossings, and may be called again with others.
    """

    cdef RegionTables tables
    cdef RegionWork work
    cdef int64_t max_slots

    def __init__(self, dict found not None, int64_t max_slots, double noise):
        cdef RegionTables* tables = &self.tables
        cdef RegionWork* work = &self.work
        cdef int64_t depth, listed_words
        tables.letters, tables.repeats = found["letters"], found["repeats"]
        tables.max_listed, tables.max_compared = found["max_listed"], found["max_compared"]
        tables.max_words = found["most_words"]
        tables.roots = self.uint64s_of(found["roots"])
        tables.weights = self.int64s_of(found["weights"])
        tables.tastes = self.floats_of(found["tastes"])
        tables.logs = self.floats_of(found["logs"])
        tables.masks = self.uint64s_of(found["masks"])
        tables.columns = self.bytes_of(found["columns"])
        tables.slots = self.max_slots = found["max_slots"]
        tables.links = found["max_links"]
        tables.crossings = tables.links // 2
        tables.lexicon = self.int32s(tables.slots)
        tables.domain_start = self.int64s(tables.slots)
        tables.domain_words = self.int64s(tables.slots)
        tables.word_start = self.int64s(tables.slots)
        tables.link_start = self.int64s(tables.slots + 1)
        tables.link_crossing = self.int32s(tables.links)
        tables.link_other = self.int32s(tables.links)
        tables.link_back = self.int32s(tables.links)
        tables.mask_start = self.int64s(tables.links)
        tables.column_start = self.int64s(tables.links)
        listed_words, depth = tables.max_listed // 64, max_slots + 2
        work.noise = noise
        work.fill, work.best = self.int32s(tables.slots), self.int32s(tables.slots)
        work.free, work.place = self.int32s(max_slots), self.int32s(tables.slots)
        work.whole = self.uint64s(max_slots * tables.max_words)
        work.listed = self.int32s(max_slots * tables.max_listed)
        work.listed_sizes = self.int32s(max_slots)
        work.starts = self.int32s(max_slots + 1)
        work.near_start = self.int64s(tables.links)
        work.near_masks = self.uint64s(found["most_crossed"] * tables.letters * listed_words)
        work.residues = self.int32s(64 * tables.links)
        work.domains = self.uint64s(depth * max_slots * listed_words)
        work.sizes = self.int32s(depth * max_slots)
        work.letters = self.uint64s(depth * tables.crossings)
        work.chosen, work.tried = self.int32s(depth), self.int32s(depth)
        work.queued, work.heaviest = self.bytes(max_slots), self.int64s(max_slots)
        work.failures = self.floats(max_slots)
        work.values = self.floats(64 * max(found["most_links"], 1))
        work.value_links = self.int32s(max(found["most_links"], 1))

    def lay_out(self, dict found not None):
        """Set the slots and their links; they keep their words, which are then to be placed."""
        cdef RegionTables* tables = &self.tables
        if len(found["lexicon"]) > self.max_slots or len(found["link_other"]) > tables.links:
            raise ValueError("more slots or crossings than there is room for")
        tables.slots = len(found["lexicon"])
        _copy(tables.lexicon, found["lexicon"])
        _copy(tables.domain_start, found["domain_start"])
        _copy(tables.domain_words, found["domain_words"])
        _copy(tables.word_start, found["word_start"])
        _copy(tables.link_start, found["link_start"])
        _copy(tables.link_crossing, found["link_crossing"])
        _copy(tables.link_other, found["link_other"])
        _copy(tables.link_back, found["link_back"])
        _copy(tables.mask_start, found["mask_start"])
        _copy(tables.column_start, found["column_start"])

    def refill(self, list region not None, int64_t min_weight, uint64_t seed, int64_t max_nodes, double taste, bint heavy_first):
        """Search the region's slots for the words of the greatest weight, ``min_weight`` or more.

        Returns the numbers of these words, or None. Sets ``unfinished`` if there may be others.
        """
        cdef RegionWork* work = &self.work
        cdef int64_t found, slot
        work.free_count, work.min_weight, work.random = len(region), min_weight, seed
        work.taste, work.heavy_first = taste, heavy_first
        for found in range(work.free_count):
            work.free[found] = region[found]
        with nogil:
            found = _refill(&self.tables, work, max_nodes)
        return [work.best[slot] for slot in region] if found else None

    def place(self, int64_t slot, int64_t word):
        """Let a slot have a word, given by its number."""
        self.work.fill[slot] = word

    @property
    def unfinished(self):
        """Whether the last search ended before it had seen everything."""
        return self.work.unfinished
