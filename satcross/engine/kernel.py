"""The search of ``satcross.backends.search`` on flat arrays, as numba compiles it to machine code.

Given the same candidates and seed, it takes the decisions of ``Search``, one by one: that class is
the reference, and a property test compares the two. Only the way to the same result differs:

- domains are 64-bit words in one array, and what a decision changes is saved on a trail (once per
  slot and decision), so that a decision costs nothing for the slots it does not touch;
- letters of a crossing are one 64-bit set; a letter keeps the place in the domain where it was last
  seen to be supported, which is where it is looked for first (Lecoutre and Hemery 2007);
- the random numbers are Python's own: ``random.Random`` hands over its Mersenne twister state.

This module imports numba. Programs import ``satcross.engine.kernel_loader`` instead, which
runs the compiled code without numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, cast, get_type_hints

import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Arrays by the type of their elements, which ``on_addresses`` reads.
Int32s: TypeAlias = Annotated[Any, "int32"]
Int64s: TypeAlias = Annotated[Any, "int64"]
UInt8s: TypeAlias = Annotated[Any, "uint8"]
UInt16s: TypeAlias = Annotated[Any, "uint16"]
UInt32s: TypeAlias = Annotated[Any, "uint32"]
UInt64s: TypeAlias = Annotated[Any, "uint64"]
Float64s: TypeAlias = Annotated[Any, "float64"]

# Return values of the kernel.
BUDGET, FILLED, EXHAUSTED, FULL = 0, 1, 2, 3

# Places in ``Work.ints``.
DEPTH, TRAIL, SAVED, LETTERS_SAVED, QUEUED, CONFLICTS, LEAVING = 0, 1, 2, 3, 4, 5, 6
NODES, FAILURES, RESTARTS, BY_LETTER, MAY_RESTART, MOST_FILLED, TWISTED = 7, 8, 9, 10, 11, 12, 13
# Places in ``Work.floats``.
INCREMENT, INTERVAL, FAILURES_LEFT = 0, 1, 2
# Places in ``Tables.ints``.
SAMPLE, LETTERS_EVERY, MANY, PREFERRING, MIN_THEME_WORDS, CLASHES, LEXICONS = 0, 1, 2, 3, 4, 5, 6
GROWING_FAST_AFTER = 7
# Places in ``Tables.floats``.
GROWTH, DECAY, NOISE, FAST_GROWTH = 0, 1, 2, 3

# Up to this many words, the letters of a domain are read word by word.
_FEW = 24


class Tables(NamedTuple):
    """The arrays that never change during a search.

    ``*_start`` arrays say where the part of a slot, link, theme word or lexicon begins in another
    array. A link is one crossing seen from one of its slots.
    """

    ints: Int64s
    floats: Float64s
    domain_start: Int64s
    domain_words: Int32s
    link_start: Int32s
    link_crossing: Int32s
    link_other: Int32s
    link_back: Int32s
    mask_start: Int64s
    masks: UInt64s
    column_start: Int64s
    columns: UInt8s
    peer_start: Int32s
    peers: Int32s
    lexicon: Int32s
    lexicon_start: Int64s
    word_ids: Int32s
    index_start: Int64s
    index_of: Int32s
    preferred: UInt64s
    theme_start: Int32s
    theme_slot: Int32s
    theme_word: Int32s
    mark_start: Int64s
    marks: Int32s
    having_start: Int64s
    having: Int32s
    exempt_words: UInt8s
    logs: Float64s
    corrections: Float64s


class Work(NamedTuple):
    """The arrays that a search changes."""

    ints: Int64s
    floats: Float64s
    domains: UInt64s
    sizes: Int32s
    letters: UInt64s
    weights: Float64s
    stamps: Int32s
    residues: Int32s
    queue: Int32s
    came_through: Int32s
    conflict: Int32s
    targets: Int32s
    best_targets: Int32s
    decision_slot: Int32s
    decision_word: Int32s
    decision_link: Int32s
    decision_letter: Int32s
    segment_saved: Int64s
    segment_letters: Int64s
    trail: UInt64s
    saved_slot: Int32s
    saved_size: Int32s
    saved_stamp: Int32s
    saved_crossing: Int32s
    saved_letters: UInt64s
    sample: Int32s
    scratch: UInt64s
    values: Float64s
    value_links: Int32s
    twister: UInt32s


def _compiled(function: _Function) -> _Function:
    # Calls would pass hundreds of arguments, and arrays are not counted: without both of these,
    # the code is four times as slow and takes three times as long to compile.
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    return cast(_Function, njit(error_model="numpy", forceinline=True, **options)(function))


@intrinsic  # type: ignore[untyped-decorator]
def _count(typing_context: Any, bits: Any) -> Any:
    """Return the number of set bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _lowest(typing_context: Any, bits: Any) -> Any:
    """Return the index of the lowest set bit of a number that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _pointer(typing_context: Any, address: Any) -> Any:
    """Return an address as a pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = context.get_value_type(types.voidptr)
        return builder.inttoptr(arguments[0], kind)

    return types.voidptr(types.uint64), generate


