"""Branch and bound over a region of a fill, as numba compiles it to machine code.

All slots but those of the region keep their words. The region's candidates, and the masks of their
letters, are copied into small arrays, heaviest word first, so that both the upper bound (the first
bit of each domain) and the removal of words that fall too far short of the best (all bits from some
place on) cost next to nothing. The rest is the usual search: arc consistency at every node, and the
slot chosen by domain size over failures; a word is chosen by its score and by the number of words
that it leaves the crossing slots.

``satcross.backends.search.region`` makes the arrays. As ``kernel``, this module imports numba, and
programs run what ``kernel_loader`` has compiled.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from satcross.engine.kernel import (
    _ONE,
    Float64s,
    Int32s,
    Int64s,
    UInt8s,
    UInt64s,
    _compiled,
    _count,
    _lowest,
    on_addresses,
)

# Places in ``Tables.ints``.
SLOTS, LETTERS, REPEATS, CROSSINGS, MAX_LISTED, MAX_COMPARED = 0, 1, 2, 3, 4, 5
# Places in ``Work.ints``.
FREE, LEAST, RANDOM, NODES, FOUND, UNFINISHED, DEPTH = 0, 1, 2, 3, 4, 5, 6


class Tables(NamedTuple):
    """What all regions share. Words have numbers per lexicon, the heaviest first.

    ``*_start`` arrays say where the part of a slot or a link begins in another array. A link is one
    crossing seen from one of its slots.
    """

    ints: Int64s
    lexicon: Int32s
    domain_start: Int64s
    domain_words: Int32s
    roots: UInt64s
    link_start: Int32s
    link_crossing: Int32s
    link_other: Int32s
    link_back: Int32s
    mask_start: Int64s
    masks: UInt64s
    column_start: Int64s
    columns: UInt8s
    word_start: Int64s
    weights: Int64s
    tastes: Float64s
    logs: Float64s


class Work(NamedTuple):
    """The region, the search's state by depth, and the best fill of the region.

    ``listed`` has the candidates of each free slot (by its place in ``free``), ``listed_sizes``
    their numbers; ``domains`` are bitsets over these lists.
    """

    ints: Int64s
    floats: Float64s
    fill: Int32s
    best: Int32s
    free: Int32s
    place: Int32s
    scratch: UInt64s
    listed: Int32s
    listed_sizes: Int32s
    starts: Int32s
    near_start: Int64s
    near_masks: UInt64s
    domains: UInt64s
    sizes: Int32s
    letters: UInt64s
    queued: UInt8s
    heaviest: Int64s
    failures: Float64s
    chosen: Int32s
    tried: Int32s
    values: Float64s
    value_links: Int32s


@_compiled
def _random(work: Work) -> float:
    """A number from 0 to 1, by xorshift (Marsaglia 2003)."""
    state = np.uint64(work.ints[RANDOM])
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    work.ints[RANDOM] = np.int64(state)
    return np.float64(state >> np.uint64(11)) / 9007199254740992.0


@_compiled
def _weight(tables: Tables, work: Work, place: int, at: int) -> int:
    """The weight of a place's word in its list."""
    word = work.listed[place * tables.ints[MAX_LISTED] + at]
    return int(tables.weights[tables.word_start[work.free[place]] + word])


@_compiled
def _heavy(tables: Tables, work: Work, place: int, weight: int) -> int:
    """How many words of a place's list, which comes heaviest first, weigh at least that much."""
    low, high = 0, work.listed_sizes[place]
    while low < high:
        middle = (low + high) // 2
        if _weight(tables, work, place, middle) >= weight:
            low = middle + 1
        else:
            high = middle
    return low


@_compiled
def _index(tables: Tables, work: Work, place: int, word: int) -> int:
    """Where a word is in a place's list; -1 if it is not."""
    first = place * tables.ints[MAX_LISTED]
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


@_compiled
def _list(tables: Tables, work: Work, place: int) -> None:
    """List the words that a free slot may have beside the words of the slots that keep theirs."""
    slot = work.free[place]
    words, start = tables.domain_words[slot], tables.domain_start[slot]
    for k in range(words):
        work.scratch[k] = tables.roots[start + k]
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        other = tables.link_other[link]
        if work.place[other] < 0:
            column = tables.column_start[tables.link_back[link]]
            letter = np.int64(tables.columns[column + work.fill[other]])
            mask = tables.mask_start[link] + letter * words
            for k in range(words):
                work.scratch[k] &= tables.masks[mask + k]
    if not tables.ints[REPEATS]:
        for other in range(tables.ints[SLOTS]):
            if work.place[other] < 0 and tables.lexicon[other] == tables.lexicon[slot]:
                word = work.fill[other]
                work.scratch[word >> 6] &= ~(_ONE << np.uint64(word & 63))
    number, first = 0, place * tables.ints[MAX_LISTED]
    for k in range(words):
        rest = work.scratch[k]
        while rest and number < tables.ints[MAX_LISTED]:
            work.listed[first + number] = (k << 6) + np.int64(_lowest(rest))
            rest &= rest - _ONE
            number += 1
    work.listed_sizes[place] = number