def on_addresses(search: _Function, *groups: Any) -> Callable[[Any, int], int]:
    """Return ``search`` for callers that have an address and a length for each array.

    It takes a pointer to these numbers and what ``search`` takes besides. The arrays are those of
    the groups, in the order of their fields, whose annotations name the types of elements. The
    function is made from source because numba compiles no loop over arrays of different types.
    """
    scope: dict[str, Any] = {"__name__": __name__, "np": np, "carray": carray, "_pointer": _pointer}
    scope |= {group.__name__: group for group in groups} | {"on_arrays": search}
    arguments, k = "", 0
    for group in groups:
        arrays = []
        for hint in get_type_hints(group, include_extras=True).values():
            element = hint.__metadata__[0]
            arrays.append(f"carray(_pointer(n[{k}]), np.int64(n[{k + 1}]), np.{element})")
            k += 2
        arguments += f"{group.__name__}({', '.join(arrays)}), "
    name = search.__name__.lstrip("_")
    source = f"""
def {name}(numbers, amount):
    n = carray(numbers, {k}, np.uint64)
    return on_arrays({arguments}amount)
"""
    exec(source, scope)
    return cast(Callable[[Any, int], int], scope[name])


_ONE = np.uint64(1)
_LOW = np.uint64(63)


@_compiled
def _has(bits: Any, start: int, word: int) -> bool:
    return bool((bits[start + (word >> 6)] >> np.uint64(word & 63)) & _ONE)


@_compiled
def _first(bits: Any, start: int, words: int, index: int) -> int:
    """Return the first word of a domain at or after an index; -1 if there is none."""
    at = index >> 6
    if at >= words:
        return -1
    rest = (bits[start + at] >> np.uint64(index & 63)) << np.uint64(index & 63)
    while rest == 0:
        at += 1
        if at == words:
            return -1
        rest = bits[start + at]
    return (at << 6) + np.int64(_lowest(rest))


@_compiled
def _random(work: Work) -> float:
    """Return the next random number, the same as Python's (Matsumoto and Nishimura 1998)."""
    a = _twist(work) >> np.uint32(5)
    b = _twist(work) >> np.uint32(6)
    return (np.float64(a) * 67108864.0 + np.float64(b)) * (1.0 / 9007199254740992.0)


@_compiled
def _twist(work: Work) -> Any:
    state = work.twister
    at = work.ints[TWISTED]
    if at >= 624:
        for k in range(624):
            y = (state[k] & np.uint32(0x80000000)) | (state[(k + 1) % 624] & np.uint32(0x7FFFFFFF))
            mixed = state[(k + 397) % 624] ^ (y >> np.uint32(1))
            if y & np.uint32(1):
                mixed ^= np.uint32(0x9908B0DF)
            state[k] = np.uint32(mixed)
        at = 0
    y = np.uint32(state[at])
    work.ints[TWISTED] = at + 1
    y ^= y >> np.uint32(11)
    y ^= (y << np.uint32(7)) & np.uint32(0x9D2C5680)
    y ^= (y << np.uint32(15)) & np.uint32(0xEFC60000)
    y ^= y >> np.uint32(18)
    return np.uint32(y)


@_compiled
def _save(tables: Tables, work: Work, slot: int) -> None:
    """Put a slot's domain on the trail, unless this decision has done so or there is none."""
    ints = work.ints
    depth = ints[DEPTH]
    if depth == 0 or work.stamps[slot] == depth:
        return
    number = ints[SAVED]
    work.saved_slot[number] = slot
    work.saved_size[number] = work.sizes[slot]
    work.saved_stamp[number] = work.stamps[slot]
    ints[SAVED] = number + 1
    work.stamps[slot] = depth
    start, words, top = tables.domain_start[slot], tables.domain_words[slot], ints[TRAIL]
    for k in range(words):
        work.trail[top + k] = work.domains[start + k]
    ints[TRAIL] = top + words


@_compiled
def _undo(tables: Tables, work: Work) -> None:
    """Undo the last decision and all changes since."""
    ints = work.ints
    depth = ints[DEPTH]
    top = ints[TRAIL]
    for number in range(ints[SAVED] - 1, work.segment_saved[depth] - 1, -1):
        slot = work.saved_slot[number]
        work.sizes[slot] = work.saved_size[number]
        work.stamps[slot] = work.saved_stamp[number]
        start, words = tables.domain_start[slot], tables.domain_words[slot]
        top -= words
        for k in range(words):
            work.domains[start + k] = work.trail[top + k]
    ints[TRAIL] = top
    ints[SAVED] = work.segment_saved[depth]
    for number in range(ints[LETTERS_SAVED] - 1, work.segment_letters[depth] - 1, -1):
        work.letters[work.saved_crossing[number]] = work.saved_letters[number]
    ints[LETTERS_SAVED] = work.segment_letters[depth]
    ints[DEPTH] = depth - 1


@_compiled
def _enqueue(work: Work, slot: int, crossing: int) -> None:
    """Put a slot in the queue; the crossing through which its change came need no revision."""
    if work.came_through[slot] == -2:
        work.queue[work.ints[QUEUED]] = slot
        work.ints[QUEUED] += 1
        work.came_through[slot] = crossing
    else:
        work.came_through[slot] = -1


@_compiled
def _smallest(work: Work) -> int:
    """Take the slot with the smallest domain from the queue; of several, the first one put in."""
    count = work.ints[QUEUED]
    queue = work.queue
    at = 0
    least = work.sizes[queue[0]]
    for k in range(1, count):
        size = work.sizes[queue[k]]
        if size < least:
            least = size
            at = k
    slot = queue[at]
    for k in range(at + 1, count):
        queue[k - 1] = queue[k]
    work.ints[QUEUED] = count - 1
    return int(slot)


@_compiled
def _contradict(work: Work, slot: int, other: int) -> None:
    work.conflict[0] = slot
    work.conflict[1] = other
    work.ints[CONFLICTS] = 2
    for k in range(work.ints[QUEUED]):
        work.came_through[work.queue[k]] = -2
    work.ints[QUEUED] = 0


@_compiled
def _supported(tables: Tables, work: Work, link: int, slot: int, possible: Any) -> Any:
    """Return the possible letters that words of a slot's domain have at a crossing."""
    domains = work.domains
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    kept = np.uint64(0)
    if work.sizes[slot] <= _FEW:
        column = tables.column_start[link]
        for k in range(words):
            rest = domains[start + k]
            while rest:
                kept |= _ONE << np.uint64(tables.columns[column + (k << 6) + _lowest(rest)])
                rest &= rest - _ONE
        return kept & possible
    rest = possible
    while rest:
        letter = np.int64(_lowest(rest))
        rest &= rest - _ONE
        mask = tables.mask_start[link] + letter * words
        residue = work.residues[(link << 6) + letter]
        if domains[start + residue] & tables.masks[mask + residue]:
            kept |= _ONE << np.uint64(letter)
            continue
        for k in range(words):
            if domains[start + k] & tables.masks[mask + k]:
                work.residues[(link << 6) + letter] = k
                kept |= _ONE << np.uint64(letter)
                break
    return kept