@_compiled
def _list_all(tables: Tables, work: Work) -> bool:
    """List all candidates that may be in a fill worth enough; False if a slot has none."""
    free, ideal = work.ints[FREE], 0
    for slot in range(tables.ints[SLOTS]):
        work.place[slot] = -1
    for place in range(free):
        work.place[work.free[place]] = place
    for place in range(free):
        _list(tables, work, place)
        if work.listed_sizes[place] == 0:
            return False
        ideal += _weight(tables, work, place, 0)
    spare = ideal - work.ints[LEAST]
    if spare < 0:
        return False
    work.starts[0] = 0
    for place in range(free):
        heaviest = _weight(tables, work, place, 0)
        size = _heavy(tables, work, place, heaviest - spare)
        work.listed_sizes[place] = size
        work.starts[place + 1] = work.starts[place] + ((size + 63) >> 6)
    return True


@_compiled
def _read_letters(tables: Tables, work: Work) -> None:
    """Make the masks of the lists at crossings within the region, and the letters there."""
    used = 0
    for crossing in range(tables.ints[CROSSINGS]):
        work.letters[crossing] = np.uint64(0)
    for place in range(work.ints[FREE]):
        slot = work.free[place]
        words = work.starts[place + 1] - work.starts[place]
        first = place * tables.ints[MAX_LISTED]
        for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
            if work.place[tables.link_other[link]] < 0:
                work.near_start[link] = -1
                continue
            work.near_start[link] = used
            for k in range(used, used + tables.ints[LETTERS] * words):
                work.near_masks[k] = np.uint64(0)
            column, seen = tables.column_start[link], np.uint64(0)
            for k in range(work.listed_sizes[place]):
                letter = np.int64(tables.columns[column + work.listed[first + k]])
                work.near_masks[used + letter * words + (k >> 6)] |= _ONE << np.uint64(k & 63)
                seen |= _ONE << np.uint64(letter)
            work.letters[tables.link_crossing[link]] |= seen
            used += tables.ints[LETTERS] * words


@_compiled
def _begin(work: Work) -> None:
    """Put all listed words into the domains of depth 0."""
    work.ints[DEPTH] = 0
    for place in range(work.ints[FREE]):
        size = work.listed_sizes[place]
        work.sizes[place] = size
        work.queued[place] = 1
        work.failures[place] = 1.0
        for k in range(work.starts[place], work.starts[place + 1]):
            work.domains[k] = ~np.uint64(0)
        if size & 63:
            work.domains[work.starts[place + 1] - 1] = (_ONE << np.uint64(size & 63)) - _ONE


@_compiled
def _first(work: Work, place: int) -> int:
    """The heaviest word left in a place's domain, by its number in the list."""
    row = work.ints[DEPTH] * work.starts[work.ints[FREE]]
    for k in range(work.starts[place], work.starts[place + 1]):
        if work.domains[row + k]:
            return int(((k - work.starts[place]) << 6) + np.int64(_lowest(work.domains[row + k])))
    return -1


@_compiled
def _drop(work: Work, place: int, at: int) -> bool:
    """Remove one word from a domain; return False if it was not there."""
    free, depth = work.ints[FREE], work.ints[DEPTH]
    k = depth * work.starts[free] + work.starts[place] + (at >> 6)
    bit = _ONE << np.uint64(at & 63)
    if not work.domains[k] & bit:
        return False
    work.domains[k] ^= bit
    work.sizes[depth * free + place] -= 1
    work.queued[place] = 1
    return True


@_compiled
def _take_from_others(tables: Tables, work: Work, place: int) -> int:
    """Take a place's only word from the others; a place that has none left, or -1."""
    slot, free = work.free[place], work.ints[FREE]
    word = work.listed[place * tables.ints[MAX_LISTED] + _first(work, place)]
    for other in range(free):
        if other != place and tables.lexicon[work.free[other]] == tables.lexicon[slot]:
            at = _index(tables, work, other, word)
            if (
                at >= 0
                and _drop(work, other, at)
                and work.sizes[work.ints[DEPTH] * free + other] == 0
            ):
                return other
    return -1