@_compiled
def _restrict(tables: Tables, work: Work, slot: int, link: int, kept: Any, possible: Any) -> None:
    """Remove the slot's words without a kept letter at a crossing, and set its size."""
    domains = work.domains
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    mask_start = tables.mask_start[link]
    removing = 2 * _count(kept) > _count(possible)
    size = 0
    if 2 * work.sizes[slot] < words:
        column = tables.column_start[link]
        for k in range(words):
            rest = domains[start + k]
            if rest:
                left = rest
                while rest:
                    low = _lowest(rest)
                    letter = np.uint64(tables.columns[column + (k << 6) + low])
                    if not (kept >> letter) & _ONE:
                        left ^= _ONE << low
                    rest &= rest - _ONE
                domains[start + k] = left
                size += _count(left)
    elif removing:
        rest = possible & ~kept
        while rest:
            mask = mask_start + np.int64(_lowest(rest)) * words
            rest &= rest - _ONE
            for k in range(words):
                domains[start + k] &= ~tables.masks[mask + k]
        for k in range(words):
            size += _count(domains[start + k])
    else:
        scratch = work.scratch
        for k in range(words):
            scratch[k] = np.uint64(0)
        rest = kept
        while rest:
            mask = mask_start + np.int64(_lowest(rest)) * words
            rest &= rest - _ONE
            for k in range(words):
                scratch[k] |= tables.masks[mask + k]
        for k in range(words):
            domains[start + k] &= scratch[k]
            size += _count(domains[start + k])
    work.sizes[slot] = size


@_compiled
def _take_from_peers(tables: Tables, work: Work, slot: int, word: int) -> bool:
    """Remove a slot's only word from slots that may not repeat it; False at a contradiction."""
    lexicon = tables.lexicon[slot]
    for k in range(tables.peer_start[slot], tables.peer_start[slot + 1]):
        peer = tables.peers[k]
        same = word
        if tables.lexicon[peer] != lexicon:
            word_id = tables.word_ids[tables.lexicon_start[lexicon] + word]
            same = tables.index_of[tables.index_start[tables.lexicon[peer]] + word_id]
            if same < 0:
                continue
        start = tables.domain_start[peer]
        if _has(work.domains, start, same):
            _save(tables, work, peer)
            work.domains[start + (same >> 6)] ^= _ONE << np.uint64(same & 63)
            work.sizes[peer] -= 1
            if work.sizes[peer] == 0:
                _contradict(work, slot, peer)
                return False
            _enqueue(work, peer, -1)
    return True


@_compiled
def _take_clashing(tables: Tables, work: Work, slot: int, word: int) -> bool:
    """Remove words that clash with a slot's word from all slots; False at a contradiction."""
    lexicons = tables.ints[LEXICONS]
    lexicon = tables.lexicon[slot]
    whole = tables.lexicon_start[lexicon] + word
    for other in range(len(work.sizes)):
        if other == slot:
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
                if _has(work.domains, start, index):
                    _save(tables, work, other)
                    work.domains[start + (index >> 6)] ^= _ONE << np.uint64(index & 63)
                    taken += 1
        if taken:
            work.sizes[other] -= taken
            if work.sizes[other] == 0:
                _contradict(work, slot, other)
                return False
            _enqueue(work, other, -1)
    return True


@_compiled
def _out_of_theme(tables: Tables, work: Work) -> None:
    """Report a contradiction if too few theme words still have a possible slot."""
    missing = tables.ints[MIN_THEME_WORDS]
    lost = 0
    for word in range(len(tables.theme_start) - 1):
        first, end = tables.theme_start[word], tables.theme_start[word + 1]
        has_place = False
        for k in range(first, end):
            start = tables.domain_start[tables.theme_slot[k]]
            if _has(work.domains, start, tables.theme_word[k]):
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
        for slot in range(len(work.sizes)):
            work.conflict[slot] = slot
        lost = len(work.sizes)
    work.ints[CONFLICTS] = lost


@_compiled
def _propagate(tables: Tables, work: Work, changed: int) -> None:
    """Restore arc consistency after a slot's domain has shrunk; sets ``CONFLICTS``."""
    work.ints[CONFLICTS] = 0
    _enqueue(work, changed, -1)
    while work.ints[QUEUED]:
        slot = _smallest(work)
        came_through = work.came_through[slot]
        work.came_through[slot] = -2
        if work.sizes[slot] == 1:
            word = _first(work.domains, tables.domain_start[slot], tables.domain_words[slot], 0)
            if not _take_from_peers(tables, work, slot, word):
                return
            if tables.ints[CLASHES] and not _take_clashing(tables, work, slot, word):
                return
        for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
            crossing = tables.link_crossing[link]
            possible = work.letters[crossing]
            if crossing == came_through or not possible & (possible - _ONE):
                continue
            kept = _supported(tables, work, link, slot, possible)
            if kept == possible:
                continue
            other = tables.link_other[link]
            if work.ints[DEPTH]:
                number = work.ints[LETTERS_SAVED]
                work.saved_crossing[number] = crossing
                work.saved_letters[number] = possible
                work.ints[LETTERS_SAVED] = number + 1
            work.letters[crossing] = kept
            before = work.sizes[other]
            _save(tables, work, other)
            _restrict(tables, work, other, tables.link_back[link], kept, possible)
            if work.sizes[other] != before:
                if work.sizes[other] == 0:
                    _contradict(work, slot, other)
                    return
                _enqueue(work, other, crossing)
    if tables.ints[MIN_THEME_WORDS]:
        _out_of_theme(tables, work)


@_compiled
def _learn(tables: Tables, work: Work) -> None:
    work.ints[FAILURES] += 1
    work.floats[FAILURES_LEFT] -= 1.0
    for k in range(work.ints[CONFLICTS]):
        work.weights[work.conflict[k]] += work.floats[INCREMENT]
    work.floats[INCREMENT] /= tables.floats[DECAY]
    if work.floats[INCREMENT] > 1e100:
        for slot in range(len(work.weights)):
            work.weights[slot] = max(work.weights[slot] / 1e100, 1e-100)
        work.floats[INCREMENT] /= 1e100


@_compiled
def _refute(tables: Tables, work: Work) -> None:
    """Undo the last decision, and remove its words from the slot while earlier ones hold."""
    depth = work.ints[DEPTH]
    slot = work.decision_slot[depth]
    word = work.decision_word[depth]
    _undo(tables, work)
    _save(tables, work, slot)
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    if word >= 0:
        work.domains[start + (word >> 6)] &= ~(_ONE << np.uint64(word & 63))
        work.sizes[slot] -= 1
    else:
        mask = tables.mask_start[work.decision_link[depth]] + work.decision_letter[depth] * words
        size = 0
        for k in range(words):
            work.domains[start + k] &= ~tables.masks[mask + k]
            size += _count(work.domains[start + k])
        work.sizes[slot] = size
    _propagate(tables, work, slot)


@_compiled
def _restart(tables: Tables, work: Work) -> None:
    ints = work.ints
    ints[RESTARTS] += 1
    ints[BY_LETTER] = (ints[RESTARTS] + 1) % tables.ints[LETTERS_EVERY] == 0
    grows_fast = ints[RESTARTS] > tables.ints[GROWING_FAST_AFTER]
    work.floats[INTERVAL] *= tables.floats[FAST_GROWTH if grows_fast else GROWTH]
    work.floats[FAILURES_LEFT] = work.floats[INTERVAL]
    for slot in range(len(work.targets)):
        work.targets[slot] = work.best_targets[slot]
    ints[MOST_FILLED] = -1
    while ints[DEPTH]:
        _undo(tables, work)