@_compiled
def _supported(tables: Tables, work: Work, place: int, link: int, possible: Any) -> Any:
    """Those of the possible letters that a place's domain has at a crossing."""
    row = work.ints[DEPTH] * work.starts[work.ints[FREE]] + work.starts[place]
    words = work.starts[place + 1] - work.starts[place]
    kept, rest = np.uint64(0), possible
    while rest:
        mask = work.near_start[link] + np.int64(_lowest(rest)) * words
        for k in range(words):
            if work.domains[row + k] & work.near_masks[mask + k]:
                kept |= rest & (~rest + _ONE)
                break
        rest &= rest - _ONE
    return kept


@_compiled
def _restrict(work: Work, place: int, link: int, kept: Any) -> bool:
    """Leave a place the words with these letters at a crossing; False if it has none left."""
    free, depth = work.ints[FREE], work.ints[DEPTH]
    row = depth * work.starts[free] + work.starts[place]
    words = work.starts[place + 1] - work.starts[place]
    size = np.uint64(0)
    for k in range(words):
        before = work.domains[row + k]
        if before:
            having, rest = np.uint64(0), kept
            while rest:
                having |= work.near_masks[
                    work.near_start[link] + np.int64(_lowest(rest)) * words + k
                ]
                rest &= rest - _ONE
            work.domains[row + k] = before & having
            size += _count(before & having)
    if np.int64(size) != work.sizes[depth * free + place]:
        work.sizes[depth * free + place] = np.int64(size)
        work.queued[place] = 1
    return bool(size)


@_compiled
def _revise(tables: Tables, work: Work, place: int) -> int:
    """Bring the places that cross this one into line; a place that has no word left, or -1."""
    slot, free, depth = work.free[place], work.ints[FREE], work.ints[DEPTH]
    if work.sizes[depth * free + place] == 1 and not tables.ints[REPEATS]:
        emptied = _take_from_others(tables, work, place)
        if emptied >= 0:
            return int(emptied)
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        if work.near_start[link] < 0:
            continue
        crossing = depth * tables.ints[CROSSINGS] + tables.link_crossing[link]
        possible = work.letters[crossing]
        kept = _supported(tables, work, place, link, possible)
        if kept != possible:
            work.letters[crossing] = kept
            other = work.place[tables.link_other[link]]
            if not _restrict(work, other, tables.link_back[link], kept):
                return int(other)
    return -1


@_compiled
def _cut(work: Work, place: int, size: int) -> bool:
    """Keep only the first words of a place's list; return whether it had others."""
    free, depth = work.ints[FREE], work.ints[DEPTH]
    if size >= work.listed_sizes[place]:
        return False
    row = depth * work.starts[free]
    at, changed = row + work.starts[place] + (size >> 6), False
    if size & 63:
        low = (_ONE << np.uint64(size & 63)) - _ONE
        changed = bool(work.domains[at] & ~low)
        work.domains[at] &= low
        at += 1
    for k in range(at, row + work.starts[place + 1]):
        if work.domains[k]:
            work.domains[k] = np.uint64(0)
            changed = True
    if changed:
        left = np.uint64(0)
        for k in range(row + work.starts[place], row + work.starts[place + 1]):
            left += _count(work.domains[k])
        work.sizes[depth * free + place] = np.int64(left)
        work.queued[place] = 1
    return changed


@_compiled
def _bound(tables: Tables, work: Work) -> int:
    """Remove words that are in no fill worth enough: -1 if none is worth it, else how many lost."""
    free, depth, ideal = work.ints[FREE], work.ints[DEPTH], 0
    for place in range(free):
        work.heaviest[place] = _weight(tables, work, place, _first(work, place))
        ideal += work.heaviest[place]
    spare = ideal - work.ints[LEAST]
    if spare < 0:
        return -1
    changed = 0
    for place in range(free):
        if work.sizes[depth * free + place] > 1:
            size = _heavy(tables, work, place, work.heaviest[place] - spare)
            changed += _cut(work, place, size)
    return changed


@_compiled
def _next_queued(work: Work) -> int:
    free, depth = work.ints[FREE], work.ints[DEPTH]
    found, least = -1, 0
    for place in range(free):
        size = work.sizes[depth * free + place]
        if work.queued[place] and (found < 0 or size < least):
            found, least = place, size
    return found


@_compiled
def _propagate(tables: Tables, work: Work) -> bool:
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


@_compiled
def _refute(work: Work) -> bool:
    """Undo the last decision and take its word from the place for good; False at the root."""
    for place in range(work.ints[FREE]):
        work.queued[place] = 0
    while work.ints[DEPTH] > 0:
        work.ints[DEPTH] -= 1
        depth = work.ints[DEPTH]
        place = work.chosen[depth]
        _drop(work, place, work.tried[depth])
        if work.sizes[depth * work.ints[FREE] + place] > 0:
            return True
        work.queued[place] = 0
    return False