@_compiled
def _value_letters(tables: Tables, work: Work, slot: int) -> int:
    """Put the value of each letter at a slot's open crossings in ``values``; return their number.

    A value is the logarithm of the number of words it leaves the other slot, and the correction.
    """
    found = 0
    for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
        possible = work.letters[tables.link_crossing[link]]
        if not possible & (possible - _ONE):
            continue
        other, back = tables.link_other[link], tables.link_back[link]
        start, words = tables.domain_start[other], tables.domain_words[other]
        at = found << 6
        if 2 * work.sizes[other] < np.int64(_count(possible)) * words:
            counts = work.queue  # empty between propagations, and long enough
            for letter in range(64):
                counts[letter] = 0
            column = tables.column_start[back]
            for k in range(words):
                rest = work.domains[start + k]
                while rest:
                    counts[tables.columns[column + (k << 6) + _lowest(rest)]] += 1
                    rest &= rest - _ONE
            rest = possible
            while rest:
                letter = np.int64(_lowest(rest))
                rest &= rest - _ONE
                work.values[at + letter] = (
                    tables.logs[counts[letter]] + tables.corrections[(link << 6) + letter]
                )
        else:
            rest = possible
            while rest:
                letter = np.int64(_lowest(rest))
                rest &= rest - _ONE
                mask = tables.mask_start[back] + letter * words
                count = np.uint64(0)
                for k in range(words):
                    count += _count(work.domains[start + k] & tables.masks[mask + k])
                work.values[at + letter] = (
                    tables.logs[count] + tables.corrections[(link << 6) + letter]
                )
        work.value_links[found] = link
        found += 1
    return found


@_compiled
def _value(tables: Tables, work: Work, found: int, word: int) -> float:
    value = tables.floats[NOISE] * _random(work)
    for k in range(found):
        column = tables.column_start[work.value_links[k]]
        value += work.values[(k << 6) + tables.columns[column + word]]
    return value


@_compiled
def _draw_sample(tables: Tables, work: Work, bits: Any, start: int, words: int) -> int:
    """Put all words of a small domain, or some of a large one, in ``sample``; return how many."""
    size = 0
    last = -1
    for k in range(words):
        if bits[start + k]:
            size += _count(bits[start + k])
            last = k
    number = 0
    if size <= tables.ints[SAMPLE]:
        for k in range(last + 1):
            rest = bits[start + k]
            while rest:
                work.sample[number] = (k << 6) + _lowest(rest)
                rest &= rest - _ONE
                number += 1
        return number
    places = last << 6
    rest = bits[start + last]
    while rest:
        places += 1
        rest >>= _ONE
    for number in range(tables.ints[SAMPLE]):
        skipped = np.int64(np.float64(places) * _random(work))
        work.sample[number] = _first(bits, start, words, skipped)
    return int(tables.ints[SAMPLE])


@_compiled
def _choose_word(tables: Tables, work: Work, slot: int) -> int:
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    target = work.targets[slot]
    if target >= 0 and _has(work.domains, start, target):
        return int(target)
    preferring = False
    if work.ints[RESTARTS] < tables.ints[PREFERRING] and len(tables.preferred):
        for k in range(words):
            work.scratch[k] = work.domains[start + k] & tables.preferred[start + k]
            if work.scratch[k]:
                preferring = True
    found = _value_letters(tables, work, slot)
    if preferring:
        number = _draw_sample(tables, work, work.scratch, 0, words)
    else:
        number = _draw_sample(tables, work, work.domains, start, words)
    best, most = -1, -np.inf
    for k in range(number):
        word = work.sample[k]
        value = _value(tables, work, found, word)
        if value > most:
            best, most = word, value
    return best


@_compiled
def _choose_slot(work: Work) -> int:
    chosen, least = -1, np.inf
    for slot in range(len(work.sizes)):
        size = work.sizes[slot]
        if size > 1 and size / work.weights[slot] < least:
            chosen, least = slot, size / work.weights[slot]
    return chosen


@_compiled
def _choose_theme(tables: Tables, work: Work) -> tuple[int, int]:
    """Return a slot and a theme word for it while too few are placed; otherwise -1."""
    missing = tables.ints[MIN_THEME_WORDS]
    fewest, chosen = 0, -1
    for number in range(len(tables.theme_start) - 1):
        left = 0
        placed = False
        for k in range(tables.theme_start[number], tables.theme_start[number + 1]):
            slot = tables.theme_slot[k]
            if _has(work.domains, tables.domain_start[slot], tables.theme_word[k]):
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
        if work.targets[slot] == word and _has(work.domains, tables.domain_start[slot], word):
            only_targets = True
    best_slot, best_word, most = -1, -1, -np.inf
    for k in range(tables.theme_start[chosen], tables.theme_start[chosen + 1]):
        slot, word = tables.theme_slot[k], tables.theme_word[k]
        if not _has(work.domains, tables.domain_start[slot], word):
            continue
        if only_targets and work.targets[slot] != word:
            continue
        value = _value(tables, work, _value_letters(tables, work, slot), word)
        if value > most or (value == most and (word, slot) > (best_word, best_slot)):
            best_slot, best_word, most = slot, word, value
    return best_slot, best_word


@_compiled
def _assign(tables: Tables, work: Work, slot: int, word: int) -> None:
    """Decide on a word, or only on the letter that it has at one crossing."""
    ints = work.ints
    by_link, by_letter = -1, -1
    if ints[BY_LETTER] and work.sizes[slot] > tables.ints[MANY]:
        least = np.inf
        for link in range(tables.link_start[slot], tables.link_start[slot + 1]):
            possible = work.letters[tables.link_crossing[link]]
            if possible & (possible - _ONE):
                letter = np.int64(tables.columns[tables.column_start[link] + word])
                other = tables.link_other[link]
                start, words = tables.domain_start[other], tables.domain_words[other]
                mask = tables.mask_start[tables.link_back[link]] + letter * words
                left = np.uint64(0)
                for k in range(words):
                    left += _count(work.domains[start + k] & tables.masks[mask + k])
                value = np.float64(left) / work.weights[other]
                if value < least:
                    by_link, by_letter, least = link, letter, value
    depth = ints[DEPTH] + 1
    ints[DEPTH] = depth
    work.segment_saved[depth] = ints[SAVED]
    work.segment_letters[depth] = ints[LETTERS_SAVED]
    work.decision_slot[depth] = slot
    work.decision_word[depth] = -1 if by_link >= 0 else word
    work.decision_link[depth] = by_link
    work.decision_letter[depth] = by_letter
    _save(tables, work, slot)
    start, words = tables.domain_start[slot], tables.domain_words[slot]
    if by_link < 0:
        for k in range(words):
            work.domains[start + k] = np.uint64(0)
        work.domains[start + (word >> 6)] = _ONE << np.uint64(word & 63)
        work.sizes[slot] = 1
    else:
        mask = tables.mask_start[by_link] + by_letter * words
        size = 0
        for k in range(words):
            work.domains[start + k] &= tables.masks[mask + k]
            size += _count(work.domains[start + k])
        work.sizes[slot] = size
    _propagate(tables, work, slot)
    if ints[CONFLICTS] == 0:
        _remember_most_filled(tables, work)


@_compiled
def _remember_most_filled(tables: Tables, work: Work) -> None:
    filled = 0
    for slot in range(len(work.sizes)):
        filled += work.sizes[slot] == 1
    if filled > work.ints[MOST_FILLED]:
        work.ints[MOST_FILLED] = filled
        for slot in range(len(work.sizes)):
            word = -1
            if work.sizes[slot] == 1:
                start, words = tables.domain_start[slot], tables.domain_words[slot]
                word = _first(work.domains, start, words, 0)
            work.best_targets[slot] = word


@_compiled
def _has_room(work: Work) -> bool:
    """Return whether the trail has room for a change of every domain and all letters."""
    ints = work.ints
    return bool(
        len(work.trail) - ints[TRAIL] >= len(work.domains)
        and len(work.saved_slot) - ints[SAVED] >= len(work.sizes)
        and len(work.saved_crossing) - ints[LETTERS_SAVED] >= 64 * len(work.letters)
        and len(work.decision_slot) - ints[DEPTH] > 1
    )