@_compiled
def _choose_place(work: Work) -> int:
    free, depth = work.ints[FREE], work.ints[DEPTH]
    chosen, least = -1, np.inf
    for place in range(free):
        size = work.sizes[depth * free + place]
        if size > 1 and size / work.failures[place] < least:
            chosen, least = place, size / work.failures[place]
    return chosen


@_compiled
def _value_letters(tables: Tables, work: Work, place: int) -> int:
    """For open crossings, the logarithms of the words each letter leaves; how many there are."""
    slot, depth, found = work.free[place], work.ints[DEPTH], 0
    row = depth * work.starts[work.ints[FREE]]
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        if work.near_start[link] < 0:
            continue
        rest = work.letters[depth * tables.ints[CROSSINGS] + tables.link_crossing[link]]
        if not rest & (rest - _ONE):
            continue
        other, back = work.place[tables.link_other[link]], tables.link_back[link]
        start, words = work.starts[other], work.starts[other + 1] - work.starts[other]
        while rest:
            letter = np.int64(_lowest(rest))
            rest &= rest - _ONE
            mask, count = work.near_start[back] + letter * words, np.uint64(0)
            for k in range(words):
                count += _count(work.domains[row + start + k] & work.near_masks[mask + k])
            work.values[(found << 6) + letter] = tables.logs[count]
        work.value_links[found] = link
        found += 1
    return found


@_compiled
def _choose_word(tables: Tables, work: Work, place: int) -> int:
    """The best of the heaviest words by score, by the words it leaves others, and by chance."""
    slot, found = work.free[place], _value_letters(tables, work, place)
    row = work.ints[DEPTH] * work.starts[work.ints[FREE]]
    first, best, most, compared = place * tables.ints[MAX_LISTED], -1, -np.inf, 0
    for k in range(work.starts[place], work.starts[place + 1]):
        rest = work.domains[row + k]
        while rest and compared < tables.ints[MAX_COMPARED]:
            at = ((k - work.starts[place]) << 6) + np.int64(_lowest(rest))
            rest &= rest - _ONE
            compared += 1
            word = work.listed[first + at]
            value = tables.tastes[tables.word_start[slot] + word] + work.floats[0] * _random(work)
            for q in range(found):
                column = tables.column_start[work.value_links[q]]
                value += work.values[(q << 6) + tables.columns[column + word]]
            if value > most:
                best, most = at, value
    return best


@_compiled
def _assign(tables: Tables, work: Work, place: int, at: int) -> None:
    """Decide for a word, one level deeper."""
    free, depth, crossings = work.ints[FREE], work.ints[DEPTH], tables.ints[CROSSINGS]
    words = work.starts[free]
    work.chosen[depth], work.tried[depth] = place, at
    for k in range(depth * words, (depth + 1) * words):
        work.domains[words + k] = work.domains[k]
    for k in range(depth * free, (depth + 1) * free):
        work.sizes[free + k] = work.sizes[k]
    for k in range(depth * crossings, (depth + 1) * crossings):
        work.letters[crossings + k] = work.letters[k]
    work.ints[DEPTH] = depth + 1
    row = (depth + 1) * words
    for k in range(row + work.starts[place], row + work.starts[place + 1]):
        work.domains[k] = np.uint64(0)
    work.domains[row + work.starts[place] + (at >> 6)] = _ONE << np.uint64(at & 63)
    work.sizes[(depth + 1) * free + place] = 1
    work.queued[place] = 1


@_compiled
def _record(tables: Tables, work: Work) -> None:
    """Store the current fill, and require a greater weight of every later fill."""
    work.ints[FOUND] = 1
    least = 1
    for place in range(work.ints[FREE]):
        at = _first(work, place)
        work.best[work.free[place]] = work.listed[place * tables.ints[MAX_LISTED] + at]
        least += _weight(tables, work, place, at)
    work.ints[LEAST] = least


@_compiled
def _refill(tables: Tables, work: Work, max_nodes: int) -> int:
    """Search the region for the heaviest fill, of ``LEAST`` or more: whether there is one."""
    work.ints[FOUND], work.ints[UNFINISHED], work.ints[NODES] = 0, 0, 0
    if not _list_all(tables, work):
        return 0
    _read_letters(tables, work)
    _begin(work)
    while True:
        if _propagate(tables, work):
            place = _choose_place(work)
            if place >= 0:
                if work.ints[NODES] >= max_nodes:
                    work.ints[UNFINISHED] = 1
                    break
                work.ints[NODES] += 1
                _assign(tables, work, place, _choose_word(tables, work, place))
                continue
            _record(tables, work)
        if not _refute(work):
            break
    return int(work.ints[FOUND])


refill = on_addresses(_refill, Tables, Work)