@_compiled
def _advance(tables: Tables, work: Work, max_nodes: int) -> int:
    """Search until an answer; BUDGET after ``max_nodes`` decisions, FULL if the trail is full."""
    ints = work.ints
    last = ints[NODES] + max_nodes
    while True:
        while ints[CONFLICTS] or ints[LEAVING]:
            if not _has_room(work):
                return FULL
            if not ints[LEAVING]:
                _learn(tables, work)
            ints[LEAVING] = 0
            if ints[DEPTH] == 0:
                return EXHAUSTED
            _refute(tables, work)
        if work.floats[FAILURES_LEFT] <= 0 and ints[MAY_RESTART]:
            _restart(tables, work)
        if ints[NODES] >= last:
            return BUDGET
        if not _has_room(work):
            return FULL
        slot, word = -1, -1
        if tables.ints[MIN_THEME_WORDS]:
            slot, word = _choose_theme(tables, work)
        if slot < 0:
            slot = _choose_slot(work)
            if slot < 0:
                return FILLED
            word = _choose_word(tables, work, slot)
        ints[NODES] += 1
        _assign(tables, work, slot, word)


advance = on_addresses(_advance, Tables, Work)


# Places in ``SweepWork.ints``.
CELL, COUNT, LIMIT, TRIED = 0, 1, 2, 3


class SweepTables(NamedTuple):
    """A dense grid cell by cell, and the tries of its slots; -1 stands for none.

    A trie's node has a set of letters; its children follow one another from ``first_child`` on.
    ``peer_*`` are, for each cell, the slots complete by then whose word the slot that ends here
    must not repeat.
    """

    ints: Int64s
    across: Int32s
    down: Int32s
    before_across: Int32s
    before_down: Int32s
    ends_across: UInt8s
    ends_down: UInt8s
    across_peer_start: Int32s
    across_peers: Int32s
    down_peer_start: Int32s
    down_peers: Int32s
    root: Int32s
    letters: UInt64s
    first_child: Int32s
    word: Int32s


class SweepWork(NamedTuple):
    """The state of a sweep: for each cell the letters left, the letter, and the nodes of tries."""

    ints: Int64s
    rest: UInt64s
    letter: UInt64s
    across_in: Int32s
    down_in: Int32s
    across_out: Int32s
    down_out: Int32s
    words: Int32s


@_compiled
def _enter(tables: SweepTables, work: SweepWork, cell: int) -> None:
    """Find the letters that continue the words of both slots of a cell."""
    rest = ~np.uint64(0)
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
    if cell == tables.ints[1]:  # mirroring gives the fills with an earlier letter
        rest &= ~(work.letter[tables.ints[0]] - _ONE)
    work.rest[cell] = rest


@_compiled
def _place(tables: SweepTables, work: SweepWork, cell: int, letter: Any) -> bool:
    """Put a letter in a cell; False if it completes a word that the fill has already."""
    work.letter[cell] = letter
    slot = tables.across[cell]
    if slot >= 0:
        node = work.across_in[cell]
        node = tables.first_child[node] + np.int32(_count(tables.letters[node] & (letter - _ONE)))
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
        node = tables.first_child[node] + np.int32(_count(tables.letters[node] & (letter - _ONE)))
        work.down_out[cell] = node
        if tables.ends_down[cell]:
            word = tables.word[node]
            for k in range(tables.down_peer_start[cell], tables.down_peer_start[cell + 1]):
                if work.words[tables.down_peers[k]] == word:
                    return False
            work.words[slot] = word
    return True


@_compiled
def _sweep(tables: SweepTables, work: SweepWork, max_letters: int) -> int:
    """Sweep; BUDGET after ``max_letters`` letters, FILLED at each fill from ``LIMIT`` on."""
    ints = work.ints
    cell = ints[CELL]
    cells = len(tables.across)
    mirrored = tables.ints[1] >= 0
    last = ints[TRIED] + max_letters
    tried = ints[TRIED]
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
        letter = rest & (~rest + _ONE)
        work.rest[cell] = rest ^ letter
        if not _place(tables, work, cell, letter):
            continue
        if cell + 1 < cells:
            cell += 1
            _enter(tables, work, cell)
            continue
        ints[COUNT] += 1
        if mirrored and work.letter[tables.ints[1]] > work.letter[tables.ints[0]]:
            ints[COUNT] += 1
        if ints[COUNT] >= ints[LIMIT]:
            result = FILLED
            break
    ints[CELL] = cell
    ints[TRIED] = tried
    return result


sweep = on_addresses(_sweep, SweepTables, SweepWork)
